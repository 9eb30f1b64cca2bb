//! df-pn with an [`Adviser`], the knowledge of one game.

use super::df_pn::DfPn;
use super::solver::DfPnSolver;
use crate::proof::Status;
use crate::proof::question::{AnsweredQuestion, Solver, Verdict, Work, prove, solve};
use crate::{Search, SearchError};
use tesuji_core::solver::Settings;
use tesuji_core::{Adviser, Aim, Budget, Goal, Observer, Position, Report, Seed, StopReason, Studied};
use tesuji_proof::Claim;

/// The figure for positions that searches of the adviser entered.
pub(super) const INNER_NODES: &str = "inner nodes";

/// An adviser gets at most one part in this many of the memory.
const ADVISER_SHARE: u64 = 8;

/// df-pn with an adviser.
pub struct Advised<P: Position> {
    search: DfPn,
    adviser: Box<dyn Adviser<P>>,
    /// What to prove; by default a win of the side to move.
    goal: Option<Goal>,
}

impl<P: Position> Advised<P> {
    /// df-pn with these settings and this adviser. The goal is a win of the side to move.
    #[must_use]
    pub fn new(settings: Settings, adviser: Box<dyn Adviser<P>>) -> Advised<P> {
        Advised { search: DfPn::new(settings, Goal::default()), adviser, goal: None }
    }

    /// Frees the table after a search without a proof.
    pub(super) fn forget(&mut self) {
        self.search.solver.forget();
    }

    /// Bytes in use after [`forget`](Advised::forget).
    pub(super) fn kept_bytes(&self) -> u64 {
        self.adviser.memory_bytes()
    }

    /// The same search with this goal. An adviser that omits moves of the attacker can prove the
    /// goal but never disprove it.
    #[must_use]
    pub fn with_goal(self, goal: Goal) -> Advised<P> {
        Advised { goal: Some(goal), ..self }
    }
}

/// The solver and its adviser, for one search.
struct Pair<'a, P: Position> {
    solver: &'a mut DfPnSolver,
    adviser: &'a mut dyn Adviser<P>,
}

impl<P: Position> Solver<P> for Pair<'_, P> {
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError> {
        let mut verdict = self.solver.answer(root, aim, Some(&mut *self.adviser), work)?;
        if self.adviser.leaves_out() {
            let proved = |status: Status| if status == Status::Proved { status } else { Status::Unknown };
            verdict.status = proved(verdict.status);
            verdict.moves.iter_mut().for_each(|status| *status = proved(*status));
        }
        Ok(verdict)
    }

    fn place(&mut self, root: &P, answered: &AnsweredQuestion) -> Option<u64> {
        self.solver.place(root, answered)
    }

    fn location_after(&self, answered: &AnsweredQuestion, key: u64, mv: usize, next: &P) -> Option<u64> {
        self.solver.location_after(answered, key, mv, next)
    }

    fn winning_move(&self, answered: &AnsweredQuestion, key: u64, position: &P) -> Option<P::Move> {
        self.solver.winning_move(answered, key, position)
    }

    fn hardest_reply(&self, answered: &AnsweredQuestion, key: u64, position: &P) -> Option<P::Move> {
        self.solver.hardest_reply(answered, key, position)
    }

    fn prove(
        &mut self,
        root: &P,
        answered: AnsweredQuestion,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Claim, SearchError> {
        self.solver.write_proof(root, answered, Some(&mut *self.adviser), work)
    }

    fn memory_bytes(&self) -> u64 {
        Solver::<P>::memory_bytes(self.solver) + self.adviser.memory_bytes()
    }

    fn figures(&self, figures: &mut Vec<(&'static str, f64)>) {
        Solver::<P>::figures(self.solver, figures);
        figures.extend(self.adviser.inner_nodes().map(|nodes| (INNER_NODES, nodes as f64)));
    }
}

impl<P: Studied> Search<P> for Advised<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let DfPn { solver, answered, .. } = &mut self.search;
        let memory = budget.memory_bytes();
        let kept = self.adviser.wants_memory(budget.thread_count()).min(memory / ADVISER_SHARE);
        solver.begin::<P>(&Budget { memory: Some(memory - kept), ..budget.clone() }, self.adviser.keeps_lists());
        self.adviser.memory(kept, budget.thread_count());
        self.adviser.begin(root);
        let mut pair = Pair { solver, adviser: self.adviser.as_mut() };
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
        let DfPn { solver, answered, .. } = &mut self.search;
        prove(&mut Pair { solver, adviser: self.adviser.as_mut() }, root, answered, budget)
    }
}
