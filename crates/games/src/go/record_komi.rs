//! The komi of a record, as servers write it.
//!
//! The specification has points, `KM[7.5]`. Chinese servers count stones, which are worth two
//! points, and Fox (野狐) writes hundredths:
//!
//! | in the file | means | points |
//! |---|---|---|
//! | `KM[3.75]`, quarters | stones | 7.5 |
//! | `KM[375]` | hundredths of a stone | 7.5 |
//! | `KM[350]` | hundredths of a stone, not with Japanese or Korean rules | 7 |
//! | `KM[650]`, `KM[750]` | hundredths of a point | 6.5, 7.5 |
//! | `KM[50]` in a file of Fox | hundredths of a point | 0.5 |
//! | `KM[6,5]` | points | 6.5 |
//! | `KM[]` | nothing is said | |
//!
//! Whole numbers are hundredths in files of Fox and of gokifu.com (`AP`), and elsewhere if they
//! exceed the points of the board, up to 1,000.
//!
//! References: records of Fox quoted in online-go/goban #205 and wimi321/lizzieyzy-next #262; the
//! same values in lightvector/KataGo #1118.

use super::record::RecordError;
use super::rules::Komi;
use tesuji_sgf::Node;

/// The programs that write hundredths, by their names in `AP`.
const HUNDREDTHS: [&str; 2] = ["foxwq", "SGFC:2.0"];

/// The komi that the root of a record on a board of this number of points names, if any.
pub(super) fn komi_of(root: Node<'_>, points: usize) -> Result<Option<Komi>, RecordError> {
    let Some(value) = root.value("KM") else { return Ok(None) };
    let text = value.simple_text();
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let written = match text.replace(',', ".").parse::<f64>() {
        Ok(number) if number.is_finite() && !text.contains(['e', 'E']) => number,
        // The error states where and what.
        _ => root.komi()?.unwrap_or_default(),
    };
    let known = root.values("AP").any(|program| HUNDREDTHS.iter().any(|name| program.raw().contains(name)));
    let least = if known { 50.0 } else { points as f64 + 1.0 };
    let is_hundredths = written.fract() == 0.0 && (least..=1000.0).contains(&written.abs());
    let komi = if is_hundredths { written / 100.0 } else { written };
    let is_quarters = (komi * 2.0).fract() != 0.0 && (komi * 4.0).fract() == 0.0;
    let names_points = root.rules().is_some_and(|rules| {
        let rules = rules.to_ascii_lowercase();
        rules.contains("japan") || rules.contains("korea")
    });
    let is_stones = is_quarters || is_hundredths && !names_points && (2.5..=4.0).contains(&komi.abs());
    let komi = if is_stones { komi * 2.0 } else { komi };
    if (komi * 2.0).fract() != 0.0 || komi.abs() > 10_000.0 {
        return Err(RecordError::Game(format!("a komi of {written}; expected whole or half points")));
    }
    Ok(Some(Komi((komi * 2.0) as i32)))
}

#[cfg(test)]
mod tests {
    use super::komi_of;
    use tesuji_sgf::Collection;

    /// In half points, as read from a root with these properties.
    fn halves(root: &str, size: usize) -> Option<i32> {
        let record = Collection::parse(format!("(;GM[1]{root})").as_bytes()).expect("SGF");
        komi_of(record.node(record.roots()[0]), size * size).expect("a komi").map(|komi| komi.0)
    }

    #[test]
    fn the_komi_of_servers() {
        let fox = "HA[0]RU[Chinese]AP[GNU Go:3.8]AP[foxwq]";
        for (root, expected) in [
            ("KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]AP[foxwq]", 15),
            ("KM[375]", 15),
            ("KM[325]AP[foxwq]", 13),
            ("KM[275]AP[foxwq]", 11),
            ("KM[350]RU[Chinese]AP[foxwq]", 14),
            ("KM[350]RU[Japanese]AP[foxwq]", 7),
            ("KM[650]RU[Japanese]AP[foxwq]", 13),
            ("KM[650]", 13),
            ("KM[750]AP[SGFC:2.0]", 15),
            ("KM[50]HA[2]RU[Japanese]AP[foxwq]", 1),
            ("KM[3.75]", 15),
            ("KM[-3.25]", -13),
            ("KM[6,5]", 13),
            ("KM[6.500000]", 13),
            ("KM[ 7 ]", 14),
            ("KM[0]", 0),
            ("KM[-50]", -100),
            // Komi that could be meant stays.
            ("KM[350]", 700),
            ("KM[50]", 100),
            ("KM[3.5]", 7),
            ("KM[5000]", 10_000),
        ] {
            assert_eq!(halves(root, 19), Some(expected), "{root}");
        }
        assert_eq!(halves(&format!("KM[]{fox}"), 19), None);
        assert_eq!(halves("", 9), None);
        assert_eq!(halves("KM[650]", 9), Some(13));
    }

    #[test]
    fn what_is_no_komi_is_refused() {
        for wrong in ["KM[6.3]", "KM[half]", "KM[inf]", "KM[NaN]", "KM[1e1]", "KM[20001]"] {
            let record = Collection::parse(format!("(;{wrong})").as_bytes()).expect("SGF");
            assert!(komi_of(record.node(record.roots()[0]), 361).is_err(), "{wrong}");
        }
    }
}
