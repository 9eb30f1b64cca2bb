//! Reading a report: its moves in order, their lines, and their values on other programs' scales.

use tesuji_core::{Player, Report, RootMove};

/// The root moves of a report, best first: the chosen one, then those with a line of their own by
/// value, then the others by visits and by value. Moves never tried are left out.
#[must_use]
pub fn ranked(report: &Report<String>) -> Vec<&RootMove<String>> {
    let mut moves: Vec<&RootMove<String>> =
        report.root.iter().filter(|entry| entry.visits > 0 || entry.value.is_some()).collect();
    let chosen = |entry: &RootMove<String>| Some(&entry.mv) == report.best.as_ref();
    let value = |entry: &RootMove<String>| entry.value.map_or(-1.0, |value| value.for_player(report.turn));
    // Visits of a move with an exact value count work, and do not rank it.
    let rank = |entry: &RootMove<String>| {
        let is_exact = !entry.line.is_empty();
        (chosen(entry), is_exact, if is_exact { 0 } else { entry.visits })
    };
    moves.sort_by(|a, b| rank(b).cmp(&rank(a)).then(value(b).total_cmp(&value(a))).then(a.mv.cmp(&b.mv)));
    moves
}

/// The expected continuation from a root move, beginning with it.
#[must_use]
pub fn line_of<'a>(report: &'a Report<String>, entry: &'a RootMove<String>) -> &'a [String] {
    if report.line.first() == Some(&entry.mv) {
        &report.line
    } else if entry.line.is_empty() {
        std::slice::from_ref(&entry.mv)
    } else {
        &entry.line
    }
}

/// The winrate of a root move for the side to move: the proved value if there is one, else the
/// estimate.
#[must_use]
pub fn winrate(entry: &RootMove<String>, turn: Player) -> f64 {
    match entry.bounds.proved() {
        Some(score) => score.for_player(turn).to_f64(),
        None => entry.value.map_or(0.5, |value| value.for_player(turn)),
    }
}

/// The lower confidence bound of a value for the side to move: the value itself if it is proved,
/// and never more than the value.
#[must_use]
pub fn lower_bound(entry: &RootMove<String>, value: f64) -> f64 {
    let lower = entry.confidence.filter(|_| entry.bounds.proved().is_none()).map_or(value, |(lower, _)| lower);
    lower.clamp(0.0, 1.0).min(value)
}

/// A winrate in centipawns on the logistic scale of Elo: 0.5 is 0, 0.75 about 191.
#[must_use]
pub fn centipawns(winrate: f64) -> i32 {
    let bounded = winrate.clamp(1e-4, 1.0 - 1e-4);
    (400.0 * (bounded / (1.0 - bounded)).log10()).round() as i32
}

#[cfg(test)]
mod tests {
    use super::{line_of, lower_bound, ranked, winrate};
    use tesuji_core::{Bounds, Player, Report, RootMove, Score, Value};

    /// Moves with lines of their own come first, by value, however much work the others took.
    #[test]
    fn exact_moves_come_before_the_others() {
        let entry = |mv: &str, visits, value, line: &[&str]| RootMove {
            visits,
            value: Some(Value::new(value)),
            line: line.iter().map(|mv| (*mv).to_string()).collect(),
            ..RootMove::untried(mv.to_string())
        };
        let mut report = Report::empty(Player::First);
        report.root = vec![
            entry("a", 900, 0.2, &[]),
            entry("b", 50, 0.4, &["b", "x"]),
            entry("c", 10, 0.5, &["c", "y"]),
            entry("d", 70, 0.6, &["d", "z"]),
            entry("e", 950, 0.1, &[]),
        ];
        (report.best, report.line) = (Some("d".into()), vec!["d".into(), "z".into(), "w".into()]);
        let lines: Vec<String> = ranked(&report).into_iter().map(|entry| line_of(&report, entry).join(" ")).collect();
        assert_eq!(lines, ["d z w", "c y", "b x", "e", "a"]);
    }

    /// A confidence bound from before a proof does not exceed the proved value.
    #[test]
    fn a_lower_bound_is_at_most_the_value() {
        let mut entry = RootMove { confidence: Some((0.4, 0.6)), ..RootMove::untried("A1".to_string()) };
        entry.value = Some(Value::new(0.5));
        assert_eq!(lower_bound(&entry, winrate(&entry, Player::First)), 0.4);
        entry.confidence = Some((-0.3, 0.6));
        assert_eq!(lower_bound(&entry, winrate(&entry, Player::First)), 0.0);
        for score in [Score::LOSS, Score::DRAW, Score::WIN] {
            entry.confidence = Some((0.7, 0.9));
            entry.bounds = Bounds::exact(score);
            let value = winrate(&entry, Player::First);
            assert_eq!((value, lower_bound(&entry, value)), (score.to_f64(), score.to_f64()));
        }
    }
}
