//! Choosing among moves at the root.

use tesuji_core::{Bounds, Meter, Player, Position, Report, Rng, RootMove, Score, Value};

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
/// last, and in between by value, where a move never tried comes after all that were.
pub(crate) fn decide<P: Position>(report: &mut Report<P::Move>, rng: &mut Rng) -> Option<usize> {
    let turn = report.turn;
    let worth = |entry: &RootMove<P::Move>| {
        let (sure, hoped) = entry.bounds.for_player(turn);
        let value = entry.value.map_or(-1.0, |value| value.for_player(turn));
        (sure == Score::WIN, hoped > Score::LOSS, value)
    };
    let chosen = best_of(report.root.iter().map(worth), rng)?;
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
pub(crate) fn so_far<P: Position>(report: &Report<P::Move>, meter: &Meter, rng: &Rng) -> Report<P::Move> {
    let mut report = report.clone();
    decide::<P>(&mut report, &mut rng.clone());
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
