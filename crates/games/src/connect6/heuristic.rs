//! Knowledge of Connect6 beyond its rules: wins in the turn, an evaluation and a preference by open
//! windows.
//!
//! **Immediate wins** and decisive playouts are those of `in_a_row/hot_windows.rs`: a window of six
//! with at most as many empty points as stones are left in the turn is a win. So
//! [`winning_move`](Studied::winning_move) may be the first of two stones, if the second wins after
//! it in the same turn; and a saving move lies in a window that the opponent fills in the next
//! turn.
//!
//! **Evaluation.** With o(k) the windows of six points that hold k stones of a player and none of
//! the opponent's,
//!
//! > worth = Σ w(k)·o(k),   w = 1, 5, 15, 60, 80 for k = 1 … 5
//!
//! and the evaluation is the value of Black minus that of White, with a third more for the side to
//! move from three stones on. If the side to move can complete a window in this turn, it wins:
//! ±9,000.
//!
//! **Preference.** A point weighs 1 plus the sum of the values of the windows through it: for
//! filling a window open to the mover, for blocking one open to the opponent.
//!
//! All weights are hand-made.

use super::{Connect6, Connect6Planes, Ended, LINE, ThreatsCertifier, solvers};
use crate::in_a_row::{HotWindows, Point, Referee, Stones, decisive_game, open_windows};
use tesuji_core::solver::Solver;
use tesuji_core::{
    Certifier, Character, Encoding, Evaluation, Outcome, Player, Position, Preference, Rng, Studied, Trace,
};

/// Reports the moves of a decisive game to a trace.
struct TraceReferee<'a, T>(&'a mut T);

impl<T: Trace<Connect6>> Referee for TraceReferee<'_, T> {
    #[inline]
    fn allows(&self, _: &Stones, _: Player, _: Point) -> bool {
        true
    }

    #[inline]
    fn played(&mut self, player: Player, point: Point) {
        self.0.played(player, point);
    }
}

impl Studied for Connect6 {
    const SOLVERS: &'static [Solver<Connect6>] = solvers::SOLVERS;
    const CHARACTER: Character = Character { moves_commute: true, ends_suddenly: true, never_repeats: true };

    /// Alpha-beta with the evaluation beats Monte-Carlo search (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        "alpha-beta"
    }

    fn certifier(&self) -> Option<Box<dyn Certifier<Connect6>>> {
        Some(Box::new(ThreatsCertifier))
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Connect6>>> {
        Some(Box::new(WindowEvaluation))
    }

    fn encoding(&self) -> Option<Box<dyn Encoding<Connect6>>> {
        Some(Box::new(Connect6Planes::of(self)))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Connect6>>> {
        Some(Box::new(WindowPreference))
    }

    /// Also the first of two stones that win together.
    fn winning_move(&self) -> Option<Point> {
        if self.ended != Ended::No {
            return None;
        }
        let mut hot_windows = HotWindows::<6, 2>::new(&self.stones, [false; 2]);
        hot_windows.winning(self.turn, self.stones_left()).map(|(point, _)| point)
    }

    fn saving_move(&self, rng: &mut Rng) -> Option<Point> {
        if self.ended != Ended::No {
            return None;
        }
        HotWindows::<6, 2>::new(&self.stones, [false; 2]).saving(self.turn, rng, |_| true)
    }

    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let turn = (self.turn, self.stones_left());
        let winner = decisive_game::<6, 2>(&mut self.stones, turn, [false; 2], rng, &mut TraceReferee(trace));
        winner.map_or(Outcome::DRAW, Outcome::won_by)
    }
}

/// The evaluation of Connect6: open windows. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct WindowEvaluation;

/// The value of a window by the stones it holds.
const WORTH: [i32; 6] = [0, 1, 5, 15, 60, 80];
const WON: i32 = 9_000;
const MOST: i32 = 8_000;

impl Evaluation<Connect6> for WindowEvaluation {
    fn evaluate(&self, position: &Connect6) -> i32 {
        let open = open_windows::<LINE>(&position.stones, [false; 2]);
        let mover = position.turn;
        if open[mover.index()][LINE - position.stones_left()..LINE].iter().any(|count| *count > 0) {
            return if mover == Player::First { WON } else { -WON };
        }
        let worth = |player: Player| {
            let value = |count: usize| WORTH[count] * open[player.index()][count] as i32;
            let strong: i32 = (3..LINE).map(value).sum();
            value(1) + value(2) + strong + if player == mover { strong / 3 } else { 0 }
        };
        (worth(Player::First) - worth(Player::Second)).clamp(-MOST, MOST)
    }

    /// Fitted roughly to games in which both sides sampled moves by preference (450), and reduced
    /// for stronger play.
    fn scale(&self) -> f64 {
        300.0
    }
}

/// The preference of Connect6: windows filled and blocked. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct WindowPreference;

/// The value of one more stone in a window, by the stones it holds: own ones, opposing ones to
/// block.
const FILLED: [f64; LINE] = [0.02, 0.1, 0.6, 4.0, 40.0, 60.0];
const STOPPED: [f64; LINE] = [0.01, 0.06, 0.4, 3.0, 2e3, 3e3];
/// Filling a window that wins in this turn.
const WINS: f64 = 1e6;

impl Preference<Connect6> for WindowPreference {
    fn weigh(&self, position: &Connect6, moves: &[Point], weights: &mut Vec<f64>) {
        let left = position.stones_left();
        let me = position.turn.index();
        // By own and opposing stones of a window.
        let mut worth = [[0.0; LINE + 1]; LINE + 1];
        for count in 0..LINE {
            worth[count][0] = if count + left >= LINE { WINS } else { FILLED[count] };
            worth[0][count] += STOPPED[count];
        }
        // A stone that wins alone precedes the first of two.
        worth[LINE - 1][0] *= 10.0;
        let hot_windows = HotWindows::<6, 2>::new(&position.stones, [false; 2]);
        let sums = hot_windows.sum_over_windows(me, &worth);
        weights.clear();
        weights.extend(moves.iter().map(|point| 1.0 + sums[position.stones.index(*point)]));
    }
}

#[cfg(test)]
mod tests {
    use super::{Connect6, Evaluation, Position, WindowEvaluation};
    use crate::in_a_row::Stones;
    use tesuji_core::{Rng, Seed};

    #[test]
    fn exchanging_the_colours_changes_the_sign() {
        let mut rng = Rng::new(Seed(2));
        for size in [6, 9, 19] {
            for _ in 0..5 {
                let mut position = Connect6::new(size).expect("a board");
                while let Some(mv) = position.random_move(&mut rng) {
                    let mut turned = position;
                    turned.stones = Stones::new(size);
                    turned.turn = position.turn.other();
                    position.stones.stones().for_each(|(point, owner)| turned.stones.put(point, owner.other()));
                    assert_eq!(
                        WindowEvaluation.evaluate(&position),
                        -WindowEvaluation.evaluate(&turned),
                        "{position:?}"
                    );
                    position.play(mv);
                }
            }
        }
    }
}
