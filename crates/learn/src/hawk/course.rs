//! A course: which boards an agent is taught, and with how much effort.
//!
//! Hawk's boards are Go on 5, 7, 9, 11 and 13 lines and Hex on 9, 11 and 14. His Go has no ko, ends after
//! 250 moves and counts stones.

use super::labels::Labels;
use super::teach::{
    Effort, Evolution, Taught, evolved_network, improved_network, stencil, tuned_weights, value_network,
};
use crate::small::unpack;
use tesuji_core::Seed;

/// A game and the lines of its board.
pub type Board = (&'static str, usize);

/// Hawk's boards.
pub const BOARDS: [Board; 8] =
    [("go", 5), ("go", 7), ("go", 9), ("go", 11), ("go", 13), ("hex", 9), ("hex", 11), ("hex", 14)];

/// Boards whose labels draw the stencils of HyperNEAT.
pub const STENCIL_BOARDS: [Board; 4] = [("go", 5), ("go", 7), ("hex", 5), ("hex", 7)];

/// The game of a board as Hawk played it, as the text of its spec.
#[must_use]
pub fn spec_of((game, lines): Board) -> String {
    if game == "go" {
        format!("go(size={lines},komi=0,ko=none,suicide=strict,scoring=hawk,passes=continue,playouts=uniform)")
    } else {
        format!("{game}(size={lines},swap=false)")
    }
}

/// The boards whose labels an agent needs.
#[must_use]
pub fn boards_of(agent: &str) -> Vec<Board> {
    let mut boards = BOARDS.to_vec();
    if agent == "neat" {
        boards.extend(STENCIL_BOARDS.into_iter().filter(|board| !BOARDS.contains(board)));
    }
    boards
}

/// One result of a course.
pub struct Lesson {
    /// The game.
    pub game: String,
    /// Lines of the board; 0 for every size.
    pub lines: usize,
    /// The setting of the agent.
    pub style: String,
    /// The file and its figures.
    pub taught: Taught,
}

/// The usual effort.
#[must_use]
pub fn usual_effort() -> Effort {
    Effort { epochs: 2_000, generations: 60, population: 100, boards: 40 }
}

/// Teaches an agent (`ann`, `ga` or `neat`) in all its settings, and hands out each result as it
/// comes.
pub fn teach(agent: &str, all: &[Labels], effort: Effort, seed: Seed, done: &mut dyn FnMut(Lesson)) {
    let mut told = |taught: Taught| {
        let (head, _) = unpack(&taught.file).expect("a file that was just written");
        done(Lesson { game: head.game, lines: head.lines, style: head.style, taught });
    };
    let known = |labels: &&Labels| BOARDS.iter().any(|(game, lines)| labels.game == *game && labels.lines == *lines);
    for labels in all.iter().filter(known) {
        let seed = seed.derive(labels.lines as u64);
        match agent {
            "ann" => {
                told(value_network(labels, false, effort, seed));
                told(value_network(labels, true, effort, seed));
                told(improved_network(labels, effort, seed));
            }
            "ga" => told(tuned_weights(labels, effort, seed)),
            // The structure of larger ones moves too little to be worth its time.
            _ if labels.lines <= 9 => {
                for which in [Evolution::Text, Evolution::Code, Evolution::Sane] {
                    told(evolved_network(labels, which, effort, seed));
                }
            }
            _ => (),
        }
    }
    if agent == "neat" {
        for game in ["go", "hex"] {
            let of_game = |labels: &&Labels| labels.game == game && STENCIL_BOARDS.contains(&(game, labels.lines));
            let chosen: Vec<&Labels> = all.iter().filter(of_game).collect();
            if !chosen.is_empty() {
                told(stencil(&chosen, effort, seed));
            }
        }
    }
}
