//! `tesuji problems`: the problems that are built in.

use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_agents::GameInfo;
use tesuji_core::spec::{Catalogue, Kind};

#[derive(Serialize)]
struct Listed {
    game: &'static str,
    id: &'static str,
    about: &'static str,
    /// How it is named where a game is expected.
    spec: String,
}

/// The parameter of a game that names its problems, and the problems.
pub fn problems_of(game: &GameInfo) -> Option<(&'static str, Catalogue)> {
    game.description.parameters.iter().find_map(|parameter| match parameter.kind {
        Kind::Entry(catalogue) => Some((parameter.name, catalogue)),
        _ => None,
    })
}

fn listed(game: &GameInfo) -> Vec<Listed> {
    let Some((parameter, catalogue)) = problems_of(game) else { return Vec::new() };
    let name = game.description.name;
    let entries = catalogue.entries().iter();
    let listed = entries.map(|entry| Listed {
        game: name,
        id: &entry.id,
        about: &entry.about,
        spec: format!("{name}({parameter}={})", entry.id),
    });
    listed.collect()
}

/// Lists the problems of a game, or of all games.
pub fn run(game: Option<&str>, json: bool) -> Result<(), Failure> {
    let games = tesuji_agents::games();
    let with_problems = || games.iter().filter(|game| problems_of(game).is_some());
    if let Some(name) = game
        && with_problems().all(|game| game.description.name != name)
    {
        let names: Vec<&str> = with_problems().map(|game| game.description.name).collect();
        let exists = games.iter().any(|game| game.description.name == name);
        let what = if exists { format!("{name} has no problems") } else { format!("there is no game \"{name}\"") };
        return Err(Failure::input(format!("{what}; {} have some", names.join(", "))));
    }
    let chosen = with_problems().filter(|info| game.is_none_or(|name| name == info.description.name));
    let lists: Vec<Vec<Listed>> = chosen.map(listed).collect();
    if json {
        let all: Vec<Listed> = lists.into_iter().flatten().collect();
        output::print_json(&serde_json::json!({ "problems": all }));
    } else {
        let texts: Vec<String> = lists.iter().map(|list| in_words(list)).collect();
        output::print(&texts.join("\n\n"));
    }
    Ok(())
}

/// The problems of one game: how they are named, then ids and what they are.
fn in_words(list: &[Listed]) -> String {
    let Some(first) = list.first() else { return String::new() };
    let head = format!("{}: {} problems, named like '{}'", first.game, list.len(), first.spec);
    let mut text = format!("{}{}", output::bold(first.game), &head[first.game.len()..]);
    let width = list.iter().map(|it| it.id.chars().count()).max().unwrap_or(0);
    for it in list {
        text += &format!("\n    {:<width$}  {}", it.id, it.about);
    }
    text
}
