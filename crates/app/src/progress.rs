//! Progress of work that takes longer than a second, and interruption by Ctrl-C or SIGTERM.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tesuji_core::{Observer, Pace, Report, StopFlag};

/// Work shorter than this shows no progress.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

static INTERRUPT: OnceLock<StopFlag> = OnceLock::new();

/// The stop flag of Ctrl-C and SIGTERM. The first signal asks running work for the answer it has;
/// the second ends the program.
pub fn interrupt() -> StopFlag {
    INTERRUPT
        .get_or_init(|| {
            let flag = StopFlag::new();
            let thrown = flag.clone();
            // Without a handler Ctrl-C ends the program, which is no reason to fail.
            let _ = ctrlc::set_handler(move || {
                if thrown.is_stopped() {
                    std::process::exit(130);
                }
                thrown.stop();
            });
            flag
        })
        .clone()
}

/// Whether running work was interrupted.
pub fn was_interrupted() -> bool {
    INTERRUPT.get().is_some_and(StopFlag::is_stopped)
}

/// A line on standard error that appears after a second of work, if that is a terminal.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: bool,
}

impl Progress {
    /// Work of known length; zero is unknown.
    pub fn new(length: u64) -> Progress {
        let bar = ProgressBar::with_draw_target((length > 0).then_some(length), ProgressDrawTarget::hidden());
        let template = if length > 0 {
            "{elapsed_precise} [{wide_bar}] {pos}/{len} {msg} eta {eta}"
        } else {
            "{elapsed_precise} {spinner} {msg}"
        };
        bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
        Progress { bar, started: Instant::now(), shown: false }
    }

    /// Shows how much is done.
    pub fn at(&mut self, position: u64, message: String) {
        if !self.shown && self.started.elapsed() > SHOWN_AFTER {
            self.shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(position);
        self.bar.set_message(message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Runs work that cannot report by itself, with a spinner once it takes longer than a second.
pub fn with_spinner<T>(message: &str, work: impl FnOnce() -> T) -> T {
    let (done, finished) = std::sync::mpsc::channel::<()>();
    let message = message.to_string();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut progress = Progress::new(0);
            while finished.recv_timeout(Duration::from_millis(100)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                progress.at(0, message.clone());
                progress.bar.tick();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Watches a search.
pub struct SearchProgress {
    progress: Progress,
}

impl SearchProgress {
    /// A search of this number of iterations, if that is known.
    pub fn new(iterations: Option<u64>) -> SearchProgress {
        SearchProgress { progress: Progress::new(iterations.unwrap_or(0)) }
    }
}

impl Observer<String> for SearchProgress {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Time(Duration::from_millis(100)))
    }

    fn progress(&mut self, report: &Report<String>) {
        let best = report.best.as_deref().unwrap_or("…");
        let message = format!("nodes {} best {best} {:.3}", report.nodes, report.value.for_player(report.turn));
        self.progress.at(report.iterations.max(report.nodes), message);
    }
}
