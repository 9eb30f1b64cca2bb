//! The positions of an experiment.
//!
//! ```toml
//! [[setup.positions]]
//! name = "8×8"
//! game = "pgame(branching=8,depth=8,seed={i})"   # {i} counts from `from` (1 if not said)
//! count = 200
//! moves = "a1 b2"                                # played first
//! random-plies = 44                              # then random ones, by the seed
//! group = "level 4"                              # reported together; the name if not said
//! right = ["c3", "d4"]                           # the right moves, where they are asked for,
//! right-by = "oracle"                            # or the agent that proves them
//! every = true                                   # instead of a count: all positions of the game
//! most-iterations = 10000                        # of searches here, whatever agents are allowed
//! ```

use crate::plan::Problem;
use crate::tasks::limits::Limits;
use crate::tasks::position::Begun;
use serde::Deserialize;
use std::collections::{HashSet, VecDeque};
use tesuji_agents::Access;
use tesuji_core::{Budget, NoObserver, Score, Seed};
use toml::Spanned;

/// Most positions of one entry.
const MOST: u64 = 100_000;

/// Positions as files state them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PositionText {
    name: Spanned<String>,
    game: Spanned<String>,
    moves: Option<Spanned<String>>,
    random_plies: Option<u32>,
    count: Option<Spanned<u64>>,
    from: Option<u64>,
    group: Option<String>,
    #[serde(default)]
    right: Vec<Spanned<String>>,
    right_by: Option<Spanned<String>>,
    #[serde(default)]
    every: bool,
    most_iterations: Option<u64>,
}

/// Positions that are reported together.
pub struct Group {
    /// Its name in labels and reports.
    pub name: String,
    entries: Vec<Entry>,
}

struct Entry {
    text: PositionText,
    seed: Seed,
}

/// One position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The canonical game.
    pub game: String,
    /// The moves before it.
    pub moves: Vec<String>,
    /// The moves that are right, where that was asked.
    pub right: Vec<String>,
    /// The most iterations of a search.
    pub most_iterations: Option<u64>,
}

/// Reads positions; the first of each entry is made, to be checked, and answered for the agents.
///
/// # Errors
/// If a game does not exist, a move is not legal, or the game has ended.
pub fn read(texts: Vec<PositionText>, seed: u64, access: &Access) -> Result<(Vec<Group>, Vec<Begun>), Problem> {
    let (mut groups, mut firsts): (Vec<Group>, Vec<Begun>) = (Vec::new(), Vec::new());
    let mut names = HashSet::new();
    for (index, text) in texts.into_iter().enumerate() {
        let name = text.name.get_ref().clone();
        if !names.insert(name.clone()) {
            return Err(Problem::at(&text.name, format!("two positions are named \"{name}\"")));
        }
        let entry = Entry { seed: Seed(seed).derive(2_000_000_011).derive(index as u64), text };
        firsts.push(entry.checked(access)?);
        let name = entry.text.group.clone().unwrap_or(name);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.entries.push(entry),
            None => groups.push(Group { name, entries: vec![entry] }),
        }
    }
    Ok((groups, firsts))
}

impl Entry {
    /// Checks everything that can be checked without making all positions.
    fn checked(&self, access: &Access) -> Result<Begun, Problem> {
        let text = &self.text;
        if let Some(count) = text.count.as_ref().filter(|count| !(1..=MOST).contains(count.get_ref())) {
            return Err(Problem::at(count, format!("count must be from 1 to {MOST}")));
        }
        let first = self.begun(0, access).map_err(|(span, what)| Problem { span, what })?;
        if first.position.outcome().is_some() {
            return Err(Problem::at(&text.game, "the game has ended"));
        }
        for mv in &text.right {
            first.position.boxed_clone().play(mv.get_ref()).map_err(|error| Problem::at(mv, error))?;
        }
        let differ = text.game.get_ref().contains("{i}") || text.random_plies.is_some_and(|plies| plies > 0);
        let several = self.count() > 1;
        if several && !differ {
            return Err(Problem::at(&text.game, "count needs {i} in the game, or random-plies: all would be the same"));
        }
        if text.every && (several || differ) {
            return Err(Problem::at(&text.game, "every = true lists all positions after the moves; it takes no count"));
        }
        match (&text.right_by, text.right.first()) {
            (Some(by), Some(_)) => return Err(Problem::at(by, "right and right-by: keep one of the two")),
            (None, Some(mv)) if several || text.every => {
                return Err(Problem::at(mv, "right moves are those of one position; right-by finds those of many"));
            }
            (Some(by), None) => {
                first.agent(by.get_ref(), &Limits::default(), access).map_err(|error| Problem::at(by, error))?;
            }
            _ => {}
        }
        Ok(first)
    }

    fn count(&self) -> u64 {
        self.text.count.as_ref().map_or(1, |count| *count.get_ref())
    }

    fn begun(&self, number: u64, access: &Access) -> Result<Begun, (std::ops::Range<usize>, String)> {
        let PositionText { game, moves, random_plies, from, .. } = &self.text;
        let text = game.get_ref().replace("{i}", &(from.unwrap_or(1) + number).to_string());
        let start = Begun::new(&text, &[], access).map_err(|error| (game.span(), error))?;
        let begun = match moves {
            None => start,
            Some(moves) => {
                let list: Vec<String> = moves.get_ref().split_whitespace().map(String::from).collect();
                Begun::new(&text, &list, access).map_err(|error| (moves.span(), error))?
            }
        };
        match random_plies {
            None | Some(0) => Ok(begun),
            Some(plies) => {
                begun.after_random_plies(*plies, self.seed.derive(number)).map_err(|error| (game.span(), error))
            }
        }
    }

    fn cases(&self, most: u64, access: &Access) -> Result<Vec<Case>, String> {
        let failed = |(_, what): (std::ops::Range<usize>, String)| format!("{}: {what}", self.text.name.get_ref());
        let all = if self.text.every {
            every_position(&self.begun(0, access).map_err(failed)?, most)?
        } else {
            (0..self.count().min(most))
                .map(|number| self.begun(number, access).map_err(failed))
                .collect::<Result<_, _>>()?
        };
        let case = |begun: Begun| {
            let right = match &self.text.right_by {
                None => self.text.right.iter().map(|mv| mv.get_ref().clone()).collect(),
                Some(by) => right_moves(&begun, by.get_ref(), access)?,
            };
            let most_iterations = self.text.most_iterations;
            Ok(Case { game: begun.game.to_string(), moves: begun.moves, right, most_iterations })
        };
        all.into_iter().map(case).collect()
    }
}

impl Group {
    /// Whether it is known which moves are right.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.entries.iter().all(|entry| entry.text.right_by.is_some() || !entry.text.right.is_empty())
    }

    /// The first position.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn first(&self, access: &Access) -> Result<Begun, String> {
        let entry = self.entries.first().ok_or("a group without positions")?;
        entry.begun(0, access).map_err(|(_, what)| what)
    }

    /// Whether there is only one position.
    #[must_use]
    pub fn is_single(&self) -> bool {
        matches!(&self.entries[..], [only] if only.count() == 1 && !only.text.every)
    }

    /// The positions, in order, the first `most` of them.
    ///
    /// # Errors
    /// If one cannot be made.
    pub fn cases(&self, most: u64, access: &Access) -> Result<Vec<Case>, String> {
        let mut all = Vec::new();
        for entry in &self.entries {
            let left = most - all.len() as u64;
            if left == 0 {
                break;
            }
            all.extend(entry.cases(left, access)?);
        }
        Ok(all)
    }
}

/// All positions that can be reached and have not ended, each once, nearest first.
fn every_position(begun: &Begun, most: u64) -> Result<Vec<Begun>, String> {
    let (mut seen, mut all) = (HashSet::from([begun.position.hash()]), Vec::new());
    let mut waiting = VecDeque::from([begun.copy()]);
    while let Some(next) = waiting.pop_front() {
        for mv in next.position.moves() {
            let mut after = next.copy();
            after.play(&mv)?;
            if after.position.outcome().is_none() && seen.insert(after.position.hash()) {
                waiting.push_back(after);
            }
        }
        if seen.len() as u64 > MOST {
            return Err(format!("more than {MOST} positions can be reached"));
        }
        if all.len() as u64 == most {
            break;
        }
        all.push(next);
    }
    Ok(all)
}

/// The moves that an agent proves to be as good as any, or does not prove to be worse.
fn right_moves(begun: &Begun, agent: &str, access: &Access) -> Result<Vec<String>, String> {
    let mut judge = begun.agent(agent, &Limits::default(), access)?;
    let report = judge
        .think(begun.position.as_ref(), &Budget::unlimited(), Seed(1), &mut NoObserver)
        .map_err(|error| format!("{agent}: {error}"))?;
    let ends: Vec<(Score, Score)> = report.root.iter().map(|entry| entry.bounds.for_player(report.turn)).collect();
    let best = ends.iter().map(|(sure, _)| *sure).max().unwrap_or(Score::LOSS);
    // Proved to be worth what no other is sure to exceed, or not proved to be worth no more; in a
    // position that is lost every move is as good as any.
    let is_lost = ends.iter().all(|(_, hoped)| *hoped == Score::LOSS);
    let is_right = |(sure, hoped): &(Score, Score)| *hoped > best || (*sure == best && best > Score::LOSS) || is_lost;
    let right = report.root.iter().zip(&ends).filter(|(_, ends)| is_right(ends)).map(|(entry, _)| entry);
    let right: Vec<String> = right.map(|entry| entry.mv.clone()).collect();
    if right.is_empty() { Err(format!("{agent} finds no right move")) } else { Ok(right) }
}
