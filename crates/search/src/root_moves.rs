//! The table of root moves in a report, and the choice among them.

use crate::sorting::sort_by_key;
use std::cmp::Ordering;
use tesuji_core::{Bounds, Meter, Player, Position, Report, Rng, RootMove, Score, Studied, Value};

/// Orders root moves about which nothing is known: the game's preference, then a random number.
pub(crate) type TieBreakKey = (f64, u32);

/// The tie-break keys of the root moves. The order in which the game lists its moves never decides.
pub(crate) fn tie_break_keys<P: Studied>(root: &P, rng: &mut Rng) -> Vec<TieBreakKey> {
    let moves = root.moves();
    let mut weights = Vec::new();
    match root.preference() {
        Some(preference) => preference.weigh(root, &moves, &mut weights),
        None => weights.resize(moves.len(), 1.0),
    }
    weights.into_iter().map(|weight| (weight, rng.below(u32::MAX))).collect()
}

/// Compares two root moves by their keys; moves without a key are equal.
pub(crate) fn compare_keys(keys: &[TieBreakKey], one: usize, other: usize) -> Ordering {
    let key = |number: usize| keys.get(number).copied().unwrap_or_default();
    let (one, other) = (key(one), key(other));
    one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
}

/// The root move with the highest key; nothing if there are no moves.
pub(crate) fn preferred_move<P: Studied>(root: &P, rng: &mut Rng) -> Option<usize> {
    let keys = tie_break_keys(root, rng);
    (0..keys.len()).max_by(|one, other| compare_keys(&keys, *one, *other))
}

/// Clamps the bounds of every root move: no move is worth more to the mover than the position.
pub(crate) fn clamp_bounds<M>(report: &mut Report<M>) {
    let (turn, bounds) = (report.turn, report.bounds);
    for entry in &mut report.root {
        let capped = match turn {
            Player::First => Bounds::new(entry.bounds.lower(), entry.bounds.upper().min(bounds.upper())),
            Player::Second => Bounds::new(entry.bounds.lower().max(bounds.lower()), entry.bounds.upper()),
        };
        entry.bounds = capped.expect("a move is not worth more than the position");
        if let Some(score) = entry.bounds.proved() {
            entry.value = Some(Value::from(score));
        }
    }
}

/// The index of the best item, ties broken uniformly at random; nothing if there are no items.
pub(crate) fn best_index<T: PartialOrd>(items: impl IntoIterator<Item = T>, rng: &mut Rng) -> Option<usize> {
    let mut best: Option<(usize, T)> = None;
    let mut ties = 1;
    for (index, item) in items.into_iter().enumerate() {
        let replace = match &best {
            None => true,
            Some((_, kept)) if item > *kept => {
                ties = 1;
                true
            }
            Some((_, kept)) if item == *kept => {
                ties += 1;
                rng.below(ties) == 0
            }
            Some(_) => false,
        };
        if replace {
            best = Some((index, item));
        }
    }
    best.map(|(index, _)| index)
}

/// Chooses a move in a report whose root table is complete: proved wins first, proved losses last,
/// the others by value, untried moves after all tried ones. If only untried moves are left, the
/// tie-break keys decide.
pub(crate) fn choose_best<P: Studied>(report: &mut Report<P::Move>, root: &P, rng: &mut Rng) -> Option<usize> {
    let turn = report.turn;
    let worth = |entry: &RootMove<P::Move>| {
        let (sure, hoped) = entry.bounds.for_player(turn);
        let value = entry.value.map_or(-1.0, |value| value.for_player(turn));
        (sure == Score::WIN, hoped > Score::LOSS, value)
    };
    let mut chosen = best_index(report.root.iter().map(worth), rng)?;
    if report.root[chosen].value.is_none() {
        let (most, keys) = (worth(&report.root[chosen]), tie_break_keys(root, rng));
        let equals = (0..report.root.len()).filter(|number| worth(&report.root[*number]) == most);
        chosen = equals.max_by(|one, other| compare_keys(&keys, *one, *other))?;
    }
    set_choice(report, chosen);
    Some(chosen)
}

/// Writes the chosen move into a report whose root table is complete.
pub(crate) fn set_choice<M: Copy>(report: &mut Report<M>, chosen: usize) {
    let entry = &report.root[chosen];
    report.best = Some(entry.mv);
    report.line = vec![entry.mv];
    report.value = entry.value.unwrap_or(Value::UNKNOWN);
    report.bounds = Bounds::join(report.turn, report.root.iter().map(|entry| entry.bounds), true);
}

/// The report of a search under way, from the part of its root table that is filled.
pub(crate) fn interim_report<P: Studied>(
    report: &Report<P::Move>,
    root: &P,
    meter: &Meter,
    rng: &Rng,
) -> Report<P::Move> {
    let mut report = report.clone();
    choose_best(&mut report, root, &mut rng.clone());
    fill_counters(&mut report, meter);
    report
}

/// Copies the meter's counters, elapsed time and stop reason into a report.
pub(crate) fn fill_counters<M>(report: &mut Report<M>, meter: &Meter) {
    report.iterations = meter.iterations();
    report.nodes = meter.nodes();
    report.elapsed = meter.elapsed();
    report.stopped = meter.reason();
}

/// A root table of all moves, none of them tried.
pub(crate) fn untried_moves<P: Position>(root: &P) -> Vec<RootMove<P::Move>> {
    root.moves().into_iter().map(RootMove::untried).collect()
}

/// If no root move has a value, chooses by the game's preference.
pub(crate) fn choose_preferred_if_unknown<P: Studied>(root: &P, report: &mut Report<P::Move>, rng: &mut Rng) {
    if report.root.iter().all(|entry| entry.value.is_none())
        && let Some(chosen) = preferred_move(root, rng)
    {
        report.best = Some(report.root[chosen].mv);
        report.line = report.best.into_iter().collect();
    }
}

/// Sorts the root table in the game's order of moves.
pub(crate) fn sort_in_game_order<P: Position>(root: &P, report: &mut Report<P::Move>) {
    let order: std::collections::HashMap<P::Move, usize> =
        root.moves().into_iter().enumerate().map(|(number, mv)| (mv, number)).collect();
    sort_by_key(&mut report.root, |entry| order.get(&entry.mv).map_or(-1, |number| *number as i64));
}

/// "wins in 5", "loses in 4" or "draws in 9", from the mover's point of view.
pub(crate) fn describe_result(score: Score, distance: u32, mover: Player) -> String {
    let verb = match score.winner() {
        None => "draws",
        Some(winner) if winner == mover => "wins",
        Some(_) => "loses",
    };
    format!("{verb} in {distance}")
}

#[cfg(test)]
mod tests {
    use super::best_index;
    use tesuji_core::{Rng, Seed};

    #[test]
    fn ties_are_broken_fairly() {
        let mut rng = Rng::new(Seed(1));
        let mut counts = [0; 5];
        for _ in 0..30_000 {
            counts[best_index([3, 1, 3, 2, 3], &mut rng).expect("not empty")] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!(counts.iter().step_by(2).all(|n| (9_600..10_400).contains(n)), "{counts:?}");
        assert_eq!(best_index(Vec::<i32>::new(), &mut rng), None);
    }
}
