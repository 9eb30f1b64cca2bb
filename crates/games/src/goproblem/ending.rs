//! How a problem ends, and Lin's score tables (Lin 2017, Tables 3.3.2 and 3.3.3).

use super::problem::Mode;
use tesuji_core::{Player, Score};

/// How a problem ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The important stones live.
    Alive,
    /// Three passes in a row.
    Seki,
    /// An important stone was captured.
    Dead,
    /// One side has passed four times more often than the other, and wins.
    Passes(Player),
    /// The ply limit is reached; scored as seki.
    Endless,
}

impl Ending {
    /// Lin's Tables 3.3.2 and 3.3.3, for Black.
    #[must_use]
    pub fn score(self, mode: Mode, ko_winner: Option<Player>) -> Score {
        let hundredths = match (mode, self) {
            (_, Ending::Passes(Player::First)) => 100,
            (_, Ending::Passes(Player::Second)) => 0,
            // Ko won by Black, by neither side, by White.
            (Mode::Save, Ending::Alive) => pick(ko_winner, [50, 100, 100]),
            (Mode::Save, Ending::Seki | Ending::Endless) => pick(ko_winner, [30, 70, 85]),
            (Mode::Save, Ending::Dead) => pick(ko_winner, [0, 0, 50]),
            (Mode::Kill, Ending::Alive) => pick(ko_winner, [0, 0, 50]),
            (Mode::Kill, Ending::Seki | Ending::Endless) => pick(ko_winner, [15, 30, 70]),
            (Mode::Kill, Ending::Dead) => pick(ko_winner, [50, 100, 100]),
        };
        Score::from_units(hundredths * (Score::UNITS / 100)).expect("at most one hundred hundredths")
    }
}

fn pick(ko_winner: Option<Player>, [black, neither, white]: [u32; 3]) -> u32 {
    match ko_winner {
        Some(Player::First) => black,
        None => neither,
        Some(Player::Second) => white,
    }
}
