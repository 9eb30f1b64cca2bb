//! Lists the files of `assets/`, the built front end, so that the program carries them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("assets");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut code = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root).expect("it is inside").to_string_lossy().replace('\\', "/");
        writeln!(code, "    ({name:?}, include_bytes!({:?})),", file.display().to_string()).expect("text");
    }
    code.push(']');
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("assets.rs");
    std::fs::write(out, code).expect("the folder of build outputs can be written");
}

/// The files of a folder and of those in it; none if there is no such folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok()).map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
