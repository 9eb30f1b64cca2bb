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
    let command = with_names(Arguments::command());
    clap_complete::generate(shell, &mut command.clone(), "tesuji", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if shell == clap_complete::Shell::Fish {
        add_places(&command, &[], &mut script);
    }
    script
}

/// What clap's script for fish leaves out: the names that arguments without an option take.
fn add_places(command: &Command, words: &[&str], script: &mut String) {
    for argument in command.get_positionals() {
        let [first, rest @ ..] = words else { continue };
        let below = rest.iter().map(|word| format!("; and __fish_seen_subcommand_from {word}"));
        let condition = format!("__fish_tesuji_using_subcommand {first}{}", below.collect::<String>());
        if let Some(names) = offered(command.get_name(), argument) {
            *script += &format!("complete -c tesuji -n \"{condition}\" -f -a \"{}\"\n", names.join(" "));
        }
    }
    for below in command.get_subcommands() {
        add_places(below, &[words, &[below.get_name()]].concat(), script);
    }
}
