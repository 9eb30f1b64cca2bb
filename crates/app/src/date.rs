//! The date and the time of day, in UTC, for records and the names of their files.
//!
//! The days since 1970 become a date of the Gregorian calendar by the method of Howard Hinnant,
//! "chrono-Compatible Low-Level Date Algorithms" (<https://howardhinnant.github.io/date_algorithms.html>):
//! years begin in March, so that the leap day is the last day of a year of 365.2425 days.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 86_400;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: u64 = 719_468;
const DAYS_IN_400_YEARS: u64 = 146_097;

/// A time as year, month, day and the seconds since midnight.
fn civil(seconds: u64) -> ([u64; 3], u64) {
    let days = seconds / SECONDS_A_DAY + EPOCH;
    let (era, day_of_era) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months of 31 and 30 days alternate from March on, five of them in 153 days.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year_of_era, month + 3);
    let civil = if month > 12 { [year + 1, month - 12, day] } else { [year, month, day] };
    (civil, seconds % SECONDS_A_DAY)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Today, as records write it: `2026-11-16`.
#[must_use]
pub fn today() -> String {
    let ([year, month, day], _) = civil(now());
    format!("{year:04}-{month:02}-{day:02}")
}

/// Now, for the name of a file: `2026-11-16-131556`. Later names come later in the alphabet.
#[must_use]
pub fn stamp() -> String {
    let ([year, month, day], time) = civil(now());
    format!("{year:04}-{month:02}-{day:02}-{:02}{:02}{:02}", time / 3600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::{SECONDS_A_DAY, civil};

    #[test]
    fn dates_of_the_calendar() {
        for (seconds, date) in [
            (0, [1970, 1, 1]),
            (SECONDS_A_DAY - 1, [1970, 1, 1]),
            (951_782_400, [2000, 2, 29]),
            (951_868_800, [2000, 3, 1]),
            (1_704_067_199, [2023, 12, 31]),
            (1_704_067_200, [2024, 1, 1]),
            (4_107_542_400, [2100, 3, 1]),
        ] {
            assert_eq!(civil(seconds).0, date, "{seconds}");
        }
        assert_eq!(civil(951_782_400 + 61).1, 61);
    }
}
