//! A picture of a position that knows no game: what terminals and browsers draw.

use crate::Player;
use std::fmt;

/// How the points of a board lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardShape {
    /// Squares with pieces inside: tic-tac-toe, Othello.
    Cells,
    /// Crossings of lines: Go, Gomoku, Connect6, Chinese chess.
    Crossings,
    /// A rhombus of hexagons, each row shifted half a cell to the right: Hex.
    Hexagons,
    /// No board; only the captions.
    Text,
}

/// What stands on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub owner: Player,
    /// One letter: X and O for stones, K A B N R C P for chess men.
    pub letter: char,
}

/// A board with names along its edges and lines of text below.
///
/// ```
/// use tesuji_core::{BoardShape, BoardView, Piece, Player};
///
/// let stone = |owner, letter| Some(Piece { owner, letter });
/// let view = BoardView {
///     shape: BoardShape::Cells,
///     columns: vec!["a".into(), "b".into()],
///     rows: vec!["2".into(), "1".into()],
///     points: vec![stone(Player::First, 'X'), None, None, stone(Player::Second, 'O')],
///     captions: vec!["first to move".into()],
/// };
/// assert_eq!(view.to_string(), "  a b\n2 X .\n1 . O\nfirst to move");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardView {
    /// How the points lie.
    pub shape: BoardShape,
    /// Names of the columns, left to right.
    pub columns: Vec<String>,
    /// Names of the rows, top to bottom.
    pub rows: Vec<String>,
    /// What stands where, row by row from the top; `rows × columns` entries.
    pub points: Vec<Option<Piece>>,
    /// Whose turn, komi, captures, result: one line each.
    pub captions: Vec<String>,
}

impl fmt::Display for BoardView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape != BoardShape::Text {
            let margin = self.rows.iter().map(String::len).max().unwrap_or(0);
            let width = self.columns.iter().map(String::len).max().unwrap_or(1);
            let line = |indent: usize, name: &str, cells: Vec<String>| {
                let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
                format!("{}{name:>margin$} {}", " ".repeat(indent), cells.join(" ")).trim_end().to_string()
            };
            writeln!(f, "{}", line(0, "", self.columns.clone()))?;
            for (number, (name, row)) in self.rows.iter().zip(self.points.chunks(self.columns.len().max(1))).enumerate()
            {
                let indent = if self.shape == BoardShape::Hexagons { number } else { 0 };
                let cells = row.iter().map(|point| point.map_or('.', |piece| piece.letter).to_string()).collect();
                writeln!(f, "{}", line(indent, name, cells))?;
            }
        }
        for (number, caption) in self.captions.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{caption}")?;
        }
        Ok(())
    }
}
