//! Tic-tac-toe: 3×3, three in a row.
//!
//! Small enough for tables: the stones of a player are nine bits, and tables tell which of the 512
//! patterns contain a line, and where the n-th empty square of a pattern lies. Square 0 is the top
//! left one (a3), 8 the bottom right one (c1).
//!
//! [`mnk`](crate::mnk) is an independent implementation of the general game; tests compare the two.

mod heuristic;
mod notation;

pub use crate::grid::SetupError;

use crate::grid;
use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description};
use tesuji_core::{Game, Outcome, Player, Position, PositionHash, Rng, Trace, Zobrist, undo_by_copy};

const FULL: u16 = 0x1ff;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const KEYS: Zobrist = Zobrist::new("tic-tac-toe");

/// Whether a pattern of stones contains a line.
const WON: [bool; 512] = {
    let mut won = [false; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut line = 0;
        while line < 8 {
            won[pattern] |= pattern as u16 & LINES[line] == LINES[line];
            line += 1;
        }
        pattern += 1;
    }
    won
};

/// The n-th square of a pattern (rows of 16, so that the index is a shift).
static NTH: [[u8; 16]; 512] = {
    let mut nth = [[0; 16]; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let (mut square, mut count) = (0, 0);
        while square < 9 {
            if pattern >> square & 1 == 1 {
                nth[pattern][count] = square as u8;
                count += 1;
            }
            square += 1;
        }
        pattern += 1;
    }
    nth
};

/// A position of tic-tac-toe. X is the first player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TicTacToe {
    stones: [u16; 2],
    turn: Player,
}

/// A square, 0 to 8, row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Default for TicTacToe {
    fn default() -> Self {
        TicTacToe::new()
    }
}

impl TicTacToe {
    /// The empty board, X to move.
    #[must_use]
    pub const fn new() -> TicTacToe {
        TicTacToe { stones: [0, 0], turn: Player::First }
    }

    /// The position of a text such as `...X.OXOX`: nine characters, rows from the top; the counts
    /// determine the side to move.
    ///
    /// # Errors
    /// If the text has other characters or another length, or no game leads to it.
    pub fn from_text(text: &str) -> Result<TicTacToe, SetupError> {
        let mut stones = [0_u16; 2];
        let turn = grid::read_setup(text, (3, 3), |column, row, player| {
            stones[player.index()] |= 1 << ((2 - row) * 3 + column);
        })?;
        if WON[stones[turn.index()] as usize] {
            return Err(SetupError::Winner { winner: if turn == Player::First { 'X' } else { 'O' } });
        }
        Ok(TicTacToe { stones, turn })
    }

    const fn empty(self) -> u16 {
        FULL & !(self.stones[0] | self.stones[1])
    }

    /// The colour of the stone on a square.
    #[must_use]
    pub fn stone(&self, square: Square) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()] >> square.0 & 1 == 1)
    }
}

impl Position for TicTacToe {
    type Move = Square;

    undo_by_copy!();

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if WON[self.stones[0] as usize] {
            return Some(Outcome::won_by(Player::First));
        }
        if WON[self.stones[1] as usize] {
            return Some(Outcome::won_by(Player::Second));
        }
        (self.empty() == 0).then_some(Outcome::DRAW)
    }

    #[inline]
    fn visit_moves<B>(&self, mut f: impl FnMut(Square) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        let mut left = self.empty();
        while left != 0 {
            f(Square(left.trailing_zeros() as u8))?;
            left &= left - 1;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play(&mut self, square: Square) {
        self.stones[self.turn.index()] |= 1 << square.0;
        self.turn = self.turn.other();
    }

    /// The whole state is eighteen bits (the turn follows from them), so the hash is one key,
    /// looked up by the state.
    #[inline]
    fn hash(&self) -> PositionHash {
        PositionHash(KEYS.key(u64::from(self.stones[0]) << 9 | u64::from(self.stones[1])))
    }

    fn recomputed_hash(&self) -> PositionHash {
        let state = (0..9).fold([0_u64; 2], |mut stones, square| {
            if let Some(player) = self.stone(Square(square)) {
                stones[player.index()] += 1 << square;
            }
            stones
        });
        PositionHash(KEYS.key(state[0] * 512 + state[1]))
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        9
    }

    fn move_index(&self, square: Square) -> usize {
        usize::from(square.0)
    }

    fn move_at(&self, index: usize) -> Option<Square> {
        (index < 9).then_some(Square(index as u8))
    }

    fn mark_moves(&self, marks: &mut [u64]) {
        if self.outcome().is_none() {
            marks[0] = u64::from(self.empty());
        }
    }

    #[inline]
    fn is_legal(&self, square: Square) -> bool {
        self.empty() >> square.0 & 1 == 1 && self.outcome().is_none()
    }

    #[inline]
    fn move_count(&self) -> usize {
        if self.outcome().is_some() { 0 } else { self.empty().count_ones() as usize }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Square> {
        if self.outcome().is_some() {
            return None;
        }
        let empty = self.empty();
        Some(Square(NTH[empty as usize][rng.below(empty.count_ones()) as usize]))
    }

    /// One random draw serves the whole game: its digits determine a random permutation of the
    /// empty squares (bias below 2⁻⁴²).
    #[inline]
    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let mut player = self.turn;
        let mut own = self.stones[player.index()];
        let mut others = self.stones[player.other().index()];
        let mut empty = self.empty();
        let mut left = empty.count_ones();
        let mut fraction = rng.fraction();
        loop {
            let square = NTH[(empty & FULL) as usize][(fraction.below(left) & 15) as usize];
            trace.played(player, Square(square));
            let bit = 1 << square;
            own |= bit;
            empty ^= bit;
            left -= 1;
            if WON[(own & FULL) as usize] {
                return Outcome::won_by(player);
            }
            if left == 0 {
                return Outcome::DRAW;
            }
            std::mem::swap(&mut own, &mut others);
            player = player.other();
        }
    }
}

impl Game for TicTacToe {
    type Position = TicTacToe;
    const TITLE: &'static str = "Tic-tac-toe";
    const DESCRIPTION: Description =
        Description { name: "tictactoe", about: "3×3, three in a row wins", parameters: &[grid::POSITION] };
    const MOVES: &'static str = "squares a1 (bottom left) to c3 (top right)";

    fn start(arguments: &Arguments) -> Result<TicTacToe, ArgumentError> {
        let text = arguments.text("position").unwrap_or(".........");
        TicTacToe::from_text(text).map_err(|error| ArgumentError::of("position", error))
    }
}
