//! Freestyle Gomoku against OpenSpiel (`oracles/open_spiel_gomoku.py`): the legal moves after every
//! move of random games, and the results.

mod shared;

use shared::share;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use tesuji_core::{Player, Position, Rng, Seed};
use tesuji_games::gomoku::{Gomoku, Rule};

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
    format!("{size} {result}{moves}\n")
}

#[test]
fn open_spiel_agrees() {
    let python = std::env::var("TESUJI_PYTHON").unwrap_or_else(|_| "python3".into());
    let probe =
        Command::new(&python).args(["-c", "import pyspiel"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: {python} has no module pyspiel; set TESUJI_PYTHON to one that has (pip install open_spiel)"
        );
        return;
    }
    let games = share("TESUJI_ORACLE_GAMES", 500);
    let mut rng = Rng::new(Seed(13));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../oracles/open_spiel_gomoku.py");
    let mut child =
        Command::new(&python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || {
        for number in 0..games {
            let size = [15, 15, 19, 9, 6][number % 5];
            input.write_all(game(size, &mut rng).as_bytes()).expect("the oracle reads");
        }
    });
    let output = child.wait_with_output().expect("the oracle ends");
    writer.join().expect("all games were sent");
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{answer}");
    assert_eq!(answer.trim(), format!("{games} games agree"));
}
