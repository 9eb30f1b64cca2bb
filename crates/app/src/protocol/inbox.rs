//! One stream of events: lines from the reader thread and notices from search threads.
//!
//! The protocol loop waits on this inbox alone, so it wakes when a line arrives, when a search has
//! its first snapshot or its answer, or when the time it asked for has come, and at no other time.
//! Input is bounded: a reader that is [`MOST_AHEAD`] events ahead waits. Notices are coalesced into
//! one flag, so a search thread never blocks here.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tesuji_agents::Notice;

/// Input events that may wait in the inbox before the reader pauses.
const MOST_AHEAD: usize = 32;

/// What the reader read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// A line without its ending.
    Line(String),
    /// The beginning of a line that was longer than allowed; the rest was dropped.
    TooLong(String),
    /// Bytes of a line that has not ended yet.
    Bytes,
    /// The end of the input. Nothing follows.
    End,
}

/// What ends a wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// The reader read something.
    Input(Input),
    /// A search has its first snapshot, or has ended.
    Search,
    /// The time to wait until has come.
    Time,
}

/// Which events a wait takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Accept {
    /// Input and searches.
    All,
    /// Searches only: input stays where it is.
    Searches,
}

#[derive(Default)]
struct State {
    input: VecDeque<Input>,
    search: bool,
    closed: bool,
}

/// The event stream of one conversation.
#[derive(Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    /// Something arrived.
    arrived: Condvar,
    /// There is room for input again, or the inbox was closed.
    room: Condvar,
}

impl Inbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What search threads call.
    pub(super) fn notice(self: &Arc<Inbox>) -> Notice {
        let inbox = self.clone();
        Arc::new(move || {
            inbox.state().search = true;
            inbox.arrived.notify_one();
        })
    }

    /// Adds input once there is room. False if the inbox is closed.
    pub(super) fn push(&self, input: Input) -> bool {
        let state = self.state();
        let full = |state: &mut State| state.input.len() >= MOST_AHEAD && !state.closed;
        let mut state = self.room.wait_while(state, full).unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return false;
        }
        state.input.push_back(input);
        self.arrived.notify_one();
        true
    }

    /// Waits for the next event, at most until this time; without a time, for as long as it takes.
    /// Searches come before input: an answer that is there is given before the next line is read.
    pub(super) fn next(&self, until: Option<Instant>, accept: Accept) -> Event {
        let mut state = self.state();
        loop {
            if std::mem::take(&mut state.search) {
                return Event::Search;
            }
            if accept == Accept::All
                && let Some(input) = state.input.pop_front()
            {
                self.room.notify_one();
                return Event::Input(input);
            }
            state = match until {
                None => self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Event::Time;
                    }
                    self.arrived.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Ends the conversation: a reader that waits for room, or comes later, is sent away.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::{Accept, Event, Inbox, Input, MOST_AHEAD};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    #[test]
    fn notices_are_one_event_and_come_first() {
        let inbox = Arc::new(Inbox::default());
        let notice = inbox.notice();
        assert!(inbox.push(Input::End));
        notice();
        notice();
        assert_eq!(inbox.next(None, Accept::All), Event::Search);
        let soon = Instant::now() + Duration::from_millis(5);
        assert_eq!(inbox.next(Some(soon), Accept::Searches), Event::Time);
        assert_eq!(inbox.next(None, Accept::All), Event::Input(Input::End));
    }

    #[test]
    fn a_wait_ends_with_what_another_thread_does() {
        let inbox = Arc::new(Inbox::default());
        let notice = inbox.notice();
        let searching = std::thread::spawn(move || notice());
        assert_eq!(inbox.next(None, Accept::All), Event::Search);
        searching.join().expect("no panic");
    }

    #[test]
    fn a_reader_far_ahead_waits_for_room_or_for_the_end() {
        let inbox = Arc::new(Inbox::default());
        let reader = {
            let inbox = inbox.clone();
            std::thread::spawn(move || (0..).take_while(|_| inbox.push(Input::Bytes)).count())
        };
        for _ in 0..MOST_AHEAD {
            assert_eq!(inbox.next(None, Accept::All), Event::Input(Input::Bytes));
        }
        inbox.close();
        let read = reader.join().expect("no panic");
        assert!((MOST_AHEAD..=2 * MOST_AHEAD).contains(&read), "{read}");
        assert!(!inbox.push(Input::Bytes));
    }
}
