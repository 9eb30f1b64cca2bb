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

/// Measures work: the processor time of this thread where the system tells, which does not grow
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

#[cfg(unix)]
fn thread_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

#[cfg(not(unix))]
fn thread_seconds() -> Option<f64> {
    None
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
        // Short work is counted as well as long work: the clock has no ticks.
        let (own, all) = (Stopwatch::start(false), Stopwatch::start(true));
        let (mut parts, mut sum) = (0.0, 0_u64);
        while all.seconds() < 0.05 {
            let part = Stopwatch::start(false);
            sum = (0..2_000_u64).fold(sum, |sum, number| std::hint::black_box(sum ^ number));
            parts += part.seconds();
        }
        assert!(parts <= own.seconds() && parts > 0.0, "{parts} of {} ({sum})", own.seconds());
    }
}
