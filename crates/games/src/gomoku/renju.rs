//! The points that renju forbids to Black.
//!
//! Reference: Renju International Federation, *The International Rules of Renju*, 1996, corrected
//! 1998 (paraphrased). A black stone that makes exactly five in some line wins, whatever else it
//! makes. Otherwise it is forbidden if it makes
//!
//! * an **overline**: six or more in a row;
//! * a **double four**: two or more fours through it at once, also in one line (`X.XXX.X`,
//!   `XX.XX.XX`);
//! * a **double three**: two or more threes through it at once. A three counts only if one more
//!   stone makes it a straight four, and that stone neither makes a five at the same time nor is
//!   itself forbidden, in turn by all of these rules, on the board with both stones.
//!
//! The recursion ends because every level adds a stone. It examines only lines with an open three,
//! so nearly all points are decided by four table look-ups.

use super::shape::{Five, Shape, Shapes};
use crate::in_a_row::{DIRECTIONS, Point, REACH, Stones};
use tesuji_core::Player;

/// Why Black may not play on a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once that can both become straight fours.
    DoubleThree,
}

impl std::fmt::Display for Forbidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Forbidden::Overline => "an overline",
            Forbidden::DoubleFour => "a double four",
            Forbidden::DoubleThree => "a double three",
        })
    }
}

/// The status of a black stone on an empty point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It makes exactly five.
    Five,
    Allowed,
    Forbidden(Forbidden),
}

/// The lines through a point as Black's table numbers them.
#[inline]
fn line_numbers(stones: &Stones, shapes: &Shapes, point: Point) -> [u16; 4] {
    let own = stones.windows(point, Player::First);
    let other = stones.windows(point, Player::Second);
    let inside = stones.inside(point);
    std::array::from_fn(|line| shapes.number(own[line], other[line] | !inside[line]))
}

/// Four shapes are classified by the sum of their weights: fives, overlines, fours and open threes
/// have a byte each.
const fn weight(shape: Shape) -> u32 {
    match shape {
        Shape::Five => 1 << 24,
        Shape::Overline => 1 << 16,
        Shape::OpenThree => 1,
        _ => shape.fours() << 8,
    }
}

static WEIGHTS: [u32; Shape::COUNT] = {
    let mut weights = [0; Shape::COUNT];
    let mut number = 0;
    while number < Shape::COUNT {
        weights[number] = weight(Shape::ALL[number]);
        number += 1;
    }
    weights
};

/// The verdict of four shapes by themselves; `None` if there are several open threes, which need a
/// closer look.
#[inline]
pub(super) fn judge_shapes(shapes: [Shape; 4]) -> Option<Verdict> {
    let mut sum = 0;
    for shape in shapes {
        sum += WEIGHTS[shape as usize];
    }
    match sum.to_be_bytes() {
        [0, 0, 0 | 1, 0 | 1] => Some(Verdict::Allowed),
        [1..=u8::MAX, _, _, _] => Some(Verdict::Five),
        [_, 1..=u8::MAX, _, _] => Some(Verdict::Forbidden(Forbidden::Overline)),
        [_, _, 2..=u8::MAX, _] => Some(Verdict::Forbidden(Forbidden::DoubleFour)),
        _ => None,
    }
}

/// The verdict on a black stone on an empty point.
pub(super) fn judge(stones: &Stones, point: Point) -> Verdict {
    let shapes = Shapes::of(Five::Exactly);
    let lines = line_numbers(stones, shapes, point);
    if let Some(verdict) = judge_shapes(lines.map(|line| shapes.shape(line))) {
        return verdict;
    }
    let mut with = *stones;
    with.put(point, Player::First);
    let threes = (0..4).filter(|line| {
        shapes.shape(lines[*line]) == Shape::OpenThree && is_three(&with, shapes, point, (*line, lines[*line]))
    });
    if threes.count() > 1 { Verdict::Forbidden(Forbidden::DoubleThree) } else { Verdict::Allowed }
}

/// Whether an open three through the stone on `point` can become a straight four by a stone that
/// neither makes five nor is forbidden.
fn is_three(stones: &Stones, shapes: &Shapes, point: Point, (line, number): (usize, u16)) -> bool {
    let reach = REACH as isize;
    (-reach..=reach).filter(|steps| *steps != 0).any(|steps| {
        let weight = super::shape::WEIGHTS[(steps + reach) as usize];
        point.step(DIRECTIONS[line], steps, stones.size()).is_some_and(|other| {
            stones.is_empty(other)
                && shapes.shape(number + weight) == Shape::OpenFour
                && judge(stones, other) == Verdict::Allowed
        })
    })
}
