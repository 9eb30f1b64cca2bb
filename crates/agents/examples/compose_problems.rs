//! Composes and checks life-and-death problems.
//!
//! ```text
//! cargo run --release --example compose_problems -- solve FILE…       solve, and report
//! cargo run --release --example compose_problems -- annotate FILE…    the same, and write the findings into the files
//! cargo run --release --example compose_problems -- compose KIND SEED COUNT FOLDER
//! ```
//!
//! `solve` asks the oracle, which looks at everything: the value, all best first moves, the plies
//! to the end, and what the other first moves are worth. `compose` draws random local positions
//! inside a wall, lets the oracle solve them, and keeps those with one best move, at least three
//! worse ones and a long enough solution.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;
use tesuji_core::{Budget, NoObserver, Notation, Player, Position, Rng, Score, Seed};
use tesuji_games::goproblem::{Answer, Ending, GoProblem, Mode, Place, Problem, ProblemKind, Site};
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;

/// Larger games are not kept, so that all of the set can be proved again in a minute.
const MOST_NODES: u64 = 600_000;

/// How the comment with the main line begins.
const BEST_PLAY: &str = "Best play:";

/// What the oracle says of a problem.
struct Solution {
    value: Score,
    plies: u32,
    best: Vec<Answer>,
    /// Every first move with its value and plies.
    moves: Vec<(String, Score, u32)>,
    line: Vec<String>,
    /// How the line ends.
    ending: Option<Ending>,
    nodes: u64,
    seconds: f64,
}

/// Solves a problem, or tells why not.
fn solve(problem: &Problem, nodes: u64) -> Result<Solution, String> {
    let start = GoProblem::new(problem.clone()).map_err(|error| error.to_string())?;
    if let Some(outcome) = start.outcome() {
        return Err(format!("it has ended before the first move: {}", outcome.score));
    }
    let began = Instant::now();
    let mut oracle = Oracle::default();
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let report = oracle.search(&start, &budget, Seed(1), &mut NoObserver).map_err(|error| error.to_string())?;
    if report.root.iter().any(|entry| entry.bounds.proved().is_none()) {
        return Err(format!("not finished after {nodes} nodes"));
    }
    let truth = oracle.truth(&start).map_err(|error| error.to_string())?;
    let mut best = Vec::new();
    for mv in oracle.optimal_moves(&start).map_err(|error| error.to_string())? {
        best.push(start.place_of(mv).map_or(Answer::Pass, Answer::Play));
    }
    let mut moves = Vec::new();
    for mv in start.moves() {
        let mut next = start.clone();
        next.play(mv);
        let truth = oracle.truth(&next).map_err(|error| error.to_string())?;
        moves.push((start.show_move(mv), truth.outcome.score, truth.distance + 1));
    }
    let mut position = start.clone();
    let mut line = Vec::new();
    for mv in report.line {
        line.push(position.show_move(mv));
        position.play(mv);
    }
    let seconds = began.elapsed().as_secs_f64();
    Ok(Solution {
        value: truth.outcome.score,
        plies: truth.distance,
        best,
        moves,
        line,
        ending: position.ending(),
        nodes: report.nodes,
        seconds,
    })
}

impl Solution {
    fn report(&self, problem: &Problem) -> String {
        let mut text = String::new();
        let best: Vec<String> = self.best.iter().map(|answer| answer.show(problem.size)).collect();
        let _ = write!(
            text,
            "value {} in {} plies by {}; {:?}; {} nodes, {:.2} s; line {}; moves",
            self.value,
            self.plies,
            best.join(" "),
            self.ending,
            self.nodes,
            self.seconds,
            self.line.join(" ")
        );
        for (name, score, plies) in &self.moves {
            let _ = write!(text, " {name}={score}/{plies}");
        }
        text
    }

    fn write_into(&self, problem: &mut Problem) {
        problem.answer.clone_from(&self.best);
        problem.value = Some(self.value);
        problem.plies = Some(self.plies);
        problem.proved = true;
        problem.comments.retain(|comment| !comment.starts_with(BEST_PLAY));
        problem.comments.push(format!("{BEST_PLAY} {}", self.line.join(" ")));
    }
}

fn say(text: &str) {
    // A closed pipe is no concern of ours.
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["solve", files @ ..] => files.iter().for_each(|file| one(file, false)),
        ["annotate", files @ ..] => files.iter().for_each(|file| one(file, true)),
        ["compose", kind, seed, count, folder] => match ProblemKind::from_name(kind) {
            Some(kind) => compose(kind, seed.parse().unwrap_or(1), count.parse().unwrap_or(1), folder),
            None => say("the kinds are save, kill, cut, connect and race"),
        },
        _ => say("usage: solve FILE… | annotate FILE… | compose KIND SEED COUNT FOLDER"),
    }
}

fn one(file: &str, annotate: bool) {
    let read = std::fs::read(file).map_err(|error| error.to_string());
    let read = read.and_then(|bytes| Problem::from_bytes(&bytes).map_err(|error| error.to_string()));
    let mut problem = match read {
        Ok(problem) => problem,
        Err(error) => return say(&format!("{file}: {error}")),
    };
    match solve(&problem, 60_000_000) {
        Err(why) => {
            say(&format!("{file}: {why}"));
            problem.proved = false;
        }
        Ok(solution) => {
            say(&format!("{file}: {}", solution.report(&problem)));
            solution.write_into(&mut problem);
        }
    }
    if annotate && let Err(error) = std::fs::write(file, problem.to_string()) {
        say(&format!("{file}: {error}"));
    }
}

/// A random position: a rectangle at the bottom edge inside walls, with stones of both players;
/// then turned and reflected at random.
///
/// The wall is the attacker's; in problems of connection its left side, in races its right half is
/// the defender's and alive.
fn draw(kind: ProblemKind, rng: &mut Rng) -> Option<Problem> {
    let mode = kind.mode().unwrap_or(if rng.below(2) == 0 { Mode::Save } else { Mode::Kill });
    let (defender, attacker) = (mode.defender(), mode.defender().other());
    let connection = matches!(kind, ProblemKind::Connect | ProblemKind::Cut);
    let race = kind == ProblemKind::Race;
    let left = if connection || race || rng.below(3) == 0 { 2 } else { 0 };
    let shapes: &[(u8, u8)] = if connection || race {
        &[(4, 3), (5, 3), (5, 2), (6, 2), (3, 3), (4, 2)]
    } else {
        &[(4, 2), (5, 2), (3, 3), (4, 3), (5, 3), (6, 2), (4, 4)]
    };
    let (columns, rows) = shapes[rng.below(shapes.len() as u32) as usize];
    let size = if left + columns + 2 > 7 { 9 } else { 7 };
    let mut problem = Problem::new(size, mode);
    let turn = rng.below(8);
    let place = |row: u8, column: u8| {
        let (row, column) = if turn & 1 == 0 { (size - 1 - row, column) } else { (row, column) };
        let (row, column) = if turn & 2 == 0 { (row, column) } else { (row, size - 1 - column) };
        if turn & 4 == 0 { Place { row, column } } else { Place { row: column, column: row } }
    };
    let middle = left + columns / 2;
    let inside = left..left + columns;
    for row in 0..=rows {
        for column in left.saturating_sub(1)..=left + columns {
            if row < rows && inside.contains(&column) {
                let (mine, theirs) = match (race, column < middle) {
                    (false, _) => (8, 2),
                    (true, true) => (10, 1),
                    (true, false) => (1, 10),
                };
                let drawn = rng.below(20);
                let stone = if drawn < mine {
                    Some(defender)
                } else if drawn < mine + theirs {
                    Some(attacker)
                } else {
                    None
                };
                *problem.site_mut(place(row, column)) = Site { stone, feasible: true, ..Site::default() };
            } else {
                let living = (connection && column < left) || (race && column >= middle);
                let stone = Some(if living { defender } else { attacker });
                *problem.site_mut(place(row, column)) = Site { stone, alive: living, ..Site::default() };
            }
        }
    }
    let largest = largest_chain(&problem, defender)?;
    let beside_living = largest.iter().any(|one| {
        problem.places_where(|site| site.alive && site.stone == Some(defender)).iter().any(|other| touch(*one, *other))
    });
    if largest.len() < if connection { 2 } else { 3 } || beside_living {
        return None;
    }
    if race {
        // There must be someone to race with.
        let rival = largest_chain(&problem, attacker)?;
        if rival.len() < 3 || !rival.iter().any(|one| largest.iter().any(|other| touch(*one, *other))) {
            return None;
        }
    }
    for place in largest {
        problem.site_mut(place).important = true;
    }
    let open = problem.places_where(|site| site.feasible && site.stone.is_none()).len();
    if !(5..=9).contains(&open) || chains(&problem, Player::First).len() + chains(&problem, Player::Second).len() > 4 {
        return None;
    }
    problem.kind = kind;
    problem.check().is_ok().then_some(problem)
}

fn touch(one: Place, other: Place) -> bool {
    one.row.abs_diff(other.row) + one.column.abs_diff(other.column) == 1
}

/// The chains of a colour inside the walls.
fn chains(problem: &Problem, owner: Player) -> Vec<Vec<Place>> {
    let mut left = problem.places_where(|site| site.stone == Some(owner) && site.feasible);
    let mut chains: Vec<Vec<Place>> = Vec::new();
    while let Some(start) = left.pop() {
        let mut chain = vec![start];
        let mut at = 0;
        while at < chain.len() {
            let from = chain[at];
            let (more, rest): (Vec<Place>, Vec<Place>) = left.into_iter().partition(|place| touch(*place, from));
            chain.extend(more);
            left = rest;
            at += 1;
        }
        chains.push(chain);
    }
    chains
}

/// The points of the largest chain of a colour.
fn largest_chain(problem: &Problem, owner: Player) -> Option<Vec<Place>> {
    chains(problem, owner).into_iter().max_by_key(Vec::len)
}

/// Keeps `count` good problems of a kind.
fn compose(kind: ProblemKind, seed: u64, count: u32, folder: &str) {
    let mut rng = Rng::new(Seed(seed));
    let mut kept = 0;
    let mut tried = 0_u64;
    while kept < count {
        let Some(mut problem) = draw(kind, &mut rng) else { continue };
        tried += 1;
        let Ok(solution) = solve(&problem, MOST_NODES) else { continue };
        let worse = solution.moves.iter().filter(|(_, score, _)| *score < solution.value).count();
        let tempting = solution.moves.iter().any(|(_, score, plies)| *score < solution.value && *plies >= 4);
        let mut values: Vec<Score> = solution.moves.iter().map(|(_, score, _)| *score).collect();
        values.sort_unstable();
        values.dedup();
        // Who wins by passing has not solved anything.
        if matches!(solution.ending, Some(Ending::Passes(_) | Ending::Endless)) {
            continue;
        }
        if solution.best.len() != 1 || worse < 3 || !tempting || (solution.plies < 5 && values.len() < 4) {
            continue;
        }
        kept += 1;
        solution.write_into(&mut problem);
        problem.title = format!("Composed {seed}-{kept}");
        let file = format!("{folder}/{}-{seed}-{kept:03}.txt", kind.name());
        if let Err(error) = std::fs::write(&file, problem.to_string()) {
            return say(&format!("{file}: {error}"));
        }
        say(&format!("{file} ({tried} tried): {} values; {}", values.len(), solution.report(&problem)));
    }
}
