//! The time from a stop to the answer, for every search by value in every game of the registry.
//! `cargo bench -p tesuji-agents --bench stopping`; the result is in
//! docs/decisions/0008-alpha-beta.md.
//!
//! Another thread raises the flag at a random moment within `TESUJI_STOP_MILLISECONDS` (default
//! 150), `TESUJI_STOP_ROUNDS` times (default 5) for each case. The processor time that the search
//! still takes says more where other work shares the machine.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use tesuji_agents::{games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, NoObserver, Rng, Seed, StopReason};
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::processor::ThreadClock;
use tesuji_testing::setting;

/// An endgame that the exact solver does not finish within the time.
const ENDGAME: &str = r#"othello(position="O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")"#;

/// Games as they start, an agent and its number of threads.
fn cases() -> Vec<(String, &'static str, u32)> {
    let mut cases = vec![(ENDGAME.to_string(), "endgame", 1), ("othello".to_string(), "endgame", 1)];
    for game in games() {
        for (agent, threads) in [("alpha-beta", 1), ("alpha-beta", 2), ("cns(confidence=1000000)", 1), ("scn", 1)] {
            cases.push((game.description.name.to_string(), agent, threads));
        }
    }
    cases
}

fn main() {
    let (rounds, longest) = (setting("TESUJI_STOP_ROUNDS", 5), setting("TESUJI_STOP_MILLISECONDS", 150));
    let mut rng = Rng::new(Seed(1));
    let here = ThreadClock::here();
    let (mut elapsed, mut work) = (Vec::new(), Vec::new());
    for (game, agent, threads) in cases() {
        let position = start_game(&game.parse::<Spec>().expect("a spec")).expect("a game").position;
        for round in 0..rounds {
            let mut player = position.agent(&agent.parse().expect("a spec")).expect("an agent");
            let budget = Budget { threads: NonZeroU32::new(threads), ..Budget::default() };
            let (stop, clock) = (budget.stop.clone(), here.clone());
            let pause = Duration::from_micros(u64::from(rng.below(1_000 * longest)));
            let stopper = std::thread::spawn(move || {
                std::thread::sleep(pause);
                let before = clock.seconds();
                let now = Instant::now();
                stop.stop();
                (now, before)
            });
            let answer = player.think(position.as_ref(), &budget, Seed(round), &mut NoObserver);
            let (answered, after) = (Instant::now(), here.seconds());
            let (stopped, before) = stopper.join().expect("no panic");
            // Small games end before the stop, and some searches refuse some games.
            if answer.is_ok_and(|report| report.stopped == StopReason::Asked) {
                elapsed.push(answered.saturating_duration_since(stopped).as_secs_f64() * 1e3);
                work.push((after - before).max(0.0) * 1e3);
            }
        }
    }
    let mut figures = Figures::new("stopping");
    let late = elapsed.iter().filter(|time| **time > 10.0).count();
    figures.add("stops", elapsed.len() as f64, Unit::Count);
    figures.add("answers after more than 10 ms", late as f64, Unit::Count);
    figures.spread("answer after a stop", elapsed, Unit::Milliseconds);
    figures.spread("processor time after a stop", work, Unit::Milliseconds);
    figures.finish();
}
