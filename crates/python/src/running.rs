//! Long work without the interpreter lock, which Ctrl-C and the end of the interpreter stop.
//!
//! The work runs in a thread of its own; the calling thread waits without the lock and asks Python for
//! signals a few times a second. A signal handler that raises (Ctrl-C) throws the stop flag; the call
//! raises the same exception once the work has answered, which takes milliseconds.
//!
//! **Exit.** A daemon thread that comes back from a search after the interpreter has begun to tear
//! itself down would be ended by it in the middle of our frames. So `stop_all`, registered with
//! `atexit`, throws all flags, waits for the calls to come back, and refuses new ones.
//!
//! **Fork.** The list of running work is touched only by threads that hold the interpreter lock, and
//! only such a thread can fork; the child finds it whole, and empties it (`forked`).

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_core::StopFlag;

/// Between two looks at Python's signals.
const LOOK: Duration = Duration::from_millis(50);
/// The stack of a search: more than the two megabytes of other threads.
const STACK: usize = 16 << 20;
/// Longer than this, the end of the interpreter waits for no work.
const GRACE: Duration = Duration::from_secs(20);

static RUNNING: Mutex<Vec<(u64, StopFlag)>> = Mutex::new(Vec::new());
static NEXT: AtomicU64 = AtomicU64::new(0);
static EXITING: AtomicBool = AtomicBool::new(false);

fn running() -> std::sync::MutexGuard<'static, Vec<(u64, StopFlag)>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work in the list, for as long as this lives; made and dropped with the interpreter lock.
struct Listed(u64);

impl Drop for Listed {
    fn drop(&mut self) {
        running().retain(|(number, _)| *number != self.0);
    }
}

/// Does work that `stop` ends.
///
/// # Errors
/// What a signal handler raised, or that the work failed in a way that it should not.
pub fn run<T: Send>(py: Python<'_>, stop: &StopFlag, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    if EXITING.load(Ordering::Relaxed) {
        return Err(PyRuntimeError::new_err("the interpreter is exiting: no search begins any more"));
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    running().push((number, stop.clone()));
    let _listed = Listed(number);
    let (outcome, raised) = py.detach(|| {
        let (send, ended) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let body = move || {
                let outcome = catch_unwind(AssertUnwindSafe(work));
                drop(send);
                outcome
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
            let mut raised = None;
            let thread = match thread {
                Ok(thread) => thread,
                Err(error) => return (Err(format!("no thread for the search: {error}")), raised),
            };
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(LOOK) {
                if raised.is_some() {
                    continue;
                }
                if let Some(Err(error)) = Python::try_attach(|py| py.check_signals()) {
                    stop.stop();
                    raised = Some(error);
                }
            }
            let outcome = thread.join().unwrap_or_else(Err).map_err(|panic| {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_string()));
                format!("internal error: {}", text.unwrap_or_default())
            });
            (outcome, raised)
        })
    });
    match (raised, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(found)) => Ok(found),
        (None, Err(problem)) => Err(PyRuntimeError::new_err(problem)),
    }
}

/// Stops all searches and refuses new ones: the interpreter is exiting.
#[pyfunction]
#[pyo3(name = "_stop_all")]
pub fn stop_all(py: Python<'_>) {
    EXITING.store(true, Ordering::Relaxed);
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        let flags: Vec<StopFlag> = running().iter().map(|(_, stop)| stop.clone()).collect();
        if flags.is_empty() {
            return;
        }
        flags.iter().for_each(StopFlag::stop);
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
    }
}

/// Forgets the searches of the parent process: this is a child, which has none of its threads.
#[pyfunction]
#[pyo3(name = "_forked")]
pub fn forked() {
    running().clear();
}
