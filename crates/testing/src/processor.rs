//! Processor time of a thread: on a busy machine less than the time that passes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tesuji_core::StopFlag;

/// Seconds for which this thread has had a processor. Linux only; 0 elsewhere.
#[must_use]
pub fn processor_seconds() -> f64 {
    seconds_of("thread-self")
}

/// The processor time of all threads of this process. Linux only; 0 elsewhere.
#[must_use]
pub fn process_time() -> Duration {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Duration::ZERO };
    let seconds = |entry: std::fs::DirEntry| seconds_of(&format!("self/task/{}", entry.file_name().to_string_lossy()));
    Duration::from_secs_f64(threads.filter_map(Result::ok).map(seconds).sum())
}

fn seconds_of(thread: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{thread}/schedstat")).unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0.0) / 1e9
}

/// Raises a stop flag once the thread that made this has had a processor for a number of seconds. Ends when dropped.
#[derive(Debug)]
pub struct Watched(Arc<AtomicBool>);

impl Watched {
    /// Watches the calling thread until it has had `until` seconds in all.
    #[must_use]
    pub fn new(stop: StopFlag, until: f64) -> Watched {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let thread = std::fs::read_link("/proc/thread-self").unwrap_or_default().to_string_lossy().into_owned();
        std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                if seconds_of(&thread) > until {
                    stop.stop();
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        Watched(over)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
