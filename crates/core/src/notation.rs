//! How people write the moves of a game.

use crate::{BoardView, EngineProtocol, Geometry, Player, Position, Sides, protocol};
use std::ops::ControlFlow;

/// A move text that cannot be played, and why. One line, for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move of this game at all.
    #[error("cannot read the move \"{text}\": expected {expected}")]
    Unreadable {
        /// What was given, shortened.
        text: String,
        /// What a move looks like.
        expected: String,
    },
    /// A move of this game, but not here.
    #[error("the move {text} is not legal here: {reason}")]
    Illegal {
        /// What was given, shortened.
        text: String,
        /// Why not.
        reason: String,
    },
}

impl MoveError {
    /// The text is not a move; `expected` says what one looks like.
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Into<String>) -> MoveError {
        MoveError::Unreadable { text: shorten(text), expected: expected.into() }
    }

    /// The move is not legal; `reason` says why.
    #[must_use]
    pub fn illegal(text: &str, reason: impl Into<String>) -> MoveError {
        MoveError::Illegal { text: shorten(text), reason: reason.into() }
    }
}

/// At most forty characters, none of them a control character.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// How a game is played over UCI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciGame {
    /// The parameter that takes the position of `position fen`.
    pub position: &'static str,
    /// Whether `wtime` belongs to the first player and `btime` to the second, as in chess.
    /// Elsewhere programs disagree, and the smaller of the two is taken.
    pub white_is_first: bool,
}

/// Conventions that protocols and board programs have for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conventions {
    /// The parameters for the columns and the rows of the board, where it need not be square.
    /// Square boards have the parameter `size`, if any.
    pub sides: Option<[&'static str; 2]>,
    /// Moves that GTP writes in another way: our text and GTP's.
    pub gtp_moves: &'static [(&'static str, &'static str)],
    /// Whether a move takes a piece from one point to another. Programs whose moves are single
    /// points then play it as two.
    pub moves_pieces: bool,
    /// Whether the result of a game names the margin.
    pub result_has_margin: bool,
    /// How it is played over UCI, if it is.
    pub uci: Option<UciGame>,
    /// The protocols in which engines of other authors play it.
    pub engines: &'static [EngineProtocol],
}

impl Conventions {
    /// Stones on a square board; a result names the winner only; not played over UCI.
    pub const PLAIN: Conventions = Conventions {
        sides: None,
        gtp_moves: &[],
        moves_pieces: false,
        result_has_margin: false,
        uci: None,
        engines: &[],
    };
}

/// Reading and showing moves and positions, in the notation that players of the game use.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Notation, Position};
///
/// let position = TakeAway::new(2);
/// let mv = position.read_move("2").unwrap();
/// assert_eq!(position.show_move(mv), "2");
/// // Legality ends at this border: `play` trusts its caller.
/// assert!(position.read_move("3").is_err() && position.read_move("x").is_err());
/// ```
pub trait Notation: Position {
    /// Conventions of protocols for the game.
    const CONVENTIONS: Conventions = Conventions::PLAIN;

    /// The move as text. Shown text reads back as the same move.
    fn show_move(&self, mv: Self::Move) -> String;

    /// The legal move that the text means here.
    ///
    /// # Errors
    /// If the text is not a move of this game, or not a legal one now.
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// What people call the two sides: the one name of each in text for people.
    fn sides(&self) -> Sides {
        Sides::FIRST_AND_SECOND
    }

    /// The board, for a terminal or a browser to draw.
    fn view(&self) -> BoardView;

    /// The position as one line of text, as programs and books of the game exchange it (FEN), and
    /// as a parameter of the game reads it.
    fn setup_text(&self) -> Option<String> {
        None
    }

    /// The point of the [view](Notation::view) that a move is played on, as column and row from the
    /// top left; nothing for a pass, for moves from one point to another, and in games without a
    /// board.
    fn place_of(&self, _mv: Self::Move) -> Option<(usize, usize)> {
        None
    }

    /// The points of the view that a move takes a piece from and to, as column and row from the top
    /// left; nothing for other moves.
    fn way_of(&self, _mv: Self::Move) -> Option<[(usize, usize); 2]> {
        None
    }

    /// Where the parts of the board lie, for a program that draws it: what follows from the shape of
    /// the view, unless the board has another.
    fn geometry(&self) -> Geometry {
        Geometry::of(&self.view())
    }

    /// The legal move that is played on a point of the view: what a click means.
    fn move_on(&self, column: usize, row: usize) -> Option<Self::Move> {
        let found = self.visit_moves(|mv| {
            if self.place_of(mv) == Some((column, row)) { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
        });
        found.break_value()
    }

    /// A legal move as engines that speak this protocol read it.
    fn show_for(&self, protocol: EngineProtocol, mv: Self::Move) -> String {
        protocol::show(self, protocol, mv)
    }

    /// The legal move that an engine wrote in this protocol.
    ///
    /// # Errors
    /// If the text is not a move of this game, or not a legal one now.
    fn read_from(&self, protocol: EngineProtocol, text: &str) -> Result<Self::Move, MoveError> {
        protocol::read(self, protocol, text)
    }

    /// Whether a game of these rules begins here if nothing else is said, so that a program which
    /// knows the size of the board knows the position: an empty board and the first player to move,
    /// unless the game says otherwise.
    fn is_usual_start(&self) -> bool {
        self.turn() == Player::First && self.view().points.iter().all(Option::is_none)
    }

    /// What UCI engines call a game of these rules in their option `UCI_Variant`, if it has a name.
    fn uci_variant(&self) -> Option<&'static str> {
        None
    }

    /// The number by which managers of Gomocup's protocol know the rules (`INFO rule`), if they do.
    fn gomocup_rule(&self) -> Option<u32> {
        None
    }

    /// The number by which SGF records know the game (its GM property), if they do.
    fn record_number(&self) -> Option<u16> {
        None
    }

    /// What the root of a record says about a game that begins here, beside its number, its name
    /// and the size of the board: names of SGF properties with their raw values (stones that stand,
    /// marks).
    fn record_properties(&self) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::MoveError;

    #[test]
    fn hostile_text_makes_a_short_single_line() {
        let error = MoveError::unreadable(&"\n\u{1b}[31m".repeat(1000), "a point like b2").to_string();
        assert!(error.len() < 300, "{error}");
        assert!(!error.contains('\n') && !error.contains('\u{1b}'), "{error}");
    }
}
