//! What renju forbids: diagrams, the slow judge, published cases.

use crate::slow_gomoku::{Board, point};
use tesuji_core::{Notation, Outcome, Player, Position, Rng, Seed};
use tesuji_games::gomoku::Forbidden::{DoubleFour, DoubleThree, Overline};
use tesuji_games::gomoku::{Forbidden, Gomoku, Point, Rule, Shape, Threats};
use tesuji_testing::{Known, parse, public, setting};

/// A diagram: rows from the top with X, O, '.', and '*' for the point in question, which is put on
/// h8 unless `at` says where.
struct Diagram {
    name: &'static str,
    rows: &'static [&'static str],
    at: (i32, i32),
    forbidden: Option<Forbidden>,
}

const MIDDLE: (i32, i32) = (7, 7);

const fn middle(name: &'static str, forbidden: Option<Forbidden>, rows: &'static [&'static str]) -> Diagram {
    Diagram { name, rows, at: MIDDLE, forbidden }
}

const fn placed(
    name: &'static str,
    at: (i32, i32),
    forbidden: Option<Forbidden>,
    rows: &'static [&'static str],
) -> Diagram {
    Diagram { name, rows, at, forbidden }
}

#[rustfmt::skip]
const DIAGRAMS: &[Diagram] = &[
    // Double threes.
    middle("two unbroken threes", Some(DoubleThree), &["..X", "..X", "XX*"]),
    middle("two broken threes", Some(DoubleThree), &["...X", "...X", "....", "XX.*"]),
    middle("broken on the other side", Some(DoubleThree), &["X....", ".X...", ".....", "...*.XX"]),
    middle("in the middle of both", Some(DoubleThree), &[".X.", "X*X", ".X."]),
    middle("on the diagonals", Some(DoubleThree), &["X...X", ".X.X.", "..*.."]),
    middle("three threes", Some(DoubleThree), &["X.X", ".XX", "XX*"]),
    middle("one of them closed by White", None, &["..X.", "..X.", "XX*O"]),
    middle("one of them closed on the other side", None, &["...X.", "...X.", "OXX*."]),
    middle("one without room: five points between White's", None, &["....X..", "....X..", "O.XX*.O"]),
    middle("room for six: a three after all", Some(DoubleThree), &[".....X..", ".....X..", "O..XX*.O"]),
    placed("against the edge with one point behind", (3, 7), Some(DoubleThree), &["..X", "..X", "XX*"]),
    placed("on the edge", (2, 7), None, &["..X", "..X", "XX*"]),
    placed("in the corner", (0, 0), None, &["X..", "X..", "*XX"]),
    middle("overlines on both sides leave no straight four", None, &[".....X", ".....X", "X..XX*..X"]),
    middle("an overline on one side only", Some(DoubleThree), &[".....X", ".....X", "X..XX*..."]),
    // Fours.
    middle("two unbroken fours", Some(DoubleFour), &["...X", "...X", "...X", "XXX*"]),
    middle("both closed at one end", Some(DoubleFour), &["....O", "....X", "....X", "....X", "OXXX*"]),
    middle("a broken and a closed one", Some(DoubleFour), &["...X.", "...X.", "...X.", "X.X*X"]),
    middle("two in one line, three in the middle", Some(DoubleFour), &["X.X*X.X"]),
    middle("two in one line, pairs", Some(DoubleFour), &["XX.X*.XX"]),
    middle("two in one line, one in the middle", Some(DoubleFour), &["XXX.*.XXX"]),
    middle("a straight four is one four", None, &["XXX*"]),
    middle("a four and a three", None, &["...X", "...X", "XXX*"]),
    middle("a four and two threes", Some(DoubleThree), &["....X.X", ".....XX", "...XXX*"]),
    middle("a dead four is none", None, &["....X.", "....X.", "....X.", "OXXX*O"]),
    middle("a four that can only become six is none", None, &[".....X..", ".....X..", ".....X..", "X.XXX*.X"]),
    // Overlines and fives.
    middle("six", Some(Overline), &["XXX*XX"]),
    middle("seven", Some(Overline), &["XXX*XXX"]),
    middle("nine", Some(Overline), &["XXXX*XXXX"]),
    middle("five", None, &["XX*XX"]),
    middle("five beats six", None, &["..X", "..X", "..X", "..X", "XX*XXX"]),
    middle("five beats two fours", None, &["X...X", "X..X.", "X.X..", "XX...", "*XXXX"]),
    // Threes that are none because the straight four is forbidden.
    middle("the straight four would be an overline", None, &[
        "...XX..",
        "...XX..",
        "...X...",
        ".XX.*..",
        "...X...",
        "...X...",
    ]),
    middle("the straight four would be a double four", None, &[
        "...XX..",
        "...XX..",
        "...X...",
        ".XX.*..",
    ]),
    middle("that second four is dead", Some(DoubleThree), &[
        "...O...",
        "...XX..",
        "...XX..",
        "...X...",
        ".XX.*..",
        "...O...",
    ]),
    middle("the straight four would be five at the same time", None, &[
        "...X...",
        "...XX..",
        "...XX..",
        "...X...",
        ".XX.*..",
    ]),
    middle("the straight four would be a double three", None, &[
        "....XX.",
        "..X.XX.",
        "...X...",
        "..XX.*.",
    ]),
    middle("that double three is false in turn", Some(DoubleThree), &[
        ".O..XX.",
        "..X.XX.",
        "...X...",
        "..XX.*.",
    ]),
];

impl Diagram {
    fn board(&self) -> (Board, (i32, i32)) {
        let mut board = Board::new(15, Rule::Renju);
        let star = self.rows.iter().enumerate().find_map(|(down, row)| Some((row.find('*')? as i32, down as i32)));
        let (across, down) = star.unwrap_or_else(|| panic!("{}: no star", self.name));
        for (y, row) in self.rows.iter().enumerate() {
            for (x, stone) in row.chars().enumerate().filter(|(_, stone)| "XO".contains(*stone)) {
                board.put((self.at.0 + x as i32 - across, self.at.1 + down - y as i32), stone);
            }
        }
        (board, self.at)
    }
}

fn position(board: &Board, turn: Player) -> Gomoku {
    let stones = board.all().into_iter().filter_map(|cell| match board.get(cell) {
        'X' => Some((point(cell), Player::First)),
        'O' => Some((point(cell), Player::Second)),
        _ => None,
    });
    Gomoku::set_up(board.size as usize, board.rule, stones, turn).expect("a position")
}

/// The eight pictures of a board.
fn turned(board: &Board, (column, row): (i32, i32), symmetry: u32) -> (Board, (i32, i32)) {
    let last = board.size - 1;
    let turn = |(x, y): (i32, i32)| {
        let (x, y) = if symmetry & 1 == 1 { (last - x, y) } else { (x, y) };
        let (x, y) = if symmetry & 2 == 2 { (x, last - y) } else { (x, y) };
        if symmetry & 4 == 4 { (y, x) } else { (x, y) }
    };
    let mut other = Board::new(board.size as usize, board.rule);
    for cell in board.all() {
        other.put(turn(cell), board.get(cell));
    }
    (other, turn((column, row)))
}

#[test]
fn diagrams() {
    for diagram in DIAGRAMS {
        let (board, at) = diagram.board();
        assert_eq!(board.forbidden(at), diagram.forbidden, "{}: the slow judge", diagram.name);
        for symmetry in 0..8 {
            let (board, at) = turned(&board, at, symmetry);
            let black = position(&board, Player::First);
            let seen = format!("{}\n{}", diagram.name, black.view());
            assert_eq!(black.forbidden(point(at)), diagram.forbidden, "{seen}");
            assert_eq!(black.forbidden_points().contains(&point(at)), diagram.forbidden.is_some(), "{seen}");
            if black.outcome().is_none() {
                assert_eq!(black.is_legal(point(at)), diagram.forbidden.is_none(), "{seen}");
                assert_eq!(black.moves().contains(&point(at)), diagram.forbidden.is_none(), "{seen}");
                assert!(position(&board, Player::Second).is_legal(point(at)), "White may: {seen}");
            }
            for rule in [Rule::Freestyle, Rule::Standard] {
                let free = position(&Board { rule, ..board.clone() }, Player::First);
                assert!(free.forbidden_points().is_empty());
                assert!(free.outcome().is_some() || free.is_legal(point(at)), "{seen}");
            }
        }
    }
    assert!(DIAGRAMS.len() >= 20);
}

/// Boards with far more black stones than a game would have, so that everything happens, on every
/// point.
#[test]
fn the_slow_judge_agrees_on_crowded_boards() {
    let mut rng = Rng::new(Seed(11));
    let mut seen = [0; 3];
    for _ in 0..setting("TESUJI_RENJU_BOARDS", 150) {
        let (black, white) = (10 + rng.below(30), rng.below(20));
        let size = [15, 11, 8][rng.below(3) as usize];
        let mut board = Board::new(size, Rule::Renju);
        for cell in board.all() {
            match rng.below(100) {
                drawn if drawn < black => board.put(cell, 'X'),
                drawn if drawn < black + white => board.put(cell, 'O'),
                _ => {}
            }
        }
        let fast = position(&board, Player::First);
        for cell in board.all() {
            let judged = board.forbidden(cell);
            assert_eq!(fast.forbidden(point(cell)), judged, "{cell:?}\n{}", fast.view());
            if let Some(why) = judged {
                seen[why as usize] += 1;
            }
        }
    }
    assert!(seen.into_iter().all(|count| count > 50), "{seen:?}");
}

/// A point as the file writes it: rows counted from the top there.
fn from_the_top(text: &str) -> Point {
    let (column, row) = text.split_at(1);
    Point::new(column.as_bytes()[0] - b'A', 15 - row.parse::<u8>().expect("a row"))
}

#[test]
fn published_rule_cases() {
    let Some(text) = public("gomoku/renju_rule_cases.jsonl") else { return };
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case = parse(line);
        let id = case.entry("id").text();
        let mut board = Board::new(15, Rule::Renju);
        for (down, row) in case.entry("board").text().lines().enumerate() {
            for (column, stone) in row.chars().enumerate() {
                board.put((column as i32, 14 - down as i32), stone);
            }
        }
        let side = if case.entry("side").text() == "black" { Player::First } else { Player::Second };
        let position = position(&board, side);
        let threats = Threats::new(&position);
        let forbidden: Vec<Point> = case.entry("forbidden_moves").texts().into_iter().map(from_the_top).collect();
        assert!(forbidden.iter().all(|point| position.forbidden_points().contains(point)), "{id}");
        assert!(!id.contains("forbidden") || position.forbidden_points() == forbidden, "{id}");
        let best: Vec<Point> = case.entry("best_moves").texts().into_iter().map(from_the_top).collect();
        let wins = case.entry("tags").texts().contains(&"win");
        for point in &best {
            assert_eq!(threats.best(side, *point) == Shape::Five, wins, "{id}");
            assert!(side == Player::Second || position.forbidden(*point).is_none(), "{id}");
            if position.outcome().is_none() {
                let mut next = position;
                assert!(next.is_legal(*point), "{id}");
                next.play(*point);
                assert_eq!(next.outcome(), wins.then(|| Outcome::won_by(side)), "{id}");
            }
        }
        if case.entry("tags").texts().contains(&"must_block") {
            assert_eq!(threats.points(side.other(), Shape::Five).collect::<Vec<_>>(), best, "{id}");
        }
        count += 1;
    }
    assert_eq!(count, 8);
}

/// Problems of continuous fours and threes: the lines printed for them can be played.
#[test]
fn published_problems_load_and_their_lines_are_legal() {
    let Some(text) = public("gomoku/renju_vcf_vct.json") else { return };
    let problems = parse(&text);
    let mut lines = 0;
    for problem in problems.list() {
        let name = problem.entry("name").text();
        let attacker = if problem.entry("attacker").text() == "black" { Player::First } else { Player::Second };
        let mut board = Board::new(15, Rule::Renju);
        for (down, row) in problem.entry("board_rows_top_15_to_1").texts().into_iter().enumerate() {
            for (column, stone) in row.chars().enumerate() {
                // The file draws Black as o and White as x.
                let stone = match stone {
                    'o' => 'X',
                    'x' => 'O',
                    empty => empty,
                };
                board.put((column as i32, 14 - down as i32), stone);
            }
        }
        let start = position(&board, attacker);
        assert_eq!(start.outcome(), None, "{name}");
        for case in problem.entry("cases").list() {
            let Some(line) = case.entry("result").text().strip_prefix("win ") else { continue };
            let (mut position, mut threats) = (start, Threats::new(&start));
            for text in line.split(',') {
                let mv = position.read_move(text).unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
                threats.play(mv, position.turn());
                position.play(mv);
            }
            // The line ends with the attacker's move, which threatens to win.
            assert_eq!(position.turn(), attacker.other(), "{name}");
            assert_eq!(threats, Threats::new(&position));
            assert!(
                threats.count(attacker, Shape::Five) > 0 || threats.count(attacker, Shape::OpenFour) > 0,
                "{name}: {line}"
            );
            lines += 1;
        }
    }
    assert!(lines > 30, "{lines}");
}
