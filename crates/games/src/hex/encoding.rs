//! Hex as planes, for neural networks. Encoding "hex-1".
//!
//! The side to move always connects top and bottom: with White to move the board is transposed
//! (column and row exchanged, as in a swap of pieces), which exchanges the edges and keeps the
//! neighbours. A network then learns one direction, and the colour of the mover says nothing
//! more.
//!
//! Cells are numbered row by row from a1, as moves are; the swap is the last move index, also in
//! games without the swap rule, so that one network serves both.
//!
//! | plane | one where |
//! |---|---|
//! | 0, 1 | a stone of the side to move; of the other side |
//! | 2, 3 | such a stone that is connected with one of its own edges |
//! | 4, 5 | the cell lies at an edge of the side to move; of the other side |
//! | 6 | everywhere: with zero padding around the board, convolutions see the edge |
//!
//! | global | meaning |
//! |---|---|
//! | 0 | 1 if the side to move may swap |
//! | 1 | 1 if the other side may swap after this move |
//!
//! A network serves boards of every size. The only symmetry is half a turn; the reflection is
//! used up by the orientation. Owners are the cells of the winner's connection.
//!
//! References: the orientation and the marking of edges follow Young, Vasan & Hayward,
//! "NeuroHex: A Deep Q-learning Hex Agent" (2016), which also shows connected stones as planes.
//! Deviation: they pad the board with stones of the edges; here planes 4 and 5 show the edges.

use super::{Hex, SwapRule};
use tesuji_core::{Encoding, Player, Position, Symmetry, TensorShape};

const PLANES: usize = 7;
const GLOBALS: usize = 2;

/// The encoding of Hex on boards of one size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HexPlanes {
    size: usize,
    transposed: Symmetry,
    half_turn: Symmetry,
}

impl HexPlanes {
    /// The encoding for games like this one.
    #[must_use]
    pub fn of(hex: &Hex) -> HexPlanes {
        let size = hex.size() as usize;
        let shape = shape(size);
        let cells = size * size;
        let relabelled = |from: &dyn Fn(usize) -> usize| {
            let mut symmetry = Symmetry::identity(&shape);
            for cell in 0..cells {
                symmetry.cells[cell] = from(cell) as u16;
                symmetry.moves[cell] = from(cell) as u16;
            }
            symmetry
        };
        HexPlanes {
            size,
            transposed: relabelled(&|cell| cell % size * size + cell / size),
            half_turn: relabelled(&|cell| cells - 1 - cell),
        }
    }
}

const fn shape(size: usize) -> TensorShape {
    let cells = size * size;
    TensorShape { planes: PLANES, rows: size, columns: size, globals: GLOBALS, moves: cells + 1, moves_are_cells: true }
}

/// The neighbours of a cell.
fn neighbours(cell: usize, size: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / size, cell % size);
    let steps = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)]; // one more than the step
    steps.into_iter().filter_map(move |(down, right)| {
        let (row, column) = ((row + down).checked_sub(1)?, (column + right).checked_sub(1)?);
        (row < size && column < size).then_some(row * size + column)
    })
}

/// Marks the stones that are connected with one of the starting cells.
fn mark_connected(stones: &[u8], starts: impl Iterator<Item = usize>, size: usize, marks: &mut [u8]) {
    let mut waiting: Vec<usize> = Vec::new();
    let mut visit = |cell: usize, waiting: &mut Vec<usize>| {
        if stones[cell] == 1 && marks[cell] == 0 {
            marks[cell] = 1;
            waiting.push(cell);
        }
    };
    for start in starts {
        visit(start, &mut waiting);
        while let Some(cell) = waiting.pop() {
            for next in neighbours(cell, size) {
                visit(next, &mut waiting);
            }
        }
    }
}

impl Encoding<Hex> for HexPlanes {
    fn name(&self) -> &'static str {
        "hex-1"
    }

    fn shape(&self) -> TensorShape {
        shape(self.size)
    }

    fn write(&self, hex: &Hex, planes: &mut [u8], globals: &mut [f32]) {
        let (size, cells) = (self.size, self.size * self.size);
        let turn = hex.turn();
        let (planes, _) = planes.split_at_mut(PLANES * cells);
        planes[..6 * cells].fill(0);
        planes[6 * cells..].fill(1);
        let (stones, rest) = planes.split_at_mut(2 * cells);
        for (stones, player) in stones.chunks_mut(cells).zip([turn, turn.other()]) {
            for cell in hex.stones[player.index()] {
                stones[if turn == Player::First { cell } else { hex.mirrored(cell) }] = 1;
            }
        }
        let (marks, edges) = rest.split_at_mut(2 * cells);
        let (rows, columns) = ([0, size - 1], [0, size - 1]);
        let at_rows = || rows.into_iter().flat_map(|row| (0..size).map(move |column| row * size + column));
        let at_columns = || columns.into_iter().flat_map(|column| (0..size).map(move |row| row * size + column));
        mark_connected(&stones[..cells], at_rows(), size, &mut marks[..cells]);
        mark_connected(&stones[cells..], at_columns(), size, &mut marks[cells..]);
        for cell in at_rows() {
            edges[cell] = 1;
        }
        for cell in at_columns() {
            edges[cells + cell] = 1;
        }
        globals[0] = f32::from(hex.can_swap());
        globals[1] = f32::from(hex.swap == SwapRule::Pieces && hex.count == 0 && turn == Player::First);
    }

    fn orientation(&self, mover: Player) -> Option<&Symmetry> {
        (mover == Player::Second).then_some(&self.transposed)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::identity(&self.shape()), self.half_turn.clone()]
    }

    /// The cells of the winner's connection.
    fn owners(&self, end: &Hex, owners: &mut [i8]) -> bool {
        let (size, cells) = (self.size, self.size * self.size);
        owners.fill(0);
        let Some(winner) = end.winner else { return true };
        let mut stones = vec![0; cells];
        for cell in end.stones[winner.index()] {
            stones[cell] = 1;
        }
        let (step, sign) = if winner == Player::First { (1, 1) } else { (size, -1) };
        let line = |from: usize| (0..size).map(move |place| from + place * step);
        let (mut near, mut far) = (vec![0; cells], vec![0; cells]);
        mark_connected(&stones, line(0), size, &mut near);
        mark_connected(&stones, line((size - 1) * (size + 1 - step)), size, &mut far);
        for cell in 0..cells {
            owners[cell] = sign * i8::from(near[cell] == 1 && far[cell] == 1);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Hex, Move, SwapRule};
    use super::HexPlanes;
    use tesuji_core::{Encoding, Notation, Player, Position, Rng, Seed};

    fn played(size: u32, swap: SwapRule, moves: &str) -> Hex {
        let mut hex = Hex::new(size, swap).expect("a board");
        for mv in moves.split_whitespace() {
            hex.play(hex.read_move(mv).expect("a legal move"));
        }
        hex
    }

    fn encode(hex: &Hex) -> (Vec<u8>, Vec<f32>) {
        let encoding = HexPlanes::of(hex);
        let shape = encoding.shape();
        let (mut planes, mut globals) = (vec![9; shape.bytes()], vec![9.0; shape.globals]);
        encoding.write(hex, &mut planes, &mut globals);
        (planes, globals)
    }

    fn picture(planes: &[u8], size: usize) -> Vec<Vec<String>> {
        let row = |row: &[u8]| row.iter().map(|cell| char::from(b'0' + cell)).collect();
        planes.chunks(size * size).map(|plane| plane.chunks(size).map(row).collect()).collect()
    }

    /// Black b1 and a2, White c2 and a4, on 4×4; columns are letters, a1 is the top left cell:
    /// ```text
    /// . X . .
    ///  X . O .
    ///   . . . .
    ///    O . . .
    /// ```
    /// b1 lies at Black's edge and touches a2; a4 lies at White's edge, c2 does not.
    #[test]
    fn planes_by_hand() {
        let (planes, globals) = encode(&played(4, SwapRule::Off, "b1 c2 a2 a4"));
        let (full, rows) = (["1111"; 4], ["1111", "0000", "0000", "1111"]);
        let columns = ["1001"; 4];
        let black = ["0100", "1000", "0000", "0000"];
        let white = ["0000", "0010", "0000", "1000"];
        let held = ["0000", "0000", "0000", "1000"];
        assert_eq!(picture(&planes, 4), [black, white, black, held, rows, columns, full]);
        assert_eq!(globals, [0.0, 0.0]);
        // With White to move the board is transposed, and the colours change places. The new
        // stone, d2, touches no edge of Black's.
        let (planes, _) = encode(&played(4, SwapRule::Off, "b1 c2 a2 a4 d2"));
        let white = ["0001", "0000", "0100", "0000"];
        let black = ["0100", "1000", "0000", "0100"];
        let white_held = ["0001", "0000", "0000", "0000"];
        let black_held = ["0100", "1000", "0000", "0000"];
        assert_eq!(picture(&planes, 4), [white, black, white_held, black_held, rows, columns, full]);
    }

    #[test]
    fn the_swap_is_announced() {
        for (swap, moves, expected) in [
            (SwapRule::Pieces, "", [0.0, 1.0]),
            (SwapRule::Pieces, "b1", [1.0, 0.0]),
            (SwapRule::Pieces, "b1 swap", [0.0, 0.0]),
            (SwapRule::Pieces, "b1 c2", [0.0, 0.0]),
            (SwapRule::Off, "", [0.0, 0.0]),
            (SwapRule::Off, "b1", [0.0, 0.0]),
        ] {
            let hex = played(4, swap, moves);
            assert_eq!(encode(&hex).1, expected, "{swap:?} {moves}");
            assert_eq!(HexPlanes::of(&hex).shape().moves, 17);
        }
        let hex = played(4, SwapRule::Pieces, "b1");
        assert_eq!(hex.move_index(Move::SWAP), 16);
        let encoding = HexPlanes::of(&hex);
        assert_eq!(encoding.orientation(Player::Second).map(|turned| turned.moves[16]), Some(16));
    }

    /// Random games, and the same games with the colours exchanged and the board transposed: both
    /// look the same to the side to move, and each logit belongs to the image of the move.
    #[test]
    fn one_direction_is_learned() {
        for size in [2, 5, 11] {
            let mut rng = Rng::new(Seed(u64::from(size)));
            let mut hex = Hex::new(size, SwapRule::Off).expect("a board");
            let mut other = hex;
            other.set_turn(Player::Second);
            let encoding = HexPlanes::of(&hex);
            while hex.outcome().is_none() {
                assert_eq!(encode(&hex), encode(&other));
                let mv = hex.random_move(&mut rng).expect("a live game has moves");
                let logit = |hex: &Hex, index: usize| {
                    encoding.orientation(hex.turn()).map_or(index, |turned| usize::from(turned.moves[index]))
                };
                let image = Move(hex.mirrored(usize::from(mv.0)) as u16);
                assert_eq!(logit(&hex, hex.move_index(mv)), logit(&other, other.move_index(image)));
                hex.play(mv);
                other.play(image);
            }
            let winner = hex.outcome().and_then(|outcome| outcome.winner()).expect("no draws");
            assert_eq!(other.outcome().and_then(|outcome| outcome.winner()), Some(winner.other()));
            let (mut owners, mut others) = (vec![9; 11 * 11], vec![9; 11 * 11]);
            let cells = (size * size) as usize;
            assert!(encoding.owners(&hex, &mut owners[..cells]) && encoding.owners(&other, &mut others[..cells]));
            for cell in 0..cells {
                assert_eq!(owners[cell], -others[hex.mirrored(cell)]);
                let held = hex.stones[winner.index()].contains(cell);
                assert!(owners[cell] == 0 || held && (owners[cell] == 1) == (winner == Player::First));
            }
            // The owned stones alone are a connection.
            let mut alone = Hex::new(size, SwapRule::Off).expect("a board");
            for cell in (0..cells).filter(|&cell| owners[cell] != 0) {
                alone.put(winner, cell);
            }
            assert!(alone.has_connected(winner));
        }
    }
}
