//! The oracle: the exact value, all optimal moves and the distance to the end, by exhaustive
//! search. It is simple rather than fast; all other searches are tested against it.
//!
//! > value(p) = outcome(p), or the best value among the successors for the mover of p
//!
//! The distance is the number of plies to the end of the game under optimal play, where the side
//! that is ahead (value above ½ for the first player, below ½ for the second) minimises it and the
//! other side maximises it; in a drawn position both maximise it.

use crate::exhaustive::{Exhaustive, Fold};
use crate::{Search, SearchError, Technique, root_moves};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{
    Bounds, Budget, Meter, Observer, Outcome, Player, Position, Report, Rng, Score, Seed, Studied, Value,
};

/// What is optimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// The score alone: a win is a win.
    #[default]
    Score,
    /// The score, then the margin: the largest win, the smallest loss.
    Margin,
}

/// The exact value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The outcome under optimal play; its margin means something only with [`Objective::Margin`].
    pub outcome: Outcome,
    /// Plies to the end.
    pub distance: u32,
}

/// The limit of iterations for the best line.
const MAX_LINE_STEPS: u64 = 1_000_000;

/// Score, margin and signed distance for the mover, compared in this order.
type Utility = (Score, i64, i64);

#[derive(Clone, Copy)]
struct Optimal {
    objective: Objective,
}

impl Optimal {
    /// The utility of a value for `mover`.
    fn utility(&self, truth: Truth, mover: Player) -> Utility {
        let sign = if mover == Player::First { 1 } else { -1 };
        let margin = if self.objective == Objective::Margin { sign * i64::from(truth.outcome.margin) } else { 0 };
        let ahead = truth.outcome.winner() == Some(mover);
        let distance = i64::from(truth.distance);
        (truth.outcome.score.for_player(mover), margin, if ahead { -distance } else { distance })
    }
}

impl<P: Position> Fold<P> for Optimal {
    type Value = Truth;
    const HEAP_BYTES: usize = 0;

    fn leaf(&self, outcome: Outcome) -> Truth {
        Truth { outcome, distance: 0 }
    }

    fn join(&self, position: &P, successors: &[Truth]) -> Truth {
        let mover = position.turn();
        let best = successors.iter().max_by_key(|truth| self.utility(**truth, mover)).expect("a live game has a move");
        Truth { outcome: best.outcome, distance: best.distance + 1 }
    }
}

/// The oracle. It keeps its table, so that many positions of one game are cheap.
pub struct Oracle<P: Position> {
    optimal: Optimal,
    seen: Exhaustive<P, Optimal>,
}

impl<P: Position> Default for Oracle<P> {
    fn default() -> Self {
        Oracle::new(Objective::Score)
    }
}

impl<P: Position> Oracle<P> {
    /// An oracle with this objective.
    #[must_use]
    pub fn new(objective: Objective) -> Oracle<P> {
        let optimal = Optimal { objective };
        Oracle { optimal, seen: Exhaustive::new(optimal) }
    }

    /// The exact value of a position.
    ///
    /// # Errors
    /// If the game is too large for an exhaustive search, or repeats positions.
    pub fn truth(&mut self, position: &P) -> Result<Truth, SearchError> {
        self.seen.begin(None);
        let found = self.seen.value(position, &mut Budget::unlimited().meter(), |_| ())?;
        Ok(found.expect("without limits the walk is not stopped"))
    }

    /// All moves that preserve the value of the position, regardless of the distance.
    ///
    /// # Errors
    /// As [`truth`](Oracle::truth).
    pub fn optimal_moves(&mut self, position: &P) -> Result<Vec<P::Move>, SearchError> {
        let truth = self.truth(position)?;
        let mut optimal = Vec::new();
        for mv in position.moves() {
            let mut next = position.clone();
            next.play(mv);
            let outcome = self.truth(&next)?.outcome;
            let kept = match self.optimal.objective {
                Objective::Score => outcome.score == truth.outcome.score,
                Objective::Margin => outcome == truth.outcome,
            };
            if kept {
                optimal.push(mv);
            }
        }
        Ok(optimal)
    }

    /// Optimal play to the end, by the first of the best moves.
    fn line(&mut self, position: &P, meter: &mut Meter) -> Result<Vec<P::Move>, SearchError> {
        let mut position = position.clone();
        let mut line = Vec::new();
        loop {
            let mut best: Option<(Utility, P::Move, P)> = None;
            for mv in position.moves() {
                let mut next = position.clone();
                next.play(mv);
                let Some(truth) = self.seen.value(&next, meter, |_| ())? else { return Ok(line) };
                let utility = self.optimal.utility(truth, position.turn());
                if best.as_ref().is_none_or(|(most, ..)| utility > *most) {
                    best = Some((utility, mv, next));
                }
            }
            let Some((_, mv, next)) = best else { return Ok(line) };
            line.push(mv);
            position = next;
        }
    }
}

impl<P: Studied> Search<P> for Oracle<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let turn = root.turn();
        let (mut report, truths) = self.seen.survey(root, budget, seed, watch, |entry, truth: &Truth, _| {
            entry.value = Some(Value::from(truth.outcome.score));
            entry.bounds = Bounds::exact(truth.outcome.score);
            entry.note = Some(root_moves::describe_result(truth.outcome.score, truth.distance + 1, turn));
        })?;
        report.depth = truths.iter().map(|truth| truth.distance + 1).max().unwrap_or(0);
        let mut rng = Rng::new(seed);
        let complete = truths.len() == report.root.len();
        let utilities = truths.into_iter().map(|truth| self.optimal.utility(truth, turn));
        let chosen = if complete {
            root_moves::best_index(utilities, &mut rng)
        } else {
            root_moves::choose_best(&mut report, root, &mut rng)
        };
        if let Some(chosen) = chosen {
            root_moves::set_choice(&mut report, chosen);
            if complete {
                let mut next = root.clone();
                next.play(report.root[chosen].mv);
                // All positions below are in the table, unless history matters; then the line may
                // be short.
                let hard_time = budget.hard_time.map(|most| most.saturating_sub(report.elapsed));
                let stop = budget.stop.clone();
                let few = Budget { iterations: Some(MAX_LINE_STEPS), hard_time, stop, ..Budget::default() };
                report.line.extend(self.line(&next, &mut few.meter())?);
            }
        }
        Ok(report)
    }
}

impl<P: Position> Describe for Oracle<P> {
    const DESCRIPTION: Description = Description {
        name: "oracle",
        about: "exhaustive search: exact value, best moves, distance to the end; small games only",
        parameters: &[Parameter {
            name: "by",
            about: "the objective: the score alone, or the margin as well",
            kind: Kind::Choice(&["score", "margin"]),
            default: Some("score"),
        }],
    };
}

impl<P: Position> Technique for Oracle<P> {
    fn configure(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Oracle::new(if arguments.word("by") == "margin" { Objective::Margin } else { Objective::Score }))
    }
}
