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

/// The processor time of all threads of this process, those that have ended too, to a hundredth of
/// a second. Linux only; 0 elsewhere.
#[must_use]
pub fn process_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses: user and system time are fields 14 and 15 of proc_pid_stat(5),
    // in hundredths.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let hundredths = |at: usize| fields.get(at).and_then(|text| text.parse().ok()).unwrap_or(0_u64);
    Duration::from_millis(10 * (hundredths(11) + hundredths(12)))
}

/// What [`processor_seconds`] would say in the calling thread, asked from any other.
#[derive(Clone, Debug)]
pub struct ThreadClock(String);

impl ThreadClock {
    /// The clock of the calling thread.
    #[must_use]
    pub fn here() -> ThreadClock {
        ThreadClock(std::fs::read_link("/proc/thread-self").unwrap_or_default().to_string_lossy().into_owned())
    }

    /// Seconds for which that thread has had a processor. Linux only; 0 elsewhere.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        seconds_of(&self.0)
    }
}

fn seconds_of(thread: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{thread}/schedstat")).unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0.0) / 1e9
}

/// Raises a stop flag once the thread that made this has had a processor for a number of seconds.
/// Ends when dropped.
#[derive(Debug)]
pub struct Watched(Arc<AtomicBool>);

impl Watched {
    /// Watches the calling thread until it has had `until` seconds in all.
    #[must_use]
    pub fn new(stop: StopFlag, until: f64) -> Watched {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let thread = ThreadClock::here();
        std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                if thread.seconds() > until {
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
