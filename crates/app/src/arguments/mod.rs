//! The command line, as a type.
//!
//! | file | what is in it |
//! |---|---|
//! | `search.rs` | `show`, `perft`, `think`, `solve`, `verify`, `match` |
//! | `engine.rs` | the protocols and `play` |
//! | `bench.rs`, `fit.rs` | `bench …`, `fit` |
//! | `lab.rs` | `lab …` |
//! | `limits.rs` | the limits of a search, and the budget they make |
//! | `values.rs` | how values of options are read |
//!
//! `docs/cli.md` is generated from these types (`tests/cli_reference.rs`).

mod bench;
mod engine;
mod fit;
mod lab;
mod limits;
mod search;
mod values;

pub use bench::{Bench, Effort, ScnArguments};
pub use engine::{EngineArguments, GtpArguments, PlayArguments};
pub use fit::FitArguments;
pub use lab::{Lab, LabExperiment, LabReport, LabRun};
pub use limits::{Stated, check_threads};
pub use search::{
    MatchArguments, PerftArguments, PositionArguments, ShowArguments, SolveArguments, ThinkArguments, VerifyArguments,
};

use crate::failure::Failure;
use crate::output;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

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
  tesuji think 'mnk(m=4,n=4,k=4)' --agent 'rps(depth=2)' --iterations 50000 --json
  tesuji match tictactoe --first oracle --second random --games 100
  tesuji bench playout tictactoe
  tesuji gtp 'go(size=9)' --time 2

Games and agents are written name(parameter=value,…); a bare name means its defaults.

Exit codes: 0 done; 1 a failure of the program or the machine; 2 a mistake in the input; 3 interrupted \
by Ctrl-C or SIGTERM, with the answer so far printed. With --json an error is {\"error\":…} on standard \
output too.")]
pub struct Arguments {
    /// Print one JSON object on standard output instead of text for people
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// List the games, their parameters and how moves are written
    Games {
        /// List this game only, with the parameters of its parts
        name: Option<String>,
    },
    /// List the agents and their parameters
    Agents {
        /// List this agent only, with the parameters of its parts
        name: Option<String>,
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
    Match(MatchArguments),
    /// Play in the terminal: against an agent, or watch two of them
    Play(PlayArguments),
    /// Speak GTP, for GoGui, Sabaki, HexGui and others; every game
    Gtp(GtpArguments),
    /// Speak the Gomocup (Piskvork) protocol; Gomoku and renju
    #[command(after_help = "\
A copy of the program whose name begins with pbrain- does this by itself.

Example:
  tesuji gomocup --agent mcts")]
    Gomocup(EngineArguments),
    /// Speak UCI, for cutechess and others; Chinese chess, Gomoku and tic-tac-toe
    #[command(after_help = "Example:\n  tesuji uci gomoku --time 1")]
    Uci(EngineArguments),
    /// Speak UCCI, for Chinese chess programs
    #[command(after_help = "Example:\n  tesuji ucci --time 1")]
    Ucci(EngineArguments),
    /// Speak NBoard's protocol; Othello
    #[command(after_help = "Example:\n  tesuji nboard --time 1")]
    Nboard(EngineArguments),
    /// Answer questions in JSON, one a line; every game
    #[command(after_help = "\
Example:
  echo '{\"id\":\"1\",\"moves\":[\"E5\"],\"maxVisits\":1000}' | tesuji analysis 'go(size=9)'")]
    Analysis(EngineArguments),
    /// Measure speed, or print the fingerprint of all behaviour
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Run experiments: published claims as files, resumable runs, reports
    Lab {
        #[command(subcommand)]
        what: Lab,
    },
    /// Fit the weights of an evaluation; Othello and problems of Go
    Fit(FitArguments),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  tesuji completions bash > ~/.local/share/bash-completion/completions/tesuji")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
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
        Ok(arguments) => Ok(Some(arguments)),
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
    let problem = problem.trim_start_matches("error: ");
    // Text of the user with empty lines in it must not pass for a tip.
    let strange = std::env::args_os().any(|argument| argument.to_string_lossy().contains('\n'));
    match paragraphs.find(|paragraph| paragraph.starts_with("tip:") && !strange) {
        Some(tip) => format!("{problem}; {tip}"),
        None => problem.to_string(),
    }
}

/// The completion script for a shell.
pub fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tesuji", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
