//! What a kind says about its results: tables, measures and figures, in no particular form yet.

use crate::plots::{PlotError, Svg, Width};
use crate::statistics::Interval;

/// A table for people.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The head of each column.
    pub head: Vec<String>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(title: &str, head: &[&str]) -> Table {
        Table { title: title.into(), head: head.iter().map(|cell| (*cell).into()).collect(), rows: Vec::new() }
    }
}

/// A number that can be compared with a published one.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// Its name, the same in every run.
    pub name: String,
    /// The number; nothing before there are results.
    pub value: Option<f64>,
    /// Its 95 % confidence interval, where there is one.
    pub interval: Option<[f64; 2]>,
    /// The observations behind it.
    pub trials: u64,
    /// Whether it is a share, shown in percent.
    pub share: bool,
}

impl Measure {
    /// A number without results so far.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Measure {
        Measure { name: name.into(), value: None, interval: None, trials: 0, share: false }
    }

    /// A share of trials.
    #[must_use]
    pub fn of_share(name: impl Into<String>, share: Option<Interval>, trials: u64) -> Measure {
        Measure { share: true, ..Measure::of(name, share, trials) }
    }

    /// A number with its interval.
    #[must_use]
    pub fn of(name: impl Into<String>, interval: Option<Interval>, trials: u64) -> Measure {
        let ends = interval.map(|interval| [interval.low, interval.high]);
        Measure { value: interval.map(|it| it.estimate), interval: ends, trials, ..Measure::named(name) }
    }

    /// A number, as this measure is shown.
    #[must_use]
    pub fn shown(&self, number: f64) -> String {
        if self.share { format!("{:.1} %", 100.0 * number) } else { figure(number) }
    }
}

/// A picture, drawn for wide and for narrow pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// As SVG elements.
    pub wide: String,
    /// The same for a phone.
    pub narrow: String,
    /// The wide one as a file of its own, with its style.
    pub file: String,
}

/// Everything a kind found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// Numbers that can be compared.
    pub measures: Vec<Measure>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Pictures.
    pub figures: Vec<Figure>,
    /// Sentences that a reader should see.
    pub notes: Vec<String>,
}

impl Findings {
    /// Adds a picture. One without data is left out; one that cannot be drawn is a note.
    pub fn draw(&mut self, draw: impl Fn(Width) -> Result<Svg, PlotError>) {
        match (draw(Width::Wide), draw(Width::Narrow)) {
            (Ok(wide), Ok(narrow)) => {
                self.figures.push(Figure { wide: wide.element(), narrow: narrow.element(), file: wide.file() })
            }
            (Err(PlotError::Empty(_)), _) => {}
            (Err(error), _) | (_, Err(error)) => self.notes.push(format!("A picture was not drawn: {error}.")),
        }
    }
}

/// A number for people: four significant digits, large ones with commas.
#[must_use]
pub fn figure(number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() {
        return if number > 0.0 { "∞".into() } else { "−".into() };
    }
    if number != 0.0 && size < 1e-3 {
        return format!("{number:.2e}");
    }
    if size < 1000.0 {
        let places = if size >= 100.0 || number.fract() == 0.0 {
            0
        } else if size >= 10.0 {
            1
        } else {
            3
        };
        return format!("{number:.places$}");
    }
    let digits = format!("{size:.0}");
    let mut text = String::from(if number < 0.0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An interval in percent, such as `44.0 % (30.1 to 58.6)`.
#[must_use]
pub fn percent(share: Option<Interval>) -> String {
    let written =
        |it: Interval| format!("{:.1} % ({:.1} to {:.1})", 100.0 * it.estimate, 100.0 * it.low, 100.0 * it.high);
    share.map_or_else(|| "–".into(), written)
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn figures_have_a_readable_length() {
        let shown = [0.0, 5.0, 0.12345, 12.345, 123.45, 1_234_567.8, -1500.0, 0.000_012_3, f64::INFINITY].map(figure);
        assert_eq!(shown, ["0", "5", "0.123", "12.3", "123", "1,234,568", "-1,500", "1.23e-5", "∞"]);
    }
}
