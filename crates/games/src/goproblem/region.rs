//! Problems cut out of whole boards: the stones at a point, a region around them in which play is
//! allowed, and what of the surroundings matters.
//!
//! The *target* is the chain at a point of a Go board; its owner is the defender. The region grows
//! from the target over empty points, nearest first, where distance is the least cost of a path:
//!
//! | step to | cost |
//! |---|---|
//! | a stone of the defender | 1 |
//! | an empty point | 2 |
//! | a stone of the attacker whose chain has at most two liberties | 4 |
//! | another stone of the attacker | 1,000 |
//!
//! so weak stones of the attacker do not bound the region. Points farther than 8 are never taken.
//! Chains that touch the region or the target are on the board, and chains that touch those; others
//! are left out. A chain without liberties outside the region may be captured, so its points are
//! feasible too. Stones of the defender with two liberties or more outside the region are alive.
//!
//! What a search proves of such a problem, it proves of the region alone. An *open* region leaves
//! the empty points around it empty: play is not allowed there, so chains that touch them cannot be
//! captured. A *closed* region gives them to the attacker, as if the target were already enclosed:
//! then a kill that works in a larger region is more credible, and stones that die may still
//! escape. Callers therefore ask in regions of growing size and believe the largest that they
//! solve, and ask an open region about escapes (`crates/agents/benches/owl.rs`, which measures this
//! on GNU Go's questions). The costs and limits were chosen on those questions.

use super::problem::{neighbours, places};
use super::{GoProblem, Mode, Place, Problem};
use crate::go::Go;
use std::collections::VecDeque;
use tesuji_core::Player;

/// The farthest that a point of a region may be from the target.
const FARTHEST: u32 = 8;
/// The cost of a step over strong stones of the attacker.
const WALL: u32 = 1_000;

/// The size of a region and whether it is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The most empty points in which play is allowed.
    pub points: usize,
    /// Whether the empty points around it belong to the attacker.
    pub closed: bool,
}

impl Region {
    /// The problem of killing or saving the stones at `target`; the player who has to do it is
    /// Black there and moves first.
    ///
    /// `None` if the point is empty or no problem can be made: chains that are on the board without
    /// their surroundings may be without liberties.
    ///
    /// ```
    /// use tesuji_core::Player::{First, Second};
    /// use tesuji_games::go::{Go, GoRules};
    /// use tesuji_games::goproblem::{Mode, Place, Region};
    ///
    /// // White's three stones on the edge of 5×5, surrounded by Black's; (column, row) from
    /// // the lower left.
    /// let white = [(Second, 0, 1), (Second, 1, 1), (Second, 1, 0)];
    /// let black = [(First, 0, 2), (First, 1, 2), (First, 2, 0), (First, 2, 1)];
    /// let go = Go::with_stones(GoRules::on(5), &[&white[..], &black[..]].concat(), First).unwrap();
    /// let target = Place::read("A2", 5).unwrap();
    /// let start = Region { points: 4, closed: true }.cut(&go, target, Mode::Kill).unwrap();
    /// assert_eq!(start.problem().places_where(|site| site.important).len(), 3);
    /// assert!(start.problem().site(Place::read("A1", 5).unwrap()).feasible);
    /// ```
    #[must_use]
    pub fn cut(self, go: &Go, target: Place, mode: Mode) -> Option<GoProblem> {
        let stones = Stones::of(go);
        // Two rings of chains around the region, or one where that is too large or cuts chains off
        // from their liberties.
        [2, 1].into_iter().find_map(|rings| GoProblem::new(stones.problem(target, mode, self, rings)?).ok())
    }

    /// The problems of regions that grow by two points, from the least size to the greatest; each
    /// with its region.
    pub fn growing(
        go: &Go,
        target: Place,
        mode: Mode,
        closed: bool,
        sizes: std::ops::RangeInclusive<usize>,
    ) -> impl Iterator<Item = (Region, GoProblem)> {
        let regions = sizes.step_by(2).map(move |points| Region { points, closed });
        regions.map_while(move |region| Some((region, region.cut(go, target, mode)?)))
    }
}

/// The stones of a board, row by row from the top.
struct Stones {
    size: u8,
    owners: Vec<Option<Player>>,
}

impl Stones {
    fn of(go: &Go) -> Stones {
        let board = go.board();
        let size = go.size() as u8;
        let mut owners = vec![None; usize::from(size) * usize::from(size)];
        for point in board.points() {
            let (column, row) = board.column_row(point);
            owners[(go.size() - 1 - row) * go.size() + column] = board.stone_at(point);
        }
        Stones { size, owners }
    }

    fn index(&self, place: Place) -> usize {
        usize::from(place.row) * usize::from(self.size) + usize::from(place.column)
    }

    fn at(&self, place: Place) -> Option<Player> {
        self.owners[self.index(place)]
    }

    /// The chain of a stone and its liberties.
    fn chain(&self, stone: Place) -> (Vec<Place>, Vec<Place>) {
        let owner = self.at(stone);
        let (mut chain, mut liberties) = (vec![stone], Vec::new());
        let mut next = 0;
        while next < chain.len() {
            for place in neighbours(chain[next], self.size) {
                match self.at(place) {
                    None if !liberties.contains(&place) => liberties.push(place),
                    other if other == owner && !chain.contains(&place) => chain.push(place),
                    _ => {}
                }
            }
            next += 1;
        }
        (chain, liberties)
    }

    /// The distance of each point from these, where entering a point costs `step(point)`.
    fn distances(&self, from: &[Place], step: impl Fn(Place) -> u32) -> Vec<u32> {
        let mut far = vec![u32::MAX; self.owners.len()];
        let mut queue: VecDeque<Place> = from.iter().copied().collect();
        from.iter().for_each(|place| far[self.index(*place)] = 0);
        while let Some(place) = queue.pop_front() {
            for next in neighbours(place, self.size) {
                let distance = far[self.index(place)].saturating_add(step(next));
                if distance < far[self.index(next)] {
                    far[self.index(next)] = distance;
                    queue.push_back(next);
                }
            }
        }
        far
    }

    /// Which points are on the board of the problem: the region, the target, and `rings` of chains
    /// around them.
    fn kept(&self, near: &[Place], chain: &[Place], rings: u32) -> Vec<bool> {
        let mut kept: Vec<bool> =
            places(self.size).map(|place| near.contains(&place) || chain.contains(&place)).collect();
        for _ in 0..rings {
            let before = kept.clone();
            for place in places(self.size).filter(|place| self.at(*place).is_some()) {
                if !kept[self.index(place)] && neighbours(place, self.size).any(|next| before[self.index(next)]) {
                    self.chain(place).0.iter().for_each(|stone| kept[self.index(*stone)] = true);
                }
            }
        }
        kept
    }

    fn problem(&self, target: Place, mode: Mode, region: Region, rings: u32) -> Option<Problem> {
        let defender = self.at(target)?;
        let attacker = defender.other();
        let black = if mode == Mode::Kill { attacker } else { defender };
        let (chain, _) = self.chain(target);
        let step = |place: Place| match self.at(place) {
            None => 2,
            Some(owner) if owner == defender => 1,
            Some(_) if self.chain(place).1.len() <= 2 => 4,
            Some(_) => WALL,
        };
        let far = self.distances(&chain, step);
        let mut near: Vec<Place> = places(self.size).filter(|place| self.at(*place).is_none()).collect();
        near.retain(|place| far[self.index(*place)] <= FARTHEST);
        near.sort_by_key(|place| far[self.index(*place)]);
        near.truncate(region.points);
        let kept = self.kept(&near, &chain, rings);
        let mut problem = Problem::new(self.size, mode);
        for place in places(self.size).filter(|place| kept[self.index(*place)]) {
            let site = problem.site_mut(place);
            site.stone = self.at(place).map(|owner| if owner == black { Player::First } else { Player::Second });
            site.feasible = near.contains(&place);
            site.important = chain.contains(&place);
            let Some(owner) = self.at(place) else { continue };
            let (own, liberties) = self.chain(place);
            let outside = liberties.iter().filter(|liberty| !near.contains(liberty)).count();
            // Stones that may be captured leave feasible points.
            site.feasible = outside == 0 && own.iter().any(|stone| far[self.index(*stone)] < WALL);
            site.alive = owner == defender && !site.important && outside >= 2;
        }
        if region.closed {
            let open = |place: &Place| {
                let touches = |next: Place| {
                    let site = problem.site(next);
                    near.contains(&next) || self.at(next) == Some(defender) && site.stone.is_some() && !site.alive
                };
                self.at(*place).is_none() && !near.contains(place) && neighbours(*place, self.size).any(touches)
            };
            let wall: Vec<Place> = places(self.size).filter(open).collect();
            for place in wall {
                problem.site_mut(place).stone = Some(if attacker == black { Player::First } else { Player::Second });
            }
        }
        Some(problem)
    }
}
