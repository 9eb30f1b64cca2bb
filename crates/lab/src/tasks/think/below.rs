//! Nodes below the root, watched over time: the search is stopped at every look, its tree is looked
//! into, and it goes on. With one thread that is the same search to the bit.

use super::{Watched, Watcher};
use tesuji_agents::{AnyAgent, AnyPosition, ChildFilter, KeptTree};
use tesuji_core::{Budget, NoObserver, Player, Report, Seed, StopReason, Value};

/// Searches, and notes the watched nodes after every `every` iterations and at the end.
///
/// # Errors
/// If the agent keeps no tree, or something else than iterations limits it.
pub(super) fn watch(
    agent: &mut dyn AnyAgent,
    position: &dyn AnyPosition,
    (budget, seed): (&Budget, Seed),
    every: u64,
    watcher: &mut Watcher<'_>,
) -> Result<Report<String>, String> {
    let Budget { iterations: Some(all), nodes: None, hard_time: None, .. } = *budget else {
        return Err("nodes below the root are watched under a limit of iterations alone".into());
    };
    let part = |done: u64| Budget { iterations: Some(every.min(all - done)), ..budget.clone() };
    let (mut report, mut tree) =
        agent.explore(position, &part(0), seed, &mut NoObserver).map_err(|error| error.to_string())?;
    loop {
        watcher.note(&report, |path| watched(&tree, path, report.turn));
        if report.stopped != StopReason::Iterations || report.iterations >= all {
            return Ok(report);
        }
        report = tree.more(&part(report.iterations), &mut NoObserver).map_err(|error| error.to_string())?;
    }
}

/// What is known of a node, for `side`; nothing yet if the tree does not have it.
fn watched(tree: &KeptTree, path: &str, side: Player) -> Watched {
    let moves: Vec<String> = path.split_whitespace().map(String::from).collect();
    let Some((last, before)) = moves.split_last() else { return Watched::default() };
    let Ok(parent) = tree.node(before, &ChildFilter::ALL) else { return Watched::default() };
    let Some(child) = parent.children.iter().find(|child| child.mv == *last) else { return Watched::default() };
    let turned = |(low, high): (f64, f64)| if parent.turn == side { (low, high) } else { (1.0 - high, 1.0 - low) };
    Watched {
        visits: child.visits,
        // As reports have it: what is proved, else the mean.
        value: child.mean.map(|mean| child.bounds.proved().map_or(mean, Value::from).for_player(side)),
        confidence: child.confidence.map(turned),
    }
}

#[cfg(test)]
mod tests {
    use crate::tasks::limits::Limits;
    use crate::tasks::think::{ThinkResult, ThinkTask};
    use tesuji_agents::Access;

    fn thought(watch: &[&str], limits: Limits) -> Result<ThinkResult, String> {
        let task = ThinkTask {
            game: "tictactoe".into(),
            moves: vec!["a1".into()],
            agent: "mcts(select=ucb1(c=0.7),solver=false)".into(),
            limits,
            seed: 5,
            every: Some(70),
            simulations: false,
            watch: watch.iter().map(ToString::to_string).collect(),
            alike: Vec::new(),
        };
        task.run(&Access::restricted())
    }

    /// A search that is stopped at every look answers as one that is watched while it runs.
    #[test]
    fn looking_below_the_root_changes_nothing() {
        let limits = Limits { iterations: Some(1_000), ..Limits::default() };
        let watched = thought(&["b2", "c3"], limits).expect("a result");
        let below = thought(&["b2", "c3", "b2 c3"], limits).expect("a result");
        assert_eq!(below.series.len(), watched.series.len());
        for (one, other) in below.series.iter().zip(&watched.series) {
            assert_eq!((one.at, &one.moves[..2]), (other.at, &other.moves[..]));
        }
        let last = below.series.last().expect("looks");
        assert!(last.moves[2].visits > 0 && last.moves[2].visits < last.moves[0].visits, "{last:?}");
        // The interval is turned to the side to move at the root, like the value.
        let (low, high) = last.moves[2].confidence.expect("visited");
        let value = last.moves[2].value.expect("visited");
        assert!((f64::midpoint(low, high) - value).abs() < 1e-9, "{last:?}");
        assert_eq!(ThinkResult { series: watched.series.clone(), seconds: watched.seconds, ..below }, watched);
    }

    #[test]
    fn a_time_limit_is_refused() {
        let limits = Limits { time: Some(0.1), ..Limits::default() };
        let error = thought(&["b2 c3"], limits).expect_err("not repeatable");
        assert!(error.contains("a limit of iterations alone"), "{error}");
    }
}
