//! The lab for the web app: experiments, reports, and runs as processes of their own.
//!
//! A run is `tesuji lab run`, started by this program: it may be stopped at any moment, and the next
//! one goes on where it ended. Clients name experiments by their ids, which are those of the library.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tesuji_agents::Access;
use tesuji_lab::plan::{Experiment, Size, library};
use tesuji_lab::report::Page;
use tesuji_lab::store::Stored;
use tesuji_web::Refusal;
use tesuji_web::api::{self, ExperimentReport, Run, Sizes};

/// An experiment of the library at one of its sizes.
type Which = (&'static str, Size);

/// The lab.
pub(super) struct Laboratory {
    /// Where it keeps its results.
    results: PathBuf,
    most_runs: usize,
    allow_programs: bool,
    /// Runs that were started, and have not been found to have ended well.
    runs: Mutex<HashMap<(&'static str, &'static str), Child>>,
}

impl Drop for Laboratory {
    fn drop(&mut self) {
        for run in self.runs().values_mut() {
            // One that has ended already needs no end.
            let _ = run.kill();
            let _ = run.wait();
        }
    }
}

/// The experiment that a client names.
fn find(id: &str, size: &str) -> Result<Which, Refusal> {
    // Only ids of the library become names of folders.
    let known = library::ALL.iter().map(|(known, _)| *known).find(|known| *known == id);
    let id = known.ok_or_else(|| Refusal::not_found("there is no such experiment"))?;
    let size = Size::ALL.into_iter().find(|known| known.name() == size);
    Ok((id, size.ok_or_else(|| Refusal::bad_request("size: expected quick or full"))?))
}

fn read(id: &str) -> Result<Experiment, Refusal> {
    let experiment = library::read(id).ok_or_else(|| Refusal::not_found("there is no such experiment"))?;
    experiment.map_err(|error| Refusal::internal(error.to_string()))
}

impl Laboratory {
    pub(super) fn new(results: PathBuf, most_runs: usize, allow_programs: bool) -> Laboratory {
        Laboratory { results, most_runs, allow_programs, runs: Mutex::default() }
    }

    fn runs(&self) -> MutexGuard<'_, HashMap<(&'static str, &'static str), Child>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, (id, size): Which) -> PathBuf {
        self.results.join(format!("{id}-{}", size.name()))
    }

    fn has_results(&self, which: Which) -> bool {
        self.folder(which).join("plan.json").is_file()
    }

    /// Whether an experiment may be started.
    fn may_start(&self, experiment: &Experiment) -> bool {
        let starts_programs = Size::ALL.into_iter().any(|size| !experiment.programs(size).is_empty());
        self.most_runs > 0 && (self.allow_programs || !starts_programs)
    }

    pub(super) fn most_runs(&self) -> usize {
        self.most_runs
    }

    pub(super) fn experiments(&self) -> Result<Vec<api::Experiment>, Refusal> {
        let told = library::ALL.iter().map(|(id, _)| {
            let experiment = read(id)?;
            let [quick, full] = Size::ALL.map(|size| experiment.core_hours(size));
            let reports = Size::ALL.into_iter().filter(|size| self.has_results((*id, *size)));
            Ok(api::Experiment {
                core_hours: Sizes { quick, full },
                programs: experiment.programs(Size::Full),
                reports: reports.map(|size| size.name().into()).collect(),
                can_run: self.may_start(&experiment),
                kind: experiment.kind.into(),
                id: experiment.id,
                title: experiment.title,
                claim: experiment.claim,
                source: experiment.source,
            })
        });
        told.collect()
    }

    fn stored(&self, which: Which) -> Result<Stored, Refusal> {
        Stored::read(&self.folder(which))
            .map_err(|_| Refusal::internal("the results cannot be read; `tesuji lab report` says why"))
    }

    pub(super) fn report(&self, id: &str, size: &str) -> Result<ExperimentReport, Refusal> {
        let which = find(id, size)?;
        if !self.has_results(which) {
            return Err(Refusal::not_found("there are no results yet; start a run"));
        }
        let stored = self.stored(which)?;
        let access = Access::restricted().with_programs();
        let experiment = Experiment::read("plan.json", &stored.plan.text, &access)
            .map_err(|error| Refusal::internal(error.to_string()))?;
        Ok(ExperimentReport {
            id: which.0.into(),
            size: which.1.name().into(),
            done: stored.lines.len(),
            planned: stored.plan.own_jobs().count(),
            html: Page::new(&experiment, &stored).html(),
        })
    }

    /// Starts a run, unless it goes on already.
    pub(super) fn start(&self, id: &str, size: &str) -> Result<Run, Refusal> {
        let which = find(id, size)?;
        if !self.may_start(&read(which.0)?) {
            let why = if self.most_runs == 0 { "--lab-runs" } else { "--allow-programs" };
            return Err(Refusal::forbidden(format!("this experiment is not started here; the server needs {why}")));
        }
        let key = (which.0, which.1.name());
        {
            let mut runs = self.runs();
            let goes_on = |run: &mut Child| matches!(run.try_wait(), Ok(None));
            let running = runs.iter_mut().filter_map(|(key, run)| goes_on(run).then_some(*key)).collect::<Vec<_>>();
            if !running.contains(&key) {
                if running.len() >= self.most_runs {
                    let what = format!("{} of at most {} runs go on", running.len(), self.most_runs);
                    return Err(Refusal::busy(format!("{what}; stop one, or wait")));
                }
                runs.insert(key, self.spawned(which)?);
            }
        }
        self.progress(id, size)
    }

    fn spawned(&self, which: Which) -> Result<Child, Refusal> {
        let failed = |_| Refusal::internal("the run cannot be started");
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.args(["lab", "run", which.0, "--jobs", "1", "--out"]).arg(self.folder(which));
        if which.1 == Size::Quick {
            command.arg("--quick");
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(failed)
    }

    pub(super) fn progress(&self, id: &str, size: &str) -> Result<Run, Refusal> {
        let which = find(id, size)?;
        let state = self.runs().get_mut(&(which.0, which.1.name())).map(|run| run.try_wait().ok().flatten());
        if state.is_none() && !self.has_results(which) {
            return Err(Refusal::not_found("there is no such run"));
        }
        let (done, planned) = if self.has_results(which) {
            let stored = self.stored(which)?;
            (stored.lines.len(), stored.plan.own_jobs().count())
        } else {
            (0, read(which.0)?.jobs(which.1).map_or(0, |jobs| jobs.len()))
        };
        let has_failed = state.flatten().is_some_and(|end| !end.success());
        let why = || "the run ended before it was done; `tesuji lab run` in a terminal says why".to_string();
        let failed = (has_failed && done < planned).then(why);
        Ok(Run { id: id.into(), size: size.into(), running: state == Some(None), done, planned, failed })
    }

    pub(super) fn stop(&self, id: &str, size: &str) -> Result<Run, Refusal> {
        let which = find(id, size)?;
        let run = self.runs().remove(&(which.0, which.1.name()));
        let mut run = run.ok_or_else(|| Refusal::not_found("there is no such run"))?;
        // One that has ended already needs no end.
        let _ = run.kill();
        let _ = run.wait();
        if self.has_results(which) {
            return self.progress(id, size);
        }
        Ok(Run { id: id.into(), size: size.into(), running: false, done: 0, planned: 0, failed: None })
    }
}
