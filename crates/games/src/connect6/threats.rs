//! Threats, and how many stones stop them, kept move by move.
//!
//! Reference: I-C. Wu, D.-Y. Huang, "A New Family of k-in-a-row Games", ACG 11 (2005), LNCS 4250. A *window* is six points in a row.
//! It threatens if it holds four or more stones of one side and none of the other, for that side needs at most two stones
//! more, one turn. The **number of threats** of a side is the least number of stones with which the other side hits every such window:
//! with two the defender must use his whole turn, with three or more he has lost unless he wins first.
//!
//! A threatening window has at most two empty points, so the number is that of a least vertex cover of a graph (windows
//! are edges), and whether 0, 1 or 2 points suffice is found exactly by trying the points of one window, then those of a
//! window that is not yet hit: at most four pairs.
//!
//! Each stone lies in at most 24 windows, whose two counts are kept; windows that threaten are the bits of a set. A
//! window of six stones is a won game and cannot be hit; it counts as three threats.

use super::{Connect6, LINE};
use crate::in_a_row::{DIRECTIONS, Point, Stones};
use tesuji_core::Player;

/// Stones from which on a window threatens.
const THREAT: usize = 4;

/// The windows of a board: how many stones of either side each holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threats {
    stones: Stones,
    /// By the number of the window: direction × points + number of its first point. Unused where it leaves the board.
    held: Vec<[u8; 2]>,
    sides: [Side; 2],
}

/// The windows of one player that hold no stone of the other.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Side {
    /// How many hold 0, 1, …, 6 stones.
    open: [u32; LINE + 1],
    /// Those that threaten, as bits.
    threatening: Vec<u64>,
}

impl Threats {
    /// The windows of a position, counted anew.
    #[must_use]
    pub fn new(position: &Connect6) -> Threats {
        let stones = position.stones;
        let size = stones.size();
        let windows = DIRECTIONS.len() * size * size;
        let side = Side { open: [0; LINE + 1], threatening: vec![0; windows.div_ceil(64)] };
        let mut threats = Threats { stones, held: vec![[0; 2]; windows], sides: [side.clone(), side] };
        for direction in 0..DIRECTIONS.len() {
            for first in stones.points() {
                if !threats.fits(direction, first) {
                    continue;
                }
                let window = threats.number(direction, first);
                for player in Player::BOTH {
                    let own = threats.cells(window).filter(|cell| stones.owner(*cell) == Some(player)).count();
                    threats.held[window][player.index()] = own as u8;
                }
                threats.enter(window);
            }
        }
        threats
    }

    /// A player has put a stone on an empty point.
    pub fn play(&mut self, point: Point, player: Player) {
        self.stones.put(point, player);
        self.change(point, |held| held[player.index()] += 1);
    }

    /// The player's stone on this point is taken back.
    pub fn undo(&mut self, point: Point, player: Player) {
        self.stones.remove(point, player);
        self.change(point, |held| held[player.index()] -= 1);
    }

    /// How many stones the opponent of `player` needs to hit every threatening window: 0, 1, 2, or 3 for three or more.
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

    /// How many windows hold exactly so many stones of `player`, 0 to 6, and none of the other.
    #[must_use]
    pub fn open_windows(&self, player: Player, stones: usize) -> u32 {
        self.sides[player.index()].open[stones]
    }

    /// Whether `player` could complete a six with so many stones, one or two.
    #[must_use]
    pub fn can_win(&self, player: Player, stones: usize) -> bool {
        self.sides[player.index()].open[LINE - stones.min(LINE)..].iter().any(|count| *count > 0)
    }

    /// The empty points of the threatening windows of `player`: where he wins, and where he must be stopped.
    #[must_use]
    pub fn points(&self, player: Player) -> Vec<Point> {
        let mut points: Vec<Point> = self.threatening(player).flat_map(|window| self.gaps(window)).collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    fn number(&self, direction: usize, first: Point) -> usize {
        let size = self.stones.size();
        direction * size * size + self.stones.index(first)
    }

    fn fits(&self, direction: usize, first: Point) -> bool {
        first.step(DIRECTIONS[direction], LINE as isize - 1, self.stones.size()).is_some()
    }

    /// The six points of a window.
    fn cells(&self, window: usize) -> impl Iterator<Item = Point> + use<> {
        let size = self.stones.size();
        let first = self.stones.at(window % (size * size)).expect("a window begins on the board");
        let direction = DIRECTIONS[window / (size * size)];
        (0..LINE as isize).map(move |steps| first.step(direction, steps, size).expect("a window lies on the board"))
    }

    /// The empty points of a window.
    fn gaps(&self, window: usize) -> impl Iterator<Item = Point> + '_ {
        self.cells(window).filter(|cell| self.stones.is_empty(*cell))
    }

    fn threatening(&self, player: Player) -> impl Iterator<Item = usize> + '_ {
        self.sides[player.index()].threatening.iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|bits| *bits != 0)
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    /// A threatening window that holds none of these points.
    fn unhit(&self, player: Player, points: &[Point]) -> Option<usize> {
        self.threatening(player).find(|window| !self.cells(*window).any(|cell| points.contains(&cell)))
    }

    /// Changes the counts of all windows through a point.
    fn change(&mut self, point: Point, change: impl Fn(&mut [u8; 2])) {
        for (direction, step) in DIRECTIONS.into_iter().enumerate() {
            for steps in 0..LINE as isize {
                let first = point.step(step, -steps, self.stones.size());
                let Some(first) = first.filter(|first| self.fits(direction, *first)) else { continue };
                let window = self.number(direction, first);
                self.leave(window);
                change(&mut self.held[window]);
                self.enter(window);
            }
        }
    }

    /// Counts a window in for whom it is open.
    fn enter(&mut self, window: usize) {
        for player in Player::BOTH {
            let [own, other] = [player, player.other()].map(|player| usize::from(self.held[window][player.index()]));
            if other == 0 {
                let side = &mut self.sides[player.index()];
                side.open[own] += 1;
                side.threatening[window / 64] |= u64::from(own >= THREAT) << (window % 64);
            }
        }
    }

    /// Counts a window out.
    fn leave(&mut self, window: usize) {
        for player in Player::BOTH {
            let [own, other] = [player, player.other()].map(|player| usize::from(self.held[window][player.index()]));
            if other == 0 {
                let side = &mut self.sides[player.index()];
                side.open[own] -= 1;
                side.threatening[window / 64] &= !(1 << (window % 64));
            }
        }
    }
}
