//! Knowledge of a game as a plug-in: which moves to look at.
//!
//! The search knows no game. An [`Adviser`] of one game, given beside it, may put the moves of a position in order and leave
//! some out, under two conditions that keep proofs true:
//!
//! * where the **attacker** moves, any move may be left out. A proof found without it is a proof; but *no* means
//!   nothing any more, so the answer is then "unknown", never a loss or a draw (Zhang 2019, §3.3.2);
//! * where the **defender** moves, a move may be left out only if the attacker surely reaches his aim after it.
//!
//! A proof that is written lists every reply all the same: what the attacker does against those that were left out is found
//! when it is written, and a wrong adviser is found out there.

use super::df_pn::DfPn;
use super::engine::{DfPnEngine, Settings};
use super::goal::Aim;
use super::solve::{Answered, Engine, Verdict, Work, prove, solve};
use super::{Claim, Goal, Status};
use crate::{Search, SearchError};
use tesuji_core::{Budget, Observer, Position, Report, Seed, Undoable};

/// Knows a game.
pub trait Adviser<P: Position>: Send {
    /// Whether moves of the attacker are ever left out.
    fn leaves_out(&self) -> bool;

    /// Writes the moves to look at in `position`, a live game, into `moves`, which is empty: the best first.
    fn advise(&mut self, position: &P, aim: Aim, moves: &mut Vec<P::Move>);
}

/// df-pn with an adviser, for a win of whoever is to move.
pub struct Advised<P: Position> {
    search: DfPn,
    adviser: Box<dyn Adviser<P>>,
}

impl<P: Position> Advised<P> {
    /// df-pn with these settings, advised.
    #[must_use]
    pub fn new(settings: Settings, adviser: Box<dyn Adviser<P>>) -> Advised<P> {
        Advised { search: DfPn::new(settings, Goal::default()), adviser }
    }
}

/// The engine and its adviser, for one search.
struct Pair<'a, P: Position> {
    engine: &'a mut DfPnEngine,
    adviser: &'a mut dyn Adviser<P>,
}

impl<P: Undoable> Engine<P> for Pair<'_, P> {
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError> {
        let mut verdict = self.engine.answer(root, aim, Some(&mut *self.adviser), work)?;
        if self.adviser.leaves_out() {
            let proved = |status: Status| if status == Status::Proved { status } else { Status::Unknown };
            verdict.status = proved(verdict.status);
            verdict.moves.iter_mut().for_each(|status| *status = proved(*status));
        }
        Ok(verdict)
    }

    fn line(&mut self, root: &P, aim: Aim) -> Vec<P::Move> {
        self.engine.line(root, aim)
    }

    fn prove(&mut self, root: &P, answered: Answered, work: &mut Work<'_, P::Move>) -> Result<Claim, SearchError> {
        self.engine.write_proof(root, answered, Some(&mut *self.adviser), work)
    }

    fn memory_bytes(&self) -> u64 {
        Engine::<P>::memory_bytes(self.engine)
    }

    fn figures(&self, figures: &mut Vec<(&'static str, f64)>) {
        Engine::<P>::figures(self.engine, figures);
    }
}

impl<P: Undoable> Search<P> for Advised<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        _: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let DfPn { engine, answered, .. } = &mut self.search;
        engine.begin(budget.memory);
        let mut pair = Pair { engine, adviser: self.adviser.as_mut() };
        let solved = solve(&mut pair, root, Goal::win_of(root.turn()), budget, watch)?;
        *answered = solved.answered;
        Ok(solved.report)
    }

    fn proof(&mut self, root: &P, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        let DfPn { engine, answered, .. } = &mut self.search;
        prove(&mut Pair { engine, adviser: self.adviser.as_mut() }, root, answered, budget)
    }
}
