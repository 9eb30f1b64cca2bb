//! Real clients, from the registries: Sabaki's GTP client (npm) and python-chess (PyPI) drive our
//! engine, sgfmill (PyPI) reads and writes our records.
//!
//! `.ci/run` installs them. Where they are missing the tests are recorded as skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use tesuji_agents::GtpClient;
use tesuji_testing::skip;

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

#[test]
fn sabakis_client_plays_and_analyses() {
    let Some(modules) = std::env::var_os("TESUJI_NODE_MODULES") else {
        return skip("@sabaki/gtp", "Sabaki's client does not try the engine (TESUJI_NODE_MODULES is not set)");
    };
    let output = Command::new("node")
        .env("NODE_PATH", modules)
        .arg(script("sabaki.cjs"))
        .args([env!("CARGO_BIN_EXE_tesuji"), "gtp", "go(size=7)", "--iterations", "50"])
        .output()
        .expect("node runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("played "), "{text}");
}

/// Whole games of tic-tac-toe with the library as the referee; it logs nothing.
#[test]
fn python_chess_plays_and_analyses() {
    let python = std::env::var("TESUJI_PYTHON").unwrap_or_else(|_| "python3".into());
    let known = Command::new(&python).args(["-c", "import chess.engine"]).output();
    if !known.is_ok_and(|output| output.status.success()) {
        return skip("chess", "python-chess does not try the engine");
    }
    for agent in ["mcts", "auto"] {
        let output = Command::new(&python)
            .arg(script("python_chess.py"))
            .args([env!("CARGO_BIN_EXE_tesuji"), "uci", "tictactoe", "--agent", agent])
            .output()
            .expect("Python runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let results: Vec<&str> = text.split_whitespace().collect();
        assert!(results.len() == 6 && !results.contains(&"lost"), "{agent}: {text}");
    }
}

#[test]
fn sgfmill_reads_our_records_and_we_read_its() {
    let python = std::env::var("TESUJI_PYTHON").unwrap_or_else(|_| "python3".into());
    let known = Command::new(&python).args(["-c", "import sgfmill"]).output();
    if !known.is_ok_and(|output| output.status.success()) {
        return skip("sgfmill", "it does not read our records");
    }
    let folder = std::env::temp_dir().join(format!("tesuji-sgfmill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (ours, theirs) = (folder.join("ours.sgf"), folder.join("theirs.sgf"));
    let ours_is = env!("CARGO_BIN_EXE_tesuji");
    let command = format!("{ours_is} gtp 'go(size=9)' --agent random --files {}", folder.display());
    let mut engine = GtpClient::start(&command).expect("our engine");
    for command in ["komi 5.5", "play b E5", "play w C3", "play b pass", "play w J9"] {
        engine.send(command).expect(command);
    }
    engine.send(&format!("printsgf {}", ours.display())).expect("a record");
    let output =
        Command::new(&python).arg(script("sgfmill_reads.py")).args([&ours, &theirs]).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "9 5.5\nb E5\nw C3\nb pass\nw J9\n");
    engine.send(&format!("loadsgf {}", theirs.display())).expect("their record");
    assert_eq!(engine.send("get_komi").expect("a komi"), "6.5");
    assert_eq!(engine.send("list_stones b").expect("stones"), "C3 E3 G7");
    assert_eq!(engine.send("list_stones w").expect("stones"), "E5");
    std::fs::remove_dir_all(&folder).expect("removed");
}
