//! Why a request is not carried out: a status for HTTP, a word for programs, a sentence for people.
//! No sentence names a path of the server.

use crate::api::{Failed, Problem};
use tesuji_agents::SessionError;
use tesuji_core::MoveError;
use tesuji_core::spec::SpecError;

/// Why a request is not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// A word for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
}

/// The most bytes of a sentence: what a client sent may be quoted in it.
const MOST_MESSAGE: usize = 1000;

/// A sentence that is not too long, cut between two letters.
fn bounded(mut message: String) -> String {
    if message.len() > MOST_MESSAGE {
        message.truncate(message.floor_char_boundary(MOST_MESSAGE));
        message.push('…');
    }
    message
}

macro_rules! refusals {
    ($($(#[doc = $about:literal])+ $name:ident = $status:literal;)*) => {
        impl Refusal {$(
            $(#[doc = $about])+
            #[must_use]
            pub fn $name(message: impl Into<String>) -> Refusal {
                Refusal { status: $status, code: stringify!($name), message: bounded(message.into()) }
            }
        )*}
    };
}

refusals! {
    /// The request cannot be read.
    bad_request = 400;
    /// The token is missing or wrong.
    unauthorized = 401;
    /// The request comes from another site, or asks for what this server does not allow.
    forbidden = 403;
    /// There is no such thing.
    not_found = 404;
    /// The thing is there, but not for this method.
    bad_method = 405;
    /// The client took too long.
    too_slow = 408;
    /// The session has changed in between.
    conflict = 409;
    /// The body is too large.
    too_large = 413;
    /// The move is not legal.
    illegal_move = 422;
    /// There is no such game or agent.
    bad_spec = 422;
    /// The game or the agent cannot do it.
    unsupported = 422;
    /// The client asks for too much at once.
    too_many = 429;
    /// A bug.
    internal = 500;
    /// Nothing is free at the moment.
    busy = 503;
}

impl Refusal {
    /// As it is told.
    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem { code: self.code.into(), message: self.message.clone() }
    }

    /// The body of an answer.
    #[must_use]
    pub fn failed(&self) -> Failed {
        Failed { error: self.problem() }
    }

    /// A spec that names nothing.
    pub(crate) fn spec(what: &str, error: &SpecError) -> Refusal {
        Refusal::bad_spec(format!("{what}: {error}"))
    }
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Refusal {
        let message = error.to_string();
        match error {
            SessionError::Spec(_) => Refusal::bad_spec(message),
            SessionError::Move(_) => Refusal::illegal_move(message),
            SessionError::Search(_) | SessionError::TooLong | SessionError::TooManySetUps => {
                Refusal::unsupported(message)
            }
            SessionError::Busy | SessionError::Idle | SessionError::NothingToUndo => Refusal::conflict(message),
            SessionError::Failed(_) => Refusal::internal(message),
        }
    }
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Refusal {
        Refusal::illegal_move(error.to_string())
    }
}
