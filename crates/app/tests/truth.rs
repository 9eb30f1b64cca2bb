//! What is printed is true: answers agree with themselves, and the examples of help with the
//! program.

use crate::command::{all_commands, commands_of, json_of, refuses, tesuji};
use serde_json::{Value, json};
use tesuji_agents::{Access, Measure, Proof, canonical_agent, start_game_with};
use tesuji_core::spec::Spec;

/// A player does not think about an only move when time is short; a solver was told to, and said
/// nothing.
#[test]
fn an_only_move_is_solved_within_a_time_limit() {
    let answer = json_of(&["solve", "tree(text=\"F(S(0 1))\")", "--with", "alpha-beta", "--time", "20", "--json"]);
    assert_eq!((&answer["status"], &answer["stopped"]), (&json!("loss"), &json!("finished")), "{answer}");
}

/// `tesuji solve tictactoe` once was a draw with a line that X wins.
#[test]
fn a_solved_position_and_its_line_agree() {
    let mut games = vec![
        ("tictactoe".to_string(), vec!["pn", "deep-pn", "mcpn", "ppn", "df-pn", "deep-df-pn", "oracle", "alpha-beta"]),
        ("mnk(m=4,n=3,k=3)".to_string(), vec!["pn", "df-pn"]),
        ("hex(size=3,swap=false)".to_string(), vec!["pn", "hex-solver"]),
        ("othello(size=4)".to_string(), vec!["othello-solver", "endgame"]),
    ];
    for problem in ["lin-multi", "kill-bulky-five", "kill-bent-three", "cut-01", "connect-01"] {
        let file = format!("{}/../games/problems/go/{problem}.txt", env!("CARGO_MANIFEST_DIR"));
        games.push((format!("goproblem(file=\"{file}\")"), vec!["go-solver"]));
    }
    for (game, agents) in games {
        for agent in agents {
            let answer = json_of(&["solve", &game, "--with", agent, "--nodes", "300000", "--json"]);
            let value = answer["value"].as_f64().unwrap_or_else(|| panic!("{agent} on {game}: {answer}"));
            let status = ["loss", "draw", "win"][usize::from(value >= 0.5) + usize::from(value > 0.5)];
            assert_eq!(answer["status"], json!(status), "{agent} on {game}");
            assert_eq!(answer["bounds"], json!([value, value]), "{agent} on {game}");
            let line: Vec<&str> = answer["line"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
            assert_eq!(answer["best"].as_str(), line.first().copied(), "{agent} on {game}");
            let mut position =
                start_game_with(&game.parse().expect("a game"), &Access::unrestricted()).expect("starts").position;
            let turn = position.turn();
            for mv in &line {
                position.play(mv).unwrap_or_else(|error| panic!("{agent} on {game}: {line:?}: {error}"));
            }
            if let Some(outcome) = position.outcome() {
                assert_eq!(outcome.score.for_player(turn).to_f64(), value, "{agent} on {game}: {line:?}");
            }
        }
    }
}

/// A best move is a move of a proof: once it was the first of the list.
#[test]
fn nothing_known_is_no_best_move() {
    for agent in ["pn", "df-pn", "hex-solver", "mcts", "alpha-beta", "minimax(depth=1)"] {
        let answer = json_of(&["solve", "hex(size=9)", "--with", agent, "--nodes", "20", "--json"]);
        let shown = (&answer["status"], &answer["best"], &answer["line"]);
        assert_eq!(shown, (&json!("unknown"), &Value::Null, &json!([])), "{agent}");
    }
    let printed = tesuji(&["solve", "hex(size=9)", "--with", "df-pn", "--nodes", "20"]);
    let printed = String::from_utf8_lossy(&printed.stdout).to_string();
    assert!(printed.contains("unknown") && !printed.contains("line:"), "{printed}");
}

/// "finished" means exhausted; else it is said what ended the search.
#[test]
fn a_limit_of_its_own_is_named() {
    let stopped = |arguments: &[&str]| {
        let answer = json_of(&[arguments, &["--json"]].concat());
        (answer["stopped"].as_str().expect("a word").to_string(), answer["limit"].as_str().map(str::to_string))
    };
    let depth = ("depth".to_string(), None);
    for agent in ["minimax(depth=2)", "level-k", "alpha-beta(depth=2)", "scn(depth=2)"] {
        assert_eq!(stopped(&["think", "othello", "--agent", agent]), depth, "{agent}");
    }
    let moves = "JJ JH JK KI IK HL LH II HH IJ JI";
    let vcdt = stopped(&["solve", "connect6", "--with", "vcdt(best=0)", "--moves", moves]);
    assert_eq!(vcdt, ("limit".to_string(), Some("quiet second stones".to_string())));
    let vct = stopped(&["solve", "gomoku(size=7)", "--with", "vct"]);
    assert_eq!(vct, ("limit".to_string(), Some("stages".to_string())));
    let cns = stopped(&["think", "othello", "--agent", "cns(confidence=1)"]);
    assert_eq!(cns, ("limit".to_string(), Some("confidence and width".to_string())));
    // What is exhausted is finished, whatever its depth.
    let finished = ("finished".to_string(), None);
    for agent in ["minimax", "minimax(depth=9)", "alpha-beta(depth=9)", "oracle", "df-pn", "mcts"] {
        let answer = stopped(&["solve", "tictactoe", "--with", agent, "--moves", "b2 a1", "--iterations", "200000"]);
        assert_eq!(answer, finished, "{agent}");
    }
    let printed = tesuji(&["solve", "connect6", "--with", "vcdt", "--moves", moves]);
    let printed = String::from_utf8_lossy(&printed.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains("ended by: a limit of the agent (quiet second stones)"), "{printed}");
}

/// A proof that a player scores at least 0 proves nothing, and is refused like one that does not
/// hold.
#[test]
fn a_claim_that_says_nothing_is_refused() {
    let path = |name: &str| {
        let path = std::env::temp_dir().join(format!("tesuji-truth-{}-{name}", std::process::id()));
        path.to_str().expect("UTF-8").to_string()
    };
    let (file, empty) = (path("draw.proof"), path("empty.proof"));
    json_of(&["solve", "tictactoe", "--proof", &file, "--json"]);
    let proof = Proof::from_bytes(&std::fs::read(&file).expect("written")).expect("a proof");
    for (measure, least) in [(Measure::Score, 0), (Measure::Score, -1), (Measure::Margin, -1), (Measure::Margin, -7)] {
        let mut nothing = proof.clone();
        for claim in &mut nothing.claims {
            (claim.aim.measure, claim.aim.least) = (measure, least);
        }
        std::fs::write(&empty, nothing.to_bytes()).expect("written");
        refuses(&["verify", "tictactoe", &empty], "the claim says nothing");
    }
    std::fs::remove_file(&empty).expect("it was there");
    // And none is written. The answer to an aim that asks for nothing may still claim more, if all
    // results that were met are worth more.
    for goal in ["score>=0", "margin>=-16", "margin>=-1000"] {
        let answer = json_of(&["solve", "othello(size=4)", "--goal", goal, "--proof", &empty, "--json"]);
        if answer.get("proof").is_none() {
            assert!(!std::fs::exists(&empty).expect("a path"), "{goal}");
            continue;
        }
        let verified = json_of(&["verify", "othello(size=4)", &empty, "--json"]);
        assert!(goal != "score>=0" && verified["claims"][0]["at_least"].as_f64().is_some_and(|least| least > -16.0));
        std::fs::remove_file(&empty).expect("it was there");
    }
    let answer = json_of(&["solve", "othello(size=4)", "--goal", "margin>=-8", "--proof", &empty, "--json"]);
    assert!(answer["proof"]["positions"].as_u64().is_some_and(|positions| positions > 10), "{answer}");
    assert_eq!(json_of(&["verify", "othello(size=4)", &empty, "--json"])["claims"][0]["at_least"], json!(-8.0));
    for file in [file, empty] {
        std::fs::remove_file(file).expect("it was there");
    }
}

/// Words of a command line, minding single quotes and quotes that are escaped.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted, mut word) = (Vec::new(), false, String::new());
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    words.push(word);
    words
}

/// `bench threads --help` once named an agent that does not exist.
#[test]
fn examples_name_agents_and_commands_that_exist() {
    let mut helps = vec![Vec::new()];
    helps.extend(commands_of(&[]).into_iter().map(|name| vec![name]));
    helps.extend(all_commands());
    let known = commands_of(&[]);
    let mut agents = 0;
    for command in helps {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let text = String::from_utf8(tesuji(&arguments).stdout).expect("UTF-8");
        for line in text.lines().map(str::trim).filter(|line| line.starts_with("tesuji ")) {
            let words = words(line);
            assert!(known.contains(&words[1]), "{line}");
            for pair in words.windows(2) {
                if ["--agent", "--first", "--second", "--with"].contains(&pair[0].as_str()) && pair[1] != "me" {
                    let agent: Spec = pair[1].parse().unwrap_or_else(|error| panic!("{line}: {error}"));
                    canonical_agent(&agent).unwrap_or_else(|error| panic!("{line}: {error}"));
                    agents += 1;
                }
            }
        }
    }
    assert!(agents >= 8, "{agents} agents in examples");
}
