//! Union-find without a ko point: V-Run's second version (§5.1, before §5.2).
//!
//! Chains are a union-find forest, and ko is still decided as on the naive board: every move is
//! tried on a copy, which may not equal the board before the opponent's last move.

use super::{Grouped, LibertySet, ReferenceBoard};
use tesuji_core::Player;

/// A board of chains, and the stones before the last move.
#[derive(Clone, Debug)]
pub struct Compared {
    board: Grouped<LibertySet>,
    /// The stones before the last move, which may not recur; `None` at the start and after a pass.
    before: Option<Vec<Option<Player>>>,
}

impl Compared {
    fn stones(board: &Grouped<LibertySet>) -> Vec<Option<Player>> {
        (0..board.size() * board.size()).map(|point| board.stone(point)).collect()
    }
}

impl ReferenceBoard for Compared {
    fn new(size: usize) -> Compared {
        Compared { board: Grouped::new(size), before: None }
    }

    fn size(&self) -> usize {
        self.board.size()
    }

    fn stone(&self, point: usize) -> Option<Player> {
        self.board.stone(point)
    }

    fn is_legal(&self, player: Player, point: usize) -> bool {
        if !self.board.is_legal(player, point) {
            return false;
        }
        let mut next = self.board.clone();
        next.play(player, point);
        self.before.as_ref() != Some(&Compared::stones(&next))
    }

    fn play(&mut self, player: Player, point: usize) -> Vec<usize> {
        self.before = Some(Compared::stones(&self.board));
        let taken = self.board.play(player, point);
        // The ko point is not used.
        self.board.pass();
        taken
    }

    fn pass(&mut self) {
        self.before = None;
    }
}
