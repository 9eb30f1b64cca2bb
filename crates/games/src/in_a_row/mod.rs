//! Boards of stones on which a row wins: the common part of Gomoku and Connect6.
//!
//! Each player's stones are bit rows: bit x of word y is the point in column x, row y. Around a
//! point the four lines are read as windows of eleven bits, five points to either side, the point
//! itself in bit five: enough to distinguish exactly five from six, and a straight four from one
//! that an overline spoils. With r the row at height k, shifted so that column x − 5 is bit 0, the
//! windows grow by
//! grow by
//!
//! > vertical |= (r≫5 & 1)≪(5+k),   diagonal |= r & 1≪(5+k),   antidiagonal |= r & 1≪(5−k)
//!
//! so all four cost one pass over at most eleven rows.

mod fill;
mod hot_windows;
mod windows;

pub(crate) use fill::Fill;
pub(crate) use hot_windows::{HotWindows, Referee, decisive_game};
pub(crate) use windows::open_windows;

use std::ops::ControlFlow;
use tesuji_core::{Player, Rng};

/// The number of rows and columns of the largest board.
pub(crate) const LARGEST: usize = 25;

/// The number of points that a window extends to either side.
pub(crate) const REACH: usize = 5;

/// The steps (columns, rows) of the four lines through a point: right, up, up and right, down and
/// right.
pub(crate) const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A point of a board: its column from the left and its row from the bottom, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    row: u8,
    column: u8,
}

impl Point {
    /// The point in this column and row.
    #[inline]
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Point {
        Point { row, column }
    }

    /// Its column, 0 on the left.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        self.column as usize
    }

    /// Its row, 0 at the bottom.
    #[inline]
    #[must_use]
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// The point this many steps away, if it lies on a board of this size.
    #[inline]
    pub(crate) fn step(self, (columns, rows): (isize, isize), steps: isize, size: usize) -> Option<Point> {
        let column = usize::try_from(self.column as isize + columns * steps).ok().filter(|column| *column < size)?;
        let row = usize::try_from(self.row as isize + rows * steps).ok().filter(|row| *row < size)?;
        Some(Point::new(column as u8, row as u8))
    }
}

/// The stones of both players on a square board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stones {
    rows: [[u32; LARGEST]; 2],
    empty: u16,
    size: u8,
}

impl Stones {
    /// An empty board of 1 to [`LARGEST`] rows.
    pub(crate) fn new(size: usize) -> Stones {
        assert!((1..=LARGEST).contains(&size), "a board has 1 to {LARGEST} rows, not {size}");
        Stones { rows: [[0; LARGEST]; 2], empty: (size * size) as u16, size: size as u8 }
    }

    #[inline]
    pub(crate) fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The number of empty points.
    #[inline]
    pub(crate) fn empty(&self) -> usize {
        usize::from(self.empty)
    }

    /// The empty points of a row, as bits.
    #[inline]
    fn free(&self, row: usize) -> u32 {
        !(self.rows[0][row] | self.rows[1][row]) & ((1 << self.size) - 1)
    }

    /// Whether the point is on the board and empty.
    #[inline]
    pub(crate) fn is_empty(&self, point: Point) -> bool {
        point.row() < self.size() && point.column() < self.size() && self.free(point.row()) >> point.column & 1 == 1
    }

    /// The colour of the stone on a point.
    pub(crate) fn owner(&self, point: Point) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.rows[player.index()][point.row()] >> point.column & 1 == 1)
    }

    /// Places a stone on an empty point.
    #[inline]
    pub(crate) fn put(&mut self, point: Point, player: Player) {
        debug_assert!(self.is_empty(point), "{point:?} is not an empty point");
        self.rows[player.index()][point.row()] |= 1 << point.column;
        self.empty -= 1;
    }

    /// Removes a stone.
    #[inline]
    pub(crate) fn remove(&mut self, point: Point, player: Player) {
        debug_assert!(self.owner(point) == Some(player), "{point:?} has no such stone");
        self.rows[player.index()][point.row()] &= !(1 << point.column);
        self.empty += 1;
    }

    /// The number of a point on this board, row by row.
    #[inline]
    pub(crate) fn index(&self, point: Point) -> usize {
        point.row() * self.size() + point.column()
    }

    /// The point of a number.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Option<Point> {
        let size = self.size();
        (index < size * size).then(|| Point::new((index % size) as u8, (index / size) as u8))
    }

    /// All points, row by row.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| Point::new(column, row)))
    }

    /// All stones.
    pub(crate) fn stones(&self) -> impl Iterator<Item = (Point, Player)> + '_ {
        self.points().filter_map(|point| Some((point, self.owner(point)?)))
    }

    /// The stones that another board of this size does not have.
    pub(crate) fn beyond(&self, other: &Stones) -> impl Iterator<Item = (Point, Player)> + use<> {
        let (own, other, size) = (self.rows, other.rows, self.size());
        Player::BOTH.into_iter().flat_map(move |player| {
            (0..size).flat_map(move |row| {
                let bits = own[player.index()][row] & !other[player.index()][row];
                std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                    .take_while(|bits| *bits != 0)
                    .map(move |bits| (Point::new(bits.trailing_zeros() as u8, row as u8), player))
            })
        })
    }

    /// Passes the empty points to `f`, row by row, until it breaks.
    #[inline]
    pub(crate) fn visit_empty<B>(&self, mut f: impl FnMut(Point) -> ControlFlow<B>) -> ControlFlow<B> {
        for row in 0..self.size() {
            let mut free = self.free(row);
            while free != 0 {
                f(Point::new(free.trailing_zeros() as u8, row as u8))?;
                free &= free - 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Sets the bits of the numbers of the empty points.
    pub(crate) fn mark_empty(&self, marks: &mut [u64]) {
        for row in 0..self.size() {
            let (free, first) = (u64::from(self.free(row)), row * self.size());
            marks[first / 64] |= free << (first % 64);
            // Rows have at most 25 points: what does not fit into a word is in the next one.
            if first % 64 + self.size() > 64 {
                marks[first / 64 + 1] |= free >> (64 - first % 64);
            }
        }
    }

    /// An empty point, drawn uniformly; there must be one.
    pub(crate) fn random_empty(&self, rng: &mut Rng) -> Point {
        debug_assert!(self.empty > 0, "a full board has no empty point");
        let size = u32::from(self.size);
        // Rejection is uniform; on a crowded board count instead.
        if u32::from(self.empty) * 4 > size * size {
            loop {
                let cell = rng.below(size * size);
                let point = Point::new((cell % size) as u8, (cell / size) as u8);
                if self.is_empty(point) {
                    return point;
                }
            }
        }
        let mut skip = rng.below(u32::from(self.empty));
        for row in 0..self.size() {
            let mut free = self.free(row);
            let count = free.count_ones();
            if skip < count {
                (0..skip).for_each(|_| free &= free - 1);
                return Point::new(free.trailing_zeros() as u8, row as u8);
            }
            skip -= count;
        }
        unreachable!("the rows hold as many empty points as were counted")
    }

    /// The player's stones on the four lines through a point: bit 5 + k is the point k steps along
    /// [`DIRECTIONS`].
    #[inline]
    pub(crate) fn windows(&self, point: Point, player: Player) -> [u32; 4] {
        let rows = &self.rows[player.index()];
        let around = |row: usize| (u64::from(rows[row]) << REACH >> point.column) as u32 & 0x7ff;
        let mut windows = [around(point.row()), 0, 0, 0];
        let lowest = point.row().saturating_sub(REACH);
        let highest = (point.row() + REACH).min(self.size() - 1);
        for row in lowest..=highest {
            let height = row + REACH - point.row();
            let bits = around(row);
            windows[1] |= (bits >> REACH & 1) << height;
            windows[2] |= bits & 1 << height;
            windows[3] |= bits & 1 << (2 * REACH - height);
        }
        windows
    }

    /// The points of the four lines that are on the board, in the same bits.
    #[inline]
    pub(crate) fn inside(&self, point: Point) -> [u32; 4] {
        let last = self.size() - 1;
        let left = point.column().min(REACH);
        let right = (last - point.column()).min(REACH);
        let down = point.row().min(REACH);
        let up = (last - point.row()).min(REACH);
        let span = |back: usize, ahead: usize| ((1 << (back + ahead + 1)) - 1) << (REACH - back);
        [span(left, right), span(down, up), span(left.min(down), right.min(up)), span(left.min(up), right.min(down))]
    }

    /// The longest row of stones through a stone of `player`, along one direction.
    pub(crate) fn row_through(&self, point: Point, player: Player, direction: (isize, isize)) -> Vec<Point> {
        let own =
            |steps: isize| point.step(direction, steps, self.size()).filter(|other| self.owner(*other) == Some(player));
        let mut first = 0;
        while own(first - 1).is_some() {
            first -= 1;
        }
        (first..).map_while(own).collect()
    }

    /// A row of stones of the player whose length satisfies `wins`, if there is one.
    pub(crate) fn find_row(&self, player: Player, wins: impl Fn(usize) -> bool) -> Option<Vec<Point>> {
        self.stones()
            .filter(|(_, owner)| *owner == player)
            .flat_map(|(point, _)| DIRECTIONS.map(|direction| self.row_through(point, player, direction)))
            .find(|row| wins(row.len()))
    }
}

/// The number of stones in a row through the middle of a window, which must be a stone.
#[inline]
pub(crate) fn run_length(window: u32) -> u32 {
    (window >> REACH).trailing_ones() + (window << (32 - REACH)).leading_ones()
}

/// Points as text, for captions.
pub(crate) fn show_row(row: &[Point], show: impl Fn(Point) -> String) -> String {
    row.iter().map(|point| show(*point)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{DIRECTIONS, REACH, Stones, run_length};
    use tesuji_core::{Player, Rng, Seed};

    #[test]
    fn windows_show_what_stands_there() {
        let mut rng = Rng::new(Seed(1));
        for size in [5, 6, 15, 19, 25] {
            let mut stones = Stones::new(size);
            for turn in 0..size * size / 2 {
                let point = stones.random_empty(&mut rng);
                stones.put(point, Player::BOTH[turn % 2]);
            }
            for point in stones.points() {
                let inside = stones.inside(point);
                for player in Player::BOTH {
                    let windows = stones.windows(point, player);
                    for (direction, step) in DIRECTIONS.into_iter().enumerate() {
                        for bit in 0..=2 * REACH {
                            let other = point.step(step, bit as isize - REACH as isize, size);
                            assert_eq!(inside[direction] >> bit & 1 == 1, other.is_some());
                            let owned = other.is_some_and(|other| stones.owner(other) == Some(player));
                            assert_eq!(windows[direction] >> bit & 1 == 1, owned, "{point:?} {step:?} {bit}");
                        }
                        if stones.owner(point) == Some(player) {
                            let row = stones.row_through(point, player, step);
                            assert_eq!(run_length(windows[direction]).min(6), row.len().min(6) as u32);
                        }
                    }
                }
            }
        }
    }
}
