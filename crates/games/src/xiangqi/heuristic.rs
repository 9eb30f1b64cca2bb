//! Knowledge of Chinese chess beyond its rules: the evaluation of
//! [`evaluation`](super::evaluation), and a preference for captures and checks.
//!
//! **Preference.** The *danger* of a piece of value a that the opponent can capture is a, or, if it
//! is protected, its value minus that of the cheapest attacker. With values in hundredths of a
//! soldier,
//!
//! > net = value captured + danger left behind − danger at the new point,
//! > weight = 1 + net/25 if net ≥ 0, else 1/(1 − net/100)
//!
//! and half as much again, and 1 more, for a check without a loss. So captures of valuable pieces
//! by cheap ones come first, then escapes, and moves that lose a piece come last. Dangers that a
//! move brings to other pieces are left to the search. The weights are hand-made.
//!
//! **Tactics.** Captures are loud moves; their gain is the material value of the captured piece. A
//! null move is available while the mover is not in check and has a rook, horse or cannon: without
//! one of these, zugzwang is common.

use super::board::{Board, EMPTY, NOWHERE, PieceKind, STEPS, kind_of, place, side_of};
use super::evaluation::{BOUND, evaluate, piece_value};
use super::protection::visited;
use super::{Ended, Xiangqi, XiangqiMove, XiangqiPlanes};
use std::ops::ControlFlow;
use tesuji_core::{Encoding, Evaluation, Player, Position, Preference, Studied};

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

impl Studied for Xiangqi {
    const SHARP: bool = true;

    /// Alpha-beta with the evaluation beats Monte-Carlo search (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        "alpha-beta"
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Xiangqi>>> {
        Some(Box::new(MaterialAndActivity))
    }

    fn encoding(&self) -> Option<Box<dyn Encoding<Xiangqi>>> {
        Some(Box::new(XiangqiPlanes::new()))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Xiangqi>>> {
        Some(Box::new(CapturesAndChecks))
    }

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
        if self.protects() {
            let is_capture = |mv: XiangqiMove| self.board.at(mv.to) != EMPTY;
            let visit = |g: &mut dyn FnMut(XiangqiMove) -> ControlFlow<()>| {
                self.visit_allowed(&mut |mv| if is_capture(mv) { g(mv) } else { ControlFlow::Continue(()) })
            };
            return visited(visit, &mut f);
        }
        self.board.visit_captures(self.checked, |from, to| f(XiangqiMove { from, to }))
    }

    fn passed(&self) -> Option<Xiangqi> {
        let side = 16 * self.board.side;
        let strong = (PieceKind::Horse.slots().start..PieceKind::Cannon.slots().end)
            .any(|slot| self.board.point(slot + side) != NOWHERE);
        // A side without a move has lost; passing must not save it.
        if self.checked || self.ended != Ended::No || !strong || !self.has_move() {
            return None;
        }
        let mut passed = *self;
        passed.board.give_turn(self.board.side ^ 1);
        // No position before the null move can repeat after it, and the side that just moved is not
        // in check.
        passed.reversible = 0;
        passed.checked = false;
        Some(passed)
    }
}

/// The evaluation of [`evaluation`](super::evaluation).
#[derive(Clone, Copy, Debug, Default)]
pub struct MaterialAndActivity;

impl Evaluation<Xiangqi> for MaterialAndActivity {
    fn evaluate(&self, position: &Xiangqi) -> i32 {
        evaluate(position).clamp(1 - BOUND, BOUND - 1)
    }

    /// A rook ahead corresponds to odds of about 5 to 1. Games in which both sides sampled moves by
    /// preference give 1,600; stronger play, less.
    fn scale(&self) -> f64 {
        600.0
    }
}

/// The preference of Chinese chess. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapturesAndChecks;

impl Preference<Xiangqi> for CapturesAndChecks {
    fn weigh(&self, position: &Xiangqi, moves: &[XiangqiMove], weights: &mut Vec<f64>) {
        let mut board = position.board;
        // By slot of the mover; computed on demand.
        let mut dangers = [None; 16];
        weights.clear();
        weights.extend(moves.iter().map(|mv| {
            let slot = board.at(mv.from);
            let left = *dangers[usize::from(slot & 15)].get_or_insert_with(|| danger(&board, mv.from));
            let gained = value(&board, mv.to);
            let captured = board.make(mv.from, mv.to);
            let net = f64::from(gained + left - danger(&board, mv.to));
            let checks = board.checked_by(mv.from, mv.to);
            board.unmake(mv.from, mv.to, captured);
            let weight = if net >= 0.0 { 1.0 + net / 25.0 } else { 1.0 / (1.0 - net / 100.0) };
            if checks && net >= 0.0 { 1.5 * weight + 1.0 } else { weight }
        }));
        debug_assert!(position.turn() == board.turn(), "every move has been taken back");
    }
}

/// The value of the piece on a point to its owner; 0 for generals and empty points.
fn value(board: &Board, point: u8) -> i32 {
    let slot = board.at(point);
    if slot == EMPTY || kind_of(slot) == PieceKind::General {
        return 0;
    }
    let (file, rank) = place(point);
    let owner = if side_of(slot) == 0 { Player::First } else { Player::Second };
    piece_value(owner, kind_of(slot), file, rank)
}

/// The loss of the owner of the piece on a point if the opponent captures it: see the head of this
/// file.
fn danger(board: &Board, point: u8) -> i32 {
    let side = side_of(board.at(point));
    let attackers = |side: u8| {
        let pieces = (16 * side..16 * side + 16).map(|slot| board.point(slot)).filter(|from| *from != NOWHERE);
        pieces.filter(move |from| *from != point && takes(board, side, *from, point))
    };
    let Some(cheapest) = attackers(side ^ 1).map(|from| value(board, from)).min() else { return 0 };
    let own = value(board, point);
    if attackers(side).next().is_some() { (own - cheapest).max(0) } else { own }
}

/// Whether a piece could capture on a point, whatever stands there.
fn takes(board: &Board, side: u8, from: u8, to: u8) -> bool {
    match kind_of(board.at(from)) {
        PieceKind::Rook => board.sees(from, to, 0),
        PieceKind::Cannon => board.sees(from, to, 1),
        kind => {
            let table = &STEPS[usize::from(side & 1)][kind as usize];
            let from = usize::from(from & 127);
            (0..usize::from(table.count[from]))
                .any(|number| table.to[from][number] == to && board.at(table.via[from][number]) == EMPTY)
        }
    }
}
