//! How numbers lie: a histogram, or the share of the numbers up to each value.

use super::axis::{Axis, Scale, spoken};
use super::frame::{Frame, Legend, Upright};
use super::{PlotError, Svg, Width, series};
use crate::statistics::histogram::Histogram;
use crate::statistics::sample::Sample;

/// A histogram.
#[derive(Clone, PartialEq, Debug)]
pub struct HistogramPlot {
    /// What the chart shows.
    pub title: String,
    /// What the numbers are; always linear, as bins have equal widths.
    pub x: Axis,
    /// What is counted, such as “games”.
    pub counted: String,
    /// The counts.
    pub histogram: Histogram,
}

impl HistogramPlot {
    /// Draws the chart.
    ///
    /// # Errors
    /// If there are no bins, or edges that cannot be shown.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        let counts = &self.histogram.counts;
        let Some(last) = counts.len().checked_sub(1) else {
            return Err(PlotError::Empty(format!("“{}”", self.title)));
        };
        let axis = Axis { scale: Scale::Linear, ..self.x.clone() };
        let ends = [self.histogram.edges(0).0, self.histogram.edges(last).1];
        for (place, end) in ends.into_iter().enumerate() {
            axis.check("the edges", place, end)?;
        }
        let upright = Axis::new(format!("Number of {}", self.counted), "");
        let (across, most) = (axis.span(ends.into_iter(), false)?, counts.iter().max().copied().unwrap_or(0));
        let up = upright.span([0.0, most.max(1) as f64].into_iter(), true)?;
        let mut frame = Frame::new(&self.title, width, (&axis, across), Upright::Axis(&upright, up), &[]);
        // A gap of a pixel between bars that are wide enough.
        let gap = if (frame.right - frame.left) / counts.len() as f64 > 4.0 { 1.0 } else { 0.0 };
        for (bin, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (low, high) = self.histogram.edges(bin);
            let ([left, top], [right, bottom]) = (frame.at(low, *count as f64), frame.at(high, 0.0));
            frame.canvas.rectangle("bar", [left + gap / 2.0, top], [right - left - gap, bottom - top]);
        }
        let total: u64 = counts.iter().sum();
        let fullest = counts.iter().position(|count| *count == most).unwrap_or(0);
        let (low, high) = self.histogram.edges(fullest);
        Ok(frame.finish(&format!(
            "{total} {} from {} to {} by {}; most between {} and {}.",
            self.counted,
            spoken(ends[0]),
            spoken(ends[1]),
            axis.label(),
            spoken(low),
            spoken(high)
        )))
    }
}

/// Cumulative shares of several samples.
#[derive(Clone, PartialEq, Debug)]
pub struct CumulativePlot {
    /// What the chart shows.
    pub title: String,
    /// What the numbers are.
    pub x: Axis,
    /// What is counted, such as “positions”.
    pub counted: String,
    /// Each with its name; at most six.
    pub samples: Vec<(String, Sample)>,
}

impl CumulativePlot {
    /// Draws the chart.
    ///
    /// # Errors
    /// If there are no samples, too many, or numbers that the axis cannot show.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        series::check(&self.title, self.samples.len())?;
        for (name, sample) in &self.samples {
            for (place, number) in sample.sorted().iter().enumerate() {
                self.x.check(name, place, *number)?;
            }
        }
        let upright = Axis::new(format!("Share of {}", self.counted), "%").between(0.0, 100.0);
        let numbers = || self.samples.iter().flat_map(|(_, sample)| sample.sorted().iter().copied());
        let (across, up) = (self.x.span(numbers(), false)?, upright.span(numbers(), true)?);
        let named = |(number, (name, _)): (usize, &(String, Sample))| Legend::Curve(number, name.clone());
        let legend: Vec<Legend> = self.samples.iter().enumerate().map(named).collect();
        let mut frame = Frame::new(&self.title, width, (&self.x, across), Upright::Axis(&upright, up), &legend);
        for (number, (_, sample)) in self.samples.iter().enumerate() {
            let steps = sample.distribution();
            let mut places = vec![frame.at(across.low, 0.0), frame.at(sample.sorted()[0], 0.0)];
            places.extend(steps.iter().map(|(value, share)| frame.at(*value, 100.0 * share)));
            places.push(frame.at(across.high, 100.0));
            series::draw_line(&mut frame.canvas, number, &series::stairs(&places));
            // The median carries the mark that the legend shows.
            let median = frame.at(sample.median(), 50.0);
            series::draw_mark(&mut frame.canvas, number, median);
        }
        let medians: Vec<String> =
            self.samples.iter().map(|(name, sample)| format!("{name}: median {}.", spoken(sample.median()))).collect();
        Ok(frame.finish(&format!("Share of {} up to each {}. {}", self.counted, self.x.label(), medians.join(" "))))
    }
}
