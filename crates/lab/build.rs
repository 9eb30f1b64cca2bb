//! Notes the commit that the program is built from, for reports of experiments.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn main() {
    println!("cargo::rerun-if-env-changed=TESUJI_COMMIT");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build.rs");
    // The log of HEAD changes with every commit and checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let found = || {
        let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
        let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
        Some(if changed.is_empty() { commit } else { format!("{commit}+") })
    };
    let commit = std::env::var("TESUJI_COMMIT").ok().or_else(found).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=TESUJI_COMMIT={commit}");
}
