//! Limits hold everywhere: every agent of the registry, with parameters at their extremes, is
//! stopped in the middle of its work and must answer after little more of it, within its memory.
//!
//! Nothing here measures seconds. A wrapped game counts [units of work](counted) and throws the
//! stop flag itself; what is done after that is counted on. The parameters come from the
//! descriptions of the registry, so a new agent or parameter is covered without being named.

mod counted;

use counted::{Counted, Gauge};
use std::any::Any;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tesuji_agents::{AnyPosition, agent_descriptions, erase, is_parallel, start_game};
use tesuji_core::spec::{Description, Kind, Parameter, Spec};
use tesuji_core::{Budget, NoObserver, Playable, Position, Report, Rng, Seed, StopReason};
use tesuji_games::go::Go;
use tesuji_games::othello::Othello;
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::SearchError;
use tesuji_testing::memory::{Counting, process_peak, restart_process_peak};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time: they share the counters of bytes.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory that every search is given.
const MEMORY: u64 = 4 << 20;

/// Bytes beyond its memory that a search may take: the path it is on, lists of moves, reports,
/// killers and history.
const SLACK: u64 = 6 << 20;

/// Units after the stop at which a search is ended by force.
const FUSE: u64 = 3_000_000;

/// An agent as text, and how many threads it gets.
type Case = (String, u32);

/// A value as spec text.
fn number(value: f64) -> String {
    format!("{value:?}")
}

/// The values of a parameter that may hurt: both ends of a range, every word, every part with its
/// own parameters one by one.
fn extremes(parameter: &Parameter) -> Vec<String> {
    match parameter.kind {
        Kind::Integer(low, high) => vec![low.to_string(), high.to_string()],
        Kind::Number(low, high) => vec![number(low), number(high)],
        Kind::Choice(words) => words.iter().map(ToString::to_string).collect(),
        Kind::Text | Kind::File(_) | Kind::Program | Kind::Entry(_) => Vec::new(),
        Kind::Part(parts) => parts.iter().flat_map(variants).collect(),
    }
}

/// One end of a parameter's range; nothing for words and text, which have none.
fn end_of(parameter: &Parameter, high: bool) -> Option<String> {
    match parameter.kind {
        Kind::Integer(least, most) => Some(if high { most } else { least }.to_string()),
        Kind::Number(least, most) => Some(number(if high { most } else { least })),
        _ => None,
    }
}

fn with(name: &str, arguments: &[(&str, String)]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if arguments.is_empty() { name.to_string() } else { format!("{name}({})", arguments.join(",")) }
}

/// A thing with all its numbers at one end.
fn all_at(description: &Description, high: bool) -> String {
    let ends = description.parameters.iter().filter_map(|parameter| Some((parameter.name, end_of(parameter, high)?)));
    with(description.name, &ends.collect::<Vec<_>>())
}

/// The thing as it is; with each extreme of each parameter; with all numbers low, and all high.
fn variants(description: &Description) -> Vec<String> {
    let mut variants = vec![description.name.to_string(), all_at(description, false), all_at(description, true)];
    for parameter in description.parameters {
        let of_parameter = extremes(parameter).into_iter();
        variants.extend(of_parameter.map(|value| with(description.name, &[(parameter.name, value)])));
    }
    variants.sort_unstable();
    variants.dedup();
    variants
}

/// Two parts of one thing at once, each with all its numbers high.
fn pairs(description: &Description) -> Vec<String> {
    let options = |parameter: &Parameter| match parameter.kind {
        Kind::Part(parts) => parts.iter().map(|part| all_at(part, true)).collect(),
        Kind::Choice(words) => words.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    let mut pairs = Vec::new();
    for (number, one) in description.parameters.iter().enumerate() {
        for other in &description.parameters[number + 1..] {
            for first in options(one) {
                for second in options(other) {
                    pairs.push(with(description.name, &[(one.name, first.clone()), (other.name, second)]));
                }
            }
        }
    }
    pairs
}

fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Every agent with every extreme, on one thread, and on two where it uses them.
fn hostile() -> Vec<Case> {
    let mut cases = Vec::new();
    for description in agent_descriptions() {
        for agent in variants(&description) {
            let parallel = is_parallel(&spec(description.name));
            cases.push((agent.clone(), 1));
            if parallel {
                cases.push((agent, 2));
            }
        }
    }
    cases
}

fn start<P: Playable>(game: &str) -> P {
    let position = start_game(&spec(game)).expect(game).position;
    position.as_any().downcast_ref::<P>().expect("a position of this game").clone()
}

/// What one search may still do when the flag is thrown: a playout of each thread, four units a
/// move (its list, its weights, a win looked for, the move), and the children of a few nodes.
fn allowance<P: Playable>(root: &P, threads: u32) -> u64 {
    let mut rng = Rng::new(Seed(1));
    let gauge = Gauge::new(Budget::unlimited().stop, u64::MAX, 0);
    let root = Counted::new(root.clone(), gauge.clone());
    let mut longest = 0;
    for _ in 0..200 {
        let before = gauge.units();
        root.clone().playout(&mut rng, &mut ());
        longest = longest.max(gauge.units() - before);
    }
    let moves = Position::move_count(&root) as u64;
    u64::from(threads) * (4 * longest + 4 * moves) + 200
}

/// What became of a search.
struct Run {
    /// Units after the throw, if the flag was thrown.
    late: Option<u64>,
    /// Units in all.
    units: u64,
    /// Bytes beyond those in use before, at most.
    bytes: u64,
    report: Option<Report<String>>,
}

/// Lets an agent think about a wrapped position until the flag is thrown at this unit of work.
fn run<P: Playable>(root: &P, (agent, threads): &Case, throw_at: u64, budget: &Budget) -> Option<Result<Run, String>> {
    let budget = Budget { threads: NonZeroU32::new(*threads), stop: Budget::unlimited().stop, ..budget.clone() };
    let gauge = Gauge::new(budget.stop.clone(), throw_at, FUSE);
    let position = Counted::new(root.clone(), gauge.clone());
    // Refused: an outside engine, or parts that contradict each other.
    let mut player = <dyn AnyPosition>::agent(&position, &spec(agent)).ok()?;
    let before = restart_process_peak();
    let found = catch_unwind(AssertUnwindSafe(|| player.think(&position, &budget, Seed(1), &mut NoObserver)));
    let bytes = process_peak().saturating_sub(before) as u64;
    let report = match found {
        Ok(Ok(report)) => Some(report),
        Ok(Err(SearchError::Unsupported(_))) => None,
        Ok(Err(error)) => return Some(Err(error.to_string())),
        Err(panic) => return Some(Err(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".into()))),
    };
    Some(Ok(Run { late: gauge.late(), units: gauge.units(), bytes, report }))
}

/// What was found: how many searches were stopped, and what was wrong with any.
#[derive(Default)]
struct Findings {
    stopped: usize,
    wrong: Vec<String>,
}

impl Findings {
    /// Nothing was wrong, and at least this number of searches was stopped in the middle.
    fn expect(self, least: usize) {
        assert!(self.wrong.is_empty(), "{} findings:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(self.stopped >= least, "{} searches were stopped", self.stopped);
    }

    /// Stops every case at several moments and judges what came after.
    fn judge<P: Playable>(&mut self, root: &P, cases: &[Case], moments: &[u64]) {
        let legal: Vec<String> = AnyPosition::moves(root);
        for case in cases {
            let allowance = allowance(root, case.1);
            for &moment in moments {
                // Other limits only for searches whose work does not show.
                let budget = Budget { memory: Some(MEMORY), nodes: Some(2_000_000), ..Budget::iterations(2_000_000) };
                let Some(run) = run(root, case, moment, &budget) else { break };
                let mut found = |what: String| {
                    self.wrong.push(format!("{} with {} threads, stopped at unit {moment}: {what}", case.0, case.1));
                };
                let run = match run {
                    Ok(run) => run,
                    Err(why) => {
                        found(why);
                        continue;
                    }
                };
                if run.bytes > MEMORY + SLACK {
                    found(format!("{} bytes", run.bytes));
                }
                let Some(report) = run.report else { continue };
                if !report.resigns && report.best.as_ref().is_none_or(|best| !legal.contains(best)) {
                    found(format!("no legal answer: {:?}", report.best));
                }
                let Some(late) = run.late else { continue };
                if late > allowance {
                    found(format!("{late} units after the stop, and {allowance} are allowed"));
                }
                if report.stopped == StopReason::Time {
                    found(format!("it says that it ended by {}", report.stopped.name()));
                }
                self.stopped += 1;
            }
        }
    }
}

/// Before anything, in the first leaf or listing, and later.
const MOMENTS: [u64; 4] = [1, 150, 2_500, 20_000];

#[test]
fn every_agent_stops_at_once_in_go() {
    let _alone = alone();
    let mut findings = Findings::default();
    findings.judge::<Go>(&start("go(size=7)"), &hostile(), &MOMENTS);
    findings.expect(500);
}

#[test]
fn every_agent_stops_at_once_in_chinese_chess() {
    let _alone = alone();
    let mut findings = Findings::default();
    findings.judge::<Xiangqi>(&start("xiangqi"), &hostile(), &MOMENTS[..3]);
    findings.expect(500);
}

#[test]
fn every_agent_stops_at_once_in_othello() {
    let _alone = alone();
    let mut findings = Findings::default();
    findings.judge::<Othello>(&start("othello"), &hostile(), &MOMENTS);
    findings.expect(500);
}

/// A small game, which searches finish: stopped everywhere on the way, up to the making of the
/// report.
#[test]
fn every_agent_stops_at_once_in_a_small_game() {
    let _alone = alone();
    let root: Othello = start("othello(size=4)");
    let mut findings = Findings::default();
    for case in hostile() {
        let budget = Budget { memory: Some(MEMORY), ..Budget::iterations(20_000) };
        let Some(Ok(whole)) = run(&root, &case, 30_000, &budget) else { continue };
        let mut moments = [1, 3, 6, 9].map(|tenths| whole.units * tenths / 10).to_vec();
        moments.push(whole.units.saturating_sub(3));
        findings.judge(&root, &[case], &moments);
    }
    findings.expect(500);
}

/// Parts that are harmless alone may not be so together.
#[test]
fn two_hostile_parts_stop_as_one_does() {
    let _alone = alone();
    let mut cases = Vec::new();
    for description in agent_descriptions() {
        cases.extend(pairs(&description).into_iter().enumerate().map(|(number, pair)| (pair, 1 + number as u32 % 2)));
    }
    let (go, othello): (Go, Othello) = (start("go(size=5)"), start("othello(size=6)"));
    let (first, second) = cases.split_at(cases.len() / 2);
    let mut findings = Findings::default();
    findings.judge(&go, first, &[1_000]);
    findings.judge(&othello, second, &[1_000]);
    findings.expect(300);
}

/// Estimates of a million playouts, looks of twenty plies, and all children of a node at once: what
/// ran for minutes past `--time 1`.
#[test]
fn a_leaf_is_left_in_the_middle() {
    let _alone = alone();
    let mut cases = Vec::new();
    for leaf in ["random", "decisive", "heuristic", "replies", "cut", "guarded(depth=20"] {
        let open = if leaf.contains('(') { format!("{leaf},") } else { format!("{leaf}(") };
        for rest in ["", ",expand=each", ",parallel=leaf", ",parallel=root", ",select=scan"] {
            let agent = format!("mcts(leaf={open}playouts=1000000){rest})");
            cases.extend([(agent.clone(), 1), (agent.clone(), 2), (format!("vote(search={agent},voters=100000)"), 1)]);
        }
    }
    let mut findings = Findings::default();
    findings.judge::<Go>(&start("go(size=9)"), &cases, &[1_000]);
    findings.expect(30);
}

/// The leaf of a proof-number search, at the root and below it.
#[test]
fn an_estimate_of_mcpn_and_ppn_is_left_in_the_middle() {
    let _alone = alone();
    let cases = ["mcpn", "ppn"].map(|agent| (format!("{agent}(playouts=1000000)"), 1));
    let below = ["mcpn", "ppn"].map(|agent| (format!("{agent}(playouts=1000)"), 1));
    let mut findings = Findings::default();
    findings.judge::<Go>(&start("go(size=9)"), &cases, &[1_000, 100_000]);
    findings.judge::<Go>(&start("go(size=5)"), &below, &[300_000]);
    findings.expect(6);
}

/// Each ballot is a search with a tree of its own, however little time it has.
#[test]
fn a_vote_of_a_hundred_thousand_ends_with_the_time() {
    let _alone = alone();
    let root: Go = start("go(size=9)");
    let case = ("vote(voters=100000)".to_string(), 1);
    let budget = Budget { memory: Some(MEMORY), hard_time: Some(Duration::ZERO), ..Budget::default() };
    let run = run(&root, &case, FUSE, &budget).expect("an agent").expect("an answer");
    assert!(run.units <= allowance(&root, 1), "{} units", run.units);
}

/// Time is looked at where the flag is: without any, no agent does more than it may after a stop.
#[test]
fn no_agent_works_without_time() {
    let _alone = alone();
    let root: Go = start("go(size=7)");
    let mut findings = Findings::default();
    for case in hostile() {
        let budget = Budget { memory: Some(MEMORY), hard_time: Some(Duration::ZERO), ..Budget::default() };
        let Some(run) = run(&root, &case, FUSE, &budget) else { continue };
        let most = allowance(&root, case.1);
        match run {
            Ok(run) if run.units <= most => findings.stopped += 1,
            Ok(run) => findings.wrong.push(format!("{case:?}: {} units, and {most} are allowed", run.units)),
            Err(why) => findings.wrong.push(format!("{case:?}: {why}")),
        }
    }
    findings.expect(200);
}

/// Searches that work for long stay within their memory.
#[test]
fn no_agent_grows_beyond_its_memory() {
    let _alone = alone();
    let (go, xiangqi): (Go, Xiangqi) = (start("go(size=5)"), start("xiangqi"));
    let mut findings = Findings::default();
    for description in agent_descriptions() {
        for threads in if is_parallel(&spec(description.name)) { vec![1, 2] } else { vec![1] } {
            let case = (description.name.to_string(), threads);
            findings.judge(&go, std::slice::from_ref(&case), &[400_000]);
            findings.judge(&xiangqi, &[case], &[400_000]);
        }
    }
    findings.expect(20);
}

/// The wrapper hides nothing: a search finds in a wrapped game what it finds in the game.
#[test]
fn a_counted_game_is_the_game() {
    let _alone = alone();
    let root: Othello = start("othello");
    for agent in ["mcts", "alpha-beta", "df-pn", "rps", "ppn"] {
        let budget = Budget { memory: Some(MEMORY), ..Budget::iterations(500) };
        let think = |position: &dyn AnyPosition| {
            let mut player = position.agent(&spec(agent)).expect("an agent");
            player.think(position, &budget, Seed(7), &mut NoObserver).expect("a live game")
        };
        let counted = Counted::new(root, Gauge::new(Budget::unlimited().stop, u64::MAX, 0));
        let plain = erase(&root).expect("a game of ours");
        let (plain, wrapped) = (think(&*plain), think(&counted));
        assert_eq!((plain.best, plain.nodes, plain.root), (wrapped.best, wrapped.nodes, wrapped.root), "{agent}");
        assert!((&counted as &dyn Any).is::<Counted<Othello>>());
    }
}

/// Solvers that know one game do not see through the wrapper: they are stopped on that game itself,
/// by another thread, after a while. Their work does not show, so a very long time stands for a
/// hang; their bytes are counted as ever.
#[test]
fn solvers_of_one_game_stop_and_stay_within_their_memory() {
    let _alone = alone();
    let mut findings = Findings::default();
    for (game, agents) in [
        ("gomoku", vec!["vcf", "vct"]),
        ("connect6", vec!["vcdt", "vcst"]),
        ("hex(size=8,swap=false)", vec!["hex-solver"]),
        ("othello", vec!["othello-solver"]),
        ("goproblem", vec!["go-solver"]),
    ] {
        let mut position = start_game(&spec(game)).expect(game).position;
        let mut rng = Rng::new(Seed(5));
        for _ in 0..6 {
            let mv = position.random_move(&mut rng).expect("a live game");
            position.play(&mv).expect("a legal move");
        }
        let descriptions = agent_descriptions().into_iter().filter(|one| agents.contains(&one.name));
        for agent in descriptions.flat_map(|description| variants(&description)) {
            for threads in [1, 2] {
                let budget = Budget { memory: Some(MEMORY), threads: NonZeroU32::new(threads), ..Budget::default() };
                // Parameters without effect are refused; the agent with its defaults is not.
                let mut player = match position.agent(&spec(&agent)) {
                    Ok(player) => player,
                    Err(error) if error.to_string().contains("no effect") => continue,
                    Err(error) => panic!("{agent}: {error}"),
                };
                let before = restart_process_peak();
                let stop = budget.stop.clone();
                let thrower = std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(60));
                    stop.stop();
                    Instant::now()
                });
                let answer = player.think(position.as_ref(), &budget, Seed(1), &mut NoObserver);
                let answered = Instant::now();
                let bytes = process_peak().saturating_sub(before) as u64;
                let thrown = thrower.join().expect("it only sleeps");
                let case = format!("{agent} on {game} with {threads} threads");
                if answered.saturating_duration_since(thrown) > Duration::from_secs(20) {
                    findings.wrong.push(format!("{case}: no answer for a long time"));
                }
                if bytes > MEMORY + SLACK {
                    findings.wrong.push(format!("{case}: {bytes} bytes"));
                }
                match answer {
                    Ok(_) => findings.stopped += 1,
                    Err(error) => findings.wrong.push(format!("{case}: {error}")),
                }
            }
        }
    }
    findings.expect(20);
}
