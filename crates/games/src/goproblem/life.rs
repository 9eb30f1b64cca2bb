//! Unconditional life, and an order of moves for life-and-death problems.
//!
//! **Unconditional life** (Benson 1976): a chain that owns two small enclosed regions all of whose
//! points are its liberties cannot be captured, whatever its owner plays elsewhere. Benson's
//! theorem says that the stones stay; a problem also requires that Lin's test *declares* them alive
//! before passes or the limit of plies end it. So the condition here is narrower: one chain holds
//! all important stones, and owns two regions of at most three empty points each, such that
//!
//! * all neighbours of their points are points of the region or stones of the chain, and every
//!   point is a liberty of the chain;
//! * play is allowed on all their points.
//!
//! A region of s points becomes a one-point eye by at most s − 1 stones of the owner, however the
//! attacker plays inside: the attacker can never fill the last point, and is captured there without
//! a ko, since the chain has a liberty elsewhere. With two one-point eyes Lin's test holds. So n =
//! Σ(s − 1) turns suffice. The certificate holds if within n turns of the owner and one more of the
//! attacker neither passes nor plies can end the problem, and if the owner has not retaken a ko,
//! which would halve the score.
//!
//! `check/life.rs` checks the certificate with code of its own.
//!
//! **Order**: captures of important stones and their escapes from atari first; then escapes of
//! other stones, and captures; then liberties of important stones and points with many empty
//! neighbours, as the vital point of a shape has most of them; then the rest, self-ataris, and the
//! pass.
//!
//! References: Benson, "Life in the game of Go", Information Sciences 10, 1976; Wolf, "Forward
//! pruning and other heuristic search techniques in tsume go", 2000, for the order.

use super::check::{STATIC_DEATH, UNCONDITIONAL_LIFE};
use super::tables::{MOST_POINTS, Points};
use super::{GoProblem, Move};
use std::ops::ControlFlow;
use tesuji_core::{Certificate, Player, Position};

/// The largest region that is examined.
const LARGEST_REGION: u32 = 3;

impl GoProblem {
    /// Whether the important stones of a live problem live unconditionally; then their owner has
    /// the full score.
    #[must_use]
    pub fn lives_unconditionally(&self) -> bool {
        let defender = self.problem().mode.defender();
        if self.ending().is_some() || self.ko_winner() == Some(defender) {
            return false;
        }
        let Some(turns) = self.turns_to_live(defender) else { return false };
        let attacker_passes = if defender == Player::First { -self.pass_balance() } else { self.pass_balance() };
        // The attacker may pass before each of these turns and once more; four passes more than the
        // owner's win.
        i32::from(attacker_passes) + turns as i32 + 1 < 4
            && u32::from(self.passes_in_a_row()) < 2
            && self.plies() + 2 * turns + 1 < self.most_plies()
    }

    /// The player who has the full score by unconditional life or static death (`death.rs`).
    #[must_use]
    pub fn settled(&self) -> Option<Player> {
        let owner = self.problem().mode.defender();
        if self.lives_unconditionally() { Some(owner) } else { self.dies_statically().then(|| owner.other()) }
    }

    /// The stones that the owner needs until Lin's test holds; `None` without two small regions.
    fn turns_to_live(&self, defender: Player) -> Option<u32> {
        let tables = &*self.tables;
        let own = self.stones_of(defender);
        let important = self.important_points();
        let stone = important.into_iter().next()?;
        let (chain, _) = tables.chain(stone, own);
        if !important.is_subset(chain) {
            return None;
        }
        let playable = self.empty_points() & tables.feasible;
        // The two smallest regions, by the stones they need.
        let mut found = [u32::MAX; 2];
        let mut left = playable & !tables.open;
        while let Some(point) = left.pop_first() {
            // A region is what is not the chain's: other stones inside make it none.
            let Some(region) = self.small_region(point, chain, playable) else { continue };
            left &= !region;
            let stones = region.count() - 1;
            if stones < found[1] {
                found = [found[0].min(stones), found[0].max(stones)];
            }
        }
        (found[1] < u32::MAX).then(|| found[0] + found[1])
    }

    /// The region of a point outside the chain, if it is small and all its points are playable
    /// liberties of the chain.
    fn small_region(&self, point: usize, chain: Points, playable: Points) -> Option<Points> {
        let tables = &*self.tables;
        let mut region = Points::EMPTY;
        let mut frontier = Points::single(point);
        while let Some(next) = frontier.pop_first() {
            let beside = tables.neighbours[next];
            let fits = beside.is_subset(chain | playable) && beside.intersects(chain) && !tables.open.contains(next);
            region.insert(next);
            frontier |= beside & !chain & !region;
            if !fits || (region | frontier).count() > LARGEST_REGION {
                return None;
            }
        }
        Some(region)
    }

    /// Appends the moves of the side to move, the most urgent first.
    pub fn ordered_moves(&self, moves: &mut Vec<Move>) {
        let from = moves.len();
        let tables = &*self.tables;
        let defending = self.stones_of(self.problem().mode.defender());
        let own = self.stones_of(self.turn());
        let empty = self.empty_points();
        // Liberties of important chains; a stone on the only liberty decides.
        let mut atari = Points::EMPTY;
        let mut shared = Points::EMPTY;
        let mut left = self.important_points();
        while let Some(stone) = left.pop_first() {
            let (chain, reach) = tables.chain(stone, defending);
            left &= !chain;
            let liberties = reach & empty;
            shared |= liberties;
            if liberties.count() == 1 {
                atari |= liberties;
            }
        }
        let worth = |mv: Move| {
            if mv.is_pass() {
                return 0;
            }
            let point = usize::from(mv.0);
            let beside = tables.neighbours[point];
            let captures = self.captures(point);
            let short = !captures && {
                let mut rest = empty;
                rest.remove(point);
                tables.has_one_liberty(rest, point, own)
            };
            let escapes = !captures && !short && (beside & own).any(|stone| tables.has_one_liberty(empty, stone, own));
            11 + 100 * i32::from(atari.contains(point)) + 30 * i32::from(escapes) + 20 * i32::from(captures)
                - 10 * i32::from(short)
                + 6 * i32::from(shared.contains(point))
                + 4 * (beside & empty).count() as i32
                + (tables.diagonals[point] & empty).count() as i32
        };
        // Lists are short: each move is put in its place at once, behind those of its worth.
        let mut worths = [0; MOST_POINTS + 1];
        let _ = self.visit_moves::<()>(|mv| {
            let value = worth(mv);
            let count = moves.len() - from;
            let place = worths[..count].partition_point(|other| *other >= value);
            worths.copy_within(place..count, place + 1);
            worths[place] = value;
            moves.insert(from + place, mv);
            ControlFlow::Continue(())
        });
    }
}

/// The certificate of a position that is settled for `claimant`: by unconditional life if the
/// claimant owns the important stones, else by static death.
#[must_use]
pub fn settled_certificate(position: &GoProblem, claimant: Player) -> Option<Certificate> {
    let kind = if claimant == position.problem().mode.defender() { UNCONDITIONAL_LIFE } else { STATIC_DEATH };
    (position.settled() == Some(claimant)).then(|| Certificate::new(kind, Vec::new()))
}
