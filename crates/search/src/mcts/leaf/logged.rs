//! Playouts written down, for records of single iterations. The wrapper is put around an evaluator
//! when the first iteration is recorded: a search that records nothing does not have it.

use super::simulate::{PlayedMove, Simulate};
use std::sync::{Arc, Mutex};
use tesuji_core::{Deadline, Outcome, RecordMoves, Rng, Studied};

/// Playouts, each with its outcome. Clones share them.
pub(crate) struct PlayoutLog<M>(Arc<Mutex<Log<M>>>);

struct Log<M> {
    /// Whether playouts are written down.
    is_open: bool,
    playouts: Vec<(Vec<M>, Outcome)>,
}

impl<M> Clone for PlayoutLog<M> {
    fn clone(&self) -> Self {
        PlayoutLog(self.0.clone())
    }
}

impl<M> Default for PlayoutLog<M> {
    fn default() -> Self {
        PlayoutLog(Arc::new(Mutex::new(Log { is_open: false, playouts: Vec::new() })))
    }
}

impl<M: Copy> PlayoutLog<M> {
    fn with<T>(&self, act: impl FnOnce(&mut Log<M>) -> T) -> T {
        act(&mut self.0.lock().expect("no thread panics while it holds the log"))
    }

    /// Writes playouts down from now on.
    pub(crate) fn open(&self) {
        self.with(|log| log.is_open = true);
    }

    /// Writes nothing more down; returns what was.
    pub(crate) fn close(&self) -> Vec<(Vec<M>, Outcome)> {
        self.with(|log| {
            log.is_open = false;
            std::mem::take(&mut log.playouts)
        })
    }
}

/// An evaluator whose playouts can be written down.
pub(crate) struct Logged<P: Studied> {
    inner: Box<dyn Simulate<P>>,
    log: PlayoutLog<P::Move>,
}

impl<P: Studied> Logged<P> {
    pub(crate) fn new(inner: Box<dyn Simulate<P>>, log: PlayoutLog<P::Move>) -> Logged<P> {
        Logged { inner, log }
    }
}

impl<P: Studied> Simulate<P> for Logged<P> {
    fn simulate(
        &mut self,
        position: &mut P,
        history: &[PlayedMove],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        let Some(record) = record else { return self.inner.simulate(position, history, rng, None) };
        let outcome = self.inner.simulate(position, history, rng, Some(&mut *record))?;
        self.log.with(|log| {
            if log.is_open {
                log.playouts.push((record.0.iter().map(|(_, mv)| *mv).collect(), outcome));
            }
        });
        Some(outcome)
    }

    fn set_deadline(&mut self, deadline: &Deadline) {
        self.inner.set_deadline(deadline);
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        self.inner.fork()
    }
}
