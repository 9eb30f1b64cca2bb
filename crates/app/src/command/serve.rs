//! `tesuji serve`: the web app.

mod laboratory;

use crate::arguments::ServeArguments;
use crate::failure::Failure;
use crate::{move_choice, output, progress, ranking};
use laboratory::Laboratory;
use std::sync::Arc;
use tesuji_agents::AnyPosition;
use tesuji_core::{Report, RootMove};
use tesuji_lab::environment;
use tesuji_web::api::{Experiment, ExperimentReport, Run};
use tesuji_web::{Limits, Options, Program, Refusal, Server};

/// Serves until it is interrupted.
pub fn run(arguments: ServeArguments, json: bool) -> Result<(), Failure> {
    let ServeArguments { port, open, host, token, names, .. } = arguments;
    let token = match token {
        None if !host.is_loopback() => Some(tesuji_web::new_token().map_err(Failure::internal)?),
        token => token,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let usual = Limits::usual(cores);
    let limits = Limits {
        sessions: arguments.sessions as usize,
        searches: arguments.searches.map_or(usual.searches, |count| count as usize),
        searches_per_client: arguments.searches_per_client as usize,
        time: arguments.search_time.unwrap_or(usual.time),
        tree_bytes: arguments.memory.unwrap_or(usual.tree_bytes),
        ..usual
    };
    let most_runs = arguments.lab_runs.map_or(usize::from(host.is_loopback()), |count| count as usize);
    let program = Arc::new(CommandLine { lab: Laboratory::new(arguments.lab, most_runs, arguments.allow_programs) });
    let options = Options { address: host, port, token, names, limits, program };
    let server = Server::bind(options).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            Failure::input(format!("port {port} is taken; --port 0 takes one that is free"))
        }
        std::io::ErrorKind::InvalidInput | std::io::ErrorKind::AddrNotAvailable => {
            Failure::input(format!("{host}: {error}"))
        }
        _ => Failure::internal(error),
    })?;
    let url = server.url().to_string();
    if json {
        output::print_json(&serde_json::json!({ "url": url }));
    } else {
        output::print(&format!("{}\nCtrl-C ends the server.", output::bold(&url)));
    }
    if open && !opened(&url) {
        output::note("no browser could be started; open the address yourself");
    }
    let stop = progress::interrupt();
    server.run(&stop).map_err(Failure::internal)
}

/// Opens an address in the user's browser.
fn opened(url: &str) -> bool {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let null = std::process::Stdio::null;
    let mut browser = std::process::Command::new(program);
    browser.args(words).arg(url).stdin(null()).stdout(null()).stderr(null()).spawn().is_ok()
}

/// What the server asks of this program.
struct CommandLine {
    lab: Laboratory,
}

impl Program for CommandLine {
    fn version(&self) -> String {
        environment::VERSION.into()
    }

    fn move_to_play(&self, position: &dyn AnyPosition, report: &Report<String>) -> Option<String> {
        move_choice::move_to_play(position, report)
    }

    fn ranked<'a>(&self, report: &'a Report<String>) -> Vec<&'a RootMove<String>> {
        ranking::ranked(report)
    }

    fn line_of<'a>(&self, report: &'a Report<String>, entry: &'a RootMove<String>) -> &'a [String] {
        ranking::line_of(report, entry)
    }

    fn settled(&self, picks: &[(u64, String)]) -> Option<u64> {
        tesuji_lab::kinds::settled(picks, std::slice::from_ref(&picks.last()?.1))
    }

    fn experiments(&self) -> Result<Vec<Experiment>, Refusal> {
        self.lab.experiments()
    }

    fn report(&self, id: &str, size: &str) -> Result<ExperimentReport, Refusal> {
        self.lab.report(id, size)
    }

    fn most_runs(&self) -> usize {
        self.lab.most_runs()
    }

    fn start_run(&self, id: &str, size: &str) -> Result<Run, Refusal> {
        self.lab.start(id, size)
    }

    fn run(&self, id: &str, size: &str) -> Result<Run, Refusal> {
        self.lab.progress(id, size)
    }

    fn stop_run(&self, id: &str, size: &str) -> Result<Run, Refusal> {
        self.lab.stop(id, size)
    }
}
