//! `tesuji serve`: the web app.

use crate::arguments::ServeArguments;
use crate::failure::Failure;
use crate::{move_choice, output, progress, ranking};
use std::path::PathBuf;
use std::sync::Arc;
use tesuji_agents::{Access, AnyPosition};
use tesuji_core::{Report, RootMove};
use tesuji_lab::environment;
use tesuji_lab::plan::{Experiment, Size, library};
use tesuji_lab::report::Page;
use tesuji_lab::store::Stored;
use tesuji_web::api::{self, ExperimentReport};
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
    let program = Arc::new(CommandLine { results: arguments.lab });
    let options = Options { address: host, port, token, names, limits, allow_programs: false, program };
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
    /// Where the lab keeps its results.
    results: PathBuf,
}

impl CommandLine {
    /// The folder of an experiment's results, if there are some.
    fn folder(&self, id: &str, size: Size) -> Option<PathBuf> {
        let folder = self.results.join(format!("{id}-{}", size.name()));
        folder.join("plan.json").is_file().then_some(folder)
    }
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

    fn experiments(&self) -> Result<Vec<api::Experiment>, Refusal> {
        let told = library::ALL.iter().filter_map(|(id, _)| library::read(id)).map(|experiment| {
            let experiment = experiment.map_err(|error| Refusal::internal(error.to_string()))?;
            let [quick, full] = Size::ALL.map(|size| experiment.core_hours(size));
            let reports = Size::ALL.into_iter().filter(|size| self.folder(&experiment.id, *size).is_some());
            Ok(api::Experiment {
                core_hours: api::Sizes { quick, full },
                programs: experiment.programs(Size::Full),
                reports: reports.map(|size| size.name().into()).collect(),
                kind: experiment.kind.into(),
                id: experiment.id,
                title: experiment.title,
                claim: experiment.claim,
                source: experiment.source,
            })
        });
        told.collect()
    }

    fn report(&self, id: &str, size: &str) -> Result<ExperimentReport, Refusal> {
        // Only ids of the library become names of folders.
        let known = library::ALL.iter().find(|(known, _)| *known == id);
        let (id, _) = known.ok_or_else(|| Refusal::not_found("there is no such experiment"))?;
        let size = Size::ALL.into_iter().find(|known| known.name() == size);
        let size = size.ok_or_else(|| Refusal::bad_request("size: expected quick or full"))?;
        let folder = self.folder(id, size).ok_or_else(|| {
            let flag = if size == Size::Quick { " --quick" } else { "" };
            Refusal::not_found(format!("no results yet; `tesuji lab run {id}{flag}` makes them"))
        })?;
        let damaged = |_| Refusal::internal("the results cannot be read; `tesuji lab report` says why");
        let stored = Stored::read(&folder).map_err(damaged)?;
        let access = Access::restricted().with_programs();
        let experiment = Experiment::read("plan.json", &stored.plan.text, &access)
            .map_err(|error| Refusal::internal(error.to_string()))?;
        Ok(ExperimentReport {
            id: (*id).into(),
            size: size.name().into(),
            done: stored.lines.len(),
            planned: stored.plan.own_jobs().count(),
            html: Page::new(&experiment, &stored).html(),
        })
    }
}
