//! Life-and-death problems: the rules against Lin's own, the laws, the three formats, the problem
//! set.

mod formats;
mod lin_board;
mod problems;
mod region;
mod rules;

use tesuji_core::{Notation, Position};
use tesuji_games::goproblem::{GoProblem, Problem};

/// The problem that a text describes.
#[track_caller]
fn problem(text: &str) -> Problem {
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Its first position.
#[track_caller]
fn start(text: &str) -> GoProblem {
    GoProblem::new(problem(text)).expect("a problem")
}

/// Plays moves.
#[track_caller]
fn play(position: &mut GoProblem, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{error}\n{}", position.view()));
        position.play(mv);
    }
}

/// The legal moves as text, in one line.
fn legal(position: &GoProblem) -> String {
    position.moves().iter().map(|mv| position.show_move(*mv)).collect::<Vec<_>>().join(" ")
}
