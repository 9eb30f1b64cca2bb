//! Positions as text: Forsyth–Edwards notation of Chinese chess.
//!
//! `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`: ranks from 9 (Black's
//! side) down to 0, Red in capitals; the side to move (`w` or `r` for Red, `b` for Black); two
//! unused fields; plies without a capture; the move number. Everything after the board may be
//! missing. Both letter dialects are accepted: elephant `B` or `E`, horse `N` or `H`; the first of
//! each is written.
//!
//! Impossible positions are refused as far as single pieces show it: one general each in its
//! palace, at most the pieces of the starting array, advisors, elephants and soldiers on points
//! they can reach, generals not facing each other, and the side that has just moved not in check.

use super::board::{Board, EMPTY, PieceKind, code_of, kind_of, may_stand, point_at, side_of};

/// The start of every game.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The content of an FEN.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    pub(super) board: Board,
    /// Plies since the last capture.
    pub(super) quiet: u16,
    /// The move number, from 1.
    pub(super) number: u16,
}

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// Not ten ranks.
    #[error("the board has {0} ranks, expected 10 separated by '/', from rank 9 down to rank 0")]
    Ranks(usize),
    /// A rank that is not nine points long.
    #[error("rank {rank} (\"{text}\") has {found} points, expected 9")]
    Width {
        /// Which rank, 9 at the top.
        rank: usize,
        /// Its text, shortened.
        text: String,
        /// Its length.
        found: usize,
    },
    /// A character that is not a piece.
    #[error(
        "{letter:?} in rank {rank} is not a piece; expected K A B (or E) N (or H) R C P, small for Black, or 1 to 9"
    )]
    Letter {
        /// Which rank.
        rank: usize,
        /// The character.
        letter: char,
    },
    /// More pieces of a kind than the starting array has.
    #[error("{side} has more than {most} {kind}{}", if *.most == 1 { "" } else { "s" })]
    TooMany {
        /// Red or Black.
        side: &'static str,
        /// The kind.
        kind: &'static str,
        /// The maximum.
        most: usize,
    },
    /// A side without a general.
    #[error("{0} has no general")]
    NoGeneral(&'static str),
    /// A piece on a point it can never reach.
    #[error("{side}'s {kind} on {square} cannot stand there: {rule}")]
    Place {
        /// Red or Black.
        side: &'static str,
        /// The kind.
        kind: &'static str,
        /// The point, as in UCCI.
        square: String,
        /// The rule.
        rule: &'static str,
    },
    /// The generals face each other.
    #[error("the generals face each other on the {0} file with nothing between")]
    Facing(char),
    /// The side that moved last left its general in check.
    #[error("{0} has just moved but is in check: its general could be captured")]
    Capturable(&'static str),
    /// No side to move.
    #[error("the side to move is \"{0}\", expected w, r or b")]
    Side(String),
    /// A field that is not a number.
    #[error("{what} is \"{text}\", expected a whole number up to 65,535")]
    Number {
        /// Which field.
        what: &'static str,
        /// Its text, shortened.
        text: String,
    },
    /// More than six fields.
    #[error("unexpected text after the move number: \"{0}\"")]
    Trailing(String),
}

/// Red or Black.
pub(super) const fn side_name(side: u8) -> &'static str {
    if side == 0 { "Red" } else { "Black" }
}

fn shorten(text: &str) -> String {
    text.chars().take(24).flat_map(char::escape_debug).collect()
}

const fn rule(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::General => "generals stay in their palace",
        PieceKind::Advisor => "advisors stay on the five diagonal points of their palace",
        PieceKind::Elephant => "elephants stay on the seven points on their side of the river",
        PieceKind::Soldier => "soldiers never go back, and stay on their file before the river",
        PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => "it may stand anywhere",
    }
}

/// The kind of a letter of either dialect.
pub(super) const fn kind_of_letter(letter: char) -> Option<PieceKind> {
    Some(match letter.to_ascii_uppercase() {
        'K' => PieceKind::General,
        'A' => PieceKind::Advisor,
        'B' | 'E' => PieceKind::Elephant,
        'N' | 'H' => PieceKind::Horse,
        'R' => PieceKind::Rook,
        'C' => PieceKind::Cannon,
        'P' => PieceKind::Soldier,
        _ => return None,
    })
}

/// Reads a position.
pub(super) fn read(text: &str) -> Result<Setup, FenError> {
    let mut fields = text.split_ascii_whitespace();
    let mut board = read_board(fields.next().unwrap_or(""))?;
    let side = match fields.next() {
        None | Some("w" | "W" | "r" | "R") => 0,
        Some("b" | "B") => 1,
        Some(other) => return Err(FenError::Side(shorten(other))),
    };
    // The two fields that chess uses for castling and en passant.
    let mut rest = fields.skip_while(|field| *field == "-");
    let mut number =
        |what| rest.next().map(|text| text.parse::<u16>().map_err(|_| FenError::Number { what, text: shorten(text) }));
    let quiet = number("the count of plies without capture").transpose()?.unwrap_or(0);
    let moves = number("the move number").transpose()?.unwrap_or(1).max(1);
    if let Some(more) = rest.next() {
        return Err(FenError::Trailing(shorten(more)));
    }
    board.give_turn(side);
    if board.sees(board.point(0), board.point(16), 0) {
        let file = super::board::place(board.point(0)).0;
        return Err(FenError::Facing(char::from(b'a' + file)));
    }
    if board.in_check(side ^ 1) {
        return Err(FenError::Capturable(side_name(side ^ 1)));
    }
    Ok(Setup { board, quiet, number: moves })
}

fn read_board(text: &str) -> Result<Board, FenError> {
    // Variant programs append the pieces in hand, which are always empty here.
    let text = text.strip_suffix("[]").unwrap_or(text);
    let found = text.split('/').count();
    if found != 10 {
        return Err(FenError::Ranks(found));
    }
    let mut board = Board::BARE;
    for (number, row) in text.split('/').enumerate() {
        let rank = 9 - number;
        let mut file = 0_usize;
        for letter in row.chars() {
            if let Some(gap) = letter.to_digit(10).filter(|gap| *gap > 0) {
                file += gap as usize;
                continue;
            }
            let kind = kind_of_letter(letter).ok_or(FenError::Letter { rank, letter })?;
            let side = u8::from(letter.is_ascii_lowercase());
            if file < 9 {
                if !may_stand(kind, side, file as i8, rank as i8) {
                    return Err(FenError::Place {
                        side: side_name(side),
                        kind: kind.name(),
                        square: format!("{}{rank}", char::from(b'a' + file as u8)),
                        rule: rule(kind),
                    });
                }
                if !board.put(kind, side, point_at(file as u8, rank as u8)) {
                    return Err(FenError::TooMany { side: side_name(side), kind: kind.name(), most: kind.count() });
                }
            }
            file += 1;
        }
        if file != 9 {
            return Err(FenError::Width { rank, text: shorten(row), found: file });
        }
    }
    for side in 0..2 {
        if board.point(16 * side) >= 90 {
            return Err(FenError::NoGeneral(side_name(side)));
        }
    }
    Ok(board)
}

/// Writes a position.
pub(super) fn write(setup: &Setup) -> String {
    let mut text = String::new();
    for rank in (0..10).rev() {
        let mut gap = 0;
        for file in 0..9 {
            let slot = setup.board.at(point_at(file, rank));
            if slot == EMPTY {
                gap += 1;
                continue;
            }
            if gap > 0 {
                text.push_str(&gap.to_string());
                gap = 0;
            }
            text.push(letter_of(slot));
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        if rank > 0 {
            text.push('/');
        }
    }
    let side = if setup.board.side == 0 { 'w' } else { 'b' };
    format!("{text} {side} - - {} {}", setup.quiet, setup.number)
}

/// The letter of a slot: capital for Red.
pub(super) fn letter_of(slot: u8) -> char {
    debug_assert!(code_of(slot) != 0, "only pieces have letters");
    let letter = kind_of(slot).letter();
    if side_of(slot) == 0 { letter } else { letter.to_ascii_lowercase() }
}
