//! What specs may open and start, decided by their origin: the one policy.
//!
//! | origin | files | programs |
//! |---|---|---|
//! | the command line ([`Access::unrestricted`]) | any | any |
//! | a protocol's client ([`Access::restricted`] and grants) | inside granted folders | only if granted |
//! | a record, proof or experiment from elsewhere | none | none |
//!
//! What the command line itself named stays usable for the clients of the engine it started
//! ([`Access::with_spec`]): a client may begin the same game again, with its file, or go back to
//! the same outside engine, but reaches no other.
//!
//! A path is resolved, links and `..` included, before it is compared with the granted folders, and
//! the resolved path is the one that is opened. Every path outside gets the same answer, whether
//! there is a file or not, and no message quotes a file to a client.
//!
//! Files are written beside their place and renamed, so that a failure at any moment leaves the old
//! file or the new one, never a part.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tesuji_core::spec::{Description, Kind, Resources, Spec, SpecValue};

/// What one origin may open and start. Cheap to copy.
#[derive(Clone, Debug)]
pub struct Access(Arc<Grants>);

#[derive(Clone, Debug, Default)]
struct Grants {
    /// Everything is allowed.
    unrestricted: bool,
    /// Folders, resolved, in which files may be read and written.
    folders: Vec<PathBuf>,
    /// Whether any program may be started.
    programs: bool,
    /// Paths that the command line named, as it wrote them.
    named_files: Vec<String>,
    /// Commands that the command line named.
    named_programs: Vec<String>,
}

/// Why a file was not read or written. The caller can tell its own mistakes from the machine's.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The origin may not.
    #[error("{0}")]
    NotGranted(&'static str),
    /// Not an ordinary file: a folder, a device, a pipe.
    #[error("not an ordinary file")]
    Kind,
    /// Too large.
    #[error("larger than {0} bytes")]
    Size(u64),
    /// The path is wrong: no such file or folder, or no permission.
    #[error("{0}")]
    Path(std::io::Error),
    /// The machine failed: the disk is full, or worse.
    #[error("{0}")]
    Machine(std::io::Error),
}

impl FileError {
    /// Whether the machine failed, not the caller.
    #[must_use]
    pub fn is_machine(&self) -> bool {
        matches!(self, FileError::Machine(_))
    }
}

impl From<std::io::Error> for FileError {
    fn from(error: std::io::Error) -> FileError {
        use std::io::ErrorKind as Is;
        match error.kind() {
            Is::NotFound
            | Is::PermissionDenied
            | Is::NotADirectory
            | Is::IsADirectory
            | Is::InvalidInput
            | Is::InvalidFilename
            | Is::ReadOnlyFilesystem => FileError::Path(error),
            _ => FileError::Machine(error),
        }
    }
}

const NO_FILE: &str = "not inside a folder that was granted; start the program with --files FOLDER to grant one";
const NO_PROGRAM: &str = "clients may not start programs; start this one with --allow-programs to allow it";

impl Access {
    /// For the command line: everything.
    #[must_use]
    pub fn unrestricted() -> Access {
        Access(Arc::new(Grants { unrestricted: true, ..Grants::default() }))
    }

    /// For all other origins: nothing, unless more is granted.
    #[must_use]
    pub fn restricted() -> Access {
        Access(Arc::default())
    }

    /// The same, with the files in a folder.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn with_folder(&self, folder: &Path) -> Result<Access, FileError> {
        let folder = folder.canonicalize()?;
        if !folder.is_dir() {
            return Err(FileError::Path(std::io::ErrorKind::NotADirectory.into()));
        }
        Ok(self.with(|grants| grants.folders.push(folder)))
    }

    /// The same, with any program.
    #[must_use]
    pub fn with_programs(&self) -> Access {
        self.with(|grants| grants.programs = true)
    }

    /// The same, with the files and programs that this spec names, found by the descriptions of all
    /// things it may name.
    #[must_use]
    pub fn with_spec(&self, spec: &Spec, known: &[Description]) -> Access {
        self.with(|grants| grants.add_named(spec, known))
    }

    fn with(&self, change: impl FnOnce(&mut Grants)) -> Access {
        let mut grants = (*self.0).clone();
        change(&mut grants);
        Access(Arc::new(grants))
    }

    /// For resolving specs.
    #[must_use]
    pub fn resources(&self) -> Arc<dyn Resources> {
        Arc::new(self.clone())
    }

    /// The bytes of an ordinary file of at most `most` bytes.
    ///
    /// # Errors
    /// If it may not be read, is no ordinary file, or is larger.
    pub fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        self.read_of_kind(path, &[], most)
    }

    /// The same for a kind of file that begins with certain bytes. Of a file that does not, no more
    /// than that many are read and answered: a large file of another kind costs nothing.
    ///
    /// # Errors
    /// If it may not be read, is no ordinary file, or is larger.
    pub fn read_of_kind(&self, path: &str, head: &[u8], most: u64) -> Result<Vec<u8>, FileError> {
        let path = self.0.readable(path)?;
        // A pipe would be waited for when it is opened, so its kind is looked at before.
        if !std::fs::metadata(&path)?.is_file() {
            return Err(FileError::Kind);
        }
        let mut file = File::open(&path)?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(head.len() as u64).read_to_end(&mut bytes)?;
        if bytes != head {
            return Ok(bytes);
        }
        // The room is asked for once, so that a file costs its size and not the doublings of a
        // growing list.
        let length = file.metadata()?.len();
        if length > most {
            return Err(FileError::Size(most));
        }
        bytes.reserve_exact((length as usize + 1).saturating_sub(bytes.len()));
        // One byte more than allowed, in case the file has grown.
        file.take((most + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(FileError::Size(most));
        }
        Ok(bytes)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// If it may not be written, or cannot. A file that was there before is kept then.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), FileError> {
        self.create(path)?.finish(bytes)
    }

    /// Makes a folder, and those above it, unless it is there. Clients write into folders that exist.
    ///
    /// # Errors
    /// If it may not be made, or cannot.
    pub fn make_folder(&self, path: &str) -> Result<(), FileError> {
        if !self.0.unrestricted {
            return Err(FileError::NotGranted(NO_FILE));
        }
        Ok(std::fs::create_dir_all(path)?)
    }

    /// Begins a file: finds out now, before the work whose result it will hold, whether it can be
    /// written.
    ///
    /// # Errors
    /// If it may not be written, or cannot.
    pub fn create(&self, path: &str) -> Result<PendingFile, FileError> {
        let target = self.0.writable(path)?;
        match std::fs::metadata(&target) {
            Ok(found) if found.is_dir() => return Err(FileError::Path(std::io::ErrorKind::IsADirectory.into())),
            // A device or a pipe is no place to put a file; it is written to.
            Ok(found) if !found.is_file() => {
                if !self.0.unrestricted {
                    return Err(FileError::Kind);
                }
                let file = File::options().write(true).open(&target)?;
                return Ok(PendingFile { file, target, beside: None });
            }
            // Renaming would replace a file that may not be written to.
            Ok(found) if found.permissions().readonly() => {
                return Err(FileError::Path(std::io::ErrorKind::PermissionDenied.into()));
            }
            _ => {}
        }
        let name = target.file_name().ok_or(FileError::Path(std::io::ErrorKind::InvalidInput.into()))?;
        for number in 0..100 {
            let mut beside = std::ffi::OsString::from(".");
            beside.push(name);
            beside.push(format!(".{}-{number}", std::process::id()));
            let beside = target.with_file_name(beside);
            match File::options().write(true).create_new(true).open(&beside) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
                Ok(file) => return Ok(PendingFile { file, target, beside: Some(beside) }),
            }
        }
        Err(FileError::Path(std::io::ErrorKind::AlreadyExists.into()))
    }
}

/// A file that is being made. Dropped unfinished, it leaves nothing behind.
#[derive(Debug)]
pub struct PendingFile {
    file: File,
    target: PathBuf,
    /// Where it is written until it is whole; nothing if it is written in place.
    beside: Option<PathBuf>,
}

impl PendingFile {
    /// Writes all of it and puts it in its place.
    ///
    /// # Errors
    /// If the machine fails; what was there before is kept then.
    pub fn finish(mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.file.write_all(bytes).map_err(FileError::Machine)?;
        let Some(beside) = self.beside.take() else {
            return self.file.flush().map_err(FileError::Machine);
        };
        let keep_mode = |found: std::fs::Metadata| self.file.set_permissions(found.permissions());
        let moved = std::fs::metadata(&self.target)
            .map_or(Ok(()), keep_mode)
            .and_then(|()| self.file.sync_all())
            .and_then(|()| std::fs::rename(&beside, &self.target));
        if moved.is_err() {
            self.beside = Some(beside);
        }
        moved.map_err(FileError::Machine)
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = std::fs::remove_file(beside);
        }
    }
}

impl Grants {
    /// The resolved path of a file that may be read.
    fn readable(&self, path: &str) -> Result<PathBuf, FileError> {
        let plain = PathBuf::from(path);
        if self.unrestricted || self.named_files.iter().any(|named| named == path) {
            return Ok(plain);
        }
        self.places(&plain)
            .filter_map(|place| place.canonicalize().ok())
            .find(|place| self.is_inside(place))
            .ok_or(FileError::NotGranted(NO_FILE))
    }

    /// The resolved path of a file that may be written: its folder exists and is granted, and so is
    /// what it points to, if it is a link.
    fn writable(&self, path: &str) -> Result<PathBuf, FileError> {
        let plain = PathBuf::from(path);
        if self.unrestricted {
            // A link stays a link: what it points to is replaced.
            return Ok(if plain.is_symlink() { plain.canonicalize().unwrap_or(plain) } else { plain });
        }
        let resolved = |place: PathBuf| {
            if place.is_symlink() || place.exists() {
                return place.canonicalize().ok();
            }
            let name = place.file_name()?.to_owned();
            let folder = place.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(name))
        };
        self.places(&plain)
            .filter_map(resolved)
            .find(|place| self.is_inside(place))
            .ok_or(FileError::NotGranted(NO_FILE))
    }

    /// Where a path may lie: as it is written, or in a granted folder.
    fn places<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
        let inside = self.folders.iter().filter(|_| path.is_relative()).map(move |folder| folder.join(path));
        std::iter::once(path.to_path_buf()).filter(|_| !self.folders.is_empty()).chain(inside)
    }

    fn is_inside(&self, resolved: &Path) -> bool {
        self.folders.iter().any(|folder| resolved.starts_with(folder))
    }

    fn add_named(&mut self, spec: &Spec, known: &[Description]) {
        let Some(description) = known.iter().find(|description| description.name == spec.name) else { return };
        for argument in &spec.arguments {
            let parameter = description.parameters.iter().find(|parameter| parameter.name == argument.name);
            match (parameter.map(|parameter| parameter.kind), &argument.value) {
                (Some(Kind::File(_)), SpecValue::Text(path)) => self.named_files.push(path.clone()),
                (Some(Kind::Program), SpecValue::Text(command)) => self.named_programs.push(command.clone()),
                (Some(Kind::Part(parts)), SpecValue::Spec(part)) => self.add_named(part, parts),
                _ => {}
            }
        }
    }
}

impl Resources for Access {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, String> {
        Access::read(self, path, most).map_err(|error| error.to_string())
    }

    fn check_program(&self, command: &str) -> Result<(), String> {
        let Grants { unrestricted, programs, named_programs, .. } = self.0.as_ref();
        let is_named = || named_programs.iter().any(|named| named == command);
        if *unrestricted || *programs || is_named() { Ok(()) } else { Err(NO_PROGRAM.into()) }
    }

    fn may_quote_files(&self) -> bool {
        self.0.unrestricted
    }
}
