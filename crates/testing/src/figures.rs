//! What a benchmark measured, beside what the committed result says.
//!
//! A target in `benches/` adds its figures and calls [`Figures::finish`], which prints them next to
//! those of `bench/NAME.tsv` with the change in per cent. `cargo bench -p CRATE --bench NAME --
//! --save` replaces that file; it is committed together with the change that explains it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

/// The unit of a figure, which says what may differ from machine to machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Nodes, iterations, problems: the same on every machine with one thread.
    Count,
    /// Seconds of processor time.
    Seconds,
    /// Milliseconds that passed.
    Milliseconds,
}

impl Unit {
    fn text(self) -> &'static str {
        match self {
            Unit::Count => "count",
            Unit::Seconds => "s",
            Unit::Milliseconds => "ms",
        }
    }
}

/// The figures of one benchmark.
#[derive(Clone, Debug)]
pub struct Figures {
    name: &'static str,
    rows: Vec<(String, f64, Unit)>,
}

impl Figures {
    /// No figures yet; the name is that of the file in `bench/`.
    #[must_use]
    pub fn new(name: &'static str) -> Figures {
        Figures { name, rows: Vec::new() }
    }

    /// Adds a figure.
    pub fn add(&mut self, row: impl Into<String>, value: f64, unit: Unit) {
        self.rows.push((row.into(), value, unit));
    }

    /// Adds the median, the 95th percentile and the maximum of several measurements.
    pub fn spread(&mut self, row: &str, mut values: Vec<f64>, unit: Unit) {
        values.sort_unstable_by(f64::total_cmp);
        let Some(last) = values.len().checked_sub(1) else { return };
        for (part, per_cent) in [("median", 50), ("95 %", 95), ("maximum", 100)] {
            self.add(format!("{row}: {part}"), values[last * per_cent / 100], unit);
        }
    }

    fn path(&self) -> PathBuf {
        PathBuf::from(format!("{}/../../bench/{}.tsv", env!("CARGO_MANIFEST_DIR"), self.name))
    }

    fn committed(&self) -> Vec<(String, f64)> {
        let text = std::fs::read_to_string(self.path()).unwrap_or_default();
        let row = |line: &str| {
            let mut cells = line.split('\t');
            Some((cells.next()?.to_string(), cells.next()?.parse().ok()?))
        };
        text.lines().filter_map(row).collect()
    }

    /// The figures as lines, with those of the committed result.
    fn table(&self, committed: &[(String, f64)]) -> String {
        let wide = self.rows.iter().map(|(row, ..)| row.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for (row, value, unit) in &self.rows {
            let _ = write!(text, "{row:wide$}  {value:>14.3} {:<5}", unit.text());
            if let Some((_, before)) = committed.iter().find(|(name, _)| name == row) {
                let change = if *before == 0.0 { 0.0 } else { 100.0 * (value - before) / before };
                let _ = write!(text, "  committed {before:>14.3}  {change:+.1} %");
            }
            text.push('\n');
        }
        text
    }

    /// Prints the figures beside the committed ones; with `--save` among the arguments, replaces
    /// those.
    ///
    /// # Panics
    ///
    /// If they cannot be written.
    pub fn finish(&self) {
        let _ = write!(std::io::stdout(), "{}", self.table(&self.committed()));
        if std::env::args().any(|argument| argument == "--save") {
            let line = |(row, value, unit): &(String, f64, Unit)| format!("{row}\t{value}\t{}\n", unit.text());
            let text: String = self.rows.iter().map(line).collect();
            std::fs::write(self.path(), text).expect("bench/ can be written");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, Unit};

    #[test]
    fn figures_stand_beside_those_committed() {
        let mut figures = Figures::new("none");
        figures.add("nodes", 110.0, Unit::Count);
        figures.spread("stop", vec![3.0, 1.0, 2.0], Unit::Milliseconds);
        let text = figures.table(&[("nodes".into(), 100.0)]);
        assert!(text.lines().next().is_some_and(|line| line.ends_with("+10.0 %")), "{text}");
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.contains("stop: median") && text.contains(" 2.000 ms"), "{text}");
    }
}
