//! P-game trees: every move has a random value; the sum along the path decides.
//!
//! Reference: Kocsis & Szepesvári, "Bandit based Monte-Carlo Planning", 2006, after Smith & Nau; as
//! used by Zhang 2019 ch. 5. A move of MAX (the first player) has a uniform integer value in [0,
//! 127], one of MIN in [−127, 0]; at depth d the sum > 0 is a win for MAX, < 0 for MIN, 0 a draw.
//!
//! Nothing is stored: a position is the number of its path (base `branching`), and the value of a
//! move is seven bits of a mixed word of (seed, ply, path). The same parameters give the same tree
//! on every machine.

use super::read_branch;
use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{
    BoardView, Game, MoveError, Notation, Outcome, Player, Position, PositionHash, Rng, Zobrist, mix, undo_by_copy,
};

const KEYS: Zobrist = Zobrist::new("p-game");

/// Why a tree does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PGameError {
    /// No branches or no depth.
    #[error("a P-game needs at least 1 branch and 1 ply, not {branching} and {depth}")]
    Empty {
        /// Branches of every node.
        branching: u32,
        /// Plies.
        depth: u32,
    },
    /// The leaves cannot be numbered.
    #[error(
        "a P-game with {branching} branches and {depth} plies has more than 2^63 leaves, \
         65,535 branches or 10,000 plies"
    )]
    TooLarge {
        /// Branches of every node.
        branching: u32,
        /// Plies.
        depth: u32,
    },
}

/// A position of a P-game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PGame {
    seed: u64,
    path: u64,
    sum: i32,
    ply: u32,
    branching: u32,
    depth: u32,
}

impl PGame {
    /// The root of the tree of these parameters.
    ///
    /// # Errors
    /// If the tree is empty or has too many leaves to number.
    pub fn new(branching: u32, depth: u32, seed: u64) -> Result<PGame, PGameError> {
        if branching == 0 || depth == 0 {
            return Err(PGameError::Empty { branching, depth });
        }
        let leaves = u64::from(branching).checked_pow(depth).filter(|leaves| *leaves <= 1 << 63);
        if leaves.is_none() || depth > 10_000 || branching > 65_535 {
            return Err(PGameError::TooLarge { branching, depth });
        }
        Ok(PGame { seed, path: 0, sum: 0, ply: 0, branching, depth })
    }

    /// The value of a move: 0 to 127 for the first player's moves, −127 to 0 for the second's.
    #[must_use]
    pub fn worth(&self, branch: u32) -> i32 {
        let child = self.path * u64::from(self.branching) + u64::from(branch);
        let word = mix(mix(self.seed ^ mix(u64::from(self.ply) + 1)).wrapping_add(child));
        let amount = (word >> 57) as i32;
        if self.turn() == Player::First { amount } else { -amount }
    }

    /// Whether the whole tree is searched in milliseconds.
    fn is_small(&self) -> bool {
        u64::from(self.branching).checked_pow(self.depth).is_some_and(|leaves| leaves <= super::SMALL as u64)
    }

    /// The sum of the moves so far.
    #[must_use]
    pub fn sum(&self) -> i32 {
        self.sum
    }
}

impl Position for PGame {
    type Move = u32;

    undo_by_copy!();

    #[inline]
    fn turn(&self) -> Player {
        Player::BOTH[(self.ply & 1) as usize]
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.ply == self.depth).then(|| Outcome::by_margin(self.sum))
    }

    #[inline]
    fn visit_moves<B>(&self, f: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..self.move_count() as u32).try_for_each(f)
    }

    #[inline]
    fn play(&mut self, branch: u32) {
        self.sum += self.worth(branch);
        self.path = self.path * u64::from(self.branching) + u64::from(branch);
        self.ply += 1;
    }

    /// The path number and the ply are the whole state.
    fn hash(&self) -> PositionHash {
        PositionHash(KEYS.key(self.path ^ mix(self.seed.wrapping_add(u64::from(self.ply)))))
    }

    fn recomputed_hash(&self) -> PositionHash {
        // Replay the digits of the path from the root.
        let mut again = PGame { path: 0, sum: 0, ply: 0, ..*self };
        for ply in (0..self.ply).rev() {
            let digit = self.path / u64::from(self.branching).pow(ply) % u64::from(self.branching);
            again.play(digit as u32);
        }
        again.hash()
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(self.sum.unsigned_abs() + 127 * (self.depth - self.ply))
    }

    fn move_space(&self) -> usize {
        self.branching as usize
    }

    fn move_index(&self, branch: u32) -> usize {
        branch as usize
    }

    fn move_at(&self, index: usize) -> Option<u32> {
        u32::try_from(index).ok().filter(|branch| *branch < self.branching)
    }

    fn is_legal(&self, branch: u32) -> bool {
        self.ply < self.depth && branch < self.branching
    }

    #[inline]
    fn move_count(&self) -> usize {
        if self.ply < self.depth { self.branching as usize } else { 0 }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<u32> {
        (self.ply < self.depth).then(|| rng.below(self.branching))
    }
}

impl tesuji_core::Studied for PGame {
    const CHARACTER: tesuji_core::Character =
        tesuji_core::Character { never_repeats: true, ..tesuji_core::Character::PLAIN };

    /// The exact solution where it takes milliseconds; else Monte-Carlo search, whose averages are
    /// more informative than a look-ahead without evaluation (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        if self.is_small() { "oracle" } else { "mcts" }
    }
}

impl Game for PGame {
    type Position = PGame;
    const TITLE: &'static str = "P-game";
    const DESCRIPTION: Description = Description {
        name: "pgame",
        about: "P-game: a random tree whose moves have values (Kocsis & Szepesvári)",
        parameters: &[
            Parameter {
                name: "branching",
                about: "moves of every position",
                kind: Kind::Integer(1, 65_535),
                default: Some("2"),
            },
            Parameter {
                name: "depth",
                about: "plies of every game",
                kind: Kind::Integer(1, 10_000),
                default: Some("20"),
            },
            Parameter { name: "seed", about: "which tree", kind: Kind::Integer(0, i64::MAX), default: Some("1") },
        ],
    };
    const MOVES: &'static str = "the number of a branch, from 0";

    fn start(arguments: &Arguments) -> Result<PGame, ArgumentError> {
        PGame::new(arguments.count("branching"), arguments.count("depth"), arguments.integer("seed") as u64)
            .map_err(ArgumentError::together)
    }
}

impl Notation for PGame {
    fn show_move(&self, branch: u32) -> String {
        branch.to_string()
    }

    fn read_move(&self, text: &str) -> Result<u32, MoveError> {
        read_branch(text, self.move_count() as u32)
    }

    fn view(&self) -> BoardView {
        let shown = 0..(self.move_count() as u32).min(64);
        let worths: Vec<String> = shown.map(|branch| format!("{branch}:{:+}", self.worth(branch))).collect();
        let mut captions = vec![format!("ply {} of {}, sum {:+}", self.ply, self.depth, self.sum)];
        captions.push(match self.outcome().map(Outcome::winner) {
            None => format!("{}: {}", self.sides().to_move(self.turn()), worths.join(" ")),
            Some(winner) => self.sides().has_won(winner),
        });
        BoardView::text(self.sides(), captions)
    }
}
