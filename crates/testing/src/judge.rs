//! Other programs' rules as judges of ours: the Python modules of `oracles/`, all started and read
//! in this one way.
//!
//! `oracles/__main__.py` describes the protocol. The interpreter is the one that `TESUJI_PYTHON`
//! names, else `python3`; where it does not start or has not got the judge's library, the test is
//! recorded as skipped. `TESUJI_ORACLE_GAMES` sets the number of games, `TESUJI_ORACLE_SEED` the
//! seed of the judge's own games.

use crate::{setting, skip};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use tesuji_core::Notation;

/// The exit code of a judge whose library is missing.
const MISSING: i32 = 3;

/// A module of `oracles/`.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// The module's name, such as `open_spiel_hex`.
    pub module: &'static str,
    /// What `pip` calls the library that it asks, such as `open_spiel`.
    pub library: &'static str,
}

/// One ply of a game that a judge played.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move played.
    pub chosen: String,
    /// All legal moves before it.
    pub legal: BTreeSet<String>,
    /// The board after it, of judges that say so; else empty.
    pub board: String,
}

/// A game that a judge played.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// From the start.
    pub plies: Vec<Ply>,
    /// What the judge says of the end.
    pub end: String,
}

/// How many games to compare: `TESUJI_ORACLE_GAMES`, else the default.
#[must_use]
pub fn games(default: u32) -> u32 {
    setting("TESUJI_ORACLE_GAMES", default)
}

impl Judge {
    /// Games that use a program's OpenSpiel module.
    #[must_use]
    pub const fn open_spiel(module: &'static str) -> Judge {
        Judge { module, library: "open_spiel" }
    }

    /// Games that use a program's pyffish module.
    #[must_use]
    pub const fn pyffish(module: &'static str) -> Judge {
        Judge { module, library: "pyffish" }
    }

    /// What the judge writes, given this input; nothing if its library is missing, which is
    /// recorded.
    fn run(&self, arguments: &[String], input: Vec<String>) -> Option<Vec<String>> {
        let python = std::env::var("TESUJI_PYTHON").unwrap_or_else(|_| "python3".into());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../oracles");
        let started = Command::new(&python)
            .arg(folder)
            .arg(self.module)
            .args(arguments)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let consequence = format!("{} judges nothing (TESUJI_PYTHON is {python})", self.module);
        let Ok(mut child) = started else {
            skip(self.library, &consequence);
            return None;
        };
        let mut pipe = child.stdin.take().expect("piped");
        // A judge whose library is missing has closed its input: what it did read shows in its exit
        // code.
        let writer = std::thread::spawn(move || {
            input.iter().all(|line| pipe.write_all(format!("{line}\n").as_bytes()).is_ok());
        });
        let output = child.wait_with_output().expect("the judge ends");
        writer.join().expect("the writer does not panic");
        if output.status.code() == Some(MISSING) {
            skip(self.library, &consequence);
            return None;
        }
        assert!(output.status.success(), "{}: {}", self.module, String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("judges write plain text");
        Some(text.lines().map(str::to_string).collect())
    }

    /// The judge's answers to these lines, in order.
    ///
    /// # Panics
    ///
    /// If the judge fails, or does not answer each line.
    #[must_use]
    pub fn answers(&self, questions: &[String]) -> Option<Vec<String>> {
        let answers = self.run(&["answer".into()], questions.to_vec())?;
        assert_eq!(answers.len(), questions.len(), "{} answers every question", self.module);
        Some(answers)
    }

    /// Random games that the judge plays.
    ///
    /// # Panics
    ///
    /// If the judge fails, or plays another number of games.
    #[must_use]
    pub fn games(&self, count: u32, arguments: &[&str]) -> Option<Vec<Game>> {
        let seed: u32 = setting("TESUJI_ORACLE_SEED", 1);
        let mut all = vec!["play".to_string(), count.to_string(), seed.to_string()];
        all.extend(arguments.iter().map(ToString::to_string));
        let (mut games, mut game) = (Vec::new(), Game::default());
        for line in self.run(&all, Vec::new())? {
            if let Some(end) = line.strip_prefix("end ") {
                game.end = end.into();
                games.push(std::mem::take(&mut game));
                continue;
            }
            let mut parts = line.split(" | ");
            let mut part = || parts.next().unwrap_or_default();
            let (chosen, legal, board) = (part().to_string(), part(), part().to_string());
            let legal = legal.split_whitespace().map(Into::into).collect();
            game.plies.push(Ply { chosen, legal, board });
        }
        assert_eq!(games.len(), count as usize, "{} plays the games asked for", self.module);
        Some(games)
    }

    /// Replays random games of the judge from `start`, comparing the legal moves at every ply;
    /// `end` compares the last position of each game with what the judge says of it.
    ///
    /// # Panics
    ///
    /// At the first difference.
    pub fn replay<P: Notation>(&self, count: u32, arguments: &[&str], start: &P, end: impl Fn(&P, &str)) {
        for game in self.games(count, arguments).unwrap_or_default() {
            let mut position = start.clone();
            let mut played = Vec::new();
            for ply in &game.plies {
                assert_eq!(legal_moves(&position), ply.legal, "{} after {played:?}", self.module);
                position.play(position.read_move(&ply.chosen).expect("legal for both"));
                played.push(&ply.chosen);
            }
            assert!(position.outcome().is_some(), "{}: the game goes on after {played:?}", self.module);
            end(&position, &game.end);
        }
    }
}

/// The legal moves of a position, as it writes them.
#[must_use]
pub fn legal_moves<P: Notation>(position: &P) -> BTreeSet<String> {
    position.moves().into_iter().map(|mv| position.show_move(mv)).collect()
}
