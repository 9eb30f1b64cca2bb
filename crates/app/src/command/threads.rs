//! `tesuji bench threads`: the speed-up of several threads, beside what the machine allows.
//!
//! The same work is done three times in turn: by one thread, by several threads together, and by as
//! many separate searches of one thread at the same time. The work is what one thread does in the
//! given seconds, counted in iterations, or the whole search where it ends by itself; with equal
//! seconds the larger tree of several threads would count against them. The separate searches share
//! nothing but the machine, so they measure its own factor. They do not measure the distance of the
//! processors: a cache line takes about 70 ns to a core on the same die and back, 350 ns to one on
//! another die, and a virtual machine moves between the two from second to second. Every round
//! measures that round trip too, since a ratio is comparable only beside it. Hence rounds and
//! medians.

use super::bench::{chosen, print_agent};
use super::spec;
use crate::arguments::{Effort, check_threads};
use crate::failure::Failure;
use crate::names;
use crate::output;
use crate::progress;
use serde::Serialize;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tesuji_agents::{Access, AnyPosition, StartedGame, canonical_agent};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, NoObserver, Report, Seed, StopReason};
use tesuji_lab::statistics::sample::Sample;

/// Seconds of one round.
#[derive(Serialize)]
struct Round {
    one: f64,
    together: f64,
    apart: f64,
    /// How much faster the threads did the same work together.
    ratio: f64,
    /// How much work separate searches did in the time of one, with nothing else running.
    machine: f64,
    /// Round trip of a cache line to the other processor, in nanoseconds.
    line_ns: f64,
}

#[derive(Serialize)]
struct ThreadSpeed {
    game: String,
    agent: String,
    threads: u32,
    /// Of the work, by one thread; nothing if the search ends by itself.
    iterations: Option<u64>,
    /// Medians of the rounds.
    ratio: f64,
    machine: f64,
    /// The ratio as a part of what the machine allows, median of the rounds.
    efficiency: f64,
    line_ns: f64,
    rounds: Vec<Round>,
}

/// The middle of some numbers; not a number without any.
fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    Sample::new(numbers.collect()).map_or(f64::NAN, |sample| sample.median())
}

/// Round trip of a cache line to another processor in nanoseconds: two threads count in turn.
fn line_way() -> f64 {
    const TURNS: u32 = 5_000;
    let turn = AtomicU32::new(0);
    let take = |mine: u32| {
        for number in 0..TURNS {
            let mut waited = 0_u32;
            while turn.load(Ordering::Acquire) != 2 * number + mine {
                waited += 1;
                // With one processor the other thread needs it.
                if waited.is_multiple_of(1 << 14) {
                    std::thread::yield_now();
                }
                std::hint::spin_loop();
            }
            turn.store(2 * number + mine + 1, Ordering::Release);
        }
    };
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| take(1));
        take(0);
    });
    started.elapsed().as_secs_f64() * 1e9 / f64::from(TURNS)
}

/// What is measured.
struct Work<'a> {
    position: &'a dyn AnyPosition,
    agent: &'a Spec,
    budget: Budget,
    seed: Seed,
}

impl Work<'_> {
    /// Does the work with this number of threads and a new agent, which remembers nothing.
    fn run(&self, threads: u32) -> Result<Report<String>, Failure> {
        let budget = Budget { threads: NonZeroU32::new(threads), ..self.budget.clone() };
        let mut player = self.position.agent_with(self.agent, &Access::unrestricted())?;
        Ok(player.think(self.position, &budget, self.seed, &mut NoObserver)?)
    }

    /// Seconds the work takes.
    fn seconds(&self, threads: u32) -> Result<f64, Failure> {
        Ok(self.run(threads)?.elapsed.max(Duration::from_nanos(1)).as_secs_f64())
    }

    /// Seconds until as many separate searches of one thread have ended.
    fn seconds_apart(&self, searches: u32) -> Result<f64, Failure> {
        let started = Instant::now();
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..searches).map(|_| scope.spawn(|| self.run(1))).collect();
            self.run(1)?;
            others.into_iter().try_for_each(|other| match other.join() {
                Ok(done) => done.map(|_| ()),
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        Ok(started.elapsed().as_secs_f64())
    }
}

/// Measures what threads gain.
pub fn run(
    game: Option<String>,
    agent: &str,
    (threads, rounds): (u32, u32),
    effort: Effort,
    json: bool,
) -> Result<(), Failure> {
    let agent = spec(agent, "the agent")?;
    let canonical = canonical_agent(&agent)?;
    check_threads(threads, &agent)?;
    let mut speeds = Vec::new();
    for StartedGame { position, spec: name } in chosen(game)? {
        let limit = Some(effort.seconds);
        let budget = Budget { hard_time: limit, soft_time: limit, stop: progress::interrupt(), ..Budget::default() };
        let mut work = Work { position: position.as_ref(), agent: &agent, budget, seed: Seed(effort.seed) };
        let first = work.run(1)?;
        // Finished, or at a limit of the agent: the same work ends by itself again.
        let by_itself = matches!(first.stopped, StopReason::Finished | StopReason::Depth | StopReason::OwnLimit(_));
        let iterations = (!by_itself).then_some(first.iterations.max(1));
        // The same work takes about as long again; the time ends a search that does not count
        // iterations.
        (work.budget.iterations, work.budget.soft_time, work.budget.hard_time) =
            (iterations, None, limit.map(|limit| limit * 20));
        let mut bar = progress::Progress::new(u64::from(rounds));
        let mut measured = Vec::new();
        for number in 0..rounds {
            bar.at(u64::from(number), name.to_string());
            let before = line_way();
            let (one, together, apart) = (work.seconds(1)?, work.seconds(threads)?, work.seconds_apart(threads)?);
            if progress::interrupt().is_stopped() {
                break;
            }
            let (ratio, machine) = (one / together, f64::from(threads) * one / apart);
            let line_ns = line_way().max(before);
            measured.push(Round { one, together, apart, ratio, machine, line_ns });
        }
        if measured.is_empty() {
            break;
        }
        speeds.push(ThreadSpeed {
            game: name.to_string(),
            agent: canonical.to_string(),
            threads,
            iterations,
            ratio: median(measured.iter().map(|round| round.ratio)),
            machine: median(measured.iter().map(|round| round.machine)),
            efficiency: median(measured.iter().map(|round| round.ratio / round.machine)),
            line_ns: median(measured.iter().map(|round| round.line_ns)),
            rounds: measured,
        });
    }
    if json {
        speeds.iter().for_each(output::print_json);
        return Ok(());
    }
    print_agent(&canonical, json);
    let head = ["game", "iterations", "ratio", "lowest", "highest", "apart", "ratio/apart", "line ns"];
    let row = |speed: &ThreadSpeed| {
        let ratios = || speed.rounds.iter().map(|round| round.ratio);
        vec![
            names::game(&speed.game),
            speed.iterations.map(output::thousands).unwrap_or_default(),
            format!("{:.2}", speed.ratio),
            format!("{:.2}", ratios().fold(f64::INFINITY, f64::min)),
            format!("{:.2}", ratios().fold(0.0, f64::max)),
            format!("{:.2}", speed.machine),
            format!("{:.2}", speed.efficiency),
            format!("{:.0}", speed.line_ns),
        ]
    };
    output::print(&output::table(&head, &speeds.iter().map(row).collect::<Vec<_>>()));
    Ok(())
}
