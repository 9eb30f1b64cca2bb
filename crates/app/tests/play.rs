//! `tesuji play`: in a pseudo-terminal from the first move to the saved record, without one a
//! demonstration, and the conversation itself over plain streams.

use std::io::Write;
use std::process::{Command, Stdio};
use tesuji::picture::Ink;
use tesuji::terminal::{Plan, Seat, Terminal};
use tesuji_core::{Budget, Seed};
use tesuji_testing::skip;

/// Without colours.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' => for _ in letters.by_ref().take_while(|c| *c != 'm') {},
            '\r' => {}
            other => bare.push(other),
        }
    }
    bare
}

fn converse(game: &str, seats: [Seat; 2], said: &str) -> String {
    let plan = Plan {
        game: game.parse().expect("a game"),
        seats,
        adviser: "oracle".parse().expect("an agent"),
        limits: Budget::unlimited(),
        pace: None,
        seed: Seed(1),
        ink: Ink::Plain,
    };
    let (mut input, mut output) = (std::io::Cursor::new(said.to_string()), Vec::new());
    Terminal::new(plan, &mut input, &mut output).expect("a table").run().expect("streams that work");
    bare(&String::from_utf8(output).expect("UTF-8"))
}

fn oracle() -> Seat {
    Seat::Agent("oracle".parse().expect("an agent"))
}

#[test]
fn a_person_plays_asks_takes_back_and_resigns() {
    let text = converse(
        "tictactoe",
        [Seat::Person, oracle()],
        "help\nz9\nmoves\nexplain\nhint\nb2\nexplain\nundo\nundo\nb2\nresign\nb1\nundo\nnew\nquit\n",
    );
    assert!(text.contains("cannot read the move") || text.contains("is not legal here"), "{text}");
    assert!(text.contains("a3 b3 c3 a2 b2 c2 a1 b1 c1"), "{text}");
    assert!(text.contains("No agent has moved yet."), "{text}");
    assert!(text.contains("Perhaps "), "{text}");
    assert!(text.contains("was played because:"), "{text}");
    assert!(text.contains("There is nothing to take back."), "{text}");
    assert!(text.contains("The second player has won by resignation."), "{text}");
    assert!(text.contains("The game is over."), "{text}");
    // The end of the input is as good as quit.
    assert!(converse("tictactoe", [Seat::Person, oracle()], "b2\n").ends_with("> \n"));
}

#[test]
fn two_agents_play_to_the_end() {
    let text = converse("tictactoe", [oracle(), oracle()], "");
    assert!(text.ends_with("A draw.\n"), "{text}");
    assert_eq!(text.matches(" plays ").count(), 9, "{text}");
}

#[test]
fn records_are_saved_and_loaded() {
    let folder = std::env::temp_dir().join(format!("tesuji-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("game.sgf");
    let path = file.to_str().expect("a plain path");
    let person = || [Seat::Person, Seat::Person];
    let text = converse("go(size=5)", person(), &format!("C3\nB2\nsave {path}\nsave\nsave {path}/x/y\nquit\n"));
    assert!(text.contains(&format!("Saved in {path}.")) && text.contains("Say which file."), "{text}");
    assert!(text.contains("Cannot save: "), "{text}");
    // The file's board is larger than the game's; it brings its own size.
    let text = converse("go(size=9)", person(), &format!("load {path}\nboard\nundo\nload {path}x\nquit\n"));
    assert!(text.contains("3 . . X . .") && text.contains("2 .(O). . ."), "{text}");
    assert!(text.contains("Cannot load"), "{text}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn without_a_terminal_there_is_a_demonstration() {
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji")).arg("play").stdin(Stdio::null()).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    assert!(text.contains("has connected"), "{text}");
    assert!(!text.contains('\x1b'), "no colours without a terminal");
    let refused = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["play", "tictactoe", "--first", "me"])
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
}

/// In a pseudo-terminal (made by `script` of util-linux): the menu, a game, a hint, the saved
/// record.
#[test]
fn in_a_pseudo_terminal_from_the_menu_to_the_saved_record() {
    let folder = std::env::temp_dir().join(format!("tesuji-terminal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("game.sgf");
    let command = format!("{} play --agent oracle", env!("CARGO_BIN_EXE_tesuji"));
    let started = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else {
        return skip("script", "no pseudo-terminal is tried (script is part of util-linux)");
    };
    let said =
        format!("nonsense\ntictactoe\nyes\nb2\nhint\nexplain\nundo\nb2\nsave {}\nresign\nquit\n", file.display());
    child.stdin.take().expect("piped").write_all(said.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = bare(&shown);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Which game?") && text.contains("unknown game"), "{text}");
    assert!(shown.contains("\x1b["), "colours on a terminal: {text}");
    assert!(text.contains("│(X)│") && text.contains("│(O)│") && text.contains('┼'), "{text}");
    assert!(text.contains("Perhaps ") && text.contains("was played because:"), "{text}");
    assert!(text.contains("The second player has won by resignation."), "{text}");
    let record = std::fs::read_to_string(&file).expect("the saved record");
    assert!(record.starts_with("(;FF[4]GM[4]") && record.contains(";B[bb];W["), "{record}");
    std::fs::remove_dir_all(&folder).expect("removed");
}
