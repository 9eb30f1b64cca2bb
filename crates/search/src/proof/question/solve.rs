//! From questions to a report: what all proof-number searches share.
//!
//! A search is an [`Engine`] that answers one question; [`solve`] asks as many as the goal needs,
//! keeps the budget, serves the observer, and writes the report: bounds of the position and of its
//! moves, the line, iterations (expansions), nodes (positions entered by descending and by
//! playouts; looking at a successor does not count), and figures.
//!
//! **The line is one of the proof.** Every answered question has a claimant, who gets something for
//! sure, and a strategy for him. The line follows the strongest strategy of either player at once:
//! who is to move plays his own strategy's move, which the other one answers like every move. So
//! each position on the line keeps both bounds of the root. A mover without a claim of his own
//! resists where the refutation is largest. The line ends with the game, or where the memory of a
//! strategy does.

use super::interval::{Interval, TerminalWorths};
use super::work::{Work, settle};
use crate::proof::Status;
use crate::{SearchError, decide};
use tesuji_core::spec::{ArgumentError, Arguments, Kind, Parameter};
use tesuji_core::{
    Aim, Budget, Deadline, Goal, Measure, Nobody, Observer, Player, Position, Report, Rng, Seed, Studied, Value,
};
use tesuji_proof::Claim;

/// The longest line that is written out.
pub(in crate::proof) const LONGEST_LINE: usize = 4_096;

/// Memory of a search that nobody limited.
pub(in crate::proof) const DEFAULT_MEMORY: u64 = 1 << 30;

/// What an engine found out about a question.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::proof) struct Verdict {
    pub(in crate::proof) status: Status,
    /// Proof and disproof number of the root, as shown.
    pub(in crate::proof) numbers: [f64; 2],
    /// What is known of each move of the root, in the game's order.
    pub(in crate::proof) moves: Vec<Status>,
}

impl Verdict {
    pub(in crate::proof) fn unknown(moves: usize) -> Verdict {
        Verdict { status: Status::Unknown, numbers: [1.0, 1.0], moves: vec![Status::Unknown; moves] }
    }
}

/// Answers one question about one position.
pub(in crate::proof) trait Solver<P: Position> {
    /// Works on the question until it is answered or the budget is spent.
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError>;

    /// A search of another position begins: strategies kept so far are of no use.
    fn forget(&mut self) {}

    /// The question asked last was answered so: the strategy behind it will be wanted for the line.
    fn keep(&mut self, _answered: AnsweredQuestion) {}

    /// Where the root is in the memory of the strategy behind an answer, as a number of the
    /// engine's own; nothing if it is lost.
    fn place(&mut self, root: &P, answered: &AnsweredQuestion) -> Option<u64>;

    /// Where the position after `mv`, which is `next`, is.
    fn location_after(&self, answered: &AnsweredQuestion, place: u64, mv: usize, next: &P) -> Option<u64>;

    /// The move by which the claimant of an answer, who moves here, keeps what is claimed; nothing
    /// if it is lost.
    fn winning_move(&self, answered: &AnsweredQuestion, place: u64, position: &P) -> Option<P::Move>;

    /// The move of the claimant's opponent, who moves here, whose refutation took the most; nothing
    /// if none is known.
    fn hardest_reply(&self, answered: &AnsweredQuestion, place: u64, position: &P) -> Option<P::Move>;

    /// The proof of an answer given before.
    fn prove(
        &mut self,
        root: &P,
        answered: AnsweredQuestion,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Claim, SearchError>;

    /// Bytes of trees and tables at their largest.
    fn memory_bytes(&self) -> u64;

    /// Figures of its own.
    fn figures(&self, figures: &mut Vec<(&'static str, f64)>);
}

/// The line of the proof of what was answered; empty if nothing was.
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
    // Each with the place of the position on the line, until it is lost.
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

/// A question that was answered, and what the answer means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::proof) struct AnsweredQuestion {
    pub(in crate::proof) aim: Aim,
    pub(in crate::proof) status: Status,
    /// What somebody gets for sure: the attacker if the answer was yes, else the defender.
    pub(in crate::proof) claim: Aim,
}

impl AnsweredQuestion {
    /// The question, made as sharp as its answer: ends that are not worth what is claimed do not
    /// count for it.
    pub(in crate::proof) fn sharp(&self) -> Aim {
        if self.status == Status::Proved { self.claim } else { self.claim.denied() }
    }
}

/// The report, and the questions that were answered on the way.
pub(in crate::proof) struct Solved<M> {
    pub(in crate::proof) report: Report<M>,
    pub(in crate::proof) answered: Vec<AnsweredQuestion>,
}

/// Asks what the goal needs, and reports.
///
/// The engine is behind a pointer, so that this is compiled once a game and not once for every
/// engine too; the virtual calls are one a question.
pub(in crate::proof) fn solve<P: Studied>(
    solver: &mut dyn Solver<P>,
    root: &P,
    goal: Goal,
    (budget, seed): (&Budget, Seed),
    watch: &mut dyn Observer<P::Move>,
) -> Result<Solved<P::Move>, SearchError> {
    if root.outcome().is_some() {
        return Err(SearchError::Ended);
    }
    let mut work = Work::new(budget, watch, Report { root: decide::open_root(root), ..Report::empty(root.turn()) });
    work.favour = decide::favour(root, &mut Rng::new(seed));
    solver.forget();
    let measure = match goal {
        Goal::Exact(measure) => measure,
        Goal::Question(aim) => aim.measure,
    };
    let mut interval = Interval::unknown(measure);
    let mut of_moves = vec![interval; work.report.root.len()];
    let mut answered: Vec<AnsweredQuestion> = Vec::new();
    let mut numbers;
    loop {
        let aim = match goal {
            Goal::Question(aim) => aim,
            Goal::Exact(_) => interval.next_question(!answered.is_empty(), work.greatest),
        };
        work.seen = TerminalWorths::default();
        let verdict = solver.ask(root, aim, &mut work)?;
        numbers = verdict.numbers;
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
    settle(&mut report, &work.favour, line_of_proof(solver, root, &answered, &work.meter.deadline()));
    report.memory_bytes = solver.memory_bytes();
    report.depth = work.depth;
    report.figures = vec![
        ("pn", numbers[0]),
        ("dn", numbers[1]),
        ("questions", answered.len() as f64),
        ("re-expansions", work.re_expansions as f64),
        ("positions looked at", work.looked_at as f64),
    ];
    if measure == Measure::Margin {
        report.figures.push(("least margin", f64::from(interval.lowest)));
        report.figures.push(("greatest margin", f64::from(interval.highest)));
    }
    solver.figures(&mut report.figures);
    decide::close(&mut report, &work.meter);
    Ok(Solved { report, answered })
}

/// The proofs of what was answered: for each player the last, which is the strongest.
pub(in crate::proof) fn prove<P: Position>(
    solver: &mut dyn Solver<P>,
    root: &P,
    answered: &[AnsweredQuestion],
    budget: &Budget,
) -> Result<Vec<Claim>, SearchError> {
    let mut nobody = Nobody;
    let mut work = Work::new(budget, &mut nobody, Report::empty(root.turn()));
    let mut claims = Vec::new();
    for player in Player::BOTH {
        if let Some(answered) = answered.iter().rev().find(|answered| answered.claim.player == player) {
            // That every end is enough needs no proof, and a file that says so would pretend to
            // one.
            if !answered.claim.says_nothing(root.widest_margin()) {
                claims.push(solver.prove(root, *answered, &mut work)?);
            }
        }
    }
    if claims.is_empty() { Err(SearchError::Unfit("nothing has been proved".into())) } else { Ok(claims) }
}

/// The parameter that all proof-number searches have.
pub const GOAL: Parameter = Parameter {
    name: "goal",
    about: "exact, exact-margin, first-wins, first-draws, second-wins, second-draws, score>=X or margin>=M",
    kind: Kind::Text,
    default: Some("\"exact\""),
};

/// Reads it.
///
/// # Errors
/// If it is no goal.
pub fn goal_of(arguments: &Arguments) -> Result<Goal, ArgumentError> {
    arguments.text("goal").unwrap_or("exact").parse().map_err(|error| ArgumentError::of("goal", error))
}
