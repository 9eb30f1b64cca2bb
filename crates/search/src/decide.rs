//! Choosing among moves at the root.

use std::cmp::Ordering;
use tesuji_core::{Bounds, Meter, Player, Position, Report, Rng, RootMove, Score, Studied, Value};

/// How much a move is favoured by a search that knows nothing of it: the game's preference, then a draw by the generator.
pub(crate) type Favour = (f64, u32);

/// What decides between moves of the root of which nothing is known, or the same: the game's preference if it has one, and the
/// generator. Never the order in which the game lists them.
pub(crate) fn favour<P: Studied>(root: &P, rng: &mut Rng) -> Vec<Favour> {
    let moves = root.moves();
    let mut weights = Vec::new();
    match root.preference() {
        Some(preference) => preference.weigh(root, &moves, &mut weights),
        None => weights.resize(moves.len(), 1.0),
    }
    weights.into_iter().map(|weight| (weight, rng.below(u32::MAX))).collect()
}

/// How two moves of the root compare by favour; equal where nothing was asked.
pub(crate) fn compare(favour: &[Favour], one: usize, other: usize) -> Ordering {
    let key = |number: usize| favour.get(number).copied().unwrap_or_default();
    let (one, other) = (key(one), key(other));
    one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
}

/// The favoured one among all moves of the root; nothing if there are none.
pub(crate) fn favoured<P: Studied>(root: &P, rng: &mut Rng) -> Option<usize> {
    let favour = favour(root, rng);
    (0..favour.len()).max_by(|one, other| compare(&favour, *one, *other))
}

/// No move is worth more to the mover than the position is.
pub(crate) fn cap_moves<M>(report: &mut Report<M>) {
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

/// The index of the best item; ties are broken by the generator, each with the same chance.
/// Nothing if there are no items.
pub(crate) fn best_of<T: PartialOrd>(items: impl IntoIterator<Item = T>, rng: &mut Rng) -> Option<usize> {
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

/// Fills the decision into a report whose root table is complete: proved wins first, proved losses
/// last, and in between by value, where a move never tried comes after all that were. If only such moves are left, the game's
/// preference among all decides, and then the generator.
pub(crate) fn decide<P: Studied>(report: &mut Report<P::Move>, root: &P, rng: &mut Rng) -> Option<usize> {
    let turn = report.turn;
    let worth = |entry: &RootMove<P::Move>| {
        let (sure, hoped) = entry.bounds.for_player(turn);
        let value = entry.value.map_or(-1.0, |value| value.for_player(turn));
        (sure == Score::WIN, hoped > Score::LOSS, value)
    };
    let mut chosen = best_of(report.root.iter().map(worth), rng)?;
    if report.root[chosen].value.is_none() {
        let (most, favour) = (worth(&report.root[chosen]), favour(root, rng));
        let equals = (0..report.root.len()).filter(|number| worth(&report.root[*number]) == most);
        chosen = equals.max_by(|one, other| compare(&favour, *one, *other))?;
    }
    choose(report, chosen);
    Some(chosen)
}

/// Fills a decision into a report whose root table is complete.
pub(crate) fn choose<M: Copy>(report: &mut Report<M>, chosen: usize) {
    let entry = &report.root[chosen];
    report.best = Some(entry.mv);
    report.line = vec![entry.mv];
    report.value = entry.value.unwrap_or(Value::UNKNOWN);
    report.bounds = Bounds::join(report.turn, report.root.iter().map(|entry| entry.bounds), true);
}

/// The answer a search would give now, from the part of its root table that is filled.
pub(crate) fn so_far<P: Studied>(report: &Report<P::Move>, root: &P, meter: &Meter, rng: &Rng) -> Report<P::Move> {
    let mut report = report.clone();
    decide(&mut report, root, &mut rng.clone());
    close(&mut report, meter);
    report
}

/// Fills in what the meter counted.
pub(crate) fn close<M>(report: &mut Report<M>, meter: &Meter) {
    report.iterations = meter.iterations();
    report.nodes = meter.nodes();
    report.elapsed = meter.elapsed();
    report.stopped = meter.reason();
}

/// An untouched root table: every move, nothing known.
pub(crate) fn open_root<P: Position>(root: &P) -> Vec<RootMove<P::Move>> {
    root.moves().into_iter().map(RootMove::untried).collect()
}

/// "wins in 5", "loses in 4", "draws in 9", as the mover sees it.
pub(crate) fn in_words(score: Score, distance: u32, mover: Player) -> String {
    let verb = match score.winner() {
        None => "draws",
        Some(winner) if winner == mover => "wins",
        Some(_) => "loses",
    };
    format!("{verb} in {distance}")
}

#[cfg(test)]
mod tests {
    use super::best_of;
    use tesuji_core::{Rng, Seed};

    #[test]
    fn ties_are_broken_fairly() {
        let mut rng = Rng::new(Seed(1));
        let mut counts = [0; 5];
        for _ in 0..30_000 {
            counts[best_of([3, 1, 3, 2, 3], &mut rng).expect("not empty")] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!(counts.iter().step_by(2).all(|n| (9_600..10_400).contains(n)), "{counts:?}");
        assert_eq!(best_of(Vec::<i32>::new(), &mut rng), None);
    }
}
