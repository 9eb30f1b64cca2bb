//! Random playout search (RPS): flat Monte-Carlo.
//!
//! Reference: Li 2018 §2.1, eqs. (1) and (2). Every playout starts with a random root move i and
//! continues at random to the end; Sᵢ = Nᵢ/Mᵢ (wins − losses over playouts); the move with the
//! highest S is played. With depth 2 (§3.1, eq. 7) scores Sᵢⱼ are counted for the replies as well,
//! and Sᵢ is the score of the best reply for the player who makes it: min over j for an opponent.
//!
//! Deviations: scores are in [0, 1], mean = (S + 1)/2. Untried replies are ignored; ties are broken
//! at random.

use crate::{Search, SearchError, Technique, root_moves};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{
    Bounds, Budget, Observer, Player, Position, Report, Rng, RootMove, Score, Seed, StopReason, Value, Watch,
};

/// Random playout search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rps {
    /// Whether scores are counted for the replies as well.
    pub replies: bool,
}

/// A sum of scores and the number of playouts.
#[derive(Clone, Copy, Default)]
struct ScoreSum {
    units: u64,
    playouts: u64,
}

impl ScoreSum {
    fn add(&mut self, score: Score) {
        self.units += u64::from(score.units());
        self.playouts += 1;
    }

    fn mean(self) -> Option<Value> {
        (self.playouts > 0).then(|| Value::mean(self.units, self.playouts))
    }
}

/// A root move, the position after it, and its statistics.
struct Branch<P: Position> {
    mv: P::Move,
    after: P,
    replier: Player,
    sum: ScoreSum,
    replies: Vec<(P::Move, ScoreSum)>,
}

impl<P: Position> Branch<P> {
    fn value(&self) -> Option<Value> {
        let replies = self.replies.iter().filter_map(|(_, sum)| sum.mean());
        let best = replies.reduce(|a, b| if b.for_player(self.replier) > a.for_player(self.replier) { b } else { a });
        best.or_else(|| self.sum.mean())
    }
}

impl Rps {
    fn report<P: Position>(turn: Player, branches: &[Branch<P>], rng: &mut Rng) -> Report<P::Move> {
        let root = branches.iter().map(|branch| RootMove {
            visits: branch.sum.playouts,
            value: branch.value(),
            bounds: branch.after.outcome().map_or(Bounds::UNKNOWN, |outcome| Bounds::exact(outcome.score)),
            ..RootMove::untried(branch.mv)
        });
        let mut report = Report { root: root.collect(), ..Report::empty(turn) };
        // By the mean alone, as in the paper: bounds are reported, not used.
        let means = report.root.iter().map(|entry| entry.value.map_or(-1.0, |value| value.for_player(turn)));
        if let Some(chosen) = root_moves::best_index(means, rng) {
            root_moves::set_choice(&mut report, chosen);
        }
        report
    }
}

impl<P: Position> Search<P> for Rps {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let turn = root.turn();
        let mut rng = Rng::new(seed);
        let mut ties = rng.split(1);
        let mut branches: Vec<Branch<P>> = root
            .moves()
            .into_iter()
            .map(|mv| {
                let mut after = root.clone();
                after.play(mv);
                let replies = if self.replies { after.moves() } else { Vec::new() };
                let replies = replies.into_iter().map(|reply| (reply, ScoreSum::default())).collect();
                Branch { mv, replier: after.turn(), after, sum: ScoreSum::default(), replies }
            })
            .collect();
        let mut meter = budget.meter();
        let mut watch = Watch::new(watch);
        let mut scratch = root.clone();
        let mut depth = 0;
        while meter.iteration() {
            let branch = rng.below(branches.len() as u32) as usize;
            let branch = &mut branches[branch];
            scratch.clone_from(&branch.after);
            let reply = (!branch.replies.is_empty()).then(|| rng.below(branch.replies.len() as u32) as usize);
            if let Some(reply) = reply {
                scratch.play(branch.replies[reply].0);
            }
            let score = scratch.playout(&mut rng, &mut ()).score;
            branch.sum.add(score);
            if let Some(reply) = reply {
                branch.replies[reply].1.add(score);
            }
            meter.add_nodes(1 + u64::from(reply.is_some()));
            depth = 1 + u32::from(reply.is_some());
            let counts = (meter.iterations(), meter.nodes(), meter.recent_elapsed());
            watch.tick(counts.0, counts.2, || Report {
                iterations: counts.0,
                nodes: counts.1,
                elapsed: counts.2,
                stopped: StopReason::Asked,
                ..Rps::report(turn, &branches, &mut ties.clone())
            });
        }
        let mut report = Rps::report(turn, &branches, &mut ties);
        report.depth = depth;
        root_moves::fill_counters(&mut report, &meter);
        Ok(report)
    }
}

impl Describe for Rps {
    const DESCRIPTION: Description = Description {
        name: "rps",
        about: "random playout search: flat Monte-Carlo (Li 2018)",
        parameters: &[Parameter {
            name: "depth",
            about: "2 keeps scores for the replies and backs up the best one",
            kind: Kind::Integer(1, 2),
            default: Some("1"),
        }],
    };
}

impl Technique for Rps {
    const ENDLESS: bool = true;

    fn configure(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Rps { replies: arguments.integer("depth") == 2 })
    }
}
