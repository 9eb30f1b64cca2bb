//! What is proved about a position: an interval of scores.
//!
//! A proof in a game with draws or grades is not a flag. `[1, 1]` is a proved
//! win of the first player, `[½, 1]` says that the first player does not lose, `[0, 1]` says
//! nothing. Intervals of the moves join to the interval of the position:
//!
//! > first to move:  lower = max lowerᵢ,  upper = max upperᵢ (1 while moves are missing)
//! > second to move: lower = min lowerᵢ (0 while moves are missing),  upper = min upperᵢ
//!
//! Reference: the score intervals of Cazenave & Saffidine, "Score Bounded
//! Monte-Carlo Tree Search", 2010; "missing moves" is our addition, so that
//! half-opened nodes (widening, one child a visit) stay sound.

use crate::{Player, Score};

/// A proved interval of scores for the first player, `lower ≤ upper`. Four bytes.
///
/// ```
/// use tesuji_core::{Bounds, Player, Score};
///
/// let not_lost = Bounds::new(Score::DRAW, Score::WIN).unwrap();
/// assert_eq!(not_lost.proved(), None);
///
/// // The first player has a move that does not lose and one that loses; the interval follows once all moves are listed.
/// let moves = [not_lost, Bounds::exact(Score::LOSS)];
/// assert_eq!(Bounds::join(Player::First, moves, true), not_lost);
///
/// // For the second player one proved win decides, whatever else there is.
/// let joined = Bounds::join(Player::Second, moves, false);
/// assert_eq!(joined.proved(), Some(Score::LOSS));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    lower: Score,
    upper: Score,
}

const _: () = assert!(size_of::<Bounds>() == 4);

impl Bounds {
    /// Nothing is proved.
    pub const UNKNOWN: Bounds = Bounds { lower: Score::LOSS, upper: Score::WIN };

    /// The interval from `lower` to `upper`; nothing if it would be empty.
    #[inline]
    #[must_use]
    pub fn new(lower: Score, upper: Score) -> Option<Bounds> {
        (lower <= upper).then_some(Bounds { lower, upper })
    }

    /// A proved score.
    #[inline]
    #[must_use]
    pub const fn exact(score: Score) -> Bounds {
        Bounds { lower: score, upper: score }
    }

    /// The first player gets at least this.
    #[inline]
    #[must_use]
    pub const fn lower(self) -> Score {
        self.lower
    }

    /// The first player gets at most this.
    #[inline]
    #[must_use]
    pub const fn upper(self) -> Score {
        self.upper
    }

    /// The proved score, once lower and upper meet.
    #[inline]
    #[must_use]
    pub fn proved(self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether `score` is still possible.
    #[inline]
    #[must_use]
    pub fn contains(self, score: Score) -> bool {
        self.lower <= score && score <= self.upper
    }

    /// What two proofs of the same position say together; nothing if they contradict each other.
    #[inline]
    #[must_use]
    pub fn intersect(self, other: Bounds) -> Option<Bounds> {
        Bounds::new(self.lower.max(other.lower), self.upper.min(other.upper))
    }

    /// The least and the greatest score that are possible for `player`, as `player` counts them.
    #[inline]
    #[must_use]
    pub fn for_player(self, player: Player) -> (Score, Score) {
        match player {
            Player::First => (self.lower, self.upper),
            Player::Second => (self.upper.flipped(), self.lower.flipped()),
        }
    }

    /// The bounds of a position in which `mover` chooses among `moves`.
    ///
    /// `all_listed` says whether these are all moves there are. While some are
    /// missing, one of them may be better for the mover, so only the bound that
    /// guarantees the mover something is known. No moves at all prove nothing.
    #[must_use]
    pub fn join(mover: Player, moves: impl IntoIterator<Item = Bounds>, all_listed: bool) -> Bounds {
        let joined = moves.into_iter().reduce(|a, b| Bounds {
            lower: a.lower.better_for(b.lower, mover),
            upper: a.upper.better_for(b.upper, mover),
        });
        let Some(joined) = joined else { return Bounds::UNKNOWN };
        match (all_listed, mover) {
            (true, _) => joined,
            (false, Player::First) => Bounds { upper: Score::WIN, ..joined },
            (false, Player::Second) => Bounds { lower: Score::LOSS, ..joined },
        }
    }

    /// As one 32-bit word, for tree records and tables.
    #[inline]
    #[must_use]
    pub const fn pack(self) -> u32 {
        (self.lower.units() << 16) | self.upper.units()
    }

    /// Back from [`pack`](Self::pack); nothing for words it never makes.
    #[inline]
    #[must_use]
    pub fn unpack(word: u32) -> Option<Bounds> {
        Bounds::new(Score::from_units(word >> 16)?, Score::from_units(word & 0xffff)?)
    }
}

impl std::fmt::Debug for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}, {}]", self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::Bounds;
    use crate::{Player, Score};
    use proptest::prelude::*;

    fn any_bounds() -> impl Strategy<Value = Bounds> {
        (0..=Score::UNITS, 0..=Score::UNITS).prop_map(|(a, b)| {
            let score = |units| Score::from_units(units).expect("in range");
            Bounds::new(score(a.min(b)), score(a.max(b))).expect("ordered")
        })
    }

    /// A score inside the bounds, picked by a fraction of the way.
    fn inside(bounds: Bounds, pick: u32) -> Score {
        let width = bounds.upper().units() - bounds.lower().units();
        Score::from_units(bounds.lower().units() + pick % (width + 1)).expect("in range")
    }

    proptest! {
        #[test]
        fn packing_is_lossless(bounds in any_bounds()) {
            prop_assert_eq!(Bounds::unpack(bounds.pack()), Some(bounds));
        }

        /// Whatever the true values inside the moves' intervals are, the true value of
        /// the position lies inside the joined interval — also when some moves are hidden.
        #[test]
        fn join_is_sound(
            moves in proptest::collection::vec((any_bounds(), any::<u32>()), 1..6),
            hidden in 0_usize..6,
            first in any::<bool>(),
        ) {
            let mover = if first { Player::First } else { Player::Second };
            let truth = moves.iter().map(|(b, pick)| inside(*b, *pick)).reduce(|a, b| a.better_for(b, mover)).expect("a move");
            let listed = &moves[hidden.min(moves.len() - 1)..];
            let all_listed = listed.len() == moves.len();
            let joined = Bounds::join(mover, listed.iter().map(|m| m.0), all_listed);
            prop_assert!(joined.contains(truth), "{joined:?} misses {truth:?}");
        }
    }

    #[test]
    fn joins_by_hand() {
        let (win, draw, loss) = (Bounds::exact(Score::WIN), Bounds::exact(Score::DRAW), Bounds::exact(Score::LOSS));
        let not_lost = Bounds::new(Score::DRAW, Score::WIN).expect("ordered");
        assert_eq!(Bounds::join(Player::First, [loss, draw], true), draw);
        assert_eq!(Bounds::join(Player::First, [loss, draw], false), not_lost);
        assert_eq!(Bounds::join(Player::First, [win], false), win, "a win found needs no other move");
        assert_eq!(Bounds::join(Player::Second, [win, draw], true), draw);
        assert_eq!(Bounds::join(Player::Second, [loss, win], false), loss);
        assert_eq!(
            Bounds::join(Player::Second, [Bounds::UNKNOWN, draw], true),
            Bounds::new(Score::LOSS, Score::DRAW).expect("ordered")
        );
        assert_eq!(Bounds::join(Player::First, [], true), Bounds::UNKNOWN);
        assert_eq!(win.intersect(draw), None);
        assert_eq!(not_lost.for_player(Player::Second), (Score::LOSS, Score::DRAW));
    }
}
