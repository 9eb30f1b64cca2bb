//! `match`: two agents play; colours alternate, pairs of games begin alike. The games are played, and
//! their results counted, by the lab.

use crate::agent::{Agent, Limits};
use crate::game::Game;
use crate::python_rules;
use crate::running;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tesuji_agents::AnyAgent;
use tesuji_core::spec::Spec;
use tesuji_core::{Seed, StopFlag};
use tesuji_lab::kinds::Openings;
use tesuji_lab::statistics::pairs::Pairs;
use tesuji_lab::statistics::{Confidence, Interval};
use tesuji_lab::tasks::game::{Conduct, End, NoResult, Players};
use tesuji_lab::tasks::position::Begun;

/// A game of a match.
#[pyclass(frozen, get_all, module = "tesuji._native")]
pub struct PlayedGame {
    /// The points of the agent named first: 1, 0.5, 0 or a graded result.
    points: f64,
    /// Whether the agent named first moved first.
    first_began: bool,
    /// "rules", "resigned" or "adjudicated".
    end: String,
    /// Random moves before the agents began.
    opening: Vec<String>,
    /// The moves of the agents.
    moves: Vec<String>,
}

/// The result of a match. Intervals are [estimate, low, high] with 95 % confidence, from pairs of games.
#[pyclass(frozen, get_all, module = "tesuji._native")]
pub struct MatchResult {
    /// The agents.
    first: String,
    second: String,
    /// Games won by the agent named first.
    first_wins: u64,
    /// Games won by the other one.
    second_wins: u64,
    /// Draws.
    draws: u64,
    /// Games that an agent failed to finish; they count for neither side.
    void: u64,
    /// Why the first of them is void.
    void_reason: Option<String>,
    /// The first agent's share of the points.
    share: Option<[f64; 3]>,
    /// The Elo difference; None where one side took everything, or there are fewer than two pairs.
    elo: Option<[f64; 3]>,
    /// The games.
    games: Vec<Py<PlayedGame>>,
}

#[pymethods]
impl MatchResult {
    fn __repr__(&self) -> String {
        let counts = format!("{} wins, {} draws, {} losses", self.first_wins, self.draws, self.second_wins);
        let void = if self.void > 0 { format!(", {} void", self.void) } else { String::new() };
        let elo = self.elo.map(|[elo, low, high]| format!(", {elo:+.0} Elo ({low:+.0} to {high:+.0})"));
        format!("<tesuji.MatchResult {} - {}: {counts}{void}{}>", self.first, self.second, elo.unwrap_or_default())
    }
}

/// An agent of a match.
struct Entrant {
    agent: Box<dyn AnyAgent>,
    name: String,
    /// The Python object, if it was made before.
    lent: Option<Py<Agent>>,
    endless: bool,
}

/// An agent by its spec, or one that was made.
fn entrant(game: &Game, given: &Bound<'_, PyAny>) -> PyResult<Entrant> {
    if let Ok(agent) = given.cast::<Agent>() {
        let own = agent.get();
        let (name, lent) = (own.name().to_string(), Some(agent.clone().unbind()));
        return Ok(Entrant { agent: own.lend(), name, lent, endless: own.is_endless() });
    }
    let agent = Agent::of(&game.rules, &given.extract::<String>()?)?;
    Ok(Entrant { agent: agent.lend(), name: agent.name().to_string(), lent: None, endless: agent.is_endless() })
}

/// Two agents play `games` games; colours alternate, and both games of a pair begin with the same
/// `openings` random moves. Agents are specs or `Agent`s. The limits are those of each move.
///
/// >>> import tesuji
/// >>> game = tesuji.load_game("tictactoe")
/// >>> result = tesuji.match(game, "mcts", "random", games=6, iterations=300)
/// >>> result.first_wins + result.draws + result.second_wins, result.void
/// (6, 0)
#[pyfunction]
#[pyo3(name = "match", signature = (game, first, second, *, games=20, iterations=None, nodes=None, seconds=None, memory=None, threads=None, openings=0, seed=1))]
#[allow(clippy::too_many_arguments)] // named ones, in Python
pub fn play(
    py: Python<'_>,
    game: &Game,
    first: &Bound<'_, PyAny>,
    second: &Bound<'_, PyAny>,
    games: u64,
    iterations: Option<u64>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    memory: Option<u64>,
    threads: Option<u32>,
    openings: u32,
    seed: u64,
) -> PyResult<MatchResult> {
    let limits = Limits { iterations, nodes, seconds, memory, threads, seed };
    let stop = StopFlag::new();
    let budget = tesuji_core::Budget { stop: stop.clone(), ..limits.budget()? };
    let (one, two) = (entrant(game, first)?, entrant(game, second)?);
    if (one.endless || two.endless) && !limits.ends() {
        return Err(PyValueError::new_err("an agent needs iterations, nodes or seconds"));
    }
    if one.lent.as_ref().zip(two.lent.as_ref()).is_some_and(|(one, two)| one.is(two)) {
        return Err(PyValueError::new_err("an agent cannot play against itself: make two"));
    }
    let (start, failure) = python_rules::watched(game.rules.start.as_ref(), &stop);
    if start.outcome().is_some() {
        return Err(PyValueError::new_err("the game has ended before it began"));
    }
    let spec = if game.rules.written.is_some() {
        Spec::bare("python")
    } else {
        game.rules.spec.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?
    };
    let begun = Begun { game: spec, position: start.boxed_clone(), start, moves: Vec::new() };
    let mut players = Players { agents: [one.agent, two.agent], budgets: [budget.clone(), budget] };
    let (openings, stop_flag) = (Openings::Random(openings), &stop);
    let played = running::run(py, &stop, move || {
        let mut all = Vec::new();
        for number in 0..games {
            let swapped = number % 2 == 1;
            let opened = openings.open(&begun, number / 2, Seed(seed))?;
            let seed = Seed(seed).derive(number);
            let conduct = Conduct { swapped, seed, adjudicate: None, trace: false, stop: stop_flag };
            let result = players.play(&opened, &conduct, &mut |_| {});
            let stopped = matches!(result, Err(NoResult::Stopped));
            all.push((swapped, opened.moves, result));
            if stopped {
                break;
            }
        }
        Ok::<_, String>(all)
    });
    if let Some(error) = failure.as_ref().and_then(python_rules::Failure::take) {
        return Err(error);
    }
    for lent in [&one.lent, &two.lent].into_iter().flatten() {
        if let Some(error) = lent.get().take_raised() {
            return Err(error);
        }
    }
    let played = played?.map_err(|why| PyValueError::new_err(format!("openings: {why}")))?;
    let mut pairs = Pairs::default();
    let mut result = MatchResult {
        first: one.name,
        second: two.name,
        first_wins: 0,
        second_wins: 0,
        draws: 0,
        void: 0,
        void_reason: None,
        share: None,
        elo: None,
        games: Vec::new(),
    };
    for (number, (swapped, opening, ended)) in played.into_iter().enumerate() {
        match ended {
            Ok(ended) => {
                let points = if swapped { 1.0 - ended.score } else { ended.score };
                pairs.add(number as u64, points);
                let counted = if points > 0.5 {
                    &mut result.first_wins
                } else if points < 0.5 {
                    &mut result.second_wins
                } else {
                    &mut result.draws
                };
                *counted += 1;
                let end = match ended.end {
                    End::Rules => "rules",
                    End::Resigned => "resigned",
                    End::Adjudicated => "adjudicated",
                };
                let moves = ended.moves.split_whitespace().map(String::from).collect();
                let game = PlayedGame { points, first_began: !swapped, end: end.into(), opening, moves };
                result.games.push(Py::new(py, game)?);
            }
            Err(NoResult::Refused(refusal)) if number == 0 => return Err(PyRuntimeError::new_err(refusal.why)),
            Err(NoResult::Void(void) | NoResult::Refused(void)) => {
                result.void += 1;
                result.void_reason.get_or_insert(void.why);
            }
            Err(NoResult::Stopped) => {}
        }
    }
    let listed = |interval: Interval| [interval.estimate, interval.low, interval.high];
    result.share = pairs.share(Confidence::P95).map(listed);
    result.elo = pairs.elo(Confidence::P95).map(listed);
    Ok(result)
}
