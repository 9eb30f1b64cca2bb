//! Boards drawn for a terminal, plainly or with Unicode lines and stones.
//!
//! | file | what is in it |
//! |---|---|
//! | `canvas.rs` | lines of signs in colours |
//! | `square.rs` | squares with pieces inside, crossings of lines |
//! | `river.rs` | the board of Chinese chess: river and palaces |
//! | `hexagons.rs` | the rhombus of Hex, with the edges of both sides |
//!
//! Everything can be told apart without colours too: they are ANSI codes, which the output removes
//! where there is no terminal. A board of many rows has its captions beside it, so that 19×19 fits
//! a terminal of 80×24.

mod canvas;
mod hexagons;
mod river;
mod square;
#[cfg(test)]
mod tests;

use crate::output;
use canvas::{Ground, Line, Tone};
use std::io::IsTerminal;
use tesuji_agents::AnyPosition;
use tesuji_core::{BoardShape, BoardView, Piece, Player, Side};
use unicode_width::UnicodeWidthChar;

/// With what a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// Letters and dots.
    Plain,
    /// Lines and stones; Chinese chess has letters.
    Latin,
    /// Lines and stones; Chinese chess has Chinese characters.
    #[default]
    Unicode,
}

impl Ink {
    /// What the standard output can show, by the locale and by what it is.
    #[must_use]
    pub fn of_output() -> Ink {
        if std::io::stdout().is_terminal() && shows_unicode() { Ink::Unicode } else { Ink::Plain }
    }

    /// The same with the pieces that were asked for, `chinese` or `latin`; a plain board has letters
    /// anyway.
    #[must_use]
    pub fn with_pieces(self, pieces: Option<&str>) -> Ink {
        match (self, pieces) {
            (Ink::Unicode, Some("latin")) => Ink::Latin,
            (ink, _) => ink,
        }
    }

    /// The sign of a piece, or of a side.
    fn sign(self, letter: char, symbol: char) -> char {
        match self {
            Ink::Plain => letter,
            Ink::Latin if symbol.width() == Some(2) => letter,
            Ink::Latin | Ink::Unicode => symbol,
        }
    }
}

/// Whether the locale says that the terminal shows Unicode.
#[must_use]
pub fn shows_unicode() -> bool {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set).unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// A view with how it is drawn.
#[derive(Clone, Copy)]
struct Drawing<'a> {
    view: &'a BoardView,
    ink: Ink,
    /// The point of the last move, as column and row from the top left.
    last: Option<(usize, usize)>,
}

impl Drawing<'_> {
    fn columns(&self) -> usize {
        self.view.columns.len()
    }

    fn rows(&self) -> usize {
        self.view.rows.len()
    }

    fn piece(&self, column: usize, row: usize) -> Option<Piece> {
        let inside = column < self.columns();
        self.view.points.get(row * self.columns() + column).copied().flatten().filter(|_| inside)
    }

    fn is_star(&self, column: usize, row: usize) -> bool {
        self.view.stars.contains(&(row * self.columns() + column))
    }

    /// The width of the names of rows.
    fn margin(&self) -> usize {
        self.view.rows.iter().map(String::len).max().unwrap_or(0)
    }

    fn side(&self, player: Player) -> Side {
        self.view.sides.0[player.index()]
    }

    /// A piece as it is drawn: its sign and its colour.
    fn signed(&self, piece: Piece) -> (char, Tone) {
        (self.ink.sign(piece.letter, piece.symbol), Tone::Side(self.side(piece.owner).paint))
    }

    /// What stands between the point left of `column` and the point there: the parentheses of the
    /// last move, or else `between`.
    fn gap(&self, column: usize, row: usize, between: char) -> (char, Tone) {
        let last = |column: usize| self.piece(column, row).filter(|_| self.last == Some((column, row)));
        match (last(column), column.checked_sub(1).and_then(last)) {
            (Some(piece), _) => ('(', self.signed(piece).1),
            (None, Some(piece)) => (')', self.signed(piece).1),
            (None, None) => (between, Tone::Line),
        }
    }

    /// The names of the columns, `step` columns of the terminal apart.
    fn column_names(&self, indent: usize, step: usize) -> Line {
        let names = self.view.columns.iter().map(|name| format!("{name:<step$}")).collect::<String>();
        Line::text(format!("{}{names}", " ".repeat(indent)))
    }

    /// The board.
    fn lines(&self) -> Vec<Line> {
        match self.view.shape {
            _ if self.columns() == 0 => Vec::new(),
            BoardShape::Cells if self.ink == Ink::Plain => square::dots(self),
            BoardShape::Cells => square::boxes(self),
            BoardShape::Crossings => square::crossings(self),
            BoardShape::River => river::lines(self),
            BoardShape::Hexagons => hexagons::lines(self),
            BoardShape::Text => Vec::new(),
        }
    }
}

/// A board with this number of lines or more has its captions beside it.
const TALL: usize = 15;
/// Blanks between a board and the captions beside it.
const GAP: usize = 3;
/// Captions beside a board have at least this width.
const LEAST_CAPTION: usize = 24;

/// Where a move of this position is shown: its point, or the point where a moved piece arrives; as
/// column and row from the top left.
#[must_use]
pub fn place_of(position: &dyn AnyPosition, mv: &str) -> Option<(usize, usize)> {
    let place = position.place_of(mv);
    if place.is_some() || !position.conventions().moves_pieces {
        return place;
    }
    let mut next = position.boxed_clone();
    next.play(mv).ok()?;
    let (before, after) = (position.view(), next.view());
    let arrived = after.points.iter().zip(&before.points).position(|(now, then)| now.is_some() && now != then)?;
    let columns = after.columns.len();
    Some((arrived.checked_rem(columns)?, arrived.checked_div(columns)?))
}

/// Draws a board; `last` is the point of the last move, as column and row from the top left. No line
/// is wider than the terminal, unless the board is.
#[must_use]
pub fn draw(view: &BoardView, ink: Ink, last: Option<(usize, usize)>) -> String {
    draw_within(output::width(), view, ink, last)
}

/// A board as the standard output can show it.
#[must_use]
pub fn shown(view: &BoardView) -> String {
    draw(view, Ink::of_output(), None).trim_end().to_string()
}

fn draw_within(width: usize, view: &BoardView, ink: Ink, last: Option<(usize, usize)>) -> String {
    let board = Drawing { view, ink, last }.lines();
    let widest = board.iter().map(Line::width).max().unwrap_or(0);
    let legend = view.legend(|side| ink.sign(side.letter, side.symbol));
    let too_wide = (widest > width).then(|| format!("The board needs {widest} columns; there are {width}."));
    let captions: Vec<&String> = legend.iter().chain(&view.captions).chain(&too_wide).collect();
    let beside = board.len() >= TALL && widest + GAP + LEAST_CAPTION <= width;
    let left = if beside { width - widest - GAP } else { width };
    let captions: Vec<String> = captions.into_iter().flat_map(|caption| output::lines_of(caption, left)).collect();
    let mut text = String::new();
    // Beside the board, captions begin below the names of the columns.
    let offset = if beside { 1 } else { board.len() };
    for number in 0..board.len().max(offset + captions.len()) {
        let mut line = board.get(number).cloned().unwrap_or_default();
        if let Some(caption) = number.checked_sub(offset).and_then(|number| captions.get(number)) {
            let blanks = if beside { widest + GAP - line.width() } else { 0 };
            line.say(&format!("{}{caption}", " ".repeat(blanks)));
        }
        line.write(&mut text);
        text.push('\n');
    }
    text
}
