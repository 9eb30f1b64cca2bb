//! Nodes and iterations as the interface tells them. Values and bounds are for the side to move at
//! the root, so that colours do not change with the ply; what selection compares is for the side
//! that chooses.

use crate::api::{
    self, Amaf, Gained, Iteration, IterationStep, Minimax, PartNode, PathStep, Selected, Simulated, TreeChild,
    TreeNode, TreePart, TreePlayout,
};
use crate::state::{self, pieces, plies, points_of, side};
use tesuji_agents::{
    AnyPosition, ChildState, ChildView, ExportedNode, Gain, IterationRecord, KeptTree, MinimaxNode, NodeView, Playout,
};
use tesuji_core::{Bounds, Player};

/// Nine decimals: 1 − 0.7 is 0.3.
pub(super) fn tidy(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

pub(super) fn interval(bounds: Bounds, player: Player) -> [f64; 2] {
    let (sure, hoped) = bounds.for_player(player);
    [sure.to_f64(), hoped.to_f64()].map(tidy)
}

fn columns(position: &dyn AnyPosition) -> usize {
    position.view().columns.len()
}

fn minimax(node: &MinimaxNode<String>, side: Player) -> Minimax {
    Minimax {
        path: node.path.clone(),
        visits: node.visits,
        value: tidy(node.value.for_player(side)),
        confidence: [node.confidence.0, node.confidence.1].map(tidy),
    }
}

fn child(at: &dyn AnyPosition, columns: usize, child: &ChildView<String>, root: Player, chooses: Player) -> TreeChild {
    let (to, from) = points_of(at, columns, &child.mv);
    TreeChild {
        r#move: child.mv.clone(),
        to,
        from,
        visits: child.visits,
        value: child.mean.map(|mean| tidy(mean.for_player(root))),
        mean: child.mean.map(|mean| tidy(mean.for_player(chooses))),
        bounds: interval(child.bounds, root),
        confidence: child.confidence.map(|(low, high)| [tidy(low), tidy(high)]),
        selection: child.selection.map(|value| Selected {
            exploitation: tidy(value.exploitation),
            exploration: tidy(value.exploration),
            amaf: tidy(value.amaf),
            bias: tidy(value.bias),
            total: tidy(value.total()),
        }),
        amaf: child.amaf.map(|(visits, mean)| Amaf { visits, mean: tidy(mean.for_player(chooses)) }),
        prior: child.prior.map(tidy),
        minimax: child.minimax.as_ref().map(|node| minimax(node, root)),
        state: match child.state {
            ChildState::Open => api::ChildState::Open,
            ChildState::Closed => api::ChildState::Closed,
            ChildState::Settled => api::ChildState::Settled,
            ChildState::Excluded => api::ChildState::Excluded,
        },
        child_count: child.child_count,
    }
}

/// A node of a tree.
pub(super) fn node(tree: &KeptTree, view: &NodeView<String>) -> TreeNode {
    let (root, columns) = (tree.root(), columns(tree.root()));
    let turn = root.turn();
    let mut at = root.boxed_clone();
    for mv in &view.path {
        // The moves of a node are legal.
        let _ = at.play(mv);
    }
    let at = at.as_ref();
    TreeNode {
        iteration: tree.iterations(),
        path: plies(root, columns, &view.path),
        turn: side(view.turn),
        visits: view.visits,
        value: view.mean.map(|mean| tidy(mean.for_player(turn))),
        bounds: interval(view.bounds, turn),
        outcome: state::outcome(at, None),
        minimax: view.minimax.as_ref().map(|node| minimax(node, turn)),
        minimax_cut: view.minimax_cut,
        children: view.children.iter().map(|one| child(at, columns, one, turn, view.turn)).collect(),
        child_count: view.child_count,
    }
}

/// A part of a tree.
pub(super) fn part(tree: &KeptTree, nodes: &[ExportedNode]) -> TreePart {
    let turn = tree.root().turn();
    let one = |exported: &ExportedNode| PartNode {
        parent: exported.parent,
        r#move: exported.child.as_ref().map(|child| child.mv.clone()),
        depth: exported.depth,
        visits: exported.node.visits,
        value: exported.node.mean.map(|mean| tidy(mean.for_player(turn))),
        bounds: interval(exported.node.bounds, turn),
        child_count: exported.node.child_count,
    };
    let path = nodes.first().map(|first| first.node.path.clone()).unwrap_or_default();
    TreePart { iteration: tree.iterations(), path, nodes: nodes.iter().map(one).collect() }
}

fn gained(gain: Gain) -> Gained {
    Gained { visits: gain.visits, reward: tidy(gain.reward) }
}

fn playout(playout: &Playout<String>) -> TreePlayout {
    TreePlayout {
        from: playout.from.clone(),
        moves: playout.moves.clone(),
        score: playout.score.to_f64(),
        reward: tidy(playout.reward),
    }
}

/// One iteration below this root.
pub(super) fn iteration(root: &dyn AnyPosition, record: &IterationRecord<String>) -> Iteration {
    let (turn, columns) = (root.turn(), columns(root));
    let mut at = root.boxed_clone();
    let path = record.path.iter().map(|node| {
        let player = at.turn();
        let (to, from) = node.mv.as_deref().map_or((None, None), |mv| points_of(at.as_ref(), columns, mv));
        if let Some(mv) = &node.mv {
            // The moves of a path are legal.
            let _ = at.play(mv);
        }
        PathStep {
            r#move: node.mv.clone(),
            to,
            from,
            player: side(player),
            visits: node.visits,
            value: node.mean.map(|mean| tidy(mean.for_player(turn))),
            bounds: interval(node.bounds, turn),
        }
    });
    Iteration {
        iteration: record.iteration,
        path: path.collect(),
        expanded: record.expanded.clone(),
        entered: record.entered,
        simulated: record
            .simulated
            .iter()
            .map(|(mv, gain)| Simulated { r#move: mv.clone(), gain: gained(*gain) })
            .collect(),
        playouts: record.playouts.iter().map(playout).collect(),
        gain: gained(record.gain),
    }
}

/// One iteration with its boards.
pub(super) fn step(root: &dyn AnyPosition, record: &IterationRecord<String>, choices: Vec<TreeNode>) -> IterationStep {
    let mut at = root.boxed_clone();
    for mv in record.path.iter().filter_map(|node| node.mv.as_ref()) {
        let _ = at.play(mv);
    }
    let leaf = pieces(at.as_ref());
    let first = record.playouts.first();
    let line: Vec<String> = first.map_or_else(Vec::new, |one| one.from.iter().chain(&one.moves).cloned().collect());
    let played = plies(at.as_ref(), columns(root), &line);
    for ply in &played {
        let _ = at.play(&ply.r#move);
    }
    let end = first.map(|_| pieces(at.as_ref()));
    IterationStep {
        record: iteration(root, record),
        choices,
        leaf,
        playout: played,
        end,
        outcome: state::outcome(at.as_ref(), None),
    }
}
