//! Games of Chinese chess against Fairy-Stockfish, where it is installed: a score. `cargo bench -p
//! tesuji-search --bench fairy_stockfish`; results are in docs/decisions/0008-alpha-beta.md.
//! `TESUJI_GAMES` sets the number of games, `TESUJI_ENGINE_NODES` the nodes of Fairy-Stockfish,
//! `TESUJI_MILLISECONDS` or `TESUJI_OWN_NODES` what alpha-beta has for a move.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use tesuji_core::{Budget, NoObserver, Player, Position, Rng, Seed};
use tesuji_games::xiangqi::{Xiangqi, XiangqiMove};
use tesuji_search::Search;
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::minimax::alphabeta::Options;
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::{setting, skip};

/// The engine, spoken to in UCI.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Option<Engine> {
        let start = |name: &str| {
            Command::new(name).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
        };
        let mut child = start("fairy-stockfish").or_else(|| start("/usr/games/fairy-stockfish"))?;
        let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        let mut engine = Engine { child, input, output };
        engine.tell("setoption name UCI_Variant value xiangqi");
        engine.tell("setoption name Threads value 1");
        engine.tell("isready");
        engine.hear("readyok");
        Some(engine)
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine listens");
    }

    /// Reads up to a line that starts so.
    fn hear(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "the engine ended");
            if line.starts_with(start) {
                return line;
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// As UCI programs write it: ranks from 1.
fn written(mv: XiangqiMove) -> String {
    let square = |(file, rank): (u8, u8)| format!("{}{}", char::from(b'a' + file), rank + 1);
    format!("{}{}", square(mv.from()), square(mv.to()))
}

fn main() {
    let Some(mut engine) = Engine::start() else { return skip("fairy-stockfish", "no match is played against it") };
    let mut figures = Figures::new("fairy_stockfish");
    let (games, nodes) = (setting("TESUJI_GAMES", 100), setting("TESUJI_ENGINE_NODES", 2_000));
    let own_nodes = std::env::var("TESUJI_OWN_NODES").ok().map(|text| text.parse().expect("a number"));
    let time = Duration::from_millis(setting("TESUJI_MILLISECONDS", 200));
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for game in 0..games {
        // Pairs of games share an opening of four random moves.
        let mut rng = Rng::new(Seed(game / 2));
        let own = if game % 2 == 0 { Player::First } else { Player::Second };
        let mut position = Xiangqi::new();
        let mut moves: Vec<String> = Vec::new();
        let mut search = AlphaBeta::new(Options { bytes: 32 << 20, ..Options::default() });
        engine.tell("ucinewgame");
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let mv = if moves.len() < 4 {
                position.random_move(&mut rng).expect("live")
            } else if position.turn() == own {
                let hard_time = own_nodes.is_none().then_some(time);
                let budget = Budget { hard_time, nodes: own_nodes, ..Budget::default() };
                let report = search.search(&position, &budget, Seed(game), &mut NoObserver).expect("live");
                report.best.expect("a move")
            } else {
                engine.tell(&format!("position startpos moves {}", moves.join(" ")));
                engine.tell(&format!("go nodes {nodes}"));
                let answer = engine.hear("bestmove");
                let text = answer.split_whitespace().nth(1).unwrap_or_default();
                // It may see an end by its own reading of repetition; then any move will do.
                let legal = position.moves();
                legal.iter().copied().find(|mv| written(*mv) == text).unwrap_or(legal[0])
            };
            assert!(position.is_legal(mv));
            moves.push(written(mv));
            position.play(mv);
        };
        match outcome.winner() {
            Some(winner) if winner == own => wins += 1,
            None => draws += 1,
            Some(_) => losses += 1,
        }
    }
    for (name, count) in [("won", wins), ("drawn", draws), ("lost", losses)] {
        figures.add(format!("{name} of {games} against {nodes} nodes a move"), f64::from(count), Unit::Count);
    }
    figures.finish();
}
