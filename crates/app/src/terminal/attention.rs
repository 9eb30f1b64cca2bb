//! What a signal means, which depends on what the game does at the moment.
//!
//! | | an agent thinks | the person is asked | otherwise |
//! |---|---|---|---|
//! | Ctrl-C | it moves now; a second one leaves | leaves | leaves |
//! | SIGTERM, SIGHUP | leaves | leaves | leaves |
//!
//! An engine outside whose protocol has no word for it does not move; the first Ctrl-C says so.
//!
//! The thread of the game and the thread that receives signals share an [`Attention`]. The thread
//! of the game leaves by itself, in order, wherever it looks. While it waits for a line it cannot
//! look; then the other one has to end the process. The game is kept on disk by then.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tesuji_agents::Notice;

/// What a signal asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM, or the terminal was closed.
    End,
}

/// What the receiver of a signal has to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reaction {
    /// Nothing: the thread of the game sees it.
    Wait,
    /// To say this and end the process, with exit code 3.
    EndNow(String),
}

/// What the thread of the game does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Doing {
    #[default]
    Other,
    Thinking,
    Asking,
}

#[derive(Default)]
struct State {
    doing: Doing,
    /// The agent that thinks shall move now.
    hurry: bool,
    /// An agent was hurried since the person was asked last.
    hurried: bool,
    leave: bool,
    /// A search has news.
    woken: bool,
    /// Where the game is kept, in words.
    kept: Option<String>,
}

/// What the thread of the game and the receiver of signals share.
#[derive(Default)]
pub struct Attention {
    state: Mutex<State>,
    changed: Condvar,
}

/// What the thread of the game learns while an agent thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Call {
    /// Nothing was asked.
    None,
    /// The agent shall move now.
    Hurry,
    /// The game shall be saved and left.
    Leave,
}

impl Attention {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A signal has arrived.
    pub fn signal(&self, signal: Signal) -> Reaction {
        let mut state = self.state();
        if signal == Signal::Interrupt && state.doing == Doing::Thinking && !state.hurried {
            (state.hurry, state.hurried) = (true, true);
        } else if state.doing == Doing::Asking || state.leave {
            return Reaction::EndNow(farewell(&state));
        } else {
            state.leave = true;
        }
        self.changed.notify_all();
        Reaction::Wait
    }

    /// The person is about to be asked. False if the game is to be left instead.
    pub(crate) fn ask(&self) -> bool {
        let mut state = self.state();
        state.doing = Doing::Asking;
        state.hurried = false;
        !state.leave
    }

    /// An agent begins to think.
    pub(super) fn think(&self) {
        let mut state = self.state();
        (state.doing, state.hurry) = (Doing::Thinking, false);
    }

    /// The thread of the game neither asks nor waits for an agent.
    pub(crate) fn rest(&self) {
        self.state().doing = Doing::Other;
    }

    /// Waits for news of a search, or for a call, at most for this time.
    pub(super) fn wait(&self, time: Duration) -> Call {
        let quiet = |state: &mut State| !(state.woken || state.hurry || state.leave);
        let (mut state, _) =
            self.changed.wait_timeout_while(self.state(), time, quiet).unwrap_or_else(PoisonError::into_inner);
        state.woken = false;
        match (state.leave, std::mem::take(&mut state.hurry)) {
            (true, _) => Call::Leave,
            (_, true) => Call::Hurry,
            _ => Call::None,
        }
    }

    /// What searches call when they have news.
    pub(super) fn notice(self: &Arc<Attention>) -> Notice {
        let attention = self.clone();
        Arc::new(move || {
            attention.state().woken = true;
            attention.changed.notify_all();
        })
    }

    /// Whether the game is to be left.
    pub(super) fn must_leave(&self) -> bool {
        self.state().leave
    }

    /// Where the game is kept now, in words.
    pub(super) fn set_kept(&self, kept: Option<String>) {
        self.state().kept = kept;
    }

    /// Where the game is kept, in words.
    pub(super) fn kept(&self) -> String {
        kept(&self.state())
    }

    /// What to say when the game is left.
    #[must_use]
    pub fn farewell(&self) -> String {
        farewell(&self.state())
    }
}

fn kept(state: &State) -> String {
    state.kept.clone().unwrap_or_else(|| "there is no game to save".into())
}

fn farewell(state: &State) -> String {
    format!("interrupted; {}", kept(state))
}

#[cfg(test)]
mod tests {
    use super::{Attention, Call, Reaction, Signal};
    use std::time::Duration;

    const SOON: Duration = Duration::from_millis(1);

    #[test]
    fn the_first_ctrl_c_hurries_and_the_second_leaves() {
        let attention = Attention::default();
        assert!(attention.ask());
        attention.think();
        assert_eq!(attention.wait(SOON), Call::None);
        assert_eq!(attention.signal(Signal::Interrupt), Reaction::Wait);
        assert_eq!([attention.wait(SOON), attention.wait(SOON)], [Call::Hurry, Call::None]);
        // The answer to the next question of the person makes it a first one again.
        assert!(attention.ask());
        attention.think();
        assert_eq!(attention.wait(SOON), Call::None);
        assert_eq!(attention.signal(Signal::Interrupt), Reaction::Wait);
        assert_eq!(attention.wait(SOON), Call::Hurry);
        // The next agent may think as long as it likes, until the second one.
        attention.think();
        assert_eq!(attention.wait(SOON), Call::None);
        assert_eq!(attention.signal(Signal::Interrupt), Reaction::Wait);
        assert_eq!(attention.wait(SOON), Call::Leave);
        assert!(attention.must_leave() && !attention.ask());
        assert!(matches!(attention.signal(Signal::Interrupt), Reaction::EndNow(_)), "a third one does not wait");
    }

    #[test]
    fn a_person_who_is_asked_is_not_waited_for() {
        let attention = Attention::default();
        assert!(attention.ask());
        attention.set_kept(Some("the game is saved in x".into()));
        for signal in [Signal::Interrupt, Signal::End] {
            assert_eq!(attention.signal(signal), Reaction::EndNow("interrupted; the game is saved in x".into()));
        }
        attention.rest();
        assert_eq!(attention.signal(Signal::End), Reaction::Wait);
        assert!(attention.must_leave());
    }
}
