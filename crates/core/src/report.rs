//! What a search answers.

use crate::{Bounds, Player, Score, StopReason, Value};
use std::time::Duration;

/// One move of the root and what the search thinks of it.
#[derive(Clone, PartialEq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// How often it was tried.
    pub visits: u64,
    /// What it seems to be worth; nothing if it was never tried.
    pub value: Option<Value>,
    /// What is proved about it.
    pub bounds: Bounds,
    /// The interval the search's own rule sees around the value, for the side to move: lower and
    /// upper confidence bound.
    pub confidence: Option<(f64, f64)>,
    /// What the move was worth when it was played later (all moves as first).
    pub amaf: Option<Value>,
    /// The weight the move had before it was tried, in [0, 1].
    pub prior: Option<f64>,
    /// An exact number or a remark of the search's own ("−1/3", "wins in 5").
    pub note: Option<String>,
    /// The expected course of the game, beginning with the move, where the search knows it; else
    /// empty.
    pub line: Vec<M>,
}

impl<M> RootMove<M> {
    /// A move of which nothing is known.
    #[must_use]
    pub fn untried(mv: M) -> RootMove<M> {
        RootMove {
            mv,
            visits: 0,
            value: None,
            bounds: Bounds::UNKNOWN,
            confidence: None,
            amaf: None,
            prior: None,
            note: None,
            line: Vec::new(),
        }
    }
}

/// Whether a yes-or-no question has been answered by proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofStatus {
    /// The attacker reaches the aim.
    Proved,
    /// The defender prevents it.
    Disproved,
    /// Neither is known.
    Unknown,
}

/// What a proof-number search knows of the question that it asked last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProofState {
    /// The answer. A search that leaves out moves of the attacker disproves nothing.
    pub status: ProofStatus,
    /// The proof number of the root; nothing stands for infinity.
    pub proof_number: Option<f64>,
    /// The disproof number of the root; nothing stands for infinity.
    pub disproof_number: Option<f64>,
}

/// The answer of a search, final or so far.
///
/// ```
/// use tesuji_core::{Bounds, Player, Report, RootMove, Score};
///
/// let mut report: Report<&str> = Report::empty(Player::First);
/// report.root = vec![RootMove::untried("a1"), RootMove { visits: 10, ..RootMove::untried("b2") }];
/// report.root[1].bounds = Bounds::exact(Score::WIN);
/// report.best = report.root.iter().find(|entry| entry.bounds.proved() == Some(Score::WIN)).map(|entry| entry.mv);
/// assert_eq!(report.best, Some("b2"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// Who was to move.
    pub turn: Player,
    /// The chosen move; none if the game has ended or the player resigns. Where a search knows
    /// nothing it is the move that the game prefers, or one drawn by the seed.
    pub best: Option<M>,
    /// Whether the player resigns.
    pub resigns: bool,
    /// What the position seems to be worth.
    pub value: Value,
    /// What is proved about the position.
    pub bounds: Bounds,
    /// What a proof-number search knows of its last question; nothing for other searches.
    pub proof: Option<ProofState>,
    /// The expected course of the game, beginning with `best`. If `best` keeps what is proved of
    /// the position for the side to move, every further move keeps both bounds as well: it is a
    /// line of the proof, as far as that is known.
    pub line: Vec<M>,
    /// All moves of the root, in the game's order.
    pub root: Vec<RootMove<M>>,
    /// The path of the last iteration through the tree.
    pub path: Vec<M>,
    /// The depth below the root at which the last playout ended, where it was counted.
    pub playout_end: Option<u32>,
    /// Further figures of the search's own, by name ("re-expansions", "table entries"). Those that
    /// tell what the position is worth ("evaluation", in points of the game) are for the side to
    /// move.
    pub figures: Vec<(&'static str, f64)>,
    /// Iterations done.
    pub iterations: u64,
    /// Positions entered below the root, repeats included.
    pub nodes: u64,
    /// The depth reached, in plies.
    pub depth: u32,
    /// Peak memory of trees and tables.
    pub memory_bytes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// Why it ended.
    pub stopped: StopReason,
}

impl<M> Report<M> {
    /// The report about a game that has ended, or before anything was looked at.
    #[must_use]
    pub fn empty(turn: Player) -> Report<M> {
        Report {
            turn,
            best: None,
            resigns: false,
            value: Value::UNKNOWN,
            bounds: Bounds::UNKNOWN,
            proof: None,
            line: Vec::new(),
            root: Vec::new(),
            path: Vec::new(),
            playout_end: None,
            figures: Vec::new(),
            iterations: 0,
            nodes: 0,
            depth: 0,
            memory_bytes: 0,
            elapsed: Duration::ZERO,
            stopped: StopReason::Finished,
        }
    }

    /// The same report as an answer about the value, in which `best` and `line` belong to the
    /// proof:
    ///
    /// * where the side to move is sure of more than nothing, `best` is a move that is proved to
    ///   keep that;
    /// * where the position is proved lost it is the search's own choice, the longest resistance as
    ///   far as that is known;
    /// * else nothing is known that a move could be chosen by, and there is neither `best` nor
    ///   `line`.
    #[must_use]
    pub fn of_proof(mut self) -> Report<M>
    where
        M: Clone + PartialEq,
    {
        let (sure, hoped) = self.bounds.for_player(self.turn);
        if hoped == Score::LOSS && self.best.is_some() {
            return self;
        }
        let keeps = |entry: &&RootMove<M>| sure > Score::LOSS && entry.bounds.for_player(self.turn).0 >= sure;
        let own = self.root.iter().filter(keeps).find(|entry| Some(&entry.mv) == self.best.as_ref());
        if own.is_none() {
            let other = self.root.iter().find(keeps);
            (self.best, self.line) = match other {
                None => (None, Vec::new()),
                Some(entry) if entry.line.is_empty() => (Some(entry.mv.clone()), vec![entry.mv.clone()]),
                Some(entry) => (Some(entry.mv.clone()), entry.line.clone()),
            };
        }
        self
    }

    /// The same report with its moves written another way: the root's moves by
    /// `root`, the lines by `line` (a move's text may depend on the position before it).
    pub fn translate<N>(self, mut root: impl FnMut(M) -> N, mut line: impl FnMut(Vec<M>) -> Vec<N>) -> Report<N> {
        Report {
            turn: self.turn,
            best: self.best.map(&mut root),
            resigns: self.resigns,
            value: self.value,
            bounds: self.bounds,
            proof: self.proof,
            line: line(self.line),
            root: self
                .root
                .into_iter()
                .map(|entry| RootMove {
                    mv: root(entry.mv),
                    visits: entry.visits,
                    value: entry.value,
                    bounds: entry.bounds,
                    confidence: entry.confidence,
                    amaf: entry.amaf,
                    prior: entry.prior,
                    note: entry.note,
                    line: line(entry.line),
                })
                .collect(),
            path: line(self.path),
            playout_end: self.playout_end,
            figures: self.figures,
            iterations: self.iterations,
            nodes: self.nodes,
            depth: self.depth,
            memory_bytes: self.memory_bytes,
            elapsed: self.elapsed,
            stopped: self.stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Report, RootMove};
    use crate::{Bounds, Player, Score};

    fn report(root: &[(char, Bounds)], best: char, bounds: Bounds) -> Report<char> {
        let entry = |(mv, bounds): &(char, Bounds)| RootMove { bounds: *bounds, ..RootMove::untried(*mv) };
        let (root, best, line) = (root.iter().map(entry).collect(), Some(best), vec![best]);
        Report { root, best, line, bounds, ..Report::empty(Player::Second) }
    }

    #[test]
    fn the_best_move_of_a_proof_keeps_what_is_proved() {
        let (draw, unknown) = (Bounds::exact(Score::DRAW), Bounds::UNKNOWN);
        let not_lost = Bounds::new(Score::LOSS, Score::DRAW).expect("ordered");
        let not_won = Bounds::new(Score::DRAW, Score::WIN).expect("ordered");
        let found = |report: Report<char>| {
            let report = report.of_proof();
            (report.best, report.line.first().copied())
        };
        assert_eq!(found(report(&[('a', unknown), ('b', unknown)], 'a', unknown)), (None, None), "nothing is known");
        assert_eq!(found(report(&[('a', unknown), ('b', draw)], 'a', not_lost)), (Some('b'), Some('b')));
        assert_eq!(found(report(&[('a', draw), ('b', draw)], 'b', draw)), (Some('b'), Some('b')), "its own choice");
        assert_eq!(found(report(&[('a', not_won), ('b', not_won)], 'a', not_won)), (None, None), "only hope is less");
        let lost = Bounds::exact(Score::WIN);
        assert_eq!(found(report(&[('a', lost), ('b', lost)], 'b', lost)), (Some('b'), Some('b')), "it resists");
    }
}
