//! Charts and boards as SVG text.
//!
//! | picture | file |
//! |---|---|
//! | curves with interval bands, and what was published | [`LinePlot`], `line.rs` |
//! | bars with intervals | [`BarPlot`], `bars.rs` |
//! | how numbers lie: counts in bins, cumulative shares | [`HistogramPlot`], [`CumulativePlot`], `distribution.rs` |
//! | problems solved within an effort | [`CactusPlot`], `cactus.rs` |
//! | a score after every move of many games | [`TracePlot`], `trace.rs` |
//! | a number for each pair of settings | [`SurfacePlot`], `surface.rs` |
//! | a number for each point of a board | [`BoardPlot`], `board.rs` |
//!
//! The parts below them are `svg.rs` (elements, escaping, the alternative text), `style.rs`
//! (colours of both themes), `axis.rs` (scales and ticks), `frame.rs` (title, legend, axes),
//! `series.rs` (how curves are told apart) and `heat.rs` (colours of numbers).
//!
//! The same data gives the same bytes. Every picture exists in two widths, because text keeps its
//! size: a narrow picture is another drawing, not a smaller one.

mod axis;
mod bars;
mod board;
mod cactus;
mod distribution;
mod error;
mod frame;
mod heat;
mod line;
mod series;
mod style;
mod surface;
mod svg;
mod trace;

pub use axis::{Axis, Scale};
pub use bars::{Bar, BarPlot};
pub use board::BoardPlot;
pub use cactus::{CactusPlot, Solver};
pub use distribution::{CumulativePlot, HistogramPlot};
pub use error::PlotError;
pub use heat::Heat;
pub use line::{Curve, LinePlot, Point, Published};
pub use style::STYLE;
pub use surface::{Best, SurfacePlot};
pub use svg::{Svg, Width};
pub use trace::TracePlot;
