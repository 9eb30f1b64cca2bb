//! The board of Chinese chess: nine files and ten ranks, a river between the two sides, a palace of
//! nine points with diagonals on each.

use super::square::crossing;
use super::{Drawing, Ground, Ink, Line, Tone};
use unicode_width::UnicodeWidthChar;

/// Columns of the terminal from one file to the next.
const STEP: usize = 4;
/// The first and the last file of a palace.
const PALACE: (usize, usize) = (3, 5);

/// Whether a point belongs to a palace.
fn is_palace(drawing: &Drawing<'_>, column: usize, row: usize) -> bool {
    (PALACE.0..=PALACE.1).contains(&column) && row.min(drawing.rows() - 1 - row) < 3
}

/// The board, with lines or plainly.
pub(super) fn lines(drawing: &Drawing<'_>) -> Vec<Line> {
    if drawing.ink == Ink::Plain { plain(drawing) } else { drawn(drawing) }
}

/// Letters and dots; `+` is an empty point of a palace, `~` is the river.
fn plain(drawing: &Drawing<'_>) -> Vec<Line> {
    let margin = drawing.margin();
    let names = drawing.column_names(margin + 1, 2);
    let mut lines = vec![names.clone()];
    for (row, name) in drawing.view.rows.iter().enumerate() {
        if row * 2 == drawing.rows() {
            lines.push(Line::text(format!("{}{}", " ".repeat(margin + 1), "~ ".repeat(drawing.columns()))));
        }
        let mut line = Line::text(format!("{name:>margin$}"));
        for column in 0..drawing.columns() {
            let (sign, tone) = drawing.gap(column, row, ' ');
            line.draw(sign, tone, Ground::Bare);
            match drawing.piece(column, row) {
                Some(piece) => {
                    let (sign, tone) = drawing.signed(piece);
                    line.draw(sign, tone, Ground::Bare);
                }
                None if is_palace(drawing, column, row) => line.draw('+', Tone::Line, Ground::Bare),
                None => line.draw('.', Tone::Line, Ground::Bare),
            }
        }
        let (sign, tone) = drawing.gap(drawing.columns(), row, ' ');
        line.draw(sign, tone, Ground::Bare);
        line.say(name);
        lines.push(line);
    }
    lines.push(names);
    lines
}

fn drawn(drawing: &Drawing<'_>) -> Vec<Line> {
    let (margin, rows) = (drawing.margin(), drawing.rows());
    let names = drawing.column_names(margin + 2, STEP);
    let mut lines = vec![names.clone()];
    for (row, name) in drawing.view.rows.iter().enumerate() {
        if row > 0 {
            let mut line = Line::text(" ".repeat(margin + 1));
            line.draw(format!(" {}  ", between(drawing, row)), Tone::Line, Ground::Wood);
            lines.push(line);
        }
        let mut line = Line::text(format!("{name:>margin$} "));
        let (sign, tone) = drawing.gap(0, row, ' ');
        line.draw(sign, tone, Ground::Wood);
        for column in 0..drawing.columns() {
            let width = match drawing.piece(column, row) {
                Some(piece) => {
                    let (sign, tone) = drawing.signed(piece);
                    line.draw(sign, tone, Ground::Wood);
                    sign.width().unwrap_or(1)
                }
                None => {
                    line.draw(point(drawing, column, row), Tone::Line, Ground::Wood);
                    1
                }
            };
            let is_end = column + 1 == drawing.columns();
            let (rest, bar) = if is_end { (3 - width, ' ') } else { (STEP - width, '─') };
            // The last move is in parentheses: one stands behind this point, or before the next.
            for place in 0..rest {
                let is_last = drawing.last == Some((column, row)) && place == 0;
                let is_next = drawing.last == Some((column + 1, row)) && place + 1 == rest;
                let (sign, tone) =
                    if is_last || is_next { drawing.gap(column + 1, row, bar) } else { (bar, Tone::Line) };
                line.draw(sign, tone, Ground::Wood);
            }
        }
        line.say(&format!(" {name}"));
        lines.push(line);
    }
    debug_assert!(rows * 2 + 1 >= lines.len(), "one line between two ranks");
    lines.push(names);
    lines
}

/// An empty point. The lines of the inner files end at the river.
fn point(drawing: &Drawing<'_>, column: usize, row: usize) -> char {
    let (columns, rows) = (drawing.columns(), drawing.rows());
    let inner = column > 0 && column + 1 < columns;
    match row {
        _ if inner && (row + 1) * 2 == rows => '┴',
        _ if inner && row * 2 == rows => '┬',
        _ => crossing((column, row), (columns, rows)),
    }
}

/// The line above a row: the files, the diagonals of the palaces, or the river.
fn between(drawing: &Drawing<'_>, row: usize) -> String {
    let (columns, rows) = (drawing.columns(), drawing.rows());
    if row * 2 == rows {
        let inside = STEP * (columns - 1) - 1;
        // "The river of Chu, the border of Han".
        let (words, width) = if drawing.ink == Ink::Unicode { ("楚河        漢界", 16) } else { ("r i v e r", 9) };
        let left = (inside - width) / 2;
        return format!("│{}{words}{}│", " ".repeat(left), " ".repeat(inside - width - left));
    }
    let in_palace = |column: usize| (PALACE.0..PALACE.1).contains(&column) && (row < 3 || rows - row < 3);
    // The middle of a palace is in its second row: the diagonals lead to it and away from it.
    let to_middle = row == 1 || rows - row == 2;
    let cell = |column: usize| match column {
        _ if column + 1 == columns => "│".to_string(),
        _ if !in_palace(column) => "│   ".to_string(),
        _ if (column == PALACE.0) == to_middle => "│ ╲ ".to_string(),
        _ => "│ ╱ ".to_string(),
    };
    (0..columns).map(cell).collect()
}
