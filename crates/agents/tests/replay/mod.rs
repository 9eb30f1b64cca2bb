//! Replays games that another program's rules have played, comparing the legal moves at every ply.
//!
//! A script of `oracles/` plays random games and writes `move | legal moves` for every ply and `end …` for every game.
//! It runs under the Python named by `TESUJI_PYTHON`, else `python3`; where that has not got the module, the test says
//! `SKIPPED` and passes. `TESUJI_ORACLE_GAMES` sets the number of games, `TESUJI_ORACLE_SEED` which.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use tesuji_core::Notation;

/// How many games to replay: `TESUJI_ORACLE_GAMES`, else this.
pub fn games(default: u32) -> u32 {
    std::env::var("TESUJI_ORACLE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Plays the games of a script again from `start`; `end` gets the last position of each and what the script said of it.
pub fn replay<P: Notation>(
    module: &str,
    script: &str,
    arguments: &[&str],
    games: u32,
    start: &P,
    end: impl Fn(&P, &str),
) {
    let python = std::env::var("TESUJI_PYTHON").unwrap_or_else(|_| "python3".into());
    let has_module = Command::new(&python).args(["-c", &format!("import {module}")]).output();
    if !has_module.is_ok_and(|output| output.status.success()) {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: {python} has no module {module}; set TESUJI_PYTHON to one that has, to replay {script}"
        );
        return;
    }
    let seed = std::env::var("TESUJI_ORACLE_SEED").unwrap_or_else(|_| "1".into());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles").join(script);
    let output = Command::new(&python)
        .arg(path)
        .args([games.to_string(), seed])
        .args(arguments)
        .output()
        .expect("python ran a moment ago");
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("scripts write plain text");
    let (mut position, mut played, mut ended) = (start.clone(), Vec::new(), 0);
    for line in text.lines() {
        if let Some(told) = line.strip_prefix("end ") {
            assert!(position.outcome().is_some(), "the game goes on after {played:?}");
            end(&position, told);
            (position, ended) = (start.clone(), ended + 1);
            played.clear();
            continue;
        }
        let (chosen, legal) = line.split_once(" | ").expect("a move and the legal moves");
        let theirs: BTreeSet<String> = legal.split_whitespace().map(Into::into).collect();
        let ours: BTreeSet<String> = position.moves().into_iter().map(|mv| position.show_move(mv)).collect();
        assert_eq!(ours, theirs, "after {played:?}");
        position.play(position.read_move(chosen).expect("legal for both"));
        played.push(chosen);
    }
    assert_eq!(ended, games, "{script} played another number of games");
    let _ = writeln!(std::io::stderr(), "{script} {arguments:?}: {ended} games agree");
}
