//! Knowledge of m,n,k-games beyond their rules: immediate wins.
//!
//! A point completes a row of k along a direction if j own stones end right before it and k − 1 − j
//! begin right behind it. With L(j) the points that have at least j own stones in a row before
//! them, R(j) behind them:
//!
//! > completing = L(0)R(k−1) | L(1)R(k−2) | … | L(k−1)R(0)
//!
//! for all points at once; the empty column of the bitboard separates the rows.

use super::{Ended, Mnk, Point};
use tesuji_core::{Character, Outcome, Player, Position, Rng, Studied, Trace};

/// Boards of up to this number of points are small: at most 3⁹ positions.
const SMALL: u32 = 9;
/// The longest row.
const LONGEST: usize = 64;

impl Mnk {
    /// The empty points on which `player` completes a row.
    fn completing(&self, player: Player) -> u128 {
        let own = self.stones[player.index()];
        let length = usize::from(self.line);
        if own.count_ones() as usize + 1 < length {
            return 0;
        }
        let stride = u32::from(self.columns) + 1;
        let mut found = 0;
        for step in [1, stride, stride + 1, stride - 1] {
            let mut before = [u128::MAX; LONGEST];
            let mut shifted = own;
            for count in 1..length {
                shifted <<= step;
                before[count] = before[count - 1] & shifted;
            }
            let mut behind = u128::MAX;
            shifted = own;
            for count in 0..length {
                found |= before[length - 1 - count] & behind;
                shifted >>= step;
                behind &= shifted;
            }
        }
        found & self.empty()
    }

    /// One of these points, drawn uniformly; there must be one.
    fn draw_from(set: u128, rng: &mut Rng) -> Point {
        let mut set = set;
        for _ in 0..rng.below(set.count_ones()) {
            set &= set - 1;
        }
        Point(set.trailing_zeros() as u8)
    }
}

impl Studied for Mnk {
    const CHARACTER: Character = Character { ends_suddenly: true, never_repeats: true, ..Character::PLAIN };

    /// The exact solution where it takes milliseconds; else Monte-Carlo search, whose averages are
    /// more informative than a look-ahead without evaluation, with all-moves-as-first: a good point
    /// stays good (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        if u32::from(self.columns) * u32::from(self.rows) <= SMALL { "oracle" } else { "mcts(select=rave)" }
    }

    fn winning_move(&self) -> Option<Point> {
        let points = if self.ended == Ended::No { self.completing(self.turn) } else { 0 };
        (points != 0).then(|| Point(points.trailing_zeros() as u8))
    }

    fn saving_move(&self, rng: &mut Rng) -> Option<Point> {
        let points = if self.ended == Ended::No { self.completing(self.turn.other()) } else { 0 };
        (points != 0).then(|| Mnk::draw_from(points, rng))
    }

    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        loop {
            let empty = self.empty();
            if empty == 0 {
                return Outcome::DRAW;
            }
            if let Some(point) = self.winning_move() {
                trace.played(self.turn, point);
                return Outcome::won_by(self.turn);
            }
            let point = self.saving_move(rng).unwrap_or_else(|| Mnk::draw_from(empty, rng));
            trace.played(self.turn, point);
            // No row is completed here, so the end need not be tested.
            self.stones[self.turn.index()] |= 1 << point.0;
            self.turn = self.turn.other();
        }
    }
}
