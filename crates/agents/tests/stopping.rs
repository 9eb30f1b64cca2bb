//! Searches by value that somebody stops: what they still do, and how long the answer takes.

use std::io::Write;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use tesuji_agents::{AnyPosition, games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Observer, Pace, Report, Rng, Seed, StopFlag, StopReason};
use tesuji_search::SearchError;

const ENDGAME: &str = r#"othello(position="O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")"#;

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

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

/// Throws the stop flag at the first report after so many nodes, and keeps how many there were.
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

/// No clock: after the flag is thrown, a search enters at most a few positions more and still has a legal answer.
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

/// Time for which a thread of this process has had a processor, told to a few milliseconds; 0 where the system does not say.
fn busy(thread: &str) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{thread}/schedstat")).unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0))
}

/// How long the answer takes after the flag is thrown at a random moment by another thread; and how much work that is, which
/// says more where other work shares the machine.
#[test]
#[ignore = "a minute; a measurement, not a judgement; run in release"]
fn how_long_a_stopped_search_takes() {
    let setting =
        |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (rounds, longest) = (setting("TESUJI_STOP_ROUNDS", 5), setting("TESUJI_STOP_MILLISECONDS", 150));
    let mut rng = Rng::new(Seed(setting("TESUJI_SEED", 1)));
    // This thread's folder, for the others.
    let here = std::fs::read_link("/proc/thread-self").unwrap_or_default().display().to_string();
    let (mut all, mut most_work) = (Vec::new(), Duration::ZERO);
    for (game, agent, threads) in cases() {
        let position = start(&game);
        let (mut late, mut work) = (Vec::new(), Duration::ZERO);
        for round in 0..rounds {
            let mut player = position.agent(&agent.parse().expect("a spec")).expect("an agent");
            let budget = Budget { threads: NonZeroU32::new(threads), ..Budget::default() };
            let (stop, searcher) = (budget.stop.clone(), here.clone());
            let pause = Duration::from_micros(u64::from(rng.below(1_000 * longest as u32)));
            let thrower = std::thread::spawn(move || {
                std::thread::sleep(pause);
                let before = busy(&searcher);
                let now = Instant::now();
                stop.stop();
                (now, before)
            });
            let answer = player.think(position.as_ref(), &budget, Seed(round), &mut tesuji_core::NoObserver);
            let (answered, after) = (Instant::now(), busy(&here));
            let (thrown, before) = thrower.join().expect("no panic");
            if answer.is_ok_and(|report| report.stopped == StopReason::Asked) {
                late.push(answered.saturating_duration_since(thrown));
                work = work.max(after.saturating_sub(before));
            }
        }
        late.sort_unstable();
        if let Some(latest) = late.last() {
            let label = format!("{agent} on {game}, {threads} threads");
            say(&format!("{latest:>10.2?} at the latest of {}, work {work:.2?}: {label}", late.len()));
            most_work = most_work.max(work);
        }
        all.extend(late);
    }
    all.sort_unstable();
    let within = all.iter().filter(|late| **late <= Duration::from_millis(10)).count();
    let (median, latest) = (all[all.len() / 2], all[all.len() - 1]);
    say(&format!("{within} of {} within 10 ms; median {median:.2?}, latest {latest:.2?}", all.len()));
    say(&format!("at most {most_work:.2?} of work after the flag"));
}
