//! The constants of a problem: which points are in play, and their neighbours.

use super::problem::{Place, Problem, ProblemError};
use crate::bit_set::BitSet;

/// The most points in play.
pub(super) const MOST_POINTS: usize = 256;

/// A set of points in play, by their numbers.
pub(super) type Points = BitSet<{ MOST_POINTS / 64 }>;

/// The number of plies after which a problem with `feasible` feasible points ends as seki.
///
/// The limit ends cycles and does not affect ordinary play. Of 60 random local problems 53 were
/// solved within three million nodes with 6·f + 20, and their values and plies to the end are the
/// same with 2·f + 16, 3·f + 20 and 4·f + 20. (One had ended at the start; the other six, the
/// largest, were not compared.)
#[must_use]
pub const fn most_plies(feasible: u32) -> u32 {
    3 * feasible + 20
}

/// The constants of a problem.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Tables {
    pub(super) problem: Problem,
    /// The points in play, by their numbers.
    pub(super) places: Vec<Place>,
    /// The number of every point of the board, if it is in play.
    pub(super) numbers: Vec<Option<u16>>,
    /// All points in play.
    pub(super) all: Points,
    /// Whether there are points out of play.
    pub(super) points_out_of_play: bool,
    pub(super) feasible: Points,
    /// Neighbours in play.
    pub(super) neighbours: Vec<Points>,
    /// The same in the order above, below, left, right.
    pub(super) around: Vec<Vec<u16>>,
    pub(super) diagonals: Vec<Points>,
    /// The number of diagonals that a true eye needs.
    pub(super) eye_diagonals: Vec<u8>,
    /// Points with a neighbour out of play, which stays empty.
    pub(super) open: Points,
    /// Points adjacent to one that stays empty: a chain that holds one of them is never captured.
    pub(super) beside_forever: Points,
    pub(super) most_plies: u16,
}

impl Tables {
    pub(super) fn new(problem: Problem) -> Result<Tables, ProblemError> {
        problem.check()?;
        let matters = |place: Place| {
            let site = problem.site(place);
            site.stone.is_some() || site.feasible
        };
        let in_play = |place: &Place| matters(*place) || problem.neighbours(*place).any(matters);
        let places: Vec<Place> = problem.places().filter(in_play).collect();
        if places.len() > MOST_POINTS {
            return Err(ProblemError::TooLarge(places.len()));
        }
        let numbers: Vec<Option<u16>> =
            problem.places().map(|place| places.binary_search(&place).ok().map(|number| number as u16)).collect();
        let number =
            |place: Place| numbers[usize::from(place.row) * usize::from(problem.size) + usize::from(place.column)];
        let set = |which: &dyn Fn(Place) -> bool| -> Points {
            places.iter().enumerate().filter(|(_, place)| which(**place)).map(|(number, _)| number).collect()
        };
        let around: Vec<Vec<u16>> =
            places.iter().map(|place| problem.neighbours(*place).filter_map(number).collect()).collect();
        let feasible = set(&|place| problem.site(place).feasible);
        Ok(Tables {
            all: set(&|_| true),
            points_out_of_play: places.len() < problem.sites.len(),
            feasible,
            neighbours: around.iter().map(|list| list.iter().map(|number| usize::from(*number)).collect()).collect(),
            around,
            diagonals: places
                .iter()
                .map(|place| problem.diagonals(*place).filter_map(number).map(usize::from).collect())
                .collect(),
            eye_diagonals: places
                .iter()
                .map(|place| match problem.neighbours(*place).count() {
                    2 => 1,
                    3 => 2,
                    _ => 3,
                })
                .collect(),
            open: set(&|place| problem.neighbours(place).any(|next| number(next).is_none())),
            beside_forever: set(&|place| problem.neighbours(place).any(|next| !matters(next))),
            most_plies: most_plies(feasible.count()) as u16,
            places,
            numbers,
            problem,
        })
    }

    /// The chain of a stone among `stones`, and all points adjacent to its stones (including its
    /// own stones, where it has two).
    #[inline]
    pub(super) fn chain(&self, stone: usize, stones: Points) -> (Points, Points) {
        let mut chain = Points::single(stone);
        let mut reach = self.neighbours[stone];
        let mut frontier = reach & stones;
        frontier.remove(stone);
        while let Some(next) = frontier.pop_first() {
            chain.insert(next);
            let beside = self.neighbours[next];
            reach |= beside;
            frontier |= beside & stones & !chain;
        }
        (chain, reach)
    }

    /// The chain of a stone among `stones` if it touches none of `empty`. Most chains do, and the
    /// search stops at once.
    #[inline]
    pub(super) fn chain_without(&self, empty: Points, stone: usize, stones: Points) -> Option<Points> {
        let mut chain = Points::EMPTY;
        let mut frontier = Points::single(stone);
        while let Some(next) = frontier.pop_first() {
            let beside = self.neighbours[next];
            if beside.intersects(empty) {
                return None;
            }
            chain.insert(next);
            frontier |= beside & stones & !chain;
        }
        Some(chain)
    }

    /// Whether the chain of a stone among `stones` touches exactly one of `empty`.
    #[inline]
    pub(super) fn has_one_liberty(&self, empty: Points, stone: usize, stones: Points) -> bool {
        let (mut chain, mut liberties) = (Points::EMPTY, Points::EMPTY);
        let mut frontier = Points::single(stone);
        while let Some(next) = frontier.pop_first() {
            let beside = self.neighbours[next];
            liberties |= beside & empty;
            if liberties.count() > 1 {
                return false;
            }
            chain.insert(next);
            frontier |= beside & stones & !chain;
        }
        liberties.count() == 1
    }

    /// The empty points that touch nothing but `stones` and the border.
    #[inline]
    pub(super) fn eyes(&self, empty: Points, stones: Points) -> Points {
        let mut eyes = Points::EMPTY;
        for point in empty & !self.open {
            if self.neighbours[point].is_subset(stones) {
                eyes.insert(point);
            }
        }
        eyes
    }
}
