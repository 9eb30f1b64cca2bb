//! The shapes of every empty point for both players, updated move by move.
//!
//! For each point, direction and player the number of the line around it (see [`Shape`]) is a sum
//! of powers of three, one for each of its ten points; a stone adds to the lines of the at most
//! forty points in its reach, and taking it back subtracts. Tables map the numbers to the four
//! shapes of a point and the best of them, and counters hold the number of points by best shape: so
//! the points that make a five or a four are known at once.
//!
//! The rules and the random playouts do not use this; a search keeps one beside a position:
//!
//! ```
//! use tesuji_core::{Notation, Player, Position};
//! use tesuji_games::gomoku::{Gomoku, Rule, Shape, Threats};
//!
//! let mut position = Gomoku::new(15, Rule::Freestyle)?;
//! let mut threats = Threats::new(&position);
//! for text in ["h8", "a1", "i8", "a3", "j8", "a5"] {
//!     let (point, player) = (position.read_move(text)?, position.turn());
//!     position.play(point);
//!     threats.play(point, player);
//! }
//! // Black makes a straight four on g8 or k8.
//! let points: Vec<String> =
//!     threats.points(Player::First, Shape::OpenFour).map(|mv| position.show_move(mv)).collect();
//! assert_eq!(points, ["g8", "k8"]);
//! assert_eq!(threats.count(Player::First, Shape::Five), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Shapes are properties of single lines. Under renju a point that is forbidden to Black keeps its
//! shapes; [`Gomoku::forbidden`] decides about the point itself.

use super::shape::{Shape, Shapes, WEIGHTS};
use super::{Gomoku, Rule, renju};
use crate::in_a_row::{DIRECTIONS, Point, REACH, Stones};
use tesuji_core::Player;

/// The shapes that either player would make on every empty point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threats {
    stones: Stones,
    rule: Rule,
    cells: Vec<Cell>,
    /// By player: the number of empty points by best shape.
    counts: [[u32; Shape::COUNT]; 2],
}

/// The lines of a point for both players; half a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    lines: [[u16; 4]; 2],
    /// `Nothing` for points with a stone.
    shapes: [[Shape; 4]; 2],
    best: [Shape; 2],
    empty: bool,
}

impl Threats {
    /// The shapes of a position, computed from scratch.
    #[must_use]
    pub fn new(position: &Gomoku) -> Threats {
        let stones = position.stones;
        let tables = Player::BOTH.map(|player| Shapes::of(position.rule.five(player)));
        let cell = |point: Point| {
            let inside = stones.inside(point);
            let windows = Player::BOTH.map(|player| stones.windows(point, player));
            let lines = [0, 1].map(|me: usize| {
                std::array::from_fn(|line| tables[me].number(windows[me][line], windows[1 - me][line] | !inside[line]))
            });
            Cell { lines, shapes: [[Shape::Nothing; 4]; 2], best: [Shape::Nothing; 2], empty: false }
        };
        let cells = stones.points().map(cell).collect();
        let mut threats = Threats { stones, rule: position.rule, cells, counts: [[0; Shape::COUNT]; 2] };
        for point in stones.points().filter(|point| stones.is_empty(*point)) {
            threats.show(stones.index(point));
        }
        threats
    }

    /// Adds a player's stone on an empty point.
    pub fn play(&mut self, point: Point, player: Player) {
        self.stones.put(point, player);
        self.hide(self.stones.index(point));
        self.change(point, player, false);
    }

    /// Removes the player's stone from this point.
    pub fn undo(&mut self, point: Point, player: Player) {
        self.change(point, player, true);
        self.stones.remove(point, player);
        self.show(self.stones.index(point));
    }

    /// Updates to another position of the same board and rule, stone by stone; cheap if few stones
    /// differ.
    pub fn follow(&mut self, position: &Gomoku) {
        if self.rule != position.rule || self.stones.size() != position.stones.size() {
            *self = Threats::new(position);
            return;
        }
        let before = self.stones;
        for (point, player) in before.beyond(&position.stones) {
            self.undo(point, player);
        }
        for (point, player) in position.stones.beyond(&before) {
            self.play(point, player);
        }
    }

    /// Whether a player may play on an empty point, and whether that decision needed more than its
    /// four lines.
    pub(super) fn may_play(&self, player: Player, point: Point) -> (bool, bool) {
        if !self.is_restricted(player) {
            return (true, false);
        }
        let allowed = |verdict| !matches!(verdict, renju::Verdict::Forbidden(_));
        match renju::judge_shapes(self.shapes(player, point)) {
            Some(verdict) => (allowed(verdict), false),
            None => (allowed(renju::judge(&self.stones, point)), true),
        }
    }

    /// Whether some points may be forbidden to a player.
    pub(super) fn is_restricted(&self, player: Player) -> bool {
        self.rule == Rule::Renju && player == Player::First
    }

    /// The stones.
    pub(super) fn stones(&self) -> &Stones {
        &self.stones
    }

    /// Appends the empty points where the player makes at least this shape.
    pub(super) fn collect(&self, player: Player, least: Shape, points: &mut Vec<Point>) {
        let mut left: u32 = self.counts[player.index()][least as usize..].iter().sum();
        for (index, cell) in self.cells.iter().enumerate() {
            if left == 0 {
                break;
            }
            // Stones have the shape Nothing, which is never queried.
            if cell.best[player.index()] >= least {
                points.extend(self.stones.at(index));
                left -= 1;
            }
        }
    }

    /// Adds or removes a stone of `player` in the lines of the points around it.
    fn change(&mut self, point: Point, player: Player, leaves: bool) {
        let size = self.stones.size();
        let index = self.stones.index(point);
        let tables = Player::BOTH.map(|player| Shapes::of(self.rule.five(player)));
        let kinds = Player::BOTH.map(|owner| if owner == player { 1_u16 } else { 2 });
        let Threats { cells, counts, .. } = self;
        let mut see = |index: usize, line: usize, weight: u16| {
            let cell = &mut cells[index];
            for owner in 0..2 {
                let weight = weight * kinds[owner];
                let number = &mut cell.lines[owner][line];
                *number = if leaves { number.wrapping_sub(weight) } else { number.wrapping_add(weight) };
                if cell.empty {
                    let shape = tables[owner].shape(*number);
                    if shape != cell.shapes[owner][line] {
                        cell.shapes[owner][line] = shape;
                        let best = best(cell.shapes[owner]);
                        counts[owner][cell.best[owner] as usize] -= 1;
                        counts[owner][best as usize] += 1;
                        cell.best[owner] = best;
                    }
                }
            }
        };
        let last = size - 1;
        let (left, right) = (point.column(), last - point.column());
        let (down, up) = (point.row(), last - point.row());
        let spans = [(left, right), (down, up), (left.min(down), right.min(up)), (left.min(up), right.min(down))];
        for (line, ((back, ahead), (columns, rows))) in spans.into_iter().zip(DIRECTIONS).enumerate() {
            let stride = (columns + rows * size as isize) as usize;
            // From there, the stone lies in the opposite direction.
            for steps in 1..=ahead.min(REACH) {
                see(index.wrapping_add(stride.wrapping_mul(steps)), line, WEIGHTS[REACH - steps]);
            }
            for steps in 1..=back.min(REACH) {
                see(index.wrapping_sub(stride.wrapping_mul(steps)), line, WEIGHTS[REACH + steps]);
            }
        }
    }

    /// The shape that a player's stone on this point would make of each line: right, up, up and
    /// right, down and right. `Nothing` where a stone stands.
    #[must_use]
    pub fn shapes(&self, player: Player, point: Point) -> [Shape; 4] {
        self.cells[self.stones.index(point)].shapes[player.index()]
    }

    /// The best of them.
    #[must_use]
    pub fn best(&self, player: Player, point: Point) -> Shape {
        self.cells[self.stones.index(point)].best[player.index()]
    }

    /// The number of empty points with this best shape of the player.
    #[must_use]
    pub fn count(&self, player: Player, shape: Shape) -> u32 {
        self.counts[player.index()][shape as usize]
    }

    /// The empty points with this best shape of the player, row by row from the bottom.
    pub fn points(&self, player: Player, shape: Shape) -> impl Iterator<Item = Point> + '_ {
        let wanted = move |cell: &(usize, &Cell)| cell.1.best[player.index()] == shape && cell.1.empty;
        // The iterator stops at the last of the counted points.
        let count = self.count(player, shape) as usize;
        self.cells.iter().enumerate().filter(wanted).take(count).filter_map(|(index, _)| self.stones.at(index))
    }

    /// The point has become empty: its shapes follow from its lines.
    fn show(&mut self, index: usize) {
        let cell = &mut self.cells[index];
        cell.empty = true;
        for player in Player::BOTH {
            let (me, shapes) = (player.index(), Shapes::of(self.rule.five(player)));
            cell.shapes[me] = cell.lines[me].map(|line| shapes.shape(line));
            cell.best[me] = best(cell.shapes[me]);
            self.counts[me][cell.best[me] as usize] += 1;
        }
    }

    /// A stone stands there now.
    fn hide(&mut self, index: usize) {
        let cell = &mut self.cells[index];
        for (counts, best) in self.counts.iter_mut().zip(cell.best) {
            counts[best as usize] -= 1;
        }
        (cell.shapes, cell.best, cell.empty) = ([[Shape::Nothing; 4]; 2], [Shape::Nothing; 2], false);
    }
}

fn best(shapes: [Shape; 4]) -> Shape {
    let [first, second, third, fourth] = shapes;
    first.max(second).max(third).max(fourth)
}
