//! Third-party cases, read where they are present: Fuego's repetition.tst and gomill's board tests.
#![allow(clippy::print_stderr)]

use serde_json::Value as Json;
use tesuji_core::{Notation, Player, Position};
use tesuji_games::go::{Board, Go, GoMove, GoRules, KoRule, Komi, SuicideRule};
use tesuji_testing::data::public_path;

fn colour(text: &str) -> Player {
    match text {
        "b" | "B" => Player::First,
        "w" | "W" => Player::Second,
        _ => panic!("{text} is no colour"),
    }
}

/// What repetition.tst needs of an SGF file: stones set up, who begins, the moves of the only line.
#[derive(Default)]
struct Record {
    stones: Vec<(Player, usize, usize)>,
    begins: Option<Player>,
    moves: Vec<(Player, usize, usize)>,
}

/// Reads the properties of a file without variations, on a board of nine lines.
fn read_record(text: &str) -> Record {
    let place = |value: &str| {
        let letters = value.as_bytes();
        (usize::from(letters[0] - b'a'), 8 - usize::from(letters[1] - b'a'))
    };
    let mut record = Record::default();
    let mut rest = text;
    let mut name = String::new();
    while let Some(at) = rest.find('[') {
        let before: String = rest[..at].chars().filter(char::is_ascii_uppercase).collect();
        if !before.is_empty() {
            name = before;
        }
        let end = at + rest[at..].find(']').expect("the value ends");
        let value = &rest[at + 1..end];
        rest = &rest[end + 1..];
        match name.as_str() {
            "SZ" => assert_eq!(value, "9"),
            "AB" | "AW" => {
                let (column, row) = place(value);
                record.stones.push((colour(&name[1..]), column, row));
            }
            "PL" => record.begins = Some(colour(value)),
            "B" | "W" => {
                let (column, row) = place(value);
                record.moves.push((colour(&name), column, row));
            }
            _ => {}
        }
    }
    record
}

/// The position before move number `until`, under these rules.
fn replay(record: &Record, until: Option<usize>, ko: KoRule) -> Go {
    let begins = record.begins.or(record.moves.first().map(|first| first.0)).unwrap_or(Player::First);
    let rules = GoRules { ko, ..GoRules::on(9) };
    let mut go = Go::with_stones(rules, &record.stones, begins).expect("the record is sound");
    let count = until.map_or(record.moves.len(), |number| number - 1);
    for &(player, column, row) in &record.moves[..count] {
        go.set_turn(player);
        let point = go.board().point(column, row).expect("on the board");
        go.play(GoMove::stone(point));
    }
    go
}

/// A tiny interpreter of the three commands the file uses.
#[test]
fn fuego_repetition() {
    let Some(folder) = public_path("go/fuego-regression") else { return };
    let text = std::fs::read_to_string(folder.join("repetition.tst")).expect("readable");
    let (mut record, mut until, mut ko) = (Record::default(), None, KoRule::Simple);
    let (mut answer, mut checked) = (String::new(), 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["loadsgf", path, ref number @ ..] => {
                record = read_record(&std::fs::read_to_string(folder.join(path)).expect("readable"));
                until = number.first().map(|number| number.parse::<usize>().expect("a number"));
            }
            ["go_param_rules", "ko_rule", name] => {
                ko = match name {
                    "simple" => KoRule::Simple,
                    "superko" => KoRule::Situational,
                    "pos_superko" => KoRule::Positional,
                    _ => panic!("{name} is no ko rule"),
                };
            }
            [_, "is_legal", player, point] => {
                let mut go = replay(&record, until, ko);
                go.set_turn(colour(player));
                answer = u32::from(go.read_move(point).is_ok()).to_string();
            }
            ["#?", expected] => {
                assert_eq!(format!("[{answer}]"), expected, "case {} of repetition.tst", checked + 1);
                checked += 1;
            }
            _ => assert!(line.is_empty() || line.starts_with('#'), "unknown line: {line}"),
        }
    }
    assert_eq!(checked, 15);
}

/// The file's way to draw a board.
fn diagram(board: &Board) -> String {
    let mut text = String::new();
    for row in (0..board.size()).rev() {
        text += &(row + 1).to_string();
        for column in 0..board.size() {
            text += match board.point(column, row).and_then(|point| board.stone_at(point)) {
                Some(Player::First) => "  #",
                Some(Player::Second) => "  o",
                None => "  .",
            };
        }
        text += "\n";
    }
    text + "   A  B  C  D  E  F  G  H  J\n"
}

fn stones_of(diagram: &str) -> Vec<(Player, usize, usize)> {
    let mut stones = Vec::new();
    for (from_top, line) in diagram.lines().take(9).enumerate() {
        for (column, letter) in line.split_whitespace().skip(1).enumerate() {
            match letter {
                "#" => stones.push((Player::First, column, 8 - from_top)),
                "o" => stones.push((Player::Second, column, 8 - from_top)),
                _ => {}
            }
        }
    }
    stones
}

/// gomill's boards may hold stones of any order of play, allow suicide and know no repetition.
fn gomill_rules() -> GoRules {
    GoRules { ko: KoRule::Simple, suicide: SuicideRule::Allowed, komi: Komi(0), ..GoRules::on(9) }
}

fn play_out_of_turn(go: &mut Go, player: Player, name: &str) {
    go.set_turn(player);
    let mv = go.read_move(name).expect("a legal move");
    go.play(mv);
}

#[test]
fn gomill_boards() {
    let Some(file) = public_path("go/gomill-board-data/board_test_data.json") else { return };
    let text = std::fs::read_to_string(file).expect("readable");
    let Ok(Json::Object(parts)) = serde_json::from_str(&text) else { panic!("an object") };
    let mut checked = 0;
    for (part, cases) in parts {
        let Json::Array(cases) = cases else { panic!("a list of cases") };
        for case in cases {
            let Json::Array(fields) = case else { panic!("a case is a list") };
            match (part.as_str(), &fields[..]) {
                (
                    "play_tests",
                    [Json::String(name), Json::Array(moves), Json::String(picture), ko, Json::Number(score)],
                ) => {
                    let mut go = Go::new(gomill_rules()).expect("possible rules");
                    for mv in moves {
                        let Json::String(mv) = mv else { panic!("a move is text") };
                        let (player, point) = mv.split_once(' ').expect("colour and point");
                        play_out_of_turn(&mut go, colour(player), point);
                    }
                    assert_eq!(diagram(go.board()), *picture, "{name}");
                    let found = go.board().ko().map(|point| go.show_move(GoMove::stone(point)));
                    let expected = if let Json::String(point) = ko { Some(point.clone()) } else { None };
                    assert_eq!(found, expected, "{name}");
                    assert_eq!(
                        Some(i64::from(go.score_now().margin)),
                        score.as_i64().map(|points| 2 * points),
                        "{name}"
                    );
                }
                ("score_tests", [Json::String(name), Json::String(picture), Json::Number(score)]) => {
                    let go =
                        Go::with_stones(gomill_rules(), &stones_of(picture), Player::First).expect("a legal board");
                    assert_eq!(
                        Some(i64::from(go.score_now().margin)),
                        score.as_i64().map(|points| 2 * points),
                        "{name}"
                    );
                }
                (
                    "setup_tests",
                    [
                        Json::String(name),
                        Json::Array(black),
                        Json::Array(white),
                        Json::Array(empty),
                        Json::String(picture),
                        Json::Bool(legal),
                    ],
                ) => {
                    let mut stones = Vec::new();
                    let nine = Go::new(gomill_rules()).expect("possible rules");
                    let place = |point: &Json| {
                        let Json::String(point) = point else { panic!("a point is text") };
                        let mv = nine.read_move(point).expect("a point");
                        nine.board().column_row(mv.point().expect("a point"))
                    };
                    for (owner, points) in [(Player::First, black), (Player::Second, white)] {
                        stones.extend(points.iter().map(|point| (owner, place(point).0, place(point).1)));
                    }
                    let cleared: Vec<(usize, usize)> = empty.iter().map(place).collect();
                    stones.retain(|&(_, column, row)| !cleared.contains(&(column, row)));
                    // gomill takes chains without liberties off and says so; we refuse them and say
                    // where.
                    match Go::with_stones(gomill_rules(), &stones, Player::First) {
                        Ok(go) => {
                            assert!(*legal, "{name}");
                            assert_eq!(diagram(go.board()), *picture, "{name}");
                        }
                        Err(_) => assert!(!legal, "{name}"),
                    }
                }
                _ => panic!("{part} has an unknown case: {fields:?}"),
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 24);
}
