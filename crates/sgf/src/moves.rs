//! Records of whole games, for any game with a [`Notation`].
//!
//! | game | value of a move property |
//! |---|---|
//! | Hex (GM 11) | the game's own notation, `e4`; `swap-pieces` |
//! | stones on a board | two letters, column and row from the top left, as in Go; a pass is empty |
//! | others (Chinese chess, game trees) | the game's own notation |
//!
//! Connect6 and tic-tac-toe have no number in the specification; the `GN` property identifies them.
//! Each stone of a Connect6 turn is a node of its own. A move belongs to the colour that its
//! property names, also out of turn, where the game allows that (`turned`). Set-up stones are
//! accepted only if they equal the stones of the starting position.

use super::{BoardSize, Collection, EditError, GameType, Limits, Node, ParseError, Point, PointStyle, escape};
use tesuji_core::{MoveError, Notation, Player};

/// Why a record cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file is not valid SGF.
    #[error(transparent)]
    Syntax(#[from] ParseError),
    /// The record is of another game, or begins from a set-up position.
    #[error("{0}")]
    Game(String),
    /// A move is not legal.
    #[error("move {number}: {error}")]
    Move {
        /// Its number, from 1.
        number: usize,
        /// Why it is not legal.
        error: MoveError,
    },
}

/// A move as an SGF value, before escaping.
fn value_of<P: Notation>(position: &P, mv: P::Move) -> String {
    let shown = position.show_move(mv);
    if position.record_number() == Some(GameType::Hex.number()) {
        return if shown == "swap" { "swap-pieces".into() } else { shown };
    }
    match position.place_of(mv) {
        Some((column, row)) => {
            let point = Point { column: column as u8, row: row as u8 };
            point.show(PointStyle::Go).expect("a board of at most 52 lines")
        }
        None if shown == "pass" => String::new(),
        None => shown,
    }
}

/// The legal move that an SGF value denotes.
fn move_of<P: Notation>(position: &P, value: &str) -> Result<P::Move, MoveError> {
    if value.is_empty() {
        return position.read_move("pass");
    }
    let letters = value.len() == 2 && value.bytes().all(|letter| letter.is_ascii_alphabetic());
    let on_board = letters.then(|| Point::read(value, PointStyle::Go)).flatten();
    match on_board.and_then(|point| position.move_on(usize::from(point.column), usize::from(point.row))) {
        Some(mv) => Ok(mv),
        None if letters && !position.view().points.is_empty() => {
            Err(MoveError::illegal(value, "the point is taken, forbidden or off the board"))
        }
        None => position.read_move(value),
    }
}

/// Writes the record of a game: `name` identifies the game, `moves` holds each move and its player.
/// The moves must be legal from `start`. `turned` returns the position with another player to move,
/// for games that allow moves out of turn.
///
/// This function and [`read_game`] are the only part of the crate that depends on `tesuji-core`:
/// they need a position to tell which moves are legal and how they are written.
///
/// # Errors
/// If the record would exceed the limits of a [`Collection`].
pub fn write_game<P: Notation>(
    name: &str,
    start: &P,
    moves: &[(Player, P::Move)],
    turned: impl Fn(&P, Player) -> Option<P>,
) -> Result<Collection, EditError> {
    let mut record = Collection::new();
    let number = start.record_number().map_or(GameType::Gomoku, GameType::from_number);
    let root = record.add_game(number)?;
    record.set_text(root, "GN", name)?;
    let view = start.view();
    if !view.points.is_empty() {
        record.set_raw(root, "SZ", &[size_text(view.columns.len(), view.rows.len()).as_str()])?;
    }
    for (property, values) in start.record_properties() {
        record.set_raw(root, &property, &values.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    let (mut node, mut position) = (root, start.clone());
    for (mover, mv) in moves {
        if position.turn() != *mover {
            position = turned(&position, *mover).unwrap_or(position);
        }
        node = record.add_child(node)?;
        let value = escape(&value_of(&position, *mv));
        record.set_raw(node, if *mover == Player::First { "B" } else { "W" }, &[value.as_str()])?;
        position.play(*mv);
    }
    Ok(record)
}

fn size_text(columns: usize, rows: usize) -> String {
    if columns == rows { rows.to_string() } else { format!("{columns}:{rows}") }
}

/// Reads the moves of the main line of the first game in a file, with the player of each, and
/// checks them from `start`; `turned` as in [`write_game`].
///
/// # Errors
/// If the file is not SGF, is of another game or board, or contains an illegal move.
pub fn read_game<P: Notation>(
    bytes: &[u8],
    start: &P,
    turned: impl Fn(&P, Player) -> Option<P>,
) -> Result<Vec<(Player, P::Move)>, ReplayError> {
    let record = Collection::parse_within(bytes, &Limits::default())?;
    let root = record.node(record.roots()[0]);
    check(root, start)?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    for node in record.main_line(root.id()) {
        let sets_up = ["AB", "AW", "AE"].iter().any(|name| node.has(name));
        if sets_up && !(node.id() == root.id() && sets_up_the_start(node, start)) {
            return Err(ReplayError::Game("the record sets up stones: only Go and Go problems support that".into()));
        }
        for name in ["B", "W"] {
            let Some(value) = node.value(name) else { continue };
            let placed = |error| ReplayError::Move { number: moves.len() + 1, error };
            let mover = if name == "B" { Player::First } else { Player::Second };
            let text = value.simple_text();
            if position.outcome().is_none() && position.turn() != mover {
                let wrong = || MoveError::illegal(&text, format!("it is the {} player's turn", position.turn()));
                position = turned(&position, mover).ok_or_else(|| placed(wrong()))?;
            }
            let mv = move_of(&position, &text).map_err(placed)?;
            position.play(mv);
            moves.push((mover, mv));
        }
    }
    Ok(moves)
}

/// Whether the set-up stones of a root equal the stones of the starting position.
fn sets_up_the_start<P: Notation>(root: Node<'_>, start: &P) -> bool {
    let view = start.view();
    let (columns, rows) = (view.columns.len(), view.rows.len());
    let (Ok(width), Ok(height)) = (u8::try_from(columns), u8::try_from(rows)) else { return false };
    if root.has("AE") || width == 0 || height == 0 {
        return false;
    }
    let size = BoardSize { columns: width, rows: height };
    let mut stones: Vec<Option<Player>> = vec![None; columns * rows];
    for (name, owner) in [("AB", Player::First), ("AW", Player::Second)] {
        let Ok(points) = root.points(name, PointStyle::Go, size) else { return false };
        for point in points {
            stones[usize::from(point.row) * columns + usize::from(point.column)] = Some(owner);
        }
    }
    view.points.len() == stones.len() && view.points.iter().map(|piece| piece.map(|piece| piece.owner)).eq(stones)
}

/// Whether the record agrees with this game and board, as far as its root states them.
fn check<P: Notation>(root: Node<'_>, start: &P) -> Result<(), ReplayError> {
    let other = |what: String| Err(ReplayError::Game(what));
    if let (true, Ok(game), Some(number)) = (root.has("GM"), root.game_type(), start.record_number())
        && game.number() != number
    {
        return other(format!("the record is of another game: GM is {}, expected {number}", game.number()));
    }
    let view = start.view();
    if let (Ok(Some(size)), false) = (root.size(), view.points.is_empty()) {
        let (columns, rows) = (usize::from(size.columns), usize::from(size.rows));
        if (columns, rows) != (view.columns.len(), view.rows.len()) {
            let (found, ours) = (size_text(columns, rows), size_text(view.columns.len(), view.rows.len()));
            return other(format!("the record has board size {found}, this game has {ours}"));
        }
    }
    Ok(())
}
