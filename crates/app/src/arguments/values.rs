//! Values of options: times, sizes and counts, with what is right if one is wrong.

use std::time::Duration;

/// A time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    if !(number > 0.0 && number <= 1e7) {
        return Err("expected more than 0 and at most 10,000,000 seconds".into());
    }
    Ok(Duration::from_secs_f64(number))
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

/// A number of bytes, with or without a unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes such as 1000000, 64MB or 2GiB".to_string();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| expected())?;
    let unit = match text[end..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(expected()),
    };
    if number * unit < 1.0 || number * unit > 1e15 {
        return Err(expected());
    }
    Ok((number * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::{bytes, seconds};

    #[test]
    fn sizes_and_times() {
        assert_eq!(bytes("64MB"), Ok(64_000_000));
        assert_eq!(bytes("1.5GiB"), Ok(1_610_612_736));
        assert_eq!(bytes("123"), Ok(123));
        for wrong in ["", "MB", "-1", "0", "1e9", "64 MB", "1PB", "9999999999999999GB", "NaN"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "0", "-1", "nan", "inf", "1e99", "1s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
        assert_eq!(seconds("0.5").expect("half a second").as_millis(), 500);
    }
}
