//! The expansion rules: how many of a node's moves are open to selection. One mechanism serves all
//! of them: a number that grows.
//!
//! * `one`: one more per visit; the selection rule begins when all are open. Coulom 2006; Kocsis &
//!   Szepesvári 2006.
//! * `all`: all at once; an untried move has the value of the first-play urgency. Gelly & Wang
//!   2006.
//! * `each`: all at once, and each is simulated when the node is expanded. Lin 2017 §3.4.2.
//! * `widen(mu)`: the best T = 1 + ln n / ln µ after n visits, by the game's preference. Coulom
//!   2007; V-Run 2016 §3.2.2.
//!
//! The moves of a node are shuffled when it is expanded (or in the game's order, with
//! `ties=first`). With every rule another move is opened when all open ones are settled.

/// An expansion rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expansion {
    /// One more per visit.
    One,
    /// All at once.
    All,
    /// All at once, each simulated at once.
    Each,
    /// Progressive widening: the preferred moves first.
    Widen {
        /// The factor by which the visits grow for each further move.
        mu: f64,
    },
}

impl Expansion {
    /// Whether a new node opens all its moves.
    pub(crate) fn opens_all(self) -> bool {
        matches!(self, Expansion::All | Expansion::Each)
    }

    /// Whether the order of moves matters.
    pub(crate) fn needs_order(self) -> bool {
        matches!(self, Expansion::Widen { .. })
    }

    /// The number of its `count` moves that a node with this many visits opens.
    #[inline]
    pub(crate) fn target(self, visits: u32, count: u16) -> u16 {
        match self {
            Expansion::One | Expansion::All | Expansion::Each => count,
            Expansion::Widen { mu } => {
                let open = 1.0 + libm::log(f64::from(visits.max(1))) / libm::log(mu);
                (open as u32).min(u32::from(count)) as u16
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expansion;

    #[test]
    fn widening_by_hand() {
        let rule = Expansion::Widen { mu: 2.0 };
        let open: Vec<u16> = [0, 1, 2, 3, 4, 7, 8, 1023, 1024].map(|visits| rule.target(visits, 300)).to_vec();
        assert_eq!(open, [1, 1, 2, 2, 3, 3, 4, 10, 11]);
        assert_eq!(rule.target(u32::MAX, 5), 5);
        assert_eq!(Expansion::One.target(3, 7), 7);
    }
}
