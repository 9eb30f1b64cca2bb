//! A folder of results: opened by one run at a time, read by any number of reports.

use super::StoreError;
use super::log::{self, Log};
use crate::plan::{Experiment, Part, Planned, Size, fingerprint};
use crate::tasks::Line;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The version of the files.
const FORMAT: u32 = 1;
/// The file of the lines.
const RESULTS: &str = "results.jsonl";
/// The file of the events.
const ATTEMPTS: &str = "attempts.jsonl";

/// What is run, written before anything runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    format: u32,
    /// The id of the experiment.
    pub experiment: String,
    /// Whether it is one of this repository, by the id.
    pub ours: bool,
    /// Its size.
    pub size: Size,
    /// Which part of the jobs is run here.
    pub part: Part,
    /// The text of the experiment file.
    pub text: String,
    /// All jobs, those of other parts too.
    pub jobs: Vec<Planned>,
}

impl Plan {
    /// The plan of an experiment.
    ///
    /// # Errors
    /// If it cannot be planned.
    pub fn new(experiment: &Experiment, ours: bool, size: Size, part: Part) -> Result<Plan, String> {
        let jobs = experiment.jobs(size)?;
        let (id, text) = (experiment.id.clone(), experiment.text.clone());
        Ok(Plan { format: FORMAT, experiment: id, ours, size, part, text, jobs })
    }

    /// The hash of the experiment's text: whether a report belongs to a file.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.text)
    }

    /// The same plan with all parts.
    #[must_use]
    pub fn whole(&self) -> Plan {
        Plan { part: Part::WHOLE, ..self.clone() }
    }

    /// The jobs of this part.
    pub fn own_jobs(&self) -> impl Iterator<Item = &Planned> {
        self.jobs.iter().enumerate().filter(|(number, _)| self.part.has(*number)).map(|(_, job)| job)
    }

    fn check(&self, path: &Path) -> Result<(), StoreError> {
        if self.format != FORMAT {
            return Err(StoreError::input(path, format!("format {}; this program reads {FORMAT}", self.format)));
        }
        match self.jobs.iter().find(|job| job.task.id() != job.id) {
            Some(job) => Err(StoreError::input(path, format!("job {} does not have the id of its text", job.id))),
            None => Ok(()),
        }
    }
}

/// A line of `attempts.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// A run began.
    Run {
        /// The version of the program.
        version: String,
        /// The commit it was built from, where that is known.
        commit: String,
        /// The processor, as the system names it.
        cpu: String,
        /// Jobs at the same time.
        threads: usize,
    },
    /// A job was begun in the process of the run.
    Begun {
        /// The job.
        id: String,
    },
    /// The process that had one job alone died, or took too long.
    Died {
        /// The job.
        id: String,
        /// How.
        why: String,
    },
}

/// A folder as it was found.
#[derive(Debug)]
pub struct Stored {
    /// What is run.
    pub plan: Plan,
    /// The lines, by the ids of their jobs.
    pub lines: HashMap<String, Line>,
    /// What happened.
    pub events: Vec<Event>,
}

/// A folder that this process alone writes to.
#[derive(Debug)]
pub struct Folder {
    /// What is in it.
    pub stored: Stored,
    results: Log,
    attempts: Log,
    _lock: File,
}

impl Stored {
    /// Reads a folder, which another run may be writing to.
    ///
    /// # Errors
    /// If it is no folder of results, or damaged before its last line.
    pub fn read(path: &Path) -> Result<Stored, StoreError> {
        let plan = read_plan(&path.join("plan.json"))?;
        let (results, attempts) = (path.join(RESULTS), path.join(ATTEMPTS));
        let lines = checked_lines(&plan, &results, &log::read(&results)?.0)?;
        let events = checked_events(&attempts, &log::read(&attempts)?.0)?;
        Ok(Stored { plan, lines, events })
    }

    /// Jobs that were begun in the process of a run that did not finish them.
    #[must_use]
    pub fn left_open(&self) -> HashSet<&str> {
        let begun = self.events.iter().filter_map(|event| match event {
            Event::Begun { id } => Some(id.as_str()),
            _ => None,
        });
        begun.filter(|id| !self.lines.contains_key(*id)).collect()
    }

    /// How often the process that had this job alone died.
    #[must_use]
    pub fn deaths(&self, job: &str) -> u32 {
        let died = |event: &&Event| matches!(event, Event::Died { id, .. } if id == job);
        self.events.iter().filter(died).count() as u32
    }
}

impl Folder {
    /// Opens a folder for a plan: made if it is missing, gone on with if it has this plan.
    ///
    /// # Errors
    /// If another run writes to it, it has another plan, or the machine fails.
    pub fn open(path: &Path, plan: Plan) -> Result<Folder, StoreError> {
        std::fs::create_dir_all(path).map_err(|error| StoreError::of(path, &error))?;
        let lock = lock(&path.join("lock"))?;
        let plan_path = path.join("plan.json");
        let plan = if plan_path.exists() {
            let found = read_plan(&plan_path)?;
            if found != plan {
                return Err(StoreError::input(path, difference(&found, &plan)));
            }
            found
        } else {
            write_whole(&plan_path, &serde_json::to_vec_pretty(&plan).expect("plans serialise"))?;
            plan
        };
        let (results_path, attempts_path) = (path.join(RESULTS), path.join(ATTEMPTS));
        let (results, lines) = Log::open(&results_path)?;
        let (attempts, events) = Log::open(&attempts_path)?;
        let lines = checked_lines(&plan, &results_path, &lines)?;
        let events = checked_events(&attempts_path, &events)?;
        Ok(Folder { stored: Stored { plan, lines, events }, results, attempts, _lock: lock })
    }

    /// The two files to write to, which different threads may hold.
    pub fn writers(&mut self) -> (Results<'_>, Attempts<'_>) {
        (Results { log: &mut self.results, lines: &mut self.stored.lines }, Attempts(Mutex::new(&mut self.attempts)))
    }
}

/// `results.jsonl`, to be appended to.
pub struct Results<'a> {
    log: &'a mut Log,
    lines: &'a mut HashMap<String, Line>,
}

impl Results<'_> {
    /// Appends lines, and waits until they are on the disk.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn add(&mut self, lines: Vec<Line>) -> Result<(), StoreError> {
        let text: String = lines.iter().map(|line| in_json(line) + "\n").collect();
        self.log.append(&text)?;
        self.log.sync()?;
        self.lines.extend(lines.into_iter().map(|line| (line.id.clone(), line)));
        Ok(())
    }
}

/// `attempts.jsonl`, to be appended to by several threads.
pub struct Attempts<'a>(Mutex<&'a mut Log>);

impl Attempts<'_> {
    /// Notes what happened. The disk is not waited for: what a power failure takes is forgotten, and
    /// the job begun again.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn note(&self, event: &Event) -> Result<(), StoreError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).append(&(in_json(event) + "\n"))
    }
}

pub(super) fn in_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("lines serialise")
}

/// Takes the lock, which the operating system gives back when this process ends, however it ends.
fn lock(path: &Path) -> Result<File, StoreError> {
    let failed = |error: std::io::Error| StoreError::of(path, &error);
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let folder = path.parent().unwrap_or(path);
            Err(StoreError::input(folder, "another run is writing to this folder"))
        }
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Writes a file beside its place, then renames it: it is there whole or not at all.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    use std::io::Write;
    let failed = |error: std::io::Error| StoreError::of(path, &error);
    let beside: PathBuf = path.with_extension("unfinished");
    let mut file = File::create(&beside).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(failed)
}

fn read_plan(path: &Path) -> Result<Plan, StoreError> {
    let text = std::fs::read_to_string(path).map_err(|error| StoreError::of(path, &error))?;
    let plan: Plan = serde_json::from_str(&text).map_err(|error| StoreError::input(path, error))?;
    plan.check(path)?;
    Ok(plan)
}

/// Why a folder's plan is not the one that was asked for.
fn difference(found: &Plan, asked: &Plan) -> String {
    let what = if found.experiment != asked.experiment {
        format!("it holds {}", found.experiment)
    } else if found.size != asked.size {
        format!("it holds the {} size", found.size.name())
    } else if found.part != asked.part {
        format!("it holds part {}", found.part)
    } else if found.text != asked.text {
        "the experiment's file was changed since".into()
    } else {
        "this version of the program plans other jobs".into()
    };
    format!("{what}; choose another folder with --out")
}

fn checked_lines(plan: &Plan, path: &Path, texts: &[String]) -> Result<HashMap<String, Line>, StoreError> {
    let known: HashSet<&str> = plan.own_jobs().map(|job| job.id.as_str()).collect();
    let mut lines = HashMap::new();
    for (number, text) in texts.iter().enumerate() {
        let place = |what: &dyn std::fmt::Display| StoreError::input(path, format!("line {}: {what}", number + 1));
        let line: Line = serde_json::from_str(text).map_err(|error| place(&error))?;
        if line.result.is_some() == line.void.is_some() {
            return Err(place(&"a line has either a result or a reason to be void"));
        }
        if !known.contains(line.id.as_str()) {
            return Err(place(&format!("job {} is not in this part of the plan", line.id)));
        }
        if let Some(line) = lines.insert(line.id.clone(), line) {
            return Err(place(&format!("job {} has two results", line.id)));
        }
    }
    Ok(lines)
}

fn checked_events(path: &Path, texts: &[String]) -> Result<Vec<Event>, StoreError> {
    let read = |(number, text): (usize, &String)| {
        serde_json::from_str(text).map_err(|error| StoreError::input(path, format!("line {}: {error}", number + 1)))
    };
    texts.iter().enumerate().map(read).collect()
}
