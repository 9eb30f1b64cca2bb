//! The board of a problem as an array of points, read through the public functions of the position.

use super::super::{GoProblem, Place};
use tesuji_core::Player;

/// What the checker knows of one point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) stone: Option<Player>,
    /// Play is allowed here while it is empty.
    pub(super) feasible: bool,
    pub(super) important: bool,
    pub(super) marked_alive: bool,
    /// No stone was or can ever be put here.
    pub(super) always_empty: bool,
}

/// The whole board, row by row; points are indices.
pub(super) struct Board {
    size: usize,
    points: Vec<Point>,
}

impl Board {
    pub(super) fn new(position: &GoProblem) -> Board {
        let problem = position.problem();
        let read = |place: Place| {
            let site = problem.site(place);
            Point {
                stone: position.stone(place),
                feasible: site.feasible,
                important: position.is_important(place),
                marked_alive: position.is_marked_alive(place),
                always_empty: site.stone.is_none() && !site.feasible,
            }
        };
        Board { size: usize::from(problem.size), points: problem.places().map(read).collect() }
    }

    pub(super) fn at(&self, point: usize) -> Point {
        self.points[point]
    }

    pub(super) fn index(&self, place: Place) -> usize {
        usize::from(place.row) * self.size + usize::from(place.column)
    }

    /// The column and row of a point.
    pub(super) fn place(&self, point: usize) -> (usize, usize) {
        (point % self.size, point / self.size)
    }

    /// All points that satisfy a condition.
    pub(super) fn points_where(&self, condition: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.points.len()).filter(|point| condition(*point)).collect()
    }

    pub(super) fn neighbours(&self, point: usize) -> Vec<usize> {
        let (row, column) = (point / self.size, point % self.size);
        let mut neighbours = Vec::new();
        if row > 0 {
            neighbours.push(point - self.size);
        }
        if row + 1 < self.size {
            neighbours.push(point + self.size);
        }
        if column > 0 {
            neighbours.push(point - 1);
        }
        if column + 1 < self.size {
            neighbours.push(point + 1);
        }
        neighbours
    }

    pub(super) fn touch(&self, one: usize, two: usize) -> bool {
        self.neighbours(one).contains(&two)
    }

    pub(super) fn touches_any(&self, point: usize, points: &[usize]) -> bool {
        self.neighbours(point).iter().any(|next| points.contains(next))
    }

    /// The points that are connected with `start` by points that satisfy a condition, `start`
    /// first.
    pub(super) fn connected(&self, start: usize, condition: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found = vec![start];
        let mut next = 0;
        while next < found.len() {
            for neighbour in self.neighbours(found[next]) {
                if condition(neighbour) && !found.contains(&neighbour) {
                    found.push(neighbour);
                }
            }
            next += 1;
        }
        found
    }

    /// The chain of the stone on a point.
    pub(super) fn chain(&self, stone: usize) -> Vec<usize> {
        self.connected(stone, |point| self.points[point].stone == self.points[stone].stone)
    }
}
