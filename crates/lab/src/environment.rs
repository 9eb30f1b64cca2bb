//! What a result depends on beside its job: the program and the processor. No host name, no path.

use std::time::Instant;

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that the program was built from; "unknown" outside of a repository. A `+` follows it
/// if files differed from it when this crate was built.
pub const COMMIT: &str = env!("TESUJI_COMMIT");

/// The processor, as the system names it.
#[must_use]
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}

/// Measures work: the processor time of this thread where the system tells (Linux), which does not grow
/// while other programs have the processor; else the time that passes.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    begun: Instant,
    thread: Option<f64>,
}

impl Stopwatch {
    /// Begins. Work that other threads or programs do is measured by the time that passes.
    #[must_use]
    pub fn start(works_elsewhere: bool) -> Stopwatch {
        Stopwatch { begun: Instant::now(), thread: thread_seconds().filter(|_| !works_elsewhere) }
    }

    /// Seconds since the begin.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        let own = self.thread.and_then(|before| Some(thread_seconds()? - before));
        own.unwrap_or_else(|| self.begun.elapsed().as_secs_f64())
    }
}

fn thread_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 * 1e-9)
}

#[cfg(test)]
mod tests {
    use super::Stopwatch;

    /// Sleep is no work, unless it may be the work of others.
    #[test]
    fn waiting_is_not_counted() {
        let [own, all] = [false, true].map(Stopwatch::start);
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(all.seconds() >= 0.05);
        assert!(own.thread.is_none() || own.seconds() < 0.04, "{}", own.seconds());
    }
}
