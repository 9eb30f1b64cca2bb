//! Boards of squares and of crossing lines.

use super::{Drawing, Ground, Ink, Line, Tone};
use tesuji_core::Paint;

/// Squares as dots and letters; the last move is in parentheses.
pub(super) fn dots(drawing: &Drawing<'_>) -> Vec<Line> {
    let margin = drawing.margin();
    let mut lines = vec![drawing.column_names(margin + 1, 2)];
    for (row, name) in drawing.view.rows.iter().enumerate() {
        let mut line = Line::text(format!("{name:>margin$}"));
        points(drawing, row, &mut line);
        lines.push(line);
    }
    lines
}

/// The points of a row of a plain board.
fn points(drawing: &Drawing<'_>, row: usize, line: &mut Line) {
    for column in 0..=drawing.columns() {
        let (sign, tone) = drawing.gap(column, row, ' ');
        line.draw(sign, tone, Ground::Bare);
        match drawing.piece(column, row) {
            _ if column == drawing.columns() => {}
            Some(piece) => {
                let (sign, tone) = drawing.signed(piece);
                line.draw(sign, tone, Ground::Bare);
            }
            None => line.draw(if drawing.is_star(column, row) { '+' } else { '.' }, Tone::Line, Ground::Bare),
        }
    }
}

/// Squares in boxes; the last move is in parentheses.
pub(super) fn boxes(drawing: &Drawing<'_>) -> Vec<Line> {
    let (columns, rows, margin) = (drawing.columns(), drawing.rows(), drawing.margin());
    // Discs lie on felt; letters are written on the terminal itself.
    let has_discs = drawing.view.sides.0.iter().all(|side| matches!(side.paint, Paint::Black | Paint::White));
    let ground = if has_discs { Ground::Felt } else { Ground::Bare };
    let edge = |first: char, middle: char, end: char| {
        let mut line = Line::text(" ".repeat(margin + 1));
        let cells = vec!["───"; columns].join(&middle.to_string());
        line.draw(format!("{first}{cells}{end}"), Tone::Line, ground);
        line
    };
    let mut lines = vec![drawing.column_names(margin + 3, 4)];
    for (row, name) in drawing.view.rows.iter().enumerate() {
        lines.push(if row == 0 { edge('┌', '┬', '┐') } else { edge('├', '┼', '┤') });
        let mut line = Line::text(format!("{name:>margin$} "));
        for column in 0..columns {
            line.draw('│', Tone::Line, ground);
            match drawing.piece(column, row) {
                Some(piece) => {
                    let (sign, tone) = drawing.signed(piece);
                    let is_last = drawing.last == Some((column, row));
                    let signs = if is_last { format!("({sign})") } else { format!(" {sign} ") };
                    line.draw(signs, tone, ground);
                }
                None => line.draw("   ", Tone::Line, ground),
            }
        }
        line.draw('│', Tone::Line, ground);
        lines.push(line);
    }
    if rows > 0 {
        lines.push(edge('└', '┴', '┘'));
    }
    lines
}

/// Crossings of lines, named on all four sides; the last move is in parentheses.
pub(super) fn crossings(drawing: &Drawing<'_>) -> Vec<Line> {
    let (columns, margin) = (drawing.columns(), drawing.margin());
    let names = drawing.column_names(margin + if drawing.ink == Ink::Plain { 1 } else { 2 }, 2);
    let mut lines = vec![names.clone()];
    for (row, name) in drawing.view.rows.iter().enumerate() {
        let mut line = Line::text(format!("{name:>margin$}"));
        if drawing.ink == Ink::Plain {
            points(drawing, row, &mut line);
            line.say(name);
            lines.push(line);
            continue;
        }
        line.say(" ");
        for column in 0..=columns {
            let (sign, tone) = drawing.gap(column, row, if (1..columns).contains(&column) { '─' } else { ' ' });
            line.draw(sign, tone, Ground::Wood);
            match drawing.piece(column, row) {
                _ if column == columns => {}
                Some(piece) => {
                    let (sign, tone) = drawing.signed(piece);
                    line.draw(sign, tone, Ground::Wood);
                }
                None if drawing.is_star(column, row) => line.draw('╋', Tone::Line, Ground::Wood),
                None => line.draw(crossing((column, row), (columns, drawing.rows())), Tone::Line, Ground::Wood),
            }
        }
        line.say(&format!(" {name}"));
        lines.push(line);
    }
    lines.push(names);
    lines
}

/// The crossing of lines at a point of an empty board.
pub(super) fn crossing((column, row): (usize, usize), (columns, rows): (usize, usize)) -> char {
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
