//! Looks for life-and-death problems as hard as those of Lin 2017, chapter 4, whose diagrams are lost.
//!
//! ```text
//! cargo run --release -p tesuji-lab --example hard_problems -- complex|trap|multi SEED COUNT FOLDER
//! cargo run --release -p tesuji-lab --example hard_problems -- measure FILE…
//! ```
//!
//! Idea: a problem that is built in is altered at random (stones, empty points, the wall), and what
//! comes out is kept for further changes if it is nearer to the wanted difficulty than others. For
//! every candidate df-pn first answers, for each first move, whether Black reaches the score 1; only
//! candidates with exactly one such move, and no other that reaches more than 0, are measured.
//! Measured is what Lin's tables give: the simulations until plain MCTS (the highest mean, C = 1.414)
//! picks the right move for good, looked at after every 100 iterations.
//!
//! | what | wanted | reference |
//! |---|---|---|
//! | `complex` | 35,000 to 80,000 simulations; one move is worth 1, the others 0 | Lin 2017 §4.5 |
//! | `trap` | the same; the wrong move that MCTS prefers is refuted in three or five plies | Lin 2017 §4.2, 4.3 |
//! | `multi` | first moves worth 1, 0.7, 0.5 and 0, the best not picked within the budget | Lin 2017 §4.6 |
//!
//! Selection favours the effect: a problem that is hard for one search by chance is kept. Therefore
//! every fourth candidate is *blind*: altered several times without any look at its difficulty. Blind
//! candidates with one right move are written as `blind-…`, an unselected sample of the generator.
//! Selection never looks at the combined search.
//!
//! Everything is limited by iterations and nodes, so that the same arguments find the same problems.
#![allow(clippy::print_stdout)]

use std::path::Path;
use tesuji_agents::Access;
use tesuji_core::{Budget, NoObserver, Player, Position, Rng, Score, Seed};
use tesuji_games::goproblem::{Answer, GoProblem, PROBLEMS, Place, Problem, Site};
use tesuji_lab::kinds::settled;
use tesuji_lab::tasks::limits::Limits;
use tesuji_lab::tasks::position::Begun;
use tesuji_lab::tasks::think::ThinkTask;

const PLAIN: &str = "mcts(select=ucb1(c=1.0),expand=each,leaf=random,decide=max,solver=false)";
const COMBINED: &str = "mcts(select=ucb1(c=1.0),expand=each,leaf=random,decide=robust,solver=false,backup=combined(parameter=PARAMETER,form=FORM))";

/// Reached by every score above 0.
const LEAST: &str = "score>=0.15";
/// Nodes of df-pn for one first move.
const NODES: u64 = 150_000;
/// Iterations of the first look at a candidate, and of a full measurement.
const SHORT: u64 = 6_000;
const LONG: u64 = 80_000;
/// What is wanted, in simulations: the middle, and the ends of what is kept.
const MIDDLE: f64 = 50_000.0;
const KEPT: std::ops::RangeInclusive<u64> = 30_000..=100_000;
/// Problems that are altered further.
const POOL: usize = 24;
/// Those of them that come from one problem that is built in.
const PER_FAMILY: usize = 4;
/// Empty feasible points.
const OPEN: std::ops::RangeInclusive<usize> = 6..=13;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [wanted @ ("complex" | "trap" | "multi"), seed, count, folder] => {
            let (Ok(seed), Ok(count)) = (seed.parse(), count.parse()) else {
                return println!("SEED and COUNT are numbers");
            };
            let wanted = match *wanted {
                "complex" => Wanted::Complex,
                "trap" => Wanted::Trap,
                _ => Wanted::Multi,
            };
            Hunt::new(wanted, seed, Path::new(folder)).run(count);
        }
        ["measure", files @ ..] => files.iter().for_each(|file| measure_file(file)),
        _ => println!("usage: complex|trap|multi SEED COUNT FOLDER, or measure FILE…"),
    }
}

/// Measures a problem of a file with all searches.
fn measure_file(file: &str) {
    let read = std::fs::read(file).map_err(|error| error.to_string());
    let read = read.and_then(|bytes| Problem::from_bytes(&bytes).map_err(|error| error.to_string()));
    match read {
        Err(error) => println!("{file}: {error}"),
        Ok(problem) => {
            let right: Vec<String> = problem.answer.iter().map(|answer| answer.show(problem.size)).collect();
            println!("{file}: {}", figures(&spec_of(&problem), &right));
        }
    }
}

/// A candidate with one right move.
#[derive(Clone)]
struct Candidate {
    problem: Problem,
    /// The problem that is built in from which it comes.
    family: &'static str,
    right: String,
    /// The simulations until plain MCTS picks the right move for good; nothing: not within the budget.
    needed: Option<u64>,
}

impl Candidate {
    /// How far it is from what is wanted; less is better.
    fn distance(&self, multi: bool) -> f64 {
        let needed = self.needed.map_or(8.0 * MIDDLE, |needed| needed.max(100) as f64);
        if multi { -libm::log(needed) } else { libm::log(needed / MIDDLE).abs() }
    }
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Complex,
    Trap,
    Multi,
}

struct Hunt<'a> {
    wanted: Wanted,
    seed: u64,
    folder: &'a Path,
    rng: Rng,
    pool: Vec<Candidate>,
    /// What the kept ones need: those that differ in stones without effect need the same.
    kept: Vec<Option<u64>>,
    /// Altered; consistent and not over; answered by df-pn; with one right move; blind ones of these; kept.
    counts: [u64; 6],
}

impl Wanted {
    fn name(self) -> &'static str {
        match self {
            Wanted::Complex => "complex",
            Wanted::Trap => "trap",
            Wanted::Multi => "multi",
        }
    }
}

impl Hunt<'_> {
    fn new(wanted: Wanted, seed: u64, folder: &Path) -> Hunt<'_> {
        Hunt { wanted, seed, folder, rng: Rng::new(Seed(seed)), pool: Vec::new(), kept: Vec::new(), counts: [0; 6] }
    }

    fn multi(&self) -> bool {
        self.wanted == Wanted::Multi
    }

    fn run(&mut self, count: u64) {
        for number in 1..=count {
            let blind = number % 4 == 0;
            let parent = self.pool.get(self.rng.below(self.pool.len().max(1) as u32) as usize).cloned();
            let fresh = blind || self.rng.below(8) == 0;
            let (start, family) = match parent.filter(|_| !fresh) {
                Some(parent) => (parent.problem, parent.family),
                None => self.built_in(),
            };
            let steps = if blind { 4 + self.rng.below(8) } else { 1 + self.rng.below(3) };
            self.counts[0] += 1;
            if let Some(problem) = altered(&start, steps, &mut self.rng) {
                self.counts[1] += 1;
                self.judge(problem, family, blind);
            }
            if number % 500 == 0 {
                self.tell();
            }
        }
        self.tell();
    }

    /// A problem to begin with.
    fn built_in(&mut self) -> (Problem, &'static str) {
        let all = PROBLEMS.entries();
        let entry = if self.multi() {
            all.iter().find(|entry| entry.id == "lin-multi").expect("it is built in")
        } else {
            &all[self.rng.below(all.len() as u32) as usize]
        };
        (Problem::from_bytes(entry.text.as_bytes()).expect("ours can be read"), entry.id.as_ref())
    }

    fn tell(&self) {
        let [altered, consistent, answered, one, blind, kept] = self.counts;
        let mut best: Vec<String> = self
            .pool
            .iter()
            .map(|candidate| candidate.needed.map_or("–".into(), |needed| needed.to_string()))
            .collect();
        best.truncate(8);
        println!(
            "altered {altered}, consistent {consistent}, answered {answered}, one right move {one} ({blind} of them blind), kept {kept}; nearest {}",
            best.join(" ")
        );
    }

    /// Measures a candidate, if it has one right move.
    fn judge(&mut self, mut problem: Problem, family: &'static str, blind: bool) {
        let game = spec_of(&problem);
        let Some(right) = winning_moves(&game, "score>=1") else { return };
        self.counts[2] += 1;
        let [right] = &right[..] else { return };
        // As in the source, every other move is worth nothing; or there are four values.
        let fits = if self.multi() {
            has_four_values(&game)
        } else {
            winning_moves(&game, LEAST).is_some_and(|moves| moves.len() == 1)
        };
        if !fits {
            return;
        }
        if self.wanted == Wanted::Trap && !lure(&game, std::slice::from_ref(right)).is_trap() {
            return;
        }
        self.counts[3] += 1;
        self.counts[4] += u64::from(blind);
        let answer =
            if right == "pass" { Some(Answer::Pass) } else { Place::read(right, problem.size).map(Answer::Play) };
        problem.answer = answer.into_iter().collect();
        problem.value = Some(Score::WIN);
        problem.plies = None;
        problem.proved = false;
        problem.comments.clear();
        let rights = [right.clone()];
        let short = simulations(&game, PLAIN, &rights, SHORT, 1);
        let early = short.is_some_and(|needed| needed < SHORT / 2);
        let needed = if early { short } else { simulations(&game, PLAIN, &rights, LONG, 1) };
        let candidate = Candidate { problem, family, right: right.clone(), needed };
        if blind {
            self.write(&candidate, &format!("blind-{}-{:04}", self.seed, self.counts[4]), &shown(needed));
        }
        let is_new = self.multi() || !self.kept.contains(&needed);
        let wanted = needed.map_or(self.multi(), |needed| KEPT.contains(&needed));
        if wanted && is_new && self.is_confirmed(&game, &rights) {
            self.kept.push(needed);
            self.counts[5] += 1;
            let name = format!("{}-{}-{:03}", self.wanted.name(), self.seed, self.counts[5]);
            let figures = figures(&game, &rights);
            println!("{name} after {} altered: right {right}, {figures}", self.counts[0]);
            self.write(&candidate, &name, &figures);
        }
        self.add(candidate);
    }

    /// Whether two further seeds agree that it is as hard as wanted.
    fn is_confirmed(&self, game: &str, right: &[String]) -> bool {
        (2..=3).all(|seed| {
            simulations(game, PLAIN, right, LONG, seed).map_or(self.multi(), |needed| KEPT.contains(&needed))
        })
    }

    /// Among those that are altered further, if it is near enough.
    fn add(&mut self, candidate: Candidate) {
        let multi = self.multi();
        let is_known = |other: &Candidate| {
            let is_same = other.family == candidate.family && other.needed == candidate.needed;
            other.problem.sites == candidate.problem.sites || (is_same && !multi)
        };
        if self.pool.iter().any(is_known) {
            return;
        }
        self.pool.push(candidate);
        self.pool.sort_by(|one, other| one.distance(multi).total_cmp(&other.distance(multi)));
        let families: Vec<&'static str> = self.pool.iter().map(|candidate| candidate.family).collect();
        let mut number = 0;
        self.pool.retain(|_| {
            let earlier = families[..number].iter().filter(|family| **family == families[number]).count();
            number += 1;
            multi || earlier < PER_FAMILY
        });
        self.pool.truncate(POOL);
    }

    fn write(&self, candidate: &Candidate, name: &str, figures: &str) {
        let mut problem = candidate.problem.clone();
        problem.title = name.into();
        problem.comments.push(format!("From {}, altered; right: {}; {figures}", candidate.family, candidate.right));
        let file = self.folder.join(format!("{name}.txt"));
        if let Err(error) = std::fs::write(&file, problem.to_string()) {
            println!("{}: {error}", file.display());
        }
    }
}

/// The problem as the text of a game.
fn spec_of(problem: &Problem) -> String {
    let text = problem.to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("goproblem(text=\"{text}\")")
}

fn shown(needed: Option<u64>) -> String {
    needed.map_or_else(|| "not found".into(), |needed| needed.to_string())
}

/// The simulations until the right move is picked for good; nothing: not within the iterations.
fn simulations(game: &str, agent: &str, right: &[String], iterations: u64, seed: u64) -> Option<u64> {
    let task = ThinkTask {
        game: game.into(),
        moves: Vec::new(),
        agent: agent.into(),
        limits: Limits { iterations: Some(iterations), ..Limits::default() },
        seed,
        every: Some(100),
        simulations: true,
        watch: Vec::new(),
        alike: Vec::new(),
    };
    settled(&task.run(&Access::restricted()).ok()?.picks, right)
}

/// What all searches need, three runs each, and the move that plain MCTS picks last of the wrong ones.
fn figures(game: &str, right: &[String]) -> String {
    let runs = |agent: &str| {
        let all: Vec<String> = (1..=3).map(|seed| shown(simulations(game, agent, right, LONG, seed))).collect();
        all.join(" ")
    };
    let combined = |parameter: &str, form: &str| COMBINED.replace("PARAMETER", parameter).replace("FORM", form);
    format!(
        "simulations: plain {}; combined 50 {}; combined 100 {}; jump 50 {}; {}",
        runs(PLAIN),
        runs(&combined("50", "descent")),
        runs(&combined("100", "descent")),
        runs(&combined("50", "jump")),
        lure(game, right)
    )
}

/// The wrong move that plain MCTS prefers, and the plies in which it is refuted, where these are at
/// most 7.
struct Lure {
    mv: String,
    plies: Option<u32>,
}

impl Lure {
    fn is_trap(&self) -> bool {
        matches!(self.plies, Some(3 | 5))
    }
}

impl std::fmt::Display for Lure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plies = self.plies.map_or("more than 7".into(), |plies| plies.to_string());
        write!(f, "lure {} refuted in {plies} plies", self.mv)
    }
}

/// The wrong move with the highest mean after 2,000 iterations of plain MCTS.
fn lure(game: &str, right: &[String]) -> Lure {
    let wrong = || -> Option<String> {
        let begun = Begun::new(game, &[], &Access::restricted()).ok()?;
        let limits = Limits { iterations: Some(2_000), ..Limits::default() };
        let mut agent = begun.agent(PLAIN, &limits, &Access::restricted()).ok()?;
        let budget = Budget::iterations(2_000);
        let report = agent.think(begun.position.as_ref(), &budget, Seed(1), &mut NoObserver).ok()?;
        let others = report.root.iter().filter(|entry| !right.contains(&entry.mv));
        let value = |mv: &&tesuji_core::RootMove<String>| mv.value.map_or(0.0, |value| value.for_player(Player::First));
        others.max_by(|one, other| value(one).total_cmp(&value(other))).map(|entry| entry.mv.clone())
    };
    let mv = wrong().unwrap_or_default();
    let plies = typed(game, &mv).and_then(|position| (1..=7).step_by(2).find(|plies| is_lost(&position, *plies)));
    Lure { mv, plies }
}

/// The position after a move.
fn typed(game: &str, mv: &str) -> Option<GoProblem> {
    let text = game.strip_prefix("goproblem(text=\"")?.strip_suffix("\")")?;
    let text = text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    let mut position = GoProblem::new(Problem::from_bytes(text.as_bytes()).ok()?).ok()?;
    let place = Place::read(mv, position.problem().size)?;
    let mv = position.move_to(place)?;
    position.play(mv);
    Some(position)
}

/// Whether White reaches the score 0 within these plies.
fn is_lost(position: &GoProblem, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.score == Score::LOSS;
    }
    if plies == 0 {
        return false;
    }
    let lost = |mv| {
        let mut next = position.clone();
        next.play(mv);
        is_lost(&next, plies - 1)
    };
    let mut moves = position.moves().into_iter();
    if position.turn() == Player::Second { moves.any(lost) } else { moves.all(lost) }
}

/// The first moves after which df-pn proves that the goal is reached; nothing if one is not answered.
fn winning_moves(game: &str, goal: &str) -> Option<Vec<String>> {
    let access = Access::restricted();
    let start = Begun::new(game, &[], &access).ok()?;
    let moves = start.position.moves();
    if moves.len() < 4 {
        return None;
    }
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let budget = Budget { nodes: Some(NODES), memory: Some(64 << 20), ..Budget::default() };
    let mut winning = Vec::new();
    for mv in moves {
        let after = Begun::new(game, std::slice::from_ref(&mv), &access).ok()?;
        let reached = match after.position.outcome() {
            Some(outcome) => outcome.score >= threshold(goal),
            None => {
                let mut solver = after.agent(&format!("df-pn(goal=\"{goal}\")"), &limits, &access).ok()?;
                let report = solver.think(after.position.as_ref(), &budget, Seed(1), &mut NoObserver).ok()?;
                match report.proof?.status {
                    tesuji_core::ProofStatus::Proved => true,
                    tesuji_core::ProofStatus::Disproved => false,
                    tesuji_core::ProofStatus::Unknown => return None,
                }
            }
        };
        if reached {
            winning.push(mv);
        }
    }
    Some(winning)
}

fn threshold(goal: &str) -> Score {
    goal.trim_start_matches("score>=").parse().ok().and_then(Score::from_f64).expect("a goal of ours")
}

/// Whether the first moves are worth 1, 0.7, 0.5 and 0, and no move 0.85, 0.3 or 0.15.
fn has_four_values(game: &str) -> bool {
    let count = |goal: &str| winning_moves(game, goal).map(|moves| moves.len());
    let [Some(best), Some(high), Some(seki), Some(ko), Some(low), Some(any)] =
        ["score>=1", "score>=0.85", "score>=0.7", "score>=0.5", "score>=0.3", "score>=0.15"].map(count)
    else {
        return false;
    };
    let all = Begun::new(game, &[], &Access::restricted()).map_or(0, |begun| begun.position.moves().len());
    best == 1 && high == best && seki > high && ko > seki && low == ko && any == low && any < all
}

/// The problem after random changes; nothing if it is not consistent, or has ended.
fn altered(start: &Problem, steps: u32, rng: &mut Rng) -> Option<Problem> {
    let mut problem = start.clone();
    problem.answer.clear();
    problem.value = None;
    for _ in 0..steps {
        alter(&mut problem, rng);
    }
    let open = problem.places_where(|site| site.feasible && site.stone.is_none()).len();
    if problem.sites == start.sites || !OPEN.contains(&open) {
        return None;
    }
    let position = GoProblem::new(problem.clone()).ok()?;
    problem.check().ok()?;
    position.outcome().is_none().then_some(problem)
}

/// One change: another stone or none on a feasible point, or the wall moved by one point.
fn alter(problem: &mut Problem, rng: &mut Rng) {
    let feasible = problem.places_where(|site| site.feasible);
    if feasible.is_empty() {
        return;
    }
    let place = feasible[rng.below(feasible.len() as u32) as usize];
    let defender = problem.mode.defender();
    match rng.below(8) {
        0..=4 => {
            let stone = match rng.below(3) {
                0 => None,
                1 => Some(Player::First),
                _ => Some(Player::Second),
            };
            let important = stone == Some(defender) && beside(problem, place).any(|next| problem.site(next).important);
            *problem.site_mut(place) = Site { stone, feasible: true, important, alive: false };
        }
        5 | 6 => {
            // A stone of the wall beside the region becomes part of it, and its outer neighbours the wall.
            let wall: Vec<Place> = beside(problem, place)
                .filter(|next| !problem.site(*next).feasible && problem.site(*next).stone.is_some())
                .collect();
            if wall.is_empty() {
                return;
            }
            let moved = wall[rng.below(wall.len() as u32) as usize];
            let stone = problem.site(moved);
            let outer: Vec<Place> = beside(problem, moved)
                .filter(|next| !problem.site(*next).feasible && problem.site(*next).stone.is_none())
                .collect();
            for next in outer {
                *problem.site_mut(next) = Site { important: false, ..stone };
            }
            let kept = if rng.below(2) == 0 { None } else { stone.stone };
            *problem.site_mut(moved) = Site { stone: kept, feasible: true, important: false, alive: false };
        }
        _ => {
            // A point beside the wall becomes wall.
            let wall = beside(problem, place).find(|next| !problem.site(*next).feasible);
            if let Some(wall) = wall.map(|wall| problem.site(wall)).filter(|site| site.stone.is_some()) {
                *problem.site_mut(place) = Site { important: false, ..wall };
            }
        }
    }
}

/// The neighbours of a point.
fn beside(problem: &Problem, place: Place) -> impl Iterator<Item = Place> + use<> {
    let size = problem.size;
    [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(move |(down, right)| {
        let row = place.row.checked_add_signed(down)?;
        let column = place.column.checked_add_signed(right)?;
        (row < size && column < size).then_some(Place { row, column })
    })
}
