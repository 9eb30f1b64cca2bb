//! Surfaces: a number for each pair of two settings, such as E and D, as a table of colours.

use super::frame::{MARGIN, head};
use super::heat::{Colours, Heat};
use super::svg::{Anchor, Canvas, shortened, width_of};
use super::{PlotError, Svg, Width};

/// Which number of a surface is framed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Best {
    /// The least: nodes, time.
    Least,
    /// The greatest: shares of points.
    Greatest,
}

/// A surface.
#[derive(Clone, PartialEq, Debug)]
pub struct SurfacePlot {
    /// What the picture shows.
    pub title: String,
    /// The setting that changes from left to right, and its values.
    pub columns: (String, Vec<String>),
    /// The setting that changes from top to bottom, and its values.
    pub rows: (String, Vec<String>),
    /// Row by row from the top; nothing where nothing was measured.
    pub values: Vec<Option<f64>>,
    /// What the colours mean.
    pub heat: Heat,
    /// Which cell is framed.
    pub best: Best,
}

impl SurfacePlot {
    /// Draws the picture.
    ///
    /// # Errors
    /// If there are no values, not one for each pair, or some that cannot be shown.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        let (across, down) = (self.columns.1.len(), self.rows.1.len());
        if self.values.len() != across * down {
            let (found, expected) = (self.values.len(), across * down);
            return Err(PlotError::Length { what: "the list of values", found, expected });
        }
        let colours = Colours::of(&self.heat, &self.title, &self.values)?;
        let (mut canvas, wide) = (Canvas::default(), width.pixels());
        let mut top = head(&mut canvas, &self.title, wide);
        let names = format!("{} ↓   {} →", self.rows.0, self.columns.0);
        canvas.text("", [MARGIN, top + 11.0], Anchor::Start, &shortened(&names, 11.0, wide - 2.0 * MARGIN));
        top += 34.0;
        let margin = self.rows.1.iter().map(|name| width_of(name, 11.0)).fold(0.0, f64::max).min(wide / 4.0);
        let left = MARGIN + margin + 8.0;
        let cell = (wide - MARGIN - left) / across as f64;
        let height = cell.clamp(18.0, 30.0);
        let texts: Vec<String> =
            self.values.iter().map(|value| value.map(|number| colours.text(number)).unwrap_or_default()).collect();
        let readable = texts.iter().all(|text| width_of(text, 11.0) + 4.0 <= cell);
        // Names of columns that would touch are left out evenly.
        let widest = self.columns.1.iter().map(|name| width_of(name, 11.0)).fold(0.0, f64::max);
        let every = ((widest + 4.0) / cell).ceil().max(1.0) as usize;
        for (place, name) in self.columns.1.iter().enumerate().step_by(every) {
            canvas.text("", [left + cell * (place as f64 + 0.5), top - 5.0], Anchor::Middle, name);
        }
        for (row, name) in self.rows.1.iter().enumerate() {
            let y = top + height * row as f64;
            canvas.text("", [left - 6.0, y + height / 2.0 + 4.0], Anchor::End, &shortened(name, 11.0, margin + 1.0));
            for column in 0..across {
                let Some(value) = self.values[row * across + column] else { continue };
                let [fill, ink] = colours.classes(value);
                let x = left + cell * column as f64;
                canvas.rectangle(&fill, [x, y], [cell - 1.0, height - 1.0]);
                if readable {
                    let middle = [x + (cell - 1.0) / 2.0, y + height / 2.0 + 3.5];
                    canvas.text(&ink, middle, Anchor::Middle, &texts[row * across + column]);
                }
            }
        }
        let best = self.best();
        let at = [left + cell * (best % across) as f64, top + height * (best / across) as f64];
        canvas.rectangle("best", at, [cell - 1.0, height - 1.0]);
        let bottom = colours.legend(&mut canvas, top + height * down as f64 + 10.0, wide);
        let kind = if self.best == Best::Least { "The least" } else { "The greatest" };
        let description = format!(
            "{} by {} and {}. {kind} is {} at {} {} and {} {}.",
            self.title,
            self.rows.0,
            self.columns.0,
            texts[best],
            self.rows.0,
            self.rows.1[best / across],
            self.columns.0,
            self.columns.1[best % across]
        );
        Ok(canvas.finish([wide, bottom], &self.title, &description))
    }

    /// The place of the best value; the first of equal ones.
    fn best(&self) -> usize {
        let mut found: Option<(usize, f64)> = None;
        for (place, value) in self.values.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?))) {
            let better = found.is_none_or(|(_, best)| match self.best {
                Best::Least => value < best,
                Best::Greatest => value > best,
            });
            if better {
                found = Some((place, value));
            }
        }
        found.map_or(0, |(place, _)| place)
    }
}
