//! Knowledge of a game as a plug-in of searches that prove: results, candidate moves, initial
//! numbers.
//!
//! The search knows no game. It asks the [`Adviser`] of a game once for each position it enters.
//! The adviser may
//!
//! * **settle** the position: state its winner, with certainty;
//! * **order the moves and leave some out**, under two conditions that keep answers true: * where
//!   the **attacker** moves, a move may be left out if the attacker surely does not need it. An
//!   adviser that leaves out more says so ([`leaves_out`](Adviser::leaves_out)). A proof found
//!   without those moves is a proof; a failure means nothing, so the answer is then "unknown",
//!   never a loss or a draw (Zhang 2019, §3.3.2); * where the **defender** moves, a move may be
//!   left out only if the defender surely does not need it: the attacker reaches the aim after it,
//!   or another listed move is at least as good;
//! * give the **numbers** with which unknown successors start (df-pn+, Nagai & Imai 1999).
//!
//! The search relies on the advice; a proof does *not*. When a proof is written, the adviser is
//! asked for a certificate, which the checker derives again. Without one, every reply is listed and
//! its refutation is searched for then. So wrong advice is detected there.

use crate::{Aim, Certificate, Deadline, Player, Position};

/// The advice on one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice<M> {
    /// The winner, if certain; the score is the full one. Moves need not be listed then. If some
    /// are, a winner who is to move wins by one of them, and at the root only they are searched.
    pub winner: Option<Player>,
    /// The moves to search, best first.
    pub moves: Vec<M>,
    /// The initial proof and disproof number of the successor by each of these moves, if it is
    /// unknown. Empty to leave them to the search.
    pub numbers: Vec<[u32; 2]>,
}

impl<M> Default for Advice<M> {
    fn default() -> Self {
        Advice { winner: None, moves: Vec::new(), numbers: Vec::new() }
    }
}

impl<M> Advice<M> {
    /// Empties the advice; its memory stays reserved.
    pub fn clear(&mut self) {
        self.winner = None;
        self.moves.clear();
        self.numbers.clear();
    }
}

/// Knowledge of one game.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Advice, Adviser, Aim, Position};
///
/// /// A player who can take the whole heap wins.
/// struct LastOne;
///
/// impl Adviser<TakeAway> for LastOne {
///     fn leaves_out(&self) -> bool {
///         false
///     }
///     fn advise(&mut self, position: &TakeAway, _: Aim, advice: &mut Advice<u8>) {
///         let ends = |taken: &u8| {
///             let mut after = position.clone();
///             after.play(*taken);
///             after.outcome().is_some()
///         };
///         advice.moves = position.moves();
///         advice.winner = advice.moves.iter().any(ends).then(|| position.turn());
///     }
/// }
/// # use tesuji_core::{Measure, Player};
/// # let aim = Aim { player: Player::First, measure: Measure::Score, least: 60_000 };
/// # let advised = |heap| {
/// #     let mut advice = Advice::default();
/// #     LastOne.advise(&TakeAway::new(heap), aim, &mut advice);
/// #     advice.winner
/// # };
/// # assert_eq!((advised(3), advised(4)), (Some(Player::First), None));
/// ```
pub trait Adviser<P: Position>: Send {
    /// Whether moves of the attacker that might be needed are ever left out.
    fn leaves_out(&self) -> bool;

    /// The limit of the adviser that made it leave out moves which belong, by definition, to what
    /// it looks for; nothing if a search that ended without a proof was exhaustive in that sense.
    /// Asked after the search.
    fn own_limit(&self) -> Option<&'static str> {
        None
    }

    /// A search begins at this position.
    fn begin(&mut self, _root: &P) {}

    /// Advice is wanted until this deadline. An adviser that searches checks it regularly; advice
    /// given after it is ignored.
    fn limit(&mut self, _deadline: &Deadline) {}

    /// The most bytes that the adviser would store, together with a fork for each other thread. It
    /// gets at most a share of the memory.
    fn wants_memory(&self, _threads: u32) -> u64 {
        0
    }

    /// The bytes that the adviser may store, together with its forks, one for each other thread.
    /// Anything beyond them must be dropped.
    fn memory(&mut self, _bytes: u64, _threads: u32) {}

    /// Approximately the bytes stored now, forks included.
    fn memory_bytes(&self) -> u64 {
        0
    }

    /// Positions that searches of the adviser itself have entered since the beginning, forks
    /// included; nothing if it does not search. They are not among the nodes of the search.
    fn inner_nodes(&self) -> Option<u64> {
        None
    }

    /// Advises on `position`, a live game, for the question `aim`; `advice` is empty.
    fn advise(&mut self, position: &P, aim: Aim, advice: &mut Advice<P::Move>);

    /// Whether advice takes much longer than listing moves. Then the clock is read after every
    /// advice.
    fn is_slow(&self) -> bool {
        true
    }

    /// Whether lists of moves are to be cached for the next visit of a position, because advice is
    /// expensive.
    fn keeps_lists(&self) -> bool {
        false
    }

    /// Whether the adviser uses results of the search ([`solved`](Adviser::solved),
    /// [`also_lost`](Adviser::also_lost)).
    fn learns(&self) -> bool {
        false
    }

    /// The search has found that `winner` wins `position`: by the move `by` if the winner is to
    /// move, else against each of `moves`, those that were searched.
    fn solved(
        &mut self,
        _position: &P,
        _winner: Player,
        _by: Option<P::Move>,
        _moves: &mut dyn Iterator<Item = P::Move>,
    ) {
    }

    /// The mover of `position` loses by the move `lost`. Whether `other` loses as well, for the
    /// same reason: the opponent's win does not use anything that `other` takes away.
    fn also_lost(&mut self, _position: &P, _lost: P::Move, _other: P::Move) -> bool {
        false
    }

    /// An adviser that gives the same advice, for another thread; nothing if there can be only one.
    fn fork(&self) -> Option<Box<dyn Adviser<P>>> {
        None
    }

    /// A certificate, for a proof, that `claimant` wins the live `position`.
    ///
    /// Where the claimant is to move, it must settle the position. Where the opponent is, it must
    /// answer all replies but those written into `listed`, which is empty: these are listed in the
    /// proof one by one. Nothing if there is no certificate: then the proof continues move by move.
    fn certify(&mut self, _position: &P, _claimant: Player, _listed: &mut Vec<P::Move>) -> Option<Certificate> {
        None
    }
}
