//! Places for searches.
//!
//! Their number is bounded, and searches that find none wait in order. While others wait, a search has a turn:
//! when it has lasted that long it ends with its answer and makes way, one search for each that waits.

use crate::refusal::Refusal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

struct Room {
    places: Arc<Semaphore>,
    turn: Duration,
    waiting: AtomicUsize,
    /// Searches that have been told to make way.
    leaving: AtomicUsize,
}

/// The places of a server.
#[derive(Clone)]
pub(crate) struct Slots(Arc<Room>);

/// A place, given back when it is dropped.
pub(crate) struct Slot {
    _place: OwnedSemaphorePermit,
    room: Arc<Room>,
    began: Instant,
    leaves: AtomicBool,
}

/// Counts one that waits, also if its wait is given up.
struct Waiting(Arc<Room>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Relaxed);
    }
}

impl Slots {
    pub(crate) fn new(places: usize, turn: Duration) -> Slots {
        let places = Arc::new(Semaphore::new(places.max(1)));
        Slots(Arc::new(Room { places, turn, waiting: AtomicUsize::new(0), leaving: AtomicUsize::new(0) }))
    }

    fn slot(&self, place: OwnedSemaphorePermit) -> Slot {
        Slot { _place: place, room: self.0.clone(), began: Instant::now(), leaves: AtomicBool::new(false) }
    }

    /// A place, if one is free.
    pub(crate) fn free_one(&self) -> Option<Slot> {
        self.0.places.clone().try_acquire_owned().ok().map(|place| self.slot(place))
    }

    /// Waits for a place. The wait ends when the future is dropped.
    pub(crate) async fn wait(&self) -> Result<Slot, Refusal> {
        self.0.waiting.fetch_add(1, Relaxed);
        let _waiting = Waiting(self.0.clone());
        let place = self.0.places.clone().acquire_owned().await;
        place.map(|place| self.slot(place)).map_err(|_| Refusal::busy("the server is stopping"))
    }

    /// Waits for a place, but not longer than this.
    pub(crate) async fn wait_for(&self, time: Duration) -> Result<Slot, Refusal> {
        let late = || Refusal::busy("all searches are taken; try again later");
        tokio::time::timeout(time, self.wait()).await.map_err(|_| late())?
    }

    /// Searches that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.0.waiting.load(Relaxed)
    }

    /// Places that are free.
    pub(crate) fn free(&self) -> usize {
        self.0.places.available_permits()
    }
}

impl Slot {
    /// Whether the search has had its turn and one waits for which no other makes way.
    pub(crate) fn makes_way(&self) -> bool {
        if self.leaves.load(Relaxed) {
            return true;
        }
        if self.began.elapsed() < self.room.turn {
            return false;
        }
        let waiting = self.room.waiting.load(Relaxed);
        let one_more = |leaving: usize| (leaving < waiting).then_some(leaving + 1);
        let leaves = self.room.leaving.fetch_update(Relaxed, Relaxed, one_more).is_ok();
        self.leaves.store(leaves, Relaxed);
        leaves
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if *self.leaves.get_mut() {
            self.room.leaving.fetch_sub(1, Relaxed);
        }
    }
}
