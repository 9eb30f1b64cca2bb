//! Plain minimax to a given depth.
//!
//! > v(p, 0) = ½ if p has not ended;
//! > v(p, d) = outcome, or the best v(child, d−1) for the mover of p
//!
//! The value counts positions at the horizon as draws; the proved [`Bounds`] count them as unknown.
//! There is no pruning: the number of nodes is the size of the tree (Lin's trap tree at depth 2:
//! 420). The walk has an explicit stack, so the depth is not limited.
//!
//! There are two lines. One follows the value. The other follows the mover's guaranteed score, so
//! that every position on it preserves the bounds of the first one; it is reported if the chosen
//! move preserves the bounds of the root.

use crate::{Search, SearchError, Technique, root_moves};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{
    Bounds, Budget, Meter, Observer, Outcome, Player, Position, Report, Rng, Score, Seed, StopReason, Studied, Value,
    Watch,
};

/// Depth-limited minimax; without a depth, to the end of the game.
#[derive(Clone, Copy, Debug)]
pub struct Minimax {
    /// The search depth in plies, at least one; `None` is to the end.
    pub depth: Option<u32>,
    /// The score of an ended game.
    pub(super) leaf: fn(Outcome) -> Score,
}

impl Minimax {
    /// Minimax over the game's own scores.
    #[must_use]
    pub fn new(depth: Option<u32>) -> Minimax {
        Minimax { depth, leaf: |outcome| outcome.score }
    }
}

/// The result of a subtree.
pub(super) struct Verdict<M> {
    pub(super) value: Score,
    pub(super) bounds: Bounds,
    /// The best line, last move first, so that it is extended at its end.
    line: Vec<M>,
    /// The line of the proof, last move first.
    safe_line: Vec<M>,
    /// The depth reached, in plies.
    depth: u32,
    /// Whether the horizon was reached.
    cut: bool,
}

impl<M> Verdict<M> {
    fn leaf(value: Score, bounds: Bounds) -> Self {
        Verdict { value, bounds, line: Vec::new(), safe_line: Vec::new(), depth: 0, cut: false }
    }
}

/// A position on the current path.
struct Frame<P: Position> {
    mover: Player,
    moves: Vec<P::Move>,
    next: usize,
    best: Option<(Score, Vec<P::Move>)>,
    /// The mover's guaranteed score, and its line.
    safe: Option<(Score, Vec<P::Move>)>,
    bounds: Option<Bounds>,
    undo: Option<(P::Move, P::Undo)>,
}

impl Minimax {
    /// Searches `position` to `depth` plies; nothing if the meter stopped the search. The position
    /// is restored.
    pub(super) fn verdict<P: Position>(
        &self,
        position: &mut P,
        depth: u32,
        meter: &mut Meter,
        mut tick: impl FnMut(&Meter),
    ) -> Option<Verdict<P::Move>> {
        let mut stack: Vec<Frame<P>> = Vec::new();
        let (mut deepest, mut cut) = (0, false);
        let mut bytes = 0;
        let memory = meter.budget().memory.unwrap_or(u64::MAX);
        let mut verdict = self.enter(position, depth, &mut stack);
        loop {
            // A verdict is backed up to the parent.
            if let Some(found) = verdict.take() {
                cut |= found.cut;
                let Some(frame) = stack.last_mut() else { return Some(Verdict { depth: deepest, cut, ..found }) };
                let (mv, undo) = frame.undo.take().expect("a child was entered by a move");
                position.unmake(mv, undo);
                frame.take(mv, found);
            }
            let Some(frame) = stack.last_mut() else { unreachable!("an empty stack has a verdict") };
            match frame.moves.get(frame.next).copied() {
                Some(mv) if meter.step() => {
                    tick(meter);
                    frame.next += 1;
                    frame.undo = Some((mv, position.make(mv)));
                    let below = depth - stack.len() as u32;
                    deepest = deepest.max(stack.len() as u32);
                    verdict = self.enter(position, below, &mut stack);
                    if verdict.is_none() {
                        bytes += Frame::<P>::bytes(position, &stack);
                        if bytes > memory {
                            meter.stop(StopReason::Memory);
                        }
                    }
                }
                Some(_) => {
                    for frame in stack.iter_mut().rev() {
                        if let Some((mv, undo)) = frame.undo.take() {
                            position.unmake(mv, undo);
                        }
                    }
                    return None;
                }
                None => {
                    bytes = bytes.saturating_sub(Frame::<P>::bytes(position, &stack));
                    let frame = stack.pop().expect("just looked at");
                    let (value, line) = frame.best.expect("a live game has a move");
                    let (_, safe_line) = frame.safe.expect("as has its value");
                    let bounds = frame.bounds.expect("as has its value");
                    verdict = Some(Verdict { value, bounds, line, safe_line, depth: 0, cut });
                }
            }
        }
    }

    /// The verdict on an ended game or at the horizon; otherwise pushes a frame.
    #[inline]
    fn enter<P: Position>(&self, position: &P, depth: u32, stack: &mut Vec<Frame<P>>) -> Option<Verdict<P::Move>> {
        if let Some(outcome) = position.outcome() {
            return Some(Verdict::leaf((self.leaf)(outcome), Bounds::exact(outcome.score)));
        }
        if depth == 0 {
            return Some(Verdict { cut: true, ..Verdict::leaf(Score::DRAW, Bounds::UNKNOWN) });
        }
        let (mover, moves) = (position.turn(), position.moves());
        stack.push(Frame { mover, moves, next: 0, best: None, safe: None, bounds: None, undo: None });
        None
    }

    fn search_root<P: Studied>(
        &self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let depth = self.depth.into_iter().chain(budget.depth).min().unwrap_or(u32::MAX).max(1);
        let mut meter = budget.meter();
        let mut watch = Watch::new(watch);
        let mut report = Report { root: root_moves::untried_moves(root), ..Report::empty(root.turn()) };
        let rng = Rng::new(seed);
        let mut position = root.clone();
        let mut lines = Vec::new();
        let mut cut = false;
        for number in 0..report.root.len() {
            if !meter.step() {
                break;
            }
            let mv = report.root[number].mv;
            let undo = position.make(mv);
            let verdict = self.verdict(&mut position, depth - 1, &mut meter, |meter| {
                watch.tick(meter.nodes(), meter.recent_elapsed(), || {
                    root_moves::interim_report(&report, root, meter, &rng)
                });
            });
            position.unmake(mv, undo);
            let Some(verdict) = verdict else { break };
            let entry = &mut report.root[number];
            entry.visits = 1;
            entry.value = Some(Value::from(verdict.value));
            entry.bounds = verdict.bounds;
            lines.push((verdict.line, verdict.safe_line));
            cut |= verdict.cut;
            report.depth = report.depth.max(verdict.depth + 1);
        }
        let chosen = root_moves::choose_best(&mut report, root, &mut rng.clone());
        if let Some(chosen) = chosen
            && let Some((line, safe_line)) = lines.get(chosen)
        {
            let sure = |bounds: Bounds| bounds.for_player(report.turn).0;
            let keeps = report.bounds != Bounds::UNKNOWN && sure(report.root[chosen].bounds) >= sure(report.bounds);
            report.line.extend(if keeps { safe_line } else { line }.iter().rev());
        }
        if cut && report.bounds.proved().is_none() {
            meter.stop(StopReason::Depth);
        }
        root_moves::fill_counters(&mut report, &meter);
        Ok(report)
    }
}

impl<P: Position> Frame<P> {
    /// About how many bytes the last frame of a stack takes. Where history matters it may hold the
    /// past, a word for each ply.
    #[inline]
    fn bytes(position: &P, stack: &[Frame<P>]) -> u64 {
        let past = if position.history_matters() { 8 * stack.len() } else { 0 };
        let moves = stack.last().map_or(0, |frame| frame.moves.len());
        (2 * size_of::<Frame<P>>() + moves * size_of::<P::Move>() + past) as u64
    }

    #[inline]
    fn take(&mut self, mv: P::Move, found: Verdict<P::Move>) {
        let better = match &self.best {
            None => true,
            Some((value, _)) => *value != found.value && value.better_for(found.value, self.mover) == found.value,
        };
        if better {
            let mut line = found.line;
            line.push(mv);
            self.best = Some((found.value, line));
        }
        let sure = found.bounds.for_player(self.mover).0;
        // Where all are lost the longest line resists.
        let longer = |kept: &Vec<P::Move>| found.safe_line.len() >= kept.len() && sure == Score::LOSS;
        if self.safe.as_ref().is_none_or(|(kept, line)| sure > *kept || (sure == *kept && longer(line))) {
            let mut line = found.safe_line;
            line.push(mv);
            self.safe = Some((sure, line));
        }
        self.bounds = Some(match self.bounds {
            None => found.bounds,
            Some(bounds) => Bounds::join(self.mover, [bounds, found.bounds], true),
        });
    }
}

impl<P: Studied> Search<P> for Minimax {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.search_root(root, budget, seed, watch)
    }
}

impl Describe for Minimax {
    const DESCRIPTION: Description = Description {
        name: "minimax",
        about: "plain minimax without pruning; positions at the horizon count as draws",
        parameters: &[Parameter {
            name: "depth",
            about: "search depth in plies; to the end of the game if not given",
            kind: Kind::Integer(1, u32::MAX as i64),
            default: None,
        }],
    };
}

impl Technique for Minimax {
    fn configure(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Minimax::new(arguments.optional_integer("depth").map(|depth| depth as u32)))
    }
}
