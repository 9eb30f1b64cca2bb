//! Other people's engines as agents, through the whole program: games with real ones, games with
//! our own servers in their place, and engines that lie, hang, flood and die in every protocol.
//!
//! Real engines are GNU Go, GRhino and Fairy-Stockfish, from Debian's packages `gnugo`, `grhino`
//! and `fairy-stockfish`; each is skipped loudly where it is absent.
#![cfg(unix)]

use crate::command::{json_of, program, refuses, tesuji};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tesuji_testing::skip;

/// The command of a program of Debian's games, if it is there; else the test is skipped.
fn installed(program: &str, package: &str) -> Option<String> {
    let folders = std::env::var("PATH").unwrap_or_default();
    let mut places = folders.split(':').chain(["/usr/games"]).map(|folder| Path::new(folder).join(program));
    let found = places.find(|place| place.is_file()).and_then(|place| place.to_str().map(str::to_string));
    if found.is_none() {
        skip(package, "no game is played against it");
    }
    found
}

/// A command of our own, as an engine.
fn ours(arguments: &str) -> String {
    format!("'{}' {arguments}", env!("CARGO_BIN_EXE_tesuji"))
}

/// An agent whose text has quotes.
fn agent(name: &str, command: &str, more: &str) -> String {
    format!("{name}(cmd={command:?}{more})")
}

/// Plays games between an engine and an agent; none may be void.
fn play(game: &str, engine: &str, other: &str, limits: &[&str]) -> Value {
    let arguments = ["match", game, "--first", engine, "--second", other, "--games", "2", "--json"];
    let result = json_of(&[&arguments, limits].concat());
    assert_eq!(result["void"], 0, "{result}");
    assert_eq!((&result["complete"], &result["games"]), (&Value::Bool(true), &Value::from(2)), "{result}");
    result
}

#[test]
fn whole_games_with_gnu_go() {
    let Some(gnugo) = installed("gnugo", "gnugo") else { return };
    let gnugo = agent("gtp", &format!("{gnugo} --mode gtp --level 1 --chinese-rules --capture-all-dead"), "");
    let result = play("go(size=9)", &gnugo, "mcts", &["--iterations", "20"]);
    assert_eq!(result["own_limits"], serde_json::json!(["first"]), "the iterations are those of mcts alone");
    play("go(size=7)", &gnugo, "random", &["--time", "1"]);
    // A handicap is told stone by stone; White begins.
    play("go(size=9,handicap=3,komi=0.5)", &gnugo, "random", &[]);
}

#[test]
fn whole_games_with_grhino() {
    let Some(rhino) = installed("gtp-rhino", "grhino") else { return };
    let rhino = agent("gtp", &format!("{rhino} --level=1"), "");
    // Random openings lead to games in which either side has to pass.
    let mut passes = 0;
    for seed in 1..=4 {
        let seed = seed.to_string();
        let result = play("othello", &rhino, "random", &["--openings", "4", "--seed", &seed]);
        // 60 squares a game, 4 of them in the opening.
        passes += result["plies"].as_u64().expect("a count").saturating_sub(2 * 56);
    }
    assert!(passes > 0, "no game had a pass");
    refuses(&["think", "othello(random_plies=10)", "--agent", &rhino], "usual start only");
}

#[test]
fn whole_games_with_fairy_stockfish() {
    let Some(fairy) = installed("fairy-stockfish", "fairy-stockfish") else { return };
    let uci = agent("uci", &fairy, ",options=\"Skill Level=3;hash=8\"");
    let ucci = agent("ucci", &fairy, "");
    play("xiangqi", &uci, "random", &["--nodes", "300"]);
    play("xiangqi(ranks=one)", &ucci, "random", &["--nodes", "300"]);
    // The same program on both sides of the board, in two protocols, with a position of its own.
    let endgame = "xiangqi(fen=\"3k5/9/9/9/9/9/4R4/9/9/4K4 b - - 0 1\")";
    play(endgame, &uci, &ucci, &["--time", "0.02"]);
    let full = agent("uci", &fairy, "");
    let thought = json_of(&["think", "xiangqi", "--agent", &full, "--nodes", "2000", "--moves", "h2e2", "--json"]);
    assert!(thought["nodes"].as_u64().expect("a count") >= 1_000, "{thought}");
    assert!(thought["depth"].as_u64().expect("a depth") > 1 && thought["value"] != 0.5, "{thought}");
    assert_eq!(thought["line"][0], thought["best"]);
    assert!(thought["line"].as_array().expect("a line").len() > 1, "{thought}");
    refuses(
        &["think", "xiangqi", "--agent", &agent("uci", &fairy, ",variant=\"go\"")],
        "UCI_Variant=go: expected one of",
    );
    refuses(&["think", "xiangqi", "--agent", &agent("ucci", &fairy, ",options=\"Speed=1\"")], "no option \"Speed\"");
}

/// Every protocol that we serve, with our own engine behind it.
#[test]
fn whole_games_with_our_own_servers() {
    for (game, name, arguments) in [
        ("gomoku", "gomocup", "gomocup --agent mcts --iterations 20"),
        ("gomoku(rule=renju)", "gomocup", "gomocup --agent random"),
        ("gomoku(size=19,rule=standard)", "gomocup", "gomocup --agent random"),
        ("othello", "nboard", "nboard --agent alpha-beta --nodes 100"),
        ("othello(random_plies=12)", "nboard", "nboard --agent random"),
        ("hex(size=6)", "gtp", "gtp hex --agent mcts --iterations 50"),
        ("hex(size=4,swap=false)", "gtp", "gtp 'hex(swap=false)' --agent random"),
        ("othello(size=6)", "gtp", "gtp othello --agent random"),
        ("xiangqi", "uci", "uci --agent random"),
        ("tictactoe", "uci", "uci tictactoe --agent random"),
        ("gomoku", "uci", "uci gomoku --agent random"),
        ("xiangqi(ranks=one,handicap=rook)", "ucci", "ucci --agent random"),
    ] {
        let engine = agent(name, &ours(arguments), "");
        for seed in ["1", "2"] {
            play(game, &engine, "random", &["--seed", seed]);
        }
    }
}

/// A swap is `swap` here and `swap-pieces` over GTP, both ways.
#[test]
fn hex_engines_swap_and_are_swapped() {
    let told = Folder::new("swap");
    let log = told.path("log");
    // Black opens in the corner, and White swaps.
    let body = format!(
        "while read -r id word colour point; do echo \"$word $colour $point\" >>{log}\n\
         case \"$word $colour\" in 'genmove black') move=c3;; 'genmove white') move=swap-pieces;; *) move=;; esac\n\
         printf '=%s %s\\n\\n' \"$id\" \"$move\"; done\n"
    );
    let engine = agent("gtp", &told.script("hex.sh", &body), "");
    let swapped = json_of(&["think", "hex(size=3)", "--agent", &engine, "--moves", "b2", "--json"]);
    assert_eq!(swapped["best"], "swap");
    json_of(&["think", "hex(size=3)", "--agent", &engine, "--moves", "b1", "swap", "--json"]);
    let log = std::fs::read_to_string(log).expect("the engine wrote a log");
    assert!(log.contains("play black b1\nplay white swap-pieces\ngenmove black"), "{log}");
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tesuji-engines-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_string()
    }

    /// Writes a shell script and answers the command that runs it.
    fn script(&self, name: &str, body: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, body).expect("the script can be written");
        format!("sh {path}")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A protocol as a scripted engine plays it.
struct Scripted {
    agent: &'static str,
    game: &'static str,
    /// The cases of a shell loop over lines: `$word` and `$rest` are the parts of one, and `move` is
    /// what the engine does when it is asked for a move.
    cases: &'static str,
    /// Answers to the question for a move: one legal, one not.
    legal: &'static str,
    illegal: &'static str,
}

const SCRIPTED: [Scripted; 5] = [
    Scripted {
        agent: "gtp",
        game: "go(size=5)",
        cases: "[0-9]*) case \"$rest\" in genmove*) id=$word; move;; *) printf '=%s\\n\\n' \"$word\";; esac;;",
        legal: "printf '=%s C3\\n\\n' \"$id\"",
        illegal: "printf '=%s Z99\\n\\n' \"$id\"",
    },
    Scripted {
        agent: "uci",
        game: "xiangqi",
        cases: "uci) echo 'option name Hash type spin default 16 min 1 max 1024'; \
                echo 'option name Threads type spin default 1 min 1 max 8'; echo uciok;; \
                isready) echo readyok;; go) move;;",
        legal: "echo 'bestmove h3e3 ponder h8e8'",
        illegal: "echo 'bestmove a1a10'",
    },
    Scripted {
        agent: "ucci",
        game: "xiangqi",
        cases: "ucci) echo 'option usemillisec type check default false'; \
                echo 'option hashsize type spin min 1 max 1024 default 16'; echo ucciok;; \
                isready) echo readyok;; go) move;;",
        legal: "echo 'bestmove h2e2'",
        illegal: "echo 'bestmove a0a9'",
    },
    Scripted {
        agent: "gomocup",
        game: "gomoku",
        cases: "START) echo OK;; BEGIN|TURN|DONE) echo 'MESSAGE thinking'; move;;",
        legal: "echo 7,7",
        illegal: "echo 15,15",
    },
    Scripted {
        agent: "nboard",
        game: "othello",
        cases: "ping) echo \"pong $rest\";; go) echo 'status Thinking'; move;;",
        legal: "echo '=== F5/0.0/0.1'",
        illegal: "echo '=== A1'",
    },
];

impl Scripted {
    /// An engine that notes what it hears, says something on its standard error, and does this when
    /// it is asked for a move.
    fn engine(&self, folder: &Folder, name: &str, act: &str) -> String {
        let name = format!("{}-{name}", self.agent);
        let body = format!(
            "echo 'starting up' >&2\nmove() {{ {act}; }}\n\
             while read -r word rest; do echo \"$word $rest\" >>{}\n\
             case \"$word\" in quit|END) exit;; {} esac; done\n",
            folder.path(&format!("{name}.log")),
            self.cases,
        );
        agent(self.agent, &folder.script(&format!("{name}.sh"), &body), "")
    }

    fn log(&self, folder: &Folder, name: &str) -> String {
        std::fs::read_to_string(folder.path(&format!("{}-{name}.log", self.agent))).expect("a log")
    }
}

/// Lies, hangs, floods and dies: when it is asked for a move, and before it has said a word.
#[test]
fn an_engine_that_misbehaves_makes_the_game_void_in_every_protocol() {
    let folder = Folder::new("sins");
    let long = "yes DEBUG $(printf %01000d 0)";
    let try_all = |scripted: &Scripted| {
        let at_a_move = |name: &str, act: &str| scripted.engine(&folder, name, act);
        let at_once = |command: &str| agent(scripted.agent, command, "");
        for (sin, engine, reason) in [
            ("lies", at_a_move("lies", scripted.illegal), "no legal move"),
            ("hangs", at_a_move("hangs", "sleep 1000"), "did not answer"),
            ("floods", at_a_move("floods", long), "but printed more than"),
            ("dies", at_a_move("dies", "echo 'out of memory' >&2; exit 1"), "the engine ended"),
            ("never speaks", at_once("sleep 1000"), "did not answer"),
            ("babbles", at_once(&format!("sh -c \"{long}\"")), "but printed more than"),
            ("is no engine", at_once("true"), "the engine ended"),
        ] {
            let label = format!("{} {sin}", scripted.agent);
            let arguments = ["match", scripted.game, "--first", &engine, "--second", "random"];
            let began = Instant::now();
            let result = json_of(&[&arguments[..], &["--games", "1", "--time", "0.2", "--json"]].concat());
            // The time of a move, three seconds of grace, three more after `stop`, and the end.
            assert!(began.elapsed() < Duration::from_secs(60), "{label}: {:?}", began.elapsed());
            let counts = ["complete", "games", "void", "first_wins", "second_wins", "draws"].map(|key| &result[key]);
            assert_eq!(counts.map(ToString::to_string), ["true", "1", "1", "0", "0", "0"], "{label}: {result}");
            let why = result["void_reason"].as_str().expect("a reason");
            assert!(why.contains(reason) && why.len() < 1_000, "{label}: {why}");
            let transcript: Vec<&str> =
                result["void_transcript"].as_array().expect("a transcript").iter().flat_map(Value::as_str).collect();
            assert!((1..=20).contains(&transcript.len()), "{label}: {result}");
            assert!(
                transcript.iter().any(|line| line.starts_with("> ")) || sin == "floods" || sin == "babbles",
                "{label}: {transcript:?}"
            );
            if sin == "dies" {
                assert!(transcript.contains(&"! out of memory"), "{label}: {transcript:?}");
            }
        }
    };
    std::thread::scope(|scope| {
        for scripted in &SCRIPTED {
            scope.spawn(|| try_all(scripted));
        }
    });
}

/// The next game starts the engine again: one void game is not the end of a match.
#[test]
fn a_void_game_does_not_spoil_the_next_one() {
    let folder = Folder::new("again");
    let died = folder.path("died");
    for scripted in &SCRIPTED {
        let _ = std::fs::remove_file(&died);
        let once = format!("if test ! -e {died}; then touch {died}; exit 1; fi; {}", scripted.legal);
        let engine = scripted.engine(&folder, "once", &once);
        let arguments = ["match", scripted.game, "--first", &engine, "--second", "random", "--games", "2", "--json"];
        let result = json_of(&[&arguments[..], &["--time", "1"]].concat());
        // The second life repeats its first move, and that is illegal the second time.
        let reason = result["void_reason"].as_str().expect("a reason");
        assert!(result["void"] == 2 && reason.contains("ended"), "{result}");
        let log = scripted.log(&folder, "once");
        let greeting = match scripted.agent {
            "gtp" => "clear_board",
            "gomocup" => "START 15",
            "nboard" => "nboard 2",
            other => other,
        };
        let lives = log.lines().filter(|line| line.trim().ends_with(greeting)).count();
        assert_eq!(lives, 2, "{log}");
    }
}

#[test]
fn limits_are_passed_on() {
    let folder = Folder::new("limits");
    let told = |scripted: &Scripted, limits: &[&str]| {
        let name = limits.join("");
        let engine = scripted.engine(&folder, &name, scripted.legal);
        let thought = json_of(&[&["think", scripted.game, "--agent", &engine, "--json"], limits].concat());
        assert!(thought["best"].is_string(), "{thought}");
        scripted.log(&folder, &name)
    };
    let [gtp, uci, ucci, gomocup, nboard] = &SCRIPTED;
    let heard = |log: String, lines: &[&str]| {
        for line in lines {
            assert!(log.lines().any(|said| said.trim().ends_with(line)), "no \"{line}\" in\n{log}");
        }
    };
    heard(told(gtp, &["--time", "1.5"]), &["time_settings 0 2 1", "time_left black 2 1", "genmove black"]);
    let all = ["--time", "1.5", "--nodes", "77", "--iterations", "99", "--memory", "64MiB"];
    let expected = ["setoption name Hash value 64", "position startpos", "go movetime 1500 nodes 77"];
    heard(told(uci, &all), &expected);
    heard(told(uci, &["--threads", "2", "--nodes", "5"]), &["setoption name Threads value 2", "go nodes 5"]);
    heard(told(uci, &[]), &["go nodes 10000"]);
    heard(told(ucci, &all), &["setoption usemillisec true", "setoption hashsize 64", "go time 1500 movestogo 1"]);
    heard(told(ucci, &["--iterations", "99"]), &["RNBAKABNR w - - 0 1", "go nodes 99"]);
    let expected = ["INFO timeout_turn 1500", "INFO timeout_match 0", "INFO max_memory 67108864", "INFO rule 0"];
    heard(told(gomocup, &["--time", "1.5", "--memory", "64MiB"]), &expected);
    heard(told(nboard, &["--time", "1.5"]), &["set depth 8", "go"]);
    // What a protocol cannot say is refused, and so are threads that an engine does not have.
    for scripted in [gtp, gomocup, nboard] {
        let engine = scripted.engine(&folder, "refused", scripted.legal);
        for limit in ["--nodes", "--iterations"] {
            refuses(
                &["think", scripted.game, "--agent", &engine, limit, "10"],
                "without words for a limit of iterations or nodes",
            );
        }
        refuses(&["think", scripted.game, "--agent", &engine, "--threads", "2"], "threads");
    }
    let engine = ucci.engine(&folder, "threads", ucci.legal);
    refuses(&["think", "xiangqi", "--agent", &engine, "--threads", "2"], "no option \"Threads\"");
    // In a match the limit binds the agent that it reaches.
    let engine = gomocup.engine(&folder, "match", gomocup.legal);
    let arguments = ["match", "gomoku", "--first", "random", "--second", &engine, "--games", "1", "--nodes", "10"];
    let result = json_of(&[&arguments[..], &["--json"]].concat());
    assert_eq!(result["own_limits"], serde_json::json!(["second"]));
    let both = ["match", "gomoku", "--first", &engine, "--second", &engine, "--games", "1", "--nodes", "10"];
    refuses(&both, "without words for a limit of iterations or nodes");
}

/// An engine that knows `stop` answers when it is stopped, and goes on with the game.
#[test]
fn uci_engines_are_stopped_and_not_ended() {
    let folder = Folder::new("stop");
    let body = "while read -r word rest; do case \"$word\" in uci) echo uciok;; isready) echo readyok;; \
                stop) echo 'info depth 3 score cp 0 pv h3e3'; echo 'bestmove h3e3';; quit) exit;; esac; done\n";
    let engine = agent("uci", &folder.script("stop.sh", body), "");
    let began = Instant::now();
    let thought = json_of(&["think", "xiangqi", "--agent", &engine, "--time", "0.1", "--json"]);
    assert_eq!((&thought["best"], &thought["depth"]), (&Value::from("h2e2"), &Value::from(3)), "{thought}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// An engine that refused an option in a later game ended the match, and its finished games were
/// lost; one that refused it in its first game gave a void game or an error, by the number of games.
#[test]
fn a_match_keeps_its_finished_games() {
    let folder = Folder::new("refusals");
    // It plays one move and dies when it is asked for another; after that it has another variant only.
    let body = |dead: &str| {
        format!(
            "variant=tictactoe; [ -e {dead} ] && variant=chess\n\
             while read -r word rest; do case \"$word\" in\n\
             uci) echo \"option name UCI_Variant type combo default $variant var $variant\"; echo uciok;;\n\
             isready) echo readyok;;\n\
             go) [ -n \"$moved\" ] && {{ echo x >{dead}; exit 1; }}; moved=1; echo 'bestmove P@a1';;\n\
             quit) exit;; esac; done\n"
        )
    };
    let engine = agent("uci", &folder.script("later.sh", &body(&folder.path("dead"))), "");
    let arguments = ["match", "tictactoe", "--first", &engine, "--second", "random", "--games", "5", "--time", "5"];
    let result = json_of(&[&arguments[..], &["--draw-after", "1", "--json"]].concat());
    // It moves in every other game: a draw after its move, its death, its refusal.
    let counts = ["games", "draws", "void", "plies"].map(|key| result[key].as_u64());
    assert_eq!((counts, &result["complete"]), ([Some(5), Some(3), Some(2), Some(3)], &Value::Bool(true)), "{result}");
    let never = agent("uci", &folder.script("never.sh", &body(&folder.path("dead"))), "");
    for games in ["1", "2", "3"] {
        for (first, second) in [("random", &never[..]), (&never[..], "random")] {
            let arguments = ["match", "tictactoe", "--first", first, "--second", second, "--games", games];
            refuses(&[&arguments[..], &["--time", "5"]].concat(), "UCI_Variant=tictactoe: expected one of chess");
        }
    }
}

/// An engine that has no move when it is stopped failed `think` with exit code 1.
#[test]
fn a_stopped_engine_without_a_move_is_an_interruption() {
    let folder = Folder::new("interrupted");
    let asked = folder.path("asked");
    let body = format!(
        "while read -r id word rest; do [ \"$word\" = genmove ] && echo x >{asked} || printf '=%s\\n\\n' \"$id\"; done\n"
    );
    let engine = agent("gtp", &folder.script("hangs.sh", &body), "");
    let arguments = ["think", "go(size=5)", "--agent", &engine, "--time", "60"];
    let child = program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let began = Instant::now();
    while !Path::new(&asked).exists() && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-s", "INT", &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("stopped while the engine was asked \"genmove black\""), "{errors}");
}

/// What a program of ours says to these lines.
fn said(arguments: &[&str], lines: &str) -> String {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Engines serve the other commands too: behind a protocol of ours, in its own notation, and at the
/// terminal. Their standard error goes nowhere.
#[test]
fn engines_play_behind_protocols_and_at_the_terminal() {
    let folder = Folder::new("commands");
    let [gtp, uci, _, gomocup, nboard] = &SCRIPTED;
    let engine = |scripted: &Scripted| scripted.engine(&folder, "serves", scripted.legal);
    let answer = said(&["gtp", "go(size=5)", "--agent", &engine(gtp)], "genmove b\nplay w A1\nquit\n");
    assert!(answer.starts_with("= C3\n\n=\n\n"), "{answer}");
    // Ranks from 1 on both sides of UCI, from 0 over UCCI: the game translates.
    let answer = said(&["uci", "xiangqi", "--agent", &engine(uci)], "position startpos\ngo nodes 10\n");
    assert!(answer.contains("bestmove h3e3"), "{answer}");
    let lines = "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\ngo nodes 10\n";
    let answer = said(&["ucci", "xiangqi", "--agent", &engine(uci)], lines);
    assert!(answer.contains("bestmove h2e2"), "{answer}");
    let answer = said(&["gomocup", "--agent", &engine(gomocup)], "START 15\nBEGIN\n");
    assert!(answer.contains("7,7"), "{answer}");
    let answer = said(&["nboard", "--agent", &engine(nboard)], "nboard 2\ngo\n");
    assert!(answer.contains("=== F5"), "{answer}");
    // The demonstration: two programs, with limits that one of them has no words for.
    let resigns = gtp.engine(&folder, "resigns", "printf '=%s resign\\n\\n' \"$id\"");
    let game = said(&["play", "go(size=5)", "--first", "mcts", "--second", &resigns, "--plain"], "");
    assert!(game.to_lowercase().contains("resign"), "{game}");
    let output = tesuji(&["think", "go(size=5)", "--agent", &engine(gtp)]);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("C3") && !errors.contains("starting up"), "{text}{errors}");
}
