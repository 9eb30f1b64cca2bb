//! Tables that a game computes from its strengths for a temperature, kept for the next playout.

use std::sync::{Arc, Mutex, PoisonError};

/// The tables of the last few temperatures; computing them takes some milliseconds.
#[derive(Debug, Default)]
pub struct ByTemperature<T>(Mutex<Vec<(u64, Arc<T>)>>);

impl<T> ByTemperature<T> {
    /// As many as a comparison of recipes has temperatures.
    const MOST: usize = 8;

    /// Nothing is computed yet.
    #[must_use]
    pub const fn new() -> ByTemperature<T> {
        ByTemperature(Mutex::new(Vec::new()))
    }

    /// The tables of a temperature, from `compute` if they are not kept.
    pub fn of(&self, temperature: f64, compute: impl FnOnce() -> T) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bits = temperature.to_bits();
        if let Some((_, tables)) = known.iter().find(|(other, _)| *other == bits) {
            return tables.clone();
        }
        if known.len() == Self::MOST {
            known.remove(0);
        }
        let tables = Arc::new(compute());
        known.push((bits, tables.clone()));
        tables
    }
}

#[cfg(test)]
mod tests {
    use super::ByTemperature;

    #[test]
    fn the_last_few_are_kept() {
        let kept = ByTemperature::new();
        assert_eq!(*kept.of(1.0, || 1), 1);
        assert_eq!(*kept.of(1.0, || 2), 1, "computed once");
        for other in 0..ByTemperature::<i32>::MOST {
            assert_eq!(*kept.of(2.0 + other as f64, || 3), 3);
        }
        assert_eq!(*kept.of(1.0, || 4), 4, "the oldest made room");
    }
}
