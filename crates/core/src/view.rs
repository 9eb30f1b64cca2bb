//! A picture of a position that knows no game: what terminals and browsers draw.

use crate::{Player, Side, Sides};
use std::fmt;

/// How the points of a board lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardShape {
    /// Squares with pieces inside: tic-tac-toe, Othello.
    Cells,
    /// Crossings of lines: Go, Gomoku, Connect6.
    Crossings,
    /// Crossings of lines with a river between the two middle rows and a palace at both ends:
    /// Chinese chess.
    River,
    /// A rhombus of hexagons, each row shifted half a cell to the right: Hex. The first player's
    /// edges are at the top and at the bottom, the second's left and right.
    Hexagons,
    /// No board; only the captions.
    Text,
}

/// What stands on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub owner: Player,
    /// One ASCII letter: X and O for stones, K A B N R C P for chess men.
    pub letter: char,
    /// The sign where Unicode can be shown: ● and ○ for stones, 帥 and 將 for generals.
    pub symbol: char,
}

/// A board with names along its edges and lines of text below.
///
/// ```
/// use tesuji_core::{BoardShape, BoardView, Player, Sides};
///
/// let stone = |owner| Some(Sides::BLACK_AND_WHITE.stone(owner));
/// let view = BoardView {
///     shape: BoardShape::Cells,
///     columns: vec!["a".into(), "b".into()],
///     rows: vec!["2".into(), "1".into()],
///     points: vec![stone(Player::First), None, None, stone(Player::Second)],
///     stars: Vec::new(),
///     sides: Sides::BLACK_AND_WHITE,
///     captions: vec!["Black to move".into()],
/// };
/// assert_eq!(view.to_string(), "  a b\n2 X .\n1 . O\nX Black, O White\nBlack to move");
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
    /// Points marked on the empty board, as numbers of entries of `points`.
    pub stars: Vec<usize>,
    /// Whose pieces they are.
    pub sides: Sides,
    /// Whose turn, komi, captures, result: one line each.
    pub captions: Vec<String>,
}

impl BoardView {
    /// A game without a board.
    #[must_use]
    pub fn text(sides: Sides, captions: Vec<String>) -> BoardView {
        let (columns, rows, points, stars) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        BoardView { shape: BoardShape::Text, columns, rows, points, stars, sides, captions }
    }

    /// Which sign stands for which side, where the signs are not the names themselves.
    pub fn legend(&self, sign: impl Fn(Side) -> char) -> Option<String> {
        let says_itself = |side: Side| side.name == sign(side).to_string();
        if self.shape == BoardShape::Text || self.sides.0.into_iter().all(says_itself) {
            return None;
        }
        Some(self.sides.0.map(|side| format!("{} {}", sign(side), side.name)).join(", "))
    }
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
        let legend = self.legend(|side| side.letter);
        f.write_str(&legend.into_iter().chain(self.captions.iter().cloned()).collect::<Vec<_>>().join("\n"))
    }
}
