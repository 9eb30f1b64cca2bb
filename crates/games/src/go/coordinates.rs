//! Names of points: D4, columns A to Z without I, rows from the bottom.

/// The names of the columns.
pub(super) const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The name of a point; column and row from 0.
pub(super) fn point_name(column: usize, row: usize) -> String {
    match COLUMNS.get(column) {
        Some(&letter) => format!("{}{}", char::from(letter), row + 1),
        None => format!("column {}, row {}", column + 1, row + 1),
    }
}

/// Column and row from 0 of a name like D4; `None` if the text is not a point. It may lie off the
/// board.
pub(super) fn read_point(text: &str) -> Option<(usize, usize)> {
    let letter = text.bytes().next()?.to_ascii_uppercase();
    let column = COLUMNS.iter().position(|&name| name == letter)?;
    let digits = text.get(1..)?;
    let plain = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let row: usize = if plain { digits.parse().ok()? } else { return None };
    Some((column, row.checked_sub(1)?))
}
