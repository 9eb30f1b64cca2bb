//! Gomoku: the laws, the slow judge, bad input, known positions.

use crate::slow_gomoku::{Board, letter, point};
use proptest::prelude::*;
use tesuji_core::conformance::Kit;
use tesuji_core::{Budget, Notation, Outcome, Player, Position, Rng, Seed, perft};
use tesuji_games::gomoku::{Gomoku, GomokuError, Point, Rule, SetupError, Threats};
use tesuji_testing::{Json, Known, parse, vendored};

fn board(size: usize, rule: Rule) -> Gomoku {
    Gomoku::new(size, rule).expect("a board")
}

fn play(position: &mut Gomoku, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{error}"));
        position.play(mv);
    }
}

fn conforms(size: usize, rule: Rule, kit: &Kit) {
    kit.check(&board(size, rule)).unwrap_or_else(|violation| panic!("{rule} {size}: {violation}"));
}

#[test]
fn keeps_the_laws_freestyle() {
    conforms(15, Rule::Freestyle, &Kit { games: 5, samples: 4_000, sampled_positions: 3, ..Kit::default() });
    for size in [5, 6, 7, 25] {
        conforms(size, Rule::Freestyle, &Kit { games: 3, samples: 2_000, sampled_positions: 2, ..Kit::default() });
    }
}

#[test]
fn keeps_the_laws_standard() {
    for size in [5, 6, 7, 9, 15] {
        conforms(size, Rule::Standard, &Kit { games: 5, samples: 2_000, sampled_positions: 4, ..Kit::default() });
    }
}

#[test]
fn keeps_the_laws_renju() {
    for size in [5, 6, 7, 9, 15] {
        conforms(size, Rule::Renju, &Kit { games: 3, samples: 1_000, sampled_positions: 3, ..Kit::default() });
    }
}

/// Standard playouts must not count a row that was born too long; on small full boards that happens
/// often.
#[test]
fn playouts_from_crowded_boards_are_fair() {
    let mut rng = Rng::new(Seed(5));
    for rule in Rule::ALL {
        for size in [7, 8] {
            for _ in 0..3 {
                let mut position = board(size, rule);
                for _ in 0..size * size / 3 {
                    let mut next = position;
                    next.play(next.random_move(&mut rng).expect("not ended"));
                    if next.outcome().is_none() {
                        position = next;
                    }
                }
                let kit = Kit { games: 3, samples: 4_000, sampled_positions: 2, ..Kit::default() };
                kit.check(&position).unwrap_or_else(|violation| panic!("{rule} {size}: {violation}"));
            }
        }
    }
}

/// Random games move by move against the slow judge: legal moves, winners, winning rows.
#[test]
fn the_slow_judge_agrees_on_random_games() {
    let mut rng = Rng::new(Seed(7));
    let mut seen = [0; 3];
    for game in 0..tesuji_testing::setting("TESUJI_JUDGE_GAMES", 28) {
        let rule = Rule::ALL[game % 3];
        let size = [5, 6, 8, 15, 15, 19, 25][game % 7];
        let mut position = board(size, rule);
        let mut slow = Board::new(size, rule);
        loop {
            let stuck = slow
                .all()
                .into_iter()
                .filter(|cell| slow.get(*cell) == '.')
                .all(|cell| position.turn() == Player::First && slow.forbidden(cell).is_some());
            assert_eq!(stuck, position.outcome().is_some());
            if stuck {
                assert_eq!(position.outcome(), Some(Outcome::DRAW));
                seen[2] += 1;
                break;
            }
            for cell in slow.all() {
                let forbidden = slow.forbidden(cell);
                assert_eq!(position.forbidden(point(cell)), forbidden, "{:?}\n{}", cell, position.view());
                let free = slow.get(cell) == '.' && (position.turn() == Player::Second || forbidden.is_none());
                assert_eq!(position.is_legal(point(cell)), free, "{cell:?}\n{}", position.view());
            }
            let mover = position.turn();
            let mv = position.random_move(&mut rng).expect("a move");
            let cell = (mv.column() as i32, mv.row() as i32);
            slow.put(cell, letter(mover));
            position.play(mv);
            if slow.wins(cell) {
                assert_eq!(position.outcome(), Some(Outcome::won_by(mover)));
                let row = position.winning_line().expect("a row");
                assert!(row.contains(&mv) && row.iter().all(|stone| position.stone(*stone) == Some(mover)));
                assert!(row.len() >= 5 && (rule != Rule::Standard || row.len() == 5));
                seen[mover.index()] += 1;
                break;
            }
            if position.outcome().is_some() {
                assert_eq!(position.winning_line(), None);
            }
        }
    }
    assert!(seen[0] > 2 && seen[1] > 2, "{seen:?}");
}

/// No game of so few moves ends: n (n−1) … sequences.
#[test]
fn perft_is_a_falling_factorial_at_first() {
    for rule in Rule::ALL {
        let counted = perft(&board(7, rule), 4, &mut Budget::unlimited().meter()).per_depth;
        assert_eq!(counted, [49, 49 * 48, 49 * 48 * 47, 49 * 48 * 47 * 46]);
    }
}

/// Rows of five, six and more, per rule.
#[test]
fn which_rows_win() {
    // Black is to close a row of four at f8 into five, or to join two and three into six at f5.
    let start = "e8 a1 g8 a3 h8 a5 i8 a7   c5 a9 d5 a11 e5 a13 g5 a15 h5 c15";
    for (rule, five, six) in [(Rule::Freestyle, true, true), (Rule::Standard, true, false), (Rule::Renju, true, false)]
    {
        for (last, wins) in [("f8", five), ("f5", six)] {
            let mut position = board(15, rule);
            play(&mut position, start);
            if rule == Rule::Renju && last == "f5" {
                let error = position.read_move(last).expect_err("an overline").to_string();
                assert_eq!(error, "the move f5 is not legal here: it makes an overline, which renju forbids to Black");
                continue;
            }
            play(&mut position, last);
            assert_eq!(position.outcome().is_some(), wins, "{rule} {last}");
            assert_eq!(position.winning_line().is_some(), wins);
        }
    }
    // White joins two and three.
    let start = "a1 c5 a3 d5 a5 e5 a7 g5 a9 h5 a11";
    for (rule, wins) in [(Rule::Freestyle, true), (Rule::Standard, false), (Rule::Renju, true)] {
        let mut position = board(15, rule);
        play(&mut position, start);
        play(&mut position, "f5");
        assert_eq!(position.outcome(), wins.then(|| Outcome::won_by(Player::Second)), "{rule}");
        if wins {
            let row = position.winning_line().expect("a row");
            let names: Vec<String> = row.into_iter().map(|point| position.show_move(point)).collect();
            assert_eq!(names, ["c5", "d5", "e5", "f5", "g5", "h5"]);
            assert!(
                position.view().to_string().ends_with("White has won\nRow: c5 d5 e5 f5 g5 h5"),
                "{}",
                position.view()
            );
        }
    }
}

#[test]
fn a_full_board_is_a_draw() {
    let text = "XXOOX OOXXO XXOOX OOXXO XXOOX".replace(' ', "");
    for rule in Rule::ALL {
        let position = board(5, rule).with_text(&text).expect("a position");
        assert_eq!(position.outcome(), Some(Outcome::DRAW));
        assert_eq!(position.move_count(), 0);
    }
}

/// Black is to move and the only empty point would be an overline: a pass is not a move, so it is a
/// draw.
#[test]
fn black_without_a_legal_move_draws() {
    let set_up = |rows: [&str; 6], turn: Player| {
        let stones = rows.into_iter().enumerate().flat_map(|(down, row)| {
            row.chars().enumerate().filter(|(_, stone)| *stone != '.').map(move |(column, stone)| {
                let player = if stone == 'X' { Player::First } else { Player::Second };
                (Point::new(column as u8, 5 - down as u8), player)
            })
        });
        Gomoku::set_up(6, Rule::Renju, stones, turn).expect("a position")
    };
    let stuck = set_up(["XXX.XX", "OOXXOO", "XXOOXX", "OOXXOO", "XXOOXX", "OOXXOO"], Player::First);
    assert_eq!(stuck.forbidden_points(), [Point::new(3, 5)]);
    assert_eq!((stuck.outcome(), stuck.move_count()), (Some(Outcome::DRAW), 0));
    // White's last move leads there, or White plays on Black's point and Black fills the other one.
    let mut before = set_up(["XXX.XX", ".OXXOO", "XXOOXX", "OOXXOO", "XXOOXX", "OOXXOO"], Player::Second);
    assert_eq!(before.outcome(), None);
    let kit = Kit { games: 4, samples: 200, sampled_positions: 2, ..Kit::default() };
    kit.check(&before).unwrap_or_else(|violation| panic!("{violation}"));
    play(&mut before, "a5");
    assert_eq!(before, stuck);
}

#[test]
fn equal_positions_by_any_order() {
    let (mut one, mut two) = (board(15, Rule::Freestyle), board(15, Rule::Freestyle));
    play(&mut one, "h8 i9 j7 a1");
    play(&mut two, "j7 a1 h8 i9");
    assert_eq!((one, one.hash()), (two, two.hash()));
    assert_eq!(size_of::<Gomoku>(), 216);
}

#[test]
fn bad_input_gets_one_clear_line() {
    assert_eq!(Gomoku::new(4, Rule::Renju), Err(GomokuError::Size { size: 4 }));
    assert_eq!(
        Gomoku::new(26, Rule::Renju).expect_err("too large").to_string(),
        "a Gomoku board has 5 to 25 rows, not 26"
    );
    assert!("caro".parse::<Rule>().expect_err("unknown").to_string().contains("expected freestyle, standard or renju"));
    let twice = [(Point::new(2, 2), Player::First), (Point::new(2, 2), Player::Second)];
    for stones in [twice, [(Point::new(7, 2), Player::First), (Point::new(2, 200), Player::First)]] {
        let error = Gomoku::set_up(7, Rule::Standard, stones, Player::First).expect_err("no such position").to_string();
        assert!(error.contains("off the board or on another stone"), "{error}");
    }
    let mut position = board(15, Rule::Freestyle);
    play(&mut position, "h8 i9");
    for (text, part) in [
        ("zz99", "expected a point from a1 to o15"),
        ("h8", "there is a stone already"),
        ("p1", "off the board"),
        ("a16", "off the board"),
        ("", "cannot read"),
        ("h08", "cannot read"),
        ("8h", "cannot read"),
    ] {
        let error = position.read_move(text).expect_err(text).to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
    }
    assert_eq!(position.read_move("I10"), Ok(Point::new(8, 9)));
    play(&mut position, "h9 a1 h10 a2 h11 a3 h12");
    assert!(position.read_move("o15").expect_err("ended").to_string().contains("the game has ended"));
    let empty = board(5, Rule::Freestyle);
    assert!(matches!(empty.with_text("X"), Err(SetupError::Length { expected: 25, found: 1 })));
    let text = format!("XXXXX{}", ".".repeat(20));
    assert!(matches!(empty.with_text(&text), Err(SetupError::Counts { first: 5, second: 0 })));
    let text = format!("XXXXXOOOOO{}", ".".repeat(15));
    assert!(matches!(empty.with_text(&text), Err(SetupError::Winner { winner: 'X' })));
    let text = format!("XXXXXOOOO.{}", ".".repeat(15));
    assert_eq!(empty.with_text(&text).expect("Black has won").outcome(), Some(Outcome::won_by(Player::First)));
}

proptest! {
    #[test]
    fn readers_never_panic(text in any::<String>(), short in "[a-z]?[0-9]{0,3}", cells in "[XO.x]{20,30}") {
        let position = board(15, Rule::Renju);
        for text in [&text, &short] {
            if let Ok(mv) = position.read_move(text) {
                prop_assert!(position.is_legal(mv));
            }
        }
        let _ = board(5, Rule::Renju).with_text(&text);
        if let Ok(position) = board(5, Rule::Standard).with_text(&cells) {
            prop_assert_eq!(position.outcome().is_some(), position.moves().is_empty());
        }
        let _ = text.parse::<Rule>();
    }
}

/// Positions from self-play with a winning first move: they load, and the move is legal and made of
/// something.
#[test]
fn freestyle_forced_wins_load() {
    let text = vendored("gomoku/freestyle_forced_wins.jsonl");
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case = parse(line);
        assert_eq!((case.entry("rule").text(), case.entry("size")), ("freestyle", &Json::from(15)));
        let mut position = board(15, Rule::Freestyle);
        let mut threats = Threats::new(&position);
        for text in case.entry("moves").texts() {
            let (mv, mover) = (position.read_move(text).unwrap_or_else(|error| panic!("{error}")), position.turn());
            position.play(mv);
            threats.play(mv, mover);
        }
        assert_eq!(threats, Threats::new(&position));
        let side = if position.turn() == Player::First { "black" } else { "white" };
        assert_eq!(case.entry("to_move").text(), side);
        position.read_move(case.entry("first").text()).unwrap_or_else(|error| panic!("{error}"));
        count += 1;
    }
    assert_eq!(count, 30);
}
