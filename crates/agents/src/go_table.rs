//! What protocols and records ask of a game of Go beyond playing moves: another side to move, another komi, stones
//! set up, which stones are dead, the score.
//!
//! **Dead stones.** The rules never take stones off by agreement, but protocols ask which are dead. The judge plays
//! light playouts from the position, half of them with either side to move, and counts who owns each point at the
//! end. A chain whose points end up its owner's in fewer than 3 of 10 playouts is dead. This is a judgement, not
//! a proof: it is right where everything is settled, and blind to seki.
//!
//! Every function answers nothing for positions of other games, but for [`with_turn`].

use crate::AnyPosition;
use tesuji_core::{Notation, Outcome, Player, Position, Rng, Seed};
use tesuji_games::go::{Go, GoMove, GoRules, Komi, Scoring};
use tesuji_games::hex::Hex;

/// Playouts of a judgement.
const PLAYOUTS: u32 = 400;
/// A chain that keeps fewer of its points than this is dead.
const ALIVE: f64 = 0.3;

fn go(position: &dyn AnyPosition) -> Option<&Go> {
    position.as_any().downcast_ref::<Go>()
}

/// The same board with this player to move, also after two passes had ended the game. Hex too, whose programs set
/// positions up stone by stone; but a game of Hex that was won is over.
#[must_use]
pub fn with_turn(position: &dyn AnyPosition, player: Player) -> Option<Box<dyn AnyPosition>> {
    if let Some(hex) = position.as_any().downcast_ref::<Hex>() {
        let mut hex = *hex;
        hex.set_turn(player);
        return Position::outcome(&hex).is_none().then(|| Box::new(hex) as Box<dyn AnyPosition>);
    }
    let mut go = go(position)?.clone();
    // Turning away and back takes back the passes.
    if go.passes() > 0 {
        go.set_turn(Position::turn(&go).other());
    }
    go.set_turn(player);
    Some(Box::new(go))
}

/// The komi.
#[must_use]
pub fn komi(position: &dyn AnyPosition) -> Option<f64> {
    Some(f64::from(go(position)?.rules().komi.0) / 2.0)
}

/// The same position with another komi, in whole or half points.
#[must_use]
pub fn with_komi(position: &dyn AnyPosition, komi: f64) -> Option<Box<dyn AnyPosition>> {
    let halves = komi * 2.0;
    if halves.fract() != 0.0 || halves.abs() > 20_000.0 {
        return None;
    }
    let mut go = go(position)?.clone();
    go.set_komi(Komi(halves as i32));
    Some(Box::new(go))
}

/// The stones on the board: the points of each player, as they are written.
#[must_use]
pub fn stones(position: &dyn AnyPosition) -> Option<[Vec<String>; 2]> {
    let go = go(position)?;
    let board = go.board();
    Some(Player::BOTH.map(|player| {
        let points = board.points().filter(|point| board.stone_at(*point) == Some(player));
        points.map(|point| go.show_move(GoMove::stone(point))).collect()
    }))
}

/// A board of the same rules with these stones and nothing else.
///
/// # Errors
/// If it is not Go, a point cannot be read, or the stones make no position.
pub fn with_stones(
    position: &dyn AnyPosition,
    stones: &[(Player, String)],
    turn: Player,
) -> Result<Box<dyn AnyPosition>, String> {
    let go = go(position).ok_or("only Go sets stones up")?;
    let empty = Go::with_stones(GoRules { handicap: 0, ..*go.rules() }, &[], Player::First);
    let empty = empty.map_err(|error| error.to_string())?;
    let mut placed = Vec::with_capacity(stones.len());
    for (player, text) in stones {
        let mv = empty.read_move(text).map_err(|error| error.to_string())?;
        let point = mv.point().ok_or("a pass is no stone")?;
        let (column, row) = empty.board().column_row(point);
        placed.push((*player, column, row));
    }
    let set_up = Go::with_stones(*empty.rules(), &placed, turn).map_err(|error| error.to_string())?;
    Ok(Box::new(set_up))
}

/// The star points of so many handicap stones, in GTP's order.
#[must_use]
pub fn handicap_points(position: &dyn AnyPosition, stones: u8) -> Option<Vec<String>> {
    let go = go(position)?;
    let rules = GoRules { handicap: stones, ..*go.rules() };
    rules.check().ok()?;
    let name = |(column, row)| go.board().point(column, row).map(|point| go.show_move(GoMove::stone(point)));
    let points: Option<Vec<String>> = rules.handicap_points().into_iter().map(name).collect();
    points.filter(|points| points.len() == usize::from(stones))
}

/// Whether the side to move would fill a one-point eye of its own with this move: all neighbours are its stones, and so many of the
/// diagonal ones are not the enemy's that the eye is real (the test of light playouts).
#[must_use]
pub fn fills_own_eye(position: &dyn AnyPosition, mv: &str) -> bool {
    let Some(go) = go(position) else { return false };
    let point = go.read_move(mv).ok().and_then(|mv| mv.point());
    point.is_some_and(|point| go.board().is_eye(Position::turn(go), point))
}

/// Stones this player has taken.
#[must_use]
pub fn captured_by(position: &dyn AnyPosition, player: Player) -> Option<u32> {
    Some(go(position)?.captured_by(player))
}

/// The rules, by name: ko, suicide, scoring.
#[must_use]
pub fn rule_names(position: &dyn AnyPosition) -> Option<[String; 3]> {
    let rules = go(position)?.rules();
    Some([rules.ko.to_string(), rules.suicide.to_string(), rules.scoring.to_string()])
}

/// Who owns what, as far as playouts can tell.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// For each point of the view, row by row from the top: +1 is surely the first player's, −1 the second's.
    pub ownership: Vec<f64>,
    /// The stones that are alive, of each player.
    pub alive: [Vec<String>; 2],
    /// The stones that are dead, of each player, chain by chain.
    pub dead: [Vec<String>; 2],
    /// The result once the dead stones are taken off.
    pub outcome: Outcome,
    /// Points the winner is ahead.
    pub points: f64,
}

/// Judges a position of Go.
#[must_use]
pub fn judge(position: &dyn AnyPosition, seed: Seed) -> Option<Judgement> {
    let go = go(position)?;
    let (size, board) = (go.size(), go.board());
    let mut rng = Rng::new(seed);
    let mut owned = vec![0_i32; size * size];
    for number in 0..PLAYOUTS {
        // A fresh game from the same stones: passes before do not count, and either side may begin.
        let mut scratch = go.clone();
        let first = if number % 2 == 0 { Player::First } else { Player::Second };
        for player in [first.other(), first] {
            scratch.set_turn(player);
        }
        if scratch.has_ended() {
            break;
        }
        scratch.playout(&mut rng, &mut ());
        let end = scratch.board();
        for point in end.points() {
            let owner = end.stone_at(point).or_else(|| {
                Player::BOTH.into_iter().find(|player| end.neighbours(point).all(|n| end.stone_at(n) == Some(*player)))
            });
            let sign = match owner {
                Some(Player::First) => 1,
                Some(Player::Second) => -1,
                None => 0,
            };
            owned[end.number(point)] += sign;
        }
    }
    let share = |number: usize| f64::from(owned[number]) / f64::from(PLAYOUTS);
    let (mut alive, mut dead) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let mut left = Vec::new();
    let mut seen = vec![false; size * size];
    for point in board.points() {
        let Some(owner) = board.stone_at(point) else { continue };
        if seen[board.number(point)] {
            continue;
        }
        let chain: Vec<_> = board.chain(point).collect();
        let sign = if owner == Player::First { 1.0 } else { -1.0 };
        let kept = chain.iter().map(|stone| sign * share(board.number(*stone))).sum::<f64>() / chain.len() as f64;
        // Ownership runs from −1 to 1; a share of playouts runs from 0 to 1.
        let lives = f64::midpoint(kept, 1.0) >= ALIVE;
        for stone in chain {
            seen[board.number(stone)] = true;
            let name = go.show_move(GoMove::stone(stone));
            if lives {
                let (column, row) = board.column_row(stone);
                left.push((owner, column, row));
                alive[owner.index()].push(name);
            } else {
                dead[owner.index()].push(name);
            }
        }
    }
    let cleared = Go::with_stones(GoRules { handicap: 0, ..*go.rules() }, &left, Player::First).ok()?;
    let mut difference = go.rules().scoring.difference(cleared.board());
    if matches!(go.rules().scoring, Scoring::Territory | Scoring::VRun) {
        difference += board.prisoner_difference() + dead[1].len() as i32 - dead[0].len() as i32;
    }
    let outcome = go.rules().outcome(difference);
    let ownership = (0..size).rev().flat_map(|row| (0..size).map(move |column| (column, row)));
    let ownership = ownership.map(|(column, row)| board.point(column, row).map_or(0.0, |p| share(board.number(p))));
    let ownership = ownership.collect();
    Some(Judgement { ownership, alive, dead, outcome, points: f64::from(outcome.margin.abs()) / 2.0 })
}

/// A stone that takes dead enemy stones off, or comes nearer to it; nothing if there are none, or no safe one.
#[must_use]
pub fn cleaning_move(position: &dyn AnyPosition, seed: Seed) -> Option<String> {
    let judgement = judge(position, seed)?;
    let go = go(position)?;
    let (board, mover) = (go.board(), Position::turn(go));
    let mut best: Option<(usize, String)> = None;
    for name in &judgement.dead[mover.other().index()] {
        let stone = go_point(go, name)?;
        for liberty in board.liberties(stone) {
            let mv = GoMove::stone(liberty);
            if go.why_illegal(mv).is_some() || board.is_eye(mover, liberty) {
                continue;
            }
            let mut after = go.clone();
            Position::play(&mut after, mv);
            let taken = after.captured_by(mover) - go.captured_by(mover);
            let breath = after.board().liberties(liberty).len();
            // Rather take than approach, and never put oneself into atari for nothing.
            if taken == 0 && breath < 2 {
                continue;
            }
            let worth = taken as usize * 1000 + breath;
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, go.show_move(mv)));
            }
        }
    }
    best.map(|(_, name)| name)
}

/// The point of a name that may be occupied.
fn go_point(go: &Go, name: &str) -> Option<tesuji_games::go::Point> {
    go.board().points().find(|point| go.show_move(GoMove::stone(*point)) == name)
}
