//! Points of a board and their two notations in SGF, moves of Go and Hex, and point lists.
//!
//! Idea: Go writes column and row as letters from the upper left, `dd` (a…z, then A…Z, so up to
//! 52); Hex writes letters for the column and a number for the row, `e4` (z is followed by aa, ab,
//! …). A list may hold rectangles, `aa:cc`, given by two corners.
//!
//! References: <https://www.red-bean.com/sgf/go.html>, <https://www.red-bean.com/sgf/hex.html>,
//! <https://www.red-bean.com/sgf/sgf4.html#point>. Deviations: a rectangle may be given by any two
//! opposite corners; a point that occurs twice in a list counts once; Hex moves in Go's notation
//! are read too, as some programs write them.

use super::tree::Node;
use super::value::{Value, ValueError};

/// Columns and rows of a board, each 1…255.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardSize {
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
}

impl BoardSize {
    /// A square board.
    #[must_use]
    pub const fn square(side: u8) -> BoardSize {
        BoardSize { columns: side, rows: side }
    }

    /// Whether the point is on the board.
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        point.column < self.columns && point.row < self.rows
    }
}

impl std::fmt::Display for BoardSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}×{}", self.columns, self.rows)
    }
}

/// A point of a board, counted from 0 at the upper left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// From the left.
    pub column: u8,
    /// From the top.
    pub row: u8,
}

/// The notation of points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PointStyle {
    /// Two letters, `dd`: Go, and most programs for Gomoku and Othello.
    Go,
    /// Letters and a number, `e4`: Hex.
    Hex,
}

impl PointStyle {
    const fn example(self) -> &'static str {
        match self {
            PointStyle::Go => "dd",
            PointStyle::Hex => "e4",
        }
    }
}

impl Point {
    /// The point that this text denotes, on a board large enough.
    #[must_use]
    pub fn read(text: &str, style: PointStyle) -> Option<Point> {
        match style {
            PointStyle::Go => match *text.as_bytes() {
                [column, row] => Some(Point { column: go_letter(column)?, row: go_letter(row)? }),
                _ => None,
            },
            PointStyle::Hex => {
                let digits = text.find(|character: char| character.is_ascii_digit())?;
                let (letters, number) = text.split_at(digits);
                let plain = number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
                let row: u16 = if plain { number.parse().ok()? } else { return None };
                Some(Point { column: hex_column(letters)?, row: u8::try_from(row.checked_sub(1)?).ok()? })
            }
        }
    }

    /// The point as text; `None` if the notation has no letters for it (Go ends at 52).
    #[must_use]
    pub fn show(self, style: PointStyle) -> Option<String> {
        match style {
            PointStyle::Go => Some([show_go_letter(self.column)?, show_go_letter(self.row)?].iter().collect()),
            PointStyle::Hex => {
                let (high, low) = (self.column / 26, self.column % 26);
                let mut text = String::new();
                if high > 0 {
                    text.push(char::from(b'a' + high - 1));
                }
                text.push(char::from(b'a' + low));
                text.push_str(&(u16::from(self.row) + 1).to_string());
                Some(text)
            }
        }
    }
}

fn go_letter(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

fn show_go_letter(coordinate: u8) -> Option<char> {
    match coordinate {
        0..=25 => Some(char::from(b'a' + coordinate)),
        26..=51 => Some(char::from(b'A' + coordinate - 26)),
        _ => None,
    }
}

/// a…z are 0…25, aa is 26, ab is 27; upper case is equivalent.
fn hex_column(letters: &str) -> Option<u8> {
    let value = |letter: u8| letter.is_ascii_alphabetic().then(|| u16::from(letter.to_ascii_lowercase() - b'a'));
    match *letters.as_bytes() {
        [low] => u8::try_from(value(low)?).ok(),
        [high, low] => u8::try_from((value(high)? + 1) * 26 + value(low)?).ok(),
        _ => None,
    }
}

/// A move of Go, or of any game with the same notation and passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GoMove {
    /// A stone here.
    Play(Point),
    /// No stone: `[]`, or `[tt]` on boards up to 19×19.
    Pass,
}

impl GoMove {
    /// The value of the move; a pass is empty, as FF\[4\] requires. `None` if the point has no
    /// letters.
    #[must_use]
    pub fn show(self) -> Option<String> {
        match self {
            GoMove::Play(point) => point.show(PointStyle::Go),
            GoMove::Pass => Some(String::new()),
        }
    }
}

/// A move of Hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HexMove {
    /// A stone here.
    Play(Point),
    /// The stone changes its colour and is reflected in the long diagonal.
    SwapPieces,
    /// The players exchange their colours.
    SwapSides,
    /// The player resigns.
    Resign,
    /// The player forfeits for another reason, such as time.
    Forfeit,
}

impl HexMove {
    /// The moves written as words.
    const WORDS: [(HexMove, &'static str); 4] = [
        (HexMove::SwapPieces, "swap-pieces"),
        (HexMove::SwapSides, "swap-sides"),
        (HexMove::Resign, "resign"),
        (HexMove::Forfeit, "forfeit"),
    ];
}

impl std::fmt::Display for HexMove {
    /// The value of the move.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let HexMove::Play(point) = self {
            // Every point has a name in this notation.
            return f.write_str(&point.show(PointStyle::Hex).unwrap_or_default());
        }
        let word = HexMove::WORDS.iter().find(|(named, _)| named == self);
        f.write_str(word.map_or("", |(_, word)| word))
    }
}

impl<'a> Value<'a> {
    /// The value as a point of the board.
    ///
    /// # Errors
    /// If it is not a point in this notation, or not on the board.
    pub fn point(self, style: PointStyle, size: BoardSize) -> Result<Point, ValueError> {
        let point = Point::read(self.raw().trim(), style).filter(|&point| size.contains(point));
        point.ok_or_else(|| self.error(format!("a point such as {} on the {size} board", style.example())))
    }

    /// The value as a move in Go's notation: a point, or a pass (`[]`, and `[tt]` on boards up to
    /// 19×19).
    ///
    /// # Errors
    /// If it is neither, or the point is not on the board.
    pub fn go_move(self, size: BoardSize) -> Result<GoMove, ValueError> {
        match self.raw().trim() {
            "" => Ok(GoMove::Pass),
            "tt" if size.columns <= 19 && size.rows <= 19 => Ok(GoMove::Pass),
            _ => self.point(PointStyle::Go, size).map(GoMove::Play),
        }
    }

    /// The value as a move of Hex: a point in either notation, or one of the words.
    ///
    /// # Errors
    /// If it is neither, or the point is not on the board.
    pub fn hex_move(self, size: BoardSize) -> Result<HexMove, ValueError> {
        let text = self.raw().trim();
        if let Some((word, _)) = HexMove::WORDS.iter().find(|(_, word)| word.eq_ignore_ascii_case(text)) {
            return Ok(*word);
        }
        let point = Point::read(text, PointStyle::Hex).or_else(|| Point::read(text, PointStyle::Go));
        point.filter(|&point| size.contains(point)).map(HexMove::Play).ok_or_else(|| {
            self.error(format!("a point such as e4 on the {size} board, swap-pieces, swap-sides, resign or forfeit"))
        })
    }

    /// Two opposite corners of a rectangle, equal for a single point.
    fn corners(self, style: PointStyle, size: BoardSize) -> Result<(Point, Point), ValueError> {
        let Some((first, second)) = self.parts() else {
            let point = self.point(style, size)?;
            return Ok((point, point));
        };
        let corner = |part: Value<'a>| {
            part.point(style, size).map_err(|error| ValueError { found: self.error("").found, ..error })
        };
        let (one, other) = (corner(first)?, corner(second).map_err(|e| ValueError { offset: self.offset(), ..e })?);
        let upper_left = Point { column: one.column.min(other.column), row: one.row.min(other.row) };
        let lower_right = Point { column: one.column.max(other.column), row: one.row.max(other.row) };
        Ok((upper_left, lower_right))
    }
}

impl Node<'_> {
    /// All points of a property that is a list of points, such as `AB`, `AE` or `TR`: rectangles
    /// are filled in, a point that occurs again counts once, empty values hold no point. Empty if
    /// the node does not have the property.
    ///
    /// # Errors
    /// If a value is not a point or a rectangle on the board.
    pub fn points(self, name: &str, style: PointStyle, size: BoardSize) -> Result<Vec<Point>, ValueError> {
        let mut points = Vec::new();
        let mut seen = vec![false; usize::from(size.columns) * usize::from(size.rows)];
        for value in self.values(name).filter(|value| !value.raw().trim().is_empty()) {
            let (first, last) = value.corners(style, size)?;
            for row in first.row..=last.row {
                for column in first.column..=last.column {
                    let at = usize::from(row) * usize::from(size.columns) + usize::from(column);
                    if !std::mem::replace(&mut seen[at], true) {
                        points.push(Point { column, row });
                    }
                }
            }
        }
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::{BoardSize, GoMove, HexMove, Point, PointStyle};
    use crate::{Collection, Value};

    fn value(raw: &str) -> Value<'_> {
        Value::new("B", raw, None)
    }

    #[test]
    fn every_point_reads_back() {
        for column in 0..=255 {
            for row in 0..=255 {
                let point = Point { column, row };
                let hex = point.show(PointStyle::Hex).unwrap();
                assert_eq!(Point::read(&hex, PointStyle::Hex), Some(point), "{hex}");
                match point.show(PointStyle::Go) {
                    Some(go) => assert_eq!(Point::read(&go, PointStyle::Go), Some(point)),
                    None => assert!(column >= 52 || row >= 52),
                }
            }
        }
    }

    #[test]
    fn the_letters_of_both_styles() {
        let point = |column, row| Some(Point { column, row });
        assert_eq!(Point::read("dp", PointStyle::Go), point(3, 15));
        assert_eq!(Point::read("zA", PointStyle::Go), point(25, 26));
        assert_eq!(Point::read("ZZ", PointStyle::Go), point(51, 51));
        assert_eq!(Point::read("e4", PointStyle::Hex), point(4, 3));
        assert_eq!(Point::read("aa27", PointStyle::Hex), point(26, 26));
        for bad in ["", "a", "abc", "a1", "é", "1a", "  "] {
            assert_eq!(Point::read(bad, PointStyle::Go), None, "{bad}");
        }
        for bad in ["", "a", "4", "e0", "e-1", "e+1", "e4x", "aaa1", "zz1", "e999999999999", "é4", "e４"] {
            assert_eq!(Point::read(bad, PointStyle::Hex), None, "{bad}");
        }
    }

    #[test]
    fn passes_of_go() {
        let (small, large) = (BoardSize::square(19), BoardSize::square(21));
        assert_eq!(value("").go_move(small), Ok(GoMove::Pass));
        assert_eq!(value("tt").go_move(small), Ok(GoMove::Pass));
        assert_eq!(value("tt").go_move(large), Ok(GoMove::Play(Point { column: 19, row: 19 })));
        assert_eq!(value("").go_move(large), Ok(GoMove::Pass));
        let error = value("jj").go_move(BoardSize::square(9)).unwrap_err().to_string();
        assert_eq!(error, "B[jj]: expected a point such as dd on the 9×9 board");
    }

    #[test]
    fn moves_of_hex() {
        let size = BoardSize::square(11);
        for text in ["swap-pieces", "swap-sides", "resign", "forfeit", "a1", "k11"] {
            assert_eq!(value(text).hex_move(size).unwrap().to_string(), text);
        }
        assert_eq!(value("ff").hex_move(size), value("f6").hex_move(size));
        assert_eq!(value("f6").hex_move(size), Ok(HexMove::Play(Point { column: 5, row: 5 })));
        for bad in ["", "l1", "a12", "pass", "swap"] {
            assert!(value(bad).hex_move(size).is_err(), "{bad}");
        }
    }

    #[test]
    fn compressed_lists() {
        let collection = Collection::parse(b"(;SZ[9]AB[aa:cb][bb][ee]AB[ca:ba]AE[]AW[aa:kk]TR[c3:a1])").unwrap();
        let root = collection.node(collection.roots()[0]);
        let size = BoardSize::square(9);
        let black: Vec<_> = root.points("AB", PointStyle::Go, size).unwrap();
        let names: Vec<_> = black.iter().map(|point| point.show(PointStyle::Go).unwrap()).collect();
        assert_eq!(names, ["aa", "ba", "ca", "ab", "bb", "cb", "ee"]);
        assert_eq!(root.points("AE", PointStyle::Go, size), Ok(vec![]));
        assert_eq!(root.points("TR", PointStyle::Hex, size).unwrap().len(), 9);
        let error = root.points("AW", PointStyle::Go, size).unwrap_err().to_string();
        assert_eq!(error, "byte 40: AW[aa:kk]: expected a point such as dd on the 9×9 board");
    }
}
