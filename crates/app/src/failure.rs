//! Why a command did not succeed.

/// One line for the user, and the exit code.
#[derive(Debug)]
pub struct Failure {
    /// 2 for bad input, 1 for a failure of ours.
    pub code: u8,
    /// What was wrong and what would be right.
    pub message: String,
}

impl Failure {
    /// The user asked for something that cannot be.
    pub fn input(message: impl std::fmt::Display) -> Failure {
        Failure { code: 2, message: message.to_string() }
    }

    /// Something went wrong on our side.
    pub fn ours(message: impl std::fmt::Display) -> Failure {
        Failure { code: 1, message: message.to_string() }
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
            tesuji_search::SearchError::Failed(_) => Failure::ours(error),
            _ => Failure::input(error),
        }
    }
}
