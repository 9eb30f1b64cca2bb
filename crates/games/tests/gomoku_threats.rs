//! The threats of Gomoku, kept move by move, against the definitions.

use crate::slow_gomoku::{Board, DIRECTIONS, letter, point};
use std::collections::HashMap;
use tesuji_core::{Notation, Player, Position, Rng, Seed};
use tesuji_games::gomoku::{ContinuousThreats, Gomoku, Point, Rule, Shape, Threats, VctLimits};
use tesuji_testing::{setting, sized};

/// Whole lines of any length, without memory: that five points to either side are enough, and that
/// the table is right.
#[test]
fn shapes_are_those_of_the_definitions_on_whole_lines() {
    let mut rng = Rng::new(Seed(1));
    let mut seen = [[0_u32; Shape::COUNT]; 3];
    for number in 0..setting("TESUJI_LINES", 600) {
        let rule = Rule::ALL[number % 3];
        let size = 5 + rng.below(21) as usize;
        // One side dense, the other sparse, so that long rows appear.
        let (dense, sparse) = (rng.below(60), rng.below(20));
        let mut stones = Vec::new();
        for column in 0..size {
            let drawn = rng.below(100);
            if drawn < dense {
                stones.push((Point::new(column as u8, 0), Player::BOTH[number % 2]));
            } else if drawn < dense + sparse {
                stones.push((Point::new(column as u8, 0), Player::BOTH[1 - number % 2]));
            }
        }
        let position = Gomoku::set_up(size, rule, stones, Player::First).expect("a position");
        let (board, threats) = (Board::of(&position), Threats::new(&position));
        for column in (0..size as i32).filter(|column| board.get((*column, 0)) == '.') {
            for player in Player::BOTH {
                let shape = threats.shapes(player, point((column, 0)))[0];
                let judged = board.shape((column, 0), (1, 0), letter(player));
                assert_eq!(shape, judged, "{rule} {player} {column} {:?}", board.whole_line((0, 0), (1, 0)).0);
                seen[number % 3][judged as usize] += 1;
            }
        }
    }
    for shape in Shape::ALL {
        assert!(seen[0][shape as usize] > 0 || shape == Shape::Overline, "freestyle never saw {shape:?}");
        assert!(seen[1][shape as usize] > 0, "standard never saw {shape:?}");
    }
}

/// The definition, remembered by the eleven points around (the test above shows that these decide).
#[derive(Default)]
struct Judge {
    known: HashMap<(Vec<char>, char, bool), Shape>,
}

impl Judge {
    fn shape(&mut self, board: &Board, (column, row): (i32, i32), (dx, dy): (i32, i32), stone: char) -> Shape {
        let window: Vec<char> = (-5..=5).map(|k| board.get((column + k * dx, row + k * dy))).collect();
        let key = (window, stone, board.exact(stone));
        *self.known.entry(key).or_insert_with(|| board.shape((column, row), (dx, dy), stone))
    }

    /// Everything that `Threats` tells, told by the definition.
    fn check(&mut self, threats: &Threats, board: &Board) {
        for player in Player::BOTH {
            let mut counts = [0; Shape::COUNT];
            for cell in board.all() {
                let empty = board.get(cell) == '.';
                let shapes = DIRECTIONS.map(|direction| {
                    if empty { self.shape(board, cell, direction, letter(player)) } else { Shape::Nothing }
                });
                assert_eq!(threats.shapes(player, point(cell)), shapes, "{player} {cell:?}");
                let best = shapes.into_iter().max().expect("four shapes");
                assert_eq!(threats.best(player, point(cell)), best);
                counts[best as usize] += u32::from(empty);
            }
            for shape in Shape::ALL {
                assert_eq!(threats.count(player, shape), counts[shape as usize], "{player} {shape:?}");
                assert_eq!(threats.points(player, shape).count(), counts[shape as usize] as usize);
            }
        }
    }
}

/// Random walks, moves played and taken back; every position is compared with the definition.
fn walk(positions: usize) {
    let mut rng = Rng::new(Seed(3));
    let mut judge = Judge::default();
    let mut checked = 0;
    for game in 0.. {
        let rule = Rule::ALL[game % 3];
        let size = [15, 9, 6, 19, 13, 5, 15][game % 7];
        let start = Gomoku::new(size, rule).expect("a board");
        let mut threats = Threats::new(&start);
        let mut board = Board::new(size, rule);
        let mut played: Vec<(Point, Player)> = Vec::new();
        // Stones of any colour on any point, so that dense boards with long rows are seen too.
        for _ in 0..3 * size * size / 2 {
            let back = !played.is_empty() && (rng.below(4) == 0 || played.len() == size * size);
            if back {
                let (last, player) = played.pop().expect("just seen");
                threats.undo(last, player);
                board.put((last.column() as i32, last.row() as i32), '.');
            } else {
                let empty: Vec<Point> =
                    board.all().into_iter().filter(|cell| board.get(*cell) == '.').map(point).collect();
                let next = empty[rng.below(empty.len() as u32) as usize];
                let player = Player::BOTH[usize::from(rng.below(10) < 4)];
                threats.play(next, player);
                board.put((next.column() as i32, next.row() as i32), letter(player));
                played.push((next, player));
            }
            judge.check(&threats, &board);
            checked += 1;
            if checked == positions {
                return;
            }
        }
        let position = Gomoku::set_up(size, rule, played, Player::First).expect("a position");
        assert_eq!(threats, Threats::new(&position));
    }
}

#[test]
fn threats_are_those_of_the_definitions() {
    walk(setting("TESUJI_THREAT_POSITIONS", sized(2_000, 100_000)));
}

/// Beside a game: equal to a fresh count after every move and every move taken back.
#[test]
fn threats_follow_a_game_and_back() {
    let mut rng = Rng::new(Seed(9));
    for rule in Rule::ALL {
        let mut position = Gomoku::new(15, rule).expect("a board");
        let mut threats = Threats::new(&position);
        let mut history = vec![threats.clone()];
        let mut moves = Vec::new();
        while position.outcome().is_none() {
            let (mv, mover) = (position.random_move(&mut rng).expect("a move"), position.turn());
            position.play(mv);
            threats.play(mv, mover);
            assert_eq!(threats, Threats::new(&position));
            history.push(threats.clone());
            moves.push((mv, mover));
        }
        while let Some((mv, mover)) = moves.pop() {
            assert_eq!(Some(&threats), history.pop().as_ref());
            threats.undo(mv, mover);
        }
        assert_eq!(Some(&threats), history.last());
    }
}

/// A three does not threaten a defender who wins by fours first; any other defender must answer.
#[test]
fn fours_come_before_threes() {
    let point = |text: &str| Gomoku::new(15, Rule::Freestyle).expect("a board").read_move(text).expect("a point");
    let winner_after = |others: &[&str]| {
        let own = ["h8", "i8", "j8"].map(|text| (point(text), Player::First));
        let others = others.iter().map(|text| (point(text), Player::Second));
        let position =
            Gomoku::set_up(15, Rule::Freestyle, own.into_iter().chain(others), Player::Second).expect("stones");
        let (mut moves, mut numbers) = (Vec::new(), Vec::new());
        let mut knowledge = ContinuousThreats::new(VctLimits::default());
        (knowledge.advise(&position, Player::First, &mut moves, &mut numbers), moves)
    };
    assert_eq!(winner_after(&["c3", "c4", "c5"]).0, Some(Player::Second), "a straight four comes first");
    let (winner, moves) = winner_after(&["c3", "c4"]);
    assert_eq!(winner, None);
    assert!(moves.contains(&point("g8")) && moves.contains(&point("k8")) && !moves.contains(&point("c5")), "{moves:?}");
}
