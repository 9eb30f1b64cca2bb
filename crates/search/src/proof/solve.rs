//! From questions to a report: what all proof-number searches share.
//!
//! A search is an [`Engine`] that answers one question; [`solve`] asks as many as the goal needs, keeps the budget,
//! serves the observer, and writes the report: bounds of the position and of its moves, the line, iterations
//! (expansions), nodes (positions entered by descending and by playouts; looking at a successor does not count), and figures.
//!
//! **The line is one of the proof.** Every answered question has a claimant, who gets something for sure, and a strategy for him. The line
//! follows the strongest strategy of either player at once: who is to move plays his own strategy's move, which the other one
//! answers like every move. So each position on the line keeps both bounds of the root. A mover without a claim of his own resists
//! where the refutation is largest. The line ends with the game, or where the memory of a strategy does.

use super::Status;
use super::interval::{Interval, Seen};
use crate::{SearchError, root_moves};
use tesuji_core::spec::{ArgumentError, Arguments, Kind, Parameter};
use tesuji_core::{
    Aim, Budget, Deadline, Goal, Measure, Meter, NoObserver, Observer, Outcome, Player, Position, Report, Rng,
    RootMove, Seed, StopReason, Studied, Value, Watch,
};
use tesuji_proof::Claim;

/// The longest line that is written out.
pub(super) const LONGEST_LINE: usize = 4_096;

/// Memory of a search that nobody limited.
pub(super) const DEFAULT_MEMORY: u64 = 1 << 30;

/// What an engine found out about a question.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Verdict {
    pub(super) status: Status,
    /// Proof and disproof number of the root, as shown.
    pub(super) numbers: [f64; 2],
    /// What is known of each move of the root, in the game's order.
    pub(super) moves: Vec<Status>,
}

impl Verdict {
    pub(super) fn unknown(moves: usize) -> Verdict {
        Verdict { status: Status::Unknown, numbers: [1.0, 1.0], moves: vec![Status::Unknown; moves] }
    }
}

/// Answers one question about one position.
pub(super) trait Engine<P: Position> {
    /// Works on the question until it is answered or the budget is spent.
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError>;

    /// A search of another position begins: strategies kept so far are of no use.
    fn forget(&mut self) {}

    /// The question asked last was answered so: the strategy behind it will be wanted for the line.
    fn keep(&mut self, _answered: Answered) {}

    /// Where the root is in the memory of the strategy behind an answer, as a number of the engine's own;
    /// nothing if it is lost.
    fn place(&mut self, root: &P, answered: &Answered) -> Option<u64>;

    /// Where the position after `mv`, which is `next`, is.
    fn place_after(&self, answered: &Answered, place: u64, mv: usize, next: &P) -> Option<u64>;

    /// The move by which the claimant of an answer, who moves here, keeps what is claimed; nothing if it is lost.
    fn own_move(&self, answered: &Answered, place: u64, position: &P) -> Option<P::Move>;

    /// The move of the claimant's opponent, who moves here, whose refutation took the most; nothing if none is known.
    fn resistance(&self, answered: &Answered, place: u64, position: &P) -> Option<P::Move>;

    /// The proof of an answer given before.
    fn prove(&mut self, root: &P, answered: Answered, work: &mut Work<'_, P::Move>) -> Result<Claim, SearchError>;

    /// Bytes of trees and tables at their largest.
    fn memory_bytes(&self) -> u64;

    /// Figures of its own.
    fn figures(&self, figures: &mut Vec<(&'static str, f64)>);
}

/// What a search has done so far, and how far it may go.
pub(super) struct Work<'a, M> {
    pub(super) meter: Meter,
    watch: Watch<'a, M>,
    /// The report so far: the root's moves and what earlier questions have shown.
    report: Report<M>,
    /// What decides between root moves of which the same is known.
    favour: Vec<root_moves::TieBreakKey>,
    pub(super) seen: Seen,
    /// The greatest worth of any end, for the choice of the next question.
    greatest: i32,
    /// Expansions of positions that had been expanded before: the seesaw.
    pub(super) re_expansions: u64,
    /// Successors looked at.
    pub(super) looked_at: u64,
    /// The greatest depth of an expanded position.
    pub(super) depth: u32,
}

impl<'a, M: Copy + PartialEq> Work<'a, M> {
    /// Nothing done yet.
    pub(super) fn new(budget: &Budget, watch: &'a mut dyn Observer<M>, report: Report<M>) -> Work<'a, M> {
        Work {
            meter: budget.meter(),
            watch: Watch::new(watch),
            report,
            favour: Vec::new(),
            seen: Seen::default(),
            greatest: i32::MIN,
            re_expansions: 0,
            looked_at: 0,
            depth: 0,
        }
    }

    /// Why work must end in the middle of an iteration, if it must.
    pub(super) fn late(&self) -> Option<StopReason> {
        if self.meter.budget().stop.is_stopped() {
            return Some(StopReason::Asked);
        }
        let hard_time = self.meter.budget().hard_time;
        hard_time.is_some_and(|most| self.meter.elapsed() >= most).then_some(StopReason::Time)
    }

    /// Judges an ended game.
    #[inline]
    pub(super) fn judge(&mut self, aim: Aim, outcome: Outcome) -> Status {
        self.greatest = self.greatest.max(aim.worth(outcome));
        self.seen.judge(aim, outcome)
    }

    /// Lets the observer look, if it is time; `state` says the root's numbers, the path of the last
    /// expansion and the memory in use.
    #[inline]
    pub(super) fn show(&mut self, state: impl FnOnce() -> ([f64; 2], Vec<M>, u64)) {
        let Work { meter, watch, report, favour, re_expansions, depth, .. } = self;
        watch.tick(meter.iterations(), meter.recent_elapsed(), || {
            let mut report = report.clone();
            let (numbers, path, memory) = state();
            report.path = path;
            report.memory_bytes = memory;
            report.depth = *depth;
            report.figures = vec![("pn", numbers[0]), ("dn", numbers[1]), ("re-expansions", *re_expansions as f64)];
            settle(&mut report, favour, Vec::new());
            root_moves::fill_counters(&mut report, meter);
            report
        });
    }
}

/// What another thread has done for a search.
pub(super) struct Tally {
    nodes: u64,
    iterations: u64,
    seen: Seen,
    greatest: i32,
    re_expansions: u64,
    looked_at: u64,
    depth: u32,
}

impl<M: Copy + PartialEq> Work<'_, M> {
    /// What was done.
    pub(super) fn tally(&self) -> Tally {
        Tally {
            nodes: self.meter.nodes(),
            iterations: self.meter.iterations(),
            seen: self.seen,
            greatest: self.greatest,
            re_expansions: self.re_expansions,
            looked_at: self.looked_at,
            depth: self.depth,
        }
    }

    /// Adds what another has done.
    pub(super) fn add(&mut self, tally: &Tally) {
        self.meter.add_nodes(tally.nodes);
        self.meter.add_iterations(tally.iterations);
        self.seen.add(tally.seen);
        self.greatest = self.greatest.max(tally.greatest);
        self.re_expansions += tally.re_expansions;
        self.looked_at += tally.looked_at;
        self.depth = self.depth.max(tally.depth);
    }
}

/// Chooses the first move of the line of the proof, or else the move of which the most is known, and says what the position is
/// worth as far as that is proved. What is proved of the position bounds each of its moves: none is worth more to the mover.
fn settle<M: Copy + PartialEq>(report: &mut Report<M>, favour: &[root_moves::TieBreakKey], line: Vec<M>) {
    let turn = report.turn;
    root_moves::clamp_bounds(report);
    let known = |entry: &RootMove<M>| entry.bounds.for_player(turn);
    let most = report.root.iter().map(known).max();
    let proved = line.first().copied().filter(|first| {
        // With several threads the table may know a move that the thread that answered does not.
        report.root.iter().any(|entry| entry.mv == *first && Some(known(entry)) == most)
    });
    report.best = proved.or_else(|| {
        let most_known = report.root.iter().enumerate().filter(|(_, entry)| Some(known(entry)) == most);
        let (number, _) = most_known.max_by(|(one, _), (other, _)| root_moves::compare_keys(favour, *one, *other))?;
        Some(report.root[number].mv)
    });
    report.line = if proved.is_some() { line } else { report.best.into_iter().collect() };
    report.value = report.bounds.proved().map_or(Value::UNKNOWN, Value::from);
}

/// The line of the proof of what was answered; empty if nothing was.
fn line_of_proof<P: Position>(
    engine: &mut dyn Engine<P>,
    root: &P,
    answered: &[Answered],
    deadline: &Deadline,
) -> Vec<P::Move> {
    let strongest = |player: Player| {
        let of_player = |answered: &&Answered| answered.claim.player == player && !answered.claim.says_nothing(None);
        answered.iter().rev().find(of_player)
    };
    // Each with the place of the position on the line, until it is lost.
    let mut strategies: Vec<(Answered, Option<u64>)> = Vec::new();
    for answered in Player::BOTH.into_iter().filter_map(strongest) {
        strategies.push((*answered, engine.place(root, answered)));
    }
    let mut position = root.clone();
    let mut line = Vec::new();
    while position.outcome().is_none() && line.len() < LONGEST_LINE && !deadline.is_over() {
        let mover = position.turn();
        let own = strategies.iter().find(|(answered, _)| answered.claim.player == mover);
        let mv = match (own, strategies.first()) {
            (Some((answered, Some(place))), _) => engine.own_move(answered, *place, &position),
            (None, Some((answered, Some(place)))) => engine.resistance(answered, *place, &position),
            _ => None,
        };
        let Some(mv) = mv else { break };
        let index = position.move_index(mv);
        position.play(mv);
        line.push(mv);
        for (answered, place) in &mut strategies {
            *place = place.and_then(|place| engine.place_after(answered, place, index, &position));
        }
    }
    line
}

/// A question that was answered, and what the answer means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answered {
    pub(super) aim: Aim,
    pub(super) status: Status,
    /// What somebody gets for sure: the attacker if the answer was yes, else the defender.
    pub(super) claim: Aim,
}

impl Answered {
    /// The question, made as sharp as its answer: ends that are not worth what is claimed do not count for it.
    pub(super) fn sharp(&self) -> Aim {
        if self.status == Status::Proved { self.claim } else { self.claim.denied() }
    }
}

/// The report, and the questions that were answered on the way.
pub(super) struct Solved<M> {
    pub(super) report: Report<M>,
    pub(super) answered: Vec<Answered>,
}

/// Asks what the goal needs, and reports.
///
/// The engine is behind a pointer, so that this is compiled once a game and not once for every engine
/// too; the virtual calls are one a question.
pub(super) fn solve<P: Studied>(
    engine: &mut dyn Engine<P>,
    root: &P,
    goal: Goal,
    (budget, seed): (&Budget, Seed),
    watch: &mut dyn Observer<P::Move>,
) -> Result<Solved<P::Move>, SearchError> {
    if root.outcome().is_some() {
        return Err(SearchError::Ended);
    }
    let mut work =
        Work::new(budget, watch, Report { root: root_moves::untried_moves(root), ..Report::empty(root.turn()) });
    work.favour = root_moves::tie_break_keys(root, &mut Rng::new(seed));
    engine.forget();
    let measure = match goal {
        Goal::Exact(measure) => measure,
        Goal::Question(aim) => aim.measure,
    };
    let mut interval = Interval::unknown(measure);
    let mut of_moves = vec![interval; work.report.root.len()];
    let mut answered: Vec<Answered> = Vec::new();
    let mut numbers;
    loop {
        let aim = match goal {
            Goal::Question(aim) => aim,
            Goal::Exact(_) => interval.next_question(!answered.is_empty(), work.greatest),
        };
        work.seen = Seen::default();
        let verdict = engine.ask(root, aim, &mut work)?;
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
        let answer = Answered { aim, status: verdict.status, claim: work.seen.claim(aim, verdict.status) };
        answered.push(answer);
        engine.keep(answer);
        let finished = matches!(goal, Goal::Question(_)) || interval.is_exact();
        if finished || work.meter.is_stopped() {
            break;
        }
    }
    let mut report = work.report;
    settle(&mut report, &work.favour, line_of_proof(engine, root, &answered, &work.meter.deadline()));
    report.memory_bytes = engine.memory_bytes();
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
    engine.figures(&mut report.figures);
    root_moves::fill_counters(&mut report, &work.meter);
    Ok(Solved { report, answered })
}

/// The proofs of what was answered: for each player the last, which is the strongest.
pub(super) fn prove<P: Position>(
    engine: &mut dyn Engine<P>,
    root: &P,
    answered: &[Answered],
    budget: &Budget,
) -> Result<Vec<Claim>, SearchError> {
    let mut nobody = NoObserver;
    let mut work = Work::new(budget, &mut nobody, Report::empty(root.turn()));
    let mut claims = Vec::new();
    for player in Player::BOTH {
        if let Some(answered) = answered.iter().rev().find(|answered| answered.claim.player == player) {
            // That every end is enough needs no proof, and a file that says so would pretend to one.
            if !answered.claim.says_nothing(root.widest_margin()) {
                claims.push(engine.prove(root, *answered, &mut work)?);
            }
        }
    }
    if claims.is_empty() { Err(SearchError::Unsupported("nothing has been proved".into())) } else { Ok(claims) }
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
