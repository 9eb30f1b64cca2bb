//! Lines of every protocol: whatever is said, the answers are well formed and nothing panics.
//! The first byte chooses the protocol and the game, the rest is the conversation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::time::Duration;
use tesuji::protocol::{
    Analysis, Dialect, Engine, Flow, Form, GRACE, Gomocup, Gtp, NBoard, Protocol, Setup, Uci, Vertices, talk,
};
use tesuji_core::{Budget, Seed};

fn engine(game: &str) -> Engine {
    let setup = Setup {
        game: game.parse().expect("a game"),
        agent: "random".parse().expect("an agent"),
        limits: Budget { hard_time: Some(Duration::from_millis(5)), ..Budget::iterations(10) },
        chosen: true,
        seed: Seed(1),
        ponder: false,
        grace: GRACE,
        access: tesuji_agents::Access::restricted(),
    };
    Engine::new(setup).expect("an engine")
}

fn speaker(choice: u8) -> (Form, Box<dyn Protocol>) {
    match choice % 9 {
        0 => (Form::Gtp, Box::new(Gtp::new(engine("go(size=5)"), Vertices::Native))),
        1 => (Form::Gtp, Box::new(Gtp::new(engine("hex(size=4)"), Vertices::Native))),
        2 => (Form::Gtp, Box::new(Gtp::new(engine("xiangqi"), Vertices::Go))),
        3 => (Form::Gtp, Box::new(Gtp::new(engine("connect6"), Vertices::Go))),
        4 => (Form::Gomocup, Box::new(Gomocup::new(engine("gomoku")))),
        5 => (Form::Uci, Box::new(Uci::new(engine("xiangqi"), Dialect::Uci))),
        6 => (Form::Ucci, Box::new(Uci::new(engine("xiangqi"), Dialect::Ucci))),
        7 => (Form::NBoard, Box::new(NBoard::new(engine("othello")))),
        _ => (Form::Analysis, Box::new(Analysis::new(engine("go(size=5)")))),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let (form, mut speaker) = speaker(*choice);
    for line in String::from_utf8_lossy(rest).lines().take(50) {
        // No files are written, no programs run, no agents made that may take long.
        let lower = line.to_ascii_lowercase();
        let outside = ["sgf", "gtp(", "cmd", "mcts", "minimax", "oracle", "rps", "expected", "level"];
        if outside.iter().any(|word| lower.contains(word)) {
            continue;
        }
        let (answer, flow) = talk(speaker.as_mut(), line);
        assert_eq!(form.flaw(line, &answer), None, "said {line:?}, answered {answer:?}");
        if flow == Flow::Quit {
            return;
        }
    }
});
