//! One tuning run: SPSA of numeric parameters of an agent by games against its neighbours (see
//! [`spsa`]).

use super::Void;
use super::game::{GameTask, Side};
use super::limits::Limits;
use super::position::Begun;
use crate::tuning::{Gains, Range, spsa};
use serde::{Deserialize, Serialize};
use tesuji_agents::Access;
use tesuji_core::Seed;

/// Rounds whose parameters are kept in a result, at most.
const KEPT: usize = 200;

/// A parameter that is tuned: `{name}` in the text of the agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// The least value.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// The first.
    pub start: f64,
    /// Whether it is a whole number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

/// A game, an agent with parameters, the rounds and the games of each.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneTask {
    /// The canonical game.
    pub game: String,
    /// The agent, with `{name}` for each parameter.
    pub agent: String,
    /// What is tuned.
    pub parameters: Vec<TunedParameter>,
    /// Rounds of SPSA.
    pub rounds: u32,
    /// Pairs of games in a round, with the same opening and sides exchanged.
    pub pairs: u32,
    /// Random plies of an opening.
    pub random_plies: u32,
    /// How far a won match moves the parameters in the last round, as a share of their ranges.
    pub step: f64,
    /// How far the neighbours are in the last round, as a share of the ranges.
    pub perturbation: f64,
    /// The limits of each move.
    pub limits: Limits,
    /// The seed.
    pub seed: u64,
}

/// What the run found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneResult {
    /// The parameters, in the order of the task.
    pub values: Vec<f64>,
    /// The parameters after some of the rounds, evenly spread, the last included.
    pub path: Vec<(u32, Vec<f64>)>,
    /// Games that were played.
    pub games: u64,
}

impl TuneTask {
    /// The text of the agent with these parameters.
    #[must_use]
    pub fn at(&self, values: &[f64]) -> String {
        let mut text = self.agent.clone();
        for (parameter, value) in self.parameters.iter().zip(values) {
            let shown = if parameter.whole { format!("{value:.0}") } else { format!("{value:.6}") };
            text = text.replace(&format!("{{{}}}", parameter.name), &shown);
        }
        text
    }

    /// The ranges of the parameters.
    ///
    /// # Errors
    /// If one is none.
    pub fn ranges(&self) -> Result<Vec<Range>, String> {
        let range = |it: &TunedParameter| Range::new(&it.name, it.low, it.high, it.start);
        self.parameters.iter().map(range).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    /// Tunes.
    ///
    /// # Errors
    /// If the task is not possible, or a game is void.
    pub fn run(&self, access: &Access) -> Result<TuneResult, Void> {
        let begun = Begun::new(&self.game, &[], access)?;
        let ranges = self.ranges()?;
        let seed = Seed(self.seed);
        let gains = Gains { step: self.step, perturbation: self.perturbation };
        let mut games = 0;
        let tuned = spsa(&ranges, self.rounds, gains, seed.derive(0), |round, one, other| {
            let side = |values: &[f64]| Side { agent: self.at(values), limits: self.limits };
            let mut sum = 0.0;
            for pair in 0..self.pairs {
                let own = seed.derive(u64::from(round)).derive(u64::from(pair));
                let opening = begun.after_random_plies(self.random_plies, own)?.moves;
                for (exchanged, [first, second]) in [[one, other], [other, one]].into_iter().enumerate() {
                    let task = GameTask {
                        game: self.game.clone(),
                        opening: opening.clone(),
                        first: side(first),
                        second: side(second),
                        seed: own.derive(exchanged as u64).0,
                        adjudicate: None,
                        trace: false,
                    };
                    let score = task.run(access)?.score;
                    sum += if exchanged == 0 { score } else { 1.0 - score };
                    games += 1;
                }
            }
            Ok::<f64, Void>(sum / (2.0 * f64::from(self.pairs)))
        })?;
        let every = tuned.path.len().div_ceil(KEPT).max(1);
        let rounds = (1_u32..).zip(tuned.path);
        let path = rounds.filter(|(round, _)| (self.rounds - round).is_multiple_of(every as u32)).collect();
        Ok(TuneResult { values: tuned.values, path, games })
    }
}

#[cfg(test)]
mod tests {
    use super::{TuneTask, TunedParameter};
    use crate::tasks::Task;
    use crate::tasks::limits::Limits;
    use tesuji_agents::Access;

    fn task(seed: u64) -> TuneTask {
        TuneTask {
            game: "mnk(m=4,n=4,k=3)".into(),
            agent: "minimax(depth={depth})".into(),
            parameters: vec![TunedParameter { name: "depth".into(), low: 1.0, high: 3.0, start: 1.0, whole: true }],
            rounds: 30,
            pairs: 1,
            random_plies: 2,
            step: 0.05,
            perturbation: 0.3,
            limits: Limits::default(),
            seed,
        }
    }

    /// Deeper minimax wins more games; the run repeats, and its text reads back.
    #[test]
    fn depth_is_tuned_upwards() {
        let access = Access::restricted();
        let found = task(1).run(&access).expect("possible");
        assert!(found.values[0] > 1.3, "{found:?}");
        assert_eq!((found.games, found.path.last().map(|(round, _)| *round)), (60, Some(30)));
        assert_eq!(task(1).run(&access).expect("possible"), found);
        let text = Task::Tune(task(1)).text();
        assert_eq!(Task::read(&text).expect("a task").text(), text);
        assert_eq!(task(1).at(&[2.6]), "minimax(depth=3)");
    }
}
