//! UCCI: engines for Chinese chess. UCI with other words; see `uci.rs` for what they share.
//!
//! | | UCI | UCCI |
//! |---|---|---|
//! | greeting | `uci` … `uciok` | `ucci` … `ucciok` |
//! | options | `setoption name N value V` | `setoption N V` |
//! | position | `startpos` or `fen` | `fen` |
//! | ranks | 1 to 10 | 0 to 9 (the game translates) |
//! | time of a move | `movetime T` | `time T movestogo 1`, in milliseconds by `usemillisec` |
//! | limits at once | all | one of time, nodes and depth; time first |
//! | resignation | | `bestmove M resign` |
//!
//! Engines that have no option `usemillisec` count in milliseconds (Fairy-Stockfish).
//!
//! Reference: Huang Chen, *UCCI 3.0*, 2008.

use super::process::EngineError;
use super::uci::{Chess, Dialect, OPTIONS};
use super::{Answer, COMMAND, Dialogue, Game, Talk};
use crate::AnyPosition;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Budget, EngineProtocol};

/// The UCCI side of an agent.
pub(crate) struct Ucci(Chess);

impl Describe for Ucci {
    const DESCRIPTION: Description = Description {
        name: "ucci",
        about: "another engine that speaks UCCI, for Chinese chess",
        parameters: &[COMMAND, OPTIONS],
    };
}

impl Dialogue for Ucci {
    const PROTOCOL: EngineProtocol = EngineProtocol::Ucci;
    const FAREWELL: &'static str = "quit";
    const COUNTS_WORK: bool = true;
    const HAS_STOP: bool = true;

    fn new(arguments: &Arguments) -> Result<Ucci, ArgumentError> {
        Chess::new(Dialect::Ucci, arguments).map(Ucci)
    }

    /// Every position can be told.
    fn objection(&self, _: &dyn AnyPosition) -> Option<String> {
        None
    }

    fn name(&self) -> Option<&str> {
        self.0.name()
    }

    fn started(&mut self) {
        self.0.started();
    }

    fn begun(&mut self) {
        self.0.begun();
    }

    fn ask(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) -> Result<Answer, EngineError> {
        self.0.ask(talk, game, budget)
    }
}
