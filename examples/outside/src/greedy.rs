//! Wins at once if it can.

use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Bounds, Budget, Observer, Position, Report, RootMove, Score, Seed};
use tesuji_search::{Search, SearchError, Technique};

/// Plays an immediate win if there is one, else the first legal move.
pub struct Greedy;

impl<P: Position> Search<P> for Greedy {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        _: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let mut report = Report::empty(root.turn());
        let mut meter = budget.meter();
        for mv in root.moves() {
            let mut bounds = Bounds::UNKNOWN;
            if meter.step() {
                let mut next = root.clone();
                next.play(mv);
                bounds = next.outcome().map_or(Bounds::UNKNOWN, |outcome| Bounds::exact(outcome.score));
            }
            report.root.push(RootMove { visits: 1, bounds, ..RootMove::untried(mv) });
        }
        let wins = |entry: &&RootMove<P::Move>| entry.bounds.for_player(root.turn()).0 == Score::WIN;
        let best = report.root.iter().find(wins).or(report.root.first()).ok_or(SearchError::Ended)?.mv;
        report.best = Some(best);
        report.line = vec![best];
        report.nodes = meter.nodes();
        report.elapsed = meter.elapsed();
        Ok(report)
    }
}

impl Describe for Greedy {
    const DESCRIPTION: Description =
        Description { name: "greedy", about: "plays an immediate win if there is one", parameters: &[] };
}

impl Technique for Greedy {
    fn configure(_: &Arguments) -> Result<Greedy, ArgumentError> {
        Ok(Greedy)
    }
}
