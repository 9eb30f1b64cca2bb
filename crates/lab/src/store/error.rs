//! Why a folder of results cannot be used.

use std::path::Path;

/// A mistake of the caller, or a failure of the machine.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder is not what was expected.
    #[error("{0}")]
    Input(String),
    /// Reading or writing failed.
    #[error("{0}")]
    Machine(String),
}

impl StoreError {
    /// What happened to a file. A path that does not exist or is not allowed is the caller's mistake.
    pub(super) fn of(path: &Path, error: &std::io::Error) -> StoreError {
        use std::io::ErrorKind as Is;
        let what = format!("{}: {error}", path.display());
        match error.kind() {
            Is::NotFound
            | Is::PermissionDenied
            | Is::NotADirectory
            | Is::IsADirectory
            | Is::InvalidInput
            | Is::InvalidFilename
            | Is::AlreadyExists => StoreError::Input(what),
            _ => StoreError::Machine(what),
        }
    }

    /// Something wrong inside a file.
    pub(super) fn input(path: &Path, what: impl std::fmt::Display) -> StoreError {
        StoreError::Input(format!("{}: {what}", path.display()))
    }
}
