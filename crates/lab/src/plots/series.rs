//! How curves are told apart: by colour, dash and the shape of their marks, never by colour alone.

use super::PlotError;
use super::svg::Canvas;

/// The most curves in one picture.
pub(super) const MOST: usize = 6;
/// Curves with more points than this show none of them.
const MOST_MARKS: usize = 40;

/// Refuses more curves than can be told apart, and none.
pub(super) fn check(title: &str, count: usize) -> Result<(), PlotError> {
    match count {
        0 => Err(PlotError::Empty(format!("“{title}”"))),
        _ if count > MOST => Err(PlotError::TooMany { found: count, most: MOST }),
        _ => Ok(()),
    }
}

/// The line of a curve.
pub(super) fn draw_line(canvas: &mut Canvas, series: usize, points: &[[f64; 2]]) {
    if points.len() > 1 {
        canvas.path(&format!("curve s{series}"), points, true);
    }
}

/// The marks of a curve, if they are few enough; a single point is always marked.
pub(super) fn draw_marks(canvas: &mut Canvas, series: usize, points: &[[f64; 2]]) {
    if points.len() <= MOST_MARKS {
        points.iter().for_each(|point| draw_mark(canvas, series, *point));
    }
}

/// One mark: a disc, a square, a triangle, a diamond, a triangle pointing down, a plus.
pub(super) fn draw_mark(canvas: &mut Canvas, series: usize, [x, y]: [f64; 2]) {
    let shape: &[[f64; 2]] = match series {
        1 => &[[-3.2, -3.2], [3.2, -3.2], [3.2, 3.2], [-3.2, 3.2]],
        2 => &[[0.0, -4.4], [4.2, 3.2], [-4.2, 3.2]],
        3 => &[[0.0, -4.6], [4.6, 0.0], [0.0, 4.6], [-4.6, 0.0]],
        4 => &[[0.0, 4.4], [4.2, -3.2], [-4.2, -3.2]],
        5 => &[
            [-1.4, -4.2],
            [1.4, -4.2],
            [1.4, -1.4],
            [4.2, -1.4],
            [4.2, 1.4],
            [1.4, 1.4],
            [1.4, 4.2],
            [-1.4, 4.2],
            [-1.4, 1.4],
            [-4.2, 1.4],
            [-4.2, -1.4],
            [-1.4, -1.4],
        ],
        _ => return canvas.circle(&format!("mark m{series}"), [x, y], 3.6),
    };
    let placed: Vec<[f64; 2]> = shape.iter().map(|[across, down]| [x + across, y + down]).collect();
    canvas.path(&format!("mark m{series}"), &placed, false);
}

/// The steps of a curve that keeps its height until the next point.
pub(super) fn stairs(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut path = Vec::with_capacity(2 * points.len());
    for (place, [x, y]) in points.iter().enumerate() {
        if place > 0 {
            path.push([*x, points[place - 1][1]]);
        }
        path.push([*x, *y]);
    }
    path
}
