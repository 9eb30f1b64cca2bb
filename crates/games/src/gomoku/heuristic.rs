//! Knowledge of Gomoku beyond its rules: immediate wins, an evaluation by open windows, a
//! preference by shapes.
//!
//! **Immediate wins** and decisive playouts are those of `in_a_row/hot_windows.rs`. Under renju a
//! five of Black is never forbidden, so Black's wins count; a point that stops White may be
//! forbidden to Black, and then it is not a saving move.
//!
//! **Evaluation.** With o(k) the windows of five points that hold k stones of a player and none of
//! the opponent's (and, where only exactly five wins, no own stone right next to them),
//!
//! > value = Σ w(k)·o(k),   w = 1, 6, 30, 90 for k = 1 … 4,
//! >         and w(3)·3/2 for the side to move
//!
//! and the evaluation is the value of Black minus that of White. If the side to move has a window
//! of four it wins; if not and the opponent has two points to complete, it loses: ±9,000 and
//! ±8,000, beyond all other evaluations.
//!
//! **Preference.** A move weighs 1 plus the sum, over its four lines, of the value of its shape to
//! the mover and of the shape that it takes from the opponent, with a bonus for two strong lines at
//! once.
//!
//! All weights are hand-made. Double threats that need a search are left to it.

use super::patterns::{GomokuFeatures, GomokuPatterns};
use super::playout::Lines;
use super::shape::{Shape, Shapes};
use super::{Ended, Five, FoursCertifier, Gomoku, GomokuPlanes, Rule, renju, solvers};
use crate::in_a_row::{HotWindows, Point, Referee, Stones, decisive_game, open_windows};
use tesuji_core::solver::Solver;
use tesuji_core::{
    Certifier, Character, Encoding, Evaluation, FeatureSet, MoveFeatures, Outcome, Patterns, Player, Position,
    Preference, Rng, Studied, Trace,
};

/// Whether a player's fives must be exact.
fn exact(rule: Rule) -> [bool; 2] {
    Player::BOTH.map(|player| rule.five(player) == Five::Exactly)
}

/// Reports the moves of a decisive game to a trace, and applies renju's restrictions.
struct TraceReferee<'a, T> {
    trace: &'a mut T,
    renju: bool,
}

impl<T: Trace<Gomoku>> Referee for TraceReferee<'_, T> {
    #[inline]
    fn allows(&self, stones: &Stones, player: Player, point: Point) -> bool {
        !self.renju || player == Player::Second || !matches!(renju::judge(stones, point), renju::Verdict::Forbidden(_))
    }

    #[inline]
    fn played(&mut self, player: Player, point: Point) {
        self.trace.played(player, point);
    }
}

impl Studied for Gomoku {
    const SOLVERS: &'static [Solver<Gomoku>] = solvers::SOLVERS;
    const CHARACTER: Character = Character { moves_commute: true, ends_suddenly: true, never_repeats: true };

    /// Alpha-beta with the evaluation beats Monte-Carlo search (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        "alpha-beta"
    }

    fn certifier(&self) -> Option<Box<dyn Certifier<Gomoku>>> {
        Some(Box::new(FoursCertifier))
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Gomoku>>> {
        Some(Box::new(WindowEvaluation))
    }

    fn encoding(&self) -> Option<Box<dyn Encoding<Gomoku>>> {
        Some(Box::new(GomokuPlanes::of(self)))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Gomoku>>> {
        Some(Box::new(ShapePreference))
    }

    fn features(&self, set: FeatureSet) -> Option<Box<dyn MoveFeatures<Gomoku>>> {
        Some(Box::new(GomokuFeatures(set)))
    }

    fn patterns(&self) -> Option<Box<dyn Patterns<Gomoku>>> {
        Some(Box::new(GomokuPatterns::of(self)?))
    }

    fn winning_move(&self) -> Option<Point> {
        if self.ended != Ended::No {
            return None;
        }
        let mut hot_windows = HotWindows::<5, 1>::new(&self.stones, exact(self.rule));
        hot_windows.winning(self.turn, 1).map(|(point, _)| point)
    }

    fn saving_move(&self, rng: &mut Rng) -> Option<Point> {
        if self.ended != Ended::No {
            return None;
        }
        let mut hot_windows = HotWindows::<5, 1>::new(&self.stones, exact(self.rule));
        hot_windows.saving(self.turn, rng, |point| self.is_legal(point))
    }

    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        // Two copies, so that the free rules do not pay for renju's restrictions.
        let (turn, exact) = ((self.turn, 1), exact(self.rule));
        let winner = if self.rule == Rule::Renju {
            decisive_game::<5, 1>(&mut self.stones, turn, exact, rng, &mut TraceReferee { trace, renju: true })
        } else {
            decisive_game::<5, 1>(&mut self.stones, turn, exact, rng, &mut TraceReferee { trace, renju: false })
        };
        winner.map_or(Outcome::DRAW, Outcome::won_by)
    }
}

/// The evaluation of Gomoku: open windows. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct WindowEvaluation;

/// The value of a window by the stones it holds.
const WORTH: [i32; 5] = [0, 1, 6, 30, 90];
const WON: i32 = 9_000;
const LOST: i32 = 8_000;
const MOST: i32 = 6_000;

impl Evaluation<Gomoku> for WindowEvaluation {
    fn evaluate(&self, position: &Gomoku) -> i32 {
        let open = open_windows::<5>(&position.stones, exact(position.rule));
        let (mover, waiter) = (position.turn, position.turn.other());
        let for_first = |player: Player, value: i32| if player == Player::First { value } else { -value };
        if open[mover.index()][4] > 0 {
            return for_first(mover, WON);
        }
        if open[waiter.index()][4] > 1 {
            let mut hot_windows = HotWindows::<5, 1>::new(&position.stones, exact(position.rule));
            if hot_windows.has_two_points(waiter) {
                return for_first(waiter, LOST);
            }
        }
        let worth = |player: Player| {
            let open = &open[player.index()];
            let sum: i32 = (1..5).map(|count| WORTH[count] * open[count] as i32).sum();
            sum + if player == mover { WORTH[3] / 2 * open[3] as i32 } else { 0 }
        };
        (worth(Player::First) - worth(Player::Second)).clamp(-MOST, MOST)
    }

    /// Fitted roughly to games in which both sides sampled moves by preference.
    fn scale(&self) -> f64 {
        150.0
    }
}

/// The preference of Gomoku: shapes made and taken. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShapePreference;

/// The value of a shape for the side that makes it, and for the side that takes it from the
/// opponent.
const MADE: [f64; Shape::COUNT] = [0.0, 0.0, 0.3, 0.6, 1.5, 4.0, 8.0, 60.0, 120.0, 2e4, 2e4, 1e7];
const TAKEN: [f64; Shape::COUNT] = [0.0, 0.0, 0.2, 0.4, 0.8, 2.0, 4.0, 25.0, 40.0, 4e3, 4e3, 4e5];
/// A four and another strong line through one point, and two open threes: made and taken.
const FOUR_AND_MORE: [f64; 2] = [1e4, 2e3];
const TWO_THREES: [f64; 2] = [1e3, 3e2];

/// The value of four shapes at one point; `side` is 0 for the mover's, 1 for the opponent's.
fn worth(shapes: [Shape; 4], side: usize) -> f64 {
    let table = if side == 0 { &MADE } else { &TAKEN };
    let (mut sum, mut fours, mut threes) = (0.0, 0, 0);
    for shape in shapes {
        sum += table[shape as usize];
        fours += u32::from(shape >= Shape::Four);
        threes += u32::from(shape == Shape::OpenThree);
    }
    match (fours, threes) {
        (1, 1..) | (2.., _) => sum + FOUR_AND_MORE[side],
        (0, 2..) => sum + TWO_THREES[side],
        _ => sum,
    }
}

impl Preference<Gomoku> for ShapePreference {
    fn weigh(&self, position: &Gomoku, moves: &[Point], weights: &mut Vec<f64>) {
        let lines = Lines::new(&position.stones);
        let mover = position.turn;
        let tables = [mover, mover.other()].map(|player| (player, Shapes::of(position.rule.five(player))));
        weights.clear();
        weights.extend(moves.iter().map(|&point| {
            let [made, taken] = tables.map(|(player, table)| lines.shapes(player, point, table));
            1.0 + worth(made, 0) + worth(taken, 1)
        }));
    }
}
