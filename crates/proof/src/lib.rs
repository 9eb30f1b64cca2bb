//! Proofs of what a position is worth: their file format, their writer and their checker.
//!
//! A proof claims that a player gets at least a given score or margin from a position, and lists
//! for every reply of the opponent what the player does. The checker replays it by the rules of the
//! game, which it sees as a `tesuji_core::Position`. The crate depends on no search and on no game.
//!
//! | file | what is inside |
//! |---|---|
//! | `format.rs` | proof files (`docs/proof-format.md`), read within limits and written |
//! | `token.rs`, `bytes.rs` | tokens, certificates and numbers as bytes |
//! | `write.rs` | writes the tokens of a claim |
//! | `check.rs` | the checker |
//! | `outline.rs` | where the positions of a checked proof stand, to browse it |
//! | `wins_at_once.rs` | the certificate that every game has |
//! | `expand.rs` | proves a position by the rules, in place of a certificate that is not trusted |
//!
//! # Example
//!
//! Players take one or two stones in turn; the player who takes the last one wins. With four stones
//! the first player wins: take one, then leave the opponent without stones.
//!
//! ```
//! use std::ops::ControlFlow;
//! use tesuji_core::{Aim, Budget, Measure, Outcome, Player, Position, PositionHash, Score, mix};
//! use tesuji_proof::{Proof, ProofStep, Writer, check, outline};
//!
//! #[derive(Clone, PartialEq, Eq, Debug)]
//! struct Stones {
//!     left: u64,
//!     turn: Player,
//! }
//!
//! impl Position for Stones {
//!     type Move = u64;
//!
//!     tesuji_core::undo_by_copy!();
//!
//!     fn turn(&self) -> Player {
//!         self.turn
//!     }
//!
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.left == 0).then(|| Outcome::won_by(self.turn.other()))
//!     }
//!
//!     fn visit_moves<B>(&self, f: impl FnMut(u64) -> ControlFlow<B>) -> ControlFlow<B> {
//!         (1..=self.left.min(2)).try_for_each(f)
//!     }
//!
//!     fn play(&mut self, stones: u64) {
//!         self.left -= stones;
//!         self.turn = self.turn.other();
//!     }
//!
//!     fn hash(&self) -> PositionHash {
//!         self.recomputed_hash()
//!     }
//!
//!     fn recomputed_hash(&self) -> PositionHash {
//!         PositionHash(mix(self.left * 2 + self.turn.index() as u64))
//!     }
//!
//!     fn move_space(&self) -> usize {
//!         2
//!     }
//!
//!     fn move_index(&self, stones: u64) -> usize {
//!         stones as usize - 1
//!     }
//!
//!     fn move_at(&self, index: usize) -> Option<u64> {
//!         (index < 2).then_some(index as u64 + 1)
//!     }
//! }
//!
//! let mut writer = Writer::default();
//! writer.play(0); // Take one of four.
//! writer.replies(2);
//! writer.play(1); // The opponent took one: take both that are left.
//! writer.end();
//! writer.play(0); // The opponent took two: take the last one.
//! writer.end();
//! let claim = writer.claim(Aim { player: Player::First, measure: Measure::Score, least: Score::UNITS as i32 });
//!
//! let start = Stones { left: 4, turn: Player::First };
//! let checked = check(&start, &claim, &mut Budget::unlimited().meter())?;
//! assert_eq!((checked.positions, checked.ends), (6, 2));
//!
//! // What it says of the position after the first move: an answer to both replies.
//! let (_, outline) = outline(&start, &claim, None, &mut Budget::unlimited().meter())?;
//! let ProofStep::Plays(0, after) = outline.step(&claim, 0)?.1 else { panic!("the first move has index 0") };
//! let ProofStep::Replies(replies) = outline.step(&claim, after)?.1 else { panic!("the opponent moves") };
//! assert_eq!(outline.step(&claim, replies[1])?.1, ProofStep::Plays(0, replies[1] + 1));
//!
//! // The same proof does not hold with five stones.
//! let five = Stones { left: 5, turn: Player::First };
//! assert!(check(&five, &claim, &mut Budget::unlimited().meter()).is_err());
//!
//! // As a file, and back.
//! let proof = Proof { game: "stones(left=4)".into(), moves: Vec::new(), claims: vec![claim] };
//! assert_eq!(Proof::from_bytes(&proof.to_bytes())?.claims[0].tokens, proof.claims[0].tokens);
//! # Ok::<(), tesuji_proof::ProofError>(())
//! ```

mod bytes;
mod check;
mod expand;
mod format;
mod outline;
mod token;
mod wins_at_once;
mod write;

pub use bytes::ProofError;
pub use check::{Checked, check, check_by_rules, check_with, outline};
pub use expand::ExpansionLimits;
pub use format::{Claim, Proof};
pub use outline::{Outline, ProofPlace, ProofStep};
pub use write::{Mark, Writer};
