//! What a search is for.

use super::stream::Stream;
use tesuji_agents::Session;
use tesuji_core::Player;

/// What a move is generated for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To play it.
    Play,
    /// To see it: nothing is played, and the clock stands.
    See,
    /// To play it, and not to pass before dead stones are off.
    CleanUp,
    /// To play it, with CGOS's account of it.
    Explain,
}

/// A move being generated.
pub(super) struct Generate {
    pub(super) id: String,
    pub(super) player: Player,
    pub(super) purpose: Purpose,
    /// What it writes meanwhile.
    pub(super) stream: Option<Stream>,
    /// Steps of the session before the command.
    pub(super) mark: usize,
}

/// What a search is for.
pub(super) enum Job {
    Generate(Generate),
    Analyse {
        stream: Stream,
        /// Steps of the session to go back to.
        mark: usize,
    },
    /// HexGui's Solve button.
    Solve {
        id: String,
        solving: Box<Session>,
    },
}

impl Job {
    /// Its answer has begun, so that only its end can follow.
    pub(super) fn has_begun_to_answer(&self) -> bool {
        match self {
            Job::Analyse { .. } => true,
            Job::Generate(generate) => generate.stream.is_some(),
            Job::Solve { .. } => false,
        }
    }
}
