//! Runs the jobs of a folder that are not done.
//!
//! Jobs run in threads of this process. One that an earlier run began and did not finish may have
//! killed that run, so it runs in a process of its own (`alone.rs`); only the death or time-out of that
//! process is held against it, and after [`MOST_DEATHS`] it is void. The death of the run itself
//! counts for no job, whatever killed it.
//!
//! ```text
//!  worker threads ──┬─ what they begin ─→ attempts.jsonl
//!                   └─ lines ─→ this thread ─→ results.jsonl (one sync a batch), progress
//! ```
//!
//! A worker begins no job before the note that it does is written, and goes on while its line is
//! being written: a sync costs no job time. Syncs are at least `GAP` apart, so that short jobs share
//! one. What was not written when the run died is run again, and comes out the same.

mod alone;

use crate::plan::Planned;
use crate::store::{Attempts, Event, Folder, Results, StoreError, Stored};
use crate::tasks::Line;
use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_agents::Access;
use tesuji_core::StopFlag;

/// A job whose own process died this often is void.
pub const MOST_DEATHS: u32 = 3;

/// The least time between two syncs.
const GAP: Duration = Duration::from_millis(50);

/// How jobs are run.
pub struct Options {
    /// Jobs at the same time.
    pub threads: usize,
    /// The time after which a process that has one job alone is ended.
    pub timeout: Duration,
    /// The program and its first arguments that run one job from standard input; see `alone.rs`.
    pub program: (PathBuf, Vec<String>),
    /// What the jobs' specs may open and start.
    pub access: Access,
    /// Thrown to begin no more jobs; those that run are finished.
    pub stop: StopFlag,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Jobs of this part of the plan.
    pub planned: usize,
    /// Those that have a line; the ones that earlier runs finished too.
    pub done: usize,
    /// Those of them that are void.
    pub void: usize,
    /// Jobs that this run finished.
    pub fresh: usize,
}

/// A job that waits.
struct Waiting {
    job: Planned,
    alone: bool,
    deaths: u32,
}

/// What all workers share.
struct Shared<'a> {
    queue: Mutex<VecDeque<Waiting>>,
    attempts: Attempts<'a>,
    options: &'a Options,
}

/// A line, or why nothing can be noted any more.
type Said = Result<Line, StoreError>;

/// Runs until nothing is left to do or the stop flag is thrown.
///
/// # Errors
/// If the folder cannot be written to. Workers finish what they are doing first.
pub fn run(folder: &mut Folder, options: &Options, watch: &mut dyn FnMut(Progress)) -> Result<Progress, StoreError> {
    let queue = Mutex::new(waiting(&folder.stored));
    let mut progress = Progress {
        planned: folder.stored.plan.own_jobs().count(),
        done: folder.stored.lines.len(),
        void: folder.stored.lines.values().filter(|line| line.void.is_some()).count(),
        fresh: 0,
    };
    watch(progress);
    let (mut results, attempts) = folder.writers();
    let shared = Shared { queue, attempts, options };
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (send, shared) = (send.clone(), &shared);
            scope.spawn(move || work(shared, &send));
        }
        drop(send);
        let written = write(&mut results, &receive, &mut progress, watch);
        if written.is_err() {
            options.stop.stop();
        }
        written
    })?;
    Ok(progress)
}

/// What is planned minus what is done.
fn waiting(stored: &Stored) -> VecDeque<Waiting> {
    let open: HashSet<&str> = stored.left_open();
    let rest = stored.plan.own_jobs().filter(|job| !stored.lines.contains_key(&job.id));
    let waiting = |job: &Planned| {
        let alone = open.contains(job.id.as_str());
        Waiting { alone, deaths: if alone { stored.deaths(&job.id) } else { 0 }, job: job.clone() }
    };
    rest.map(waiting).collect()
}

/// Writes the lines of workers, until they have all ended.
fn write(
    results: &mut Results<'_>,
    receive: &Receiver<Said>,
    progress: &mut Progress,
    watch: &mut dyn FnMut(Progress),
) -> Result<(), StoreError> {
    let mut last: Option<Instant> = None;
    while let Ok(first) = receive.recv() {
        let mut lines = vec![first?];
        // Everything that comes until the next sync is due is written with it.
        while let Some(wait) = last.and_then(|last| GAP.checked_sub(last.elapsed())) {
            let Ok(line) = receive.recv_timeout(wait) else { break };
            lines.push(line?);
        }
        for line in receive.try_iter() {
            lines.push(line?);
        }
        last = Some(Instant::now());
        progress.done += lines.len();
        progress.fresh += lines.len();
        progress.void += lines.iter().filter(|line| line.void.is_some()).count();
        results.add(lines)?;
        watch(*progress);
    }
    Ok(())
}

/// A worker: takes jobs until there are none, the run is stopped, or nothing can be written.
fn work(shared: &Shared<'_>, send: &Sender<Said>) {
    let queue = || shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
    while !shared.options.stop.is_stopped() {
        let next = queue().pop_front();
        let Some(Waiting { job, alone, deaths }) = next else { return };
        let said = if alone {
            alone_until_void(&job, deaths, shared)
        } else if let Err(error) = shared.attempts.note(&Event::Begun { id: job.id.clone() }) {
            Err(error)
        } else {
            match catch_unwind(AssertUnwindSafe(|| job.task.run(&shared.options.access))) {
                Ok(line) => Ok(line),
                // A bug of the job's; its own process will say which.
                Err(_) => {
                    queue().push_back(Waiting { job, alone: true, deaths: 0 });
                    continue;
                }
            }
        };
        let failed = said.is_err();
        if send.send(said).is_err() || failed {
            return;
        }
    }
}

/// Runs a job in processes of its own until one answers, or it has died too often.
fn alone_until_void(job: &Planned, mut deaths: u32, shared: &Shared<'_>) -> Said {
    let started = Instant::now();
    let mut last = "in earlier runs".to_string();
    while deaths < MOST_DEATHS {
        match alone::run(job, &shared.options.program, shared.options.timeout) {
            Ok(line) => return Ok(line),
            Err(why) => {
                deaths += 1;
                shared.attempts.note(&Event::Died { id: job.id.clone(), why: why.clone() })?;
                last = why;
            }
        }
    }
    let void = format!("the job's own process died {deaths} times, last: {last}");
    let (id, seconds) = (job.id.clone(), started.elapsed().as_secs_f64());
    Ok(Line { id, seconds, result: None, void: Some(void), transcript: Vec::new() })
}
