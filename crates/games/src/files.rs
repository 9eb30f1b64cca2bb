//! Reading the files that specs name.

use std::io::Read;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system said no.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// Not an ordinary file: a folder, a device, a pipe.
    #[error("not an ordinary file")]
    Kind,
    /// Too large.
    #[error("larger than {0} bytes")]
    Size(u64),
}

/// The bytes of an ordinary file of at most `most` bytes.
///
/// # Errors
/// If there is no such file, it is something else than a file, or larger.
pub fn read_file(path: &str, most: u64) -> Result<Vec<u8>, FileError> {
    read_file_of_kind(path, &[], most)
}

/// The same for a kind of file that begins with certain bytes. Of a file that does not, no more than as many are read
/// and answered: a large file of another kind costs nothing.
///
/// # Errors
/// If there is no such file, it is something else than a file, or larger.
pub fn read_file_of_kind(path: &str, head: &[u8], most: u64) -> Result<Vec<u8>, FileError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(FileError::Kind);
    }
    let mut file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(head.len() as u64).read_to_end(&mut bytes)?;
    if bytes != head {
        return Ok(bytes);
    }
    // The room is asked for once, so that a file costs its size and not the doublings of a growing list.
    let length = file.metadata()?.len();
    if length > most {
        return Err(FileError::Size(most));
    }
    bytes.reserve_exact(length as usize + 1 - bytes.len().min(length as usize));
    // One byte more than allowed, in case the file grew since.
    file.take((most + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(FileError::Size(most));
    }
    Ok(bytes)
}
