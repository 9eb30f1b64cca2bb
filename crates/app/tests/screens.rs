//! Screens of `tesuji play` in a terminal of 80×24, kept in `docs/screens` as text and as pictures.
//! `TESUJI_BLESS=1` writes them; otherwise they are compared.

use std::io::Write;
use std::process::{Command, Stdio};
use tesuji_testing::screen::Screen;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/screens");

/// Name, title, game, further arguments, and what is typed.
const SCREENS: [(&str, &str, &str, &[&str], &str); 6] = [
    ("go9", "Go on 9×9", "go(size=9)", &["--agent", "mcts", "--iterations", "200"], "E5\nG3\nC6\nE3\n"),
    ("go19", "Go on 19×19", "go", &["--agent", "mcts", "--iterations", "400"], "Q16\nD4\nD17\nR4\n"),
    ("hex", "Hex on 11×11", "hex", &["--agent", "mcts", "--iterations", "2000"], "b4\nf6\nd9\n"),
    ("othello", "Othello", "othello", &["--agent", "mcts", "--iterations", "100"], "f5\ne6\n"),
    ("xiangqi", "Chinese chess", "xiangqi", &["--agent", "mcts", "--iterations", "60"], "h2e2\nh0g2\n"),
    (
        "xiangqi-latin",
        "Chinese chess with letters",
        "xiangqi",
        &["--agent", "mcts", "--iterations", "60", "--pieces", "latin"],
        "h2e2\nh0g2\n",
    ),
];

/// All that a game wrote, up to the last prompt.
fn written(game: &str, arguments: &[&str], typed: &str) -> String {
    let home = std::env::temp_dir().join(format!("tesuji-screens-{}", std::process::id()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["play", game, "--first", "me", "--seed", "1", "--no-config", "--colour", "always"])
        .args(arguments)
        .envs([("LC_ALL", "C.UTF-8"), ("COLUMNS", "80")])
        .envs(["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"].map(|name| (name, &home)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("piped").write_all(typed.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let _ = std::fs::remove_dir_all(&home);
    let text = String::from_utf8(output.stdout).expect("UTF-8").replace('\r', "");
    let prompt = "to move > ";
    let end = text.rfind(prompt).unwrap_or_else(|| panic!("no prompt: {text}")) + prompt.len();
    text[..end].to_string()
}

#[test]
fn screens_of_play_fit_80_by_24_and_are_kept() {
    let bless = std::env::var_os("TESUJI_BLESS").is_some();
    for (name, title, game, arguments, typed) in SCREENS {
        let screen = Screen::new(&written(game, arguments, typed), 80, 24);
        // The whole board is on the screen: its columns are named above and below it.
        let text = screen.text();
        assert!(text.contains(" plays "), "{text}");
        for (content, ending) in [(text, "txt"), (screen.svg(&format!("tesuji play: {title}")), "svg")] {
            let path = format!("{FOLDER}/{name}.{ending}");
            if bless {
                std::fs::create_dir_all(FOLDER).expect("a folder");
                std::fs::write(&path, content).expect("written");
            } else {
                let kept = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
                assert_eq!(kept.replace("\r\n", "\n"), content, "{path}; TESUJI_BLESS=1 rewrites it");
            }
        }
    }
}
