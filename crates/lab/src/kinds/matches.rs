//! Agents play each other: a round robin, a gauntlet of the first against the others, or chosen
//! pairings.
//!
//! Two games in a row make a pair: the same opening, colours exchanged. A pair is one observation
//! (see [`pairs`](crate::statistics::pairs)). With `colours = "fixed"` the first-named agent moves
//! first in every game, and every game is an observation.

use super::agents::{self, AgentText, Contestant, LimitsText};
use super::suite::by_rounds;
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Bar, BarPlot};
use crate::report::{Findings, Measure, Table};
use crate::report::{figure, percent};
use crate::statistics::bradley_terry::Pool;
use crate::statistics::duplicates::duplicates;
use crate::statistics::first_move::FirstMove;
use crate::statistics::pairs::Pairs;
use crate::statistics::wilson::Scores;
use crate::statistics::{Confidence, Interval};
use crate::tasks::Task;
use crate::tasks::game::{Adjudication, GameResult, GameTask, Side};
use crate::tasks::position::Begun;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tesuji_agents::Access;
use tesuji_core::Seed;
use toml::Spanned;

/// Most games of one pairing.
const MOST: u64 = 1_000_000;
const P95: Confidence = Confidence::P95;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SetupText {
    pub(super) game: Spanned<String>,
    pub(super) moves: Option<Spanned<String>>,
    pub(super) agents: Spanned<Vec<AgentText>>,
    #[serde(default)]
    pub(super) limits: LimitsText,
    pub(super) pairing: Option<Spanned<String>>,
    pub(super) pairs: Option<Vec<Spanned<[String; 2]>>>,
    pub(super) games: Spanned<u64>,
    #[serde(default)]
    pub(super) random_plies: u32,
    pub(super) openings: Option<Spanned<Vec<String>>>,
    pub(super) colours: Option<Spanned<String>>,
    pub(super) adjudicate: Option<Spanned<Adjudication>>,
    #[serde(default)]
    pub(super) trace: bool,
}

/// What a job's label says: which pairing, and which game of it.
#[derive(Serialize, Deserialize)]
struct Label {
    /// Which board of an experiment of several.
    #[serde(default, skip_serializing_if = "is_zero")]
    board: usize,
    pairing: usize,
    game: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference.
fn is_zero(board: &usize) -> bool {
    *board == 0
}

pub(super) struct Match {
    board: usize,
    begun: Begun,
    agents: Vec<Contestant>,
    pairings: Vec<[usize; 2]>,
    games: u64,
    openings: Openings,
    fixed: bool,
    adjudicate: Option<Adjudication>,
    trace: bool,
    seed: Seed,
}

/// How games begin.
pub enum Openings {
    /// With random plies.
    Random(u32),
    /// With one of these, in turn; each is legal.
    Listed(Vec<Begun>),
}

impl Openings {
    /// Reads listed openings: moves after the start of the game.
    ///
    /// # Errors
    /// If a move is not legal, or the game has ended.
    pub fn listed(begun: &Begun, lines: &[String], access: &Access) -> Result<Openings, String> {
        let mut all = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let moves: Vec<String> =
                begun.moves.iter().cloned().chain(line.split_whitespace().map(String::from)).collect();
            let opened = Begun::new(&begun.game.to_string(), &moves, access);
            let opened = opened.map_err(|error| format!("opening {}: {error}", number + 1))?;
            if opened.position.outcome().is_some() {
                return Err(format!("opening {}: the game has ended", number + 1));
            }
            all.push(opened);
        }
        if all.is_empty() { Err("at least one opening is needed".into()) } else { Ok(Openings::Listed(all)) }
    }

    /// The opening of this number, from 0; a match gives both games of a pair the same.
    ///
    /// # Errors
    /// If games end before the random plies are played.
    pub fn open(&self, begun: &Begun, number: u64, seed: Seed) -> Result<Begun, String> {
        match self {
            Openings::Random(plies) => begun.after_random_plies(*plies, seed.derive(1_000_000_007).derive(number)),
            Openings::Listed(all) => Ok(all[(number % all.len() as u64) as usize].copy()),
        }
    }
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let text: SetupText = setup.read()?;
    Ok(Box::new(design(text, setup.access, Seed(setup.seed), 0)?))
}

/// The match of a setup, on this board of an experiment of several.
pub(super) fn design(text: SetupText, access: &Access, seed: Seed, board: usize) -> Result<Match, Problem> {
    let list = |moves: &Spanned<String>| moves.get_ref().split_whitespace().map(String::from).collect();
    let moves: Vec<String> = text.moves.as_ref().map(list).unwrap_or_default();
    let at_moves = text.moves.as_ref().unwrap_or(&text.game);
    Begun::new(text.game.get_ref(), &[], access).map_err(|error| Problem::at(&text.game, error))?;
    let begun = Begun::new(text.game.get_ref(), &moves, access).map_err(|error| Problem::at(at_moves, error))?;
    if begun.position.outcome().is_some() {
        return Err(Problem::at(at_moves, "the game has ended before it began"));
    }
    let agents = agents::read(text.agents.get_ref(), text.limits.into(), begun.position.as_ref(), access)?;
    let games = *text.games.get_ref();
    if games == 0 || games > MOST {
        return Err(Problem::at(&text.games, format!("games must be from 1 to {MOST}")));
    }
    let fixed = match text.colours.as_ref().map(|colours| (colours, colours.get_ref().as_str())) {
        None | Some((_, "alternate")) => false,
        Some((_, "fixed")) => true,
        Some((colours, _)) => return Err(Problem::at(colours, "colours must be alternate or fixed")),
    };
    if !fixed && !games.is_multiple_of(2) {
        return Err(Problem::at(&text.games, "games must be even: two games with colours exchanged make a pair"));
    }
    let openings = match &text.openings {
        None => Openings::Random(text.random_plies),
        Some(listed) if text.random_plies > 0 => {
            return Err(Problem::at(listed, "openings and random-plies: keep one of the two"));
        }
        Some(listed) => {
            Openings::listed(&begun, listed.get_ref(), access).map_err(|error| Problem::at(listed, error))?
        }
    };
    openings.open(&begun, 0, seed).map_err(|error| Problem::at(&text.game, error))?;
    if let Some(rules) = &text.adjudicate {
        rules.get_ref().check().map_err(|error| Problem::at(rules, error))?;
    }
    Ok(Match {
        board,
        pairings: pairings(&text, &agents)?,
        begun,
        agents,
        games,
        openings,
        fixed,
        adjudicate: text.adjudicate.map(Spanned::into_inner),
        trace: text.trace,
        seed,
    })
}

fn pairings(text: &SetupText, agents: &[Contestant]) -> Result<Vec<[usize; 2]>, Problem> {
    let count = agents.len();
    let all = match (&text.pairs, text.pairing.as_ref().map(|pairing| (pairing, pairing.get_ref().as_str()))) {
        (Some(_), Some((pairing, _))) => return Err(Problem::at(pairing, "pairs and pairing: keep one of the two")),
        (Some(pairs), None) => {
            let find = |pair: &Spanned<[String; 2]>, name: &String| {
                let known = || agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
                let found = agents.iter().position(|agent| agent.name == *name);
                found.ok_or_else(|| Problem::at(pair, format!("no agent is named \"{name}\"; there are {}", known())))
            };
            let both = |pair: &Spanned<[String; 2]>| {
                let [first, second] = pair.get_ref();
                Ok([find(pair, first)?, find(pair, second)?])
            };
            pairs.iter().map(both).collect::<Result<Vec<_>, Problem>>()?
        }
        (None, None | Some((_, "round-robin"))) => {
            (0..count).flat_map(|one| (one + 1..count).map(move |other| [one, other])).collect()
        }
        (None, Some((_, "gauntlet"))) => (1..count).map(|other| [0, other]).collect(),
        (None, Some((pairing, _))) => return Err(Problem::at(pairing, "pairing must be round-robin or gauntlet")),
    };
    if all.is_empty() {
        return Err(Problem::at(&text.agents, "a match needs at least two agents"));
    }
    Ok(all)
}

impl Match {
    fn pairing_name(&self, [first, second]: [usize; 2]) -> String {
        format!("{} – {}", self.agents[first].name, self.agents[second].name)
    }

    /// The scores of all pairings.
    fn picture(&self, tallies: &[Tally]) -> BarPlot {
        let bar = |(pairing, tally): (&[usize; 2], &Tally)| {
            let score = tally.score(self.fixed)?.map(|share| 100.0 * share);
            Some(Bar { name: self.pairing_name(*pairing), value: score })
        };
        BarPlot {
            title: "Scores of the first agent".into(),
            axis: Axis::new("Score", "%").between(0.0, 100.0),
            base: 50.0,
            bars: self.pairings.iter().zip(tallies).filter_map(bar).collect(),
        }
    }

    fn side(&self, agent: usize) -> Side {
        Side { agent: self.agents[agent].agent.clone(), limits: self.agents[agent].limits }
    }

    /// Its jobs, each with its round.
    pub(super) fn rounds(&self) -> Result<Vec<(u64, Planned)>, String> {
        let mut jobs = Vec::new();
        for (pairing, [one, other]) in self.pairings.iter().enumerate() {
            for game in 0..self.games {
                let number = if self.fixed { game } else { game / 2 };
                let opened = self.openings.open(&self.begun, number, self.seed)?;
                let swapped = !self.fixed && game % 2 == 1;
                let (first, second) = if swapped { (*other, *one) } else { (*one, *other) };
                let task = Task::Game(GameTask {
                    game: opened.game.to_string(),
                    opening: opened.moves,
                    first: self.side(first),
                    second: self.side(second),
                    seed: self.seed.derive(pairing as u64).derive(game).0,
                    adjudicate: self.adjudicate,
                    trace: self.trace,
                });
                let label = serde_json::to_value(Label { board: self.board, pairing, game }).expect("labels serialise");
                jobs.push((number, Planned::new(label, task)));
            }
        }
        Ok(jobs)
    }
}

impl Kind for Match {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.agents)
    }

    /// Round by round: every pairing has played its first pair before any plays the second.
    fn jobs(&self) -> Result<Vec<Planned>, String> {
        self.rounds().map(by_rounds)
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut tallies: Vec<Tally> = self.pairings.iter().map(|_| Tally::default()).collect();
        let mut played = Vec::new();
        for (job, Label { board, pairing, game }, result) in results.typed::<Label, GameResult>() {
            if board != self.board {
                continue;
            }
            let Some(tally) = tallies.get_mut(pairing) else { continue };
            let opening = if let Task::Game(task) = &job.task { task.opening.as_slice() } else { &[] };
            played.push((pairing, game % 2, opening, result.moves));
            tally.games.insert(game, result.score);
        }
        let mut findings = Findings::default();
        let head = ["first agent", "second agent", "games", "won", "drawn", "lost", "score", "Elo"];
        let mut table = Table::new("Pairings, seen from the first agent", &head);
        let mut pool = Pool::new(self.agents.iter().map(|agent| agent.name.clone()).collect());
        let mut advantage = FirstMove::default();
        for (pairing, tally) in self.pairings.iter().zip(&tallies) {
            let score = tally.score(self.fixed);
            let name = self.pairing_name(*pairing);
            let trials = tally.games.len() as u64;
            findings.measures.push(Measure::of_share(format!("score: {name}"), score, trials));
            let [won, drawn, lost] = tally.results(self.fixed);
            let elo = tally.pairs(self.fixed).elo(P95).filter(|_| !self.fixed);
            let elo = elo.map_or("–".into(), |it| format!("{:+.0} ({:+.0} to {:+.0})", it.estimate, it.low, it.high));
            let names = pairing.map(|agent| self.agents[agent].name.clone());
            let numbers = [trials, won, drawn, lost].map(|number| figure(number as f64));
            table.rows.push([&names[..], &numbers[..], &[percent(score), elo]].concat());
            if pairing[0] != pairing[1] {
                pool.add(*pairing, [won, drawn, lost]);
            }
            tally.first_moves(self.fixed, &mut advantage);
        }
        findings.tables.push(table);
        findings.draw(|width| self.picture(&tallies).draw(width));
        findings.measures.push(Measure::of_share(
            "score of the side that moves first",
            advantage.share(P95),
            advantage.games(),
        ));
        if self.agents.len() > 2 && !played.is_empty() {
            match pool.ratings() {
                Ok(ratings) => {
                    let mut table = Table::new("Ratings (Bradley–Terry, 0 is the mean)", &["agent", "Elo", "95 %"]);
                    for player in ratings.ranking() {
                        let Interval { estimate, low, high } = ratings.rating(player, P95);
                        let range = format!("{low:+.0} to {high:+.0}");
                        table.rows.push(vec![pool.names()[player].clone(), format!("{estimate:+.0}"), range]);
                    }
                    findings.tables.push(table);
                }
                Err(why) => findings.notes.push(format!("No ratings: {why}.")),
            }
        }
        let repeated = duplicates(played);
        if repeated.distinct < repeated.games {
            let (games, distinct) = (repeated.games, repeated.distinct);
            findings.notes.push(format!(
                "Of {games} games {distinct} are different: the intervals count repeated games as if they were new."
            ));
        }
        findings
    }
}

/// The games of one pairing: by number, the score of the side that moved first.
#[derive(Default)]
struct Tally {
    games: BTreeMap<u64, f64>,
}

impl Tally {
    /// The scores of the pairing's first agent.
    fn scores(&self, fixed: bool) -> impl Iterator<Item = (u64, f64)> {
        let own =
            move |(game, score): (&u64, &f64)| (*game, if !fixed && game % 2 == 1 { 1.0 - score } else { *score });
        self.games.iter().map(own)
    }

    fn results(&self, fixed: bool) -> [u64; 3] {
        let mut results = [0; 3];
        for (_, score) in self.scores(fixed) {
            results[if score > 0.5 {
                0
            } else if score < 0.5 {
                2
            } else {
                1
            }] += 1;
        }
        results
    }

    fn pairs(&self, fixed: bool) -> Pairs {
        let mut pairs = Pairs::default();
        self.scores(fixed).for_each(|(game, score)| pairs.add(game, score));
        pairs
    }

    fn score(&self, fixed: bool) -> Option<Interval> {
        if !fixed {
            return self.pairs(false).share(P95);
        }
        let mut scores = Scores::default();
        self.scores(true).for_each(|(_, score)| scores.add(score));
        scores.share(1, P95)
    }

    fn first_moves(&self, fixed: bool, advantage: &mut FirstMove) {
        for (game, score) in &self.games {
            match self.games.get(&(game + 1)) {
                _ if fixed => advantage.add_game(*score),
                Some(other) if game % 2 == 0 => advantage.add_pair([*score, *other]),
                _ => {}
            }
        }
    }
}
