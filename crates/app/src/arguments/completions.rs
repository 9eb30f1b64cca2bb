//! Completion scripts: commands and options from the command line's description, games and agents
//! from the registry.

use super::Arguments;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, CommandFactory};
use std::ffi::OsStr;

/// Any text; these names are offered.
#[derive(Clone)]
struct Offered(Vec<&'static str>);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|name| PossibleValue::new(*name))))
    }
}

/// The names that an argument of a command takes; nothing if it takes others.
fn offered(command: &str, argument: &Arg) -> Option<Vec<&'static str>> {
    let games = || tesuji_agents::games().iter().map(|game| game.description.name);
    let agents =
        || tesuji_agents::agent_descriptions().into_iter().map(|agent| agent.name).chain([tesuji_agents::AUTO.name]);
    match (command, argument.get_id().as_str()) {
        (_, "game") | ("games", "name") => Some(games().collect()),
        (_, "agent" | "with") | ("agents", "name") => Some(agents().collect()),
        ("match", "first" | "second") => Some(agents().collect()),
        ("play", "first" | "second") => Some(agents().chain(["me"]).collect()),
        _ => None,
    }
}

/// The command with the names of games and agents where they can stand.
fn with_names(command: Command) -> Command {
    let name = command.get_name().to_string();
    let command = command.mut_args(|argument| match offered(&name, &argument) {
        Some(names) => argument.value_parser(Offered(names)),
        None => argument,
    });
    command.mut_subcommands(with_names)
}

/// The completion script for a shell.
pub fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(Arguments::command()), "tesuji", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
