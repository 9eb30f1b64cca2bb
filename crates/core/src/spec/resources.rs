//! What a spec may reach outside of the program.
//!
//! A spec can name files and programs. Whether they may be opened or started depends on the origin
//! of the spec, not on the game or search that it names: the person at the command line may do
//! anything, a client of a protocol only what was granted. So a parameter declares what it names
//! ([`Kind::File`](super::Kind::File), [`Kind::Program`](super::Kind::Program)), resolving attaches
//! the [`Resources`] of the spec's origin to its [`Arguments`](super::Arguments), and a game or
//! search gets the bytes of a file, or a command it may run, from there and from nowhere else.

/// Decides what specs of one origin may open and start.
pub trait Resources: Send + Sync + std::fmt::Debug {
    /// The bytes of an ordinary file of at most `most` bytes.
    ///
    /// # Errors
    /// If the file is not granted, does not exist, is no ordinary file, or is larger. The message
    /// does not quote the file, and says the same of every file that is not granted.
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, String>;

    /// Whether this command line may be run.
    ///
    /// # Errors
    /// If it may not; the message says what would allow it.
    fn check_program(&self, command: &str) -> Result<(), String>;

    /// Whether error messages may quote the contents of files.
    fn may_quote_files(&self) -> bool;
}

/// Reaches nothing: what a spec gets if nothing is said of its origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoResources;

impl Resources for NoResources {
    fn read(&self, _: &str, _: u64) -> Result<Vec<u8>, String> {
        Err("files are not opened here".into())
    }

    fn check_program(&self, _: &str) -> Result<(), String> {
        Err("programs are not started here".into())
    }

    fn may_quote_files(&self) -> bool {
        false
    }
}
