//! Problems cut out of whole boards.

use tesuji_core::Player::{self, First, Second};
use tesuji_core::{Position, Rng, Seed};
use tesuji_games::go::{Go, GoRules};
use tesuji_games::goproblem::{Mode, Place, Problem, Region};

/// A board from rows of `X`, `O` and `.`, the first at the top.
fn board(rows: &[&str]) -> Go {
    let size = rows.len();
    let mut stones: Vec<(Player, usize, usize)> = Vec::new();
    for (row, line) in rows.iter().rev().enumerate() {
        for (column, letter) in line.chars().enumerate() {
            match letter {
                'X' => stones.push((First, column, row)),
                'O' => stones.push((Second, column, row)),
                _ => {}
            }
        }
    }
    Go::with_stones(GoRules::on(size), &stones, First).expect("a position")
}

/// White in the corner, closed in but for G1; a white chain with liberties elsewhere; black stones
/// far away.
fn corner() -> Go {
    board(&[
        "........X", //
        ".......XX",
        ".........",
        ".........",
        "XX.......",
        "OXXX.....",
        "OOOX.OO..",
        "..OX..OO.",
        ".OO......",
    ])
}

fn at(text: &str) -> Place {
    Place::read(text, 9).expect("a point")
}

fn empty_points(problem: &Problem) -> Vec<Place> {
    problem.places_where(|site| site.feasible && site.stone.is_none())
}

#[test]
fn the_region_is_what_is_near_and_the_rest_is_left_out() {
    let start = Region { points: 5, closed: false }.cut(&corner(), at("A4"), Mode::Kill).expect("a problem");
    let problem = start.problem();
    assert_eq!(start.turn(), First);
    // Black is to kill, so White defends; the chain of A4 is A4, A3, B3, C3, C2, C1, B1.
    assert_eq!(problem.places_where(|site| site.important).len(), 7);
    assert!(problem.places_where(|site| site.important).iter().all(|place| problem.site(*place).stone == Some(Second)));
    let points = empty_points(problem);
    assert_eq!(points.len(), 5);
    for eye in ["A1", "A2", "B2", "D1"] {
        assert!(points.contains(&at(eye)), "{eye} of {points:?}");
    }
    assert!(problem.site(at("J9")).stone.is_none(), "stones far away are not on the board");
    assert!(problem.site(at("D3")).stone == Some(First) && !problem.site(at("D3")).feasible);
}

#[test]
fn a_closed_region_gives_its_border_to_the_attacker() {
    let stones = |closed: bool| {
        let start = Region { points: 5, closed }.cut(&corner(), at("A4"), Mode::Kill).expect("a problem");
        start.problem().places_where(|site| site.stone == Some(First)).len()
    };
    assert!(stones(true) > stones(false));
    // To save them White moves first, and is Black in the problem.
    let start = Region { points: 5, closed: true }.cut(&corner(), at("A4"), Mode::Save).expect("a problem");
    assert_eq!(start.problem().site(at("A4")).stone, Some(First));
}

#[test]
fn an_empty_point_is_no_target() {
    assert!(Region { points: 5, closed: true }.cut(&corner(), at("E5"), Mode::Kill).is_none());
}

/// Whatever stands on the board: larger regions contain the smaller, within their size, and the
/// target is whole.
#[test]
fn regions_grow() {
    let mut seen = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(Seed(seed));
        let mut go = Go::new(GoRules::on(9)).expect("a board");
        for _ in 0..50 {
            go.play(go.random_move(&mut rng).expect("live"));
        }
        let board = go.board();
        let Some(stone) = board.points().find(|point| board.stone_at(*point).is_some()) else { continue };
        let (column, row) = board.column_row(stone);
        let target = Place { row: 8 - row as u8, column: column as u8 };
        for (mode, closed) in [(Mode::Kill, true), (Mode::Save, true), (Mode::Save, false)] {
            let mut before: Vec<Place> = Vec::new();
            for (region, start) in Region::growing(&go, target, mode, closed, 4..=12) {
                let points = empty_points(start.problem());
                assert!(points.len() <= region.points && before.iter().all(|place| points.contains(place)));
                assert!(start.problem().site(target).important);
                before = points;
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} problems");
}
