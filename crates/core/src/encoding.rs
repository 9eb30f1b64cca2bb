//! Positions as tensors: what a neural network sees of a game.
//!
//! **Idea.** A position becomes a stack of binary *planes* over the cells of the board and a few
//! *global* numbers, all from the point of view of the side to move (Silver et al., "A general
//! reinforcement learning algorithm that masters chess, shogi, and Go through self-play", Science
//! 2018, supplement; global inputs: Wu, "Accelerating Self-Play Learning in Go", 2019, §A.1). The
//! policy head of a network has one logit for each [`Position::move_index`], so no second numbering
//! of moves exists. A game whose sides play in different directions may turn the board
//! ([`Encoding::orientation`]), so that a network learns one direction only.
//!
//! The encoding of a game lies beside its rules and is asked for once, by
//! [`Studied::encoding`](crate::Studied::encoding).
//!
//! **Deviation.** An encoding is a function of the position alone. Past positions are not part of
//! it: equal positions are evaluated equally, whichever path led there, and a search that is handed
//! a bare position loses nothing.

use crate::{Outcome, Player, Position};

/// The sizes of the tensors of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TensorShape {
    /// Planes of cells.
    pub planes: usize,
    /// Rows of a plane.
    pub rows: usize,
    /// Columns of a plane.
    pub columns: usize,
    /// Numbers that belong to the whole position.
    pub globals: usize,
    /// Logits of the policy: [`Position::move_space`], or more where one network serves several
    /// rules (Hex with and without the swap).
    pub moves: usize,
    /// Whether the first `rows × columns` move indices are "a stone on this cell", in the order of
    /// the cells. The policy head can then be a convolution, and one network serves several board
    /// sizes.
    pub moves_are_cells: bool,
}

impl TensorShape {
    /// Cells of one plane.
    #[inline]
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Bytes of all planes of one position.
    #[inline]
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.planes * self.cells()
    }
}

/// A symmetry of the game, as a relabelling of cells and moves.
///
/// In the image of a position, cell `i` looks as cell `cells[i]` did, and move `i` is what move
/// `moves[i]` was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// For each cell of the image, the cell it comes from.
    pub cells: Vec<u16>,
    /// For each move index of the image, the move index it comes from.
    pub moves: Vec<u16>,
}

impl Symmetry {
    /// The relabelling that changes nothing.
    ///
    /// # Panics
    /// If there are more than 65,536 cells or moves.
    #[must_use]
    pub fn identity(shape: &TensorShape) -> Symmetry {
        let count = |length: usize| {
            (0..length).map(|index| u16::try_from(index).expect("fewer than 65,536 cells and moves")).collect()
        };
        Symmetry { cells: count(shape.cells()), moves: count(shape.moves) }
    }

    /// The eight symmetries of a square board whose moves are its cells, followed by moves that no
    /// symmetry changes (a pass). The first one is the identity.
    ///
    /// # Panics
    /// If the board is not square, or its moves are not its cells.
    #[must_use]
    pub fn of_square(shape: &TensorShape) -> Vec<Symmetry> {
        let size = shape.rows;
        assert!(shape.columns == size && shape.moves_are_cells, "a square board whose moves are its cells");
        let mut all = Vec::new();
        for (transposed, rows_reversed, columns_reversed) in
            (0..8).map(|bits| (bits & 4 != 0, bits & 2 != 0, bits & 1 != 0))
        {
            let mut symmetry = Symmetry::identity(shape);
            for row in 0..size {
                for column in 0..size {
                    let from_row = if rows_reversed { size - 1 - row } else { row };
                    let from_column = if columns_reversed { size - 1 - column } else { column };
                    let from =
                        if transposed { from_column * size + from_row } else { from_row * size + from_column } as u16;
                    symmetry.cells[row * size + column] = from;
                    symmetry.moves[row * size + column] = from;
                }
            }
            all.push(symmetry);
        }
        all
    }

    /// The moves of the image as moves of the position, or the reverse if the relabelling is its
    /// own inverse: entry `i` of the answer is `values[moves[i]]`.
    ///
    /// # Panics
    /// If there are fewer values than moves.
    pub fn relabel(&self, values: &[f32], answer: &mut Vec<f32>) {
        answer.clear();
        answer.extend(self.moves.iter().map(|&from| values[usize::from(from)]));
    }
}

/// How positions of a game become tensors.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Encoding, Position, TensorShape};
///
/// /// One plane of one cell, and how many moves there are.
/// struct HeapOnly;
///
/// impl Encoding<TakeAway> for HeapOnly {
///     fn name(&self) -> &'static str {
///         "take-away-1"
///     }
///     fn shape(&self) -> TensorShape {
///         TensorShape { planes: 1, rows: 1, columns: 1, globals: 1, moves: 3, moves_are_cells: false }
///     }
///     fn write(&self, position: &TakeAway, planes: &mut [u8], globals: &mut [f32]) {
///         planes[0] = u8::from(position.moves().len() == 3);
///         globals[0] = position.moves().len() as f32 / 3.0;
///     }
/// }
///
/// let (mut planes, mut globals) = ([0], [0.0]);
/// HeapOnly.write(&TakeAway::new(9), &mut planes, &mut globals);
/// assert_eq!((planes, globals), ([1], [1.0]));
/// assert_eq!(HeapOnly.symmetries().len(), 1);
/// ```
pub trait Encoding<P: Position>: Send + Sync {
    /// The name and version of the encoding ("go-1"). A file of weights names the encoding it was
    /// trained with; a change of the meaning of a plane is a new name.
    fn name(&self) -> &'static str;

    /// The sizes of the tensors, the same for all positions of a game.
    fn shape(&self) -> TensorShape;

    /// Writes a live position: `planes` gets 0 or 1 for each plane and cell (plane by plane, row by
    /// row), `globals` one number each, of the order of 1. Both are overwritten.
    fn write(&self, position: &P, planes: &mut [u8], globals: &mut [f32]);

    /// How the board is turned when this player is to move: [`write`](Encoding::write) shows the
    /// image of the position under this relabelling, and logit `i` of the policy belongs to the
    /// move `moves[i]`. Each relabelling is its own inverse. Nothing where the board is shown as it
    /// stands.
    fn orientation(&self, _mover: Player) -> Option<&Symmetry> {
        None
    }

    /// The symmetries of the game, the identity first. Every image of a position under one of them
    /// must be a position of the same game with the same value. They apply to the tensors as
    /// written, after [`orientation`](Encoding::orientation).
    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::identity(&self.shape())]
    }

    /// Who owns each cell at the end of a game: +1 the first player, −1 the second, 0 neither. An
    /// auxiliary target for training (Wu 2019, §4.1). Whether the game knows owners; if not,
    /// `owners` is left alone.
    fn owners(&self, _end: &P, _owners: &mut [i8]) -> bool {
        false
    }

    /// The result if the game were counted as it stands, for games of self-play that are cut off at
    /// a length. Nothing where the rules cannot count an unfinished game; such a game is taken for
    /// a draw.
    fn count(&self, _unfinished: &P) -> Option<Outcome> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Symmetry, TensorShape};

    const TWO: TensorShape =
        TensorShape { planes: 1, rows: 2, columns: 2, globals: 0, moves: 5, moves_are_cells: true };

    /// Cells of a board of two lines: 0 1 / 2 3. The eight images by hand, and the fifth move
    /// stays.
    #[test]
    fn the_symmetries_of_a_square() {
        let images = [
            [0, 1, 2, 3], // identity
            [1, 0, 3, 2], // columns reversed
            [2, 3, 0, 1], // rows reversed
            [3, 2, 1, 0], // both: half a turn
            [0, 2, 1, 3], // transposed
            [2, 0, 3, 1],
            [1, 3, 0, 2],
            [3, 1, 2, 0],
        ];
        let found = Symmetry::of_square(&TWO);
        assert_eq!(found[0], Symmetry::identity(&TWO));
        for (symmetry, image) in found.iter().zip(images) {
            let transposed = [image[0], image[1], image[2], image[3], 4];
            assert_eq!(symmetry.moves, transposed);
            assert_eq!(symmetry.cells, image);
        }
    }

    #[test]
    fn the_symmetries_of_a_square_differ_and_are_permutations() {
        let shape = TensorShape { rows: 3, columns: 3, moves: 10, ..TWO };
        let all = Symmetry::of_square(&shape);
        for (number, symmetry) in all.iter().enumerate() {
            let mut sorted = symmetry.moves.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<u16>>());
            assert!(all[..number].iter().all(|earlier| earlier != symmetry));
        }
    }
}
