//! What tests share, those of other crates too: data files, their JSON, settings of long tests,
//! processor time.

#![allow(dead_code)] // each test file uses its own part

pub use serde_json::Value as Json;
use std::fmt::Debug;
use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tesuji_core::StopFlag;

/// Reads one JSON value; the data files are known, so a surprise is a panic, here and below.
pub fn parse(text: &str) -> Json {
    serde_json::from_str(text).expect("JSON")
}

/// What the tests want of a JSON value.
pub trait Known {
    /// The entry of an object.
    fn entry(&self, name: &str) -> &Json;
    /// The text of a text.
    fn text(&self) -> &str;
    /// The entries of a list.
    fn list(&self) -> &[Json];
    /// The texts of a list.
    fn texts(&self) -> Vec<&str> {
        self.list().iter().map(Known::text).collect()
    }
}

impl Known for Json {
    fn entry(&self, name: &str) -> &Json {
        self.get(name).unwrap_or_else(|| panic!("no {name} in {self}"))
    }

    fn text(&self) -> &str {
        self.as_str().unwrap_or_else(|| panic!("no text: {self}"))
    }

    fn list(&self) -> &[Json] {
        self.as_array().unwrap_or_else(|| panic!("no list: {self}"))
    }
}

/// The text of a data file, or a loud line.
pub fn data(name: &str) -> Option<String> {
    let path = format!("{}/../../../shared/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no data file {path}");
    }
    text
}

/// A setting of a long test, or its share: the number in this environment variable, or a default.
pub fn share<N: FromStr<Err: Debug>>(variable: &str, default: N) -> N {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// Seconds for which this thread has had a processor: on a busy machine less than have passed.
/// Linux only.
pub fn processor_seconds() -> f64 {
    processor_seconds_of("thread-self")
}

fn processor_seconds_of(thread: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{thread}/schedstat")).unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0.0) / 1e9
}

/// Throws a flag when the thread that made this has had a processor for so many seconds; until it
/// is dropped.
pub struct Watched(Arc<AtomicBool>);

impl Watched {
    /// See above.
    pub fn new(stop: StopFlag, until: f64) -> Watched {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let thread = std::fs::read_link("/proc/thread-self").unwrap_or_default().to_string_lossy().into_owned();
        std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                if processor_seconds_of(&thread) > until {
                    stop.stop();
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
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
