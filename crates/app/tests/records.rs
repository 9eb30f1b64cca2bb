//! Records that GTP and `show` write state the result and the players.

use super::command::tesuji;
use super::play_processes::Folder;
use tesuji::protocol::{Engine, GRACE, Gtp, Setup, Vertices, talk};
use tesuji_core::{Budget, Seed};

fn gtp(game: &str) -> Gtp {
    let setup = Setup {
        game: game.parse().expect("a game"),
        agent: "random".parse().expect("an agent"),
        limits: Budget::iterations(1),
        chosen: true,
        seed: Seed(1),
        ponder: false,
        grace: GRACE,
        access: tesuji_agents::Access::restricted(),
    };
    Gtp::new(Engine::new(setup).expect("an engine"), Vertices::Native)
}

/// The record after these commands, without line breaks.
fn record(gtp: &mut Gtp, commands: &[&str]) -> String {
    for command in commands {
        assert!(talk(gtp, command).0.starts_with('='), "{command}");
    }
    talk(gtp, "printsgf").0.split_whitespace().collect()
}

#[test]
fn printsgf_names_the_generated_sides_and_a_resignation() {
    let mut hex = gtp("hex(size=5)");
    assert!(!record(&mut hex, &["play b c3"]).contains("PB["));
    let text = record(&mut hex, &["genmove w"]);
    assert!(text.contains("PW[tesujirandom]") && !text.contains("PB[") && !text.contains("RE["), "{text}");
    assert!(text.contains("DT[20"), "{text}");
    let text = record(&mut hex, &["play b resign"]);
    assert!(text.contains("RE[W+R]"), "{text}");
    // The game went on, and the next one is another game.
    assert!(!record(&mut hex, &["genmove b"]).contains("RE["));
    let text = record(&mut hex, &["play w resign", "clear_board"]);
    assert!(!text.contains("RE[") && !text.contains("PW["), "{text}");
    // Games that are over by their rules.
    let moves = ["play b a1", "play w b1", "play b a2", "play w b2", "play b a3", "play w b3", "play b a4"];
    let text = record(&mut hex, &[&moves[..], &["play w b4", "play b a5"]].concat());
    assert!(text.contains("RE[B+]"), "{text}");
}

/// Players, day and result of a file were lost.
#[test]
fn a_file_keeps_what_it_says_until_the_game_goes_on() {
    let folder = Folder::new("details");
    let [first, second, third] = ["in.sgf", "out.sgf", "on.sgf"].map(|name| folder.file(name));
    let said = ["PB[Al]", "PW[Bo]", "DT[2020-01-01]", "RE[W+R]"];
    let text = format!("(;FF[4]GM[1]SZ[9]KM[6.5]{}RU[Japanese];B[ee];W[cc])", said.concat());
    std::fs::write(&first, text).expect("written");
    assert!(tesuji(&["show", "go", "--sgf", &first, "--save", &second]).status.success());
    let kept = std::fs::read_to_string(&second).expect("saved");
    said.iter().for_each(|property| assert!(kept.contains(property), "{property}: {kept}"));
    assert!(tesuji(&["show", "go", "--sgf", &first, "--moves", "C3", "--save", &third]).status.success());
    let kept = std::fs::read_to_string(&third).expect("saved");
    said.iter().for_each(|property| assert!(!kept.contains(property), "{property}: {kept}"));
}

#[test]
fn show_saves_the_result() {
    let folder = Folder::new("show");
    let file = folder.file("game.sgf");
    let output = tesuji(&["show", "tictactoe", "--moves", "b2 a1 a3 c1 b1 c3 b3", "--save", &file]);
    assert!(output.status.success());
    assert!(std::fs::read_to_string(&file).expect("saved").contains("RE[B+]"));
}
