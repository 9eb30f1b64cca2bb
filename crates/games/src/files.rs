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
    if !std::fs::metadata(path)?.is_file() {
        return Err(FileError::Kind);
    }
    let mut bytes = Vec::new();
    // One byte more than allowed, in case the file grew since.
    std::fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(FileError::Size(most));
    }
    Ok(bytes)
}
