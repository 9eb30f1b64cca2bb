//! What tests of conversations share: an engine to talk to, the last answer, a file for it to read.

use tesuji::protocol::{Engine, GRACE, Protocol, Setup, talk};
use tesuji_core::{Budget, Seed};

/// An engine with a game, an agent and limits, which may read the folder of temporary files.
pub fn engine_of(game: &str, agent: &str, limits: Budget) -> Engine {
    let setup = Setup {
        game: game.parse().expect("a game"),
        agent: agent.parse().expect("an agent"),
        limits,
        chosen: true,
        seed: Seed(1),
        ponder: false,
        grace: GRACE,
        access: tesuji_agents::Access::restricted().with_folder(&std::env::temp_dir()).expect("a folder"),
    };
    Engine::new(setup).expect("an engine")
}

/// The answer to the last of some lines.
pub fn last(protocol: &mut dyn Protocol, lines: &[&str]) -> String {
    lines.iter().map(|line| talk(protocol, line).0).last().unwrap_or_default()
}

/// A file that is gone after the test.
pub struct Scratch(pub std::path::PathBuf);

impl Scratch {
    /// Written with this text.
    pub fn new(name: &str, text: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("tesuji-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("written");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
