//! What can be told of a node of the tree: visits, values, priors, and the rule below the root.
//!
//! The rule takes the action for which the improved policy exceeds the share of the visits most:
//! π′(a) is the exploitation of a [`SelectionValue`], −N(a)/(1 + ΣN) its exploration. The root has
//! it only under the anytime rule; sequential halving follows a schedule.

use super::{GumbelTree, NONE, RootRule, flip_for};
use std::cmp::Reverse;
use tesuji_core::{Bounds, Budget, Observer, Player, Position, Report, StopFlag, Value};
use tesuji_search::SearchError;
use tesuji_search::kept::{ChildFilter, ChildState, ChildView, IterationRecord, KeptSearch, NodeView, SelectionValue};

fn value(mean: f32) -> Value {
    Value::new(f64::from(mean).clamp(0.0, 1.0))
}

fn refused<T>(what: &str) -> Result<T, SearchError> {
    let why = "zero spreads its simulations over the number that is known at the start";
    Err(SearchError::Unsupported(format!("{what}: {why}; mcts can")))
}

impl<P: Position> GumbelTree<P> {
    /// The visits and the sum of results of a node that was reached by an action, or of the root.
    fn totals_of(&self, action: Option<usize>) -> (u64, f32) {
        match action {
            Some(action) => (u64::from(self.visits[action]), self.totals[action]),
            None => {
                let actions = 0..self.nodes[0].count as usize;
                (self.done as u64, actions.map(|action| self.totals[action]).sum())
            }
        }
    }
}

impl<P: Position> KeptSearch for GumbelTree<P> {
    fn node(&self, path: &[usize], wanted: &ChildFilter) -> Option<NodeView<usize>> {
        let (mut at, mut reached) = (0, None);
        for (place, index) in path.iter().enumerate() {
            let node = self.nodes[at as usize];
            let mut actions = node.first as usize..(node.first + node.count) as usize;
            let action = actions.find(|action| self.indices[*action] as usize == *index)?;
            reached = Some(action);
            at = self.children[action];
            // A leaf: an action whose position was not evaluated, or an ended game.
            if at == NONE && place + 1 < path.len() {
                return None;
            }
        }
        let (visits, total) = self.totals_of(reached);
        let view = NodeView {
            path: path.to_vec(),
            turn: Player::First,
            visits,
            mean: (visits > 0).then(|| value(total / visits as f32)),
            bounds: Bounds::UNKNOWN,
            minimax: None,
            minimax_cut: false,
            children: Vec::new(),
            child_count: 0,
        };
        if at == NONE {
            return Some(view);
        }
        let node = self.nodes[at as usize];
        let actions = self.actions(node);
        let mut policy = Vec::new();
        actions.improved(&self.constants, &mut policy);
        let all: u32 = actions.visits.iter().sum();
        let by_policy = at != 0 || self.rule == RootRule::Anytime;
        let child = |action: usize| {
            let (visits, below) = (actions.visits[action], self.children[node.first as usize + action]);
            let gap = SelectionValue {
                exploitation: f64::from(policy[action]),
                exploration: -f64::from(visits) / f64::from(1 + all),
                ..SelectionValue::default()
            };
            ChildView {
                mv: self.indices[node.first as usize + action] as usize,
                visits: u64::from(visits),
                mean: (visits > 0).then(|| value(actions.totals[action] / visits as f32)),
                bounds: Bounds::UNKNOWN,
                confidence: None,
                selection: by_policy.then_some(gap),
                amaf: None,
                prior: Some(f64::from(actions.priors[action])),
                proof_numbers: None,
                minimax: None,
                state: ChildState::Open,
                child_count: if below == NONE { 0 } else { self.nodes[below as usize].count as usize },
            }
        };
        let enough = |action: &usize| u64::from(actions.visits[*action]) >= wanted.min_visits;
        let mut children: Vec<usize> = (0..node.count as usize).filter(enough).collect();
        let total = |action: usize| flip_for(actions.totals[action] / actions.visits[action].max(1) as f32, node.turn);
        children.sort_by(|a, b| {
            let visits = |action: usize| Reverse(actions.visits[action]);
            visits(*a).cmp(&visits(*b)).then(total(*b).total_cmp(&total(*a)))
        });
        children.truncate(wanted.limit);
        let (children, child_count) = (children.into_iter().map(child).collect(), node.count as usize);
        Some(NodeView { turn: node.turn, children, child_count, ..view })
    }

    fn nodes(&self) -> u64 {
        self.nodes.len() as u64
    }

    fn iterations(&self) -> u64 {
        self.done as u64
    }

    fn more(&mut self, _: &Budget, _: &mut dyn Observer<usize>) -> Result<Report<usize>, SearchError> {
        refused("this search cannot go on after its end")
    }

    fn step(&mut self, _: &StopFlag) -> Result<Option<IterationRecord<usize>>, SearchError> {
        refused("iterations of this search are not recorded")
    }
}
