//! Stable sorting that is compiled once.
//!
//! The standard library's sort is instantiated for every element type and every key function, 6 kB
//! each time. In a search that is generic over the game, each call would be instantiated for every
//! game. Here the keys are computed first, sorted with their indices as one concrete type, and the
//! elements moved along the cycles of the permutation. Not for hot paths: it allocates.

/// Sorts by an integer key; stable.
pub(crate) fn sort_by_key<T>(items: &mut [T], mut key: impl FnMut(&T) -> i64) {
    let keys = items.iter().map(&mut key);
    let mut order: Vec<(i64, u32)> = keys.zip(0..).collect();
    sort(&mut order);
    // Place `at` receives the element that is now at `order[at].1`.
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let from = order[at].1 as usize;
            order[at].1 = at as u32;
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Sorts by a number, the largest first; stable.
pub(crate) fn sort_descending<T>(items: &mut [T], mut number: impl FnMut(&T) -> f64) {
    sort_by_key(items, |item| !total_order(number(item)));
}

/// Sorts moves by their weights, the largest first; stable.
#[inline(never)]
pub(crate) fn sort_by_weight(moves: &mut [(u32, f64)]) {
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
}

#[inline(never)]
fn sort(order: &mut [(i64, u32)]) {
    order.sort_unstable();
}

/// An integer with the order of `f64::total_cmp`.
fn total_order(number: f64) -> i64 {
    let bits = number.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::{sort_by_key, sort_descending};
    use tesuji_core::{Rng, Seed};

    #[test]
    fn as_the_standard_library_sorts() {
        let mut rng = Rng::new(Seed(1));
        for length in (0..60).chain([500]) {
            for _ in 0..20 {
                let items: Vec<(i64, u32)> = (0..length).map(|number| (i64::from(rng.below(9)) - 4, number)).collect();
                let (mut ours, mut theirs) = (items.clone(), items);
                sort_by_key(&mut ours, |item| item.0);
                theirs.sort_by_key(|item| item.0);
                assert_eq!(ours, theirs);
            }
        }
    }

    #[test]
    fn numbers_in_their_total_order() {
        let numbers = [0.5, -0.0, 0.0, f64::INFINITY, -1.0, f64::NEG_INFINITY, 0.5, 1e-300, -1e300, f64::NAN];
        let (mut ours, mut theirs) = (numbers, numbers);
        sort_descending(&mut ours, |number| *number);
        theirs.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(ours.map(f64::to_bits), theirs.map(f64::to_bits));
    }
}
