//! Cells that need not be played, told from the six cells around them.
//!
//! **Dead.** A cell matters only if, in some filling of the board, its owner decides the winner: then a shortest chain of the winner runs
//! through it, enters and leaves by two neighbours that do not touch, and the opponent's cells lie on both sides. So if no filling of the empty
//! neighbours lets the colours around the cell change four times or more, the cell is dead: it may be given to anyone. The 3⁶ rings are filled by
//! brute force, once. Beyond the board the edges are stones of their owners.
//!
//! **Dominated.** If a stone of the mover on b makes a dead, then playing b gives him a as well, so a need not be looked at as long as b is,
//! or as b loses. **Captured.** Two empty cells are a player's if, when the opponent takes either, his answer on the other makes that stone dead.
//!
//! References: van Rijswijck, "Binary combinatorial games", 2003; Hayward et al., "Solving 7×7 Hex: virtual connections and game-state reduction", 2003. The
//! patterns there are larger; these follow from the ring alone and are derived here.

use super::{Board, Set};
use tesuji_core::Player;

/// The ring around a cell: what is on each of the six sides.
type Ring = [u8; 6];

const EMPTY: u8 = 2;

/// Steps (columns, rows) to the six neighbours, around the circle.
const CIRCLE: [(isize, isize); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// How often the colour changes around the ring.
const fn changes(ring: Ring) -> u32 {
    let (mut count, mut at) = (0, 0);
    while at < 6 {
        if ring[at] != ring[(at + 1) % 6] {
            count += 1;
        }
        at += 1;
    }
    count
}

/// Whether a cell with this ring, numbered in base 3, is dead.
static DEAD: [bool; 729] = {
    let mut dead = [true; 729];
    let mut number = 0;
    while number < 729 {
        let mut ring = [0; 6];
        let (mut left, mut at) = (number, 0);
        while at < 6 {
            ring[at] = (left % 3) as u8;
            left /= 3;
            at += 1;
        }
        let mut filling = 0;
        while filling < 64 {
            let mut filled = ring;
            let mut at = 0;
            while at < 6 {
                if filled[at] == EMPTY {
                    filled[at] = (filling >> at & 1) as u8;
                }
                at += 1;
            }
            if changes(filled) >= 4 {
                dead[number] = false;
            }
            filling += 1;
        }
        number += 1;
    }
    dead
};

/// What is around a cell. A corner's side beyond both edges is empty: it may count as either.
fn ring(board: &Board, cell: usize) -> Ring {
    let size = board.size;
    let (column, row) = (cell % size, cell / size);
    CIRCLE.map(|(columns, rows)| {
        let (column, row) = (column.checked_add_signed(columns), row.checked_add_signed(rows));
        let beside = column.is_none_or(|column| column >= size);
        let beyond = row.is_none_or(|row| row >= size);
        match (column, row) {
            _ if beside && beyond => EMPTY,
            _ if beyond => Player::First.index() as u8,
            _ if beside => Player::Second.index() as u8,
            (Some(column), Some(row)) => {
                let at = row * size + column;
                if board.stones[0] >> at & 1 == 1 {
                    0
                } else if board.stones[1] >> at & 1 == 1 {
                    1
                } else {
                    EMPTY
                }
            }
            _ => EMPTY,
        }
    })
}

fn is_dead(board: &Board, cell: usize) -> bool {
    let number = ring(board, cell).iter().rev().fold(0, |number, side| number * 3 + usize::from(*side));
    DEAD[number]
}

fn with(board: &Board, player: Player, cell: usize) -> Board {
    let mut after = *board;
    after.stones[player.index()] |= 1 << cell;
    after
}

/// Which of `cells`, empty ones, the mover need not look at. At least one stays, if there is one.
pub(super) fn needless(board: &Board, mover: Player, cells: Set) -> Set {
    let (mut needless, mut needed): (Set, Set) = (0, 0);
    let empty = board.empty();
    for cell in super::members(cells) {
        if is_dead(board, cell) {
            needless |= 1 << cell;
        }
    }
    for cell in super::members(cells & !needless) {
        if needed >> cell & 1 == 1 {
            continue;
        }
        let better = super::neighbours(board.size, cell).find(|next| {
            empty >> next & 1 == 1 && needless >> next & 1 == 0 && is_dead(&with(board, mover, *next), cell)
        });
        if let Some(better) = better {
            needless |= 1 << cell;
            needed |= 1 << better;
        }
    }
    if needless & cells == cells { 0 } else { needless }
}
