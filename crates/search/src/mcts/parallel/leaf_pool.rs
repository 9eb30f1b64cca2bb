//! Leaf parallelism: threads that play out from the leaf that the main thread has reached.

use crate::mcts::backup::{Estimate, Reward};
use crate::mcts::leaf::{PlayedMove, Simulate};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tesuji_core::{Deadline, Pulse, Rng, Studied};

const IDLE: u32 = 0;
const REQUESTED: u32 = 1;
const DONE: u32 = 2;
const QUIT: u32 = 3;

struct Job<P> {
    position: P,
    history: Vec<PlayedMove>,
    estimate: Estimate,
}

/// The mailbox of one thread.
struct Mailbox<P> {
    state: AtomicU32,
    job: Mutex<Job<P>>,
}

impl<P> Mailbox<P> {
    /// Waits until the state is one of two, and returns it. Spins first, because a playout takes
    /// microseconds, then yields, then sleeps.
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

/// The threads and their mailboxes.
pub(crate) struct LeafPool<P> {
    mailboxes: Vec<(Arc<Mailbox<P>>, JoinHandle<()>)>,
}

impl<P: Studied> LeafPool<P> {
    /// A pool of `threads` threads that run `playouts` playouts each, or fewer if the deadline
    /// passes.
    pub(crate) fn new(
        threads: u32,
        root: &P,
        leaf: &dyn Simulate<P>,
        playouts: u32,
        reward: Reward,
        rng: &Rng,
        deadline: &Deadline,
    ) -> Self {
        let mailboxes = (0..threads).map(|number| {
            let job = Job { position: root.clone(), history: Vec::new(), estimate: Estimate::default() };
            let mailbox = Arc::new(Mailbox { state: AtomicU32::new(IDLE), job: Mutex::new(job) });
            let (inbox, mut leaf, mut rng) = (mailbox.clone(), leaf.fork(), rng.split(1000 + u64::from(number)));
            let (mut spare, mut pulse) = (root.clone(), Pulse::new(deadline.clone()));
            let thread = std::thread::spawn(move || {
                while inbox.wait(REQUESTED, QUIT) == REQUESTED {
                    let mut job = inbox.job.lock().expect("the main thread does not panic");
                    let job = &mut *job;
                    job.estimate = Estimate::default();
                    for number in 0..playouts {
                        if number > 0 && !pulse.goes_on() {
                            break;
                        }
                        spare.clone_from(&job.position);
                        let outcome = leaf.simulate(&mut spare, &job.history, &mut rng, None);
                        let Some(outcome) = outcome else { break };
                        job.estimate.merge(Estimate::single(reward.units(outcome)));
                    }
                    inbox.state.store(DONE, Ordering::Release);
                }
            });
            (mailbox, thread)
        });
        LeafPool { mailboxes: mailboxes.collect() }
    }

    /// Starts all threads on this leaf.
    pub(crate) fn send(&self, position: &P, history: &[PlayedMove]) {
        for (mailbox, _) in &self.mailboxes {
            let mut job = mailbox.job.lock().expect("a playout does not panic");
            job.position.clone_from(position);
            job.history.clear();
            job.history.extend_from_slice(history);
            drop(job);
            mailbox.state.store(REQUESTED, Ordering::Release);
        }
    }

    /// The sum of their estimates.
    pub(crate) fn collect(&self) -> Estimate {
        let mut sum = Estimate::default();
        for (mailbox, thread) in &self.mailboxes {
            assert!(!thread.is_finished(), "a playout does not panic");
            mailbox.wait(DONE, DONE);
            sum.merge(mailbox.job.lock().expect("a playout does not panic").estimate);
            mailbox.state.store(IDLE, Ordering::Relaxed);
        }
        sum
    }
}

impl<P> Drop for LeafPool<P> {
    fn drop(&mut self) {
        for (mailbox, thread) in self.mailboxes.drain(..) {
            mailbox.state.store(QUIT, Ordering::Release);
            // `collect` has reported a panic of the thread.
            let _ = thread.join();
        }
    }
}
