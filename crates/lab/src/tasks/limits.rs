//! The limits of one search, as a job states them.

use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::time::Duration;
use tesuji_core::{Budget, StopFlag};

/// The longest time limit, in seconds.
const LONGEST: f64 = 1e7;

/// Most threads of one search.
const MOST_THREADS: u32 = 1024;

/// What is missing is not limited.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Playouts, expansions: the search's own unit of work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Positions entered, repeats included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Bytes of trees and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Threads, where a search can use several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<NonZeroU32>,
}

impl Limits {
    /// Whether any of them ends a search.
    #[must_use]
    pub fn ends(&self) -> bool {
        self.iterations.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// These limits, and those of `general` where these say nothing. One that ends a search
    /// replaces all others that do.
    #[must_use]
    pub fn or(self, general: Limits) -> Limits {
        let ending = if self.ends() { self } else { general };
        Limits {
            iterations: ending.iterations,
            nodes: ending.nodes,
            time: ending.time,
            memory: self.memory.or(general.memory),
            threads: self.threads.or(general.threads),
        }
    }

    /// As a budget for choosing a move.
    ///
    /// # Errors
    /// If the time is no number of seconds, or there are too many threads.
    pub fn budget(&self, stop: &StopFlag) -> Result<Budget, String> {
        let time = match self.time {
            None => None,
            Some(seconds) if seconds > 0.0 && seconds <= LONGEST => Some(Duration::from_secs_f64(seconds)),
            Some(seconds) => return Err(format!("time = {seconds}: expected more than 0 and at most {LONGEST} s")),
        };
        if let Some(threads) = self.threads.filter(|threads| threads.get() > MOST_THREADS) {
            return Err(format!("threads = {threads}: at most {MOST_THREADS}"));
        }
        Ok(Budget {
            iterations: self.iterations,
            nodes: self.nodes,
            depth: None,
            soft_time: time,
            hard_time: time,
            memory: self.memory,
            threads: self.threads,
            stop: stop.clone(),
        })
    }
}

/// In words, such as `1000 iterations` or `0.5 s, 2 threads`.
impl std::fmt::Display for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.iterations.map(|count| format!("{count} iterations")),
            self.nodes.map(|count| format!("{count} nodes")),
            self.time.map(|seconds| format!("{seconds} s")),
            self.memory.map(|bytes| format!("{bytes} bytes")),
            self.threads.map(|threads| format!("{threads} threads")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "no limit" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    #[test]
    fn an_agents_own_limit_replaces_the_general_one() {
        let general = Limits { iterations: Some(1000), memory: Some(64), ..Limits::default() };
        let own = Limits { time: Some(0.5), ..Limits::default() };
        assert_eq!(own.or(general), Limits { time: Some(0.5), memory: Some(64), ..Limits::default() });
        assert_eq!(Limits::default().or(general), general);
        assert_eq!(
            (own.or(general).to_string(), Limits::default().to_string()),
            ("0.5 s, 64 bytes".into(), "no limit".into())
        );
    }
}
