//! What is printed is true: every exact agent against the oracle, on small positions of every game
//! that has such.
//!
//! A report says a value, bounds, a best move, a line, a table of moves and why it ended. Here all
//! of it is compared with the truth and with each other, after searches that were allowed to end
//! and after searches that were not. Part of the positions in every test run; `TESUJI_FULL=1 cargo
//! test --release -p tesuji-agents truth` judges 100,000.

use std::collections::BTreeMap;
use std::io::Write;
use tesuji_agents::erase;
use tesuji_core::spec::Spec;
use tesuji_core::{Bounds, Budget, NoObserver, Notation, Playable, Position, Report, Rng, Score, Seed, StopReason};
use tesuji_games::connect6::Connect6;
use tesuji_games::gomoku::{Gomoku, Rule};
use tesuji_games::goproblem::{GoProblem, Problem};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::mnk::Mnk;
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Trap, TrapLeaf, Tree};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::oracle::Oracle;
use tesuji_testing::{setting, sized};

/// Every agent that proves things. Those that serve one game refuse the others.
const AGENTS: [&str; 34] = [
    "pn",
    "pn(ties=deepest)",
    "pn(ties=previous)",
    "pn(goal=\"first-wins\")",
    "pn(goal=\"second-draws\")",
    "pn(goal=\"exact-margin\")",
    "deep-pn",
    "mcpn",
    "ppn",
    "df-pn",
    "df-pn(epsilon=0.25,sum=weak)",
    "df-pn(probe=chosen)",
    "df-pn(goal=\"first-draws\")",
    "df-pn(goal=\"second-wins\")",
    "df-pn(goal=\"exact-margin\")",
    "deep-df-pn",
    "vcf",
    "vct",
    "vcdt",
    "vcst",
    "hex-solver",
    "othello-solver",
    "go-solver",
    "oracle",
    "endgame",
    "mcts",
    "mcts(select=ucb1,expand=all,leaf=random)",
    "vote",
    "alpha-beta",
    "alpha-beta(pvs=false,lines=3)",
    "minimax",
    "minimax(depth=3)",
    "level-k",
    "cns",
];

/// Agents for which "finished" says that the exact value is proved. The others look for one kind of
/// win, or answer one question.
fn is_complete(agent: &str) -> bool {
    !["vcf", "vct", "vcdt", "vcst"].contains(&agent) && !agent.contains("goal=")
}

/// What was looked at.
#[derive(Default)]
struct Tally {
    positions: u64,
    searches: u64,
    proved: u64,
    lines: u64,
    moves_of_lines: u64,
    unfinished: u64,
    by_agent: BTreeMap<&'static str, u64>,
    /// Reports that said something untrue; each has told what.
    wrong: u64,
}

/// The number of untrue reports after which the test stops.
const MOST_WRONG: u64 = 40;

/// A position with its truth at hand.
struct Judge<'a, P: Position> {
    root: &'a P,
    oracle: &'a mut Oracle<P>,
    label: String,
}

impl<P: Playable> Judge<'_, P> {
    fn truth(&mut self, position: &P) -> Score {
        let outcome = position.outcome();
        outcome.unwrap_or_else(|| self.oracle.truth(position).expect("a small game").outcome).score
    }

    /// Plays a line from the root: every move is legal, and every position keeps the bounds.
    /// Answers its length.
    fn follow(&mut self, line: &[String], bounds: Bounds) -> u64 {
        let mut position = self.root.clone();
        for (ply, text) in line.iter().enumerate() {
            let mv = position.read_move(text).unwrap_or_else(|error| panic!("{}: {line:?}: {error}", self.label));
            position.play(mv);
            let truth = self.truth(&position);
            assert!(
                bounds.contains(truth),
                "{}: {line:?} is worth {truth} after ply {}, and not {bounds:?}",
                self.label,
                ply + 1
            );
        }
        line.len() as u64
    }

    /// Everything a report says.
    fn judge(&mut self, agent: &'static str, report: &Report<String>, tally: &mut Tally) {
        let turn = self.root.turn();
        let truth = self.truth(self.root);
        let label = self.label.clone();
        assert_eq!(report.turn, turn, "{label}");
        assert!(report.bounds.contains(truth), "{label}: {:?} without {truth}", report.bounds);
        // To level-k a graded win is a win, in the value.
        if let Some(score) = report.bounds.proved().filter(|_| agent != "level-k") {
            assert_eq!(report.value.to_f64(), score.to_f64(), "{label}: the value is the proved one");
        }
        // The table of moves.
        let best = report.best.clone().unwrap_or_else(|| panic!("{label}: no move"));
        assert!(self.root.read_move(&best).is_ok(), "{label}: {best}");
        let (sure, hoped) = report.bounds.for_player(turn);
        let mut keeps = false;
        for entry in &report.root {
            let mut next = self.root.clone();
            next.play(self.root.read_move(&entry.mv).expect("a listed move"));
            let truth = self.truth(&next);
            assert!(entry.bounds.contains(truth), "{label}: {} is worth {truth}, not {:?}", entry.mv, entry.bounds);
            assert!(entry.bounds.for_player(turn).0 <= hoped, "{label}: {} is worth more than the position", entry.mv);
            keeps |= entry.mv == best && entry.bounds.for_player(turn).0 >= sure;
            if entry.bounds != Bounds::UNKNOWN && !entry.line.is_empty() {
                assert_eq!(entry.line[0], entry.mv, "{label}");
                self.follow(&entry.line, entry.bounds);
            }
        }
        // The line, as it is printed by `think`.
        assert_eq!(report.line.first(), Some(&best), "{label}: the line begins with the best move");
        self.follow(&report.line, if keeps { report.bounds } else { Bounds::UNKNOWN });
        // And as it is printed by `solve`.
        let solved = report.clone().of_proof();
        let known = sure > Score::LOSS || hoped == Score::LOSS;
        assert_eq!(solved.best.is_some(), known, "{label}: {:?} for {:?}", solved.best, report.bounds);
        assert_eq!(solved.line.first(), solved.best.as_ref(), "{label}");
        tally.moves_of_lines += self.follow(&solved.line, report.bounds);
        tally.lines += u64::from(solved.line.len() > 1);
        // Why it ended.
        let proved = report.bounds.proved().is_some();
        if is_complete(agent) && report.stopped == StopReason::Finished {
            assert!(proved, "{label}: finished with {:?}", report.bounds);
        }
        if proved {
            let why = report.stopped;
            assert!(!matches!(why, StopReason::Depth | StopReason::OwnLimit(_)), "{label}: {why:?} with all known");
        }
        tally.searches += 1;
        tally.proved += u64::from(proved);
        tally.unfinished += u64::from(!proved);
        *tally.by_agent.entry(agent).or_default() += u64::from(proved);
    }
}

/// All agents on one position, each with a budget of its own.
fn judge<P: Playable>(root: &P, oracle: &mut Oracle<P>, name: &str, rng: &mut Rng, tally: &mut Tally) {
    if Position::outcome(root).is_some() {
        return;
    }
    tally.positions += 1;
    let erased = erase(root).expect("a game of ours");
    for agent in AGENTS {
        let spec: Spec = agent.parse().expect("an agent");
        let mut player = match erased.agent(&spec) {
            Ok(player) => player,
            Err(error) if error.problem.contains("a solver of") => continue,
            Err(error) => panic!("{agent}: {error}"),
        };
        // Three of four are allowed to end.
        let nodes = [1_000_000, 1_000_000, 1_000_000, [0, 1, 3, 10, 30, 100, 300, 1_000][rng.below(8) as usize]];
        let nodes = nodes[rng.below(4) as usize];
        // Sampling needs a limit it can reach where nothing is provable, and agents of single games
        // try harder than one can wait for.
        let iterations = if agent.starts_with("mcts") || agent == "vote" || agent == "cns" { 3_000 } else { 200_000 };
        let nodes = if agent.starts_with("vc") { nodes.min(2_000) } else { nodes };
        let budget =
            Budget { nodes: Some(nodes), iterations: Some(iterations), memory: Some(1 << 20), ..Budget::default() };
        let seed = Seed(u64::from(rng.below(u32::MAX)));
        let Ok(report) = player.think(&*erased, &budget, seed, &mut NoObserver) else { continue };
        let label = format!("{agent} with {nodes} nodes and seed {} on {name}", seed.0);
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            Judge { root, oracle, label }.judge(agent, &report, tally);
        }));
        if judged.is_err() {
            tally.wrong += 1;
            assert!(tally.wrong < MOST_WRONG, "too much is wrong to go on");
        }
    }
}

/// A live position after at most this number of random moves; fewer if the next one would end the
/// game.
fn after<P: Playable>(start: &P, plies: u32, rng: &mut Rng) -> (P, Vec<String>) {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for _ in 0..plies {
        let Some(mv) = position.random_move(rng) else { break };
        let mut next = position.clone();
        next.play(mv);
        if Position::outcome(&next).is_some() {
            break;
        }
        moves.push(position.show_move(mv));
        position = next;
    }
    (position, moves)
}

/// A game and how many plies from its start its positions are small.
struct Games<P: Position> {
    name: String,
    start: P,
    plies: (u32, u32),
    oracle: Oracle<P>,
}

impl<P: Playable> Games<P> {
    fn new(name: impl Into<String>, start: P, plies: (u32, u32)) -> Games<P> {
        Games { name: name.into(), start, plies, oracle: Oracle::default() }
    }

    fn one(&mut self, rng: &mut Rng, tally: &mut Tally) {
        let (least, most) = self.plies;
        // A game that ended early leaves a position too large for the oracle: another one then.
        let games = (0..50).map(|_| after(&self.start, least + rng.below(most - least + 1), rng));
        let found = games.into_iter().find(|(_, moves)| moves.len() >= least as usize);
        if let Some((position, moves)) = found {
            judge(&position, &mut self.oracle, &format!("{} {}", self.name, moves.join(" ")), rng, tally);
        }
    }
}

fn problems() -> Vec<Games<GoProblem>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/problems/go");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("problems").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut small = Vec::new();
    for path in files {
        let problem = Problem::from_bytes(&std::fs::read(&path).expect("a file")).expect("a problem");
        let start = GoProblem::new(problem).expect("a problem");
        let name = format!("goproblem {}", path.file_name().expect("a file").to_string_lossy());
        // Small ones: their history matters, so the oracle repeats its search for every move of a
        // line.
        let budget = Budget { nodes: Some(4_000), ..Budget::default() };
        let erased = erase(&start).expect("a game of ours");
        let mut oracle = erased.agent(&Spec::bare("oracle")).expect("an agent");
        let report = oracle.think(&*erased, &budget, Seed(1), &mut NoObserver);
        if report.is_ok_and(|report| report.stopped == StopReason::Finished) {
            small.push(Games::new(name, start, (0, 8)));
        }
    }
    assert!(!small.is_empty(), "no small problems");
    small
}

/// This number of positions, spread over all games.
fn positions(count: u64, seed: u64) -> Tally {
    let rng = &mut Rng::new(Seed(seed));
    let tally = &mut Tally::default();
    let mut tictactoe = Games::new("tictactoe", TicTacToe::default(), (0, 7));
    let mnk = |m, n, k, plies| Games::new(format!("mnk({m},{n},{k})"), Mnk::new(m, n, k).expect("a board"), plies);
    let mut mnks = [mnk(3, 3, 3, (1, 7)), mnk(4, 3, 3, (4, 9)), mnk(4, 4, 4, (8, 13)), mnk(5, 2, 3, (2, 7))];
    let hex = |size, swap, plies| Games::new(format!("hex({size})"), Hex::new(size, swap).expect("a board"), plies);
    let mut hexes = [hex(3, SwapRule::Off, (0, 6)), hex(3, SwapRule::Pieces, (0, 6)), hex(4, SwapRule::Off, (6, 12))];
    let othello = |size, plies| {
        Games::new(format!("othello({size})"), Othello::new(size, Empties::None).expect("a board"), plies)
    };
    let mut othellos = [othello(4, (3, 10)), othello(6, (26, 31))];
    let gomoku = |size: usize, rule| {
        let area = (size * size) as u32;
        Games::new(format!("gomoku({size},{rule:?})"), Gomoku::new(size, rule).expect("a board"), (area - 8, area - 3))
    };
    let mut gomokus = [gomoku(5, Rule::Freestyle), gomoku(5, Rule::Renju), gomoku(6, Rule::Standard)];
    let connect6 = |size: usize| {
        let area = (size * size) as u32;
        Games::new(format!("connect6({size})"), Connect6::new(size).expect("a board"), (area - 8, area - 3))
    };
    let mut connect6s = [connect6(6), connect6(7)];
    let mut trap = Games::new("trap", Trap::new(TrapLeaf::Expected), (0, 1));
    let mut problems = problems();
    while tally.positions < count {
        match rng.below(16) {
            0..=2 => tictactoe.one(rng, tally),
            3 | 4 => mnks[rng.below(4) as usize].one(rng, tally),
            5 | 6 => hexes[rng.below(3) as usize].one(rng, tally),
            7 => othellos[rng.below(2) as usize].one(rng, tally),
            8 => gomokus[rng.below(3) as usize].one(rng, tally),
            9 => connect6s[rng.below(2) as usize].one(rng, tally),
            10 => {
                let (branching, depth) = [(2, 6), (3, 4), (4, 4)][rng.below(3) as usize];
                let seed = u64::from(rng.below(1_000));
                let game = PGame::new(branching, depth, seed).expect("a tree");
                Games::new(format!("pgame({branching},{depth},{seed})"), game, (0, depth - 1)).one(rng, tally);
            }
            11 if rng.below(30) == 0 => trap.one(rng, tally),
            11..=13 => {
                let alternate = rng.below(2) == 0;
                let (depth, branching, grades) = (1 + rng.below(6), 1 + rng.below(4), 2 + rng.below(4));
                let tree = Tree::random(RandomTree { depth, branching, grades, alternate }, rng);
                let name = format!("tree {}", tree.to_text());
                judge(&tree, &mut Oracle::default(), &name, rng, tally);
            }
            _ => {
                let number = rng.below(problems.len() as u32) as usize;
                problems[number].one(rng, tally);
            }
        }
    }
    std::mem::take(tally)
}

fn report(tally: &Tally) {
    let mut out = std::io::stdout();
    let _ = writeln!(
        out,
        "{} positions, {} searches: {} proved the value, {} did not; {} lines of more than one move, {} moves in all",
        tally.positions, tally.searches, tally.proved, tally.unfinished, tally.lines, tally.moves_of_lines
    );
    for (agent, proved) in &tally.by_agent {
        let _ = writeln!(out, "{proved:>8} proved by {agent}");
    }
}

/// Ten voters prove together what none has proved alone, of the position or of a move: the line of
/// the last one does not keep it.
#[test]
fn a_vote_has_no_line_that_only_one_voter_believes_in() {
    for (moves, nodes, seed) in [("c2 a2 a3 b1 c3", 100, 3_385_079_703), ("a3 b2", 1_000_000, 3_462_147_356)] {
        let mut position = TicTacToe::default();
        for text in moves.split(' ') {
            let mv = position.read_move(text).expect("a move");
            Position::play(&mut position, mv);
        }
        let erased = erase(&position).expect("a game of ours");
        let mut player = erased.agent(&Spec::bare("vote")).expect("an agent");
        let budget = Budget { nodes: Some(nodes), iterations: Some(3_000), memory: Some(1 << 20), ..Budget::default() };
        let report = player.think(&*erased, &budget, Seed(seed), &mut NoObserver).expect("live");
        let (label, oracle) = (format!("vote after {moves}"), &mut Oracle::default());
        Judge { root: &position, oracle, label }.judge("vote", &report, &mut Tally::default());
    }
}

/// `TESUJI_TRUTH_POSITIONS` and `TESUJI_TRUTH_SEED` choose other positions.
#[test]
fn what_exact_agents_say_is_true() {
    let count = setting("TESUJI_TRUTH_POSITIONS", sized(600, 100_000));
    let tally = positions(count, setting("TESUJI_TRUTH_SEED", sized(1, 2)));
    report(&tally);
    assert_eq!(tally.wrong, 0, "reports are wrong");
    assert!(tally.lines > tally.proved / 2, "lines are no longer than a move");
    for agent in AGENTS {
        assert!(tally.by_agent.get(agent).is_some_and(|proved| *proved > 0), "{agent} never proved anything");
    }
}
