//! What one server allows.

use crate::api;
use crate::kept::MOST_STEPS;
use std::time::Duration;

/// What one server allows its clients.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Sessions that are kept.
    pub sessions: usize,
    /// The most bytes of sessions that are kept, about.
    pub session_bytes: usize,
    /// Searches at the same time.
    pub searches: usize,
    /// Searches of one WebSocket at the same time, those that wait included.
    pub searches_per_client: usize,
    /// The longest search.
    pub time: Duration,
    /// The longest search while others wait for a place.
    pub turn: Duration,
    /// The most bytes of trees and tables, all searches together.
    pub tree_bytes: u64,
    /// Threads of one search.
    pub threads: u32,
    /// The largest body of a request.
    pub body_bytes: usize,
    /// The largest message of a WebSocket.
    pub message_bytes: usize,
    /// Messages of one WebSocket in a second, on average.
    pub messages_per_second: u32,
    /// Connections at the same time.
    pub connections: usize,
    /// The longest time to send the head of a request.
    pub header_time: Duration,
    /// The longest time to send the body of a request.
    pub body_time: Duration,
}

impl Limits {
    /// For one person at this machine, with this number of cores.
    #[must_use]
    pub fn usual(cores: usize) -> Limits {
        Limits {
            sessions: 256,
            session_bytes: 512 << 20,
            searches: cores.max(2),
            searches_per_client: 8,
            time: Duration::from_secs(600),
            turn: Duration::from_secs(20),
            tree_bytes: 1 << 30,
            threads: cores.max(1) as u32,
            body_bytes: 1 << 20,
            message_bytes: 1 << 16,
            messages_per_second: 30,
            connections: 512,
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
        }
    }

    /// The bytes of trees and tables of one search.
    #[must_use]
    pub fn bytes_per_search(&self) -> u64 {
        (self.tree_bytes / self.searches.max(1) as u64).max(1 << 20)
    }

    pub(crate) fn told(&self) -> api::Limits {
        api::Limits {
            sessions: self.sessions,
            searches: self.searches,
            searches_per_client: self.searches_per_client,
            seconds: self.time.as_secs_f64(),
            turn_seconds: self.turn.as_secs_f64(),
            memory_mb: self.bytes_per_search() >> 20,
            threads: self.threads,
            body_bytes: self.body_bytes,
            message_bytes: self.message_bytes,
            steps: MOST_STEPS,
        }
    }
}
