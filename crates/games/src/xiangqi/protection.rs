//! The protected middle soldier of handicap games.
//!
//! Zhang 2019, §4.3.4: "if a player gives a knight handicap, its middle pawn cannot be captured
//! unless the pawn has been moved". Red gives handicaps, so the soldier is Red's, on e3. Soldiers
//! never move back, and no other red soldier can reach e3: the one that stands there has not moved.
//! So the rule depends on the board alone, and Black may not capture on e3 while a red soldier
//! stands there.
//!
//! The rule is off by default. The functions here are the slow forms of those that list and draw
//! moves; they are used only while a soldier is protected.

use super::board::{PieceKind, kind_of, point_at, side_of};
use super::{Xiangqi, XiangqiMove};
use std::ops::ControlFlow;
use tesuji_core::Rng;

/// Whether Red's middle soldier may be captured before it has moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MiddleSoldier {
    /// As any other piece.
    #[default]
    Free,
    /// Not before it has moved.
    Protected,
}

/// Where the middle soldier begins.
const E3: u8 = point_at(4, 3);

impl Xiangqi {
    /// Whether a soldier of the opponent is protected now.
    #[inline]
    pub(super) fn protects(&self) -> bool {
        self.rules.middle_soldier == MiddleSoldier::Protected && self.soldier_waits()
    }

    #[cold]
    fn soldier_waits(&self) -> bool {
        let slot = self.board.at(E3);
        self.board.side == 1 && side_of(slot) == 0 && kind_of(slot) == PieceKind::Soldier
    }

    /// Whether a move would capture the protected soldier.
    #[inline]
    pub(super) fn is_protected(&self, mv: XiangqiMove) -> bool {
        mv.to == E3 && self.protects()
    }

    /// Lists the legal moves that do not capture the protected soldier.
    pub(super) fn visit_allowed(&self, f: &mut dyn FnMut(XiangqiMove) -> ControlFlow<()>) -> ControlFlow<()> {
        let allowed = |from, to| if to == E3 { ControlFlow::Continue(()) } else { f(XiangqiMove { from, to }) };
        self.board.visit_legal(self.checked, allowed)
    }

    /// Whether there is a legal move.
    #[inline]
    pub(super) fn has_move(&self) -> bool {
        if self.protects() {
            return self.visit_allowed(&mut |_| ControlFlow::Break(())).is_break();
        }
        self.board.has_legal_move(self.checked)
    }

    /// A legal move that does not capture the protected soldier, drawn uniformly.
    pub(super) fn draw_allowed(&self, rng: &mut Rng) -> Option<XiangqiMove> {
        let mut moves = Vec::new();
        let _ = self.visit_allowed(&mut |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        (!moves.is_empty()).then(|| moves[rng.below(moves.len() as u32) as usize])
    }
}

/// Visits as `visit` does, and returns what `f` breaks with.
pub(super) fn visited<B>(
    visit: impl FnOnce(&mut dyn FnMut(XiangqiMove) -> ControlFlow<()>) -> ControlFlow<()>,
    f: &mut impl FnMut(XiangqiMove) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut found = None;
    let _ = visit(&mut |mv| match f(mv) {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(value) => {
            found = Some(value);
            ControlFlow::Break(())
        }
    });
    found.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}
