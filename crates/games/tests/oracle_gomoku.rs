//! Freestyle Gomoku against OpenSpiel (`oracles/open_spiel_gomoku.py`): the legal moves after every
//! move of random games, and the results.

use std::fmt::Write as _;
use tesuji_core::{Player, Position, Rng, Seed};
use tesuji_games::gomoku::{Gomoku, Rule};
use tesuji_testing::judge::{Judge, games};

/// The legal moves as the digits of a hexadecimal number, bit by bit from the bottom left point.
fn mask(position: &Gomoku) -> String {
    let mut digits = vec![0_u8; position.move_space().div_ceil(4)];
    for mv in position.moves() {
        let index = position.move_index(mv);
        digits[index / 4] |= 1 << (index % 4);
    }
    digits.iter().rev().fold(String::new(), |mut text, digit| {
        write!(text, "{digit:x}").expect("strings take everything");
        text
    })
}

/// One line a game: size, result for Black (1, 0, -1), then move and mask of the moves before it,
/// alternately.
fn game(size: usize, rng: &mut Rng) -> String {
    let mut position = Gomoku::new(size, Rule::Freestyle).expect("a board");
    let mut moves = String::new();
    while let Some(mv) = position.random_move(rng) {
        write!(moves, " {} {}", position.move_index(mv), mask(&position)).expect("strings take everything");
        position.play(mv);
    }
    let result = match position.outcome().expect("ended").winner() {
        Some(Player::First) => 1,
        None => 0,
        Some(Player::Second) => -1,
    };
    format!("{size} {result}{moves}")
}

#[test]
fn open_spiel_agrees() {
    let mut rng = Rng::new(Seed(13));
    let questions: Vec<String> =
        (0..games(500)).map(|number| game([15, 15, 19, 9, 6][number as usize % 5], &mut rng)).collect();
    for (question, answer) in
        questions.iter().zip(Judge::open_spiel("open_spiel_gomoku").answers(&questions).unwrap_or_default())
    {
        assert_eq!(answer, "agrees", "{question}");
    }
}
