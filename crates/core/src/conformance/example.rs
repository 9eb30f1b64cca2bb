//! A complete small game, as an example and for the kit's own tests.

use crate::{BoardView, MoveError, Notation, Outcome, Player, Position, PositionHash, Zobrist, undo_by_copy};
use std::ops::ControlFlow;

const KEYS: Zobrist = Zobrist::new("take-away");

/// Take-away: players take one, two or three from a heap; the player who takes the last one
/// wins. Taking exactly three gives another turn, so turns do not alternate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakeAway {
    heap: u8,
    turn: Player,
    hash: u64,
}

impl TakeAway {
    /// A heap of this many.
    #[must_use]
    pub fn new(heap: u8) -> TakeAway {
        let mut position = TakeAway { heap, turn: Player::First, hash: 0 };
        position.hash = position.recomputed_hash().0;
        position
    }

    fn key(&self) -> u64 {
        KEYS.key(u64::from(self.heap) * 2 + self.turn.index() as u64)
    }
}

impl Position for TakeAway {
    type Move = u8;

    undo_by_copy!();

    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        // The turn stays with the player who took last.
        (self.heap == 0).then(|| Outcome::won_by(self.turn))
    }

    fn visit_moves<B>(&self, f: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=self.heap.min(3)).try_for_each(f)
    }

    fn play(&mut self, taken: u8) {
        self.hash ^= self.key();
        self.heap -= taken;
        if self.heap > 0 && taken != 3 {
            self.turn = self.turn.other();
        }
        self.hash ^= self.key();
    }

    fn hash(&self) -> PositionHash {
        PositionHash(self.hash)
    }

    fn recomputed_hash(&self) -> PositionHash {
        PositionHash(self.key())
    }

    fn move_space(&self) -> usize {
        3
    }

    fn move_index(&self, taken: u8) -> usize {
        usize::from(taken) - 1
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        (index < 3).then_some(index as u8 + 1)
    }
}

impl crate::Studied for TakeAway {}

impl Notation for TakeAway {
    fn show_move(&self, taken: u8) -> String {
        taken.to_string()
    }

    fn read_move(&self, text: &str) -> Result<u8, MoveError> {
        let taken = match text {
            "1" => 1,
            "2" => 2,
            "3" => 3,
            _ => return Err(MoveError::unreadable(text, "1, 2 or 3")),
        };
        if self.is_legal(taken) { Ok(taken) } else { Err(MoveError::illegal(text, format!("{} left", self.heap))) }
    }

    fn view(&self) -> BoardView {
        let sides = self.sides();
        BoardView::text(sides, vec![format!("{} left, {}", self.heap, sides.to_move(self.turn))])
    }
}
