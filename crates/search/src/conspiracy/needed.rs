//! The vectors of conspiracy numbers.
//!
//! ↑needed(v) is the smallest number of leaves that must change for the value of a node to become v
//! or more, ↓needed(v) for it to become v or less:
//!
//! > leaf of value m: ↑needed(v) = 0 if v ≤ m, else 1; ↓needed(v) = 0 if v ≥ m, else 1
//! > (∞ instead of 1 if the game has ended)
//! > MAX: ↑needed = min of the children's, ↓needed = sum;  MIN: ↑needed = sum, ↓needed = min
//!
//! and CN(v) = ↑needed(v) above the node's value, ↓needed(v) below it, 0 at it.
//!
//! Reference: Zhang 2019 §2.1.2 after Schaeffer, "Conspiracy numbers", Artificial Intelligence 43
//! (1990). Values are rounded to the nearest level of a grid and clamped to its range.

/// No number of leaves suffices.
pub const INFINITE: u32 = u32::MAX;

/// The grid of values: from −range to range around a centre, usually 0, in steps of `step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    step: i32,
    side: i32,
    centre: i32,
}

impl Grid {
    /// The multiples of `step` (at least 1) within ±`range`.
    #[must_use]
    pub fn new(step: u32, range: u32) -> Grid {
        let step = step.clamp(1, 1 << 24) as i32;
        Grid { step, side: range.min(1 << 24) as i32 / step, centre: 0 }
    }

    /// The same grid, centred on `value` if that lies outside.
    #[must_use]
    pub fn around(self, value: i32) -> Grid {
        let beyond = value < self.value(0) || value > self.value(self.levels() - 1);
        if beyond { Grid { centre: value / self.step * self.step, ..self } } else { self }
    }

    /// The number of levels; odd.
    #[must_use]
    pub fn levels(self) -> usize {
        2 * self.side as usize + 1
    }

    /// The level nearest to a value.
    #[must_use]
    pub fn level(self, value: i32) -> usize {
        let value = value - self.centre;
        let away = (value.abs() + self.step / 2) / self.step;
        (value.signum() * away.min(self.side) + self.side) as usize
    }

    /// The value of a level.
    #[must_use]
    pub fn value(self, level: usize) -> i32 {
        (level as i32 - self.side) * self.step + self.centre
    }
}

/// The vectors of one node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    /// The level of the node's value.
    pub level: usize,
    /// ↑needed for every level.
    pub up: Vec<u32>,
    /// ↓needed for every level.
    pub down: Vec<u32>,
}

/// Writes the vectors of a leaf.
pub(super) fn write_leaf(level: usize, ended: bool, up: &mut [u32], down: &mut [u32]) {
    let cost = if ended { INFINITE } else { 1 };
    up[..=level].fill(0);
    up[level + 1..].fill(cost);
    down[..level].fill(cost);
    down[level..].fill(0);
}

/// Joins the vectors of one more child into those of its parent.
#[inline]
pub(super) fn add_child(maximises: bool, parent: (&mut [u32], &mut [u32]), child: (&[u32], &[u32])) {
    let ((up, down), (child_up, child_down)) = (parent, child);
    let ((least, of_least), (total, of_total)) =
        if maximises { ((up, child_up), (down, child_down)) } else { ((down, child_down), (up, child_up)) };
    least.iter_mut().zip(of_least).for_each(|(all, one)| *all = (*all).min(*one));
    total.iter_mut().zip(of_total).for_each(|(all, one)| *all = all.saturating_add(*one));
}

/// The conspiracy number of a level, for a node at level `node` with these vectors.
pub(super) fn number(node: usize, up: &[u32], down: &[u32], level: usize) -> u32 {
    match level.cmp(&node) {
        std::cmp::Ordering::Less => down[level],
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => up[level],
    }
}

impl Needed {
    /// The vectors of a leaf.
    #[must_use]
    pub fn leaf(levels: usize, level: usize, ended: bool) -> Needed {
        let mut leaf = Needed { level, up: vec![0; levels], down: vec![0; levels] };
        write_leaf(level, ended, &mut leaf.up, &mut leaf.down);
        leaf
    }

    /// The vectors of a node with these children; nothing without children.
    #[must_use]
    pub fn join<'a>(maximises: bool, children: impl IntoIterator<Item = &'a Needed>) -> Option<Needed> {
        let mut children = children.into_iter();
        let mut joined = children.next()?.clone();
        for child in children {
            joined.level = if maximises { joined.level.max(child.level) } else { joined.level.min(child.level) };
            add_child(maximises, (&mut joined.up, &mut joined.down), (&child.up, &child.down));
        }
        Some(joined)
    }

    /// The conspiracy number of a level.
    #[must_use]
    pub fn number(&self, level: usize) -> u32 {
        number(self.level, &self.up, &self.down, level)
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;

    #[test]
    fn levels_round_to_the_nearest_and_end_at_the_range() {
        let grid = Grid::new(50, 1_000);
        assert_eq!(grid.levels(), 41);
        for level in 0..41 {
            assert_eq!(grid.level(grid.value(level)), level);
        }
        assert_eq!((grid.value(0), grid.value(20), grid.value(40)), (-1_000, 0, 1_000));
        assert_eq!((grid.level(24), grid.level(25), grid.level(-25), grid.level(-24)), (20, 21, 19, 20));
        assert_eq!((grid.level(60_000), grid.level(-60_000)), (40, 0));
        assert_eq!(Grid::new(0, 0).levels(), 1);
        assert_eq!((grid.around(1_000), grid.around(-1_000)), (grid, grid), "inside the range");
        let far = grid.around(-2_375);
        assert_eq!((far.levels(), far.value(0), far.value(20), far.value(40)), (41, -3_350, -2_350, -1_350));
        assert_eq!((far.level(-2_375), far.level(-2_374), far.level(-60_000), far.level(0)), (19, 20, 0, 40));
    }
}
