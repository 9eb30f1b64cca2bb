//! Searches by value that are stopped: what they still do. `benches/stopping.rs` measures how long
//! the answer takes.

use std::num::NonZeroU32;
use tesuji_agents::{AnyPosition, games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Observer, Pace, Report, Seed, StopFlag, StopReason};
use tesuji_search::SearchError;

const ENDGAME: &str = r#"othello(position="O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")"#;

fn start(game: &str) -> Box<dyn AnyPosition> {
    start_game(&game.parse::<Spec>().expect("a spec")).expect(game).position
}

/// Every game as it starts, with the searches that look at its values, on one thread and on two.
fn cases() -> Vec<(String, &'static str, u32)> {
    let mut cases = vec![(ENDGAME.to_string(), "endgame", 1), ("othello".to_string(), "endgame", 1)];
    for game in games() {
        let name = game.description.name.to_string();
        cases.push((name.clone(), "alpha-beta", 1));
        cases.push((name.clone(), "alpha-beta", 2));
        cases.push((name.clone(), "cns(confidence=1000000)", 1));
        cases.push((name, "scn", 1));
    }
    for game in ["xiangqi", "gomoku", "connect6"] {
        cases.push((game.into(), "cns(confidence=1000000,step=1,range=10000)", 1));
    }
    cases.push(("xiangqi".into(), "alpha-beta(bytes=1073741824)", 2));
    cases
}

/// Throws the stop flag at the first report after a number of nodes, and keeps how many there were.
struct Thrower {
    stop: StopFlag,
    seen: Option<u64>,
}

impl Observer<String> for Thrower {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(5_000))
    }

    fn progress(&mut self, report: &Report<String>) {
        assert!(report.best.is_some(), "an answer at any time");
        self.stop.stop();
        self.seen.get_or_insert(report.nodes);
    }
}

/// No clock: after the flag is thrown, a search enters at most a few positions more and still has a
/// legal answer.
#[test]
fn a_stopped_search_does_next_to_nothing_more() {
    let mut stopped = 0;
    for (game, agent, threads) in cases() {
        let position = start(&game);
        let label = format!("{agent} on {game} with {threads} threads");
        let mut player = position.agent(&agent.parse().expect("a spec")).expect("an agent");
        let budget = Budget { threads: NonZeroU32::new(threads), memory: Some(64 << 20), ..Budget::default() };
        let mut thrower = Thrower { stop: budget.stop.clone(), seen: None };
        let report = match player.think(position.as_ref(), &budget, Seed(1), &mut thrower) {
            Ok(report) => report,
            Err(SearchError::Unsupported(_)) => continue,
            Err(error) => panic!("{label}: {error}"),
        };
        assert!(position.moves().contains(&report.best.expect("a move")), "{label}");
        // Small games end before anybody looks.
        let Some(seen) = thrower.seen else { continue };
        stopped += 1;
        assert_eq!(report.stopped, StopReason::Asked, "{label}");
        if threads == 1 {
            // The endgame solver asks at every position with eight empty squares or more.
            let most = if agent == "endgame" { 20_000 } else { 2 };
            assert!(report.nodes <= seen + most, "{label}: {seen} nodes, then {}", report.nodes);
        }
    }
    assert!(stopped >= 20, "{stopped} searches were stopped");
}
