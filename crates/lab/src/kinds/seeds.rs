//! Repetitions of one search with different seeds.

use crate::plan::Problem;
use tesuji_core::Seed;
use toml::Spanned;

/// Most repetitions.
const MOST: u32 = 1_000_000;

/// The seeds of the repetitions: derived from the seed of the experiment, or listed, not both.
///
/// # Errors
/// If both are given, a seed is listed twice, or there is none.
pub fn seeds(
    base: u64,
    repeats: Option<&Spanned<u32>>,
    listed: Option<&Spanned<Vec<u64>>>,
) -> Result<Vec<u64>, Problem> {
    match (repeats, listed) {
        (Some(repeats), Some(listed)) => {
            let (count, of) = (repeats.get_ref(), listed.get_ref().len());
            Err(Problem::at(
                listed,
                format!("contradictory seeds: repeats = {count} and a list of {of}; keep one of the two"),
            ))
        }
        (None, None) => Ok(vec![Seed(base).derive(0).0]),
        (Some(repeats), None) => {
            let count = *repeats.get_ref();
            if count == 0 || count > MOST {
                return Err(Problem::at(repeats, format!("repeats must be from 1 to {MOST}")));
            }
            Ok((0..u64::from(count)).map(|number| Seed(base).derive(number).0).collect())
        }
        (None, Some(listed)) => {
            let mut sorted = listed.get_ref().clone();
            sorted.sort_unstable();
            match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(pair) => Err(Problem::at(listed, format!("contradictory seeds: {} is listed twice", pair[0]))),
                None if sorted.is_empty() => Err(Problem::at(listed, "at least one seed is needed")),
                None => Ok(listed.get_ref().clone()),
            }
        }
    }
}
