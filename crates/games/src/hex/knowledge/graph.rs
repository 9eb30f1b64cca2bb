//! The graph of a player's possible connections: the empty cells, with the player's chains
//! contracted.
//!
//! The points of the graph are the empty cells and the player's two edges. Two points are adjacent
//! if they touch, or touch the same chain of the player; an edge is a chain as well. The player
//! connects the edges if and only if all cells of some *induced path* from edge to edge become the
//! player's; a cell that is on no such path is **dead**: its owner never changes the winner, in any
//! filling of the other cells.
//!
//! > all neighbours of v are neighbours of each other  ⟹  v is dead
//!
//! since an induced path enters and leaves v by two points that are not adjacent. Such a path has
//! only one cell next to either edge, so the cells next to an edge may count as adjacent to each
//! other: that is what "an edge is a chain" adds. As one of the players connects in every filling,
//! a cell that is dead in the graph of either is dead for both. Dead cells stay dead, whatever is
//! played.
//!
//! A stone of X on b removes b from the graph of Y. If the neighbours of a, other than b, are
//! adjacent to each other there, X **kills** a by b.
//!
//! Reference: Björnsson, Hayward, Johanson & van Rijswijck, "Dead cell analysis in Hex and the
//! Shannon game", 2007.

use super::{Board, Set, members};
use tesuji_core::Player;

/// Cells and the two edges, which come after the cells.
type Points = u128;

/// The cells adjacent to each cell, by board size.
static NEAR: [[Set; 64]; 9] = {
    let mut near = [[0; 64]; 9];
    let mut size = 1;
    while size <= 8 {
        let mut cell = 0;
        while cell < size * size {
            let (column, row) = (cell % size, cell / size);
            let mut set: Set = 0;
            if column > 0 {
                set |= 1 << (cell - 1);
            }
            if column + 1 < size {
                set |= 1 << (cell + 1);
            }
            if row > 0 {
                set |= 1 << (cell - size);
                if column + 1 < size {
                    set |= 1 << (cell - size + 1);
                }
            }
            if row + 1 < size {
                set |= 1 << (cell + size);
                if column > 0 {
                    set |= 1 << (cell + size - 1);
                }
            }
            near[size][cell] = set;
            cell += 1;
        }
        size += 1;
    }
    near
};

/// The graph of one player.
pub(super) struct Graph {
    size: usize,
    /// The neighbours of each point; empty for occupied cells.
    beside: [Points; 66],
}

impl Graph {
    /// The graph of a player.
    pub(super) fn new(board: &Board, player: Player) -> Graph {
        let size = board.size;
        let (own, empty) = (board.stones[player.index()], board.empty());
        let mut graph = Graph { size, beside: [0; 66] };
        for cell in members(empty) {
            graph.beside[cell] = Points::from(NEAR[size][cell] & empty);
        }
        let mut left = own;
        for which in [0, 1] {
            let line = edge_line(size, player, which);
            let chain = flood(size, own, own & line);
            left &= !chain;
            let mut around = Points::from((spread(size, chain) | line) & empty) | graph.edge(which);
            if chain & edge_line(size, player, 1 - which) != 0 {
                around |= graph.edge(1 - which);
            }
            graph.join(around);
        }
        while left != 0 {
            let chain = flood(size, own, left & left.wrapping_neg());
            left &= !chain;
            graph.join(Points::from(spread(size, chain) & empty));
        }
        for (point, beside) in graph.beside.iter_mut().enumerate() {
            *beside &= !(1 << point);
        }
        graph
    }

    fn edge(&self, which: usize) -> Points {
        1 << (self.size * self.size + which)
    }

    /// Makes these points pairwise adjacent.
    fn join(&mut self, around: Points) {
        let mut left = around;
        while left != 0 {
            self.beside[left.trailing_zeros() as usize] |= around;
            left &= left - 1;
        }
    }

    /// Two of these points that are not adjacent.
    fn nonadjacent_pair(&self, points: Points) -> Option<[usize; 2]> {
        let mut left = points;
        while left != 0 {
            let one = left.trailing_zeros() as usize;
            left &= left - 1;
            let strange = left & !self.beside[one];
            if strange != 0 {
                return Some([one, strange.trailing_zeros() as usize]);
            }
        }
        None
    }

    /// The cells adjacent to a cell.
    pub(super) fn cells_beside(&self, cell: usize) -> Set {
        let cells = Set::MAX >> (64 - self.size * self.size);
        self.beside[cell] as Set & cells
    }

    /// Whether an empty cell is dead.
    pub(super) fn is_dead(&self, cell: usize) -> bool {
        self.nonadjacent_pair(self.beside[cell]).is_none()
    }

    /// The cells by which the opponent, who also owns `taken`, kills an empty cell that is not
    /// dead; there are at most two. All cells if it is already killed.
    pub(super) fn killers(&self, cell: usize, taken: Set) -> Set {
        let beside = self.beside[cell] & !Points::from(taken);
        let Some(nonadjacent_pair) = self.nonadjacent_pair(beside) else { return Set::MAX };
        let cells = self.size * self.size;
        let kills = |point: &usize| *point < cells && self.nonadjacent_pair(beside & !(1 << *point)).is_none();
        nonadjacent_pair.into_iter().filter(kills).fold(0, |killers, cell| killers | 1 << cell)
    }
}

/// The cells along the first or second edge of a player.
fn edge_line(size: usize, player: Player, which: usize) -> Set {
    let row: Set = (1 << size) - 1;
    match player {
        Player::First => row << (which * (size - 1) * size),
        Player::Second => (0..size).fold(0, |line, row| line | 1 << (row * size + which * (size - 1))),
    }
}

/// The cells adjacent to a set.
fn spread(size: usize, set: Set) -> Set {
    members(set).fold(0, |around, cell| around | NEAR[size][cell])
}

/// The chains of `own` that intersect `start`.
fn flood(size: usize, own: Set, start: Set) -> Set {
    let (mut chain, mut fresh) = (start, start);
    while fresh != 0 {
        let cell = fresh.trailing_zeros() as usize;
        let more = NEAR[size][cell] & own & !chain;
        chain |= more;
        fresh = (fresh & (fresh - 1)) | more;
    }
    chain
}
