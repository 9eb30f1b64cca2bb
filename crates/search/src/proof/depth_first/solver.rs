//! Answers questions by df-pn and proves the answers, with one thread or several, with or without
//! an adviser.

use super::access::TableAccess;
use super::child_cache::ChildCache;
use super::key::{key_below, root_key};
use super::parallel::search_in_parallel;
use super::path::SearchPath;
use super::table::Table;
use super::thresholds::ProofNumbers;
use crate::SearchError;
use crate::proof::Status;
use crate::proof::question::{AnsweredQuestion, Solver, Verdict, Work};
use crate::proof::question::{ProofSource, extract};
use tesuji_core::solver::Settings;
use tesuji_core::{Adviser, Aim, Budget, Certificate, Measure, Position};
use tesuji_proof::Claim;

/// df-pn with its table.
pub(super) struct DfPnSolver {
    rule: ProofNumbers,
    table: Table,
    /// Bytes of the child caches of all threads; 0 if the memory is too small for them.
    child_caches: u64,
}

impl DfPnSolver {
    pub(super) fn new(settings: Settings) -> DfPnSolver {
        DfPnSolver { rule: ProofNumbers::new(settings), table: Table::new(0), child_caches: 0 }
    }

    /// Starts with an empty table of at most the memory of the budget. With `cache_children`,
    /// which pays where an adviser lists them slowly, a part of it is for child caches.
    pub(super) fn begin<P: Position>(&mut self, budget: &Budget, cache_children: bool) {
        let memory = budget.memory_bytes();
        let child_caches = ChildCache::<P::Move>::BYTES as u64 * u64::from(budget.thread_count());
        self.child_caches = if cache_children && child_caches <= memory / 8 { child_caches } else { 0 };
        self.table = Table::new(memory - self.child_caches);
    }

    /// Frees the table.
    pub(super) fn forget(&mut self) {
        self.table = Table::new(0);
    }
}

/// Winning moves of a solved position: from the table, or by another search where the entry was
/// replaced.
struct TableSource<'a, 'b, 'c, 'd, P: Position> {
    solver: &'a mut DfPnSolver,
    adviser: Option<&'d mut dyn Adviser<P>>,
    work: &'b mut Work<'c, P::Move>,
    /// The question, tightened to its answer: terminal positions of another search must be worth
    /// what is claimed.
    aim: Aim,
    salt: u64,
    status: Status,
}

impl<P: Position> ProofSource<P> for TableSource<'_, '_, '_, '_, P> {
    fn winning_move(&mut self, position: &P, key: u64) -> Result<Option<P::Move>, SearchError> {
        let known = self.solver.table.probe(key).filter(|found| found.status == self.status);
        let known = known.and_then(|found| position.move_at(found.best as usize)).filter(|mv| position.is_legal(*mv));
        if known.is_some() {
            return Ok(known);
        }
        // `as_deref_mut` would borrow for too long.
        let adviser: Option<&mut dyn Adviser<P>> = match &mut self.adviser {
            Some(adviser) => Some(&mut **adviser),
            None => None,
        };
        let mut path = SearchPath::new(position, self.aim, self.salt, adviser);
        let DfPnSolver { rule, table, .. } = &mut *self.solver;
        let summary = rule.run(TableAccess::Alone(table), &mut path, key, self.work)?;
        let best = path.children.get(summary.best).filter(|_| summary.status == self.status);
        Ok(best.map(|child| child.mv))
    }

    fn certificate(&mut self, position: &P, listed: &mut Vec<P::Move>) -> Option<Certificate> {
        let claimant = if self.status == Status::Proved { self.aim.player } else { self.aim.player.other() };
        let adviser = self.adviser.as_mut().filter(|_| self.aim.measure == Measure::Score)?;
        adviser.certify(position, claimant, listed)
    }

    fn after(&mut self, key: u64, _: usize, next: &P) -> u64 {
        key_below(next, key, self.salt)
    }
}

impl DfPnSolver {
    /// Searches for the answer of a question.
    pub(super) fn answer<P: Position>(
        &mut self,
        root: &P,
        aim: Aim,
        adviser: Option<&mut dyn Adviser<P>>,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Verdict, SearchError> {
        let key = root_key(root, aim);
        self.table.deadline = work.meter.deadline();
        let threads = work.meter.budget().thread_count();
        let mut helpers: Vec<Option<Box<dyn Adviser<P>>>> = Vec::new();
        if threads > 1 {
            let forked = |_| match &adviser {
                None => Some(None),
                Some(adviser) => adviser.fork().map(Some),
            };
            // An adviser that cannot be forked is used by one thread.
            helpers = (1..threads).map(forked).collect::<Option<_>>().unwrap_or_default();
        }
        let mut path = SearchPath::new(root, aim, aim.salt(), adviser).with_child_cache(self.child_caches > 0);
        let (summary, children) = if helpers.is_empty() {
            let summary = self.rule.run(TableAccess::Alone(&mut self.table), &mut path, key, work)?;
            (summary, path.children)
        } else {
            search_in_parallel(&self.rule, &mut self.table, path, helpers, key, work)?
        };
        let mut verdict = Verdict::unknown(root.move_count());
        for (status, mv) in verdict.moves.iter_mut().zip(root.moves()) {
            if let Some(child) = children.iter().find(|child| child.mv == mv) {
                *status = child.status;
            }
        }
        verdict.status = summary.status;
        verdict.numbers = match summary.status {
            Status::Unknown => summary.numbers.map(f64::from),
            Status::Proved => [0.0, f64::INFINITY],
            Status::Disproved => [f64::INFINITY, 0.0],
        };
        Ok(verdict)
    }

    /// The proof of an answer.
    pub(super) fn write_proof<P: Position>(
        &mut self,
        root: &P,
        answered: AnsweredQuestion,
        adviser: Option<&mut dyn Adviser<P>>,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Claim, SearchError> {
        let AnsweredQuestion { aim, status, claim } = answered;
        // The proofs of several claims share the time of the budget.
        let hard_time = work.meter.budget().hard_time.map(|most| most.saturating_sub(work.meter.elapsed()));
        let mut meter = Budget { hard_time, ..work.meter.budget().clone() }.meter();
        // An adviser may search for certificates.
        let mut adviser = adviser;
        if let Some(adviser) = &mut adviser {
            adviser.limit(&work.meter.deadline());
        }
        let mut source = TableSource { solver: self, adviser, work, aim: answered.sharp(), salt: aim.salt(), status };
        extract(root, claim, &mut source, root_key(root, aim), &mut meter)
    }
}

impl DfPnSolver {
    /// The moves after which the table confirms an answer, with the work of each.
    fn solved_moves<'a, P: Position>(
        &'a self,
        answered: &'a AnsweredQuestion,
        key: u64,
        position: &'a P,
    ) -> impl Iterator<Item = (u64, P::Move)> + 'a {
        // Terminal positions the search did not see must be worth what is claimed.
        let sharp = answered.sharp();
        position.moves().into_iter().filter_map(move |mv| {
            let mut next = position.clone();
            next.play(mv);
            let (status, work) = match next.outcome() {
                Some(outcome) if sharp.worth(outcome) >= sharp.least => (Status::Proved, 0),
                Some(_) => (Status::Disproved, 0),
                None => {
                    let found = self.table.probe(key_below(&next, key, answered.aim.salt()))?;
                    (found.status, found.work)
                }
            };
            (status == answered.status).then_some((work, mv))
        })
    }
}

impl<P: Position> Solver<P> for DfPnSolver {
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError> {
        self.answer(root, aim, None, work)
    }

    fn place(&mut self, root: &P, answered: &AnsweredQuestion) -> Option<u64> {
        Some(root_key(root, answered.aim))
    }

    fn location_after(&self, answered: &AnsweredQuestion, key: u64, _: usize, next: &P) -> Option<u64> {
        Some(key_below(next, key, answered.aim.salt()))
    }

    fn winning_move(&self, answered: &AnsweredQuestion, key: u64, position: &P) -> Option<P::Move> {
        let found = self.table.probe(key).filter(|found| found.status == answered.status);
        let kept = found.and_then(|found| position.move_at(found.best as usize)).filter(|mv| position.is_legal(*mv));
        // Where the entry was replaced, that of a successor may do.
        kept.or_else(|| self.solved_moves(answered, key, position).next().map(|(_, mv)| mv))
    }

    fn hardest_reply(&self, answered: &AnsweredQuestion, key: u64, position: &P) -> Option<P::Move> {
        let mut hardest: Option<(u64, P::Move)> = None;
        for (work, mv) in self.solved_moves(answered, key, position) {
            if hardest.is_none_or(|(most, _)| work > most) {
                hardest = Some((work, mv));
            }
        }
        hardest.map(|(_, mv)| mv)
    }

    fn prove(
        &mut self,
        root: &P,
        answered: AnsweredQuestion,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Claim, SearchError> {
        self.write_proof(root, answered, None, work)
    }

    fn memory_bytes(&self) -> u64 {
        self.table.peak_bytes() + self.child_caches
    }

    fn figures(&self, figures: &mut Vec<(&'static str, f64)>) {
        figures.push(("table entries", self.table.entries() as f64));
        figures.push(("collections", self.table.collections() as f64));
    }
}
