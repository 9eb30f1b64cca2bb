//! The frame of a chart: title, legend, axes with ticks, and the places of numbers inside.
//!
//! ```text
//! Title
//! ● one  ■ two                legend
//! Title of the upright axis
//!   10 ┬─────────────
//!    5 ┼─────────────
//!    0 ┼──┬──┬──┬──┬─
//!      0  1  2  3  4
//!        Title of the level axis
//! ```

use super::axis::{Axis, Span};
use super::series;
use super::svg::{Anchor, Canvas, Svg, Width, shortened, width_of, wrapped};

/// The margin of the picture.
pub(super) const MARGIN: f64 = 12.0;
/// The height of a row of a chart with names in place of an upright axis.
pub(super) const ROW: f64 = 38.0;

/// What a legend explains.
#[derive(Clone, Debug)]
pub(super) enum Legend {
    /// A curve.
    Curve(usize, String),
    /// The thin lines of single games.
    Pale(String),
    /// The grey band.
    Published(String),
}

/// The upright direction of a chart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Upright<'a> {
    /// An axis.
    Axis(&'a Axis, Span),
    /// This number of rows, drawn by the caller.
    Rows(usize),
}

/// A chart with its frame drawn.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub canvas: Canvas,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    across: Span,
    up: Option<Span>,
    title: String,
    size: [f64; 2],
}

impl Frame {
    pub fn new(
        title: &str,
        width: Width,
        (axis, across): (&Axis, Span),
        upright: Upright<'_>,
        legend: &[Legend],
    ) -> Frame {
        let mut canvas = Canvas::default();
        let wide = width.pixels();
        let mut top = head(&mut canvas, title, wide);
        top = explain(&mut canvas, legend, top, wide);
        let (up, inside, heading) = match upright {
            Upright::Axis(axis, span) => {
                (Some(span), if width == Width::Narrow { 190.0 } else { 250.0 }, Some(axis.label()))
            }
            Upright::Rows(rows) => (None, ROW * rows as f64 + 4.0, None),
        };
        if let Some(heading) = heading {
            canvas.text("", [MARGIN, top + 11.0], Anchor::Start, &shortened(&heading, 11.0, wide - 2.0 * MARGIN));
            top += 20.0;
        }
        let bottom = top + inside;
        let marks = up.map(|span| span.ticks(6)).unwrap_or_default();
        let labels = marks.iter().map(|(_, label)| width_of(label, 11.0)).fold(0.0, f64::max);
        let left = MARGIN + if marks.is_empty() { 8.0 } else { labels + 8.0 };
        let right = wide - MARGIN - 6.0;
        let frame =
            Frame { canvas, left, right, top, bottom, across, up, title: title.into(), size: [wide, bottom + 44.0] };
        frame.axes(&axis.label(), &marks)
    }

    fn axes(mut self, label: &str, marks: &[(f64, String)]) -> Frame {
        let (left, right, top, bottom) = (self.left, self.right, self.top, self.bottom);
        for (number, label) in marks {
            let y = self.at(self.across.low, *number)[1];
            self.canvas.line("grid", [left, y], [right, y]);
            self.canvas.text("", [left - 6.0, y + 4.0], Anchor::End, label);
        }
        // Fewer ticks until their labels have room.
        let fits = |ticks: &Vec<(f64, String)>| {
            let widest = ticks.iter().map(|(_, label)| width_of(label, 11.0)).fold(0.0, f64::max);
            ticks.len() as f64 * (widest + 12.0) <= right - left
        };
        let ticks = (2..=10).rev().map(|most| self.across.ticks(most)).find(fits);
        for (number, label) in ticks.unwrap_or_else(|| self.across.ticks(2)) {
            let x = left + self.across.place(number) * (right - left);
            let (class, from) = if self.up.is_some() { ("axis", bottom) } else { ("grid", top) };
            self.canvas.line(class, [x, from], [x, bottom + 4.0]);
            // Labels at the ends stay inside of the picture.
            let half = width_of(&label, 11.0) / 2.0;
            let middle = x.clamp(2.0 + half, self.size[0] - 2.0 - half);
            self.canvas.text("", [middle, bottom + 17.0], Anchor::Middle, &label);
        }
        self.canvas.line("axis", [left, bottom], [right, bottom]);
        let label = shortened(label, 11.0, right - MARGIN);
        self.canvas.text("", [f64::midpoint(left, right), bottom + 34.0], Anchor::Middle, &label);
        self
    }

    /// The place of a pair of numbers; numbers beyond an axis lie at its end.
    pub fn at(&self, x: f64, y: f64) -> [f64; 2] {
        let up = self.up.map_or(0.0, |span| span.place(y));
        [self.left + self.across.place(x) * (self.right - self.left), self.bottom - up * (self.bottom - self.top)]
    }

    /// The picture, with a description of what it shows.
    pub fn finish(self, description: &str) -> Svg {
        self.canvas.finish(self.size, &self.title, description)
    }
}

/// Writes the title; returns where the next thing begins.
pub(super) fn head(canvas: &mut Canvas, title: &str, wide: f64) -> f64 {
    let mut top = MARGIN;
    for line in wrapped(title, 14.0, wide - 2.0 * MARGIN) {
        canvas.text("title", [MARGIN, top + 14.0], Anchor::Start, &line);
        top += 19.0;
    }
    top + 6.0
}

/// Writes the legend in as many lines as it needs; returns where the next thing begins. A single
/// curve needs none.
fn explain(canvas: &mut Canvas, legend: &[Legend], top: f64, wide: f64) -> f64 {
    if legend.is_empty() || matches!(legend, [Legend::Curve(..)]) {
        return top;
    }
    let (mut x, mut y) = (MARGIN, top);
    for entry in legend {
        let (Legend::Curve(_, name) | Legend::Pale(name) | Legend::Published(name)) = entry;
        let name = shortened(name, 12.0, wide - 2.0 * MARGIN - 34.0);
        let needed = 30.0 + width_of(&name, 12.0);
        if x > MARGIN && x + needed > wide - MARGIN {
            (x, y) = (MARGIN, y + 18.0);
        }
        let middle = y + 8.0;
        match entry {
            Legend::Curve(number, _) => {
                series::draw_line(canvas, *number, &[[x, middle], [x + 22.0, middle]]);
                series::draw_mark(canvas, *number, [x + 11.0, middle]);
            }
            Legend::Pale(_) => canvas.line("pale", [x, middle], [x + 22.0, middle]),
            Legend::Published(_) => canvas.rectangle("published", [x, middle - 4.0], [22.0, 8.0]),
        }
        canvas.text("name", [x + 28.0, y + 12.0], Anchor::Start, &name);
        x += needed + 14.0;
    }
    y + 24.0
}
