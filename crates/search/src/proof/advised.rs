//! df-pn with an [`Adviser`], the knowledge of one game.

use super::Status;
use super::df_pn::DfPn;
use super::engine::DfPnEngine;
use super::solve::{Answered, Engine, Verdict, Work, prove, solve};
use crate::{Search, SearchError};
use tesuji_core::solver::Settings;
use tesuji_core::{Adviser, Aim, Budget, Goal, Observer, Position, Report, Seed, StopReason, Studied, Undoable};
use tesuji_proof::Claim;

/// An adviser gets at most this part of the memory.
const ADVISER_SHARE: u64 = 8;

/// df-pn with an adviser.
pub struct Advised<P: Position> {
    search: DfPn,
    adviser: Box<dyn Adviser<P>>,
    /// What to prove; the win of whoever is to move if nothing is said.
    goal: Option<Goal>,
}

impl<P: Position> Advised<P> {
    /// df-pn with these settings, advised, for a win of whoever is to move.
    #[must_use]
    pub fn new(settings: Settings, adviser: Box<dyn Adviser<P>>) -> Advised<P> {
        Advised { search: DfPn::new(settings, Goal::default()), adviser, goal: None }
    }

    /// Gives back the table of a search that has proved nothing.
    pub(super) fn forget(&mut self) {
        self.search.engine.forget();
    }

    /// Bytes that stay when the table is given back.
    pub(super) fn kept_bytes(&self) -> u64 {
        self.adviser.memory_bytes()
    }

    /// The same for this goal. An adviser that leaves out moves of the attacker proves only what is asked.
    #[must_use]
    pub fn with_goal(self, goal: Goal) -> Advised<P> {
        Advised { goal: Some(goal), ..self }
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

    fn place(&mut self, root: &P, answered: &Answered) -> Option<u64> {
        self.engine.place(root, answered)
    }

    fn place_after(&self, answered: &Answered, key: u64, mv: usize, next: &P) -> Option<u64> {
        self.engine.place_after(answered, key, mv, next)
    }

    fn own_move(&self, answered: &Answered, key: u64, position: &P) -> Option<P::Move> {
        self.engine.own_move(answered, key, position)
    }

    fn resistance(&self, answered: &Answered, key: u64, position: &P) -> Option<P::Move> {
        self.engine.resistance(answered, key, position)
    }

    fn prove(&mut self, root: &P, answered: Answered, work: &mut Work<'_, P::Move>) -> Result<Claim, SearchError> {
        self.engine.write_proof(root, answered, Some(&mut *self.adviser), work)
    }

    fn memory_bytes(&self) -> u64 {
        Engine::<P>::memory_bytes(self.engine) + self.adviser.memory_bytes()
    }

    fn figures(&self, figures: &mut Vec<(&'static str, f64)>) {
        Engine::<P>::figures(self.engine, figures);
    }
}

impl<P: Undoable + Studied> Search<P> for Advised<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let DfPn { engine, answered, .. } = &mut self.search;
        let memory = budget.memory_bytes();
        let kept = self.adviser.wants_memory(budget.thread_count()).min(memory / ADVISER_SHARE);
        engine.begin::<P>(&Budget { memory: Some(memory - kept), ..budget.clone() }, self.adviser.keeps_lists());
        self.adviser.memory(kept, budget.thread_count());
        self.adviser.begin(root);
        let mut pair = Pair { engine, adviser: self.adviser.as_mut() };
        let goal = self.goal.unwrap_or(Goal::win_of(root.turn()));
        let solved = solve(&mut pair, root, goal, (budget, seed), watch)?;
        *answered = solved.answered;
        let mut report = solved.report;
        if report.stopped == StopReason::Finished
            && answered.is_empty()
            && let Some(limit) = self.adviser.own_limit()
        {
            report.stopped = StopReason::OwnLimit(limit);
        }
        Ok(report)
    }

    fn proof(&mut self, root: &P, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        let DfPn { engine, answered, .. } = &mut self.search;
        prove(&mut Pair { engine, adviser: self.adviser.as_mut() }, root, answered, budget)
    }
}
