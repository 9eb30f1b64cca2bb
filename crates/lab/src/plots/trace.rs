//! Traces: a number after every move or iteration, of many runs, with their mean.
//!
//! Single runs are thin and pale, the mean is a bold curve. It ends where fewer than half of the
//! runs go on, since a few long runs would dominate beyond it.

use super::axis::{Axis, spoken};
use super::frame::{Frame, Legend, Upright};
use super::svg::Anchor;
use super::{PlotError, Svg, Width, series};

/// A chart of traces.
#[derive(Clone, PartialEq, Debug)]
pub struct TracePlot {
    /// What the chart shows.
    pub title: String,
    /// The steps; the first is 1.
    pub step: Axis,
    /// The number after each step.
    pub y: Axis,
    /// A level to compare with, such as an even score, and its name.
    pub level: Option<(f64, String)>,
    /// What a run is, such as “games”.
    pub counted: String,
    /// The numbers of each run.
    pub runs: Vec<Vec<f64>>,
}

impl TracePlot {
    /// Draws the chart.
    ///
    /// # Errors
    /// If there are no numbers, or some that the axis cannot show.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        for (number, run) in self.runs.iter().enumerate() {
            for (place, value) in run.iter().enumerate() {
                self.y.check(&format!("run {}", number + 1), place, *value)?;
            }
        }
        if let Some((level, name)) = &self.level {
            self.y.check(name, 0, *level)?;
        }
        let longest = self.runs.iter().map(Vec::len).max().filter(|longest| *longest > 0);
        let longest = longest.ok_or_else(|| PlotError::Empty(format!("“{}”", self.title)))?;
        let mean = self.mean(longest);
        let across = self.step.span([1.0, longest as f64].into_iter(), false)?;
        let levels = self.level.iter().map(|(level, _)| *level);
        let up = self.y.span(self.runs.iter().flatten().copied().chain(levels), true)?;
        let many = self.runs.len() > 1;
        let legend = [
            Legend::Curve(0, format!("mean of {} {}", self.runs.len(), self.counted)),
            Legend::Pale("each of them".into()),
        ];
        let legend = if many { &legend[..] } else { &[] };
        let mut frame = Frame::new(&self.title, width, (&self.step, across), Upright::Axis(&self.y, up), legend);
        if many {
            for run in self.runs.iter().filter(|run| run.len() > 1) {
                let path: Vec<[f64; 2]> = places(&frame, run);
                frame.canvas.path("pale", &path, true);
            }
        }
        if let Some((level, name)) = &self.level {
            let ([left, y], [right, _]) = (frame.at(across.low, *level), frame.at(across.high, *level));
            frame.canvas.line("level", [left, y], [right, y]);
            frame.canvas.text("", [right, y - 4.0], Anchor::End, name);
        }
        let path = places(&frame, &mean);
        series::draw_line(&mut frame.canvas, 0, &path);
        if path.len() == 1 {
            series::draw_marks(&mut frame.canvas, 0, &path);
        }
        let of = if many { format!("the mean of {} {}", self.runs.len(), self.counted) } else { "it".into() };
        let description = format!(
            "{} after each {}: {of} goes from {} to {} in {} steps.",
            self.y.label(),
            self.step.label(),
            spoken(mean[0]),
            spoken(mean[mean.len() - 1]),
            mean.len()
        );
        Ok(frame.finish(&description))
    }

    /// The mean of the runs that reach each step, while at least half of them do.
    fn mean(&self, longest: usize) -> Vec<f64> {
        let begun = self.runs.iter().filter(|run| !run.is_empty()).count();
        let at = |step: usize| {
            let reached: Vec<f64> = self.runs.iter().filter_map(|run| run.get(step)).copied().collect();
            (2 * reached.len() >= begun).then(|| reached.iter().sum::<f64>() / reached.len() as f64)
        };
        (0..longest).map_while(at).collect()
    }
}

fn places(frame: &Frame, run: &[f64]) -> Vec<[f64; 2]> {
    run.iter().enumerate().map(|(step, value)| frame.at(step as f64 + 1.0, *value)).collect()
}

#[cfg(test)]
mod tests {
    use super::TracePlot;
    use crate::plots::Axis;

    #[test]
    fn the_mean_ends_where_most_runs_have() {
        let runs = vec![vec![1.0, 2.0, 9.0, 9.0], vec![3.0, 4.0], vec![5.0, 6.0, 1.0], vec![]];
        let axis = Axis::new("Move", "");
        let plot =
            TracePlot { title: "t".into(), step: axis.clone(), y: axis, level: None, counted: "games".into(), runs };
        assert_eq!(plot.mean(4), [3.0, 4.0, 5.0]);
    }
}
