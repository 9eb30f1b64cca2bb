//! Threats and the number of stones that stop them, updated move by move.
//!
//! Reference: I-C. Wu, D.-Y. Huang, "A New Family of k-in-a-row Games", ACG 11 (2005), LNCS 4250. A
//! *window* is six points in a row. It threatens if it holds four or more stones of one side and
//! none of the other, because that side needs at most two more stones, one turn. The **number of
//! threats** of a side is the least number of stones with which the opponent hits every such
//! window: with two the defender must use the whole turn, with three or more the defender has lost
//! unless winning first.
//!
//! A threatening window has at most two empty points, so the number is that of a minimum vertex
//! cover of a graph (windows are edges), and whether 0, 1 or 2 points suffice is found exactly by
//! trying the points of one window, then those of a window that is not yet hit: at most four pairs.
//!
//! Each stone lies in at most 24 windows, whose two counts are maintained; threatening windows are
//! the bits of a set. A window of six stones is a won game and cannot be hit; it counts as three
//! threats.

use super::{Connect6, LINE};
use crate::in_a_row::{DIRECTIONS, LARGEST, Point, Stones};
use std::sync::OnceLock;
use tesuji_core::Player;

/// The number of stones from which on a window threatens.
const THREAT: usize = 4;

/// The windows of a board.
#[derive(Debug)]
struct Geometry {
    /// The points of every window.
    cells: Vec<[Point; LINE]>,
    /// The windows through every point, by its number.
    through: Vec<Vec<u16>>,
}

impl Geometry {
    /// The geometry of boards of this size, computed once.
    fn of(size: usize) -> &'static Geometry {
        static BY_SIZE: [OnceLock<Geometry>; LARGEST + 1] = [const { OnceLock::new() }; LARGEST + 1];
        BY_SIZE[size].get_or_init(|| {
            let stones = Stones::new(size);
            let mut geometry = Geometry { cells: Vec::new(), through: vec![Vec::new(); size * size] };
            for direction in DIRECTIONS {
                for first in stones.points() {
                    let step = |steps: usize| first.step(direction, steps as isize, size);
                    if step(LINE - 1).is_none() {
                        continue;
                    }
                    let cells = std::array::from_fn(|steps| step(steps).unwrap_or(first));
                    for cell in cells {
                        geometry.through[stones.index(cell)].push(geometry.cells.len() as u16);
                    }
                    geometry.cells.push(cells);
                }
            }
            geometry
        })
    }
}

/// The windows of a board: the number of stones of either side in each.
#[derive(Clone, Debug)]
pub struct Threats {
    stones: Stones,
    geometry: &'static Geometry,
    /// By window.
    held: Vec<[u8; 2]>,
    sides: [Side; 2],
}

impl PartialEq for Threats {
    fn eq(&self, other: &Threats) -> bool {
        self.stones == other.stones && self.held == other.held && self.sides == other.sides
    }
}

impl Eq for Threats {}

/// Sets of windows are kept from this number of stones on.
const LEAST: usize = 2;

/// The windows of one player that hold no stone of the other.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Side {
    /// The number of windows with 0, 1, …, 6 stones.
    open: [u32; LINE + 1],
    /// Those with at least 2, 3, 4 stones, as bits; the last ones threaten.
    sets: [Vec<u64>; THREAT - LEAST + 1],
}

impl Threats {
    /// The windows of a position, computed from scratch.
    #[must_use]
    pub fn new(position: &Connect6) -> Threats {
        let stones = position.stones;
        let geometry = Geometry::of(stones.size());
        let windows = geometry.cells.len();
        let set = vec![0; windows.div_ceil(64)];
        let side = Side { open: [0; LINE + 1], sets: [set.clone(), set.clone(), set] };
        let mut threats = Threats { stones, geometry, held: vec![[0; 2]; windows], sides: [side.clone(), side] };
        for window in 0..windows {
            for player in Player::BOTH {
                let own = geometry.cells[window].iter().filter(|cell| stones.owner(**cell) == Some(player)).count();
                threats.held[window][player.index()] = own as u8;
            }
            threats.enter(window);
        }
        threats
    }

    /// Updates to another position of a board of the same size, stone by stone; cheap if few stones
    /// differ.
    pub fn follow(&mut self, position: &Connect6) {
        if self.stones.size() != position.stones.size() {
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

    /// Adds a player's stone on an empty point.
    pub fn play(&mut self, point: Point, player: Player) {
        self.stones.put(point, player);
        self.change(point, |held| held[player.index()] += 1);
    }

    /// Removes the player's stone from this point.
    pub fn undo(&mut self, point: Point, player: Player) {
        self.stones.remove(point, player);
        self.change(point, |held| held[player.index()] -= 1);
    }

    /// The number of stones that the opponent of `player` needs to hit every threatening window: 0,
    /// 1, 2, or 3 for three or more.
    #[must_use]
    pub fn threats(&self, player: Player) -> usize {
        let Some(window) = self.unhit(player, &[]) else { return 0 };
        if self.sides[player.index()].open[LINE] > 0 {
            return 3;
        }
        let mut least = 3;
        for first in self.gaps(window) {
            let Some(other) = self.unhit(player, &[first]) else { return 1 };
            if least > 2 && self.gaps(other).any(|second| self.unhit(player, &[first, second]).is_none()) {
                least = 2;
            }
        }
        least
    }

    /// Whether stones of the opponent on these points hit every threatening window of `player`.
    #[must_use]
    pub fn is_stopped_by(&self, player: Player, points: &[Point]) -> bool {
        self.unhit(player, points).is_none()
    }

    /// The number of windows with exactly `stones` stones of `player`, 0 to 6, and none of the
    /// opponent.
    #[must_use]
    pub fn open_windows(&self, player: Player, stones: usize) -> u32 {
        self.sides[player.index()].open[stones]
    }

    /// Whether `player` can complete a six with this many stones, one or two.
    #[must_use]
    pub fn can_win(&self, player: Player, stones: usize) -> bool {
        self.sides[player.index()].open[LINE - stones.min(LINE)..].iter().any(|count| *count > 0)
    }

    /// The empty points of the threatening windows of `player`: where `player` wins, and where the
    /// opponent must block.
    #[must_use]
    pub fn points(&self, player: Player) -> Vec<Point> {
        let mut points: Vec<Point> = self.threatening(player).flat_map(|window| self.gaps(window)).collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Collects the empty points of the windows with at least `least` stones of `player`, 2 to 4,
    /// and none of the opponent, without repeats, in `points`, which is cleared first.
    pub(super) fn promising(&self, player: Player, least: usize, points: &mut Vec<Point>) {
        points.clear();
        let mut seen = [0_u32; LARGEST];
        for window in self.windows(player, least) {
            for cell in self.geometry.cells[window] {
                let row = &mut seen[cell.row()];
                if *row >> cell.column() & 1 == 0 && self.stones.is_empty(cell) {
                    *row |= 1 << cell.column();
                    points.push(cell);
                }
            }
        }
    }

    /// The empty points of a window that `player` can fill with this many stones, one or two;
    /// `None` if there is none.
    pub(super) fn completion(&self, player: Player, stones: usize) -> Option<Vec<Point>> {
        let fits = |window: &usize| usize::from(self.held[*window][player.index()]) + stones >= LINE;
        self.windows(player, THREAT).find(fits).map(|window| self.gaps(window).collect())
    }

    /// The sum of `worth`, by the stones held, over the open windows through an empty point, with a
    /// stone of `player` there.
    pub(super) fn worth(&self, player: Player, point: Point, worth: [u32; LINE + 1]) -> u32 {
        let through = &self.geometry.through[self.stones.index(point)];
        let held = through.iter().map(|window| self.held[usize::from(*window)]);
        held.filter(|held| held[player.other().index()] == 0).map(|held| worth[usize::from(held[player.index()])]).sum()
    }

    /// The number of windows of `player` that begin to threaten with a stone on an empty point.
    pub(super) fn new_threats(&self, player: Player, point: Point) -> usize {
        let through = &self.geometry.through[self.stones.index(point)];
        let threatens =
            |held: [u8; 2]| usize::from(held[player.index()]) == THREAT - 1 && held[player.other().index()] == 0;
        through.iter().filter(|window| threatens(self.held[usize::from(**window)])).count()
    }

    /// The empty points of every threatening window of `player`.
    pub(super) fn threats_by_window(&self, player: Player) -> Vec<Vec<Point>> {
        self.threatening(player).map(|window| self.gaps(window).collect()).collect()
    }

    /// The number of a point on this board.
    pub(super) fn index(&self, point: Point) -> usize {
        self.stones.index(point)
    }

    /// The empty points of a window.
    fn gaps(&self, window: usize) -> impl Iterator<Item = Point> + '_ {
        self.geometry.cells[window].into_iter().filter(|cell| self.stones.is_empty(*cell))
    }

    /// The windows with at least `least` stones of `player`, 2 to 4, and none of the opponent.
    fn windows(&self, player: Player, least: usize) -> impl Iterator<Item = usize> + '_ {
        self.sides[player.index()].sets[least - LEAST].iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|bits| *bits != 0)
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    fn threatening(&self, player: Player) -> impl Iterator<Item = usize> + '_ {
        self.windows(player, THREAT)
    }

    /// A threatening window that contains none of these points.
    fn unhit(&self, player: Player, points: &[Point]) -> Option<usize> {
        self.threatening(player).find(|window| !self.geometry.cells[*window].iter().any(|cell| points.contains(cell)))
    }

    /// Changes the counts of all windows through a point.
    fn change(&mut self, point: Point, change: impl Fn(&mut [u8; 2])) {
        for window in &self.geometry.through[self.stones.index(point)] {
            let window = usize::from(*window);
            self.leave(window);
            change(&mut self.held[window]);
            self.enter(window);
        }
    }

    /// Adds a window to the sets of the players it is open to.
    fn enter(&mut self, window: usize) {
        let held = self.held[window].map(usize::from);
        for (side, own) in [(0, held[0]), (1, held[1])] {
            if held[1 - side] == 0 {
                let side = &mut self.sides[side];
                side.open[own] += 1;
                for set in side.sets.iter_mut().take((own + 1).saturating_sub(LEAST)) {
                    set[window / 64] |= 1 << (window % 64);
                }
            }
        }
    }

    /// Removes a window from these sets.
    fn leave(&mut self, window: usize) {
        let held = self.held[window].map(usize::from);
        for (side, own) in [(0, held[0]), (1, held[1])] {
            if held[1 - side] == 0 {
                let side = &mut self.sides[side];
                side.open[own] -= 1;
                for set in side.sets.iter_mut().take((own + 1).saturating_sub(LEAST)) {
                    set[window / 64] &= !(1 << (window % 64));
                }
            }
        }
    }
}
