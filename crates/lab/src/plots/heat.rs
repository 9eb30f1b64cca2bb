//! The colours of numbers on boards and surfaces, with their legend.
//!
//! *Value* is a score in [0, 1] on eleven steps from orange (lost) over even to blue (won),
//!
//! > step = 5 + 5·sgn(t)·|t|^0.6,  t = 2v − 1,
//!
//! so that the middle of the scale has room. *Amount* is a number from 0 or the least up to the
//! greatest on seven steps of violet, by differences or by ratios.

use super::axis::{Scale, Span, spoken};
use super::frame::MARGIN;
use super::svg::{Anchor, Canvas, shortened};
use super::{Axis, PlotError};

/// What the colours mean.
#[derive(Clone, PartialEq, Debug)]
pub enum Heat {
    /// A score of the first player, 0 to 1.
    Value,
    /// An amount: visits, nodes, shares. The axis names it, scales it and may give its range.
    Amount(Axis),
}

/// Heat with its range: gives colours to numbers.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    name: &'static str,
    steps: usize,
    span: Span,
    title: String,
}

impl Colours {
    pub fn of(heat: &Heat, what: &str, values: &[Option<f64>]) -> Result<Colours, PlotError> {
        let value = Axis::new("Value: 0 lost, 100 won", "%");
        let axis = match heat {
            Heat::Value => &value.between(0.0, 1.0),
            Heat::Amount(axis) => axis,
        };
        let mut known = Vec::new();
        for (place, number) in values.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?))) {
            axis.check(what, place, number)?;
            known.push(number);
        }
        if known.is_empty() {
            return Err(PlotError::Empty(format!("“{what}”")));
        }
        // Amounts that need no logarithm are shown from 0, so that pale means little.
        let from_zero = axis.scale == Scale::Linear && known.iter().all(|number| *number >= 0.0);
        let span = axis.span(known.into_iter().chain(from_zero.then_some(0.0)), false)?;
        let (name, steps) = if *heat == Heat::Value { ("value", 11) } else { ("visit", 7) };
        Ok(Colours { name, steps, span, title: axis.label() })
    }

    /// The step of a number.
    fn step(&self, number: f64) -> usize {
        let place = self.span.place(number);
        if self.name == "value" {
            let t = 2.0 * place - 1.0;
            return (5.0 + 5.0 * t.signum() * t.abs().powf(0.6)).round() as usize;
        }
        ((place * self.steps as f64) as usize).min(self.steps - 1)
    }

    /// The class of a number's colour, and of text on it.
    pub fn classes(&self, number: f64) -> [String; 2] {
        let step = self.step(number);
        [format!("{}-{step}", self.name), format!("on-{}-{step}", self.name)]
    }

    /// A number as it is written: values in per cent.
    pub fn text(&self, number: f64) -> String {
        if self.name == "value" { format!("{:.0}", 100.0 * number) } else { spoken(number) }
    }

    /// Draws the legend; returns where the picture ends.
    pub fn legend(&self, canvas: &mut Canvas, top: f64, wide: f64) -> f64 {
        let room = wide - 2.0 * MARGIN;
        canvas.text("", [MARGIN, top + 11.0], Anchor::Start, &shortened(&self.title, 11.0, room));
        let each = (room / self.steps as f64).min(26.0);
        for step in 0..self.steps {
            let class = format!("{}-{step}", self.name);
            canvas.rectangle(&class, [MARGIN + each * step as f64, top + 18.0], [each, 10.0]);
        }
        let end = MARGIN + each * self.steps as f64;
        canvas.text("", [MARGIN, top + 41.0], Anchor::Start, &self.text(self.span.low));
        canvas.text("", [end, top + 41.0], Anchor::End, &self.text(self.span.high));
        if self.span.scale == Scale::Logarithmic {
            canvas.text("", [end + 8.0, top + 27.0], Anchor::Start, "logarithmic");
        }
        top + 41.0 + MARGIN
    }
}

#[cfg(test)]
mod tests {
    use super::{Colours, Heat};
    use crate::plots::Axis;

    /// The design's formula by hand: 0.6 is t = 0.2, 5 + 5·0.2^0.6 = 6.90.
    #[test]
    fn values_spread_the_middle() {
        let colours = Colours::of(&Heat::Value, "v", &[Some(0.5)]).expect("a value");
        assert_eq!([0.0, 0.4, 0.5, 0.6, 1.0].map(|value| colours.step(value)), [0, 3, 5, 7, 10]);
    }

    #[test]
    fn amounts_begin_at_nothing() {
        let heat = Heat::Amount(Axis::new("Visits", ""));
        let colours = Colours::of(&heat, "v", &[Some(70.0), None, Some(35.0)]).expect("amounts");
        assert_eq!([0.0, 35.0, 69.9, 70.0].map(|visits| colours.step(visits)), [0, 3, 6, 6]);
        assert!(Colours::of(&heat, "v", &[None]).is_err() && Colours::of(&heat, "v", &[Some(f64::NAN)]).is_err());
        let logarithmic = Heat::Amount(Axis::new("Nodes", "").logarithmic());
        let colours = Colours::of(&logarithmic, "v", &[Some(1.0), Some(1e7)]).expect("amounts");
        assert_eq!([1.0, 1e3, 1e7].map(|nodes| colours.step(nodes)), [0, 3, 6]);
    }
}
