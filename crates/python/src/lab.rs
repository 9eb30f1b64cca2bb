//! The lab for Python: plans, folders of results, and single jobs, in this process. `tesuji.lab` runs
//! them here or on a Ray cluster.

use crate::running;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;
use tesuji_agents::Access;
use tesuji_core::StopFlag;
use tesuji_lab::environment;
use tesuji_lab::plan::{Experiment, Part, Size, library};
use tesuji_lab::report::Page;
use tesuji_lab::runner::{self, MOST_DEATHS, Options, Progress};
use tesuji_lab::store::{Event, Folder, Plan, StoreError, Stored};
use tesuji_lab::tasks::{Line, Task};

fn wrong(error: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn of_store(error: StoreError) -> PyErr {
    match error {
        StoreError::Input(what) => PyValueError::new_err(what),
        StoreError::Machine(what) => PyOSError::new_err(what),
    }
}

/// What jobs may open and start.
fn access(programs: bool) -> Access {
    if programs { Access::restricted().with_programs() } else { Access::restricted() }
}

/// The experiments that are built in: a list of dictionaries of `id`, `title`, `claim`, `source`,
/// `kind` and `core_hours` (quick, full).
#[pyfunction]
pub fn experiments(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let mut all = Vec::new();
    for (id, _) in library::ALL {
        let experiment = library::read(id).expect("it is listed").map_err(|error| wrong(&error))?;
        let [quick, full] = Size::ALL.map(|size| experiment.core_hours(size));
        let entry = PyDict::new(py);
        entry.set_item("core_hours", (quick, full))?;
        let texts = [
            ("id", experiment.id.as_str()),
            ("title", &experiment.title),
            ("claim", &experiment.claim),
            ("source", &experiment.source),
            ("kind", experiment.kind),
        ];
        for (name, text) in texts {
            entry.set_item(name, text)?;
        }
        all.push(entry);
    }
    Ok(all)
}

/// The jobs of an experiment: one of ours by its id, or the text of a file. `part` is such as "3/64".
#[pyclass(frozen, module = "tesuji._native")]
pub struct LabPlan {
    plan: Plan,
    /// The programs that its jobs start.
    #[pyo3(get)]
    programs: Vec<String>,
    /// The estimated processor time, in hours.
    #[pyo3(get)]
    core_hours: f64,
}

#[pymethods]
impl LabPlan {
    #[new]
    #[pyo3(signature = (experiment, *, text=None, quick=false, part=None, allow_programs=false))]
    fn new(
        experiment: &str,
        text: Option<&str>,
        quick: bool,
        part: Option<&str>,
        allow_programs: bool,
    ) -> PyResult<LabPlan> {
        let (read, ours) = match (text, library::read(experiment)) {
            (None, Some(ours)) => (ours.map_err(|error| wrong(&error))?, true),
            (Some(text), _) => {
                let read = Experiment::read(experiment, text, &access(allow_programs));
                (read.map_err(|error| wrong(&error))?, false)
            }
            (None, None) => {
                let ids: Vec<&str> = library::ALL.iter().map(|(id, _)| *id).collect();
                let near = tesuji_core::spec::nearest(experiment, &ids);
                let near = near.map(|id| format!("; did you mean {id}?")).unwrap_or_default();
                return Err(wrong(&format!("no experiment \"{experiment}\"{near}")));
            }
        };
        let size = if quick { Size::Quick } else { Size::Full };
        let part = match part {
            Some(part) => part.parse::<Part>().map_err(|error| wrong(&error))?,
            None => Part::WHOLE,
        };
        let plan = Plan::new(&read, ours, size, part).map_err(|error| wrong(&error))?;
        Ok(LabPlan { plan, programs: read.programs(size), core_hours: read.core_hours(size) })
    }

    /// The id of the experiment.
    #[getter]
    fn id(&self) -> &str {
        &self.plan.experiment
    }

    /// "quick" or "full".
    #[getter]
    fn size(&self) -> &'static str {
        self.plan.size.name()
    }

    /// The jobs of this part: (id, text).
    fn jobs(&self) -> Vec<(String, String)> {
        self.plan.own_jobs().map(|job| (job.id.clone(), job.task.text())).collect()
    }

    /// The folder of the results unless another is named.
    fn usual_folder(&self) -> String {
        let Part { number, of } = self.plan.part;
        let part = if of == 1 { String::new() } else { format!("-part-{number}-of-{of}") };
        format!("lab-results/{}-{}{part}", self.plan.experiment, self.plan.size.name())
    }
}

/// Runs one job, given as its text, and answers its line. What its agents may start is what
/// `allow_programs` says.
///
/// >>> import json, tesuji.lab
/// >>> plan = tesuji.lab.Plan("lin-trap", quick=True)
/// >>> id, text = plan.jobs()[0]
/// >>> json.loads(tesuji.lab.run_job(text))["id"] == id
/// True
#[pyfunction]
#[pyo3(signature = (text, *, allow_programs=false))]
pub fn run_job(py: Python<'_>, text: &str, allow_programs: bool) -> PyResult<String> {
    let task = Task::read(text).map_err(|error| wrong(&error))?;
    let line = running::run(py, &StopFlag::new(), || task.run(&access(allow_programs)))?;
    serde_json::to_string(&line).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// A line without anything that depends on the machine's speed: two runs of an iteration-limited job
/// agree on it.
#[pyfunction]
pub fn timeless(line: &str) -> PyResult<String> {
    let line: Line = serde_json::from_str(line).map_err(|error| wrong(&error))?;
    Ok(line.timeless().to_string())
}

/// A folder of results that this process alone writes to.
#[pyclass(frozen, module = "tesuji._native")]
pub struct LabFolder {
    folder: Mutex<Option<Folder>>,
    path: PathBuf,
}

impl LabFolder {
    /// A thread that waited here would keep the interpreter lock, which the other one may want.
    fn free(&self) -> PyResult<MutexGuard<'_, Option<Folder>>> {
        match self.folder.try_lock() {
            Ok(folder) => Ok(folder),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("the folder is in use by another thread")),
        }
    }

    fn open(&self) -> PyResult<MutexGuard<'_, Option<Folder>>> {
        let folder = self.free()?;
        if folder.is_some() { Ok(folder) } else { Err(PyValueError::new_err("the folder was closed")) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Folder) -> PyResult<T>) -> PyResult<T> {
        work(self.open()?.as_mut().expect("it is open"))
    }
}

#[pymethods]
impl LabFolder {
    /// Opens a folder for a plan: made if it is missing, gone on with if it has this plan.
    #[new]
    fn new(path: PathBuf, plan: &LabPlan) -> PyResult<LabFolder> {
        let folder = Folder::open(&path, plan.plan.clone()).map_err(of_store)?;
        Ok(LabFolder { folder: Mutex::new(Some(folder)), path })
    }

    /// The folder.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// The jobs that have no line: (id, text), in the order of the plan.
    fn remaining(&self) -> PyResult<Vec<(String, String)>> {
        self.with(|folder| {
            let stored = &folder.stored;
            let rest = stored.plan.own_jobs().filter(|job| !stored.lines.contains_key(&job.id));
            Ok(rest.map(|job| (job.id.clone(), job.task.text())).collect())
        })
    }

    /// (planned, done, void).
    fn progress(&self) -> PyResult<(usize, usize, usize)> {
        self.with(|folder| {
            let stored = &folder.stored;
            let void = stored.lines.values().filter(|line| line.void.is_some()).count();
            Ok((stored.plan.own_jobs().count(), stored.lines.len(), void))
        })
    }

    /// Notes that a run begins with this many jobs at a time.
    fn begin(&self, threads: usize) -> PyResult<()> {
        self.with(|folder| {
            let event = Event::Run {
                version: environment::VERSION.into(),
                commit: environment::COMMIT.into(),
                cpu: environment::processor(),
                threads,
            };
            folder.writers().1.note(&event).map_err(of_store)
        })
    }

    /// Appends lines, and waits until they are on the disk. Lines of jobs that have one, and of jobs
    /// that are not in the plan, are refused.
    fn append(&self, py: Python<'_>, lines: Vec<String>) -> PyResult<()> {
        let mut read: Vec<Line> = Vec::with_capacity(lines.len());
        for text in &lines {
            read.push(serde_json::from_str(text).map_err(|error| wrong(&format!("not a line of results: {error}")))?);
        }
        self.with(|folder| {
            let known: std::collections::HashSet<&str> =
                folder.stored.plan.own_jobs().map(|job| job.id.as_str()).collect();
            let mut seen = std::collections::HashSet::new();
            for line in &read {
                let again = folder.stored.lines.contains_key(&line.id) || !seen.insert(line.id.clone());
                if again || !known.contains(line.id.as_str()) || line.result.is_some() == line.void.is_some() {
                    return Err(wrong(&format!("job {} is not waiting for this line", line.id)));
                }
            }
            py.detach(|| folder.writers().0.add(read)).map_err(of_store)
        })
    }

    /// Notes that the process that had this job alone died, and answers how often that has happened.
    fn died(&self, id: &str, why: &str) -> PyResult<u32> {
        self.with(|folder| {
            let event = Event::Died { id: id.into(), why: why.into() };
            folder.writers().1.note(&event).map_err(of_store)?;
            folder.stored.events.push(event);
            Ok(folder.stored.deaths(id))
        })
    }

    /// How often the process that had this job alone died.
    fn deaths(&self, id: &str) -> PyResult<u32> {
        self.with(|folder| Ok(folder.stored.deaths(id)))
    }

    /// The line of a job that has no result, and why.
    #[staticmethod]
    fn void_line(id: &str, why: &str) -> PyResult<String> {
        let line = Line { id: id.into(), seconds: 0.0, result: None, void: Some(why.into()), transcript: Vec::new() };
        serde_json::to_string(&line).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Runs what is left, in threads of this process, as `tesuji lab run` does. `alone` is the command
    /// that runs a single job from its standard input. `watch(planned, done, void)` is told how far it
    /// is. Ctrl-C finishes the jobs that run and begins no more.
    #[pyo3(signature = (*, threads, alone, timeout=3600.0, allow_programs=false, watch=None))]
    fn run(
        &self,
        py: Python<'_>,
        threads: usize,
        alone: Vec<String>,
        timeout: f64,
        allow_programs: bool,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<(usize, usize, usize)> {
        let [program, arguments @ ..] = &alone[..] else { return Err(wrong(&"the command of a single job is empty")) };
        let timeout = Duration::try_from_secs_f64(timeout).map_err(|error| wrong(&error))?;
        let stop = StopFlag::new();
        let options = Options {
            threads: threads.clamp(1, 1024),
            timeout,
            program: (program.into(), arguments.to_vec()),
            access: access(allow_programs),
            stop: stop.clone(),
        };
        self.begin(options.threads)?;
        let mut tell = |progress: Progress| {
            if let Some(watch) = &watch {
                // A watcher that raises does not end the run.
                let told = Python::try_attach(|py| {
                    watch.bind(py).call1((progress.planned, progress.done, progress.void)).map(|_| ())
                });
                if let Some(Err(error)) = told {
                    Python::try_attach(|py| error.write_unraisable(py, None));
                }
            }
        };
        let mut guard = self.open()?;
        let folder = guard.as_mut().expect("it is open");
        let done = running::run(py, &stop, || runner::run(folder, &options, &mut tell))?.map_err(of_store)?;
        Ok((done.planned, done.done, done.void))
    }

    /// Gives the folder back to other processes.
    fn close(&self) -> PyResult<()> {
        *self.free()? = None;
        Ok(())
    }
}

/// After this many deaths of its own process, a job is void.
#[pyfunction]
pub fn most_deaths() -> u32 {
    MOST_DEATHS
}

/// The lines of a folder: (id, line), in the order of the plan.
#[pyfunction]
pub fn read_lines(path: PathBuf) -> PyResult<Vec<(String, String)>> {
    let stored = Stored::read(&path).map_err(of_store)?;
    let mut all = Vec::new();
    for job in stored.plan.own_jobs() {
        if let Some(line) = stored.lines.get(&job.id) {
            all.push((job.id.clone(), serde_json::to_string(line).map_err(|error| wrong(&error))?));
        }
    }
    Ok(all)
}

/// What the results of a folder say: "markdown", "html", "csv" or "json".
#[pyfunction]
#[pyo3(signature = (path, form="markdown"))]
pub fn report(path: PathBuf, form: &str) -> PyResult<String> {
    let stored = Stored::read(&path).map_err(of_store)?;
    let experiment = Experiment::read("plan.json", &stored.plan.text, &access(true)).map_err(|error| wrong(&error))?;
    let page = Page::new(&experiment, &stored);
    match form {
        "markdown" => Ok(page.markdown()),
        "html" => Ok(page.html()),
        "csv" => Ok(page.csv()),
        "json" => Ok(page.json().to_string()),
        other => Err(wrong(&format!("no form {other:?}: there are markdown, html, csv and json"))),
    }
}
