//! Static death: important stones that are captured whatever their owner plays, recognised from the
//! shape of their room.
//!
//! **Terms.** A point that is empty and not feasible at the start stays empty for ever. An
//! attacking chain beside such a point is **safe**: it cannot be captured. *D* is a chain with an
//! important stone. Its **room** is what can be reached from D without crossing safe stones: D,
//! other stones of the defender, empty points, attackers that are not safe. A point of the room is
//! **outer** if it is beside a safe stone, else **inner**. Assume that D has two stones or more,
//! that the room outside D is feasible, and that no point of the room is marked alive.
//!
//! 1. The border of the room is safe, so nothing outside affects it. D and the safe stones only
//!    grow, so the room outside D (n points) and its inner points (the set *I*) only shrink.
//! 2. On an outer liberty of D the attacker's stone joins safe stones: it is legal, no ko, and
//!    stays. On the only liberty of D it captures D: legal, and no ko since D has two stones.
//! 3. Lin's test needs two one-point eyes beside D. They touch neither each other nor a safe stone,
//!    so they are two points of I that do not touch.
//!
//! **The shapes of I.** Except in the first shape, the defender has no stones in I.
//!
//! * *Small*: at most one point, or two that touch. By 3 never alive. The attacker takes the only
//!   liberty of D, else an outer one, else (D has exactly two liberties, the points of I) one of
//!   these. If the defender then takes the other one, I has one point left; else D is captured. At
//!   most n turns.
//! * *Star*: a centre and k = 2, 3 or 4 neighbours of it, all other neighbours of these points in
//!   D. The attacker has the centre, or it is empty with an empty neighbour and the attacker moves
//!   and takes it. Then no point of I is an eye. A stone of the defender on a neighbour leaves a
//!   smaller star with its centre taken; or it captures all attackers inside, and the attacker
//!   takes the centre of the smaller star again (of two points: the first shape). The attacker
//!   takes outer liberties first, then neighbours of the centre; the last one captures D.
//! * *Square*: four points, each with a neighbour in D, all other neighbours in D; the attackers
//!   inside are not exactly two on a diagonal. After any stone of the defender it is a bent three
//!   whose centre the attacker has or takes; with attackers on a diagonal alone the attacker might
//!   have no liberty there. The attacker plays inside only where no outer liberty is left, beside a
//!   stone of its own.
//!
//! So D is captured if nothing ends the problem before. The attacker never retakes a ko, so it has
//! the full score unless it has retaken one before.
//!
//! **Passes.** Three passes in a row do not occur, since the attacker never passes; but the
//! defender wins by passing four times more often. The defender may pass only if each of its legal
//! points fills own space, retakes a ko, or joins own stones with one liberty left. If D has three
//! liberties at the defender's turn, one of them is beside an attacker or an empty point, and a
//! stone there leaves D two: no pass. With one liberty a pass is the last. With two, the attacker
//! leaves one, and the defender must play there. In each round (attacker, defender) D loses at
//! least two liberties, or one where the defender does not play on a liberty of D, and gains those
//! points that were no liberties before. So two liberties at the defender's turn again take a stone
//! that gains two points or more: of the m points of the room that are neither D's, nor its
//! liberties, nor in a star or square (these are gained once; in a small I one point may return);
//! or a capture of three or more in a star or square, which happens at most k − 2 times, and once.
//! Hence at most 2 + m/2 passes, plus k − 2 in a star and 1 in a square.
//!
//! **Plies.** At most n turns of the attacker for a small I; else n − |I| outside, and inside
//! k(k+1)/2 + 1 in a star and 7 in a square.
//!
//! A ko inside the room at the defender's turn is left to the search. `check/death.rs` checks the
//! certificate with code of its own.
//!
//! References: the shapes are those of every textbook; Wolf, "The program GoTools and its
//! computer-generated tsume go database", 1994, has static tests of the kind.

use super::GoProblem;
use super::tables::Points;
use tesuji_core::{Player, Position};

/// Points of the largest shape, the star with four neighbours.
const MOST_INNER: u32 = 5;

/// Upper bounds of the time that a shape of inner points resists.
struct Resistance {
    /// Turns of the attacker until the capture.
    turns: u32,
    /// Passes of the defender on the way.
    passes: u32,
}

impl GoProblem {
    /// Whether important stones of a live problem are captured whatever is played; then the
    /// attacker has the full score.
    #[must_use]
    pub fn dies_statically(&self) -> bool {
        let defender = self.problem().mode.defender();
        let attacker = defender.other();
        let attacker_moves = self.turn() == attacker;
        if self.ending().is_some()
            || self.ko_winner() == Some(attacker)
            || !attacker_moves && self.passes_in_a_row() >= 2
        {
            return false;
        }
        let passes = if defender == Player::First { self.pass_balance() } else { -self.pass_balance() };
        let mut known = None;
        let mut left = self.important_points() & self.stones_of(defender);
        while let Some(stone) = left.pop_first() {
            let (chain, reach) = self.tables.chain(stone, self.stones_of(defender));
            left &= !chain;
            // Liberties away from all attackers are inner: with many of them no shape fits.
            let attackers = self.stones_of(attacker);
            let away = |point: &usize| !self.tables.neighbours[*point].intersects(attackers);
            if (reach & self.empty_points()).filter(away).count() > MOST_INNER as usize {
                continue;
            }
            let (safe, beside_safe) = *known.get_or_insert_with(|| self.safe_stones(attacker));
            if let Some(Resistance { turns, passes: more }) =
                self.resistance(chain, reach & self.empty_points(), safe, beside_safe)
                && i32::from(passes) + (more as i32) < 4
                && self.plies() + 2 * turns + 1 < self.most_plies()
            {
                return true;
            }
        }
        false
    }

    /// The safe stones of the attacker, and all points beside them.
    fn safe_stones(&self, attacker: Player) -> (Points, Points) {
        let tables = &*self.tables;
        let stones = self.stones_of(attacker);
        let (mut safe, mut beside) = (Points::EMPTY, Points::EMPTY);
        let mut frontier = stones & tables.beside_forever;
        while let Some(stone) = frontier.pop_first() {
            safe.insert(stone);
            let next = tables.neighbours[stone];
            beside |= next;
            frontier |= next & stones & !safe;
        }
        (safe, beside)
    }

    /// How long a chain of the defender resists; `None` if its capture is not certain.
    fn resistance(&self, chain: Points, liberties: Points, safe: Points, beside_safe: Points) -> Option<Resistance> {
        let tables = &*self.tables;
        let stone = chain.into_iter().next()?;
        let (room, _) = tables.chain(stone, tables.all & !safe);
        let rest = room & !chain;
        if chain.count() < 2 || !rest.is_subset(tables.feasible) || room.intersects(self.alive_points()) {
            return None;
        }
        let attacker_moves = self.turn() != self.problem().mode.defender();
        if !attacker_moves && self.ko_place().and_then(|place| self.number(place)).is_some_and(|ko| room.contains(ko)) {
            return None;
        }
        let inner = rest & !beside_safe;
        let hidden = rest & !liberties;
        let size = inner.count();
        let points = rest.count();
        if size <= 1 || size == 2 && self.touch(inner) {
            let passes = 2 + (hidden.count() + u32::from(size == 2)) / 2;
            return Some(Resistance { turns: points, passes: passes.min(points) });
        }
        let attackers = self.stones_of(self.problem().mode.defender().other());
        // All other neighbours belong to the chain, and there are no other stones of the defender's
        // inside.
        if size > MOST_INNER
            || !inner.is_subset(self.empty_points() | attackers)
            || !inner.into_iter().all(|point| tables.neighbours[point].is_subset(inner | chain))
        {
            return None;
        }
        let outside = points - size;
        let passes = 2 + (hidden & !inner).count() / 2;
        if let Some(centre) = inner.into_iter().find(|point| {
            let mut others = inner;
            others.remove(*point);
            others.is_subset(tables.neighbours[*point])
        }) {
            let taken = attackers.contains(centre);
            let free = attacker_moves
                && !attackers.contains(centre)
                && tables.neighbours[centre].intersects(inner & self.empty_points());
            let leaves = size - 1;
            return (taken || free)
                .then(|| Resistance { turns: outside + leaves * (leaves + 1) / 2 + 1, passes: passes + leaves - 2 });
        }
        let square = size == 4
            && inner.into_iter().all(|point| {
                (tables.neighbours[point] & inner).count() == 2 && tables.neighbours[point].intersects(chain)
            });
        let on_diagonal = (inner & attackers).count() == 2 && !self.touch(inner & attackers);
        (square && !on_diagonal).then_some(Resistance { turns: outside + 7, passes: passes + 1 })
    }

    /// Whether two points touch.
    fn touch(&self, two: Points) -> bool {
        two.into_iter().next().is_some_and(|point| self.tables.neighbours[point].intersects(two))
    }
}
