//! Improved search against sudden death and sudden win: a minimax of depth k at the root.
//!
//! * `first(k)`: before the search, on all moves. Li 2018 §5.1, Fig. 17(a), brute force.
//! * `triggered(k)`: when the first playout ends within k plies of the root, on all moves. Fig.
//!   17(b), the improved algorithm.
//! * `promising(k, after, x1, x2)`: after `after` iterations, on those of the best x1 % with a
//!   short loss and those of the best x2 % with a short win. §5.3, heuristic strategy 1.
//! * `last(k, x2)`: at the end, on the move that would be played, as long as it had a short loss and
//!   loses by force, and on those of the best x2 % with a short win. §5.3, heuristic strategy 2.
//!
//! Moves are ranked by their mean. Li plays the move with the highest mean (`decide=max`), and
//! strategy 2 examines that one; with another rule of decision it examines the move which that rule
//! would play.
//!
//! A move that wins by force within k plies ends the search. Moves that lose by force within k
//! plies are excluded from selection and decision; if all moves lose, those that lose sooner than
//! others. With `solver=true` the results are written as bounds instead, which exclude what is
//! proved to be worse and end the search when the root is proved. k is arbitrary (Li's program has
//! k = 4). Wins are scores above ½.

/// When the minimax against sudden death and sudden win runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sudden {
    /// Never.
    Never,
    /// Before the search.
    First {
        /// Plies.
        k: u32,
    },
    /// After the first short playout.
    Triggered {
        /// Plies.
        k: u32,
    },
    /// After `after` iterations, on promising moves only.
    Promising {
        /// Plies.
        k: u32,
        /// Iterations before the minimax.
        after: u64,
        /// Percent of the moves examined for death.
        x1: f64,
        /// Percent of the moves examined for a win.
        x2: f64,
    },
    /// At the end, on promising moves only.
    Last {
        /// Plies.
        k: u32,
        /// Percent of the moves examined for a win.
        x2: f64,
    },
}

impl Sudden {
    /// The number of plies up to which a playout is short; 0 if the rule does not use playouts.
    pub(crate) fn short(self) -> u32 {
        match self {
            Sudden::Never | Sudden::First { .. } => 0,
            Sudden::Triggered { k } | Sudden::Promising { k, .. } | Sudden::Last { k, .. } => k,
        }
    }
}
