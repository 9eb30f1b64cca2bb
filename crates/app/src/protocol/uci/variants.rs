//! Games as UCI's clients know them: the names of variants, stones as drops, positions as FEN.
//!
//! cutechess and Fairy-Stockfish write a stone that is placed as the drop of a pawn, `P@h8`; the
//! point alone is read too. cutechess's `gomoku` wins by exactly five, its `gomokufreestyle` by
//! five or more, both on 15×15. A FEN of such a game lists the ranks from the top, with a number
//! for empty points, `P` for the first player's stones and `p` for the second's, and perhaps the
//! stones left in brackets: `2P/1p1/3[PPPPppp] w - - 0 2`.
//!
//! Reference: cutechess 1.5.1, `connectboard.cpp`, `board.cpp` and `uciengine.cpp`.

use super::{Dialect, Uci};
use tesuji_agents::AnyPosition;
use tesuji_core::spec::{Spec, SpecValue};

/// The game whose rules are variants of their own.
const GOMOKU: &str = "gomoku";
/// Its rules, each with the name of the variant.
const RULES: [(&str, &str); 3] = [("standard", "gomoku"), ("freestyle", "gomokufreestyle"), ("renju", "renju")];
/// No board has more points.
const MOST_POINTS: usize = 1 << 12;
/// How a placed stone is written.
const DROP: &str = "P@";

/// The names of all variants.
pub(super) fn names() -> Vec<&'static str> {
    let own = |name: &'static str| match name {
        GOMOKU => RULES.iter().map(|(_, variant)| *variant).collect(),
        other => vec![other],
    };
    Uci::games().into_iter().flat_map(own).collect()
}

/// The name of the variant that a game is.
pub(super) fn name_of(game: &Spec, position: &dyn AnyPosition) -> String {
    position.uci_variant().map_or_else(|| game.name.clone(), str::to_string)
}

/// The game that a variant is; nothing if there is none of this name.
pub(super) fn game_of(variant: &str) -> Option<Spec> {
    if let Some((rule, _)) = RULES.iter().find(|(_, name)| *name == variant) {
        return format!("{GOMOKU}(rule={rule})").parse().ok();
    }
    names().contains(&variant).then(|| Spec::bare(variant))
}

/// The value of a game's position parameter for a FEN of stones; nothing if it is no such FEN.
fn stones(fen: &str) -> Option<String> {
    let placed = fen.split_whitespace().next()?;
    let placed = placed.split_once('[').map_or(placed, |(placed, _)| placed);
    let mut points = String::new();
    let mut empty: usize = 0;
    for letter in placed.chars().chain(['/']) {
        if let Some(digit) = letter.to_digit(10) {
            empty = (empty * 10 + digit as usize).min(MOST_POINTS);
            continue;
        }
        if points.len() + empty > MOST_POINTS {
            return None;
        }
        points.extend(std::iter::repeat_n('.', std::mem::take(&mut empty)));
        match letter {
            'P' => points.push('X'),
            'p' => points.push('O'),
            '/' => {}
            _ => return None,
        }
    }
    placed.contains('/').then_some(points)
}

impl Uci {
    /// Whether stones are written as drops.
    fn has_drops(&self) -> bool {
        self.dialect == Dialect::Uci && !self.engine.session.position().conventions().moves_pieces
    }

    /// A move as the client reads it.
    pub(super) fn show(&self, mv: &str) -> String {
        if self.has_drops() { format!("{DROP}{mv}") } else { mv.to_string() }
    }

    /// A move that the client wrote, as the game reads it.
    pub(super) fn native<'a>(&self, text: &'a str) -> &'a str {
        match text.get(..DROP.len()) {
            Some(drop) if self.has_drops() && drop.eq_ignore_ascii_case(DROP) => &text[DROP.len()..],
            _ => text,
        }
    }

    /// The value of the game's position parameter for what follows `position fen`.
    pub(super) fn position_value(&self, fen: &str) -> SpecValue {
        let stones = if self.has_drops() { stones(fen) } else { None };
        SpecValue::Text(stones.unwrap_or_else(|| fen.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::{DROP, game_of, name_of, names, stones};
    use tesuji_core::EngineProtocol;

    #[test]
    fn every_variant_is_a_game_and_has_its_name() {
        assert!(names().contains(&"gomokufreestyle"));
        for variant in names() {
            let game = game_of(variant).expect("a game");
            let started = tesuji_agents::start_game(&game).expect("it starts");
            assert_eq!(name_of(&started.spec, started.position.as_ref()), variant);
            // Lines are written without a position for each move; what is written is the same.
            let position = started.position;
            if !position.conventions().moves_pieces {
                for mv in position.moves() {
                    assert_eq!(position.show_for(EngineProtocol::Uci, &mv), Ok(format!("{DROP}{mv}")));
                }
            }
        }
        assert_eq!(game_of("chess"), None);
        assert_eq!(game_of("gomoku(size=20)"), None);
    }

    #[test]
    fn stones_of_a_fen() {
        assert_eq!(stones("2P/1p1/3[PPPPppp] w - - 0 2").as_deref(), Some("..X.O...."));
        assert_eq!(stones("15/14p b - - 0 1").map(|points| points.len()), Some(30));
        let bomb = "4000/".repeat(100_000);
        for other in ["", "XO.", "3", "rnb/3 w", "99999999999999999999999999/1", &bomb] {
            assert_eq!(stones(other), None, "{other}");
        }
    }
}
