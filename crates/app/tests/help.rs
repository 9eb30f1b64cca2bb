//! Help, completions and manual pages: what people read before they type.

use crate::command::{all_commands, commands_of, json_of, program, refuses, tesuji};
use serde_json::json;
use std::process::Command;
use tesuji_testing::skip;

fn help(command: &[&str]) -> String {
    let output = tesuji(&[command, &["--help"]].concat());
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The commands that have commands below them.
fn groups() -> Vec<String> {
    commands_of(&[]).into_iter().filter(|name| !commands_of(&[name]).is_empty()).collect()
}

/// Twelve commands had none.
#[test]
fn every_help_has_an_example_that_names_its_command() {
    let mut commands = all_commands();
    commands.extend(groups().into_iter().map(|name| vec![name]));
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let text = help(&words);
        let examples = text.split_once("Example").map_or("", |(_, examples)| examples);
        assert!(examples.contains(&format!("tesuji {}", command.join(" "))), "{command:?}: {text}");
        assert!(!text.contains('\u{1b}'), "no colours in a pipe");
    }
}

/// Lines of examples were broken at 80 columns without a backslash: they could not be copied.
#[test]
fn examples_can_be_copied() {
    let mut commands = all_commands();
    commands.extend(groups().into_iter().map(|name| vec![name]));
    commands.push(Vec::new());
    for command in commands {
        // Wide enough that no line of at most 78 columns is broken.
        let output = program().args(&command).arg("--help").env("COLUMNS", "100").output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let (_, examples) = text.split_once("\nExample").expect("examples");
        let examples = examples.split("\n\n").next().unwrap_or_default();
        let mut goes_on = false;
        for line in examples.lines().skip(1) {
            assert!(line.chars().count() <= 78, "{command:?}: {line}");
            let is_new = line.starts_with("  ") && !line.starts_with("   ");
            assert_eq!(is_new, !goes_on, "{command:?}: {line}");
            goes_on = line.ends_with(" \\");
        }
        assert!(!goes_on, "{command:?}: {examples}");
    }
}

/// `match --agent random` was told to pass `--agent` as a value.
#[test]
fn an_option_of_other_commands_gets_a_tip_that_helps() {
    refuses(&["match", "tictactoe", "--agent", "random"], "'--agent' found; match has --first and --second");
    refuses(&["bench", "playout", "--with", "random"], "'--with' found; bench search, bench threads and bench solve");
    refuses(
        &["perft", "tictactoe", "3", "--agent", "random"],
        "'--agent' found; tesuji perft --help lists the options",
    );
}

/// Every protocol's help was GTP's: "over GTP it resigns", "each protocol has a default".
#[test]
fn every_protocol_has_help_about_itself() {
    let own = [
        ("gtp", "[default: go]", "list_commands"),
        ("gomocup", "[default: gomoku(size=20)]", "pbrain-"),
        ("uci", "[default: xiangqi(ranks=one)]", "UCI_Variant"),
        ("ucci", "[default: xiangqi]", "UCCI 3.0"),
        ("nboard", "[default: othello]", "GGF"),
        ("analysis", "[default: go]", "maxVisits"),
    ];
    for (protocol, game, _) in own {
        let text = help(&[protocol]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(game), "{protocol}: {game} in {text}");
        assert!(text.contains("a move takes 10,000 iterations"), "{protocol}: the default time of a move");
        for (other, _, theirs) in own {
            assert_eq!(text.contains(theirs), other == protocol, "{protocol}: {theirs} in {text}");
        }
        assert_eq!(text.contains("resign="), protocol == "gtp", "{protocol}");
    }
    assert!(help(&["play"]).contains("[default: 1 against a person]"));
}

/// The game that the help of a protocol names is the one it plays.
#[test]
fn the_default_game_of_a_protocol_is_the_one_it_says() {
    let mut child = program();
    child.arg("gtp").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = child.spawn().expect("the binary runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("piped"), b"tesuji-game\nquit\n").expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("= go("), "{output:?}");
}

#[test]
fn with_and_agent_mean_the_same_everywhere() {
    for command in all_commands() {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let lines = help(&words);
        let text = lines.split_whitespace().collect::<Vec<_>>().join(" ");
        let takes = |option: &str| lines.lines().any(|line| line.trim_start().starts_with(option));
        if takes("--agent <") {
            assert!(text.contains("[alias: --with]"), "{command:?}: {text}");
        }
        if takes("--with <") {
            assert!(text.contains("[alias: --agent]"), "{command:?}: {text}");
        }
    }
    let think = json_of(&["think", "tictactoe", "--with", "minimax(depth=1)", "--json"]);
    assert!(think["agent"].as_str().is_some_and(|agent| agent.starts_with("minimax(depth=1")), "{think}");
    let solve = json_of(&["solve", "tictactoe", "--agent", "oracle", "--json"]);
    assert_eq!(solve["agent"], json!("oracle(by=score)"));
    json_of(&["bench", "search", "tictactoe", "--with", "random", "--seconds", "0.01", "--json"]);
    json_of(&["bench", "solve", "tictactoe", "--agent", "pn", "--seconds", "0.01", "--json"]);
}

/// `100TB` was told "expected a number of bytes such as 1000000, 64MB or 2GiB".
#[test]
fn an_unknown_unit_is_named() {
    let units = "unknown unit \"TB\"; the units are B, kB, MB, GB, KiB, MiB, GiB";
    refuses(&["think", "tictactoe", "--memory", "100TB"], units);
    refuses(&["think", "tictactoe", "--time", "5min"], "unknown unit \"min\": times are seconds");
    let count = "unknown unit \"e3\"; expected a whole number such as 10000, 10k, 10M or 10G";
    refuses(&["think", "go", "--iterations", "1e3"], count);
    refuses(&["match", "go", "--first", "random", "--second", "random", "--games", "1e3"], count);
    let thought = json_of(&["think", "tictactoe", "--agent", "mcts(solver=false)", "--iterations", "1k", "--json"]);
    assert_eq!(thought["iterations"], json!(1000), "{thought}");
}

/// `mcts(c=1)` was told the names of the parameters of mcts.
#[test]
fn a_parameter_of_a_part_is_pointed_to() {
    for (agent, meant) in [
        ("mcts(c=1)", "did you mean select=ucb1(c=1)?"),
        ("mcts(select=rave,c=1)", "did you mean select=rave(c=1)?"),
        ("mcts(playouts=4)", "did you mean leaf=auto(playouts=4)?"),
        ("mcts(memory=1)", "did you mean leaf=replies(memory=1)?"),
        ("vote(c=1)", "did you mean search=mcts(select=ucb1(c=1))?"),
        ("mcts(rave=1)", "did you mean select=rave?"),
        ("ucb1(c=2)", "did you mean mcts(select=ucb1(c=2))?"),
    ] {
        refuses(&["think", "tictactoe", "--agent", agent], meant);
    }
}

/// What a completion script offers for a command line in bash.
fn offered_by_bash(script: &str, line: &[&str]) -> Option<Vec<String>> {
    let words: Vec<String> = line.iter().map(|word| format!("'{word}'")).collect();
    let last = line.len() - 1;
    let ask = format!(
        "{script}\nCOMP_WORDS=({}); COMP_CWORD={last}\n_tesuji tesuji '{}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        line[last],
        line[last - 1]
    );
    // A single argument of a program ends at 128 KiB on Linux; the script is longer.
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/completion.bash");
    std::fs::write(file, ask).expect("written");
    let output = Command::new("bash").args(["--norc", file]).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8").split_whitespace().map(str::to_string).collect())
}

#[test]
fn bash_completes_commands_options_games_and_agents() {
    let script = String::from_utf8(tesuji(&["completions", "bash"]).stdout).expect("UTF-8");
    for (line, offers) in [
        (&["tesuji", "thi"][..], &["think"][..]),
        (&["tesuji", "think", "oth"], &["othello"]),
        (&["tesuji", "think", "hex", "--agent", "alpha"], &["alpha-beta"]),
        (&["tesuji", "solve", "hex", "--with", "df"], &["df-pn"]),
        (&["tesuji", "match", "hex", "--first", "go-"], &["go-solver"]),
        (&["tesuji", "play", "hex", "--first", "me"], &["me"]),
        (&["tesuji", "agents", "au"], &["auto"]),
        (&["tesuji", "think", "hex", "--iter"], &["--iterations"]),
        (&["tesuji", "bench", "search", "gom"], &["gomoku"]),
    ] {
        match offered_by_bash(&script, line) {
            Some(offered) => assert_eq!(offered, offers, "{line:?}"),
            None => return skip("bash", "no completion is tried"),
        }
    }
}

#[test]
fn zsh_and_fish_get_the_same_names() {
    let [zsh, fish] = ["zsh", "fish"].map(|shell| {
        let text = String::from_utf8(tesuji(&["completions", shell]).stdout).expect("UTF-8");
        for name in ["perft", "signature", "othello", "alpha-beta", "auto", "connect6"] {
            assert!(text.contains(name), "{shell}: {name}");
        }
        text
    });
    let asked = format!(
        "{fish}\ncomplete -C 'tesuji think oth'\ncomplete -C 'tesuji bench search gom'\ncomplete -C 'tesuji think hex --agent alpha'"
    );
    match Command::new("fish").args(["--no-config", "-c", &asked]).output() {
        Ok(output) => {
            let offered = String::from_utf8(output.stdout).expect("UTF-8");
            let names: Vec<&str> = offered.lines().filter_map(|line| line.split_whitespace().next()).collect();
            assert_eq!(names, ["othello", "gomoku", "alpha-beta"]);
        }
        Err(_) => skip("fish", "its completion script is not run"),
    }
    let path = std::env::temp_dir().join(format!("tesuji-completions-{}.zsh", std::process::id()));
    std::fs::write(&path, zsh).expect("written");
    match Command::new("zsh").arg("-n").arg(&path).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => skip("zsh", "its completion script is not read"),
    }
    std::fs::remove_file(path).expect("it was there");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = std::env::temp_dir().join(format!("tesuji-man-{}", std::process::id()));
    let path = folder.to_str().expect("UTF-8");
    let written = json_of(&["man", path, "--json"]);
    let mut names: Vec<String> = all_commands().iter().map(|words| format!("tesuji-{}.1", words.join("-"))).collect();
    names.push("tesuji.1".into());
    names.extend(groups().iter().map(|name| format!("tesuji-{name}.1")));
    names.sort();
    let mut pages: Vec<String> = written["pages"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|name| name.as_str().map(str::to_string))
        .collect();
    pages.sort();
    assert_eq!(pages, names);
    for command in all_commands().into_iter().chain([Vec::new()]) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let file = folder.join(format!("{}.1", [&["tesuji"], &words[..]].concat().join("-")));
        let text = std::fs::read_to_string(&file).expect("written").replace("\\-", "-");
        // Every option of the help is on the page, and every command.
        let told = help(&words);
        let options = told.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2);
        for option in options.map(|word| word.trim_end_matches([',', ']', ')', ';', '.'])) {
            let option = option.split(['=', '[', '(']).next().expect("a word");
            assert!(
                text.contains(option) || option == "--help" || option == "--version",
                "{}: {option}",
                file.display()
            );
        }
        for below in commands_of(&words) {
            assert!(text.contains(&below), "{}: {below}", file.display());
        }
        match Command::new("groff").args(["-man", "-Tutf8", "-ww", "-z"]).arg(&file).output() {
            Ok(output) => assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr)),
            Err(_) => skip("groff", "no manual page is set"),
        }
    }
    std::fs::remove_dir_all(folder).expect("it was there");
    refuses(&["man", "/dev/null/x"], "/dev/null/x");
}
