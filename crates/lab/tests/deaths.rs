//! Agents that end their process: the run dies, the next ones go on, and the jobs end as void.
//!
//! This test has a `main` of its own, because it is also the program that dies:
//! `deaths run FOLDER` runs the experiment, `deaths job` one job, anything else the test.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use tesuji_agents::{Access, Registry};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Budget, Observer, Position, Report, Seed, StopFlag};
use tesuji_lab::plan::{Experiment, Part, Size};
use tesuji_lab::runner::{self, Options};
use tesuji_lab::store::{Event, Folder, Plan, Stored};
use tesuji_lab::tasks::Task;
use tesuji_search::{Search, SearchError, Technique};

const TEXT: &str = r#"
id = "deaths"
title = "Agents that die"
claim = "None."
source = "this test"
kind = "histogram"
seed = 1
[setup]
repeats = 2
positions = [{ name = "start", game = "tictactoe" }]
agents = [
    { name = "one", agent = "random" },
    { name = "two", agent = "aborts" },
    { name = "three", agent = "panics" },
    { name = "four", agent = "oracle" },
]
[sizes.quick]
core-hours = 1
[sizes.full]
core-hours = 1
"#;

/// Ends the process at once.
struct Aborts;
/// Ends the process by a panic that reaches its `main`.
struct Panics;

impl Describe for Aborts {
    const DESCRIPTION: Description = Description { name: "aborts", about: "ends the process", parameters: &[] };
}

impl Describe for Panics {
    const DESCRIPTION: Description = Description { name: "panics", about: "panics", parameters: &[] };
}

impl<P: Position> Search<P> for Aborts {
    fn search(
        &mut self,
        _: &P,
        _: &Budget,
        _: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        std::process::abort()
    }
}

impl<P: Position> Search<P> for Panics {
    fn search(
        &mut self,
        _: &P,
        _: &Budget,
        _: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        panic!("a bug of the agent")
    }
}

impl Technique for Aborts {
    fn configure(_: &Arguments) -> Result<Aborts, ArgumentError> {
        Ok(Aborts)
    }
}

impl Technique for Panics {
    fn configure(_: &Arguments) -> Result<Panics, ArgumentError> {
        Ok(Panics)
    }
}

fn run(folder: &Path) -> ExitCode {
    let experiment = Experiment::read("deaths.toml", TEXT, &Access::restricted()).expect("an experiment");
    let plan = Plan::new(&experiment, false, Size::Full, Part::WHOLE).expect("a plan");
    let mut folder = Folder::open(folder, plan).expect("a folder");
    let options = Options {
        threads: 1,
        timeout: Duration::from_secs(60),
        program: (std::env::current_exe().expect("this program"), vec!["job".into()]),
        access: Access::restricted(),
        stop: StopFlag::new(),
    };
    let done = runner::run(&mut folder, &options, &mut |_| {}).expect("it can write");
    assert_eq!(done.done, done.planned);
    ExitCode::SUCCESS
}

fn job() -> ExitCode {
    let mut text = String::new();
    std::io::stdin().read_line(&mut text).expect("a job");
    let line = Task::read(&text).expect("a job").run(&Access::restricted());
    let line = serde_json::to_string(&line).expect("JSON") + "\n";
    std::io::Write::write_all(&mut std::io::stdout(), line.as_bytes()).expect("written");
    ExitCode::SUCCESS
}

fn test() -> ExitCode {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deaths");
    let _ = std::fs::remove_dir_all(&folder);
    let mut deaths = 0;
    loop {
        let status = Command::new(std::env::current_exe().expect("this program"))
            .arg("run")
            .arg(&folder)
            .stderr(std::process::Stdio::null())
            .status()
            .expect("it starts");
        if status.success() {
            break;
        }
        deaths += 1;
        assert!(deaths < 5, "the runs do not come to an end");
    }
    assert_eq!(deaths, 2, "each of the two jobs that abort kills one run; those that panic kill none");
    let stored = Stored::read(&folder).expect("results");
    assert_eq!(stored.lines.len(), 8);
    for job in &stored.plan.jobs {
        let line = &stored.lines[&job.id];
        let agent = job.label["agent"].as_u64();
        match agent {
            Some(1 | 2) => {
                let why = line.void.as_deref().expect("void, never a result");
                assert!(why.contains("died 3 times"), "{why}");
                assert!(agent == Some(1) || why.contains("exit status: 101"), "{why}");
                assert_eq!(stored.deaths(&job.id), runner::MOST_DEATHS);
            }
            _ => assert!(line.result.is_some() && stored.deaths(&job.id) == 0, "{line:?}"),
        }
    }
    let died = stored.events.iter().filter(|event| matches!(event, Event::Died { .. })).count();
    assert_eq!(died, 12, "three deaths of four jobs");
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    Registry::ours().with_agent::<Aborts>().with_agent::<Panics>().install().expect("the first");
    let words: Vec<String> = std::env::args().collect();
    match (words.get(1).map(String::as_str), words.get(2)) {
        (Some("run"), Some(folder)) => run(Path::new(folder)),
        (Some("job"), _) => job(),
        _ => test(),
    }
}
