//! Squares as `f5` (a1 top left), `pass`, and positions in OBF: one character per square, row by
//! row from a1, then a blank and the side to move.

use super::{Move, Othello, Status};
use crate::grid;
use tesuji_core::{BoardShape, BoardView, Conventions, EngineProtocol, MoveError, Notation, Player, Position, Sides};

/// A position text that cannot be set up, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Not one character per square, a blank, and the side.
    #[error(
        "a position has {squares} characters (X, O, '.' or '-', from a1 row by row), \
         a blank, and X or O to move; this one has {found} characters"
    )]
    Length {
        /// Squares of the board.
        squares: usize,
        /// Characters given.
        found: usize,
    },
    /// A character that is not a disc.
    #[error("character {at} of the position is {found:?}; expected X, O, '.' or '-'")]
    Square {
        /// Its place, from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// No side to move.
    #[error("the position ends in {found:?}; expected a blank and X or O, the side to move")]
    Side {
        /// The last two characters.
        found: String,
    },
}

fn name(player: Player) -> char {
    if player == Player::First { 'X' } else { 'O' }
}

fn player(letter: char) -> Option<Player> {
    match letter {
        'X' | 'x' => Some(Player::First),
        'O' | 'o' => Some(Player::Second),
        _ => None,
    }
}

impl Othello {
    /// Sets up a position text on a board of this size, with the same rule for the empty squares.
    /// Any arrangement of discs is accepted. If the side to move has no move it must pass, as in a
    /// game.
    ///
    /// # Errors
    /// If the text is not one character per square, a blank and the side to move.
    pub fn with_text(self, text: &str) -> Result<Othello, SetupError> {
        let squares = self.move_space() - 1;
        let found = text.chars().count();
        if found != squares + 2 {
            return Err(SetupError::Length { squares, found });
        }
        let mut discs = [0_u64; 2];
        for (at, letter) in text.chars().take(squares).enumerate() {
            let (row, column) = (at / usize::from(self.size), at % usize::from(self.size));
            match player(letter) {
                Some(owner) => discs[owner.index()] |= 1 << (row * 8 + column),
                None if letter == '.' || letter == '-' => {}
                None => return Err(SetupError::Square { at: at + 1, found: letter }),
            }
        }
        let side: String = text.chars().skip(squares).collect();
        let turn = side.strip_prefix(' ').and_then(|letter| player(letter.chars().next()?));
        let turn = turn.ok_or(SetupError::Side { found: side })?;
        Ok(Othello::set_up(discs, turn, self.size, self.empties))
    }

    /// The position as text, which [`with_text`](Othello::with_text) reads back.
    #[must_use]
    pub fn to_text(&self) -> String {
        let squares = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        let letters = squares.map(|(column, row)| self.disc_at(column, row).map_or('.', name));
        letters.chain([' ', name(self.turn)]).collect()
    }

    /// The colour of the disc on a square of the board, from (0, 0) at the top left.
    #[must_use]
    pub fn disc_at(&self, column: u8, row: u8) -> Option<Player> {
        let place = (column < 8 && row < 8).then(|| u32::from(row) * 8 + u32::from(column))?;
        Player::BOTH.into_iter().find(|player| self.discs[player.index()] >> place & 1 == 1)
    }
}

impl Notation for Othello {
    const CONVENTIONS: Conventions = Conventions {
        result_has_margin: true,
        engines: &[EngineProtocol::Gtp, EngineProtocol::NBoard],
        ..Conventions::PLAIN
    };

    fn show_move(&self, mv: Move) -> String {
        match mv.square() {
            Some((column, row)) => grid::show_point(usize::from(column), usize::from(row)),
            None => "pass".into(),
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = if text.eq_ignore_ascii_case("pass") {
            Move::PASS
        } else {
            let size = usize::from(self.size);
            let (column, row) = grid::read_point(text, size, size).map_err(|error| match error {
                MoveError::Unreadable { text, expected } => {
                    MoveError::Unreadable { text, expected: format!("{expected}, or pass") }
                }
                illegal => illegal,
            })?;
            Move((row * 8 + column) as u8)
        };
        if self.is_legal(mv) {
            return Ok(mv);
        }
        let reason = match self.status {
            Status::Ended => "the game has ended",
            Status::Pass => "no move turns a disc over; only pass is legal",
            Status::Disc if mv == Move::PASS => "a player who can place a disc may not pass",
            Status::Disc if self.empty() >> mv.0 & 1 == 0 => "the square is taken",
            Status::Disc => "it turns nothing over",
        };
        Err(MoveError::illegal(text, reason))
    }

    fn place_of(&self, mv: Move) -> Option<(usize, usize)> {
        mv.square().map(|(column, row)| (usize::from(column), usize::from(row)))
    }

    fn setup_text(&self) -> Option<String> {
        Some(self.to_text())
    }

    fn is_usual_start(&self) -> bool {
        Othello::new(self.size(), self.empties).is_ok_and(|start| start == *self)
    }

    fn record_number(&self) -> Option<u16> {
        Some(2)
    }

    fn sides(&self) -> Sides {
        Sides::BLACK_AND_WHITE
    }

    fn view(&self) -> BoardView {
        let sides = self.sides();
        let squares = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        let [black, white] = self.discs.map(u64::count_ones);
        let status = match self.outcome() {
            None if self.status == Status::Pass => format!("{}, and must pass", sides.to_move(self.turn)),
            None => sides.to_move(self.turn),
            Some(outcome) if outcome.winner().is_none() => sides.has_won(None),
            Some(outcome) => format!("{} by {}", sides.has_won(outcome.winner()), outcome.margin.abs()),
        };
        BoardView {
            shape: BoardShape::Cells,
            columns: (0..self.size).map(|column| char::from(b'a' + column).to_string()).collect(),
            rows: (1..=self.size).map(|row| row.to_string()).collect(),
            points: squares.map(|(column, row)| self.disc_at(column, row).map(|owner| sides.stone(owner))).collect(),
            stars: Vec::new(),
            sides,
            captions: vec![status, format!("Black {black}, White {white} discs")],
        }
    }
}
