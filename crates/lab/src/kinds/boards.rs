//! Matches of the same agents on several boards: one [`match`](super::matches) for each.
//!
//! ```toml
//! [[setup.boards]]
//! name = "Go 5, 1,000 iterations"
//! game = "go(size=5)"
//! limits = { iterations = 1000 }     # else those of [setup]
//! agents = ["mcts", "ann"]           # else all
//! pairing = "gauntlet"               # else that of [setup]
//! games = 10                         # else those of [setup]
//! ```
//!
//! `only = ["Go 5, 1,000 iterations"]` leaves out all other boards: for the quick size, since a size
//! adds boards and changes them by name, and removes none.
//!
//! Measures and tables bear the name of their board. Rounds go over all boards.

use super::agents::{AgentText, LimitsText};
use super::matches::{Match, SetupText, design};
use super::suite::by_rounds;
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::report::Findings;
use serde::Deserialize;
use tesuji_core::Seed;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BoardsText {
    boards: Spanned<Vec<BoardText>>,
    only: Option<Spanned<Vec<String>>>,
    agents: Spanned<Vec<AgentText>>,
    #[serde(default)]
    limits: LimitsText,
    pairing: Option<Spanned<String>>,
    games: Spanned<u64>,
    #[serde(default)]
    random_plies: u32,
    #[serde(default)]
    trace: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardText {
    name: Spanned<String>,
    game: Spanned<String>,
    limits: Option<LimitsText>,
    agents: Option<Spanned<Vec<String>>>,
    pairing: Option<Spanned<String>>,
    games: Option<Spanned<u64>>,
}

struct Boards(Vec<(String, Match)>);

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let text: BoardsText = setup.read()?;
    let mut boards: Vec<(String, Match)> = Vec::new();
    if let Some(only) = &text.only {
        let known = |name: &&String| text.boards.get_ref().iter().any(|board| board.name.get_ref() == *name);
        if let Some(unknown) = only.get_ref().iter().find(|name| !known(name)) {
            return Err(Problem::at(only, format!("no board is named \"{unknown}\"")));
        }
    }
    let played = |name: &String| text.only.as_ref().is_none_or(|only| only.get_ref().contains(name));
    for (number, board) in text.boards.get_ref().iter().enumerate() {
        let name = board.name.get_ref();
        if !played(name) {
            continue;
        }
        if boards.iter().any(|(known, _)| known == name) {
            return Err(Problem::at(&board.name, format!("two boards are named \"{name}\"")));
        }
        let agents = match &board.agents {
            None => text.agents.get_ref().clone(),
            Some(names) => names
                .get_ref()
                .iter()
                .map(|wanted| {
                    let found = text.agents.get_ref().iter().find(|agent| agent.name() == wanted);
                    found.cloned().ok_or_else(|| Problem::at(names, format!("no agent is named \"{wanted}\"")))
                })
                .collect::<Result<_, _>>()?,
        };
        let setup_text = SetupText {
            game: board.game.clone(),
            moves: None,
            agents: Spanned::new(text.agents.span(), agents),
            limits: board.limits.unwrap_or(text.limits),
            pairing: board.pairing.clone().or_else(|| text.pairing.clone()),
            pairs: None,
            games: board.games.clone().unwrap_or_else(|| text.games.clone()),
            random_plies: text.random_plies,
            openings: None,
            colours: None,
            adjudicate: None,
            trace: text.trace,
        };
        let seed = Seed(setup.seed).derive(number as u64);
        boards.push((name.clone(), design(setup_text, setup.access, seed, number)?));
    }
    if boards.is_empty() {
        return Err(Problem::at(&text.boards, "at least one board is needed"));
    }
    Ok(Box::new(Boards(boards)))
}

impl Kind for Boards {
    fn programs(&self) -> Vec<String> {
        let mut programs: Vec<String> = self.0.iter().flat_map(|(_, played)| played.programs()).collect();
        programs.sort();
        programs.dedup();
        programs
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        let mut jobs = Vec::new();
        for (_, played) in &self.0 {
            jobs.extend(played.rounds()?);
        }
        Ok(by_rounds(jobs))
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut all = Findings::default();
        for (name, played) in &self.0 {
            let mut findings = played.findings(results);
            findings.measures.iter_mut().for_each(|measure| measure.name = format!("{name}: {}", measure.name));
            findings.tables.iter_mut().for_each(|table| table.title = format!("{name}: {}", table.title));
            findings.notes.iter_mut().for_each(|note| *note = format!("{name}: {note}"));
            all.measures.extend(findings.measures);
            all.tables.extend(findings.tables);
            all.figures.extend(findings.figures);
            all.notes.extend(findings.notes);
        }
        all
    }
}
