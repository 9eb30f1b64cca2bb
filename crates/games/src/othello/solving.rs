//! Move ordering and initial proof numbers of Othello for solvers.
//!
//! * **Mobility**: a move that leaves the opponent few replies comes first, because it leaves
//!   little to refute (*fastest first*). The number of replies is also an initial number of a
//!   successor in df-pn: that many of its successors must be settled, against one (Nagai & Imai
//!   1999).
//! * **Parity**: among equals, a square in a region with an odd number of empty squares comes
//!   first, since the player who enters it can also play last there; regions are the four quarters
//!   of the board.
//! * **Corners** precede other moves with as many replies, since their discs are stable.
//!
//! No move is omitted.

use super::bits::{flips, placements};
use super::{Move, Othello};
use std::ops::ControlFlow;
use tesuji_core::solver::{GOAL, Plan, Settings, Solver, goal_of};
use tesuji_core::spec::Description;
use tesuji_core::{Advice, Adviser, Aim, Position};

/// Squares of a quarter, with the one at the top left.
const QUARTER: u64 = 0x0f0f_0f0f;

/// A move and its ordering data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prospect {
    /// The move.
    pub mv: Move,
    /// The number of replies it leaves; a forced pass is one.
    pub replies: u32,
}

/// Writes all legal moves of a live position into `prospects`, which must be empty, the best first.
pub fn prospects(position: &Othello, prospects: &mut Vec<Prospect>) {
    let (own, other) = (position.discs(position.turn()), position.discs(position.turn().other()));
    let empty = position.empty();
    let corners = {
        let last = position.size() - 1;
        1_u64 | 1 << last | 1 << (8 * last) | 1 << (9 * last)
    };
    let _ = position.visit_moves::<()>(|mv| {
        let mut replies = 1;
        if let Some((column, row)) = mv.square() {
            let square = u32::from(row) * 8 + u32::from(column);
            let turned = flips(own, other, square);
            let after = own | turned | 1 << square;
            replies = placements(other & !turned, after, position.board()).count_ones().max(1);
        }
        prospects.push(Prospect { mv, replies });
        ControlFlow::Continue(())
    });
    // Parity of the quarters of 8×8, as far as a smaller board extends.
    let rank = |prospect: &Prospect| {
        let Some((column, row)) = prospect.mv.square() else { return (0, false, false) };
        let bit = 1_u64 << (row * 8 + column);
        let quarter = QUARTER << (column / 4 * 4 + row / 4 * 32);
        (prospect.replies, bit & corners == 0, (empty & quarter).count_ones().is_multiple_of(2))
    };
    prospects.sort_by_key(rank);
}

/// The solver of Othello: df-pn with weak sums.
pub(super) const SOLVERS: &[Solver<Othello>] = &[Solver {
    description: Description {
        name: "othello-solver",
        about: "df-pn with weak sums that tries moves by mobility and parity and starts from the number of replies; \
                Othello",
        parameters: &[GOAL],
    },
    parallel: true,
    plan: |arguments| {
        Ok(Plan {
            settings: Settings { weak: true, ..Settings::default() },
            goal: Some(goal_of(arguments)?),
            ..Plan::advised(Mobility::default())
        })
    },
}];

/// Advises moves in the order of [`prospects`], with numbers from mobility. Nothing is left out.
#[derive(Default)]
pub struct Mobility(Vec<Prospect>);

impl Adviser<Othello> for Mobility {
    fn leaves_out(&self) -> bool {
        false
    }

    fn is_slow(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &Othello, aim: Aim, advice: &mut Advice<Move>) {
        self.0.clear();
        prospects(position, &mut self.0);
        let attacks = position.turn() == aim.player;
        for Prospect { mv, replies } in &self.0 {
            advice.moves.push(*mv);
            // After the attacker's move all replies must be refuted to prove, one to disprove; and
            // the other way round.
            advice.numbers.push(if attacks { [*replies, 1] } else { [1, *replies] });
        }
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Othello>>> {
        Some(Box::<Mobility>::default())
    }
}
