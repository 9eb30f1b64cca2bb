//! Whole games over every protocol but GTP's Go (`protocol_gnugo.rs`), with referees.
//!
//! Two of our servers play, as programs: the strongest agent with few nodes, and `random`, so that
//! the games are decided. A position that no server sees accepts every move and says when the game
//! has ended; then the rules of OpenSpiel or pyffish, where they are installed, judge the moves and
//! the result. A client is a few lines for each protocol, written from its specification.

use crate::command::program;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tesuji_agents::{AnyPosition, start_game};
use tesuji_core::Player;
use tesuji_testing::judge::Judge;

/// No answer takes this long.
const PATIENCE: Duration = Duration::from_secs(120);
/// No game has more moves.
const LONGEST: usize = 1_000;

/// One of our servers, as a program.
struct Server {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child =
            program().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary runs");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Server { child, input, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    /// The next line that begins with this word; the word itself is left out.
    fn answer(&mut self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("an answer in time");
            if let Some(rest) = line.strip_prefix(word) {
                return rest.trim().to_string();
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The referee: the game as it stands.
struct Referee {
    position: Box<dyn AnyPosition>,
    moves: Vec<String>,
}

impl Referee {
    fn of(game: &str) -> Referee {
        let started = start_game(&game.parse().expect("a spec")).expect("a game");
        Referee { position: started.position, moves: Vec::new() }
    }

    fn is_over(&self) -> bool {
        assert!(self.moves.len() < LONGEST, "the game does not end: {:?}", self.moves);
        self.position.outcome().is_some()
    }

    /// The number of the server to move: the first player is 0.
    fn turn(&self) -> usize {
        self.position.turn().index()
    }

    /// Plays a legal move.
    fn play(&mut self, text: &str) {
        let legal = self.position.moves();
        assert!(legal.iter().any(|mv| mv.eq_ignore_ascii_case(text)), "{text} is not legal after {:?}", self.moves);
        let played = self.position.play(text).expect("legal");
        self.moves.push(played);
    }

    fn winner(&self) -> Option<Player> {
        self.position.outcome().expect("the game has ended").winner()
    }

    /// OpenSpiel agrees with every move and the result.
    fn open_spiel_agrees(&self, game: &str) {
        let result = match self.winner() {
            Some(Player::First) => 1,
            Some(Player::Second) => -1,
            None => 0,
        };
        let question = format!("{game}|{result}|{}", self.moves.join(" "));
        if let Some(answers) = Judge::open_spiel("open_spiel_referee").answers(std::slice::from_ref(&question)) {
            assert_eq!(answers, ["agrees"], "{question}");
        }
    }

    /// pyffish agrees with every move of Chinese chess, and that the loser has none left. Its
    /// ranks count from 0 here.
    fn pyffish_agrees(&self, moves: &[String]) {
        let winner = if self.winner() == Some(Player::First) { "w" } else { "b" };
        let question = format!("game {}", moves.join(" "));
        if let Some(answers) = Judge::pyffish("pyffish_xiangqi").answers(std::slice::from_ref(&question)) {
            assert_eq!(answers, [winner], "{question}");
        }
    }
}

/// The two servers of a protocol: a strong one as `strong` (0 moves first), and a random one.
fn pair(command: &[&str], strong: usize) -> [Server; 2] {
    let with = |more: &[&'static str]| Server::start(&[command, more].concat());
    let random = || with(&["--agent", "random", "--seed", "3"]);
    let searching = || with(&["--nodes", "2000", "--iterations", "300"]);
    if strong == 0 { [searching(), random()] } else { [random(), searching()] }
}

/// A game over UCI or UCCI; `written` is how the protocol writes a move of the game.
fn chess_like(game: &str, hello: &[&str], strong: usize, written: impl Fn(&str) -> String) -> Referee {
    let command: &[&str] = if hello[0] == "ucci" { &["ucci"] } else { &["uci"] };
    let mut servers = pair(command, strong);
    let mut referee = Referee::of(game);
    for server in &mut servers {
        server.say(hello[0]);
        server.answer(if hello[0] == "ucci" { "ucciok" } else { "uciok" });
        hello[1..].iter().for_each(|line| server.say(line));
        server.say("isready");
        server.answer("readyok");
    }
    let position = |referee: &Referee| {
        let moves: Vec<String> = referee.moves.iter().map(|mv| written(mv)).collect();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        format!("position startpos{moves}")
    };
    while !referee.is_over() {
        let server = &mut servers[referee.turn()];
        server.say(&position(&referee));
        server.say("go");
        let best = server.answer("bestmove");
        let best = best.split(' ').next().expect("a move");
        let native = referee.position.moves().into_iter().find(|mv| written(mv) == best);
        referee.play(&native.unwrap_or_else(|| panic!("{best} is not legal after {:?}", referee.moves)));
    }
    assert_eq!(referee.winner().map(Player::index), Some(strong), "{:?}", referee.moves);
    referee
}

/// The same move with its ranks one lower: UCI's as UCCI's.
fn ranks_from_zero(mv: &str) -> String {
    let lower = |part: &str| part.parse::<u32>().map_or(String::new(), |rank| (rank - 1).to_string());
    let second = mv.rfind(|c: char| c.is_ascii_alphabetic()).expect("two squares");
    format!("{}{}{}{}", &mv[..1], lower(&mv[1..second]), &mv[second..=second], lower(&mv[second + 1..]))
}

#[test]
fn whole_games_over_uci() {
    for strong in [0, 1] {
        let game = chess_like("xiangqi(ranks=one)", &["uci"], strong, str::to_string);
        game.pyffish_agrees(&game.moves.iter().map(|mv| ranks_from_zero(mv)).collect::<Vec<_>>());
    }
    // As cutechess plays them: the variant is set, and a stone is a drop.
    let drop = |mv: &str| format!("P@{mv}");
    let freestyle = ["uci", "setoption name UCI_Variant value gomokufreestyle", "ucinewgame"];
    chess_like("gomoku(rule=freestyle)", &freestyle, 1, drop).open_spiel_agrees("gomoku(size=15,connect=5)");
    let exact = ["uci", "setoption name UCI_Variant value gomoku", "ucinewgame"];
    chess_like("gomoku(rule=standard)", &exact, 0, drop);
    let tictactoe = ["uci", "setoption name UCI_Variant value mnk", "ucinewgame"];
    chess_like("mnk(m=3,n=3,k=3)", &tictactoe, 0, drop);
}

#[test]
fn whole_games_over_ucci() {
    for strong in [0, 1] {
        let hello = ["ucci", "setoption usemillisec true", "setoption newgame"];
        let game = chess_like("xiangqi", &hello, strong, str::to_string);
        game.pyffish_agrees(&game.moves);
    }
}

#[test]
fn whole_games_over_nboards_protocol() {
    for strong in [0, 1] {
        let mut servers = pair(&["nboard"], strong);
        let mut referee = Referee::of("othello");
        let board = "---------------------------O*------*O--------------------------- *";
        for server in &mut servers {
            server.say("nboard 2");
            server.answer("set myname");
            server.say(&format!("set game (;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 {board}];)"));
            server.say("ping 1");
            server.answer("pong 1");
        }
        while !referee.is_over() {
            let server = &mut servers[referee.turn()];
            server.say("go");
            let answer = server.answer("===");
            let shown = answer.split('/').next().expect("a move").to_string();
            referee.play(if shown == "PA" { "pass" } else { &shown });
            servers.iter_mut().for_each(|server| server.say(&format!("move {shown}//0.1")));
        }
        assert_eq!(referee.winner().map(Player::index), Some(strong), "{:?}", referee.moves);
        referee.open_spiel_agrees("othello");
    }
}

#[test]
fn whole_games_over_gomocups_protocol() {
    for (strong, rule, game) in [(0, 0, "freestyle"), (1, 1, "standard"), (0, 4, "renju")] {
        let mut servers = pair(&["gomocup"], strong);
        let mut referee = Referee::of(&format!("gomoku(rule={game})"));
        for server in &mut servers {
            server.say("START 15");
            server.answer("OK");
            server.say(&format!("INFO rule {rule}"));
        }
        let mut last: Option<String> = None;
        while !referee.is_over() {
            let server = &mut servers[referee.turn()];
            server.say(&last.map_or("BEGIN".to_string(), |point| format!("TURN {point}")));
            let point = server.answer("");
            let (column, row) = point.split_once(',').expect("a point");
            let mv = referee.position.move_on(column.parse().expect("a column"), row.parse().expect("a row"));
            referee.play(&mv.unwrap_or_else(|| panic!("{point} is not legal after {:?}", referee.moves)));
            last = Some(point);
        }
        assert_eq!(referee.winner().map(Player::index), Some(strong), "{:?}", referee.moves);
        if rule == 0 {
            referee.open_spiel_agrees("gomoku(size=15,connect=5)");
        }
    }
}

/// HexGui's way: the size as two numbers, every move told to the other side, a swap as
/// `swap-pieces`.
#[test]
fn whole_games_in_hexguis_dialect() {
    for strong in [0, 1] {
        let mut servers = pair(&["gtp", "hex"], strong);
        let mut referee = Referee::of("hex(size=5)");
        for server in &mut servers {
            for command in ["name", "version", "hexgui-analyze_commands", "boardsize 5 5", "clear_board"] {
                server.say(command);
                server.answer("=");
                while !server.answer("").is_empty() {}
            }
        }
        while !referee.is_over() {
            let turn = referee.turn();
            let colour = ["black", "white"][turn];
            servers[turn].say(&format!("genmove {colour}"));
            let shown = servers[turn].answer("=");
            if shown == "resign" {
                assert_ne!(turn, strong, "the strong side resigns after {:?}", referee.moves);
                break;
            }
            servers[1 - turn].say(&format!("play {colour} {shown}"));
            assert_eq!(servers[1 - turn].answer("="), "");
            referee.play(if shown == "swap-pieces" { "swap" } else { &shown });
        }
        assert_eq!(referee.winner().map(Player::index), Some(strong), "{:?}", referee.moves);
        referee.open_spiel_agrees("hex(board_size=5,swap=True)");
        for server in &mut servers {
            server.say("final_score");
            assert_eq!(server.answer("="), ["B+", "W+"][strong]);
        }
    }
}

/// Every move of both sides is the best one of an answer; the questions have all moves so far.
#[test]
fn a_whole_game_over_json() {
    let mut server = Server::start(&["analysis", "go(size=5)"]);
    let mut referee = Referee::of("go(size=5)");
    while !referee.is_over() {
        let colours = ["B", "W"];
        let moves = referee.moves.iter().enumerate();
        let moves: Vec<_> = moves.map(|(number, mv)| serde_json::json!([colours[number % 2], mv])).collect();
        let question = serde_json::json!({
            "id": referee.moves.len().to_string(), "moves": moves, "rules": "chinese", "komi": 7.5,
            "boardXSize": 5, "boardYSize": 5, "maxVisits": 100, "agent": "mcts",
        });
        server.say(&question.to_string());
        let answer: serde_json::Value = serde_json::from_str(&server.answer("")).expect("JSON");
        assert_eq!((&answer["id"], &answer["turnNumber"]), (&question["id"], &referee.moves.len().into()), "{answer}");
        assert_eq!(answer["rootInfo"]["currentPlayer"], colours[referee.turn()], "{answer}");
        let best = answer["moveInfos"][0]["move"].as_str().unwrap_or_else(|| panic!("a move: {answer}"));
        assert_eq!(answer["rootInfo"]["best"], best, "{answer}");
        referee.play(best);
    }
    referee.open_spiel_agrees("go(board_size=5,komi=7.5,max_game_length=1000)");
    // The game is over: a question about its end is an error of that question.
    let moves = serde_json::json!({"id": "end", "moves": referee.moves});
    server.say(&moves.to_string());
    let answer: serde_json::Value = serde_json::from_str(&server.answer("")).expect("JSON");
    assert!(answer["error"].is_string(), "{answer}");
}
