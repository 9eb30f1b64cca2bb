//! Knowledge of Go beyond its rules: area estimated by influence, and a move preference.
//!
//! **Evaluation.** Every stone counts for its owner, except stones in atari: they count as lost
//! with the opponent to move, as half with their owner to move. From the remaining stones both
//! colours spread over the empty points in lockstep; a point that only one colour reaches, in 1, 2,
//! 3 or 4 steps, counts 16, 14, 10 or 6 sixteenths of a point for it, a point that both reach in
//! the same step counts nothing. One pass, O(points). The sum minus the komi is the lead, and
//!
//! > evaluation = 8,000 · lead / points of the board
//!
//! with odds of e to 1 for a lead of one line (9 points on 9×9). All scoring rules are evaluated by
//! area. Dead stones that are not in atari count as alive.
//!
//! **Preference.** A product of factors for a stone: capturing a chain of n stones 10 + 2n; giving
//! a chain of n stones in atari more liberties 5 + 2n; putting an enemy chain into atari 1.5;
//! self-atari 0.1 for one stone, less for more; filling an own eye 0.001; touching a stone 2;
//! diagonally next to a stone 1.5; otherwise 0.3 on the first line and 0.7 on the second. A pass
//! weighs 0.01, but 10 if it ends a won game. The weights are hand-made and ignore the last move;
//! learned ones, which answer it, are in `patterns/`.
//!
//! **Immediate wins.** Only a second pass, or the last move that the rules allow, ends a game;
//! [`winning_move`](Studied::winning_move) considers no others. A pass cannot be prevented, so
//! there are no saving moves, and the decisive playout is the ordinary one, except for a winning
//! pass at its beginning.

use super::board::Board;
use super::encoding::GoPlanes;
use super::layout::{COLOUR, EMPTY, Point, SLOTS, stone};
use super::patterns::{GoFeatures, GoPatterns};
use super::position::{Go, GoMove};
use super::rules::{PassRule, Scoring, SuicideRule};
use super::table::GoTable;
use std::ops::RangeInclusive;
use tesuji_core::{
    Character, EVALUATION_LIMIT, Encoding, Evaluation, FeatureSet, MoveFeatures, Outcome, Patterns, Player, Position,
    Preference, Rng, Stones, StonesOf, Studied, Table, Trace,
};

/// Sizes on which the learned player is the strongest.
const LEARNED: RangeInclusive<usize> = 7..=13;
/// Komi that the network knows, in half points; it learned 7.5.
const LEARNED_KOMI: RangeInclusive<i32> = 10..=19;

impl Studied for Go {
    const CHARACTER: Character = Character { moves_commute: true, ..Character::PLAIN };

    /// The network that learned 9×9 beats Monte-Carlo search on boards of about that size, by the
    /// rules that it learned (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        let rules = self.rules();
        let learned = LEARNED.contains(&rules.size)
            && LEARNED_KOMI.contains(&rules.komi.0)
            && rules.scoring == Scoring::Area
            && rules.suicide == SuicideRule::Forbidden
            && rules.passes == PassRule::End;
        if learned { "zero" } else { "mcts" }
    }

    fn table(&self) -> &'static dyn Table<Go> {
        &GoTable
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Go>>> {
        Some(Box::new(Influence { size: self.size() }))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Go>>> {
        Some(Box::new(LibertyPreference))
    }

    fn features(&self, set: FeatureSet) -> Option<Box<dyn MoveFeatures<Go>>> {
        Some(Box::new(GoFeatures(set)))
    }

    fn patterns(&self) -> Option<Box<dyn Patterns<Go>>> {
        Some(Box::new(GoPatterns::of(self)?))
    }

    fn encoding(&self) -> Option<Box<dyn Encoding<Go>>> {
        Some(Box::new(GoPlanes::of(self)))
    }

    fn stone_board(&self) -> Option<&'static dyn Stones<Go>> {
        Some(&StonesOf { game: "go", mirrors: false, margins: true })
    }

    fn is_pass(&self, mv: GoMove) -> bool {
        mv == GoMove::PASS
    }

    fn winning_move(&self) -> Option<GoMove> {
        if self.has_ended() {
            return None;
        }
        let wins = |mv: &GoMove| {
            let mut next = self.clone();
            next.play(*mv);
            next.outcome().is_some_and(|outcome| outcome.winner() == Some(self.turn()))
        };
        if self.moves_left() <= 1 {
            return self.moves().into_iter().find(wins);
        }
        let pass = self.passes() > 0 && self.score_now().winner() == Some(self.turn());
        // Under Hawk's rules a second pass does not always end the game.
        (pass && (self.rules().passes == PassRule::End || wins(&GoMove::PASS))).then_some(GoMove::PASS)
    }

    fn saving_move(&self, _: &mut Rng) -> Option<GoMove> {
        None
    }

    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(mv) = self.winning_move() {
            trace.played(self.turn(), mv);
            self.play(mv);
        }
        self.playout(rng, trace)
    }
}

/// The evaluation of Go. See the head of this file.
#[derive(Clone, Copy, Debug)]
pub struct Influence {
    /// Number of lines of the board.
    size: usize,
}

/// Sixteenths of a point, by steps from the nearest stone.
const SHARES: [i32; 5] = [16, 16, 14, 10, 6];

impl Evaluation<Go> for Influence {
    fn evaluate(&self, position: &Go) -> i32 {
        let board = position.board();
        let lead = area_sixteenths(board, position.turn()) - 8 * position.rules().komi.0;
        let value = 8_000 * i64::from(lead) / (16 * board.area() as i64);
        value.clamp(i64::from(1 - EVALUATION_LIMIT), i64::from(EVALUATION_LIMIT - 1)) as i32
    }

    /// Fitted roughly to games in which both sides sampled moves by preference (1,250 on 9×9), and
    /// reduced for stronger play.
    fn scale(&self) -> f64 {
        8_000.0 / self.size as f64
    }
}

/// Black's lead in area, in sixteenths of a point.
fn area_sixteenths(board: &Board, turn: Player) -> i32 {
    const BLACK: u8 = 1;
    const WHITE: u8 = 2;
    let stride = board.size() + 1;
    let mut lead = 0;
    // The colours that have reached a point, in earlier steps and in this one.
    let mut reached = [0_u8; SLOTS];
    let mut layer = [0_u16; SLOTS];
    let mut count = 0;
    for point in board.points() {
        let index = point.index();
        let label = board.slots[index].label;
        let (owner, mark, sign) = match label & COLOUR {
            colour if colour == stone(0) => (Player::First, BLACK, 1),
            colour if colour == stone(1) => (Player::Second, WHITE, -1),
            _ => continue,
        };
        reached[index] = BLACK | WHITE;
        if board.last_liberty(point).is_some() {
            lead -= if owner == turn { 0 } else { SHARES[0] * sign };
            if owner != turn {
                continue;
            }
        } else {
            lead += SHARES[0] * sign;
        }
        reached[index] = mark;
        layer[count] = index as u16;
        count += 1;
    }
    let mut start = 0;
    for share in &SHARES[1..] {
        let end = count;
        let mut fresh = [0_u8; SLOTS];
        for place in start..end {
            let from = usize::from(layer[place]);
            let mark = reached[from];
            for next in [from - stride, from - 1, from + 1, from + stride] {
                if board.slots[next].label & EMPTY != 0 && reached[next] == 0 {
                    if fresh[next] == 0 {
                        layer[count] = next as u16;
                        count += 1;
                    }
                    fresh[next] |= mark;
                }
            }
        }
        for &index in &layer[end..count] {
            let index = usize::from(index);
            reached[index] = fresh[index];
            lead += match fresh[index] {
                BLACK => *share,
                WHITE => -share,
                _ => 0,
            };
        }
        start = end;
    }
    lead
}

/// The preference of Go. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct LibertyPreference;

impl Preference<Go> for LibertyPreference {
    fn weigh(&self, position: &Go, moves: &[GoMove], weights: &mut Vec<f64>) {
        weights.clear();
        weights.extend(moves.iter().map(|mv| match mv.point() {
            Some(point) => weigh_stone(position.board(), position.turn(), point),
            None if position.passes() > 0 && position.score_now().winner() == Some(position.turn()) => 10.0,
            None => 0.01,
        }));
    }
}

fn weigh_stone(board: &Board, mover: Player, point: Point) -> f64 {
    if board.is_eye(mover, point) {
        return 0.001;
    }
    let index = point.index();
    let stride = board.size() + 1;
    let beside = [index - stride, index - 1, index + 1, index + stride].map(|n| Point(n as u16));
    let (mut weight, mut taken, mut saved, mut threatens) = (1.0, 0, 0, false);
    let (mut free, mut touches, mut friends, mut safe_friend) = (0, false, 0, false);
    for (number, &next) in beside.iter().enumerate() {
        if board.is_empty(next) {
            free += 1;
            continue;
        }
        let Some(owner) = board.stone_at(next) else { continue };
        touches = true;
        // Count each chain once.
        let known = beside[..number].iter().any(|other| board.same_chain(*other, next));
        if known {
            continue;
        }
        let stones = board.chain_size(next);
        match (owner == mover, board.last_liberty(next)) {
            (false, Some(_)) => taken += stones,
            (false, None) => threatens |= has_two_liberties(board, next),
            (true, Some(_)) => {
                saved += stones;
                friends += stones;
            }
            (true, None) => {
                friends += stones;
                safe_friend |= !has_two_liberties(board, next);
            }
        }
    }
    // One liberty at most: no capture, no friendly chain with three liberties or more, no empty
    // space.
    let self_atari = taken == 0 && !safe_friend && free <= 1 && board.liberties_after(mover, point) <= 1;
    if self_atari {
        return 0.1 / (1 + friends) as f64;
    }
    if taken > 0 {
        weight *= (10 + 2 * taken) as f64;
    }
    if saved > 0 {
        weight *= (5 + 2 * saved) as f64;
    }
    if threatens {
        weight *= 1.5;
    }
    if touches {
        return 2.0 * weight;
    }
    let diagonal = [index - stride - 1, index + 1 - stride, index + stride - 1, index + stride + 1];
    if diagonal.into_iter().any(|n| board.stone_at(Point(n as u16)).is_some()) {
        return 1.5 * weight;
    }
    let (column, row) = board.column_row(point);
    let line = column.min(row).min(board.size() - 1 - column).min(board.size() - 1 - row);
    match line {
        0 => 0.3 * weight,
        1 => 0.7 * weight,
        _ => weight,
    }
}

/// Whether the chain has exactly two liberties. Stops at the third.
pub(super) fn has_two_liberties(board: &Board, at: Point) -> bool {
    let (mut first, mut second) = (Point::NONE, Point::NONE);
    for stone in board.chain(at) {
        for next in board.neighbours(stone).filter(|next| board.is_empty(*next)) {
            if first == Point::NONE || first == next {
                first = next;
            } else if second == Point::NONE || second == next {
                second = next;
            } else {
                return false;
            }
        }
    }
    second != Point::NONE
}
