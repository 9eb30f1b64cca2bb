//! Captures, checks and null moves of Chinese chess, for searches.
//!
//! The worth of pieces is that of [`super::evaluation`], without their places. A null move is
//! offered while the mover is not in check and has a rook, horse or cannon: without one of those
//! positions in which every move harms are common.

use super::board::{EMPTY, NOWHERE, PieceKind, kind_of};
use super::{Ended, Xiangqi, XiangqiMove};
use std::ops::ControlFlow;
use tesuji_core::Tactical;

/// What a piece is worth, in points of the evaluation. The general's is a mark of how unwillingly
/// it captures.
const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::General => 2000,
        PieceKind::Rook => 1000,
        PieceKind::Cannon => 480,
        PieceKind::Horse => 450,
        PieceKind::Elephant | PieceKind::Advisor => 210,
        PieceKind::Soldier => 120,
    }
}

impl Tactical for Xiangqi {
    const SHARP: bool = true;

    #[inline]
    fn under_attack(&self) -> bool {
        self.checked
    }

    #[inline]
    fn gain(&self, mv: XiangqiMove) -> i32 {
        let victim = self.board.at(mv.to);
        if victim == EMPTY { 0 } else { worth(kind_of(victim)) }
    }

    #[inline]
    fn stake(&self, mv: XiangqiMove) -> i32 {
        worth(kind_of(self.board.at(mv.from)))
    }

    #[inline]
    fn visit_loud<B>(&self, mut f: impl FnMut(XiangqiMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.ended != Ended::No {
            return ControlFlow::Continue(());
        }
        self.board.visit_captures(self.checked, |from, to| f(XiangqiMove { from, to }))
    }

    fn passed(&self) -> Option<Xiangqi> {
        let side = 16 * self.board.side;
        let strong = (PieceKind::Horse.slots().start..PieceKind::Cannon.slots().end)
            .any(|slot| self.board.point(slot + side) != NOWHERE);
        // Whoever has no move has lost; passing must not save him.
        if self.checked || self.ended != Ended::No || !strong || !self.board.has_legal_move(false) {
            return None;
        }
        let mut passed = *self;
        passed.board.give_turn(self.board.side ^ 1);
        // Nothing before the null move can repeat after it, and whoever just moved is not in check.
        passed.reversible = 0;
        passed.checked = false;
        Some(passed)
    }
}
