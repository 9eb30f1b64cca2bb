//! Axes: what is measured, on which scale, and where the ticks are.
//!
//! Ticks are multiples of 1, 2 or 5 times a power of ten; on a logarithmic axis they are powers of
//! ten, and over less than two decades 1, 2 and 5 times them.

use super::PlotError;

/// How numbers become lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// Equal differences are equal lengths.
    #[default]
    Linear,
    /// Equal ratios are equal lengths.
    Logarithmic,
}

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What is measured.
    pub title: String,
    /// The unit; empty for numbers without one.
    pub unit: String,
    /// How numbers become lengths.
    pub scale: Scale,
    /// The numbers at both ends; else those of the data.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// A linear axis over the range of the data.
    #[must_use]
    pub fn new(title: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { title: title.into(), unit: unit.into(), scale: Scale::Linear, range: None }
    }

    /// The same on a logarithmic scale.
    #[must_use]
    pub fn logarithmic(self) -> Axis {
        Axis { scale: Scale::Logarithmic, ..self }
    }

    /// The same with these ends.
    #[must_use]
    pub fn between(self, low: f64, high: f64) -> Axis {
        Axis { range: Some([low, high]), ..self }
    }

    /// The title with its unit.
    pub(super) fn label(&self) -> String {
        if self.unit.is_empty() { self.title.clone() } else { format!("{} ({})", self.title, self.unit) }
    }

    /// Checks that a number can be shown.
    pub(super) fn check(&self, what: &str, place: usize, number: f64) -> Result<(), PlotError> {
        let wrong = |expected| {
            Err(PlotError::Number { what: what.into(), place: place + 1, number: number.to_string(), expected })
        };
        match self.scale {
            _ if !number.is_finite() => wrong("a finite number"),
            Scale::Logarithmic if number <= 0.0 => wrong("a positive number, for a logarithmic axis,"),
            _ => Ok(()),
        }
    }

    /// The span that shows these numbers, all checked; `rounded` extends it to the next ticks.
    pub(super) fn span(&self, numbers: impl Iterator<Item = f64>, rounded: bool) -> Result<Span, PlotError> {
        if let Some([low, high]) = self.range {
            let positive = self.scale == Scale::Linear || low > 0.0;
            let sound = low.is_finite() && high.is_finite() && low < high && positive;
            return if sound {
                Ok(Span { scale: self.scale, low, high })
            } else {
                Err(PlotError::Range(self.title.clone()))
            };
        }
        let (low, high) =
            numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
        if low > high {
            return Err(PlotError::Empty(format!("the axis “{}”", self.title)));
        }
        let (low, high) = match self.scale {
            _ if low < high => (low, high),
            Scale::Linear => (low - 0.5_f64.max(low.abs() * 0.1), high + 0.5_f64.max(high.abs() * 0.1)),
            Scale::Logarithmic => (low / 2.0, high * 2.0),
        };
        let span = Span { scale: self.scale, low, high };
        Ok(if rounded { span.rounded() } else { span })
    }
}

/// The numbers that an axis shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Span {
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
}

impl Span {
    /// The place of a number, from 0 at the low end to 1 at the high end; numbers beyond lie at the
    /// ends.
    pub fn place(&self, number: f64) -> f64 {
        let along = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(f64::MIN_POSITIVE).log10(),
        };
        let (low, high) = (along(self.low), along(self.high));
        // Halves, because the difference of two finite numbers may be infinite.
        let place = (along(number) / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        if place.is_nan() { 0.5 } else { place.clamp(0.0, 1.0) }
    }

    /// Extends both ends to the next ticks.
    fn rounded(self) -> Span {
        match self.scale {
            Scale::Linear => {
                let step = step(self.high / 5.0 - self.low / 5.0);
                let (low, high) = ((self.low / step).floor() * step, (self.high / step).ceil() * step);
                if low.is_finite() && high.is_finite() {
                    // Numbers that vanish beside the step would round to the wrong side.
                    Span { low: low.min(self.low), high: high.max(self.high), ..self }
                } else {
                    self
                }
            }
            Scale::Logarithmic => {
                let below = grid(self.low, self.high).into_iter().rfind(|tick| *tick <= self.low * (1.0 + 1e-9));
                let above = grid(self.low, self.high).into_iter().find(|tick| *tick >= self.high * (1.0 - 1e-9));
                // A tick within the tolerance may lie just inside the data.
                let (low, high) = (below.unwrap_or(self.low), above.unwrap_or(self.high));
                Span { low: low.min(self.low), high: high.max(self.high), ..self }
            }
        }
    }

    /// At most this number of ticks (but two on a linear axis), with their labels.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => {
                let step = step(self.high / most.max(2) as f64 - self.low / most.max(2) as f64);
                let first = (self.low / step - 1e-9).ceil();
                let inside = |number: &f64| *number <= self.high + step * 1e-9;
                let numbers = (0..50).map(|place| (first + f64::from(place)) * step + 0.0).take_while(inside);
                numbers.map(|number| (number, label(number, step))).collect()
            }
            Scale::Logarithmic => {
                let inside = |tick: &f64| *tick >= self.low * (1.0 - 1e-9) && *tick <= self.high * (1.0 + 1e-9);
                let ticks: Vec<f64> = grid(self.low, self.high).into_iter().filter(inside).collect();
                let every = ticks.len().div_ceil(most.max(1)).max(1);
                ticks.into_iter().step_by(every).map(|tick| (tick, label(tick, tick))).collect()
            }
        }
    }
}

/// The ticks of a logarithmic axis around a range.
fn grid(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32 - 1, high.log10().ceil() as i32 + 1);
    let fine = high / low < 100.0;
    let factors: &[f64] = if fine { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let power = |exponent: i32| if exponent < 0 { 1.0 / 10_f64.powi(-exponent) } else { 10_f64.powi(exponent) };
    let ticks = (first..=last).flat_map(|exponent| factors.iter().map(move |factor| factor * power(exponent)));
    ticks.filter(|tick| tick.is_finite() && *tick > 0.0).collect()
}

/// 1, 2 or 5 times a power of ten, at least this.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let found = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= least * 0.999_999);
    found.filter(|step| *step > 0.0 && step.is_finite()).unwrap_or(1.0)
}

/// A number with as many decimals as its step needs, and separated thousands.
pub(super) fn label(number: f64, step: f64) -> String {
    let exponent = number.abs().log10();
    if number != 0.0 && (exponent >= 6.0 - 1e-9 || step < 1e-4) {
        let power = exponent.floor() as i32;
        let front = number / 10_f64.powi(power);
        let front = if (front - 1.0).abs() < 1e-9 { String::new() } else { format!("{}·", trimmed(front, 2)) };
        return format!("{front}10{}", raised(power));
    }
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    grouped(&format!("{number:.decimals$}"))
}

/// A number for a reader: three significant digits, or whole with separated thousands.
pub(super) fn spoken(number: f64) -> String {
    let size = number.abs();
    if size >= 1e15 || (size > 0.0 && size < 1e-4) {
        format!("{number:.2e}")
    } else if size >= 100.0 {
        grouped(&format!("{number:.0}"))
    } else {
        trimmed(
            number,
            if size >= 10.0 {
                1
            } else if size >= 1.0 {
                2
            } else {
                3
            },
        )
    }
}

fn trimmed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.replace('-', "−") }
}

/// Whole thousands separated by commas, with a true minus sign.
fn grouped(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("−", rest));
    let (whole, fraction) =
        rest.split_once('.').map_or((rest, String::new()), |(whole, part)| (whole, format!(".{part}")));
    let mut digits = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            digits.push(',');
        }
        digits.push(digit);
    }
    format!("{sign}{digits}{fraction}")
}

fn raised(power: i32) -> String {
    let digit = |character: char| match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        other => char::from_u32(0x2070 + other.to_digit(10).unwrap_or(0)).unwrap_or(other),
    };
    power.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::{Axis, Scale, Span, label, spoken};

    fn labels(scale: Scale, low: f64, high: f64, most: usize) -> Vec<String> {
        Span { scale, low, high }.ticks(most).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(Scale::Linear, 0.0, 1.0, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(Scale::Linear, -130.0, 210.0, 4), ["−100", "0", "100", "200"]);
        assert_eq!(labels(Scale::Linear, 0.0, 40_000.0, 4), ["0", "10,000", "20,000", "30,000", "40,000"]);
        assert_eq!(labels(Scale::Logarithmic, 0.5, 8.0, 9), ["0.5", "1", "2", "5"]);
        assert_eq!(labels(Scale::Logarithmic, 1.0, 1e7, 4), ["1", "100", "10,000", "10⁶"]);
        assert_eq!((label(0.000_01, 0.000_01), spoken(-0.1234)), ("10⁻⁵".into(), "−0.123".into()));
        assert_eq!([61_234.0, 12.34, 0.0].map(spoken), ["61,234", "12.3", "0"]);
    }

    /// Whatever the range, there are few ticks, all inside, and places lie in [0, 1].
    #[test]
    fn strange_ranges_have_ticks() {
        let numbers = [-1e308, -1.0, 0.0, 1e-300, 1.0, 1.0 + f64::EPSILON, 1e15, 1e15 + 1.0, 1e308];
        for low in numbers {
            for high in numbers.into_iter().filter(|high| *high > low) {
                for scale in [Scale::Linear, Scale::Logarithmic] {
                    if scale == Scale::Logarithmic && low <= 0.0 {
                        continue;
                    }
                    let axis = Axis { scale, ..Axis::new("a", "b") };
                    let span = axis.span([low, high].into_iter(), true).expect("numbers");
                    assert!(span.low <= low && span.high >= high && span.ticks(6).len() <= 50, "{span:?}");
                    let places = [low, f64::midpoint(low, high), high].map(|number| span.place(number));
                    assert!(places.into_iter().all(|place| (0.0..=1.0).contains(&place)), "{span:?} {places:?}");
                }
            }
        }
    }

    #[test]
    fn what_no_axis_shows_is_refused() {
        let axis = Axis::new("nodes", "").logarithmic();
        assert!(axis.check("a", 0, 0.0).is_err_and(|error| error.to_string().contains("a, number 1, is 0")));
        assert!(axis.check("a", 0, f64::NAN).is_err() && axis.check("a", 0, 2.0).is_ok());
        assert!(axis.clone().between(0.0, 1.0).span([1.0].into_iter(), true).is_err());
        assert!(axis.span(std::iter::empty(), true).is_err());
    }
}
