//! In which order moves are tried: the sooner the refutation, the smaller the tree.
//!
//! 1. the table's move; 2. loud moves, most valuable victim first, least valuable attacker first among equals;
//! 3. the two quiet moves that last refuted a sibling (killers, Akl & Newborn 1977); 4. quiet moves by how
//!    often they refuted anything lately (history, Schaeffer 1989, with decay as they near the bound:
//!    h ← h + b − h·|b|/H).
//!
//! Where the game has a preference among moves, quiet moves of positions with some depth left are ranked by it and by history together:
//! half the weight counts as much as [`HALF`] of history.

use tesuji_core::{Player, Studied};

/// A move in its list.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
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
const MOST_HISTORY: i32 = 1 << 14;

/// What half the weight of a preference costs, in history.
const HALF: f64 = 2_000.0;
/// The most a preference can cost.
const MOST_COST: f64 = 16_000.0;

/// How much a weight is short of the largest, in history.
pub(super) fn shortfall(weight: f64, largest: f64) -> i32 {
    (HALF * libm::log2(largest / weight)).clamp(0.0, MOST_COST) as i32
}

/// Whether a rank is that of a quiet move that is no killer.
pub(super) fn is_plain(rank: i32) -> bool {
    rank < KILLER
}

/// Below every other rank.
const PUT_OFF: i32 = -(1 << 24);

/// Ranks a move behind all others.
pub(super) fn put_off<M>(candidate: &mut Candidate<M>) {
    candidate.rank = PUT_OFF;
}

/// Whether a rank is that of a move that was put off.
pub(super) fn was_put_off(rank: i32) -> bool {
    rank == PUT_OFF
}

/// What the search remembers of good moves.
pub(super) struct Memory {
    killers: Vec<[u32; 2]>,
    history: [Vec<i32>; 2],
    use_killers: bool,
    use_history: bool,
}

impl Memory {
    pub(super) fn new(plies: usize, move_space: usize, killers: bool, history: bool) -> Memory {
        let counts = vec![0; if history { move_space } else { 0 }];
        Memory {
            killers: vec![[NONE; 2]; if killers { plies } else { 0 }],
            history: [counts.clone(), counts],
            use_killers: killers,
            use_history: history,
        }
    }

    /// A move with its rank.
    #[inline]
    pub(super) fn candidate<P: Studied>(&self, at: &P, mv: P::Move, best: u32, ply: u32) -> Candidate<P::Move> {
        let index = at.move_index(mv) as u32;
        let gain = at.gain(mv);
        let rank = if index == best {
            FIRST
        } else if gain > 0 {
            LOUD + 16 * gain - at.stake(mv)
        } else {
            self.quiet(at.turn(), index, ply)
        };
        Candidate { mv, index, rank, loud: gain > 0 }
    }

    #[inline]
    fn quiet(&self, mover: Player, index: u32, ply: u32) -> i32 {
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

    /// A quiet move refuted the position; those tried before it (quiet ones among `earlier`) did not.
    pub(super) fn refuted<M>(&mut self, mover: Player, found: u32, earlier: &[Candidate<M>], ply: u32, depth: i32) {
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
                *count += bonus - *count * bonus.abs() / MOST_HISTORY;
            };
            add(found, bonus);
            for candidate in earlier.iter().filter(|candidate| !candidate.loud) {
                add(candidate.index, -bonus);
            }
        }
    }
}

/// Brings the best of `candidates[from..]` to `from`; equals keep their order as far as it matters.
#[inline]
pub(super) fn pick<M: Copy>(candidates: &mut [Candidate<M>], from: usize) -> Candidate<M> {
    let mut best = from;
    for at in from + 1..candidates.len() {
        if candidates[at].rank > candidates[best].rank {
            best = at;
        }
    }
    candidates.swap(from, best);
    candidates[from]
}

/// What a capture promises in quiescence search: the same rank as above.
#[inline]
pub(super) fn loud<P: Studied>(at: &P, mv: P::Move) -> Candidate<P::Move> {
    let gain = at.gain(mv);
    Candidate { mv, index: NONE, rank: 16 * gain - at.stake(mv), loud: gain > 0 }
}
