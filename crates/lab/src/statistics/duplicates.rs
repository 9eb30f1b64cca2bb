//! Games that repeat others.
//!
//! Two agents without randomness play the same game from the same opening every time. A repeated
//! game says nothing new, and an interval that counts it is too narrow: what counts is the number of
//! different games. (gogui-twogtp reports them as "DUP".)

use std::collections::HashMap;
use std::hash::Hash;

/// How many games are different.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Duplicates {
    /// All games.
    pub games: usize,
    /// Different games: the number of observations.
    pub distinct: usize,
    /// For each game that repeats an earlier one: its number, and the number of the first like it.
    pub repeats: Vec<(usize, usize)>,
}

/// Finds repeated games. A key says what a game is: the agents by colour and all moves, as text or
/// numbers.
#[must_use]
pub fn duplicates<K: Hash + Eq>(games: impl IntoIterator<Item = K>) -> Duplicates {
    let mut first = HashMap::new();
    let mut found = Duplicates::default();
    for (number, key) in games.into_iter().enumerate() {
        found.games += 1;
        let original = *first.entry(key).or_insert(number);
        if original != number {
            found.repeats.push((number, original));
        }
    }
    found.distinct = first.len();
    found
}

#[cfg(test)]
mod tests {
    use super::duplicates;

    #[test]
    fn repeats_name_the_first_like_them() {
        let found = duplicates(["a b c", "a c", "a b c", "b", "a b c", "a c"]);
        assert_eq!((found.games, found.distinct), (6, 3));
        assert_eq!(found.repeats, [(2, 0), (4, 0), (5, 1)]);
        assert_eq!(duplicates::<u8>([]), super::Duplicates::default());
    }
}
