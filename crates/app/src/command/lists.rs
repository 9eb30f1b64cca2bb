//! `tesuji games` and `tesuji agents`: what exists, and a page about one of them.

use super::problems::problems_of;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use std::collections::BTreeMap;
use tesuji_agents::{AUTO, AgentInfo, GameInfo, Registry};
use tesuji_core::spec::{Description, Kind, Parameter, Spec, SpecError, nearest, resolve};

/// A game, an agent or a part of one.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    #[serde(flatten)]
    facts: Facts,
    parameters: Vec<ListedParameter>,
}

/// What games and agents have beside their parameters.
#[derive(Serialize, Default)]
struct Facts {
    /// The spec with every parameter spelled out.
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<String>,
    /// How moves of a game are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'static str>,
    /// The agent that plays a game if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    strongest: Option<&'static str>,
    /// The agent that solves a game if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<&'static str>,
    /// The number of problems of a game that are built in.
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<usize>,
    /// Whether an agent goes on until a limit ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    endless: Option<bool>,
    /// Iterations of an endless agent without a limit.
    #[serde(skip)]
    usual_iterations: u64,
    /// Whether an agent uses several threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel: Option<bool>,
    /// Whether an agent is another program, and whether limits of work reach it.
    #[serde(skip)]
    program: Option<bool>,
    /// The games whose solver an agent is; nothing for an agent of every game.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    games: &'static [&'static str],
    /// What `auto` means, by game.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    by_game: BTreeMap<&'static str, &'static str>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    about: &'static str,
    values: String,
    default: Option<&'static str>,
    /// The things it can be, with parameters of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Listed>,
    #[serde(skip)]
    kind: Kind,
}

impl ListedParameter {
    fn new(parameter: &Parameter) -> ListedParameter {
        let parts = match parameter.kind {
            Kind::Part(known) => known.iter().map(|part| Listed::new(*part, Facts::default())).collect(),
            _ => Vec::new(),
        };
        ListedParameter {
            name: parameter.name,
            about: parameter.about,
            values: parameter.kind.to_string(),
            default: parameter.default,
            parts,
            kind: parameter.kind,
        }
    }

    /// The values in a sentence.
    fn values_in_words(&self) -> &str {
        match self.kind {
            Kind::Part(_) => "one of",
            Kind::Text => "a text in quotes",
            Kind::File(_) => "a path in quotes",
            Kind::Program => "a command line in quotes",
            _ => &self.values,
        }
    }

    /// The parameter with a value, for an example: `select=ucb1(c=0.7)`. What names something that
    /// only the reader has comes without one.
    fn example(&self) -> Option<String> {
        let value = match self.kind {
            Kind::Entry(catalogue) => catalogue.entries().first()?.id.to_string(),
            Kind::Program => "\"./engine\"".into(),
            Kind::Part(_) => {
                let part = self.parts.iter().find(|part| !part.parameters.is_empty())?;
                format!("{}({})", part.name, part.parameters.first()?.example()?)
            }
            _ => self.default?.to_string(),
        };
        Some(format!("{}={value}", self.name))
    }

    /// Its line in a list.
    fn in_list(&self) -> String {
        let default = self.default.map(|value| format!(" [default {value}]")).unwrap_or_default();
        let line = format!("{} = {}{default}: {}", self.name, self.values, self.about);
        format!("\n{}", output::wrapped(&line, 4, 8))
    }

    /// Its paragraph on a page, and below it those of everything it can be.
    fn on_page(&self, indent: usize) -> String {
        let written = match self.default {
            Some(default) => format!("{}={default}", self.name),
            None => format!("{}=…", self.name),
        };
        let values = self.values_in_words();
        let mut text = paragraph(&written, &format!("{}; {values}", self.about), indent);
        for part in &self.parts {
            text += &paragraph(part.name, part.about, indent + 4);
            for parameter in &part.parameters {
                text += &parameter.on_page(indent + 8);
            }
        }
        text
    }
}

impl Listed {
    fn new(description: Description, facts: Facts) -> Listed {
        let parameters = description.parameters.iter().map(ListedParameter::new).collect();
        Listed { name: description.name, about: description.about, facts, parameters }
    }

    fn of_game(game: &GameInfo, canonical: String) -> Listed {
        let facts = Facts {
            canonical: Some(canonical),
            moves: Some(game.moves),
            strongest: Some(game.strongest()),
            solver: Some(game.solver()),
            problems: problems_of(game).map(|(_, catalogue)| catalogue.entries().len()),
            ..Facts::default()
        };
        Listed::new(game.description, facts)
    }

    fn of_agent(agent: &'static AgentInfo, canonical: String) -> Listed {
        let facts = Facts {
            canonical: Some(canonical),
            endless: Some(agent.endless),
            usual_iterations: agent.usual_iterations,
            parallel: Some(agent.parallel),
            program: agent.is_program().then_some(agent.counts_work),
            games: &agent.games,
            ..Facts::default()
        };
        Listed::new(agent.description, facts)
    }

    fn of_auto(canonical: String) -> Listed {
        let by_game = tesuji_agents::games().iter().map(|game| (game.description.name, game.strongest())).collect();
        Listed::new(AUTO, Facts { canonical: Some(canonical), by_game, ..Facts::default() })
    }

    fn head(&self) -> String {
        let head = output::wrapped(&format!("{}: {}", self.name, self.about), 0, 4);
        format!("{}{}", output::bold(self.name), &head[self.name.len()..])
    }

    /// In a list: its parameters, without those of parts.
    fn in_list(&self) -> String {
        let mut text = self.head();
        if let Some(moves) = self.facts.moves {
            text += &format!("\n{}", output::wrapped(&format!("moves: {moves}"), 4, 8));
        }
        if let Some(strongest) = self.facts.strongest {
            text += &format!("\n    default agent: {strongest}");
        }
        if !self.facts.games.is_empty() {
            text += &format!("\n    a solver of {}", self.facts.games.join(" and "));
        }
        self.parameters.iter().for_each(|parameter| text += &parameter.in_list());
        text
    }

    /// On a page of its own: everything there is to know.
    fn on_page(&self) -> String {
        let mut text = self.head();
        for sentence in self.facts.in_words(self.name) {
            text += &format!("\n{}", output::wrapped(&sentence, 4, 8));
        }
        if !self.parameters.is_empty() {
            text += &format!("\n\n{}", output::bold("parameters, with their defaults"));
            self.parameters.iter().for_each(|parameter| text += &parameter.on_page(4));
        }
        if let Some(canonical) = &self.facts.canonical {
            text += &format!("\n\n{}", output::bold("with every parameter spelled out"));
            text += &format!("\n{}", spaced(canonical));
        }
        text + &format!("\n\n{}\n    {}", output::bold("example"), self.example())
    }

    /// A command with this thing in it: with a program or a problem, else with a parameter of a
    /// part, else with any parameter.
    fn example(&self) -> String {
        let rank = |it: &&ListedParameter| match it.kind {
            Kind::Program | Kind::Entry(_) => 0,
            Kind::Part(_) => 1,
            _ => 2,
        };
        let mut parameters: Vec<&ListedParameter> = self.parameters.iter().collect();
        parameters.sort_by_key(rank);
        let argument = parameters.iter().find_map(|parameter| parameter.example());
        let argument = argument.map(|argument| format!("({argument})")).unwrap_or_default();
        let spec = format!("{}{argument}", self.name);
        match (self.facts.moves, self.facts.games.first()) {
            (Some(_), _) => format!("tesuji show '{spec}'"),
            (None, Some(game)) => format!("tesuji solve {game} --with '{spec}'"),
            (None, None) if self.facts.program.is_some() => format!("tesuji play GAME --agent '{spec}'"),
            (None, None) => format!("tesuji think tictactoe --agent '{spec}'"),
        }
    }
}

impl Facts {
    /// One sentence each.
    fn in_words(&self, name: &str) -> Vec<String> {
        let mut sentences = Vec::new();
        sentences.extend(self.moves.map(|moves| format!("moves: {moves}")));
        sentences.extend(self.strongest.map(|agent| format!("default agent: {agent}")));
        sentences.extend(self.solver.map(|agent| format!("default solver: {agent}")));
        sentences.extend(self.problems.map(|count| format!("problems: {count}; `tesuji problems {name}` lists them")));
        if !self.games.is_empty() {
            sentences.push(format!("a solver of {}", self.games.join(" and ")));
        }
        if let Some(counts_work) = self.program {
            let limits = if counts_work { "any limit is passed on" } else { "only a limit of time is passed on" };
            sentences.push(format!("another program, which the parameter cmd starts; {limits}"));
            return sentences;
        }
        match self.endless {
            Some(true) => sentences.push(format!(
                "goes on until a limit ends it: {} iterations if none is given",
                output::thousands(self.usual_iterations)
            )),
            Some(false) => sentences.push("ends by itself when nothing is left to search".into()),
            None => {}
        }
        match self.parallel {
            Some(true) => sentences.push("uses several threads (--threads)".into()),
            Some(false) => sentences.push("uses one thread".into()),
            None => {}
        }
        sentences.extend(self.by_game.iter().map(|(game, agent)| format!("{game}: {agent}")));
        sentences
    }
}

/// A name, which is bold, and what it means.
fn paragraph(name: &str, meaning: &str, indent: usize) -> String {
    let text = output::wrapped(&format!("{name}: {meaning}"), indent, indent + 4);
    format!("\n{}", text.replacen(name, &output::bold(name), 1))
}

/// A spec in lines that can be copied: blanks may stand after commas, but not inside quoted text.
fn spaced(canonical: &str) -> String {
    let mut quoted = canonical.split('"').skip(1).step_by(2);
    if canonical.contains('\\') || quoted.any(|text| text.contains([' ', ','])) {
        return format!("    {canonical}");
    }
    output::wrapped(&canonical.replace(',', ", "), 4, 4)
}

/// The spec that a page is asked about, and its canonical text. A bare name is the usual case.
fn asked(text: &str, sort: &str, known: &[Description]) -> Result<(String, String), Failure> {
    let wrong = |error: SpecError| Failure::input(format!("the {sort}: {error}"));
    let spec: Spec = text.parse().map_err(wrong)?;
    let names: Vec<&str> = known.iter().map(|description| description.name).collect();
    if !names.contains(&spec.name.as_str()) {
        let hint = match (part_of(&spec.name, known), nearest(&spec.name, &names)) {
            (Some((owner, parameter)), _) => {
                format!("it is a part of {owner}, {parameter}={}; see `tesuji {sort}s {owner}`", spec.name)
            }
            (None, Some(near)) => format!("did you mean \"{near}\"?"),
            (None, None) => format!("there are {}", names.join(", ")),
        };
        return Err(Failure::input(format!("there is no {sort} \"{}\"; {hint}", spec.name)));
    }
    let (_, arguments) = resolve(&spec, sort, known).map_err(wrong)?;
    Ok((spec.name, arguments.canonical().to_string()))
}

/// The thing that has a part of this name, and as which parameter.
fn part_of(name: &str, known: &[Description]) -> Option<(&'static str, &'static str)> {
    known.iter().find_map(|description| {
        let has_part =
            |it: &&Parameter| matches!(it.kind, Kind::Part(parts) if parts.iter().any(|part| part.name == name));
        description.parameters.iter().find(has_part).map(|parameter| (description.name, parameter.name))
    })
}

/// The canonical text of a bare name.
fn usual(description: Description) -> String {
    let resolved = resolve(&Spec::bare(description.name), "name", &[description]);
    resolved.expect("defaults fit their parameters").1.canonical().to_string()
}

fn print(sort: &'static str, entries: &[Listed], json: bool, in_words: impl Fn(&Listed) -> String) {
    if json {
        output::print_json(&BTreeMap::from([(sort, entries)]));
    } else {
        output::print(&entries.iter().map(in_words).collect::<Vec<String>>().join("\n"));
    }
}

/// Lists the games, or explains one.
pub fn games(name: Option<&str>, json: bool) -> Result<(), Failure> {
    let games = tesuji_agents::games();
    let Some(name) = name else {
        let entries: Vec<Listed> = games.iter().map(|game| Listed::of_game(game, usual(game.description))).collect();
        print("games", &entries, json, Listed::in_list);
        return Ok(());
    };
    let descriptions: Vec<Description> = games.iter().map(|game| game.description).collect();
    let (name, canonical) = asked(name, "game", &descriptions)?;
    let game = games.iter().find(|game| game.description.name == name).expect("the name was checked");
    print("games", &[Listed::of_game(game, canonical)], json, Listed::on_page);
    Ok(())
}

/// Lists the agents, or explains one.
pub fn agents(name: Option<&str>, json: bool) -> Result<(), Failure> {
    let registry = Registry::in_force();
    let Some(name) = name else {
        let agents = registry.agents().iter();
        let entries: Vec<Listed> = agents.map(|agent| Listed::of_agent(agent, usual(agent.description))).collect();
        print("agents", &entries, json, Listed::in_list);
        if !json {
            output::print(&Listed::new(AUTO, Facts::default()).in_list());
        }
        return Ok(());
    };
    let mut descriptions = tesuji_agents::agent_descriptions();
    descriptions.push(AUTO);
    let (name, canonical) = asked(name, "agent", &descriptions)?;
    let listed = match registry.agent(&name) {
        Some(agent) => Listed::of_agent(agent, canonical),
        None => Listed::of_auto(canonical),
    };
    print("agents", &[listed], json, Listed::on_page);
    Ok(())
}
