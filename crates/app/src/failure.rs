//! Why a command did not succeed, and the exit codes.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the program or the machine failed: a bug, a full disk |
//! | 2 | a mistake in the input: a wrong argument or file, a proof that does not hold |
//! | 3 | interrupted (Ctrl-C, SIGTERM); what is known so far was printed |

use tesuji_agents::FileError;

/// One line for the user, and the exit code.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// What was wrong and what would be right.
    pub message: String,
    /// Whether the JSON answer that was printed has the message already.
    pub is_in_answer: bool,
}

impl Failure {
    /// A mistake in the input.
    pub fn input(message: impl std::fmt::Display) -> Failure {
        Failure { code: 2, message: message.to_string(), is_in_answer: false }
    }

    /// The program or the machine failed.
    pub fn internal(message: impl std::fmt::Display) -> Failure {
        Failure { code: 1, ..Failure::input(message) }
    }

    /// The work was interrupted before there was an answer.
    pub fn interrupted(message: impl std::fmt::Display) -> Failure {
        Failure { code: 3, ..Failure::input(message) }
    }

    /// A file was not read or written.
    pub fn file(path: &str, error: &FileError) -> Failure {
        let message = format!("{path}: {error}");
        if error.is_machine() { Failure::internal(message) } else { Failure::input(message) }
    }
}

impl From<tesuji_core::spec::SpecError> for Failure {
    fn from(error: tesuji_core::spec::SpecError) -> Failure {
        Failure::input(error)
    }
}

impl From<tesuji_search::SearchError> for Failure {
    fn from(error: tesuji_search::SearchError) -> Failure {
        match error {
            tesuji_search::SearchError::Failed(_) => Failure::internal(error),
            _ => Failure::input(error),
        }
    }
}
