//! Lin's trap tree: a trap that averages detect late.
//!
//! Reference: Lin 2017 §3.1, Tables 3.1.1–3.1.3. Twenty moves for the first player, then twenty for
//! the second. After each of the nineteen normal moves every reply scores 0.5. After the last move,
//! the *trap*, nineteen replies score 0.7 and the last one 0.3: random play prefers the trap
//! (0.68), minimax does not (0.3). A depth-2 minimax enters 20 + 20² = 420 nodes.
//!
//! The leaves are ended positions with those scores. [`TrapLeaf`] determines the result of a
//! *playout*.

use super::read_branch;
use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{
    BoardView, Game, MoveError, Notation, Outcome, Player, Position, PositionHash, Rng, Score, Trace, Zobrist,
    undo_by_copy,
};

const KEYS: Zobrist = Zobrist::new("trap");
const BRANCHES: u32 = 20;
const TRAP: u32 = 19;
const REFUTATION: u32 = 19;

/// The result of a playout of the trap tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TrapLeaf {
    /// The expectation of random play from there: 0.68 from the trap, 0.5 from a normal move. No
    /// noise.
    #[default]
    Expected,
    /// A win or a loss, drawn so that the mean is the same: a leaf of score 0.7 wins seven times in
    /// ten.
    Bernoulli,
}

/// A position of the trap tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trap {
    leaf: TrapLeaf,
    played: [Option<u8>; 2],
}

/// A score in hundredths; all of them are exact.
fn hundredths(grade: u32) -> Score {
    Score::from_units(grade * Score::UNITS / 100).expect("a grade of at most one")
}

impl Trap {
    /// The root.
    #[must_use]
    pub fn new(leaf: TrapLeaf) -> Trap {
        Trap { leaf, played: [None, None] }
    }

    /// The expected score of uniform random play from here.
    fn expectation(&self) -> Score {
        match self.played {
            [None, _] => Score::from_units((19 * 30_000 + 40_800) / 20).expect("a mean of scores"),
            [Some(mv), None] => hundredths(if u32::from(mv) == TRAP { 68 } else { 50 }),
            [Some(mv), Some(reply)] => hundredths(match (u32::from(mv), u32::from(reply)) {
                (TRAP, REFUTATION) => 30,
                (TRAP, _) => 70,
                _ => 50,
            }),
        }
    }
}

impl Position for Trap {
    type Move = u32;

    undo_by_copy!();

    fn turn(&self) -> Player {
        if self.played[0].is_some() && self.played[1].is_none() { Player::Second } else { Player::First }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.played[1].map(|_| Outcome::graded(self.expectation()))
    }

    fn visit_moves<B>(&self, f: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..self.move_count() as u32).try_for_each(f)
    }

    fn play(&mut self, branch: u32) {
        let ply = usize::from(self.played[0].is_some());
        self.played[ply] = Some(branch as u8);
    }

    fn hash(&self) -> PositionHash {
        let digit = |played: Option<u8>| played.map_or(0, |branch| u64::from(branch) + 1);
        PositionHash(KEYS.key(digit(self.played[0]) * 21 + digit(self.played[1])))
    }

    fn recomputed_hash(&self) -> PositionHash {
        let mut again = Trap::new(self.leaf);
        self.played.iter().flatten().for_each(|branch| again.play(u32::from(*branch)));
        again.hash()
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        BRANCHES as usize
    }

    fn move_index(&self, branch: u32) -> usize {
        branch as usize
    }

    fn move_at(&self, index: usize) -> Option<u32> {
        u32::try_from(index).ok().filter(|branch| *branch < BRANCHES)
    }

    fn move_count(&self) -> usize {
        if self.played[1].is_none() { BRANCHES as usize } else { 0 }
    }

    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if self.leaf == TrapLeaf::Expected {
            return Outcome::graded(self.expectation());
        }
        while let Some(branch) = self.random_move(rng) {
            trace.played(self.turn(), branch);
            self.play(branch);
        }
        let won = rng.below(Score::UNITS) < self.expectation().units();
        Outcome::won_by(if won { Player::First } else { Player::Second })
    }
}

impl tesuji_core::Studied for Trap {
    const CHARACTER: tesuji_core::Character =
        tesuji_core::Character { never_repeats: true, ..tesuji_core::Character::PLAIN };

    /// All 421 positions are searched at once.
    fn strongest(&self) -> &'static str {
        "oracle"
    }
}

impl Game for Trap {
    type Position = Trap;
    const TITLE: &'static str = "Trap tree";
    const DESCRIPTION: Description = Description {
        name: "trap",
        about: "Lin's 20-way trap tree: averages prefer the last move, minimax does not",
        parameters: &[Parameter {
            name: "leaf",
            about: "what a playout returns: its expectation, or a win or loss drawn with that mean",
            kind: Kind::Choice(&["expected", "bernoulli"]),
            default: Some("expected"),
        }],
    };
    const MOVES: &'static str = "the number of a branch, 0 to 19";

    fn start(arguments: &Arguments) -> Result<Trap, ArgumentError> {
        let bernoulli = arguments.word("leaf") == "bernoulli";
        Ok(Trap::new(if bernoulli { TrapLeaf::Bernoulli } else { TrapLeaf::Expected }))
    }
}

impl Notation for Trap {
    fn show_move(&self, branch: u32) -> String {
        branch.to_string()
    }

    fn read_move(&self, text: &str) -> Result<u32, MoveError> {
        read_branch(text, self.move_count() as u32)
    }

    fn view(&self) -> BoardView {
        let place = match self.played {
            [None, _] => "the root: 19 normal moves (0 to 18) and the trap (19)".to_string(),
            [Some(mv), None] if u32::from(mv) == TRAP => {
                "in the trap: replies 0 to 18 are wrong, 19 is right".to_string()
            }
            [Some(mv), None] => format!("after the normal move {mv}"),
            [Some(mv), Some(reply)] => format!("after {mv} and {reply}: worth {}", self.expectation()),
        };
        BoardView::text(self.sides(), vec![place])
    }
}

#[cfg(test)]
mod tests {
    use super::{Trap, TrapLeaf};
    use tesuji_core::{Position, Rng, Score, Seed};

    /// The means of Lin §3.1: 0.68 in the trap, 0.5 elsewhere.
    #[test]
    fn expectations() {
        let mut trap = Trap::new(TrapLeaf::Expected);
        assert_eq!(trap.expectation().units(), 30_540);
        trap.play(19);
        assert_eq!(
            trap.clone().playout(&mut Rng::new(Seed(1)), &mut ()).score,
            Score::from_f64(0.68).expect("a grade")
        );
        trap.play(19);
        assert_eq!(trap.outcome().expect("ended").score, Score::from_f64(0.3).expect("a grade"));
    }
}
