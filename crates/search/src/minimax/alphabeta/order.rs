//! Move ordering: the sooner the refutation is tried, the smaller the tree.
//!
//! 1. the table's move;
//! 2. loud moves, most valuable victim first, least valuable attacker first among equals (MVV-LVA);
//! 3. the two quiet moves that last refuted a sibling (killers, Akl & Newborn 1977);
//! 4. quiet moves by how often they caused cut-offs lately (history, Schaeffer 1989, with decay as
//!    they approach the bound: h ← h + b − h·|b|/H).
//!
//! Where the game has a preference among moves, quiet moves are ranked by it and by history
//! together in positions with enough depth left: half the weight costs [`HALF_WEIGHT`] of history.

use tesuji_core::{Player, Studied};

/// A move and its rank.
#[derive(Clone, Copy)]
pub(super) struct RankedMove<M> {
    pub(super) mv: M,
    pub(super) index: u32,
    pub(super) rank: i32,
    pub(super) loud: bool,
}

/// No move.
pub(super) const NONE: u32 = u32::MAX;

const FIRST: i32 = i32::MAX;
const LOUD: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// The bound of history counts.
const MAX_HISTORY: i32 = 1 << 14;

/// What half the weight of a preference costs, in history.
const HALF_WEIGHT: f64 = 2_000.0;
/// The most that a preference can cost.
const MAX_COST: f64 = 16_000.0;

/// The cost of a weight below the largest one, in history.
pub(super) fn shortfall(weight: f64, largest: f64) -> i32 {
    (HALF_WEIGHT * libm::log2(largest / weight)).clamp(0.0, MAX_COST) as i32
}

/// Whether a rank is that of a quiet move that is not a killer.
pub(super) fn is_quiet(rank: i32) -> bool {
    rank < KILLER
}

/// Below every other rank.
const DEFERRED: i32 = -(1 << 24);

/// Ranks a move behind all others.
pub(super) fn defer<M>(ranked: &mut RankedMove<M>) {
    ranked.rank = DEFERRED;
}

/// Whether a rank is that of a deferred move.
pub(super) fn is_deferred(rank: i32) -> bool {
    rank == DEFERRED
}

/// Killer and history tables.
pub(super) struct OrderingTables {
    killers: Vec<[u32; 2]>,
    history: [Vec<i32>; 2],
    use_killers: bool,
    use_history: bool,
}

impl OrderingTables {
    pub(super) fn new(plies: usize, move_space: usize, killers: bool, history: bool) -> OrderingTables {
        let counts = vec![0; if history { move_space } else { 0 }];
        OrderingTables {
            killers: vec![[NONE; 2]; if killers { plies } else { 0 }],
            history: [counts.clone(), counts],
            use_killers: killers,
            use_history: history,
        }
    }

    /// A move with its rank.
    #[inline]
    pub(super) fn rank<P: Studied>(&self, at: &P, mv: P::Move, best: u32, ply: u32) -> RankedMove<P::Move> {
        let index = at.move_index(mv) as u32;
        let gain = at.gain(mv);
        let rank = if index == best {
            FIRST
        } else if gain > 0 {
            LOUD + 16 * gain - at.stake(mv)
        } else {
            self.quiet_rank(at.turn(), index, ply)
        };
        RankedMove { mv, index, rank, loud: gain > 0 }
    }

    #[inline]
    fn quiet_rank(&self, mover: Player, index: u32, ply: u32) -> i32 {
        if self.use_killers {
            let [first, second] = self.killers[ply as usize];
            if index == first {
                return KILLER + 1;
            }
            if index == second {
                return KILLER;
            }
        }
        if self.use_history { self.history[mover.index()][index as usize] } else { 0 }
    }

    /// Records that a quiet move caused a cut-off and the quiet moves among `earlier` did not.
    pub(super) fn record_cutoff<M>(
        &mut self,
        mover: Player,
        found: u32,
        earlier: &[RankedMove<M>],
        ply: u32,
        depth: i32,
    ) {
        if self.use_killers {
            let killers = &mut self.killers[ply as usize];
            if killers[0] != found {
                *killers = [found, killers[0]];
            }
        }
        if self.use_history {
            let bonus = (depth * depth).min(400);
            let counts = &mut self.history[mover.index()];
            let mut add = |index: u32, bonus: i32| {
                let count = &mut counts[index as usize];
                *count += bonus - *count * bonus.abs() / MAX_HISTORY;
            };
            add(found, bonus);
            for ranked in earlier.iter().filter(|ranked| !ranked.loud) {
                add(ranked.index, -bonus);
            }
        }
    }
}

/// Swaps the best of `moves[from..]` to `from`; among equals the first.
#[inline]
pub(super) fn pick<M: Copy>(moves: &mut [RankedMove<M>], from: usize) -> RankedMove<M> {
    let mut best = from;
    for at in from + 1..moves.len() {
        if moves[at].rank > moves[best].rank {
            best = at;
        }
    }
    moves.swap(from, best);
    moves[from]
}

/// A loud move with its rank in quiescence search.
#[inline]
pub(super) fn loud<P: Studied>(at: &P, mv: P::Move) -> RankedMove<P::Move> {
    let gain = at.gain(mv);
    RankedMove { mv, index: NONE, rank: 16 * gain - at.stake(mv), loud: gain > 0 }
}
