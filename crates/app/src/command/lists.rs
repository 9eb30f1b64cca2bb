//! `tesuji games` and `tesuji agents`: what exists.

use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_agents::{AgentInfo, Registry};
use tesuji_core::spec::{Description, Kind, Parameter};

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'static str>,
    /// The agent that plays if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    strongest: Option<&'static str>,
    /// The games whose solver an agent is; nothing for an agent of every game.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    games: &'static [&'static str],
    parameters: Vec<ListedParameter>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    about: &'static str,
    values: String,
    default: Option<&'static str>,
    /// The things it can be, where they have parameters of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Listed>,
}

impl ListedParameter {
    fn new(parameter: &Parameter) -> ListedParameter {
        let parts = match parameter.kind {
            Kind::Part(known) => known.iter().map(|part| Listed::new(*part, None)).collect(),
            _ => Vec::new(),
        };
        ListedParameter {
            name: parameter.name,
            about: parameter.about,
            values: parameter.kind.to_string(),
            default: parameter.default,
            parts,
        }
    }

    /// Its line, and those of its parts that have parameters if `whole`.
    fn in_words(&self, indent: usize, whole: bool) -> String {
        let default = self.default.map(|value| format!(" [default {value}]")).unwrap_or_default();
        let line = format!("{} = {}{default}: {}", self.name, self.values, self.about);
        let mut text = format!("\n{}", output::wrapped(&line, indent, indent + 4));
        for part in self.parts.iter().filter(|part| whole && !part.parameters.is_empty()) {
            let head = format!("{}(…): {}", part.name, part.about);
            text += &format!("\n{}", output::wrapped(&head, indent + 4, indent + 8));
            for parameter in &part.parameters {
                text += &parameter.in_words(indent + 8, whole);
            }
        }
        text
    }
}

impl Listed {
    fn new(description: Description, moves: Option<&'static str>) -> Listed {
        let parameters = description.parameters.iter().map(ListedParameter::new);
        let (name, about) = (description.name, description.about);
        Listed { name, about, moves, strongest: None, games: &[], parameters: parameters.collect() }
    }

    /// In words; with the parameters of parts if `whole`.
    fn in_words(&self, whole: bool) -> String {
        let head = output::wrapped(&format!("{}: {}", self.name, self.about), 0, 4);
        let mut text = format!("{}{}", output::bold(self.name), &head[self.name.len()..]);
        if let Some(moves) = self.moves {
            text += &format!("\n{}", output::wrapped(&format!("moves: {moves}"), 4, 8));
        }
        if let Some(strongest) = self.strongest {
            text += &format!("\n    default agent: {strongest}");
        }
        if !self.games.is_empty() {
            text += &format!("\n    a solver of {}", self.games.join(" and "));
        }
        for parameter in &self.parameters {
            text += &parameter.in_words(4, whole);
        }
        text
    }
}

/// The name, if something has it; otherwise the error lists the names.
fn checked<'a>(name: Option<&'a str>, sort: &str, known: &[Description]) -> Result<Option<&'a str>, Failure> {
    if let Some(name) = name
        && known.iter().all(|description| description.name != name)
    {
        let names: Vec<&str> = known.iter().map(|description| description.name).collect();
        return Err(Failure::input(format!("there is no {sort} \"{name}\"; there are {}", names.join(", "))));
    }
    Ok(name)
}

fn print(sort: &'static str, entries: &[Listed], json: bool) {
    if json {
        output::print_json(&std::collections::BTreeMap::from([(sort, entries)]));
    } else {
        let texts: Vec<String> = entries.iter().map(|entry| entry.in_words(entries.len() == 1)).collect();
        output::print(&texts.join("\n"));
    }
}

/// Lists the games, or the one of this name.
pub fn games(name: Option<&str>, json: bool) -> Result<(), Failure> {
    let descriptions: Vec<Description> = tesuji_agents::games().iter().map(|game| game.description).collect();
    let name = checked(name, "game", &descriptions)?;
    let games = tesuji_agents::games();
    let entries: Vec<Listed> = games
        .iter()
        .filter(|game| name.is_none_or(|name| name == game.description.name))
        .map(|game| Listed { strongest: Some(game.strongest()), ..Listed::new(game.description, Some(game.moves)) })
        .collect();
    print("games", &entries, json);
    Ok(())
}

/// Lists the agents, or the one of this name.
pub fn agents(name: Option<&str>, json: bool) -> Result<(), Failure> {
    let name = checked(name, "agent", &tesuji_agents::agent_descriptions())?;
    let agents = Registry::in_force().agents().iter();
    let chosen = agents.filter(|agent| name.is_none_or(|name| name == agent.description.name));
    let listed = |agent: &'static AgentInfo| Listed { games: &agent.games, ..Listed::new(agent.description, None) };
    let entries: Vec<Listed> = chosen.map(listed).collect();
    print("agents", &entries, json);
    Ok(())
}
