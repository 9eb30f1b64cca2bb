//! `tesuji bench learn`: what inference costs, and the iterations per second of the learned agents
//! beside plain searches, on one core.

use super::spec;
use crate::arguments::Effort;
use crate::failure::Failure;
use crate::output;
use crate::progress;
use serde::Serialize;
use tesuji_agents::{Access, start_game};
use tesuji_core::{Budget, Seed};
use tesuji_learn::hawk::course;
use tesuji_learn::small::costs;

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

/// Measures.
pub fn run(effort: Effort, json: bool) -> Result<(), Failure> {
    let costs = costs(effort.seconds / 10, Seed(effort.seed));
    let inference = costs.into_iter().map(|(what, ns)| Inference { what, ns }).collect();
    let mut answer = Answer { inference, agents: Vec::new() };
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
