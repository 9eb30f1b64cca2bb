//! Values of options: times, sizes and counts, with what is right if one is wrong.

use std::ops::RangeInclusive;
use std::time::Duration;

/// A time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| match number_and_unit(text) {
        Some((_, unit)) if !unit.is_empty() => {
            format!("unknown unit \"{}\": times are seconds without a unit, such as 0.5", shortened(unit))
        }
        _ => "expected a number of seconds, such as 0.5".to_string(),
    })?;
    if !(number > 0.0 && number <= 1e7) {
        return Err("expected more than 0 and at most 10,000,000 seconds".into());
    }
    Ok(Duration::from_secs_f64(number))
}

/// Units of counts.
const COUNT_UNITS: [(&str, u64); 3] = [("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];

/// A number of iterations or positions, with or without a unit.
pub fn count(text: &str) -> Result<u64, String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = (&text[..digits], &text[digits..]);
    if number.is_empty() {
        return Err("expected a whole number such as 10000, or 10k".into());
    }
    let factor = match unit {
        "" => 1,
        unit => {
            COUNT_UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, factor)| *factor).ok_or_else(
                || {
                    let unit = shortened(unit);
                    format!("unknown unit \"{unit}\"; expected a whole number such as 10000, 10k, 10M or 10G")
                },
            )?
        }
    };
    let count = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    count.ok_or_else(|| format!("expected at most {}", u64::MAX))
}

/// Iterations that can be recorded at once.
const MOST_RECORDS: u64 = 1_000;

/// A range of iterations, both ends included.
pub fn iterations(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let wrong = |_| "expected the first and the last iteration, such as 1..20".to_string();
    let (from, to) = (count(from).map_err(wrong)?, count(to.trim_start_matches('=')).map_err(wrong)?);
    match to.checked_sub(from) {
        _ if from == 0 => Err("iterations are counted from 1".into()),
        None => Err(format!("iteration {to} comes before {from}: the first one first, such as {to}..{from}")),
        Some(further) if further >= MOST_RECORDS => Err("at most 1,000 iterations at once".into()),
        Some(_) => Ok(from..=to),
    }
}

/// A number of games of a match.
pub fn match_games(text: &str) -> Result<u64, String> {
    let most = 1_000_000_000;
    let games = count(text)?;
    if (1..=most).contains(&games) { Ok(games) } else { Err("expected 1 to 1,000,000,000 games".into()) }
}

/// A distance from a value of 0 or of 0.5.
pub fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..0.5).contains(number));
    number.ok_or_else(|| "expected a number from 0 to less than 0.5".to_string())
}

/// A number of games to study.
pub fn games(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=100_000).contains(number));
    number.ok_or_else(|| "expected a whole number from 1 to 100,000".to_string())
}

/// A ridge penalty.
pub fn ridge(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1e6).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1,000,000".to_string())
}

/// A number of virtual wins and losses.
pub fn prior(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| *number > 0.0 && *number <= 1e3);
    number.ok_or_else(|| "expected a number above 0, at most 1000".to_string())
}

/// Units of bytes, as they are written for people.
const UNITS: [(&str, f64); 7] = [
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("KiB", 1024.0),
    ("MiB", 1024.0 * 1024.0),
    ("GiB", 1024.0 * 1024.0 * 1024.0),
];
/// The largest number of bytes that can be asked for.
const MOST_BYTES: f64 = 1e15;

/// A number of bytes, with or without a unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes such as 1000000, 64MB or 2GiB".to_string();
    let (number, written) = number_and_unit(text).ok_or_else(expected)?;
    let unit = match written {
        "" => 1.0,
        written => {
            let is = |unit: &str| unit.eq_ignore_ascii_case(written) || is_short(unit, written);
            let known = UNITS.iter().find(|(unit, _)| is(unit)).map(|(_, bytes)| *bytes);
            known.ok_or_else(|| {
                let units: Vec<&str> = UNITS.iter().map(|(unit, _)| *unit).collect();
                format!("unknown unit \"{}\"; the units are {}", shortened(written), units.join(", "))
            })?
        }
    };
    if number * unit < 1.0 || number * unit > MOST_BYTES {
        return Err("expected at least 1 byte and at most 1,000,000 GB".into());
    }
    Ok((number * unit) as u64)
}

/// `k`, `M` and `G` stand for `kB`, `MB` and `GB`.
fn is_short(unit: &str, written: &str) -> bool {
    unit.len() == 2 && written.len() == 1 && unit[..1].eq_ignore_ascii_case(written)
}

/// A number without sign or exponent, and what follows it.
fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

/// The beginning of a word that may be long.
fn shortened(word: &str) -> String {
    word.chars().take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, iterations, match_games, seconds};

    #[test]
    fn sizes_and_times() {
        assert_eq!(bytes("64MB"), Ok(64_000_000));
        assert_eq!(bytes("1.5GiB"), Ok(1_610_612_736));
        assert_eq!(bytes("123"), Ok(123));
        for wrong in ["", "MB", "-1", "0", "1e9", "64 PB", "1PB", "1 2", "1.2.3", "9999999999999999GB", "NaN"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!((bytes("64 MB"), bytes("2k"), bytes("1 gib")), (Ok(64_000_000), Ok(2_000), Ok(1 << 30)));
        for wrong in ["", "0", "-1", "nan", "inf", "1e99", "1s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
        assert_eq!(seconds("0.5").expect("half a second").as_millis(), 500);
    }

    #[test]
    fn ranges_of_iterations() {
        assert_eq!((iterations("5..20"), iterations("7"), iterations("1..=2")), (Ok(5..=20), Ok(7..=7), Ok(1..=2)));
        assert_eq!(iterations("1k..1100"), Ok(1_000..=1_100));
        for wrong in ["", "..", "5..", "..5", "0..3", "9..5", "1..1001", "a..b", "1...3", "-1..2", "1..2..3"] {
            assert!(iterations(wrong).is_err(), "{wrong}");
        }
        assert!(iterations("9..5").expect_err("reversed").contains("5..9"));
    }

    /// `10k` was told "invalid digit found in string".
    #[test]
    fn counts_have_units() {
        assert_eq!(
            (count("12"), count("10k"), count("3M"), count("2g")),
            (Ok(12), Ok(10_000), Ok(3_000_000), Ok(2_000_000_000))
        );
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        for unit in ["e3", "kk", ".5k", " k"] {
            let error = count(&format!("1{unit}")).expect_err("no such unit");
            assert!(error.starts_with(&format!("unknown unit \"{unit}\"; expected a whole number such as")), "{error}");
        }
        for wrong in ["", "k", "-1", "18446744073709551616", "99999999999999G"] {
            assert!(count(wrong).is_err_and(|error| error.starts_with("expected ")), "{wrong}");
        }
        assert_eq!(match_games("2k"), Ok(2_000));
        assert!(match_games("0").is_err() && match_games("2G").is_err());
    }

    #[test]
    fn an_unknown_unit_is_named_with_those_that_exist() {
        assert_eq!(
            bytes("100TB"),
            Err("unknown unit \"TB\"; the units are B, kB, MB, GB, KiB, MiB, GiB".into()),
            "100TB was only told that a number such as 64MB is expected"
        );
        assert_eq!(seconds("500ms"), Err("unknown unit \"ms\": times are seconds without a unit, such as 0.5".into()));
    }
}
