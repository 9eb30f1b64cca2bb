//! `tesuji bench learn`: what inference costs, and the iterations per second of the learned agents
//! beside plain searches, on one core.

use super::spec;
use crate::arguments::Effort;
use crate::failure::Failure;
use crate::output;
use crate::progress;
use serde::Serialize;
use std::time::Instant;
use tesuji_agents::{Access, start_game};
use tesuji_core::{Budget, Rng, Seed};
use tesuji_learn::hawk::course;
use tesuji_learn::small::{Accumulator, FastNetwork, Mlp};

#[derive(Serialize)]
struct Answer {
    inference: Vec<Inference>,
    agents: Vec<AgentSpeed>,
}

#[derive(Serialize)]
struct Inference {
    what: &'static str,
    ns: f64,
}

#[derive(Serialize)]
struct AgentSpeed {
    game: String,
    agent: &'static str,
    /// Null where the board has no weights.
    iterations_per_second: Option<f64>,
}

/// The agents whose speed is told.
const AGENTS: [&str; 12] = [
    "mcts(select=ucb1,leaf=random)",
    "uct",
    "uct(as=code)",
    "ann",
    "ann(as=improved)",
    "ga",
    "ga(as=code)",
    "ga(as=tuned)",
    "neat",
    "neat(as=code)",
    "neat(as=sane)",
    "neat(as=hyper)",
];

/// Nanoseconds of one call: the fastest batch of about a tenth of the time, so that other processes
/// do not count.
fn nanoseconds(effort: Effort, mut call: impl FnMut()) -> f64 {
    const BATCH: u32 = 256;
    let (started, mut least) = (Instant::now(), f64::INFINITY);
    while least.is_infinite() || started.elapsed() < effort.seconds / 10 {
        let begun = Instant::now();
        (0..BATCH).for_each(|_| call());
        least = least.min(begun.elapsed().as_secs_f64() * 1e9 / f64::from(BATCH));
    }
    least
}

/// The network 81 → 27 → 1 on boards of 54 stones.
fn inference(effort: Effort) -> Vec<Inference> {
    let mut rng = Rng::new(Seed(effort.seed));
    let network = Mlp::hawk(81, &mut rng);
    let fast = FastNetwork::of(&network).expect("two layers and one output");
    let stones: Vec<i8> = (0..81_i8).map(|point| [1, -1, 0][point as usize % 3]).collect();
    let input: Vec<f64> = stones.iter().map(|stone| f64::from(*stone)).collect();
    let mut sums = Accumulator::default();
    let full = nanoseconds(effort, || {
        std::hint::black_box(network.evaluate(std::hint::black_box(&input)));
    });
    let whole = nanoseconds(effort, || {
        fast.begin(std::hint::black_box(&stones), &mut sums);
        std::hint::black_box(fast.answer(&sums));
    });
    let mut point = 0;
    let stone = nanoseconds(effort, || {
        point = (point + 1) % 81;
        fast.change(&mut sums, point, 1);
        std::hint::black_box(fast.answer(&sums));
        fast.change(&mut sums, point, -1);
    });
    vec![
        Inference { what: "81-27-1, double precision, from scratch", ns: full },
        Inference { what: "81-27-1 for play, a board of 54 stones from scratch", ns: whole },
        Inference { what: "81-27-1 for play, one stone set, judged and taken back", ns: stone },
    ]
}

/// Measures.
pub fn run(effort: Effort, json: bool) -> Result<(), Failure> {
    let mut answer = Answer { inference: inference(effort), agents: Vec::new() };
    for board in [("go", 9), ("hex", 9)] {
        let game = course::spec_of(board);
        let position = start_game(&spec(&game, "the game")?)?.position;
        for agent in AGENTS {
            let mut player = position.agent_with(&spec(agent, "the agent")?, &Access::restricted())?;
            let budget = Budget { hard_time: Some(effort.seconds), stop: progress::interrupt(), ..Budget::default() };
            let mut watch = progress::SearchProgress::new(None);
            // A board without weights has no speed.
            let report = player.think(position.as_ref(), &budget, Seed(effort.seed), &mut watch).ok();
            let speed = report.map(|report| report.iterations as f64 / report.elapsed.as_secs_f64().max(1e-9));
            answer.agents.push(AgentSpeed { game: game.clone(), agent, iterations_per_second: speed });
        }
    }
    if json {
        output::print_json(&answer);
    } else {
        let rows: Vec<Vec<String>> =
            answer.inference.iter().map(|row| vec![row.what.to_string(), format!("{:.0}", row.ns)]).collect();
        output::print(&output::table(&["network", "ns"], &rows));
        let speed =
            |row: &AgentSpeed| row.iterations_per_second.map_or("no weights".into(), |it| output::thousands(it as u64));
        let name = |row: &AgentSpeed| row.game.split(',').next().unwrap_or_default().to_string() + ")";
        let rows: Vec<Vec<String>> =
            answer.agents.iter().map(|row| vec![name(row), row.agent.to_string(), speed(row)]).collect();
        output::print(&output::table(&["game", "agent", "iterations/s"], &rows));
    }
    Ok(())
}
