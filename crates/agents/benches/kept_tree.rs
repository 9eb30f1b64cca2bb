//! The time to answer for a node of a kept tree of a million nodes.
//! `cargo bench -p tesuji-agents --bench kept_tree`; the result is in
//! docs/decisions/0016-looking-below-the-root.md.
//!
//! Random walks from the root, each step to a visited child with the probability of its visits; all
//! children of every node on the way are asked for, `TESUJI_TREE_WALKS` times (default 300).

use std::time::Instant;
use tesuji_agents::{ChildFilter, KeptTree, start_game};
use tesuji_core::{Budget, NoObserver, Rng, Seed};
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::setting;

const CASES: [(&str, &str); 4] = [
    ("go(size=9)", "mcts(solver=false)"),
    ("go(size=9)", "mcts(select=ucb1,solver=false)"),
    ("othello", "mcts(solver=false)"),
    ("gomoku", "mcts(backup=combined(parameter=5),expand=all,fpu=1.0,solver=false)"),
];

/// A tree of at least a million nodes.
fn grown(game: &str, agent: &str) -> KeptTree {
    let position = start_game(&game.parse().expect("a spec")).expect("a game").position;
    let mut agent = position.agent(&agent.parse().expect("a spec")).expect("an agent");
    let budget = Budget::iterations(10_000);
    let (_, mut tree) = agent.explore(position.as_ref(), &budget, Seed(1), &mut NoObserver).expect("a tree");
    while tree.nodes() < 1_000_000 {
        tree.more(&budget, &mut NoObserver).expect("it goes on");
    }
    tree
}

fn main() {
    let walks = setting("TESUJI_TREE_WALKS", 300);
    let mut figures = Figures::new("kept_tree");
    for (game, agent) in CASES {
        let tree = grown(game, agent);
        let mut rng = Rng::new(Seed(2));
        let mut milliseconds = Vec::new();
        for _ in 0..walks {
            let mut path: Vec<String> = Vec::new();
            loop {
                let started = Instant::now();
                let node = tree.node(&path, &ChildFilter::ALL).expect("a node of the tree");
                milliseconds.push(started.elapsed().as_secs_f64() * 1e3);
                let all: u64 = node.children.iter().map(|child| child.visits).sum();
                let Some(mut left) = (all > 0).then(|| u64::from(rng.below(u32::try_from(all).unwrap_or(u32::MAX))))
                else {
                    break;
                };
                let next = node.children.into_iter().find(|child| {
                    let is_here = left < child.visits;
                    left = left.saturating_sub(child.visits);
                    is_here
                });
                path.push(next.expect("a visited child").mv);
            }
        }
        figures.add(format!("{game} {agent}: nodes"), tree.nodes() as f64, Unit::Count);
        figures.add(format!("{game} {agent}: iterations"), tree.iterations() as f64, Unit::Count);
        figures.add(format!("{game} {agent}: answers"), milliseconds.len() as f64, Unit::Count);
        figures.spread(&format!("{game} {agent}"), milliseconds, Unit::Milliseconds);
    }
    figures.finish();
}
