//! Curves with interval bands: a quantity against a setting, beside what was published.

use super::axis::{Axis, spoken};
use super::frame::{Frame, Legend, Upright};
use super::{PlotError, Svg, Width, series};
use crate::statistics::Interval;

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// The setting.
    pub x: f64,
    /// What was measured. The ends of the interval may be infinite.
    pub y: Interval,
}

impl Point {
    /// A point without an interval.
    #[must_use]
    pub const fn exact(x: f64, y: f64) -> Point {
        Point { x, y: Interval { estimate: y, low: y, high: y } }
    }
}

/// A curve, its points in the order in which they are joined.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// Its points.
    pub points: Vec<Point>,
}

/// What a source states: a number, or a range of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// Such as “published: about ½”.
    pub name: String,
    /// The lower end of the range; equal to the upper one for a single number.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A chart of curves.
#[derive(Clone, PartialEq, Debug)]
pub struct LinePlot {
    /// What the chart shows.
    pub title: String,
    /// The settings.
    pub x: Axis,
    /// What was measured.
    pub y: Axis,
    /// At most six.
    pub curves: Vec<Curve>,
    /// What a source states.
    pub published: Option<Published>,
}

impl LinePlot {
    /// Draws the chart.
    ///
    /// # Errors
    /// If there are no points, too many curves, or numbers that an axis cannot show.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        series::check(&self.title, self.curves.len())?;
        for curve in &self.curves {
            for (place, point) in curve.points.iter().enumerate() {
                self.x.check(&curve.name, place, point.x)?;
                self.y.check(&curve.name, place, point.y.estimate)?;
                for end in [point.y.low, point.y.high].into_iter().filter(|end| end.is_nan()) {
                    self.y.check(&curve.name, place, end)?;
                }
            }
        }
        let mut heights: Vec<f64> = Vec::new();
        for (place, end) in self.published.iter().flat_map(|published| [published.low, published.high]).enumerate() {
            self.y.check("what was published", place, end)?;
            heights.push(end);
        }
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let shown = |end: &f64| self.y.check("", 0, *end).is_ok();
        heights.extend(points().flat_map(|point| [point.y.estimate, point.y.low, point.y.high]).filter(shown));
        let across = self.x.span(points().map(|point| point.x), false)?;
        let up = self.y.span(heights.into_iter(), true)?;
        let mut legend: Vec<Legend> =
            self.curves.iter().enumerate().map(|(number, curve)| Legend::Curve(number, curve.name.clone())).collect();
        legend.extend(self.published.iter().map(|published| Legend::Published(published.name.clone())));
        let mut frame = Frame::new(&self.title, width, (&self.x, across), Upright::Axis(&self.y, up), &legend);
        if let Some(published) = &self.published {
            let ([left, low], [right, high]) =
                (frame.at(across.low, published.low), frame.at(across.high, published.high));
            // A single number is a band of two pixels.
            let height = (low - high).max(2.0);
            frame.canvas.rectangle(
                "published",
                [left, f64::midpoint(low, high) - height / 2.0],
                [right - left, height],
            );
        }
        for (number, curve) in self.curves.iter().enumerate() {
            draw_intervals(&mut frame, number, &curve.points);
        }
        for (number, curve) in self.curves.iter().enumerate() {
            let path: Vec<[f64; 2]> = curve.points.iter().map(|point| frame.at(point.x, point.y.estimate)).collect();
            series::draw_line(&mut frame.canvas, number, &path);
            series::draw_marks(&mut frame.canvas, number, &path);
        }
        Ok(frame.finish(&self.in_words()))
    }

    fn in_words(&self) -> String {
        let mut text = format!("{} against {}.", self.y.label(), self.x.label());
        for curve in self.curves.iter().filter(|curve| !curve.points.is_empty()) {
            let end = |point: &Point| format!("{} at {}", spoken(point.y.estimate), spoken(point.x));
            let (first, last) = (&curve.points[0], &curve.points[curve.points.len() - 1]);
            text += &format!(" {}: from {} to {}.", curve.name, end(first), end(last));
        }
        if let Some(published) = &self.published {
            text += &format!(" {}: {} to {}.", published.name, spoken(published.low), spoken(published.high));
        }
        text
    }
}

/// The band of the intervals, and a whisker at a point that stands alone.
fn draw_intervals(frame: &mut Frame, number: usize, points: &[Point]) {
    if points.iter().all(|point| point.y.low == point.y.high) {
        return;
    }
    if let [alone] = points {
        let ends = [alone.y.low, alone.y.high].map(|end| frame.at(alone.x, end));
        return frame.canvas.line(&format!("whisker s{number}"), ends[0], ends[1]);
    }
    let low = points.iter().map(|point| frame.at(point.x, point.y.low));
    let high = points.iter().rev().map(|point| frame.at(point.x, point.y.high));
    let outline: Vec<[f64; 2]> = low.chain(high).collect();
    frame.canvas.path(&format!("band m{number}"), &outline, false);
}
