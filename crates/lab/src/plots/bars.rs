//! Bars with intervals, one row each, names above them: ratings, shares, ratios.

use super::axis::{Axis, Scale, spoken};
use super::frame::{Frame, MARGIN, ROW, Upright};
use super::svg::{Anchor, shortened, width_of};
use super::{PlotError, Svg, Width};
use crate::statistics::Interval;

/// A bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// What is measured.
    pub name: String,
    /// The measurement. The ends of the interval may be infinite.
    pub value: Interval,
}

/// A chart of bars.
#[derive(Clone, PartialEq, Debug)]
pub struct BarPlot {
    /// What the chart shows.
    pub title: String,
    /// What the bars measure; always linear, as the length of a bar is its distance from the base.
    pub axis: Axis,
    /// Where bars begin: 0, or the value that means “no difference”.
    pub base: f64,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

impl BarPlot {
    /// Draws the chart.
    ///
    /// # Errors
    /// If there are no bars, or numbers that cannot be shown.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        if self.bars.is_empty() {
            return Err(PlotError::Empty(format!("“{}”", self.title)));
        }
        let axis = Axis { scale: Scale::Linear, ..self.axis.clone() };
        axis.check("the base", 0, self.base)?;
        for (place, bar) in self.bars.iter().enumerate() {
            axis.check(&bar.name, place, bar.value.estimate)?;
            for end in [bar.value.low, bar.value.high].into_iter().filter(|end| end.is_nan()) {
                axis.check(&bar.name, place, end)?;
            }
        }
        let ends = self.bars.iter().flat_map(|bar| [bar.value.estimate, bar.value.low, bar.value.high]);
        let span = axis.span(ends.filter(|end| end.is_finite()).chain([self.base]), true)?;
        let mut frame = Frame::new(&self.title, width, (&axis, span), Upright::Rows(self.bars.len()), &[]);
        for (place, bar) in self.bars.iter().enumerate() {
            let top = frame.top + ROW * place as f64;
            let value = in_words(&bar.value);
            let room = frame.right - MARGIN - width_of(&value, 12.0) - 10.0;
            frame.canvas.text("name", [MARGIN, top + 13.0], Anchor::Start, &shortened(&bar.name, 12.0, room));
            frame.canvas.text("", [frame.right, top + 13.0], Anchor::End, &value);
            let [from, to, low, high] =
                [self.base, bar.value.estimate, bar.value.low, bar.value.high].map(|number| frame.at(number, 0.0)[0]);
            let middle = top + 25.0;
            frame.canvas.rectangle("bar", [from.min(to), middle - 6.0], [(from - to).abs(), 12.0]);
            if bar.value.low < bar.value.high {
                frame.canvas.line("bar-whisker", [low, middle], [high, middle]);
                for end in [low, high] {
                    frame.canvas.line("bar-whisker", [end, middle - 4.0], [end, middle + 4.0]);
                }
            }
        }
        let base = frame.at(self.base, 0.0)[0];
        let (top, bottom) = (frame.top, frame.bottom);
        frame.canvas.line("axis", [base, top], [base, bottom]);
        let rows: Vec<String> =
            self.bars.iter().map(|bar| format!("{}: {}.", bar.name, in_words(&bar.value))).collect();
        Ok(frame.finish(&format!("{}. {}", axis.label(), rows.join(" "))))
    }
}

/// An estimate with its interval.
fn in_words(value: &Interval) -> String {
    let Interval { estimate, low, high } = value;
    if low < high {
        let end = |number: f64| if number.is_finite() { spoken(number) } else { "∞".into() };
        let sign = if *low == f64::NEG_INFINITY { "−" } else { "" };
        format!("{} ({sign}{} to {})", spoken(*estimate), end(*low), end(*high))
    } else {
        spoken(*estimate)
    }
}
