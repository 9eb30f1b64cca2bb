//! Asks the questions of a goal and writes the report.
//!
//! A [`Solver`] answers one question; [`solve`] asks as many as the goal needs, keeps the budget,
//! calls the observer, and writes the report: bounds of the position and of its moves, the line,
//! iterations (expansions), nodes (positions entered by descending and by playouts; an inspected
//! successor does not count), and figures.
//!
//! **The line follows the proof.** Every answered question has a claimant and a strategy that
//! secures the claim. The line follows the strongest strategies of both players: the mover plays
//! the move of its own strategy, and the other strategy has a reply to every move. So each position
//! on the line keeps both bounds of the root. A mover without a claim plays the move whose
//! refutation took the most work. The line ends with the game, or where a strategy is no longer in
//! memory.

use super::interval::{Interval, TerminalWorths};
use super::work::{Work, settle, write_state};
use crate::proof::Status;
use crate::{SearchError, root_moves};
use tesuji_core::{
    Aim, Budget, Deadline, Goal, Measure, NoObserver, Observer, Player, Position, Report, Rng, Seed, Studied, Value,
};
use tesuji_proof::Claim;

/// The longest line of a report.
pub(in crate::proof) const LONGEST_LINE: usize = 4_096;

/// The result of one question.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::proof) struct Verdict {
    pub(in crate::proof) status: Status,
    /// Proof and disproof number of the root, for reports.
    pub(in crate::proof) numbers: [f64; 2],
    /// The status of each root move, in the game's order.
    pub(in crate::proof) moves: Vec<Status>,
}

impl Verdict {
    pub(in crate::proof) fn unknown(moves: usize) -> Verdict {
        Verdict { status: Status::Unknown, numbers: [1.0, 1.0], moves: vec![Status::Unknown; moves] }
    }
}

/// Answers one question about one position.
pub(in crate::proof) trait Solver<P: Position> {
    /// Searches until the question is answered or the budget is spent.
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError>;

    /// Drops the kept strategies, before a search of another position.
    fn forget(&mut self) {}

    /// Keeps the strategy of the last answer, for the line.
    fn keep(&mut self, _answered: AnsweredQuestion) {}

    /// The place of the root in the strategy of an answer, a number that only the solver
    /// understands; `None` if the strategy is no longer in memory.
    fn place(&mut self, root: &P, answered: &AnsweredQuestion) -> Option<u64>;

    /// The place of `next`, the position after `mv`.
    fn location_after(&self, answered: &AnsweredQuestion, place: u64, mv: usize, next: &P) -> Option<u64>;

    /// The claimant is to move: the move that keeps the claim; `None` if it is no longer in memory.
    fn winning_move(&self, answered: &AnsweredQuestion, place: u64, position: &P) -> Option<P::Move>;

    /// The claimant's opponent is to move: the move whose refutation took the most work.
    fn hardest_reply(&self, answered: &AnsweredQuestion, place: u64, position: &P) -> Option<P::Move>;

    /// The proof of an earlier answer.
    fn prove(
        &mut self,
        root: &P,
        answered: AnsweredQuestion,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Claim, SearchError>;

    /// The largest size of trees and tables in bytes.
    fn memory_bytes(&self) -> u64;

    /// Adds figures to the report.
    fn figures(&self, figures: &mut Vec<(&'static str, f64)>);
}

/// The line that follows the proofs of the answers; empty without any.
fn line_of_proof<P: Position>(
    solver: &mut dyn Solver<P>,
    root: &P,
    answered: &[AnsweredQuestion],
    deadline: &Deadline,
) -> Vec<P::Move> {
    let strongest = |player: Player| {
        let of_player =
            |answered: &&AnsweredQuestion| answered.claim.player == player && !answered.claim.says_nothing(None);
        answered.iter().rev().find(of_player)
    };
    // Each with the place of the current position, as long as it is in memory.
    let mut strategies: Vec<(AnsweredQuestion, Option<u64>)> = Vec::new();
    for answered in Player::BOTH.into_iter().filter_map(strongest) {
        strategies.push((*answered, solver.place(root, answered)));
    }
    let mut position = root.clone();
    let mut line = Vec::new();
    while position.outcome().is_none() && line.len() < LONGEST_LINE && !deadline.is_over() {
        let mover = position.turn();
        let own = strategies.iter().find(|(answered, _)| answered.claim.player == mover);
        let mv = match (own, strategies.first()) {
            (Some((answered, Some(place))), _) => solver.winning_move(answered, *place, &position),
            (None, Some((answered, Some(place)))) => solver.hardest_reply(answered, *place, &position),
            _ => None,
        };
        let Some(mv) = mv else { break };
        let index = position.move_index(mv);
        position.play(mv);
        line.push(mv);
        for (answered, place) in &mut strategies {
            *place = place.and_then(|place| solver.location_after(answered, place, index, &position));
        }
    }
    line
}

/// An answered question and what the answer claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::proof) struct AnsweredQuestion {
    pub(in crate::proof) aim: Aim,
    pub(in crate::proof) status: Status,
    /// What the claimant secures: the attacker if the answer is yes, else the defender.
    pub(in crate::proof) claim: Aim,
}

impl AnsweredQuestion {
    /// The question tightened to its answer: terminal positions short of the claim do not satisfy
    /// it.
    pub(in crate::proof) fn sharp(&self) -> Aim {
        if self.status == Status::Proved { self.claim } else { self.claim.denied() }
    }
}

/// What [`solve`] returns: the report and the answered questions.
pub(in crate::proof) struct SolvedGoal<M> {
    pub(in crate::proof) report: Report<M>,
    pub(in crate::proof) answered: Vec<AnsweredQuestion>,
}

/// Asks the questions of the goal and reports.
///
/// The solver is a trait object, so that this function is compiled once per game and not once per
/// solver; virtual calls happen once per question.
pub(in crate::proof) fn solve<P: Studied>(
    solver: &mut dyn Solver<P>,
    root: &P,
    goal: Goal,
    (budget, seed): (&Budget, Seed),
    watch: &mut dyn Observer<P::Move>,
) -> Result<SolvedGoal<P::Move>, SearchError> {
    if root.outcome().is_some() {
        return Err(SearchError::Ended);
    }
    let mut work =
        Work::new(budget, watch, Report { root: root_moves::untried_moves(root), ..Report::empty(root.turn()) });
    work.tie_break_keys = root_moves::tie_break_keys(root, &mut Rng::new(seed));
    solver.forget();
    let measure = match goal {
        Goal::Exact(measure) => measure,
        Goal::Question(aim) => aim.measure,
    };
    let mut interval = Interval::unknown(measure);
    let mut of_moves = vec![interval; work.report.root.len()];
    let mut answered: Vec<AnsweredQuestion> = Vec::new();
    let (mut status, mut numbers);
    loop {
        let aim = match goal {
            Goal::Question(aim) => aim,
            Goal::Exact(_) => interval.next_question(!answered.is_empty(), work.greatest),
        };
        work.seen = TerminalWorths::default();
        let verdict = solver.ask(root, aim, &mut work)?;
        (status, numbers) = (verdict.status, verdict.numbers);
        interval.learn(aim, verdict.status, work.seen);
        for ((known, status), entry) in of_moves.iter_mut().zip(&verdict.moves).zip(&mut work.report.root) {
            known.learn(aim, *status, work.seen);
            entry.bounds = known.bounds();
            entry.value = entry.bounds.proved().map(Value::from);
        }
        work.report.bounds = interval.bounds();
        if verdict.status == Status::Unknown {
            break;
        }
        let answer = AnsweredQuestion { aim, status: verdict.status, claim: work.seen.claim(aim, verdict.status) };
        answered.push(answer);
        solver.keep(answer);
        let finished = matches!(goal, Goal::Question(_)) || interval.is_exact();
        if finished || work.meter.is_stopped() {
            break;
        }
    }
    let mut report = work.report;
    settle(&mut report, &work.tie_break_keys, line_of_proof(solver, root, &answered, &work.meter.deadline()));
    report.memory_bytes = solver.memory_bytes();
    report.depth = work.depth;
    write_state(&mut report, status, numbers);
    report.figures.extend([
        ("questions", answered.len() as f64),
        ("re-expansions", work.re_expansions as f64),
        ("positions looked at", work.looked_at as f64),
    ]);
    if measure == Measure::Margin {
        report.figures.push(("least margin", f64::from(interval.lowest)));
        report.figures.push(("greatest margin", f64::from(interval.highest)));
    }
    solver.figures(&mut report.figures);
    root_moves::fill_counters(&mut report, &work.meter);
    Ok(SolvedGoal { report, answered })
}

/// The proofs of the answers: for each player the last claim, which is the strongest.
pub(in crate::proof) fn prove<P: Position>(
    solver: &mut dyn Solver<P>,
    root: &P,
    answered: &[AnsweredQuestion],
    budget: &Budget,
) -> Result<Vec<Claim>, SearchError> {
    let mut observer = NoObserver;
    let mut work = Work::new(budget, &mut observer, Report::empty(root.turn()));
    let mut claims = Vec::new();
    for player in Player::BOTH {
        if let Some(answered) = answered.iter().rev().find(|answered| answered.claim.player == player) {
            // A claim that every terminal position satisfies needs no proof.
            if !answered.claim.says_nothing(root.widest_margin()) {
                claims.push(solver.prove(root, *answered, &mut work)?);
            }
        }
    }
    if claims.is_empty() { Err(SearchError::Unsupported("the search has proved nothing".into())) } else { Ok(claims) }
}
