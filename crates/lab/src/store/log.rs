//! A file of lines that only grows.

use super::StoreError;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read.
const MOST_BYTES: u64 = 4 << 30;

/// Such a file, open for appending.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

/// The whole lines of a file, and the bytes they take. What follows the last line break is torn: its
/// writer died.
pub fn read(path: &Path) -> Result<(Vec<String>, u64), StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(StoreError::of(path, &error)),
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| StoreError::of(path, &error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(StoreError::input(path, format!("larger than {MOST_BYTES} bytes")));
    }
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.truncate(whole);
    let text = String::from_utf8(bytes).map_err(|error| StoreError::input(path, error))?;
    Ok((text.lines().map(String::from).collect(), whole as u64))
}

impl Log {
    /// Opens a file, made if it is missing, and answers its lines; a torn end is cut off.
    pub fn open(path: &Path) -> Result<(Log, Vec<String>), StoreError> {
        let (lines, whole) = read(path)?;
        let failed = |error: std::io::Error| StoreError::of(path, &error);
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() > whole {
            file.set_len(whole).map_err(failed)?;
            file.sync_data().map_err(failed)?;
        }
        Ok((Log { file, path: path.into() }, lines))
    }

    /// Appends text that consists of whole lines, in one piece.
    pub fn append(&mut self, lines: &str) -> Result<(), StoreError> {
        self.file.write_all(lines.as_bytes()).map_err(|error| StoreError::of(&self.path, &error))
    }

    /// Waits until everything appended is on the disk.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(|error| StoreError::of(&self.path, &error))
    }
}
