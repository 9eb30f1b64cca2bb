//! Random games of Gomoku.
//!
//! Freestyle and standard use the random fill of `in_a_row`. Under renju Black's legal moves change
//! with every stone, so the four lines through every point are maintained as words for the length
//! of the game: a window of eleven points is then one shift, and the four table look-ups that
//! nearly always decide whether a point is forbidden also tell whether it makes five. A forbidden
//! point is set aside and another drawn; the first allowed one is uniform over the allowed ones,
//! and if none is left the game is a draw.

use super::shape::{Five, Shape, Shapes};
use super::{Gomoku, Rule, renju};
use crate::in_a_row::{Fill, LARGEST, Point, REACH, Stones};
use tesuji_core::{Outcome, Player, Rng, Trace};

impl Gomoku {
    /// A playout under a rule without forbidden points.
    #[inline]
    pub(super) fn free_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        let mut fill = Fill::new();
        fill.play::<5, 0>(&self.stones, (self.turn, 0), self.rule == Rule::Standard, rng);
        let mut turn = self.turn;
        for point in fill.moves() {
            trace.played(turn, point);
            turn = turn.other();
        }
        fill.winner.map_or(Outcome::DRAW, Outcome::won_by)
    }

    /// A playout under renju.
    pub(super) fn renju_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        let shapes = Shapes::of(Five::Exactly);
        let mut lines = Lines::new(&self.stones);
        let mut empty = [Point::new(0, 0); LARGEST * LARGEST];
        let mut count = 0;
        for point in self.stones.points() {
            empty[count] = point;
            count += usize::from(self.stones.is_empty(point));
        }
        let mut turn = self.turn;
        while count > 0 {
            // The points from `drawable` up to `count` are known to be forbidden now.
            let mut drawable = count;
            let (chosen, won) = loop {
                if drawable == 0 {
                    return Outcome::DRAW;
                }
                let chosen = rng.below(drawable as u32) as usize;
                let point = empty[chosen];
                if turn == Player::Second {
                    break (chosen, lines.white_wins(point));
                }
                let made = lines.shapes(Player::First, point, shapes);
                match renju::judge_shapes(made).unwrap_or_else(|| renju::judge(&self.stones, point)) {
                    renju::Verdict::Five => break (chosen, true),
                    renju::Verdict::Allowed => break (chosen, false),
                    renju::Verdict::Forbidden(_) => {
                        drawable -= 1;
                        empty.swap(chosen, drawable);
                    }
                }
            };
            let point = empty[chosen];
            trace.played(turn, point);
            if won {
                return Outcome::won_by(turn);
            }
            count -= 1;
            empty.swap(chosen, count);
            self.stones.put(point, turn);
            lines.put(point, turn);
            turn = turn.other();
        }
        Outcome::DRAW
    }
}

/// Every line of the board as words, one each for Black's stones, White's stones and the points off
/// the board: the point in column (in an upright line: row) k is bit 5 + k.
pub(super) struct Lines {
    words: [[u64; 3]; 6 * LARGEST],
    size: usize,
}

impl Lines {
    pub(super) fn new(stones: &Stones) -> Lines {
        let size = stones.size();
        let mut lines = Lines { words: [[0, 0, !0]; 6 * LARGEST], size };
        // A row, a column, and the diagonals that begin on the left or bottom edge, all extend from
        // `low` to the opposite edge.
        let span = |low: usize, high: usize| !(((1 << (high - low)) - 1) << (REACH + low));
        for number in 0..size {
            lines.words[number][2] = span(0, size);
            lines.words[LARGEST + number][2] = span(0, size);
            lines.words[2 * LARGEST + size + number][2] = span(number, size);
            lines.words[2 * LARGEST + size - number][2] = span(0, size - number);
            lines.words[4 * LARGEST + number][2] = span(0, number + 1);
            lines.words[4 * LARGEST + size - 1 + number][2] = span(number, size);
        }
        for (point, player) in stones.stones() {
            lines.put(point, player);
        }
        lines
    }

    /// For each of the four directions the line through a point and the point's bit in it.
    #[inline]
    fn places(&self, point: Point) -> [(usize, usize); 4] {
        let (column, row) = (point.column(), point.row());
        [
            (row, column + REACH),
            (LARGEST + column, row + REACH),
            (2 * LARGEST + self.size + column - row, column + REACH),
            (4 * LARGEST + column + row, column + REACH),
        ]
    }

    #[inline]
    pub(super) fn put(&mut self, point: Point, player: Player) {
        for (line, bit) in self.places(point) {
            self.words[line][player.index()] |= 1 << bit;
        }
    }

    /// The shapes that a player's stone on a point would make; `shapes` is the table of the
    /// player's five.
    #[inline]
    pub(super) fn shapes(&self, player: Player, point: Point, shapes: &Shapes) -> [Shape; 4] {
        let mut made = [Shape::Nothing; 4];
        for (made, (line, bit)) in made.iter_mut().zip(self.places(point)) {
            let words = &self.words[line];
            let (own, closed) = (words[player.index()], words[player.other().index()] | words[2]);
            let shift = bit - REACH;
            *made = shapes.shape(shapes.number((own >> shift) as u32, (closed >> shift) as u32));
        }
        made
    }

    /// Whether a white stone on a point makes five or more; neither player may have five yet.
    #[inline]
    fn white_wins(&self, point: Point) -> bool {
        let mut any = 0;
        for (line, bit) in self.places(point) {
            let row = self.words[line][1] | 1 << bit;
            let pairs = row & row >> 1;
            any |= pairs & pairs >> 2 & row >> 4;
        }
        any != 0
    }
}
