//! Boards drawn for a terminal, plainly or with Unicode lines and stones.
//!
//! Colours are ANSI codes; the output removes them where there is no terminal.

use std::fmt::Write as _;
use tesuji_core::{BoardShape, BoardView, Piece, Player, Side};

/// With what a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// Letters and dots.
    Plain,
    /// Lines, filled and empty stones.
    #[default]
    Unicode,
}

/// The sign of a piece: its letter, or a stone.
fn sign(piece: Piece, ink: Ink) -> char {
    match ink {
        Ink::Unicode => piece.symbol,
        Ink::Plain => piece.letter,
    }
}

/// In colour; the last move stands out.
fn coloured(text: &str, owner: Option<Player>, is_last: bool) -> String {
    let colour = match owner {
        Some(Player::First) => "33",
        Some(Player::Second) => "36",
        None => "2",
    };
    let last = if is_last { ";7" } else { "" };
    format!("\x1b[{colour}{last}m{text}\x1b[0m")
}

/// The crossing of lines at a point of an empty board.
fn crossing(column: usize, row: usize, columns: usize, rows: usize) -> char {
    let (left, right, top, bottom) = (column == 0, column + 1 == columns, row == 0, row + 1 == rows);
    match (left, right, top, bottom) {
        (true, _, true, _) => '┌',
        (_, true, true, _) => '┐',
        (true, _, _, true) => '└',
        (_, true, _, true) => '┘',
        (true, ..) => '├',
        (_, true, ..) => '┤',
        (_, _, true, _) => '┬',
        (_, _, _, true) => '┴',
        _ => '┼',
    }
}

/// Draws a board; `last` is the point of the last move, as column and row from the top left.
#[must_use]
pub fn draw(view: &BoardView, ink: Ink, last: Option<(usize, usize)>) -> String {
    let mut text = String::new();
    let (columns, rows) = (view.columns.len(), view.rows.len());
    if view.shape != BoardShape::Text && columns > 0 {
        let margin = view.rows.iter().map(String::len).max().unwrap_or(0);
        let width = view.columns.iter().map(String::len).max().unwrap_or(1);
        let boxed = ink == Ink::Unicode && view.shape == BoardShape::Cells;
        let step = if boxed { 3 + width } else { 1 + width };
        let edge = |first: char, middle: char, end: char| {
            let cells = vec!["─".repeat(width + 2); columns].join(&middle.to_string());
            format!("{} {first}{cells}{end}\n", " ".repeat(margin))
        };
        let _ = write!(text, "{} {}", " ".repeat(margin), if boxed { "  " } else { "" });
        for (number, name) in view.columns.iter().enumerate() {
            let gap = if number + 1 == columns { 0 } else { step };
            let _ = write!(text, "{name:<gap$}");
        }
        text.push('\n');
        for (row, name) in view.rows.iter().enumerate() {
            if boxed {
                text += &if row == 0 { edge('┌', '┬', '┐') } else { edge('├', '┼', '┤') };
            }
            let indent = if view.shape == BoardShape::Hexagons { row } else { 0 };
            let _ = write!(text, "{}{name:>margin$} ", " ".repeat(indent));
            for column in 0..columns {
                let piece = view.points.get(row * columns + column).copied().flatten();
                let is_last = last == Some((column, row));
                let shown = match (piece, ink, view.shape) {
                    (Some(piece), ..) => sign(piece, ink).to_string(),
                    (None, Ink::Unicode, BoardShape::Crossings) => crossing(column, row, columns, rows).to_string(),
                    (None, Ink::Unicode, BoardShape::Cells) => " ".to_string(),
                    (None, Ink::Unicode, _) => "·".to_string(),
                    (None, Ink::Plain, _) => ".".to_string(),
                };
                if boxed {
                    text.push_str("│ ");
                }
                text += &coloured(&shown, piece.map(|piece| piece.owner), is_last);
                let end = column + 1 == columns;
                match (boxed, ink, view.shape) {
                    (true, ..) => text += &" ".repeat(width),
                    _ if end => {}
                    (_, Ink::Unicode, BoardShape::Crossings) => text += &coloured(&"─".repeat(width), None, false),
                    _ => text += &" ".repeat(width),
                }
            }
            text += if boxed { "│\n" } else { "\n" };
        }
        if boxed {
            text += &edge('└', '┴', '┘');
        }
    }
    let sign = |side: Side| if ink == Ink::Unicode { side.symbol } else { side.letter };
    text += &view.legend(sign).map(|legend| legend + "\n").unwrap_or_default();
    text += &view.captions.join("\n");
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{Ink, draw};

    /// Without colours.
    fn bare(text: &str) -> String {
        let mut bare = String::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if letter == '\x1b' {
                for _ in letters.by_ref().take_while(|c| *c != 'm') {}
            } else {
                bare.push(letter);
            }
        }
        bare
    }

    fn picture(game: &str, moves: &[&str], ink: Ink) -> String {
        let mut position = tesuji_agents::start_game(&game.parse().expect("a spec")).expect("a game").position;
        for mv in moves {
            position.play(mv).expect("legal");
        }
        bare(&draw(&position.view(), ink, None))
    }

    #[test]
    fn cells_crossings_and_hexagons() {
        assert_eq!(
            picture("tictactoe", &["b2", "a1"], Ink::Unicode),
            "    a   b   c\n  ┌───┬───┬───┐\n3 │   │   │   │\n  ├───┼───┼───┤\n\
             2 │   │ X │   │\n  ├───┼───┼───┤\n1 │ O │   │   │\n  └───┴───┴───┘\n\
             X to move\n"
        );
        assert_eq!(
            picture("go(size=3)", &["B2", "A1"], Ink::Unicode),
            "  A B C\n3 ┌─┬─┐\n2 ├─●─┤\n1 ○─┴─┘\n● Black, ○ White\n\
             Black to move\nCaptured: 0 by Black, 0 by White\nKomi 7.5, area scoring\n"
        );
        assert_eq!(
            picture("hex(size=3)", &["b2"], Ink::Unicode),
            "  a b c\n1 · · ·\n 2 · ● ·\n  3 · · ·\n● Black, ○ White\n\
             White to move, connects left and right, may swap\n"
        );
        assert_eq!(picture("tictactoe", &["b2"], Ink::Plain), "  a b c\n3 . . .\n2 . X .\n1 . . .\nO to move\n");
    }

    /// Boards of Go named one side three ways: ●, X and Black.
    #[test]
    fn a_side_has_one_name() {
        let games = ["tictactoe", "mnk", "go(size=9)", "hex", "othello", "gomoku", "connect6", "xiangqi", "pgame"];
        for game in games {
            let position = tesuji_agents::start_game(&game.parse().expect("a spec")).expect("a game").position;
            let (sides, view) = (position.sides(), position.view());
            assert_eq!(sides, view.sides, "{game}");
            let to_move = sides.to_move(position.turn());
            assert!(view.captions.iter().any(|line| line.starts_with(&to_move)), "{game}: {:?}", view.captions);
            let others: Vec<&str> = ["Black", "White", "Red", "First", "X", "O"]
                .into_iter()
                .filter(|name| !sides.0.iter().any(|side| side.name == *name))
                .collect();
            for ink in [Ink::Plain, Ink::Unicode] {
                let picture = picture(game, &[], ink);
                let captions = picture.lines().filter(|line| line.contains(to_move.as_str()));
                for word in captions.flat_map(|line| line.split([' ', ','])) {
                    assert!(!others.contains(&word), "{game}: {picture}");
                }
            }
        }
    }
}
