//! Cactus plots: the effort that each problem must be allowed, by the number of problems solved.
//!
//! The lower and the further to the right, the better. A curve ends at the number of problems that
//! its solver solved; the dashed line is the limit.

use super::axis::{Axis, spoken};
use super::frame::{Frame, Legend, Upright};
use super::svg::Anchor;
use super::{PlotError, Svg, Width, series};
use crate::statistics::censored::{Time, cactus};

/// A solver and its times.
#[derive(Clone, PartialEq, Debug)]
pub struct Solver {
    /// Its name.
    pub name: String,
    /// One for each problem.
    pub times: Vec<Time>,
}

/// A cactus plot.
#[derive(Clone, PartialEq, Debug)]
pub struct CactusPlot {
    /// What the chart shows.
    pub title: String,
    /// The effort; logarithmic as a rule.
    pub effort: Axis,
    /// The limit of the effort, if all solvers had the same.
    pub limit: Option<f64>,
    /// At most six.
    pub solvers: Vec<Solver>,
}

impl CactusPlot {
    /// Draws the chart.
    ///
    /// # Errors
    /// If there are no solvers, too many, nothing was solved, or an effort that the axis cannot show.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        series::check(&self.title, self.solvers.len())?;
        let curves: Vec<Vec<f64>> = self.solvers.iter().map(|solver| cactus(&solver.times)).collect();
        for (solver, curve) in self.solvers.iter().zip(&curves) {
            for (place, effort) in curve.iter().enumerate() {
                self.effort.check(&solver.name, place, *effort)?;
            }
        }
        if let Some(limit) = self.limit {
            self.effort.check("the limit", 0, limit)?;
        }
        if curves.iter().all(Vec::is_empty) {
            return Err(PlotError::Empty(format!("“{}”, where nothing was solved,", self.title)));
        }
        let problems = self.solvers.iter().map(|solver| solver.times.len()).max().unwrap_or(0);
        let count = Axis::new("Problems solved", "").between(0.0, problems.max(1) as f64);
        let across = count.span(std::iter::empty(), false)?;
        let up = self.effort.span(curves.iter().flatten().copied().chain(self.limit), true)?;
        let named = |(number, solver): (usize, &Solver)| {
            Legend::Curve(number, format!("{}: {} of {}", solver.name, curves[number].len(), solver.times.len()))
        };
        let legend: Vec<Legend> = self.solvers.iter().enumerate().map(named).collect();
        let mut frame = Frame::new(&self.title, width, (&count, across), Upright::Axis(&self.effort, up), &legend);
        if let Some(limit) = self.limit {
            let ([left, y], [right, _]) = (frame.at(0.0, limit), frame.at(across.high, limit));
            frame.canvas.line("level", [left, y], [right, y]);
            frame.canvas.text("", [left + 4.0, y + 13.0], Anchor::Start, "limit");
        }
        for (number, curve) in curves.iter().enumerate() {
            let place = |(solved, effort): (usize, &f64)| frame.at(solved as f64 + 1.0, *effort);
            let path: Vec<[f64; 2]> = curve.iter().enumerate().map(place).collect();
            series::draw_line(&mut frame.canvas, number, &series::stairs(&path));
            if let Some(last) = path.last() {
                series::draw_mark(&mut frame.canvas, number, *last);
            }
        }
        let ends = self.solvers.iter().zip(&curves).map(|(solver, curve)| {
            let hardest = curve.last().map(|effort| format!(", each within {}", spoken(*effort))).unwrap_or_default();
            format!("{}: {} of {} solved{hardest}.", solver.name, curve.len(), solver.times.len())
        });
        Ok(frame.finish(&format!("{}. {}", self.effort.label(), ends.collect::<Vec<_>>().join(" "))))
    }
}
