//! What real clients stumbled over, one test each: gogui-twogtp, gomill, KataGo's clients, records of
//! other servers. Clients of UCI: `protocol_findings_uci.rs`.

use crate::command::program;
use crate::conversation::{Scratch, engine_of, last};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;
use tesuji::protocol::{Analysis, Dialect, Engine, Gomocup, Gtp, NBoard, Protocol, Uci, Vertices, talk};
use tesuji_core::Budget;

pub fn engine(game: &str, agent: &str) -> Engine {
    engine_of(game, agent, Budget { memory: Some(64 << 20), ..Budget::iterations(200) })
}

fn gtp(game: &str) -> Gtp {
    Gtp::new(engine(game, "random"), Vertices::Native)
}

pub fn uci(game: &str, agent: &str) -> Uci {
    Uci::new(engine(game, agent), Dialect::Uci)
}

/// The answers to questions in JSON.
fn json(analysis: &mut Analysis, question: &str) -> Value {
    let answer = talk(analysis, question).0;
    serde_json::from_str(answer.lines().last().unwrap_or_default()).expect("JSON")
}

/// gogui-twogtp and gomill play many games with one process.
#[test]
fn every_game_of_a_run_differs_and_the_run_repeats() {
    type Run = fn(u64) -> Vec<String>;
    /// The answer to `go` in four games, each begun with these lines: the line that begins with
    /// `word`.
    fn games(protocol: &mut dyn Protocol, begin: &[&str], go: &str, word: &str) -> Vec<String> {
        let mut answer = |line: &str| {
            let said = talk(protocol, line).0;
            let answer = said.lines().find(|line| line.starts_with(word)).unwrap_or_default();
            // Without the time that NBoard is told.
            answer.split('/').next().unwrap_or_default().to_string()
        };
        let game = |_| {
            begin.iter().for_each(|line| drop(answer(line)));
            answer(go)
        };
        (0..4).map(game).collect()
    }
    let runs: [(&str, Run); 4] = [
        ("gtp", |seed| {
            let mut gtp = gtp("go(size=9)");
            talk(&mut gtp, &format!("set_random_seed {seed}"));
            // The last line of a GTP answer is empty: the history says what was played.
            let game = |gtp: &mut Gtp| {
                for line in ["boardsize 9", "clear_board", "genmove b", "genmove w", "genmove b"] {
                    talk(gtp, line);
                }
                talk(gtp, "move_history").0
            };
            (0..4).map(|_| game(&mut gtp)).collect()
        }),
        ("uci", |_| games(&mut uci("gomoku", "random"), &["ucinewgame", "position startpos"], "go", "bestmove")),
        ("gomocup", |_| games(&mut Gomocup::new(engine("gomoku", "random")), &["START 15"], "BEGIN", "")),
        ("nboard", |_| {
            let board = "---------------------------O*------*O--------------------------- *";
            let begin = format!("set game (;GM[Othello]BO[8 {board}];)");
            // Twenty moves on, so that there are many to choose from.
            let moves = "F5 D6 C3 D3 C4 F4 F6 F3 E6 E7 D7 C5 C6 G5 B5 D8 C7 B6 G6 E3";
            let moves: Vec<String> = moves.split(' ').map(|mv| format!("move {mv}")).collect();
            let begin: Vec<&str> = [begin.as_str()].into_iter().chain(moves.iter().map(String::as_str)).collect();
            games(&mut NBoard::new(engine("othello", "random")), &begin, "go", "===")
        }),
    ];
    for (name, run) in runs {
        let games = run(1);
        let mut distinct = games.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), games.len(), "{name}: {games:?}");
        assert_eq!(run(1), games, "{name}: the same seed, the same run");
    }
    let gtp_run = runs[0].1;
    assert_ne!(gtp_run(2), gtp_run(1));
}

/// gomill's ringmaster starts the engines again for every game, and names it.
#[test]
fn every_game_of_a_gomill_competition_differs() {
    let game = |name: &str| {
        let mut child = program()
            .args(["gtp", "go(size=9)", "--agent", "random"])
            .env("GOMILL_GAME_ID", name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut input = child.stdin.take().expect("piped");
        input.write_all(b"boardsize 9\nclear_board\ngenmove b\ngenmove w\ngenmove b\n").expect("written");
        drop(input);
        String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("UTF-8")
    };
    let games = ["0_0", "0_1", "0_2", "1_0"].map(game);
    for (number, one) in games.iter().enumerate() {
        assert_eq!(one.matches("= ").count(), 3, "{one}");
        assert!(games[..number].iter().all(|other| other != one), "{games:?}");
    }
    assert_eq!(game("0_1"), games[1]);
}

/// A search that only looks does not depend on the games before it.
#[test]
fn reg_genmove_is_the_same_in_every_game() {
    let mut gtp = gtp("go(size=9)");
    let first = talk(&mut gtp, "reg_genmove b").0;
    for _ in 0..3 {
        last(&mut gtp, &["genmove b", "clear_board"]);
        assert_eq!(talk(&mut gtp, "reg_genmove b").0, first);
    }
}

#[test]
fn katagos_rules_are_set_by_name_and_by_field() {
    let mut gtp = gtp("go(size=5)");
    for (said, parts) in [
        ("kata-set-rules chinese", ["SIMPLE", "AREA", "\"suicide\":false"]),
        ("kata-set-rules Tromp-Taylor", ["POSITIONAL", "AREA", "\"suicide\":true"]),
        ("kata-set-rules japanese", ["SIMPLE", "TERRITORY", "\"suicide\":false"]),
        ("kata-set-rule ko SITUATIONAL", ["SITUATIONAL", "TERRITORY", "\"suicide\":false"]),
        ("kata-set-rule suicide true", ["SITUATIONAL", "TERRITORY", "\"suicide\":true"]),
        ("kata-set-rules {\"ko\": \"SIMPLE\", \"suicide\": false}", ["SIMPLE", "AREA", "\"suicide\":false"]),
    ] {
        assert_eq!(talk(&mut gtp, said).0, "=\n\n", "{said}");
        let rules = talk(&mut gtp, "kata-get-rules").0;
        assert!(parts.iter().all(|part| rules.contains(part)), "{said}: {rules}");
    }
    for wrong in ["", " martian", " {\"ko\":", " {\"hasButton\":true}", " {\"tax\":\"ALL\"}"] {
        let before = talk(&mut gtp, "kata-get-rules").0;
        assert!(talk(&mut gtp, &format!("kata-set-rules{wrong}")).0.starts_with("? "), "{wrong}");
        assert_eq!(talk(&mut gtp, "kata-get-rules").0, before);
    }
    // The moves stay, and so does the komi.
    let played = ["komi 3.5", "play b C3", "play w B2", "kata-set-rules aga", "list_stones b"];
    assert_eq!(last(&mut gtp, &played), "= C3\n\n");
    assert_eq!(last(&mut gtp, &["undo", "get_komi"]), "= 3.5\n\n");
    assert_eq!(talk(&mut gtp, "list_stones w").0, "=\n\n");
    // The last move is the suicide of two stones: legal by these rules, not by those.
    last(&mut gtp, &["clear_board", "kata-set-rules tromp-taylor"]);
    assert_eq!(talk(&mut gtp, "gogui-play_sequence b A2 w A1 b B2 w E5 b C1 w B1").0, "=\n\n");
    let refused = talk(&mut gtp, "kata-set-rules chinese").0;
    assert!(refused.starts_with("? move 6 is not legal by these rules"), "{refused}");
    assert!(talk(&mut gtp, "kata-get-rules").0.contains("\"suicide\":true"));
    assert_eq!(talk(&mut gtp, "list_stones w").0, "= E5\n\n");
}

#[test]
fn the_size_is_told_and_rectangles_are_refused_with_a_reason() {
    let mut go = gtp("go(size=9)");
    assert_eq!(last(&mut go, &["boardsize 7", "query_boardsize"]), "= 7\n\n");
    talk(&mut go, "play b C3");
    assert_eq!(
        talk(&mut go, "rectangular_boardsize 9 13").0,
        "? unacceptable size: the board of go is square, not 9×13\n\n"
    );
    let refused = talk(&mut go, "boardsize 99").0;
    assert_eq!(refused, "? unacceptable size: size of go must be a whole number from 2 to 25, not 99\n\n");
    assert_eq!(talk(&mut go, "list_stones b").0, "= C3\n\n", "a refusal changes nothing");
    assert_eq!(last(&mut go, &["rectangular_boardsize 13 13", "query_boardsize"]), "= 13\n\n");
    let mut xiangqi = gtp("xiangqi");
    assert_eq!(talk(&mut xiangqi, "query_boardsize").0, "= 9 10\n\n");
    let refused = talk(&mut xiangqi, "boardsize 19").0;
    assert_eq!(refused, "? unacceptable size: the board of xiangqi is 9×10, not 19×19\n\n");
    // A game whose boards need not be square takes one.
    let mut mnk = gtp("mnk");
    assert_eq!(last(&mut mnk, &["rectangular_boardsize 4 5", "query_boardsize"]), "= 4 5\n\n");
    let mut analysis = Analysis::new(engine("go(size=5)", "random"));
    let answer = json(&mut analysis, r#"{"id":"a","boardXSize":9,"boardYSize":13}"#);
    assert_eq!(answer["error"], "the board of go is square, not 9×13");
    assert_eq!(answer["field"], "boardXSize");
}

/// The argument was ignored, and the old agent answered as if it were the new one.
#[test]
fn tesuji_agent_and_tesuji_game_act_or_refuse() {
    let mut gtp = gtp("go(size=5)");
    assert_eq!(talk(&mut gtp, "tesuji-agent").0, "= random\n\n");
    assert_eq!(talk(&mut gtp, "tesuji-agent minimax(depth=1)").0, "=\n\n");
    assert!(talk(&mut gtp, "tesuji-agent").0.starts_with("= minimax(depth=1"));
    assert!(talk(&mut gtp, "tesuji-agent nonsense").0.starts_with("? unknown agent \"nonsense\""));
    assert!(talk(&mut gtp, "tesuji-agent").0.starts_with("= minimax(depth=1"));
    talk(&mut gtp, "play b C3");
    assert!(talk(&mut gtp, "tesuji-game nonsense").0.starts_with("? unknown game \"nonsense\""));
    assert_eq!(talk(&mut gtp, "list_stones b").0, "= C3\n\n");
    assert_eq!(talk(&mut gtp, "tesuji-game hex(size=4)").0, "=\n\n");
    assert!(talk(&mut gtp, "tesuji-game").0.starts_with("= hex(size=4"));
    assert_eq!(talk(&mut gtp, "play b d4").0, "=\n\n");
}

/// `gomill-savesgf FILE PB=… PW=… RE=…`, with `\_` for a blank.
#[test]
fn gomill_names_the_players() {
    let mut gtp = gtp("go(size=9)");
    let file = Scratch::new("gomill.sgf", "");
    let path = file.0.display();
    let said = format!(r"gomill-savesgf {path} PB=testplayer PW=GNU\_Go:3.8 RE=W+3.5");
    assert_eq!(last(&mut gtp, &["play b E5", &said]), "=\n\n");
    let record = std::fs::read_to_string(&file.0).expect("written");
    for part in ["PB[testplayer]", "PW[GNU Go:3.8]", "RE[W+3.5]", "SZ[9]", ";B[ee]"] {
        assert!(record.contains(part), "{part}: {record}");
    }
    for wrong in ["PB", "SZ=19", "B=aa", "1=2"] {
        assert!(talk(&mut gtp, &format!("gomill-savesgf {path} {wrong}")).0.starts_with("? "), "{wrong}");
    }
    assert_eq!(std::fs::read_to_string(&file.0).expect("still there"), record);
    assert!(talk(&mut gtp, "gomill-savesgf").0.starts_with("? expected a file name"));
    // It is read back, players and all.
    assert_eq!(last(&mut gtp, &[&format!("loadsgf {path}"), "list_stones b"]), "= E5\n\n");
}

/// KaTrain reads `scoreLead` of the position and of every move; values are for Black.
#[test]
fn json_tells_the_lead_in_points() {
    let mut analysis = Analysis::new(engine("go(size=5)", "mcts"));
    // Black owns the board: 25 points, less the komi.
    let stones = ["A3", "B3", "C3", "D3", "E3", "B2", "D2", "B4", "D4"].map(|point| format!("[\"B\",\"{point}\"]"));
    let question = |komi: &str, player: &str, side: &str| {
        format!(
            "{{\"id\":\"a\",\"initialStones\":[{}],\"initialPlayer\":\"{player}\",\"komi\":{komi},\"rules\":\"chinese\",\
             \"overrideSettings\":{{\"reportAnalysisWinratesAs\":\"{side}\"}}}}",
            stones.join(",")
        )
    };
    for (komi, player, side, expected) in [
        ("0.5", "B", "BLACK", 24.5),
        ("9.5", "W", "BLACK", 15.5),
        ("9.5", "W", "SIDETOMOVE", -15.5),
        ("9.5", "B", "WHITE", -15.5),
    ] {
        let answer = json(&mut analysis, &question(komi, player, side));
        let lead = answer["rootInfo"]["scoreLead"].as_f64().unwrap_or_else(|| panic!("{answer}"));
        assert!((lead - expected).abs() < 1.5, "{komi} {player} {side}: {answer}");
        let infos = answer["moveInfos"].as_array().expect("moves");
        assert!(!infos.is_empty());
        for info in infos {
            let lead = info["scoreLead"].as_f64().unwrap_or_else(|| panic!("{info}"));
            assert!((lead - expected).abs() < 8.0, "{komi} {player} {side}: {info}");
        }
    }
    // Games without points have no lead.
    let answer = json(&mut analysis, r#"{"id":"b","game":"hex(size=3)"}"#);
    assert!(answer["rootInfo"].get("scoreLead").is_none(), "{answer}");
}

#[test]
fn json_shows_the_moves_that_are_allowed() {
    let mut analysis = Analysis::new(engine("tictactoe", "oracle"));
    // X wins at b3 at once.
    let with = |field: &str| format!(r#"{{"id":"a","moves":["b2","a1","b1","c1"]{field}}}"#);
    let moves = |answer: &Value| -> Vec<String> {
        let infos = answer["moveInfos"].as_array().unwrap_or_else(|| panic!("{answer}"));
        infos.iter().map(|info| info["move"].as_str().expect("a move").to_string()).collect()
    };
    let all = json(&mut analysis, &with(""));
    assert_eq!((&all["rootInfo"]["best"], moves(&all).len()), (&"b3".into(), 5));
    let avoiding = r#","avoidMoves":[{"player":"B","moves":["B3"],"untilDepth":1}]"#;
    let answer = json(&mut analysis, &with(avoiding));
    assert_eq!(moves(&answer).len(), 4, "{answer}");
    assert!(!moves(&answer).contains(&"b3".to_string()));
    assert_eq!(answer["rootInfo"]["best"], answer["moveInfos"][0]["move"]);
    assert_eq!(answer["moveInfos"][0]["order"], 0);
    let allowing = r#","allowMoves":[{"player":"B","moves":["a2","c3"],"untilDepth":1}]"#;
    let mut shown = moves(&json(&mut analysis, &with(allowing)));
    shown.sort();
    assert_eq!(shown, ["a2", "c3"]);
    // What is said of the other side says nothing here.
    let other = r#","avoidMoves":[{"player":"W","moves":["b3"],"untilDepth":1}],"allowMoves":[]"#;
    assert_eq!(moves(&json(&mut analysis, &with(other))).len(), 5);
    for (field, value) in [
        ("allowMoves", r#"[{"player":"B","moves":["a2"],"untilDepth":3}]"#),
        ("avoidMoves", r#"["a2"]"#),
        ("avoidMoves", r#"[{"player":"B"}]"#),
        ("avoidMoves", "7"),
    ] {
        let answer = json(&mut analysis, &with(&format!(",\"{field}\":{value}")));
        assert!(answer["error"].is_string() && answer["field"] == field, "{answer}");
    }
}

#[test]
fn json_answers_query_models() {
    let mut analysis = Analysis::new(engine("go(size=5)", "random"));
    let answer = json(&mut analysis, r#"{"id":"m","action":"query_models"}"#);
    assert_eq!((&answer["id"], &answer["action"]), (&"m".into(), &"query_models".into()));
    assert_eq!(answer["models"][0]["name"], "random", "{answer}");
}

/// `KM[375]` of Fox is 3.75 stones, 7.5 points.
#[test]
fn the_komi_of_fox_is_read() {
    let root = "GM[1]FF[4]SZ[19]KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]RE[W+R]AP[foxwq]";
    let file = Scratch::new("fox.sgf", &format!("(;{root};B[pp];W[dq])"));
    let mut gtp = gtp("go(size=9)");
    assert_eq!(last(&mut gtp, &[&format!("loadsgf {}", file.0.display()), "get_komi"]), "= 7.5\n\n");
    assert_eq!(talk(&mut gtp, "query_boardsize").0, "= 19\n\n");
}

/// A record decides the size of the board, as in Go.
#[test]
fn a_record_of_hex_brings_its_size() {
    let file = Scratch::new("hex.sgf", "(;FF[4]GM[11]SZ[7];B[a2];W[swap-pieces];B[g7])");
    let mut hex = gtp("hex(size=5,swap=true)");
    assert_eq!(last(&mut hex, &[&format!("loadsgf {}", file.0.display()), "query_boardsize"]), "= 7\n\n");
    assert!(talk(&mut hex, "move_history").0.contains("black g7"));
    assert_eq!(last(&mut hex, &["undo", "play b g6"]), "=\n\n");
    // Without a size the record is of the usual one.
    let file = Scratch::new("hex-11.sgf", "(;FF[4]GM[11];B[k11])");
    assert_eq!(last(&mut hex, &[&format!("loadsgf {}", file.0.display()), "query_boardsize"]), "= 11\n\n");
    for root in ["GM[11]SZ[7:9]", "GM[11]SZ[27]", "GM[1]SZ[7]"] {
        let file = Scratch::new("hex-wrong.sgf", &format!("(;{root};B[a2])"));
        let refused = talk(&mut hex, &format!("loadsgf {}", file.0.display())).0;
        assert!(refused.starts_with("? cannot load file"), "{root}: {refused}");
        assert_eq!(talk(&mut hex, "query_boardsize").0, "= 11\n\n");
    }
}
