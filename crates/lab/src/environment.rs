//! What a result depends on beside its job: the program and the processor. No host name, no path.

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

/// The processor time of this thread so far, in seconds, where the system tells (Linux). It does not
/// grow while other programs have the processor.
#[must_use]
pub fn thread_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 * 1e-9)
}
