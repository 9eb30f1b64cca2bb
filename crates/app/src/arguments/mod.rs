//! The command line, as a type.
//!
//! | file | what is in it |
//! |---|---|
//! | `search.rs` | `show`, `perft`, `think`, `solve`, `verify` |
//! | `matches.rs` | `match` |
//! | `engine.rs` | the protocols and `play` |
//! | `serve.rs` | `serve` |
//! | `bench.rs`, `fit.rs` | `bench …`, `fit` |
//! | `lab.rs` | `lab …` |
//! | `learn.rs`, `learn_moves.rs` | `learn …` |
//! | `limits.rs` | the limits of a search, and the budget they make |
//! | `values.rs` | how values of options are read |
//! | `config.rs` | the config file |
//! | `completions.rs`, `manual.rs` | completion scripts and manual pages |
//!
//! `docs/cli.md` is generated from these types (`tests/cli_reference.rs`).

mod bench;
mod completions;
mod config;
mod engine;
mod fit;
mod lab;
mod learn;
mod learn_moves;
mod limits;
mod manual;
mod matches;
mod search;
mod serve;
mod values;

pub use bench::{Bench, Effort, ScnArguments};
pub use completions::completions;
pub use config::Used;
pub use engine::{
    AnalysisArguments, EngineArguments, GomocupArguments, GtpArguments, NboardArguments, PlayArguments, UcciArguments,
    UciArguments,
};
pub use fit::FitArguments;
pub use lab::{Lab, LabExperiment, LabReport, LabRun};
pub use learn::{Constants, EvolveArguments, Evolved, Learn, TrainArguments};
pub use learn_moves::{LearnEvaluate, LearnFit, LearnGames};
pub use limits::{Stated, check_threads};
pub use manual::pages;
pub use matches::MatchArguments;
pub use search::{
    PerftArguments, PositionArguments, ShowArguments, SolveArguments, ThinkArguments, TreeArguments, VerifyArguments,
};
pub use serve::ServeArguments;

use crate::failure::Failure;
use crate::output;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

/// Everything that can be typed.
#[derive(Parser)]
#[command(
    name = "tesuji",
    version,
    about = "Plays, solves and studies perfect-information games.",
    max_term_width = 100
)]
#[command(after_help = "Examples:
  tesuji play
  tesuji games
  tesuji think tictactoe --agent oracle --moves b2 a1
  tesuji think 'mnk(m=4,n=4,k=4)' --agent 'rps(depth=2)' --iterations 50k
  tesuji match tictactoe --first oracle --second random --games 100
  tesuji bench playout tictactoe
  tesuji gtp 'go(size=9)' --time 2

Games and agents are written name(parameter=value,…); a bare name means its defaults.

Exit codes: 0 done; 1 a failure of the program or the machine; 2 a mistake in the input; 3 interrupted \
by Ctrl-C or SIGTERM, with the answer so far printed. With --json an error is {\"error\":…} on standard \
output too.")]
pub struct Arguments {
    /// Print one JSON object on standard output instead of text for people
    #[arg(long, global = true, display_order = 900)]
    pub json: bool,
    /// Colours in text: auto (on a terminal), always or never [default: auto]
    #[arg(
        long,
        global = true,
        alias = "color",
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true,
        display_order = 901
    )]
    pub colour: Option<Colour>,
    /// Take defaults from this file, not from ~/.config/tesuji/config.toml; for play, think, solve
    /// and show
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config", display_order = 902)]
    pub config: Option<String>,
    /// Read no config file
    #[arg(long, global = true, display_order = 903)]
    pub no_config: bool,
    #[command(subcommand)]
    pub command: Command,
    /// What the config file gave.
    #[arg(skip)]
    pub used: Option<Used>,
}

/// When text has colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Makes it hold for all output.
    fn set(self) {
        let choice = match self {
            Colour::Auto => anstream::ColorChoice::Auto,
            Colour::Always => anstream::ColorChoice::Always,
            Colour::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// List the games, or explain one of them
    #[command(after_help = "\
Examples:
  tesuji games
  tesuji games hex
  tesuji games --json")]
    Games {
        /// Explain this game: moves, parameters, default agent, solver
        name: Option<String>,
    },
    /// List the agents, or explain one of them
    #[command(after_help = "\
Examples:
  tesuji agents
  tesuji agents mcts
  tesuji agents auto --json")]
    Agents {
        /// Explain this agent, with all parameters of its parts
        name: Option<String>,
    },
    /// List the problems that are built in
    #[command(after_help = "\
A problem is named by its id, as the parameter `problem` of its game; the program carries them all.

Examples:
  tesuji problems goproblem
  tesuji show 'goproblem(problem=lin-multi)'
  tesuji solve 'connect6(problem=vcst-01)' --with vcst")]
    Problems {
        /// The game; all games with problems if not given
        game: Option<String>,
    },
    /// Draw a position
    Show(ShowArguments),
    /// Count the move sequences of exactly DEPTH plies
    Perft(PerftArguments),
    /// Let an agent search a position
    Think(ThinkArguments),
    /// Solve a position, and write the proof
    Solve(SolveArguments),
    /// Check a saved proof by the rules of the game, without any search
    Verify(VerifyArguments),
    /// Let two agents play games against each other, colours alternating
    Match(Box<MatchArguments>),
    /// Play in the terminal: against an agent, or watch two of them
    Play(PlayArguments),
    /// Serve the web app: play, analyse and watch searches in a browser
    Serve(ServeArguments),
    /// Speak GTP, for GoGui, Sabaki, HexGui and others; every game
    Gtp(GtpArguments),
    /// Speak the Gomocup (Piskvork) protocol; Gomoku and renju
    Gomocup(GomocupArguments),
    /// Speak UCI, for cutechess and others; Chinese chess, Gomoku and tic-tac-toe
    Uci(UciArguments),
    /// Speak UCCI, for Chinese chess programs
    Ucci(UcciArguments),
    /// Speak NBoard's protocol; Othello
    Nboard(NboardArguments),
    /// Answer questions in JSON, one a line; every game
    Analysis(AnalysisArguments),
    /// Measure speed, or print the fingerprint of all behaviour
    #[command(after_help = "\
Examples:
  tesuji bench playout
  tesuji bench search hex --seconds 5")]
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Run experiments: published claims as files, resumable runs, reports
    #[command(after_help = "\
Examples:
  tesuji lab list
  tesuji lab run vrun-selfplay --quick")]
    Lab {
        #[command(subcommand)]
        what: Lab,
    },
    /// Fit the weights of an evaluation; Othello and problems of Go
    Fit(FitArguments),
    /// Learn from play: the weights that are built in, and how to make others
    #[command(after_help = "Example:\n  tesuji learn weights")]
    Learn {
        #[command(subcommand)]
        what: Learn,
    },
    /// Print a completion script for a shell: commands, options, games and agents
    #[command(after_help = "\
Examples:
  tesuji completions bash > ~/.local/share/bash-completion/completions/tesuji
  tesuji completions zsh > ~/.zfunc/_tesuji
  tesuji completions fish > ~/.config/fish/completions/tesuji.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages, one for each command, into a folder
    #[command(after_help = "\
Example:
  tesuji man ~/.local/share/man/man1 && man tesuji-think")]
    Man {
        /// The folder; it is made if it does not exist
        folder: String,
    },
}

/// Reads the command line; nothing if it only asked for help, which has been printed.
pub fn read() -> Result<Option<Arguments>, Failure> {
    use clap::error::ErrorKind;
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    // Piskvork starts a program by its name, without arguments.
    if words.len() == 1 && is_piskvork_name(&words[0]) {
        words.push("gomocup".into());
    }
    let parsed = with_negative_numbers(Arguments::command()).try_get_matches_from(words);
    match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(mut arguments) => {
            arguments.used = config::apply(&mut arguments)?;
            arguments.colour.unwrap_or(Colour::Auto).set();
            if let Some(used) = arguments.used.as_ref().filter(|_| !arguments.json) {
                output::note(&used.to_string());
            }
            Ok(Some(arguments))
        }
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            output::print(&error.render().ansi().to_string());
            Ok(None)
        }
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err(Failure::input("expected a command; --help lists what there is"))
        }
        Err(error) => Err(Failure::input(in_one_line(&error))),
    }
}

/// Lets options take negative numbers, so that the error for one says what would be right, not that
/// it is no argument.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let takes = argument.get_long().is_some() && argument.get_action().takes_values();
        if takes { argument.allow_negative_numbers(true) } else { argument }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Whether a program has the name of a Piskvork engine.
fn is_piskvork_name(path: &std::ffi::OsStr) -> bool {
    let name = std::path::Path::new(path).file_name();
    name.is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().starts_with("pbrain-"))
}

/// clap explains in paragraphs: the first is kept, and the tip if there is one.
fn in_one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
        lines.join(" ")
    });
    let problem = paragraphs.next().unwrap_or_default();
    let problem = in_words(problem.trim_start_matches("error: "));
    // Text of the user with empty lines in it must not pass for a tip.
    let strange = std::env::args_os().any(|argument| argument.to_string_lossy().contains('\n'));
    match paragraphs.find(|paragraph| paragraph.starts_with("tip:") && !strange) {
        // It is an option that does not exist here, not a value.
        Some(tip) if tip.starts_with("tip: to pass ") => format!("{problem}; {}", right_option(error)),
        Some(tip) => format!("{problem}; {tip}"),
        None => problem,
    }
}

/// clap writes the range of a number as Rust does: `0 is not in 1..=1024`.
fn in_words(problem: &str) -> String {
    let told = problem.rsplit_once(": ").and_then(|(place, reason)| {
        let (_, range) = reason.split_once(" is not in ")?;
        let (least, most) = range.split_once("..")?;
        match most.strip_prefix('=') {
            Some(most) => Some(format!("{place}: expected {least} to {most}")),
            None => most.is_empty().then(|| format!("{place}: expected at least {least}")),
        }
    });
    told.unwrap_or_else(|| problem.to_string())
}

/// What is right in place of an option that a command does not have.
fn right_option(error: &clap::Error) -> String {
    use clap::error::{ContextKind, ContextValue};
    let told = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        _ => String::new(),
    };
    let usage = told(ContextKind::Usage);
    let words = usage.trim_start_matches("Usage:").split_whitespace();
    let command: Vec<&str> =
        words.take_while(|word| word.starts_with(|letter: char| letter.is_ascii_lowercase())).collect();
    let names_agent = ["--agent", "--with"].contains(&told(ContextKind::InvalidArg).as_str());
    match command[..] {
        [_, "match"] if names_agent => "match has --first and --second".into(),
        [_, "bench", ..] if names_agent => "bench search, bench threads and bench solve have it".into(),
        _ => format!("{} --help lists the options", command.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, in_words};
    use clap::CommandFactory;

    #[test]
    fn ranges_are_told_in_words() {
        let told = |text: &str| in_words(&format!("invalid value '0' for '--threads <N>': {text}"));
        assert_eq!(told("0 is not in 1..=1024"), "invalid value '0' for '--threads <N>': expected 1 to 1024");
        assert_eq!(told("0 is not in 1.."), "invalid value '0' for '--threads <N>': expected at least 1");
        assert_eq!(told("expected more"), "invalid value '0' for '--threads <N>': expected more");
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
