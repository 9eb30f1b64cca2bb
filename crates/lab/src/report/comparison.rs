//! A published number beside ours, and what follows in words.
//!
//! Two numbers *agree* if their intervals overlap: ours at 95 %, and the published one's (its own
//! range, or Wilson's interval of its trials; else the number alone). Agreement of wide intervals says
//! little, so the numbers of trials are always shown. There is no tolerance of our own: a number
//! without an interval beside one without a range is left open.

use super::Measure;
use crate::plan::Published;
use crate::statistics::{Confidence, wilson};

/// What a comparison says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The intervals overlap.
    Agrees,
    /// Ours is above the published one.
    Higher,
    /// Ours is below the published one.
    Lower,
    /// There are no results, or neither number has an interval or a range.
    Open,
    /// Ours measures something else.
    NotComparable,
}

impl Verdict {
    /// In words.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Verdict::Agrees => "reproduced",
            Verdict::Higher => "differs: ours is higher",
            Verdict::Lower => "differs: ours is lower",
            Verdict::Open => "open",
            Verdict::NotComparable => "not comparable",
        }
    }
}

/// A published number beside ours.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Ours.
    pub ours: Measure,
    /// The published number.
    pub value: Option<f64>,
    /// Its range or interval.
    pub range: Option<[f64; 2]>,
    /// The trials behind it.
    pub trials: Option<u64>,
    /// Where it stands.
    pub place: Option<String>,
    /// What follows.
    pub verdict: Verdict,
}

impl Comparison {
    /// Compares.
    #[must_use]
    pub fn new(published: &Published, ours: Measure) -> Comparison {
        let value = published.value;
        let by_trials = || {
            let value = value.filter(|value| ours.share && (0.0..=1.0).contains(value))?;
            let trials = published.trials?;
            let successes = (value * trials as f64).round() as u64;
            let interval = wilson::of_successes(successes, trials, Confidence::P95)?;
            Some([interval.low, interval.high])
        };
        let range = published.range.or_else(by_trials);
        let [low, high] = range.or(value.map(|value| [value, value])).unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let verdict = match (ours.value, ours.interval) {
            _ if !published.comparable => Verdict::NotComparable,
            (None, _) => Verdict::Open,
            (_, Some([_, own_high])) if own_high < low => Verdict::Lower,
            (_, Some([own_low, _])) if own_low > high => Verdict::Higher,
            (_, Some(_)) => Verdict::Agrees,
            (Some(own), None) if (low..=high).contains(&own) => Verdict::Agrees,
            (Some(own), None) if range.is_some() => {
                if own < low {
                    Verdict::Lower
                } else {
                    Verdict::Higher
                }
            }
            (Some(_), None) => Verdict::Open,
        };
        let (trials, place) = (published.trials, published.place.clone());
        Comparison { ours, value, range, trials, place, verdict }
    }

    /// The cells of a row: measure, published, ours, verdict.
    #[must_use]
    pub fn row(&self) -> Vec<String> {
        let shown = |number: f64| self.ours.shown(number);
        let with_range = |value: Option<f64>, range: Option<[f64; 2]>, trials: Option<u64>| {
            let ends = |[low, high]: [f64; 2]| format!("{} to {}", shown(low), shown(high));
            let text = match (value, range) {
                (Some(value), Some(range)) => format!("{} ({})", shown(value), ends(range)),
                (Some(value), None) => shown(value),
                (None, range) => range.map_or_else(String::new, ends),
            };
            let trials = trials.map_or(String::new(), |trials| format!(", n = {trials}"));
            format!("{text}{trials}")
        };
        let ours = self.ours.value.map(|value| with_range(Some(value), self.ours.interval, Some(self.ours.trials)));
        let place = self.place.as_ref().map_or(String::new(), |place| format!(" [{place}]"));
        vec![
            self.ours.name.clone(),
            with_range(self.value, self.range, self.trials) + &place,
            ours.unwrap_or_else(|| "–".into()),
            self.verdict.in_words().into(),
        ]
    }

    /// The head of [`row`](Comparison::row).
    pub const HEAD: [&str; 4] = ["measure", "published", "ours (95 %)", "verdict"];
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Verdict};
    use crate::plan::Published;
    use crate::report::Measure;
    use crate::statistics::{Confidence, wilson};
    use toml::Spanned;

    fn verdict(value: f64, trials: Option<u64>, ours: (u64, u64)) -> Verdict {
        let published = Published {
            measure: Spanned::new(0..0, "m".into()),
            value: Some(value),
            range: None,
            trials,
            place: None,
            comparable: true,
        };
        let share = wilson::of_successes(ours.0, ours.1, Confidence::P95);
        Comparison::new(&published, Measure::of_share("m", share, ours.1)).verdict
    }

    /// 98 % of 50 games is 89.5 to 99.6 %; 90 of 100 is 82.6 to 94.5 %.
    #[test]
    fn intervals_decide() {
        assert_eq!(verdict(0.98, Some(50), (90, 100)), Verdict::Agrees);
        assert_eq!(verdict(0.98, None, (90, 100)), Verdict::Lower);
        assert_eq!(verdict(0.98, Some(50), (70, 100)), Verdict::Lower);
        assert_eq!(verdict(0.5, Some(50), (90, 100)), Verdict::Higher);
        assert_eq!(verdict(0.5, Some(50), (0, 0)), Verdict::Open);
    }

    /// A range without a number is enough; other positions give no verdict, however near the numbers.
    #[test]
    fn only_like_is_compared_with_like() {
        let ours = Measure { value: Some(1500.0), trials: 3, ..Measure::named("m") };
        let named = || Spanned::new(0..0, "m".into());
        let range = Some([1000.0, 2400.0]);
        let published = |value, range, comparable| Published {
            measure: named(),
            value,
            range,
            trials: None,
            place: None,
            comparable,
        };
        let verdict = |published: Published| Comparison::new(&published, ours.clone()).verdict;
        assert_eq!(verdict(published(None, range, true)), Verdict::Agrees);
        assert_eq!(verdict(published(None, Some([1600.0, 2400.0]), true)), Verdict::Lower);
        assert_eq!(verdict(published(Some(1501.0), None, true)), Verdict::Open, "no tolerance of our own");
        assert_eq!(verdict(published(Some(1500.0), range, false)), Verdict::NotComparable);
    }
}
