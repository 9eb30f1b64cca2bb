//! Cells that need not be played: fill-in, dominated and reversible cells.
//!
//! **Fill-in** (P ≡ P′: the same winner, whoever moves).
//!
//! * A *dead* cell (`graph.rs`) may be given to anyone.
//! * A pair {a, b} is *captured* by X if his stone on b kills a and his stone on a kills b: when Y takes one of them, X takes the other and
//!   the first is dead. So X may as well have both. A captured pair stays captured, whatever is played elsewhere, since dead cells stay dead.
//!
//! Both are repeated on the board as filled so far, until nothing changes. If P′ is P filled, then also P + q ≡ P′ + q for every further stone q outside of the filled cells.
//!
//! **Dominated.** If X's stone on b kills a, or captures it with some c, then P + b ≡ P + b + a, which is at least as good for X as P + a. So X need not look at a
//! as long as he looks at b, or as b loses. Among cells that dominate each other one stays.
//!
//! **Reversible.** Let Y's stone on b kill a. If X wins by a, he also wins after Y's answer b: there a is dead, so he wins P + b(Y) to move; the same move wins P, where
//! b is still empty. So a need not be looked at. For this to hold of a set V of cells at once, with killers κ(v) ∉ V, argue by the number of empty cells: X wins
//! P + κ(a)(Y), where the cells with the killer κ(a) are dead and the others of V still have their killers, so he wins by a move outside V, or nothing is left to play and he wins by κ(a) as
//! well. Domination is then used among the cells outside V only.
//!
//! References: van Rijswijck, "Binary combinatorial games", 2003; Hayward et al., "Solving 7×7 Hex: virtual connections and game-state reduction", 2003; Henderson &
//! Hayward, "Captured-reversible moves and star-decomposition domination in Hex", 2013. The patterns there are larger; these follow from the graph alone.

use super::graph::Graph;
use super::{Board, Set, members};
use tesuji_core::Player;

/// One step of fill-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A dead cell is given to the player who is favoured.
    Dead(usize),
    /// A player gets the pair he has captured.
    Captured(Player, usize, usize),
}

/// A board filled in.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    pub(super) board: Board,
    pub(super) steps: Vec<Step>,
    /// The pairs that each player has captured.
    pub(super) captured: [Set; 2],
}

/// Fills a board in; dead cells go to `favoured`.
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

/// Cells that the mover need not look at, and why.
#[derive(Clone, Debug, Default)]
pub(super) struct Needless {
    pub(super) cells: Set,
    /// Dominated cells: the cell, the one that is better, and the one with which it is captured, or itself.
    pub(super) dominated: Vec<[usize; 3]>,
    /// Reversible cells with their killers.
    pub(super) reversible: Vec<[usize; 2]>,
    /// These killers.
    pub(super) killers: Set,
}

/// Which of `cells`, empty ones of a filled board, the mover need not look at if all other empty cells lose. If none of them is left, he loses.
/// His opponent needs the cells of `carrier` anyway.
pub(super) fn needless(board: &Board, mover: Player, cells: Set, carrier: Set) -> Needless {
    let mut found = Needless::default();
    let empty = board.empty();
    let [own, other] = [mover, mover.other()].map(|player| Graph::new(board, player));
    // Killers must not be reversible themselves.
    for cell in members(cells) {
        let by = own.killers(cell, 0) & empty & !found.cells;
        if by != 0 && found.killers >> cell & 1 == 0 {
            // One that is needed anyway costs nothing.
            let free = by & (found.killers | carrier);
            let by = if free == 0 { by } else { free };
            found.killers |= by & by.wrapping_neg();
            found.cells |= 1 << cell;
            found.reversible.push([cell, by.trailing_zeros() as usize]);
        }
    }
    let candidates = empty & !found.cells;
    // What each cell gives beside itself.
    let mut gives: [Set; 64] = [0; 64];
    let mut with = [[0_u8; 64]; 64];
    for better in members(candidates) {
        for cell in members(other.cells_beside(better) & candidates) {
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
                if candidates >> pair & 1 == 1 {
                    gives[better] |= 1 << pair;
                    with[better][pair] = cell as u8;
                }
            }
        }
    }
    // Cells outside come first, then those that give the most. What is taken away later than it took others away is answered first.
    let mut order: Vec<usize> = members(candidates).collect();
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
