//! Inferior cells: fill-in and domination.
//!
//! **Fill-in** (P ≡ P′: the same winner, with either side to move).
//!
//! * A *dead* cell (`graph.rs`) may be given to either player.
//! * A pair {a, b} is *captured* by X if a stone of X on b kills a and one on a kills b: when Y
//!   takes one of them, X takes the other and the first is dead. So X may own both. A captured pair
//!   stays captured, whatever is played elsewhere, since dead cells stay dead.
//!
//! Both are repeated on the board as filled so far, until nothing changes. If P′ is P filled, then
//! also P + q ≡ P′ + q for every further stone q outside of the filled cells.
//!
//! **Domination.** If X's stone on b kills a, or captures it with some c, then P + b ≡ P + b + a,
//! which is at least as good for X as P + a. So X need not consider a if b is considered or known
//! to lose. Of cells that dominate each other one stays.
//!
//! References: van Rijswijck, "Binary combinatorial games", 2003; Hayward et al., "Solving 7×7 Hex:
//! virtual connections and game-state reduction", 2003. Their patterns are larger; these follow
//! from the graph alone. Captured-reversible moves (Henderson & Hayward, "Captured-reversible moves
//! and star-decomposition domination in Hex", 2013) were tried: they save one node in forty on 7×7
//! and need one more kind of argument, so they are omitted.

use super::graph::Graph;
use super::{Board, Set, members};
use tesuji_core::Player;

/// One step of fill-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A dead cell is given to the favoured player.
    Dead(usize),
    /// A player gets a captured pair.
    Captured(Player, usize, usize),
}

/// A board after fill-in.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    pub(super) board: Board,
    pub(super) steps: Vec<Step>,
    /// The pairs that each player has captured.
    pub(super) captured: [Set; 2],
}

/// Fills in a board; dead cells go to `favoured`.
pub(super) fn fill(board: &Board, favoured: Player) -> Filled {
    let mut filled = Filled { board: *board, steps: Vec::new(), captured: [0; 2] };
    loop {
        let now = filled.steps.len();
        let graphs = Player::BOTH.map(|player| Graph::new(&filled.board, player));
        let mut free = filled.board.empty();
        for cell in members(free) {
            if graphs.iter().any(|graph| graph.is_dead(cell)) {
                filled.steps.push(Step::Dead(cell));
                filled.board.stones[favoured.index()] |= 1 << cell;
            }
        }
        if filled.steps.len() > now {
            continue;
        }
        for player in Player::BOTH {
            let graph = &graphs[player.other().index()];
            for cell in members(free) {
                if free >> cell & 1 == 0 {
                    continue;
                }
                let other =
                    members(graph.killers(cell, 0) & free).find(|other| graph.killers(*other, 0) >> cell & 1 == 1);
                if let Some(other) = other {
                    let pair = 1 << cell | 1 << other;
                    free &= !pair;
                    filled.board.stones[player.index()] |= pair;
                    filled.captured[player.index()] |= pair;
                    filled.steps.push(Step::Captured(player, cell, other));
                }
            }
        }
        if filled.steps.len() == now {
            return filled;
        }
    }
}

/// Cells that the mover need not consider, and why.
#[derive(Clone, Debug, Default)]
pub(super) struct Needless {
    pub(super) cells: Set,
    /// Dominated cells: the cell, the dominating one, and the one with which it is captured, or
    /// itself.
    pub(super) dominated: Vec<[usize; 3]>,
}

/// Those of `cells`, empty cells of a filled board, that the mover need not consider if all other
/// empty cells lose. If none is left, the mover loses.
pub(super) fn needless(board: &Board, mover: Player, cells: Set) -> Needless {
    let mut found = Needless::default();
    let empty = board.empty();
    let other = Graph::new(board, mover.other());
    // The cells that each cell dominates.
    let mut gives: [Set; 64] = [0; 64];
    let mut with = [[0_u8; 64]; 64];
    for better in members(empty) {
        for cell in members(other.cells_beside(better)) {
            let killers = other.killers(cell, 1 << better);
            if killers == Set::MAX {
                gives[better] |= 1 << cell;
                with[better][cell] = cell as u8;
                continue;
            }
            let pair = members(killers & empty & !(1 << better))
                .find(|pair| other.killers(*pair, 1 << better) >> cell & 1 == 1);
            if let Some(pair) = pair {
                gives[better] |= 1 << cell;
                with[better][cell] = pair as u8;
                gives[better] |= 1 << pair;
                with[better][pair] = cell as u8;
            }
        }
    }
    // Cells outside come first, then those that dominate the most. A cell that is pruned after it
    // pruned others is answered first.
    let mut order: Vec<usize> = members(empty).collect();
    order.sort_by_key(|cell| (cells >> cell & 1, std::cmp::Reverse(gives[*cell].count_ones())));
    for better in order {
        if found.cells >> better & 1 == 1 {
            continue;
        }
        for cell in members(gives[better] & cells & !found.cells) {
            found.cells |= 1 << cell;
            found.dominated.push([cell, better, usize::from(with[better][cell])]);
        }
    }
    found.dominated.reverse();
    found
}
