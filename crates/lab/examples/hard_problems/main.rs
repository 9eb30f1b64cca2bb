//! Looks for life-and-death problems as hard as those of Lin 2017, chapter 4, whose diagrams are lost.
//!
//! ```text
//! cargo run --release -p tesuji-lab --example hard_problems -- complex|trap-3|multi SEED COUNT FOLDER [START…]
//! cargo run --release -p tesuji-lab --example hard_problems -- sample complex|trap-3|multi SEED COUNT FOLDER
//! cargo run --release -p tesuji-lab --example hard_problems -- measure|lures FILE…
//! ```
//!
//! Idea: a problem is altered at random (`alter.rs`: stones, empty points, the wall), and what comes
//! out is altered further if it is nearer to what is wanted than others. Near is not only as hard: a
//! candidate may lack something of the kind that is wanted, such as a trap that is refuted in three
//! plies, or one of four values. What it lacks costs as much as a factor in simulations, so that the
//! search comes to the kind and to the difficulty by small steps. For every candidate df-pn first
//! answers what the first moves are worth; only those with exactly one move worth 1 are measured.
//! Measured (`measure.rs`) is what Lin's tables give: the simulations until plain MCTS (the highest
//! mean, C = 1.414) picks the right move for good, looked at after every 100 iterations.
//!
//! | what | wanted | reference |
//! |---|---|---|
//! | `complex` | 30,000 to 100,000 simulations; one move is worth 1, the others 0 | Lin 2017 §4.5 |
//! | `trap-3` | the same; the wrong move that MCTS likes best is refuted in three plies | Lin 2017 §4.2 |
//! | `multi` | first moves worth 1, 0.7, 0.5 and less, the best not picked within the budget | Lin 2017 §4.6 |
//!
//! Problems to begin with are those that are built in, and six hard ones (`starts.txt`) that an earlier
//! form of this program made out of them.
//!
//! Selection favours the effect: a problem that is hard for one search by chance is kept. Therefore
//! every eighth candidate is *blind*: altered several times without any look at its difficulty. Blind
//! candidates of the wanted kind are written as `blind-…`, an unselected sample of the generator; with
//! `sample` all candidates are blind. Selection never looks at the combined search.
//!
//! Everything is limited by iterations and nodes, so that the same arguments find the same problems.
#![allow(clippy::print_stdout)]

mod alter;
mod measure;

use alter::altered;
use measure::{
    LEAST, PLAIN, figures, lure, lure_in_words, missing_values, refuted, shown, simulations, spec_of, winning_moves,
};
use std::path::Path;
use tesuji_core::{Rng, Score, Seed};
use tesuji_games::goproblem::{Answer, PROBLEMS, Place, Problem};

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
/// One candidate in so many is blind, where hard ones are looked for.
const BLIND: u64 = 8;
/// Hard problems that earlier runs of this program found; half of the fresh starts.
const STARTS: &str = include_str!("starts.txt");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["lures", files @ ..] => files.iter().for_each(|file| tell_lure(file)),
        ["measure", files @ ..] => files.iter().for_each(|file| measure_file(file)),
        ["sample", wanted, seed, count, folder] => hunt(wanted, seed, count, folder, 1, &[]),
        [wanted, seed, count, folder, starts @ ..] => hunt(wanted, seed, count, folder, BLIND, starts),
        _ => println!("usage: [sample] complex|trap-3|multi SEED COUNT FOLDER, or measure|lures FILE…"),
    }
}

/// Alters and measures; one candidate in `blind` is blind. It begins with the problems of these files
/// if there are any.
fn hunt(wanted: &str, seed: &str, count: &str, folder: &str, blind: u64, starts: &[&str]) {
    let wanted = [Wanted::Complex, Wanted::Trap, Wanted::Multi].into_iter().find(|known| known.name() == wanted);
    let (Some(wanted), Ok(seed), Ok(count)) = (wanted, seed.parse(), count.parse()) else {
        return println!("expected complex, trap-3 or multi, and two numbers");
    };
    let (rng, folder) = (Rng::new(Seed(seed)), Path::new(folder));
    let text = |file: &&str| match std::fs::read_to_string(file) {
        Ok(text) => Some(&*text.leak()),
        Err(error) => {
            println!("{file}: {error}");
            None
        }
    };
    let starts = starts.iter().filter_map(text).collect();
    Hunt { wanted, seed, folder, blind, starts, rng, pool: Vec::new(), kept: Vec::new(), counts: [0; 6] }.run(count);
}

/// A problem of a file, and its right moves.
fn read(file: &str) -> Result<(String, Vec<String>), String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let problem = Problem::from_bytes(&bytes).map_err(|error| error.to_string())?;
    let right = problem.answer.iter().map(|answer| answer.show(problem.size)).collect();
    Ok((spec_of(&problem), right))
}

/// Measures a problem of a file with all searches.
fn measure_file(file: &str) {
    println!("{file}: {}", read(file).map_or_else(|error| error, |(game, right)| figures(&game, &right)));
}

/// Tells which wrong move plain MCTS likes best early, and in how many plies it is refuted.
fn tell_lure(file: &str) {
    println!("{file}: {}", read(file).map_or_else(|error| error, |(game, right)| lure_in_words(&game, &right)));
}

/// A candidate with one right move.
#[derive(Clone)]
struct Candidate {
    problem: Problem,
    /// What it lacks of the kind that is wanted: 0 is nothing.
    lack: u32,
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
        let lack = f64::from(self.lack);
        if multi { 3.0 * lack - libm::log(needed) } else { 2.0 * lack + libm::log(needed / MIDDLE).abs() }
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
    /// One candidate in so many is blind.
    blind: u64,
    /// Problems to begin with, if not with ours.
    starts: Vec<&'static str>,
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
            Wanted::Trap => "trap-3",
            Wanted::Multi => "multi",
        }
    }
}

impl Hunt<'_> {
    fn multi(&self) -> bool {
        self.wanted == Wanted::Multi
    }

    fn run(&mut self, count: u64) {
        for number in 1..=count {
            let blind = number % self.blind == 0;
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
            if number % 50 == 0 {
                self.tell();
            }
        }
        self.tell();
    }

    /// A problem to begin with.
    fn built_in(&mut self) -> (Problem, &'static str) {
        let (text, family) = if !self.starts.is_empty() {
            let start = self.starts[self.rng.below(self.starts.len() as u32) as usize];
            (start, start.lines().next().expect("a title"))
        } else if self.rng.below(2) == 0 {
            let starts: Vec<&'static str> = STARTS.split("\n\n").collect();
            let start = starts[self.rng.below(starts.len() as u32) as usize];
            (start, start.lines().next().expect("a title"))
        } else {
            let all = PROBLEMS.entries();
            let entry = &all[self.rng.below(all.len() as u32) as usize];
            (entry.text.as_ref(), entry.id.as_ref())
        };
        (Problem::from_bytes(text.as_bytes()).expect("ours can be read"), family)
    }

    fn tell(&self) {
        let [altered, consistent, answered, one, blind, kept] = self.counts;
        let mut best: Vec<String> =
            self.pool.iter().map(|candidate| format!("{}-{}", shown(candidate.needed), candidate.lack)).collect();
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
        let mut lack = 0;
        if self.multi() {
            let Some(missing) = missing_values(&game) else { return };
            lack = missing;
        } else if winning_moves(&game, LEAST).is_none_or(|moves| moves.len() != 1) {
            return;
        }
        if self.blind == 1 && lack > 0 {
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
        if self.wanted == Wanted::Trap {
            lack = lure(&game, &rights).map_or(4, |mv| match refuted(&game, &mv, 5) {
                Some(3) => 0,
                Some(_) => 1,
                None => 2,
            });
        }
        let candidate = Candidate { problem, lack, family, right: right.clone(), needed };
        if blind && (!self.multi() || lack == 0) {
            self.write(&candidate, &format!("blind-{}-{:04}", self.seed, self.counts[4]), &shown(needed));
        }
        let is_new = self.multi() || !self.kept.contains(&needed);
        let wanted = !blind && lack == 0 && needed.map_or(self.multi(), |needed| KEPT.contains(&needed));
        if wanted && is_new && self.kept.len() < 60 && self.is_confirmed(&game, &rights) {
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
            earlier < PER_FAMILY
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
