//! Knowledge of a game as a plug-in: who wins here, which moves to look at, and how hard they seem.
//!
//! The search knows no game. An [`Adviser`] of one game, given beside it, is asked once when a position is entered. It may
//!
//! * **settle** the position: say who wins it, for sure;
//! * put the moves **in order and leave some out**, under two conditions that keep answers true:
//!   * where the **attacker** moves, a move may be left out if he surely does not need it. An adviser that leaves out more says so
//!     ([`leaves_out`](Adviser::leaves_out)); a proof found without those moves is a proof, but *no* means nothing any more, so the answer is then
//!     "unknown", never a loss or a draw (Zhang 2019, §3.3.2);
//!   * where the **defender** moves, a move may be left out only if he surely does not need it: the attacker reaches his aim after it,
//!     or another move that is looked at is at least as good;
//! * give the **numbers** with which unknown successors start (df-pn+, Nagai & Imai 1999).
//!
//! What an adviser says is believed in the search and *not* in a proof. When a proof is written he is asked for a certificate, which the
//! checker derives again; where he has none, every reply is listed and what to do against it is searched for then. A wrong
//! adviser is found out there.

use crate::{Aim, Certificate, Deadline, Player, Position};

/// What an adviser says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice<M> {
    /// Who wins, if that is sure: he gets the full score. Moves need not be listed then; if some are, a winner who is to move wins by one of them,
    /// and where the search began only they are looked at.
    pub winner: Option<Player>,
    /// The moves to look at, the best first.
    pub moves: Vec<M>,
    /// Proof and disproof number that the successor by each of these moves starts with, if it is unknown; empty to let the search decide.
    pub numbers: Vec<[u32; 2]>,
}

impl<M> Default for Advice<M> {
    fn default() -> Self {
        Advice { winner: None, moves: Vec::new(), numbers: Vec::new() }
    }
}

impl<M> Advice<M> {
    /// Nothing said yet; what was reserved is kept.
    pub fn clear(&mut self) {
        self.winner = None;
        self.moves.clear();
        self.numbers.clear();
    }
}

/// Knows a game.
pub trait Adviser<P: Position>: Send {
    /// Whether moves of the attacker are ever left out that he might need.
    fn leaves_out(&self) -> bool;

    /// Which limit of its own makes it leave out moves that what it looks for, by its definition, includes; nothing if a search that ended
    /// without a proof has looked at all there is. Asked after the search.
    fn own_limit(&self) -> Option<&'static str> {
        None
    }

    /// A search begins with this position.
    fn begin(&mut self, _root: &P) {}

    /// Advice is wanted until then. An adviser that searches looks at it now and then, and may say anything once it is over: what is said then is not used.
    fn limit(&mut self, _deadline: &Deadline) {}

    /// The most bytes that it would keep of what it finds out, together with a fork for each other thread; it gets at most a part of the memory.
    fn wants_memory(&self, _threads: u32) -> u64 {
        0
    }

    /// It may keep so many bytes, together with its forks, of which there is one for each other thread. What is more must be forgotten.
    fn memory(&mut self, _bytes: u64, _threads: u32) {}

    /// About how many bytes it keeps now, with its forks.
    fn memory_bytes(&self) -> u64 {
        0
    }

    /// Advises on `position`, a live game, for the question `aim`; `advice` is empty.
    fn advise(&mut self, position: &P, aim: Aim, advice: &mut Advice<P::Move>);

    /// Whether advice takes much longer than listing moves does: then the clock is looked at after every advice.
    fn is_slow(&self) -> bool {
        true
    }

    /// Whether what was listed is to be kept for when a position is entered again soon, as advice is very dear.
    fn keeps_lists(&self) -> bool {
        false
    }

    /// Whether it wants to hear what the search finds out ([`solved`](Adviser::solved), [`also_lost`](Adviser::also_lost)).
    fn learns(&self) -> bool {
        false
    }

    /// The search has found that `winner` wins `position`: by the move `by` if he is to move, else against each of `moves`, those that were looked at.
    fn solved(
        &mut self,
        _position: &P,
        _winner: Player,
        _by: Option<P::Move>,
        _moves: &mut dyn Iterator<Item = P::Move>,
    ) {
    }

    /// The mover of `position` loses by the move `lost`. Whether he loses by `other` as well, for the same reason: the opponent wins without what `other` takes away.
    fn also_lost(&mut self, _position: &P, _lost: P::Move, _other: P::Move) -> bool {
        false
    }

    /// Another one that says the same, for another thread; nothing if there can be only one.
    fn fork(&self) -> Option<Box<dyn Adviser<P>>> {
        None
    }

    /// A certificate, for a proof, that `claimant` wins the live `position`.
    ///
    /// Where he is to move it must settle the position. Where his opponent is, it must answer all replies but those written
    /// into `listed`, which is empty: these are listed in the proof one by one. Nothing if there is no certificate: then
    /// the proof goes on move by move.
    fn certify(&mut self, _position: &P, _claimant: Player, _listed: &mut Vec<P::Move>) -> Option<Certificate> {
        None
    }
}
