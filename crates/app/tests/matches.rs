//! `match` beyond two agents and their results: odds, tournaments, openings, the sequential test,
//! adjudication, records and tables of moves.

use super::command::{json_of, refuses};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matches").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_string()
}

const AGENTS: [&str; 5] = ["match", "mnk(m=4,n=4,k=3)", "--first", "rps", "--second"];

#[test]
fn a_side_may_have_limits_of_its_own() {
    let odds = ["rps", "--games", "40", "--iterations", "2000", "--second-iterations", "10", "--json"];
    let result = json_of(&[&AGENTS[..], &odds].concat());
    assert_eq!((&result["limits"]["iterations"], &result["second_limits"]["iterations"]), (&2000.into(), &10.into()));
    assert!(result.get("first_limits").is_none());
    assert!(result["first_points"].as_f64() > Some(24.0), "two hundred times the work is better: {result}");
}

#[test]
fn more_than_two_agents_are_rated() {
    let more = ["random", "--also", "oracle", "--games", "6", "--iterations", "50", "--openings", "1", "--json"];
    let result = json_of(&[&AGENTS[..], &more].concat());
    let pairings = result["pairings"].as_array().expect("pairings");
    let agents: Vec<_> =
        pairings.iter().map(|it| [&it["first"], &it["second"]].map(|name| name.as_str().expect("text"))).collect();
    let named = |text: &str| {
        if text.starts_with("rps") {
            "rps"
        } else if text.starts_with("oracle") {
            "oracle"
        } else {
            "random"
        }
    };
    let agents: Vec<[&str; 2]> = agents.iter().map(|both| both.map(named)).collect();
    assert_eq!(agents, [["rps", "random"], ["rps", "oracle"], ["random", "oracle"]]);
    assert!(pairings.iter().all(|pairing| pairing["games"] == 6), "{result}");
    assert_eq!(result["complete"], true);
    let rated = result["ratings"].as_array().expect("a list").len();
    assert!(rated == 3 || result["no_ratings"].is_string(), "{result}");
    refuses(&[&AGENTS[..], &["random", "--also", "rpz"]].concat(), "rpz");
    refuses(&[&AGENTS[..], &["random", "--also", "rps", "--sprt", "0", "10"]].concat(), "--sprt");
}

#[test]
fn openings_come_from_a_file() {
    let folder = scratch("openings");
    std::fs::write(folder.join("two.txt"), "# corners\na1 d4\n\n  b2\n").expect("written");
    let (file, records) = (path(&folder, "two.txt"), path(&folder, "games"));
    let with = ["random", "--games", "8", "--opening-file", &file, "--save", &records, "--json"];
    let result = json_of(&[&AGENTS[..], &with].concat());
    assert_eq!((&result["opening_file"], &result["games"]), (&2.into(), &8.into()));
    for (game, begins) in [(1, &["a1", "d4"][..]), (2, &["a1", "d4"]), (3, &["b2"]), (4, &["b2"]), (5, &["a1", "d4"])] {
        let record = format!("{records}/game-{game:05}.sgf");
        let shown = json_of(&["show", "mnk(m=4,n=4,k=3)", "--sgf", &record, "--json"]);
        let moves: Vec<&str> = shown["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
        assert_eq!(&moves[..begins.len()], begins, "game {game}");
    }
    std::fs::write(folder.join("bad.txt"), "a1 b2\na1 a1\n").expect("written");
    refuses(&[&AGENTS[..], &["random", "--opening-file", &path(&folder, "bad.txt")]].concat(), "opening 2: move 2");
    std::fs::write(folder.join("none.txt"), "# nothing\n").expect("written");
    refuses(&[&AGENTS[..], &["random", "--opening-file", &path(&folder, "none.txt")]].concat(), "at least one opening");
}

#[test]
fn the_sequential_test_ends_the_match() {
    let test = ["random", "--games", "400", "--iterations", "500", "--sprt", "0", "100", "--json"];
    let result = json_of(&[&AGENTS[..], &test].concat());
    assert_eq!((&result["sprt"]["accepted"], &result["complete"]), (&"H1".into(), &true.into()), "{result}");
    let games = result["games"].as_u64().expect("games");
    assert!(games < 400 && games.is_multiple_of(2), "{games}");
    let equal = ["rps", "--games", "10", "--iterations", "50", "--sprt", "0", "10", "--json"];
    let open = json_of(&[&AGENTS[..], &equal].concat());
    assert_eq!((&open["sprt"]["accepted"], &open["games"]), (&"open".into(), &10.into()), "{open}");
    refuses(&[&AGENTS[..], &["random", "--sprt", "10", "0"]].concat(), "H1 must be above H0");
    refuses(&[&AGENTS[..], &["random", "--sprt", "0", "10", "--sprt-errors", "0.9", "0.05"]].concat(), "error rates");
}

#[test]
fn games_can_be_adjudicated() {
    let short = json_of(&[&AGENTS[..], &["random", "--games", "6", "--draw-after", "2", "--json"]].concat());
    assert_eq!((&short["draws"], &short["plies"]), (&6.into(), &12.into()), "{short}");
    refuses(&[&AGENTS[..], &["random", "--resign-below", "0.7"]].concat(), "less than 0.5");
    let both = ["match", "othello(size=6)", "--first", "rps", "--second", "rps", "--games", "4", "--iterations", "60"];
    let full = json_of(&[&both[..], &["--json"]].concat());
    let cut = json_of(&[&both[..], &["--resign-below", "0.4", "--agree-for", "1", "--json"]].concat());
    assert!(cut["plies"].as_u64() < full["plies"].as_u64(), "decided games end earlier: {cut} {full}");
}

/// What is written can be read back: the moves of the table are those of the records, and the stones
/// are those on the board.
#[test]
fn records_and_tables_agree() {
    let folder = scratch("files");
    let (records, table) = (path(&folder, "games"), path(&folder, "moves.csv"));
    let game = "go(size=5)";
    let result = json_of(&[
        "match",
        game,
        "--first",
        "mcts",
        "--second",
        "random",
        "--games",
        "2",
        "--iterations",
        "30",
        "--draw-after",
        "20",
        "--save",
        &records,
        "--csv",
        &table,
        "--json",
    ]);
    let text = std::fs::read_to_string(&table).expect("a table");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("game,ply,player,agent,move,value,iterations,seconds,first_stones,second_stones"));
    let rows: Vec<Vec<&str>> = lines
        .map(|line| {
            // The agent stands in quotes, with commas in it.
            let (before, rest) = line.split_once(",\"").expect("an agent");
            let (agent, after) = rest.rsplit_once("\",").expect("the end of an agent");
            before.split(',').chain([agent]).chain(after.split(',')).collect()
        })
        .collect();
    assert_eq!(rows.len() as u64, result["plies"].as_u64().expect("plies"));
    for number in ["1", "2"] {
        let own: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == number).collect();
        let record = format!("{records}/game-0000{number}.sgf");
        let shown = json_of(&["show", game, "--sgf", &record, "--json"]);
        let moves: Vec<&str> = shown["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
        assert_eq!(own.iter().map(|row| row[4]).collect::<Vec<_>>(), moves);
        for row in &own {
            let searches = row[3].starts_with("mcts");
            assert_eq!(row[6] == "30", searches, "{row:?}");
            let value: f64 = row[5].parse().expect("a value");
            assert!((0.0..=1.0).contains(&value), "{row:?}");
        }
        // Every move but a pass adds one stone, and captures take some away.
        let placed = own.iter().filter(|row| row[4] != "pass").count();
        let last = own.last().expect("a move");
        let left: usize = last[8].parse::<usize>().expect("stones") + last[9].parse::<usize>().expect("stones");
        let first = own.first().expect("a move");
        assert!(left <= placed && (first[8], first[9]) == ("1", "0"), "{last:?} {first:?}");
        let sgf = std::fs::read_to_string(&record).expect("a record");
        assert!(sgf.contains("PB[mcts(") == (number == "1") && sgf.contains("RE["), "{sgf}");
    }
    refuses(
        &["match", "tictactoe", "--first", "random", "--second", "random", "--csv", "no/such/folder/x.csv"],
        "x.csv",
    );
}
