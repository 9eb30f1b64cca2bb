//! No test goes silent: every file of tests is part of a binary, and none is ignored.

use std::path::{Path, PathBuf};

fn crates() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut crates: Vec<PathBuf> =
        folder.read_dir().expect("crates/").map(|entry| entry.expect("an entry").path()).collect();
    crates.retain(|path| path.join("Cargo.toml").is_file());
    assert!(crates.len() >= 8, "{crates:?}");
    crates
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Crates with one test binary turn cargo's discovery off, so a file that `tests/main.rs` does not
/// name would not even be compiled.
#[test]
fn every_file_of_tests_belongs_to_a_binary() {
    let mut seen = 0;
    for folder in crates() {
        let (manifest, main) = (read(&folder.join("Cargo.toml")), folder.join("tests/main.rs"));
        if !manifest.contains("autotests = false") {
            assert!(!main.exists(), "{}: cargo finds the other files again", main.display());
            continue;
        }
        let main = read(&main);
        for entry in folder.join("tests").read_dir().expect("tests/") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a plain name");
            if path.extension().is_some_and(|extension| extension == "rs") && name != "main" {
                let listed = main.contains(&format!("mod {name};"));
                let own = manifest.contains(&format!("path = \"tests/{name}.rs\""));
                assert!(listed != own, "{}: neither a module of main.rs nor a binary", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 60, "{seen} files");
}

/// A slow test does a share (`tesuji_testing::sized`), a measurement is a target in `benches/`.
#[test]
fn no_test_is_ignored() {
    let mut files = Vec::new();
    crates().iter().for_each(|folder| rust_files(folder, &mut files));
    let attribute = ["#[", "ignore"].concat();
    let ignored: Vec<_> = files.iter().filter(|path| read(path).contains(&attribute)).collect();
    assert!(ignored.is_empty(), "{ignored:?}");
}

/// Test files of one crate are not compiled into another's: what they share is in this crate.
#[test]
fn no_test_borrows_from_another_crate() {
    let mut files = Vec::new();
    crates().iter().for_each(|folder| rust_files(folder, &mut files));
    let attribute = ["#[", "path = \"../../"].concat();
    let borrowed: Vec<_> = files.iter().filter(|path| read(path).contains(&attribute)).collect();
    assert!(borrowed.is_empty(), "{borrowed:?}");
}
