//! The rhombus of Hex. The first player's edges are at the top and at the bottom, the second's left
//! and right; each is drawn in its owner's colour and with its owner's mark.

use super::{Drawing, Ground, Ink, Line, Tone};
use tesuji_core::Player;

/// The board with its edges; the last move is in parentheses.
pub(super) fn lines(drawing: &Drawing<'_>) -> Vec<Line> {
    let (columns, rows, margin) = (drawing.columns(), drawing.rows(), drawing.margin());
    let ground = if drawing.ink == Ink::Plain { Ground::Bare } else { Ground::Slate };
    let marks = if drawing.ink == Ink::Plain {
        Player::BOTH.map(|player| drawing.side(player).letter.to_ascii_lowercase())
    } else {
        ['▪', '▫']
    };
    let edge_tone = |player: Player| Tone::Side(drawing.side(player).paint);
    let edge = |indent: usize| {
        let mut line = Line::text(" ".repeat(indent));
        line.draw(" ", Tone::Line, ground);
        for _ in 0..columns {
            line.draw(format!("{} ", marks[0]), edge_tone(Player::First), ground);
        }
        line
    };
    let mut lines = vec![drawing.column_names(margin + 3, 2), edge(margin + 2)];
    for (row, name) in drawing.view.rows.iter().enumerate() {
        let mut line = Line::text(format!("{}{name:>margin$} ", " ".repeat(row)));
        line.draw(marks[1], edge_tone(Player::Second), ground);
        for column in 0..=columns {
            let (sign, tone) = drawing.gap(column, row, ' ');
            line.draw(sign, tone, ground);
            match drawing.piece(column, row) {
                _ if column == columns => {}
                Some(piece) => {
                    let (sign, tone) = drawing.signed(piece);
                    line.draw(sign, tone, ground);
                }
                None => line.draw(if drawing.ink == Ink::Plain { '.' } else { '·' }, Tone::Line, ground),
            }
        }
        line.draw(marks[1], edge_tone(Player::Second), ground);
        line.say(&format!(" {name}"));
        lines.push(line);
    }
    lines.push(edge(margin + 1 + rows));
    lines.push(drawing.column_names(margin + 2 + rows, 2));
    lines
}
