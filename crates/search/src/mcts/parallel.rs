//! Several threads: on one tree, on trees of their own, or at one leaf.
//!
//! | | what the threads share | reference |
//! |---|---|---|
//! | `tree` | the tree; descents under way count as lost visits (*virtual loss*), so that threads spread | Chaslot, Winands & van den Herik 2008; Enzenberger & Müller 2010 without locks |
//! | `root` | nothing; the root tables are added up at the end | Cazenave & Jouandeau 2007 |
//! | `leaf` | one descent; each thread plays out from the same leaf | the same |
//!
//! One thread is repeatable to the bit, and so are `root` and `leaf` with a fixed number of threads and iterations; `tree` is not.

use super::Reward;
use super::leaf::{Past, Simulate};
use super::worker::Gathered;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tesuji_core::{Deadline, Pulse, Rng, Studied};

/// What several threads do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parallel {
    /// They share the tree.
    Tree,
    /// They share nothing.
    Root,
    /// They share the leaf.
    Leaf,
}

const IDLE: u32 = 0;
const ASKED: u32 = 1;
const ANSWERED: u32 = 2;
const QUIT: u32 = 3;

struct Job<P> {
    position: P,
    past: Vec<Past>,
    gathered: Gathered,
}

struct Desk<P> {
    state: AtomicU32,
    job: Mutex<Job<P>>,
}

impl<P> Desk<P> {
    /// Waits until the state is one of two, and answers which. Busy at first, for a playout takes microseconds; then gently.
    fn wait(&self, either: u32, or: u32) -> u32 {
        for round in 0_u64.. {
            let state = self.state.load(Ordering::Acquire);
            if state == either || state == or {
                return state;
            }
            match round {
                0..2_000 => std::hint::spin_loop(),
                2_000..20_000 => std::thread::yield_now(),
                _ => std::thread::sleep(std::time::Duration::from_micros(50)),
            }
        }
        unreachable!("the loop above has no end")
    }
}

/// Threads that play out from the leaf another thread has reached.
pub(super) struct LeafPool<P> {
    desks: Vec<(Arc<Desk<P>>, JoinHandle<()>)>,
}

impl<P: Studied> LeafPool<P> {
    /// So many threads, each playing out so many times, or until the clock says no.
    pub(super) fn new(
        threads: u32,
        root: &P,
        leaf: &dyn Simulate<P>,
        playouts: u32,
        reward: Reward,
        rng: &Rng,
        clock: &Deadline,
    ) -> Self {
        let desks = (0..threads).map(|number| {
            let job = Job { position: root.clone(), past: Vec::new(), gathered: Gathered::default() };
            let desk = Arc::new(Desk { state: AtomicU32::new(IDLE), job: Mutex::new(job) });
            let (theirs, mut leaf, mut rng) = (desk.clone(), leaf.fork(), rng.split(1000 + u64::from(number)));
            let (mut spare, mut pulse) = (root.clone(), Pulse::new(clock.clone()));
            let thread = std::thread::spawn(move || {
                while theirs.wait(ASKED, QUIT) == ASKED {
                    let mut job = theirs.job.lock().expect("the other side does not panic");
                    let job = &mut *job;
                    job.gathered = Gathered::default();
                    for number in 0..playouts {
                        if number > 0 && !pulse.goes_on() {
                            break;
                        }
                        spare.clone_from(&job.position);
                        let outcome = leaf.simulate(&mut spare, &job.past, &mut rng, None);
                        let Some(outcome) = outcome else { break };
                        job.gathered.plus(Gathered::one(reward.units(outcome)));
                    }
                    theirs.state.store(ANSWERED, Ordering::Release);
                }
            });
            (desk, thread)
        });
        LeafPool { desks: desks.collect() }
    }

    /// Sets all threads to work on this leaf.
    pub(super) fn send(&self, position: &P, past: &[Past]) {
        for (desk, _) in &self.desks {
            let mut job = desk.job.lock().expect("a playout does not panic");
            job.position.clone_from(position);
            job.past.clear();
            job.past.extend_from_slice(past);
            drop(job);
            desk.state.store(ASKED, Ordering::Release);
        }
    }

    /// What they found, all together.
    pub(super) fn collect(&self) -> Gathered {
        let mut sum = Gathered::default();
        for (desk, thread) in &self.desks {
            assert!(!thread.is_finished(), "a playout does not panic");
            desk.wait(ANSWERED, ANSWERED);
            sum.plus(desk.job.lock().expect("a playout does not panic").gathered);
            desk.state.store(IDLE, Ordering::Relaxed);
        }
        sum
    }
}

impl<P> Drop for LeafPool<P> {
    fn drop(&mut self) {
        for (desk, thread) in self.desks.drain(..) {
            desk.state.store(QUIT, Ordering::Release);
            // A panic of theirs has been seen by `collect`.
            let _ = thread.join();
        }
    }
}
