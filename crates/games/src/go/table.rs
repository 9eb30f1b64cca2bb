//! What protocols ask of a Go board: the side to move, komi, set-up stones, dead stones, the score,
//! records with set-ups.
//!
//! **Dead stones.** The rules never take stones off by agreement, but protocols ask which are dead.
//! The estimate runs light playouts from the position, half of them with either side to move, and
//! counts the owner of each point at the end. A chain whose points stay its owner's in fewer than 3
//! of 10 playouts is dead. This is an estimate, not a proof: it is correct where everything is
//! settled, and does not recognise seki.

use super::layout::Point;
use super::position::{Go, GoMove};
use super::rules::{GoRules, Komi, Scoring};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Judgement, Notation, Outcome, Player, Position, RecordArguments, Rng, Seed, Step, Steps, Table};

/// Playouts of an estimate.
const PLAYOUTS: u32 = 400;
/// A chain that keeps fewer of its points than this is dead.
const ALIVE: f64 = 0.3;

/// The abilities of Go at a board.
pub(super) struct GoTable;

impl Table<Go> for GoTable {
    /// Also after two passes.
    fn with_turn(&self, go: &Go, player: Player) -> Option<Go> {
        let mut go = go.clone();
        // Switching the side to move twice takes back the passes.
        if go.passes() > 0 {
            go.set_turn(go.turn().other());
        }
        go.set_turn(player);
        Some(go)
    }

    fn komi(&self, go: &Go) -> Option<f64> {
        Some(f64::from(go.rules().komi.0) / 2.0)
    }

    /// In whole or half points.
    fn with_komi(&self, go: &Go, komi: f64) -> Option<Go> {
        let halves = komi * 2.0;
        if halves.fract() != 0.0 || halves.abs() > 20_000.0 {
            return None;
        }
        let mut go = go.clone();
        go.set_komi(Komi(halves as i32));
        Some(go)
    }

    fn stones(&self, go: &Go) -> Option<[Vec<String>; 2]> {
        let board = go.board();
        Some(Player::BOTH.map(|player| {
            let points = board.points().filter(|point| board.stone_at(*point) == Some(player));
            points.map(|point| go.show_move(GoMove::stone(point))).collect()
        }))
    }

    fn with_stones(&self, go: &Go, stones: &[(Player, String)], turn: Player) -> Result<Go, String> {
        let empty = Go::with_stones(GoRules { handicap: 0, ..*go.rules() }, &[], Player::First);
        let empty = empty.map_err(|error| error.to_string())?;
        let mut placed = Vec::with_capacity(stones.len());
        for (player, text) in stones {
            let mv = empty.read_move(text).map_err(|error| error.to_string())?;
            let point = mv.point().ok_or("a pass is not a stone")?;
            let (column, row) = empty.board().column_row(point);
            placed.push((*player, column, row));
        }
        Go::with_stones(*empty.rules(), &placed, turn).map_err(|error| error.to_string())
    }

    /// The star points, in GTP's order.
    fn handicap_points(&self, go: &Go, stones: u8) -> Option<Vec<String>> {
        let rules = GoRules { handicap: stones, ..*go.rules() };
        rules.check().ok()?;
        let name = |(column, row)| go.board().point(column, row).map(|point| go.show_move(GoMove::stone(point)));
        let points: Option<Vec<String>> = rules.handicap_points().into_iter().map(name).collect();
        points.filter(|points| points.len() == usize::from(stones))
    }

    fn captured_by(&self, go: &Go, player: Player) -> Option<u32> {
        Some(go.captured_by(player))
    }

    fn rule_names(&self, go: &Go) -> Option<[String; 3]> {
        let rules = go.rules();
        Some([rules.ko.to_string(), rules.suicide.to_string(), rules.scoring.to_string()])
    }

    /// All neighbours are stones of the mover, and few enough of the diagonal ones are the
    /// opponent's that the eye is real (the test of light playouts).
    fn fills_own_eye(&self, go: &Go, mv: GoMove) -> bool {
        mv.point().is_some_and(|point| go.board().is_eye(go.turn(), point))
    }

    fn judge(&self, go: &Go, seed: Seed) -> Option<Judgement> {
        let (size, board) = (go.size(), go.board());
        let mut rng = Rng::new(seed);
        let mut owned = vec![0_i32; size * size];
        for number in 0..PLAYOUTS {
            // A fresh game from the same stones: passes before do not count, and either side may
            // begin.
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
                    Player::BOTH
                        .into_iter()
                        .find(|player| end.neighbours(point).all(|n| end.stone_at(n) == Some(*player)))
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
        let mut dead_points = Vec::new();
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
            let names = if lives { &mut alive } else { &mut dead };
            for stone in chain {
                seen[board.number(stone)] = true;
                names[owner.index()].push(go.show_move(GoMove::stone(stone)));
                if !lives {
                    dead_points.push(stone);
                }
            }
        }
        let outcome = settled(go, &dead_points)?;
        let ownership = (0..size).rev().flat_map(|row| (0..size).map(move |column| (column, row)));
        let ownership = ownership.map(|(column, row)| board.point(column, row).map_or(0.0, |p| share(board.number(p))));
        let ownership = ownership.collect();
        Some(Judgement { ownership, alive, dead, outcome, points: points_of(outcome) })
    }

    fn chain(&self, go: &Go, point: &str) -> Option<Vec<String>> {
        let point = point_named(go, point).filter(|point| go.board().stone_at(*point).is_some())?;
        Some(go.board().chain(point).map(|stone| go.show_move(GoMove::stone(stone))).collect())
    }

    fn settle(&self, go: &Go, dead: &[String]) -> Option<(Outcome, f64)> {
        let dead: Option<Vec<Point>> = dead.iter().map(|name| point_named(go, name)).collect();
        let outcome = settled(go, &dead?)?;
        Some((outcome, points_of(outcome)))
    }

    fn cleaning_move(&self, go: &Go, seed: Seed) -> Option<GoMove> {
        let judgement = self.judge(go, seed)?;
        let (board, mover) = (go.board(), go.turn());
        let mut best: Option<(usize, GoMove)> = None;
        for name in &judgement.dead[mover.other().index()] {
            for liberty in board.liberties(point_named(go, name)?) {
                let mv = GoMove::stone(liberty);
                if go.why_illegal(mv).is_some() || board.is_eye(mover, liberty) {
                    continue;
                }
                let mut after = go.clone();
                after.play(mv);
                let taken = after.captured_by(mover) - go.captured_by(mover);
                let liberties = after.board().liberties(liberty).len();
                // Capturing comes before approaching; a self-atari that captures nothing is not a
                // candidate.
                if taken == 0 && liberties < 2 {
                    continue;
                }
                let worth = taken as usize * 1000 + liberties;
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, mv));
                }
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Size, komi and rules (RU, if they are known) are the record's.
    fn record_arguments(&self, go: &Go, bytes: &[u8]) -> Result<Option<RecordArguments>, String> {
        let given = GoRules { handicap: 0, ..*go.rules() };
        let rules = Go::rules_of_sgf(bytes, given).and_then(|rules| Go::board_of_sgf(bytes, rules));
        let rules = rules.map_err(|error| error.to_string())?;
        let word = |word: String| Some(SpecValue::Spec(Spec::bare(word)));
        Ok(Some(vec![
            ("sgf", None),
            ("move", None),
            ("handicap", None),
            ("size", Some(SpecValue::Integer(rules.size as i64))),
            ("komi", Some(SpecValue::Number(f64::from(rules.komi.0) / 2.0))),
            ("ko", word(rules.ko.to_string())),
            ("suicide", word(rules.suicide.to_string())),
            ("scoring", word(rules.scoring.to_string())),
        ]))
    }

    fn read_record(&self, go: &Go, bytes: &[u8], most: Option<usize>) -> Result<Option<Steps<Go>>, String> {
        let replayed = Go::replay_sgf(bytes, *go.rules(), most).map_err(|error| error.to_string())?;
        Ok(Some(replayed.steps))
    }

    fn write_record(&self, start: &Go, steps: &[Step<GoMove, Go>]) -> Option<String> {
        Some(start.record_steps(steps).to_string())
    }
}

/// The point of a name, which may be occupied.
fn point_named(go: &Go, name: &str) -> Option<Point> {
    go.board().points().find(|point| go.show_move(GoMove::stone(*point)).eq_ignore_ascii_case(name))
}

/// The result once these stones are taken off as prisoners; nothing if one of them is not there.
fn settled(go: &Go, dead: &[Point]) -> Option<Outcome> {
    let board = go.board();
    let (mut left, mut taken) = (Vec::new(), [0_i32; 2]);
    for point in board.points() {
        let is_dead = dead.contains(&point);
        match board.stone_at(point) {
            Some(owner) if is_dead => taken[owner.index()] += 1,
            Some(owner) => {
                let (column, row) = board.column_row(point);
                left.push((owner, column, row));
            }
            None if is_dead => return None,
            None => {}
        }
    }
    let cleared = Go::with_stones(GoRules { handicap: 0, ..*go.rules() }, &left, Player::First).ok()?;
    let mut difference = go.rules().scoring.difference(cleared.board());
    if matches!(go.rules().scoring, Scoring::Territory | Scoring::VRun) {
        difference += board.prisoner_difference() + taken[1] - taken[0];
    }
    Some(go.rules().outcome(difference))
}

/// The points that the winner is ahead; margins count half points.
fn points_of(outcome: Outcome) -> f64 {
    f64::from(outcome.margin.abs()) / 2.0
}
