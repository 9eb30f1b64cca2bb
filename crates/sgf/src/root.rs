//! Root properties: game, board size, komi, players, result.
//!
//! Reference: <https://www.red-bean.com/sgf/properties.html> (root and game info properties). The
//! getters also accept common deviations from the specification (`PL[black]`, `B+Resign`, `Jigo`,
//! `SZ[9:9]`); the setters write only what the specification allows.

use super::point::BoardSize;
use super::tree::{Collection, EditError, Node, NodeId};
use super::value::{Value, ValueError};

/// Black or White, as SGF names the players of every game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Color {
    /// The property `B`; moves first in Go, Gomoku, Othello and Hex.
    Black,
    /// The property `W`.
    White,
}

impl Color {
    /// `B` or `W`: the move property, and the value of `PL`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Color::Black => "B",
            Color::White => "W",
        }
    }
}

/// The game of a record, by its number in `GM`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameType {
    /// 1.
    Go,
    /// 2.
    Othello,
    /// 4: Gomoku and Renju.
    Gomoku,
    /// 7: xiangqi.
    ChineseChess,
    /// 11.
    Hex,
    /// Any other number.
    Other(u16),
}

impl GameType {
    /// The game of this number.
    #[must_use]
    pub const fn from_number(number: u16) -> GameType {
        match number {
            1 => GameType::Go,
            2 => GameType::Othello,
            4 => GameType::Gomoku,
            7 => GameType::ChineseChess,
            11 => GameType::Hex,
            other => GameType::Other(other),
        }
    }

    /// The number of this game.
    #[must_use]
    pub const fn number(self) -> u16 {
        match self {
            GameType::Go => 1,
            GameType::Othello => 2,
            GameType::Gomoku => 4,
            GameType::ChineseChess => 7,
            GameType::Hex => 11,
            GameType::Other(number) => number,
        }
    }

    /// The board of a record without `SZ`: the usual one of the game, `None` for other games.
    #[must_use]
    pub const fn usual_size(self) -> Option<BoardSize> {
        match self {
            GameType::Go => Some(BoardSize::square(19)),
            GameType::Othello => Some(BoardSize::square(8)),
            GameType::Gomoku => Some(BoardSize::square(15)),
            GameType::ChineseChess => Some(BoardSize { columns: 9, rows: 10 }),
            GameType::Hex => Some(BoardSize::square(11)),
            GameType::Other(_) => None,
        }
    }
}

/// How a game was won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WinReason {
    /// By this many points.
    Score(f64),
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The loser forfeited for another reason.
    Forfeit,
    /// Not stated, or not in a form of the specification (`B+Illegal`).
    Unstated,
}

/// The result of a game, `RE`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GameResult {
    /// One player won.
    Win(Color, WinReason),
    /// A draw.
    Draw,
    /// No result, or the game was suspended.
    Void,
    /// `?`.
    Unknown,
}

impl GameResult {
    fn read(text: &str) -> Option<GameResult> {
        let text = text.trim().to_ascii_lowercase();
        match text.as_str() {
            "0" | "draw" | "jigo" => return Some(GameResult::Draw),
            "void" => return Some(GameResult::Void),
            "?" | "" => return Some(GameResult::Unknown),
            _ => {}
        }
        let (winner, how) = text.split_once('+')?;
        let winner = read_color(winner)?;
        let reason = match how.trim() {
            "r" | "res" | "resign" => WinReason::Resignation,
            "t" | "time" => WinReason::Time,
            "f" | "forfeit" => WinReason::Forfeit,
            two_claims if two_claims.contains('+') => return None,
            score => Value::new("RE", score, None).real().map_or(WinReason::Unstated, WinReason::Score),
        };
        Some(GameResult::Win(winner, reason))
    }
}

impl std::fmt::Display for GameResult {
    /// As the value of `RE`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GameResult::Win(winner, WinReason::Score(points)) => write!(f, "{}+{points}", winner.letter()),
            GameResult::Win(winner, WinReason::Resignation) => write!(f, "{}+R", winner.letter()),
            GameResult::Win(winner, WinReason::Time) => write!(f, "{}+T", winner.letter()),
            GameResult::Win(winner, WinReason::Forfeit) => write!(f, "{}+F", winner.letter()),
            GameResult::Win(winner, WinReason::Unstated) => write!(f, "{}+", winner.letter()),
            GameResult::Draw => f.write_str("0"),
            GameResult::Void => f.write_str("Void"),
            GameResult::Unknown => f.write_str("?"),
        }
    }
}

fn read_color(text: &str) -> Option<Color> {
    match text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

const fn name_property(color: Color) -> &'static str {
    match color {
        Color::Black => "PB",
        Color::White => "PW",
    }
}

impl Node<'_> {
    /// The game, `GM`; Go if the root does not state it.
    ///
    /// # Errors
    /// If the value is not a number from 0 to 65,535.
    pub fn game_type(self) -> Result<GameType, ValueError> {
        let Some(value) = self.value("GM") else { return Ok(GameType::Go) };
        let number =
            u16::try_from(value.number()?).map_err(|_| value.error("the number of a game, such as 1 for Go"))?;
        Ok(GameType::from_number(number))
    }

    /// The version of the format, `FF`; 1 if the root does not state it.
    ///
    /// # Errors
    /// If the value is not a whole number of at least 1.
    pub fn format(self) -> Result<u32, ValueError> {
        self.value("FF").map_or(Ok(1), |value| {
            let number = u32::try_from(value.number()?).ok().filter(|&number| number > 0);
            number.ok_or_else(|| value.error("a version of the format, such as 4"))
        })
    }

    /// The board, `SZ[side]` or `SZ[columns:rows]`; `None` without `SZ`, see
    /// [`GameType::usual_size`].
    ///
    /// # Errors
    /// If the value is not one or two numbers from 1 to 255.
    pub fn size(self) -> Result<Option<BoardSize>, ValueError> {
        let Some(value) = self.value("SZ") else { return Ok(None) };
        let (columns, rows) = value.parts().unwrap_or((value, value));
        let side = |part: Value<'_>| {
            let number = part.raw().trim().parse().ok().filter(|&side: &u8| side > 0);
            number.ok_or_else(|| value.error("a side such as 19, or columns:rows, each from 1 to 255"))
        };
        Ok(Some(BoardSize { columns: side(columns)?, rows: side(rows)? }))
    }

    /// The points White gets, `KM`.
    ///
    /// # Errors
    /// If the value is not a decimal number.
    pub fn komi(self) -> Result<Option<f64>, ValueError> {
        self.value("KM").map(Value::real).transpose()
    }

    /// The result, `RE`.
    ///
    /// # Errors
    /// If the value has none of the forms of the specification.
    pub fn result(self) -> Result<Option<GameResult>, ValueError> {
        self.value("RE")
            .map(|value| {
                GameResult::read(&value.simple_text())
                    .ok_or_else(|| value.error("a result such as B+3.5, W+Resign, 0, Void or ?"))
            })
            .transpose()
    }

    /// The name of a player, `PB` or `PW`.
    #[must_use]
    pub fn player_name(self, color: Color) -> Option<String> {
        self.value(name_property(color)).map(Value::simple_text)
    }

    /// The number of handicap stones, `HA`.
    ///
    /// # Errors
    /// If the value is not a number of at least 0.
    pub fn handicap(self) -> Result<Option<u32>, ValueError> {
        self.value("HA")
            .map(|value| u32::try_from(value.number()?).map_err(|_| value.error("a number of stones, such as 2")))
            .transpose()
    }

    /// The side to move after the set-up of this node, `PL`.
    ///
    /// # Errors
    /// If the value names no colour.
    pub fn to_play(self) -> Result<Option<Color>, ValueError> {
        self.value("PL")
            .map(|value| read_color(value.raw()).ok_or_else(|| value.error("B for Black or W for White")))
            .transpose()
    }

    /// The rules, `RU`, as the file names them.
    #[must_use]
    pub fn rules(self) -> Option<String> {
        self.value("RU").map(Value::simple_text)
    }
}

/// Setters of root properties. They fail only if the collection is full.
impl Collection {
    /// Adds a game tree whose root holds `FF[4]` and the game.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn add_game(&mut self, game: GameType) -> Result<NodeId, EditError> {
        let root = self.add_tree()?;
        self.set_raw(root, "FF", &["4"])?;
        self.set_game_type(root, game)?;
        Ok(root)
    }

    /// Sets `GM`.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_game_type(&mut self, root: NodeId, game: GameType) -> Result<(), EditError> {
        self.set_raw(root, "GM", &[&game.number().to_string()])
    }

    /// Sets `SZ`, with one number if the board is square.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_size(&mut self, root: NodeId, size: BoardSize) -> Result<(), EditError> {
        let BoardSize { columns, rows } = size;
        let text = if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
        self.set_raw(root, "SZ", &[&text])
    }

    /// Sets `KM`.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_komi(&mut self, root: NodeId, komi: f64) -> Result<(), EditError> {
        self.set_raw(root, "KM", &[&komi.to_string()])
    }

    /// Sets `RE`.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_result(&mut self, root: NodeId, result: GameResult) -> Result<(), EditError> {
        self.set_raw(root, "RE", &[&result.to_string()])
    }

    /// Sets `PB` or `PW`.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_player_name(&mut self, root: NodeId, color: Color, name: &str) -> Result<(), EditError> {
        self.set_text(root, name_property(color), name)
    }

    /// Sets `HA`.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_handicap(&mut self, root: NodeId, stones: u32) -> Result<(), EditError> {
        self.set_raw(root, "HA", &[&stones.to_string()])
    }

    /// Sets `PL`.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_to_play(&mut self, node: NodeId, color: Color) -> Result<(), EditError> {
        self.set_raw(node, "PL", &[color.letter()])
    }

    /// Sets `RU`.
    ///
    /// # Errors
    /// If the collection is full.
    pub fn set_rules(&mut self, root: NodeId, rules: &str) -> Result<(), EditError> {
        self.set_text(root, "RU", rules)
    }
}

#[cfg(test)]
mod tests {
    use super::{Color, GameResult, GameType, WinReason};
    use crate::{BoardSize, Collection};

    #[test]
    fn what_is_set_is_read_back() {
        let mut collection = Collection::new();
        let root = collection.add_game(GameType::Hex).unwrap();
        let size = BoardSize { columns: 14, rows: 11 };
        collection.set_size(root, size).unwrap();
        collection.set_komi(root, -7.5).unwrap();
        collection.set_player_name(root, Color::Black, "A]\\:é").unwrap();
        collection.set_player_name(root, Color::White, "W").unwrap();
        collection.set_handicap(root, 2).unwrap();
        collection.set_to_play(root, Color::White).unwrap();
        collection.set_rules(root, "Chinese").unwrap();
        collection.set_result(root, GameResult::Win(Color::White, WinReason::Score(0.5))).unwrap();
        let text = collection.write();
        assert_eq!(
            text,
            "(;FF[4]GM[11]CA[UTF-8]SZ[14:11]KM[-7.5]PB[A\\]\\\\:é]PW[W]HA[2]PL[W]RU[Chinese]\
             RE[W+0.5])\n"
        );
        let again = Collection::parse(text.as_bytes()).unwrap();
        assert_eq!(again, collection);
        let root = again.node(again.roots()[0]);
        assert_eq!(root.game_type(), Ok(GameType::Hex));
        assert_eq!(root.format(), Ok(4));
        assert_eq!(root.size(), Ok(Some(size)));
        assert_eq!(root.komi(), Ok(Some(-7.5)));
        assert_eq!(root.player_name(Color::Black).as_deref(), Some("A]\\:é"));
        assert_eq!(root.handicap(), Ok(Some(2)));
        assert_eq!(root.to_play(), Ok(Some(Color::White)));
        assert_eq!(root.rules().as_deref(), Some("Chinese"));
        assert_eq!(root.result(), Ok(Some(GameResult::Win(Color::White, WinReason::Score(0.5)))));
    }

    #[test]
    fn results_in_the_wild() {
        use GameResult::{Draw, Unknown, Void, Win};
        for (text, result) in [
            ("B+R", Win(Color::Black, WinReason::Resignation)),
            ("b+resign", Win(Color::Black, WinReason::Resignation)),
            ("W+Time", Win(Color::White, WinReason::Time)),
            ("White+F", Win(Color::White, WinReason::Forfeit)),
            ("B+", Win(Color::Black, WinReason::Unstated)),
            ("W+Illegal", Win(Color::White, WinReason::Unstated)),
            ("W+Time Over", Win(Color::White, WinReason::Unstated)),
            ("B+12", Win(Color::Black, WinReason::Score(12.0))),
            ("Draw", Draw),
            ("Jigo", Draw),
            ("Void", Void),
            ("?", Unknown),
        ] {
            assert_eq!(GameResult::read(text), Some(result), "{text}");
            assert_eq!(GameResult::read(&result.to_string()), Some(result), "{text}");
        }
        for bad in ["B", "+3", "Black won", "B+1.5 ? W+timeout", "White resigns."] {
            assert_eq!(GameResult::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn bad_facts_are_refused_with_their_place() {
        let file = b"(;GM[x]SZ[0]KM[half]HA[-1]PL[red]RE[who knows]FF[0])";
        let collection = Collection::parse(file).unwrap();
        let root = collection.node(collection.roots()[0]);
        assert_eq!(root.game_type().unwrap_err().to_string(), "byte 5: GM[x]: expected a whole number");
        assert!(root.size().unwrap_err().to_string().starts_with("byte 10: SZ[0]: expected a side"));
        assert!(root.komi().is_err() && root.handicap().is_err() && root.to_play().is_err());
        assert!(root.result().is_err() && root.format().is_err());
        for bad in ["256", "19:0", "19:", ":", "-9", "9x9", "9:9:9"] {
            let collection = Collection::parse(format!("(;SZ[{bad}])").as_bytes()).unwrap();
            assert!(collection.node(collection.roots()[0]).size().is_err(), "{bad}");
        }
    }

    #[test]
    fn defaults_and_numbers_of_games() {
        let collection = Collection::parse(b"(;)").unwrap();
        let root = collection.node(collection.roots()[0]);
        assert_eq!((root.game_type(), root.format(), root.size()), (Ok(GameType::Go), Ok(1), Ok(None)));
        for number in 0..50 {
            assert_eq!(GameType::from_number(number).number(), number);
        }
        assert_eq!(GameType::Hex.usual_size(), Some(BoardSize::square(11)));
    }

    #[test]
    fn properties_are_replaced_in_place_and_removed() {
        let mut collection = Collection::parse(b"(;A[1]B[2]A[3]C[4])").unwrap();
        let root = collection.roots()[0];
        collection.set_raw(root, "A", &["x", "y"]).unwrap();
        assert_eq!(collection.write(), "(;CA[UTF-8]A[x][y]B[2]C[4])\n");
        assert!(collection.remove(root, "C") && !collection.remove(root, "C"));
        collection.set_raw(root, "D", &["]"]).unwrap();
        assert!(collection.remove(root, "A"));
        collection.set_raw(root, "E", &[""]).unwrap();
        assert_eq!(collection.write(), "(;CA[UTF-8]B[2]D[\\]]E[])\n");
        for bad in ["", "a", "9", "É", "A B", "CA"] {
            assert!(collection.set_raw(root, bad, &["x"]).is_err(), "{bad}");
        }
        assert!(collection.set_raw(root, "A", &[]).is_err());
    }
}
