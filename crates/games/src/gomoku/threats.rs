//! What every empty point is worth to either side, kept move by move.
//!
//! For each point, direction and player the number of the line around it (see [`Shape`]) is a sum of powers of three, one for
//! each of its ten points; a stone adds to the lines of the at most forty points that can see it, and
//! taking it back subtracts. From the numbers follow by table the four shapes of a point, the best of them, and how
//! many points have which best shape: enough to see at once whether somebody can make a five or a four, and where.
//!
//! The rules and the random playouts know nothing of this; whoever wants it keeps one beside a position:
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
//!     threats.points(Player::First, Shape::OpenFour).map(|point| position.show_move(point)).collect();
//! assert_eq!(points, ["g8", "k8"]);
//! assert_eq!(threats.count(Player::First, Shape::Five), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Shapes are properties of single lines. Under renju a point that is forbidden to Black keeps its shapes; ask
//! [`Gomoku::forbidden`] about the point itself.

use super::shape::{Shape, Shapes, WEIGHTS};
use super::{Gomoku, Rule, renju};
use crate::in_a_row::{DIRECTIONS, Point, REACH, Stones};
use tesuji_core::Player;

/// The shapes that either player would make on every empty point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threats {
    stones: Stones,
    rule: Rule,
    sides: [Side; 2],
}

/// What one player would make; one entry a point.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Side {
    lines: Vec<[u16; 4]>,
    /// Of points with a stone: nothing.
    shapes: Vec<[Shape; 4]>,
    best: Vec<Shape>,
    counts: [u32; Shape::COUNT],
}

impl Threats {
    /// The shapes of a position, computed anew.
    #[must_use]
    pub fn new(position: &Gomoku) -> Threats {
        let stones = position.stones;
        let side = |player: Player| {
            let shapes = Shapes::of(position.rule.five(player));
            let line = |point: Point| {
                let own = stones.windows(point, player);
                let other = stones.windows(point, player.other());
                let inside = stones.inside(point);
                std::array::from_fn(|line| shapes.number(own[line], other[line] | !inside[line]))
            };
            let lines: Vec<[u16; 4]> = stones.points().map(line).collect();
            let count = lines.len();
            let mut side = Side {
                lines,
                shapes: vec![[Shape::Nothing; 4]; count],
                best: vec![Shape::Nothing; count],
                counts: [0; Shape::COUNT],
            };
            for point in stones.points().filter(|point| stones.is_empty(*point)) {
                side.show(stones.index(point), shapes);
            }
            side
        };
        Threats { stones, rule: position.rule, sides: Player::BOTH.map(side) }
    }

    /// A player has put a stone on an empty point.
    pub fn play(&mut self, point: Point, player: Player) {
        self.stones.put(point, player);
        let index = self.stones.index(point);
        self.sides.iter_mut().for_each(|side| side.hide(index));
        self.change(point, player, u16::wrapping_add);
    }

    /// The player's stone on this point is taken back.
    pub fn undo(&mut self, point: Point, player: Player) {
        self.change(point, player, u16::wrapping_sub);
        self.stones.remove(point, player);
        let index = self.stones.index(point);
        for player in Player::BOTH {
            self.sides[player.index()].show(index, Shapes::of(self.rule.five(player)));
        }
    }

    /// Goes over to another position of the same board and rule, stone by stone; cheap if few stones differ.
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

    /// Whether a player may put a stone on an empty point, and whether that took more than a look at its four lines.
    pub(super) fn may_play(&self, player: Player, point: Point) -> (bool, bool) {
        if self.rule != Rule::Renju || player == Player::Second {
            return (true, false);
        }
        let allowed = |verdict| !matches!(verdict, renju::Verdict::Forbidden(_));
        match renju::judge_shapes(self.shapes(player, point)) {
            Some(verdict) => (allowed(verdict), false),
            None => (allowed(renju::judge(&self.stones, point)), true),
        }
    }

    /// The stones.
    pub(super) fn stones(&self) -> &Stones {
        &self.stones
    }

    /// Appends the empty points where the player makes at least this shape.
    pub(super) fn collect(&self, player: Player, least: Shape, points: &mut Vec<Point>) {
        let side = &self.sides[player.index()];
        let mut left: u32 = side.counts[least as usize..].iter().sum();
        for (index, shape) in side.best.iter().enumerate() {
            if left == 0 {
                break;
            }
            // Stones have the shape Nothing, and nobody asks for that.
            if *shape >= least {
                points.extend(self.stones.at(index));
                left -= 1;
            }
        }
    }

    fn change(&mut self, point: Point, player: Player, change: impl Fn(u16, u16) -> u16) {
        let size = self.stones.size();
        let inside = self.stones.inside(point);
        for (side, owner) in self.sides.iter_mut().zip(Player::BOTH) {
            let shapes = Shapes::of(self.rule.five(owner));
            let kind = if owner == player { 1 } else { 2 };
            for (line, (columns, rows)) in DIRECTIONS.into_iter().enumerate() {
                let stride = columns + rows * size as isize;
                for bit in (0..=2 * REACH).filter(|bit| *bit != REACH && inside[line] >> bit & 1 == 1) {
                    let steps = bit as isize - REACH as isize;
                    let index = (self.stones.index(point) as isize + stride * steps) as usize;
                    // Seen from there, the stone lies the other way.
                    let number = &mut side.lines[index][line];
                    *number = change(*number, kind * WEIGHTS[2 * REACH - bit]);
                    let shape = shapes.shape(*number);
                    let empty = || self.stones.at(index).is_some_and(|other| self.stones.is_empty(other));
                    if shape != side.shapes[index][line] && empty() {
                        side.reshape(index, line, shape);
                    }
                }
            }
        }
    }

    /// What a player's stone on this point would make of each line: right, up, up and right, down and right.
    /// Nothing where a stone stands.
    #[must_use]
    pub fn shapes(&self, player: Player, point: Point) -> [Shape; 4] {
        self.sides[player.index()].shapes[self.stones.index(point)]
    }

    /// The best of them.
    #[must_use]
    pub fn best(&self, player: Player, point: Point) -> Shape {
        self.sides[player.index()].best[self.stones.index(point)]
    }

    /// How many empty points have this as the player's best shape.
    #[must_use]
    pub fn count(&self, player: Player, shape: Shape) -> u32 {
        self.sides[player.index()].counts[shape as usize]
    }

    /// The empty points that have this as the player's best shape, row by row from the bottom.
    pub fn points(&self, player: Player, shape: Shape) -> impl Iterator<Item = Point> + '_ {
        let side = &self.sides[player.index()];
        let wanted = move |point: &Point| side.best[self.stones.index(*point)] == shape && self.stones.is_empty(*point);
        // The last of so many points is known when it comes.
        self.stones.points().filter(wanted).take(self.count(player, shape) as usize)
    }
}

impl Side {
    /// The point has become empty: its shapes follow from its lines.
    fn show(&mut self, index: usize, shapes: &Shapes) {
        self.shapes[index] = self.lines[index].map(|line| shapes.shape(line));
        self.best[index] = best(self.shapes[index]);
        self.counts[self.best[index] as usize] += 1;
    }

    /// A stone stands there now.
    fn hide(&mut self, index: usize) {
        self.counts[self.best[index] as usize] -= 1;
        self.shapes[index] = [Shape::Nothing; 4];
        self.best[index] = Shape::Nothing;
    }

    /// One line of an empty point has changed its shape.
    fn reshape(&mut self, index: usize, line: usize, shape: Shape) {
        self.shapes[index][line] = shape;
        let best = best(self.shapes[index]);
        self.counts[self.best[index] as usize] -= 1;
        self.counts[best as usize] += 1;
        self.best[index] = best;
    }
}

fn best(shapes: [Shape; 4]) -> Shape {
    let [first, second, third, fourth] = shapes;
    first.max(second).max(third).max(fourth)
}
