//! A number for each point of a board, as colours in the board's own geometry.
//!
//! Crossings (Go, Gomoku) are drawn as lines under coloured squares, cells (Othello) as squares,
//! Hex as hexagons with the sides of both players. Stones stand where the position has them. The
//! number is written where it has room.

use super::frame::{MARGIN, head};
use super::heat::{Colours, Heat};
use super::svg::{Anchor, Canvas, width_of};
use super::{PlotError, Svg, Width};
use tesuji_core::{BoardShape, BoardView, Player};

/// The widest distance of two points.
const WIDEST: f64 = 44.0;
/// Of a wide picture, the board takes this much.
const WIDE: f64 = 520.0;

/// A board with numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardPlot {
    /// What the picture shows.
    pub title: String,
    /// The position: its shape, the names along the edges, the stones.
    pub board: BoardView,
    /// Row by row from the top; nothing where there is no number.
    pub values: Vec<Option<f64>>,
    /// What the colours mean.
    pub heat: Heat,
}

/// Where the points of a board are.
#[derive(Clone, Copy, Debug)]
struct Geometry {
    shape: BoardShape,
    columns: usize,
    rows: usize,
    /// The distance of two points of a row.
    cell: f64,
    /// The middle of the first point.
    origin: [f64; 2],
}

impl Geometry {
    /// The distance of two rows.
    fn pitch(&self) -> f64 {
        if self.shape == BoardShape::Hexagons { self.cell * 3_f64.sqrt() / 2.0 } else { self.cell }
    }

    fn middle(&self, column: usize, row: usize) -> [f64; 2] {
        let shift = if self.shape == BoardShape::Hexagons { row as f64 / 2.0 } else { 0.0 };
        [self.origin[0] + self.cell * (column as f64 + shift), self.origin[1] + self.pitch() * row as f64]
    }

    /// The corners of a hexagon: top, upper right, lower right, bottom, lower left, upper left.
    fn corners(&self, column: usize, row: usize) -> [[f64; 2]; 6] {
        let ([x, y], half, reach) = (self.middle(column, row), self.cell / 2.0, self.cell / 3_f64.sqrt());
        let near = reach / 2.0;
        [
            [x, y - reach],
            [x + half, y - near],
            [x + half, y + near],
            [x, y + reach],
            [x - half, y + near],
            [x - half, y - near],
        ]
    }
}

impl BoardPlot {
    /// Draws the picture.
    ///
    /// # Errors
    /// If the board has no points, the values are not one for each point, or some cannot be shown.
    pub fn draw(&self, width: Width) -> Result<Svg, PlotError> {
        let (columns, rows) = (self.board.columns.len(), self.board.rows.len());
        if self.board.shape == BoardShape::Text || columns * rows == 0 {
            return Err(PlotError::Empty(format!("“{}”, whose position has no board,", self.title)));
        }
        let expected = columns * rows;
        for (what, found) in
            [("the list of values", self.values.len()), ("the list of points", self.board.points.len())]
        {
            if found != expected {
                return Err(PlotError::Length { what, found, expected });
            }
        }
        let colours = Colours::of(&self.heat, &self.title, &self.values)?;
        let (mut canvas, wide) = (Canvas::default(), width.pixels());
        let top = head(&mut canvas, &self.title, wide);
        let hexagons = self.board.shape == BoardShape::Hexagons;
        let names = self.board.rows.iter().map(|name| width_of(name, 11.0)).fold(0.0, f64::max) + 8.0;
        let spread = columns as f64 + if hexagons { (rows - 1) as f64 / 2.0 } else { 0.0 };
        let cell = ((wide.min(WIDE) - 2.0 * MARGIN - names) / (spread + 0.1)).min(WIDEST);
        let origin = [MARGIN + names + cell / 2.0, top + 20.0 + cell * if hexagons { 0.6 } else { 0.5 }];
        let geometry = Geometry { shape: self.board.shape, columns, rows, cell, origin };
        self.draw_names(&mut canvas, &geometry);
        ground(&mut canvas, &geometry);
        for star in self.board.stars.iter().filter(|star| **star < expected) {
            canvas.circle("star", geometry.middle(star % columns, star / columns), cell * 0.1);
        }
        self.draw_points(&mut canvas, &geometry, &colours);
        let bottom = geometry.middle(0, rows - 1)[1] + cell * 0.6 + 14.0;
        let bottom = colours.legend(&mut canvas, bottom, wide);
        Ok(canvas.finish([wide, bottom], &self.title, &self.in_words(&colours)))
    }

    fn draw_names(&self, canvas: &mut Canvas, geometry: &Geometry) {
        // Names that would touch are left out evenly.
        let widest = self.board.columns.iter().map(|name| width_of(name, 11.0)).fold(0.0, f64::max);
        let every = ((widest + 3.0) / geometry.cell).ceil().max(1.0) as usize;
        for (column, name) in self.board.columns.iter().enumerate().step_by(every) {
            let [x, y] = geometry.middle(column, 0);
            canvas.text("", [x, y - geometry.cell * 0.5 - 9.0], Anchor::Middle, name);
        }
        let every = (11.0 / geometry.pitch()).ceil().max(1.0) as usize;
        for (row, name) in self.board.rows.iter().enumerate().step_by(every) {
            let [x, y] = geometry.middle(0, row);
            canvas.text("", [x - geometry.cell * 0.5 - 6.0, y + 4.0], Anchor::End, name);
        }
    }

    fn draw_points(&self, canvas: &mut Canvas, geometry: &Geometry, colours: &Colours) {
        let cell = geometry.cell;
        let texts: Vec<String> =
            self.values.iter().map(|value| value.map(|number| colours.text(number)).unwrap_or_default()).collect();
        let readable = texts.iter().all(|text| width_of(text, 11.0) + 5.0 <= cell);
        for (place, (value, piece)) in self.values.iter().zip(&self.board.points).enumerate() {
            let (column, row) = (place % geometry.columns, place / geometry.columns);
            let [x, y] = geometry.middle(column, row);
            if let Some(value) = value {
                let [fill, ink] = colours.classes(*value);
                if geometry.shape == BoardShape::Hexagons {
                    canvas.path(&fill, &geometry.corners(column, row), false);
                } else {
                    canvas.rectangle(&fill, [x - cell * 0.48, y - cell * 0.48], [cell * 0.96, cell * 0.96]);
                }
                if readable && piece.is_none() {
                    canvas.text(&ink, [x, y + 4.0], Anchor::Middle, &texts[place]);
                }
            }
            if let Some(piece) = piece {
                let class = if piece.owner == Player::First { "black" } else { "white" };
                canvas.circle(class, [x, y], cell * if geometry.shape == BoardShape::Crossings { 0.45 } else { 0.38 });
            }
        }
    }

    fn in_words(&self, colours: &Colours) -> String {
        let name = |place: usize| {
            let (column, row) = (place % self.board.columns.len(), place / self.board.columns.len());
            format!("{}{}", self.board.columns[column], self.board.rows[row])
        };
        let mut known: Vec<(usize, f64)> =
            self.values.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?))).collect();
        known.sort_by(|one, other| other.1.total_cmp(&one.1));
        let greatest: Vec<String> =
            known.iter().take(3).map(|(place, value)| format!("{} {}", name(*place), colours.text(*value))).collect();
        let size = format!("{} by {}", self.board.columns.len(), self.board.rows.len());
        format!("A board of {size} points, {} with a number; the greatest are {}.", known.len(), greatest.join(", "))
    }
}

/// The empty board.
fn ground(canvas: &mut Canvas, geometry: &Geometry) {
    let (columns, rows, cell) = (geometry.columns, geometry.rows, geometry.cell);
    let ([left, top], [right, bottom]) = (geometry.middle(0, 0), geometry.middle(columns - 1, rows - 1));
    let half = cell / 2.0;
    let corner = [left - half, top - half];
    let size = [right - left + cell, bottom - top + cell];
    match geometry.shape {
        BoardShape::Hexagons => {
            for row in 0..rows {
                for column in 0..columns {
                    canvas.path("board-hex", &geometry.corners(column, row), false);
                }
            }
            sides(canvas, geometry);
        }
        BoardShape::Crossings | BoardShape::River => {
            canvas.rectangle("board-go", corner, size);
            for column in 0..columns {
                let x = geometry.middle(column, 0)[0];
                canvas.line("board-line", [x, top], [x, bottom]);
            }
            for row in 0..rows {
                let y = geometry.middle(0, row)[1];
                canvas.line("board-line", [left, y], [right, y]);
            }
        }
        BoardShape::Cells | BoardShape::Text => {
            canvas.rectangle("board-plain", corner, size);
            for column in 0..=columns {
                let x = left - half + cell * column as f64;
                canvas.line("board-line", [x, corner[1]], [x, corner[1] + size[1]]);
            }
            for row in 0..=rows {
                let y = top - half + cell * row as f64;
                canvas.line("board-line", [corner[0], y], [corner[0] + size[0], y]);
            }
        }
    }
}

/// The sides of Hex: black above and below, white left and right.
fn sides(canvas: &mut Canvas, geometry: &Geometry) {
    let (last_column, last_row) = (geometry.columns - 1, geometry.rows - 1);
    let above = (0..=last_column).flat_map(|column| {
        let corners = geometry.corners(column, 0);
        [corners[5], corners[0], corners[1]]
    });
    let below = (0..=last_column).flat_map(|column| {
        let corners = geometry.corners(column, last_row);
        [corners[4], corners[3], corners[2]]
    });
    let before = (0..=last_row).flat_map(|row| {
        let corners = geometry.corners(0, row);
        [corners[5], corners[4], if row == last_row { corners[4] } else { corners[3] }]
    });
    let behind = (0..=last_row).flat_map(|row| {
        let corners = geometry.corners(last_column, row);
        [if row == 0 { corners[1] } else { corners[0] }, corners[1], corners[2]]
    });
    for side in [before.collect::<Vec<_>>(), behind.collect()] {
        canvas.path("side-white-edge", &side, true);
        canvas.path("side-white", &side, true);
    }
    for side in [above.collect::<Vec<_>>(), below.collect()] {
        canvas.path("side-black-edge", &side, true);
        canvas.path("side-black", &side, true);
    }
}
