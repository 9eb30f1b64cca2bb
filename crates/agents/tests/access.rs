//! The policy of what specs may open and start.

use std::path::{Path, PathBuf};
use tesuji_agents::{Access, FileError, agent_descriptions, games};
use tesuji_core::spec::Resources;

/// A folder that is gone after the test, with `granted/` and `secret.txt` inside.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("tesuji-access-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("granted/inner")).expect("a folder");
        std::fs::write(folder.join("secret.txt"), "secret").expect("a file");
        std::fs::write(folder.join("granted/open.txt"), "open").expect("a file");
        Scratch(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_string()
    }

    fn stranger(&self) -> Access {
        Access::restricted().with_folder(&self.0.join("granted")).expect("a folder")
    }

    /// Everything in the granted folder but what was put there.
    fn left_over(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join("granted")).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
        names.filter(|name| name.starts_with('.')).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_stranger_reads_and_writes_nothing() {
    let scratch = Scratch::new("nothing");
    for path in [scratch.path("secret.txt"), scratch.path("granted/open.txt"), "Cargo.toml".into()] {
        assert!(matches!(Access::restricted().read(&path, 100), Err(FileError::NotGranted(_))), "{path}");
        assert!(matches!(Access::restricted().write(&path, b"x"), Err(FileError::NotGranted(_))), "{path}");
    }
    assert_eq!(std::fs::read_to_string(scratch.path("secret.txt")).expect("kept"), "secret");
}

#[test]
fn a_granted_folder_is_all_that_is_granted() {
    let scratch = Scratch::new("folder");
    let access = scratch.stranger();
    assert_eq!(access.read(&scratch.path("granted/open.txt"), 100).expect("granted"), b"open");
    assert_eq!(access.read(&scratch.path("granted/inner/../open.txt"), 100).expect("granted"), b"open");
    assert_eq!(access.read("open.txt", 100).expect("relative to the folder"), b"open");
    // The same words for what exists and for what does not.
    let refusal = |path: &str| access.read(path, 100).expect_err("not granted").to_string();
    for path in ["granted/../secret.txt", "secret.txt", "nothing.txt", "granted/nothing.txt"] {
        assert_eq!(refusal(&scratch.path(path)), refusal("/etc/passwd"), "{path}");
    }
    assert_eq!(refusal("../secret.txt"), refusal("/etc/passwd"));
    access.write(&scratch.path("granted/new.txt"), b"new").expect("granted");
    access.write("inner/other.txt", b"other").expect("granted");
    for path in ["granted/../secret.txt", "secret.txt", "other.txt"] {
        assert!(access.write(&scratch.path(path), b"x").is_err(), "{path}");
    }
    assert!(access.write("../other.txt", b"x").is_err());
    assert!(!Path::new(&scratch.path("other.txt")).exists());
    assert_eq!(scratch.left_over(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_are_resolved_before_the_check() {
    let scratch = Scratch::new("links");
    let link = |to: &str, from: &str| std::os::unix::fs::symlink(scratch.path(to), scratch.path(from)).expect("a link");
    link("secret.txt", "granted/link.txt");
    link(".", "granted/up");
    link("nowhere.txt", "granted/dangling.txt");
    link("granted", "way-in");
    let access = scratch.stranger();
    for path in ["granted/link.txt", "granted/up/secret.txt"] {
        assert!(matches!(access.read(&scratch.path(path), 100), Err(FileError::NotGranted(_))), "{path}");
    }
    for path in ["granted/link.txt", "granted/up/new.txt", "granted/dangling.txt"] {
        assert!(matches!(access.write(&scratch.path(path), b"x"), Err(FileError::NotGranted(_))), "{path}");
    }
    assert_eq!(access.read(&scratch.path("way-in/open.txt"), 100).expect("it leads inside"), b"open");
    assert_eq!(std::fs::read_to_string(scratch.path("secret.txt")).expect("kept"), "secret");
    // The owner's links stay links.
    Access::unrestricted().write(&scratch.path("granted/link.txt"), b"changed").expect("the owner may");
    assert!(Path::new(&scratch.path("granted/link.txt")).is_symlink());
    assert_eq!(std::fs::read_to_string(scratch.path("secret.txt")).expect("written"), "changed");
}

#[test]
fn what_the_command_line_named_stays_usable() {
    let scratch = Scratch::new("named");
    let known: Vec<_> = games().iter().map(|game| game.description).collect();
    let path = scratch.path("secret.txt");
    let game = format!("tree(file={:?})", path).parse().expect("a spec");
    let agent = "gtp(cmd=\"gnugo --mode gtp\")".parse().expect("a spec");
    let access = Access::restricted().with_spec(&game, &known).with_spec(&agent, &agent_descriptions());
    assert_eq!(access.read(&path, 100).expect("named"), b"secret");
    assert!(access.write(&path, b"x").is_err(), "read, not written");
    assert!(access.read(&scratch.path("granted/../secret.txt"), 100).is_err(), "by this name alone");
    assert!(access.check_program("gnugo --mode gtp").is_ok());
    assert!(access.check_program("gnugo").is_err());
    assert!(Access::restricted().with_programs().check_program("gnugo").is_ok());
}

#[test]
fn only_ordinary_files_of_bounded_size() {
    let scratch = Scratch::new("kinds");
    let access = scratch.stranger();
    assert!(matches!(access.read("inner", 100), Err(FileError::Kind)));
    assert!(matches!(access.read("open.txt", 3), Err(FileError::Size(3))));
    assert!(matches!(access.write("inner", b"x"), Err(FileError::Path(_))));
    assert!(matches!(Access::unrestricted().write(&scratch.path("no/folder.txt"), b"x"), Err(FileError::Path(_))));
    #[cfg(target_os = "linux")]
    {
        let full = Access::unrestricted().write("/dev/full", b"x").expect_err("it is full");
        assert!(full.is_machine() && Path::new("/dev/full").exists(), "{full}");
    }
}

#[test]
fn a_draft_that_is_not_finished_leaves_the_old_file() {
    let scratch = Scratch::new("draft");
    let access = scratch.stranger();
    let draft = access.create("open.txt").expect("granted");
    assert_eq!(scratch.left_over().len(), 1);
    drop(draft);
    assert_eq!(access.read("open.txt", 100).expect("kept"), b"open");
    access.create("open.txt").expect("granted").finish(b"changed").expect("room");
    assert_eq!(access.read("open.txt", 100).expect("there"), b"changed");
    assert_eq!(scratch.left_over(), [""; 0]);
}
