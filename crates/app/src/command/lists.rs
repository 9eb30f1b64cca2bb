//! `tesuji games` and `tesuji agents`: what exists.

use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_core::spec::Description;

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'static str>,
    /// The agent that plays if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    strongest: Option<&'static str>,
    parameters: Vec<ListedParameter>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    about: &'static str,
    values: String,
    default: Option<&'static str>,
}

impl Listed {
    fn new(description: Description, moves: Option<&'static str>) -> Listed {
        let parameters = description.parameters.iter().map(|parameter| ListedParameter {
            name: parameter.name,
            about: parameter.about,
            values: parameter.kind.to_string(),
            default: parameter.default,
        });
        let (name, about) = (description.name, description.about);
        Listed { name, about, moves, strongest: None, parameters: parameters.collect() }
    }

    fn in_words(&self) -> String {
        let mut text = format!("{}  {}", output::bold(self.name), self.about);
        if let Some(moves) = self.moves {
            text += &format!("\n    moves: {moves}");
        }
        if let Some(strongest) = self.strongest {
            text += &format!("\n    strongest agent, the default: {strongest}");
        }
        for parameter in &self.parameters {
            let default = parameter.default.map(|value| format!(" [default {value}]")).unwrap_or_default();
            text += &format!("\n    {} = {}{default}: {}", parameter.name, parameter.values, parameter.about);
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
        let texts: Vec<String> = entries.iter().map(Listed::in_words).collect();
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
    let agents = tesuji_agents::agent_descriptions();
    let name = checked(name, "agent", &agents)?;
    let chosen = agents.into_iter().filter(|agent| name.is_none_or(|name| name == agent.name));
    let entries: Vec<Listed> = chosen.map(|agent| Listed::new(agent, None)).collect();
    print("agents", &entries, json);
    Ok(())
}
