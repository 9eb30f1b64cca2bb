//! Line shapes of Gomoku, by definition and by table.
//!
//! A *five* is a row that wins. From there downwards, for a stone in the middle of a line, counting
//! only rows that contain that stone:
//!
//! * **four**: one more stone makes a five. *Open* (straight) if the row is unbroken and both ends
//!   do; *double* if two points make a five but not of the same four stones (`X.XXX.X` with the
//!   middle stone new);
//! * **three**: one more stone makes a four; *open* if it can make an open four;
//! * **two**, **one**: one more stone makes a three, a two; *open* likewise.
//!
//! These are the definitions of the International Rules of Renju (RIF, 1996, corrected 1998,
//! section 3), with "five" read as exactly five where the rule says so; there a row of six or more
//! is an **overline**, without value. The three of the definition also requires that the point of
//! the straight four is not forbidden, which cannot be decided from a single line; see
//! [`Gomoku::forbidden`](super::Gomoku::forbidden).
//!
//! Five points to either side decide all of this (a row of five through the middle and its two
//! neighbours), ten points of three kinds (own, empty, closed = the opponent's or off the board):
//! 3¹⁰ = 59,049 lines, one byte each, computed once from the definition, most stones first.

use std::sync::LazyLock;

/// Which rows win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Five {
    /// Five or more.
    AtLeast,
    /// Five, no more: six and more are overlines.
    Exactly,
}

impl Five {
    /// Whether a row of this length wins.
    #[inline]
    #[must_use]
    pub const fn wins(self, length: u32) -> bool {
        match self {
            Five::AtLeast => length >= 5,
            Five::Exactly => length == 5,
        }
    }
}

/// The shape that a stone makes of one line, in ascending order of value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Shape {
    /// A five is impossible.
    Nothing,
    /// A row of six or more where only five wins; forbidden for Black in renju.
    Overline,
    /// One move short of a two.
    One,
    /// One move short of an open two.
    OpenOne,
    /// One move short of a three.
    Two,
    /// One move short of an open three.
    OpenTwo,
    /// One move short of a four.
    Three,
    /// One move short of an open four.
    OpenThree,
    /// One point makes a five.
    Four,
    /// Two points make a five, of different fours.
    DoubleFour,
    /// Both ends of an unbroken four make a five.
    OpenFour,
    /// A row that wins.
    Five,
}

impl Shape {
    /// The number of shapes.
    pub const COUNT: usize = 12;

    /// All shapes in ascending order.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Nothing,
        Shape::Overline,
        Shape::One,
        Shape::OpenOne,
        Shape::Two,
        Shape::OpenTwo,
        Shape::Three,
        Shape::OpenThree,
        Shape::Four,
        Shape::DoubleFour,
        Shape::OpenFour,
        Shape::Five,
    ];

    /// The number of fours, as the renju rules count them.
    #[inline]
    #[must_use]
    pub const fn fours(self) -> u32 {
        match self {
            Shape::Four | Shape::OpenFour => 1,
            Shape::DoubleFour => 2,
            _ => 0,
        }
    }

    /// The shape that is one move short of this one.
    const fn one_short(self) -> Shape {
        match self {
            Shape::OpenFour => Shape::OpenThree,
            Shape::Four | Shape::DoubleFour => Shape::Three,
            Shape::OpenThree => Shape::OpenTwo,
            Shape::Three => Shape::Two,
            Shape::OpenTwo => Shape::OpenOne,
            Shape::Two => Shape::One,
            Shape::Nothing | Shape::Overline | Shape::One | Shape::OpenOne | Shape::Five => Shape::Nothing,
        }
    }
}

/// Lines of ten points of three kinds.
const LINES: usize = 59_049;

/// The weight of bit b of a window of eleven in a line's number: 3 to the number of the point; the
/// middle has none.
pub(super) const WEIGHTS: [u16; 11] = [1, 3, 9, 27, 81, 0, 243, 729, 2_187, 6_561, 19_683];

/// The shapes of all lines under one reading of "five".
pub(super) struct Shapes {
    shapes: Box<[Shape]>,
    /// The sum of the weights of the bits of a window.
    weights: Box<[u16]>,
}

static AT_LEAST: LazyLock<Shapes> = LazyLock::new(|| Shapes::build(Five::AtLeast));
static EXACTLY: LazyLock<Shapes> = LazyLock::new(|| Shapes::build(Five::Exactly));

impl Shapes {
    /// The table of one reading.
    pub(super) fn of(five: Five) -> &'static Shapes {
        match five {
            Five::AtLeast => &AT_LEAST,
            Five::Exactly => &EXACTLY,
        }
    }

    /// The number of a line: windows of own and closed points, the middle in bit 5 ignored.
    #[inline]
    pub(super) fn number(&self, own: u32, closed: u32) -> u16 {
        self.weights[(own & 0x7ff) as usize] + 2 * self.weights[(closed & 0x7ff) as usize]
    }

    /// The shape that an own stone in the middle makes of the line.
    #[inline]
    pub(super) fn shape(&self, number: u16) -> Shape {
        self.shapes[usize::from(number)]
    }

    fn build(five: Five) -> Shapes {
        let weights =
            (0_u32..2_048).map(|window| (0..11).filter(|bit| window >> bit & 1 == 1).map(|bit| WEIGHTS[bit]).sum());
        let mut table = Shapes { shapes: vec![Shape::Nothing; LINES].into(), weights: weights.collect() };
        let mut lines: Vec<(u32, u32)> = (0..2_048_u32)
            .filter(|own| own >> 5 & 1 == 1)
            .flat_map(|own| (0..2_048_u32).filter(move |closed| closed & own == 0).map(move |closed| (own, closed)))
            .collect();
        lines.sort_by_key(|(own, _)| std::cmp::Reverse(own.count_ones()));
        for (own, closed) in lines {
            let number = table.number(own, closed);
            table.shapes[usize::from(number)] = table.define(own, closed, five);
        }
        table
    }

    /// The definition, from the shapes of lines with one stone more.
    fn define(&self, own: u32, closed: u32, five: Five) -> Shape {
        let length = crate::in_a_row::run_length(own);
        if five.wins(length) {
            return Shape::Five;
        }
        if length > 5 {
            return Shape::Overline;
        }
        let with = |bit: u32| self.shape(self.number(own | 1 << bit, closed));
        let empty = || (0..11).filter(|bit| (own | closed) >> bit & 1 == 0);
        let fives: Vec<u32> = empty().filter(|bit| with(*bit) == Shape::Five).collect();
        match fives[..] {
            [] => empty().map(|bit| with(bit).one_short()).max().unwrap_or(Shape::Nothing),
            [_] => Shape::Four,
            [low, high, ..] if length == 4 && high == low + 5 => Shape::OpenFour,
            _ => Shape::DoubleFour,
        }
    }
}
