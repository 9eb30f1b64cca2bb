//! The moves of Othello for a solver: which first, and how hard they look.
//!
//! * **Mobility**: a move that leaves the opponent few replies comes first, for it leaves little to
//!   refute (*fastest first*). The number of replies is also where the numbers of a successor may
//!   start in df-pn: so many successors of it must be settled, all of them, against one (Nagai &
//!   Imai 1999).
//! * **Parity**: among equals, a square in a region with an odd number of empty squares comes
//!   first, since whoever enters it can have the last word there; regions are the four quarters of
//!   the board.
//! * **Corners** come before anything with as many replies, as what they hold never turns over
//!   again.
//!
//! Nothing is left out.

use super::bits::{flips, placements};
use super::{Move, Othello};
use std::ops::ControlFlow;
use tesuji_core::solver::{GOAL, Plan, Settings, Solver, goal_of};
use tesuji_core::spec::Description;
use tesuji_core::{Advice, Adviser, Aim, Position};

/// Squares of a quarter, with the one at the top left.
const QUARTER: u64 = 0x0f0f_0f0f;

/// A move and what speaks for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prospect {
    /// The move.
    pub mv: Move,
    /// How many replies it leaves; a forced pass is one.
    pub replies: u32,
}

/// Writes all legal moves of a live position into `prospects`, which is empty, the best first.
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
    // Half of 8×8, or of a smaller board as far as it goes: parity of the quarters.
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
