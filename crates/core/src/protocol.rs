//! How moves are written in the protocols of other people's engines.
//!
//! | protocol | a point | pass | a move of a piece |
//! |---|---|---|---|
//! | GTP | as the game writes it | `pass` | |
//! | UCI | `P@b2`: a drop; `b2` is read too | | as the game writes it |
//! | UCCI | | | as the game writes it |
//! | Gomocup | `7,7`: column and row from 0, from the top left | | |
//! | NBoard | `F5` | `PA` | |
//!
//! These are the defaults of [`Notation::show_for`] and [`Notation::read_from`]; a game that is
//! written in another way overrides them. Sources: the protocol texts of GTP 2, UCI, UCCI 3.0,
//! Piskvork and NBoard 2; cutechess and Fairy-Stockfish for drops.

use crate::{MoveError, Notation};

/// A protocol that engines speak.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineProtocol {
    /// The Go Text Protocol, also for Othello and (as HTP) for Hex.
    Gtp,
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
    /// The protocol of Gomocup and Piskvork.
    Gomocup,
    /// The protocol of NBoard.
    NBoard,
}

impl EngineProtocol {
    /// All of them.
    pub const ALL: [EngineProtocol; 5] = [
        EngineProtocol::Gtp,
        EngineProtocol::Uci,
        EngineProtocol::Ucci,
        EngineProtocol::Gomocup,
        EngineProtocol::NBoard,
    ];

    /// Its name, as people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EngineProtocol::Gtp => "GTP",
            EngineProtocol::Uci => "UCI",
            EngineProtocol::Ucci => "UCCI",
            EngineProtocol::Gomocup => "Gomocup's protocol",
            EngineProtocol::NBoard => "NBoard's protocol",
        }
    }
}

/// The pass of NBoard.
const NBOARD_PASS: &str = "PA";

/// A legal move as an engine reads it, unless the game says otherwise.
pub(crate) fn show<P: Notation>(position: &P, protocol: EngineProtocol, mv: P::Move) -> String {
    let native = position.show_move(mv);
    match protocol {
        EngineProtocol::Gtp => {
            let other = P::CONVENTIONS.gtp_moves.iter().find(|(ours, _)| *ours == native);
            other.map_or(native, |(_, theirs)| (*theirs).into())
        }
        EngineProtocol::Uci if !P::CONVENTIONS.moves_pieces => format!("P@{native}"),
        EngineProtocol::Uci | EngineProtocol::Ucci => native,
        EngineProtocol::Gomocup => match position.place_of(mv) {
            Some((column, row)) => format!("{column},{row}"),
            None => native,
        },
        EngineProtocol::NBoard if native == "pass" => NBOARD_PASS.into(),
        EngineProtocol::NBoard => native.to_ascii_uppercase(),
    }
}

/// The legal move that an engine wrote, unless the game says otherwise.
pub(crate) fn read<P: Notation>(position: &P, protocol: EngineProtocol, text: &str) -> Result<P::Move, MoveError> {
    match protocol {
        EngineProtocol::Gtp => {
            let other = P::CONVENTIONS.gtp_moves.iter().find(|(_, theirs)| theirs.eq_ignore_ascii_case(text));
            position.read_move(other.map_or(text, |(ours, _)| ours))
        }
        EngineProtocol::Uci => {
            let dropped = text.split_once('@').filter(|(piece, _)| piece.len() == 1 && !P::CONVENTIONS.moves_pieces);
            position.read_move(dropped.map_or(text, |(_, point)| point))
        }
        EngineProtocol::Ucci => position.read_move(text),
        EngineProtocol::Gomocup => {
            let expected = || MoveError::unreadable(text, "column and row from 0, like 7,7");
            let (column, row) = text.split_once(',').ok_or_else(expected)?;
            let number = |digits: &str| digits.trim().parse::<usize>().map_err(|_| expected());
            let (column, row) = (number(column)?, number(row)?);
            let found = position.move_on(column, row);
            found.ok_or_else(|| MoveError::illegal(text, "the point is off the board, taken or forbidden"))
        }
        EngineProtocol::NBoard => {
            let pass = [NBOARD_PASS, "PS", "PASS"].iter().any(|name| name.eq_ignore_ascii_case(text));
            position.read_move(if pass { "pass" } else { text })
        }
    }
}
