//! Random changes of a problem.

use tesuji_core::{Player, Position, Rng};
use tesuji_games::goproblem::{GoProblem, Place, Problem, Site};

/// Empty feasible points.
const OPEN: std::ops::RangeInclusive<usize> = 6..=14;

/// The problem after random changes; nothing if it is not consistent, or has ended.
pub fn altered(start: &Problem, steps: u32, rng: &mut Rng) -> Option<Problem> {
    let mut problem = start.clone();
    problem.answer.clear();
    problem.value = None;
    for _ in 0..steps {
        alter(&mut problem, rng);
    }
    let open = problem.places_where(|site| site.feasible && site.stone.is_none()).len();
    if problem.sites == start.sites || !OPEN.contains(&open) {
        return None;
    }
    let position = GoProblem::new(problem.clone()).ok()?;
    problem.check().ok()?;
    position.outcome().is_none().then_some(problem)
}

/// One change: another stone or none on a feasible point, or the wall moved by one point.
fn alter(problem: &mut Problem, rng: &mut Rng) {
    let feasible = problem.places_where(|site| site.feasible);
    if feasible.is_empty() {
        return;
    }
    let place = feasible[rng.below(feasible.len() as u32) as usize];
    let defender = problem.mode.defender();
    match rng.below(8) {
        0..=4 => {
            let stone = match rng.below(3) {
                0 => None,
                1 => Some(Player::First),
                _ => Some(Player::Second),
            };
            let important = stone == Some(defender) && beside(problem, place).any(|next| problem.site(next).important);
            *problem.site_mut(place) = Site { stone, feasible: true, important, alive: false };
        }
        5 | 6 => {
            // A stone of the wall beside the region becomes part of it, and its outer neighbours the wall.
            let wall: Vec<Place> = beside(problem, place)
                .filter(|next| !problem.site(*next).feasible && problem.site(*next).stone.is_some())
                .collect();
            if wall.is_empty() {
                return;
            }
            let moved = wall[rng.below(wall.len() as u32) as usize];
            let stone = problem.site(moved);
            let outer: Vec<Place> = beside(problem, moved)
                .filter(|next| !problem.site(*next).feasible && problem.site(*next).stone.is_none())
                .collect();
            for next in outer {
                *problem.site_mut(next) = Site { important: false, ..stone };
            }
            let kept = if rng.below(2) == 0 { None } else { stone.stone };
            *problem.site_mut(moved) = Site { stone: kept, feasible: true, important: false, alive: false };
        }
        _ => {
            // A point beside the wall becomes wall.
            let wall = beside(problem, place).find(|next| !problem.site(*next).feasible);
            if let Some(wall) = wall.map(|wall| problem.site(wall)).filter(|site| site.stone.is_some()) {
                *problem.site_mut(place) = Site { important: false, ..wall };
            }
        }
    }
}

/// The neighbours of a point.
fn beside(problem: &Problem, place: Place) -> impl Iterator<Item = Place> + use<> {
    let size = problem.size;
    [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(move |(down, right)| {
        let row = place.row.checked_add_signed(down)?;
        let column = place.column.checked_add_signed(right)?;
        (row < size && column < size).then_some(Place { row, column })
    })
}
