//! Many clients of one server at once: `cargo bench -p tesuji --bench web_load`; docs/web.md has the
//! result.
//!
//! `TESUJI_LOAD_CLIENTS` (200) clients for `TESUJI_LOAD_SECONDS` (60) seconds. Nine of ten play:
//! a game, moves, a look at it, its record, now and then a move of the engine, with a pause of
//! `TESUJI_LOAD_PAUSE` (200) milliseconds on average between two requests. Every tenth watches live
//! searches, one after the other. Before that, what a watching page costs a search: the same search
//! over WebSocket and by `tesuji think`, interleaved, `TESUJI_LOAD_ROUNDS` (9) times each. Fails if a request fails that must not, if the server ends, if a
//! search outlives its client, or if its memory still grows in the second half.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tesuji_core::{Rng, Seed};
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::setting;
use tungstenite::Message;

/// The server, as a process of its own.
struct Server {
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn start() -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["serve", "--port", "0", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built");
        let mut line = String::new();
        let output = process.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        let url = answer["url"].as_str().expect("an address");
        let port = url.trim_end_matches('/').rsplit(':').next().expect("a port").parse().expect("a number");
        Server { process, port }
    }

    /// The memory of its process, in MB; nothing where the system does not say.
    fn memory(&self) -> Option<f64> {
        let text = std::fs::read_to_string(format!("/proc/{}/statm", self.process.id())).ok()?;
        let pages: f64 = text.split(' ').nth(1)?.parse().ok()?;
        Some(pages * 4096.0 / 1e6)
    }
}

/// A connection that is kept.
struct Client {
    stream: TcpStream,
    times: Vec<f64>,
}

impl Client {
    fn new(port: u16) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
        stream.set_nodelay(true).expect("an option");
        Client { stream, times: Vec::new() }
    }

    fn ask(&mut self, path: &str, body: Option<&Value>) -> (u16, Vec<u8>) {
        let text = body.map(ToString::to_string).unwrap_or_default();
        let (method, head) = match body {
            Some(_) => ("POST", format!("Content-Type: application/json\r\nContent-Length: {}\r\n", text.len())),
            None => ("GET", String::new()),
        };
        let began = Instant::now();
        let request = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n{text}");
        self.stream.write_all(request.as_bytes()).expect("the server listens");
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") {
            self.stream.read_exact(&mut byte).expect("an answer");
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        self.stream.read_exact(&mut body).expect("a body");
        self.times.push(began.elapsed().as_secs_f64() * 1e3);
        (head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), body)
    }
}

fn pause(rng: &mut Rng, average: u32) {
    std::thread::sleep(Duration::from_micros(u64::from(rng.below(2_000 * average.max(1)))));
}

/// Plays games until the end; answers the times of quick requests and of those with a search.
fn play(port: u16, number: u64, end: Instant) -> (Vec<f64>, Vec<f64>) {
    const GAMES: [&str; 5] = ["tictactoe", "go(size=9)", "hex(size=7)", "othello", "xiangqi"];
    let average = setting("TESUJI_LOAD_PAUSE", 200);
    let (mut rng, mut client, mut thought) = (Rng::new(Seed(number)), Client::new(port), Vec::new());
    while Instant::now() < end {
        let game = GAMES[rng.below(GAMES.len() as u32) as usize];
        let (status, body) = client.ask("/api/v1/sessions", Some(&json!({ "game": game })));
        assert_eq!(status, 201, "{}", String::from_utf8_lossy(&body));
        let mut state: Value = serde_json::from_slice(&body).expect("JSON");
        let path = format!("/api/v1/sessions/{}", state["id"].as_str().expect("an id"));
        for _ in 0..12 {
            pause(&mut rng, average);
            let Some(legal) = state["legal"].as_array().filter(|legal| !legal.is_empty()) else { break };
            let mv = &legal[rng.below(legal.len() as u32) as usize]["move"];
            let (status, body) = client.ask(&format!("{path}/play"), Some(&json!({ "move": mv })));
            // With more clients than sessions, a game may have been dropped.
            if status == 404 {
                break;
            }
            assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
            state = serde_json::from_slice(&body).expect("JSON");
        }
        client.ask(&format!("{path}?at=0"), None);
        client.ask(&format!("{path}/sgf"), None);
        if rng.below(4) == 0 {
            let body = json!({ "agent": "mcts", "budget": { "iterations": 100 } });
            let (status, _) = client.ask(&format!("{path}/think"), Some(&body));
            assert!([200, 404, 422, 503].contains(&status), "{status}");
            thought.extend(client.times.pop());
        }
    }
    (client.times, thought)
}

/// Watches searches until the end; answers the number of snapshots.
fn watch(port: u16, end: Instant) -> usize {
    let address = format!("ws://localhost:{port}/api/v1/live");
    let (mut socket, _) = tungstenite::connect(address).expect("the server listens");
    let mut snapshots = 0;
    while Instant::now() < end {
        let search = json!({ "type": "search", "id": "a", "document": "go(size=9)~E5", "agent": "mcts",
                             "budget": { "seconds": 0.5 }, "every_ms": 100 });
        socket.send(Message::text(search.to_string())).expect("the server listens");
        loop {
            let text = socket.read().expect("a message").into_text().expect("text");
            let message: Value = serde_json::from_str(&text).expect("JSON");
            match message["type"].as_str() {
                Some("snapshot") => snapshots += 1,
                Some("done") => break,
                Some("error") => panic!("{message}"),
                _ => {}
            }
        }
    }
    snapshots
}

/// The seconds that a search of the program takes that is watched by a page, and by nothing at all.
fn search_seconds(port: u16, game: &str, iterations: u32) -> [f64; 2] {
    let address = format!("ws://localhost:{port}/api/v1/live");
    let (mut socket, _) = tungstenite::connect(address).expect("the server listens");
    let search = json!({ "type": "search", "id": "a", "document": game, "agent": "mcts",
                         "budget": { "iterations": iterations } });
    socket.send(Message::text(search.to_string())).expect("the server listens");
    let watched = loop {
        let text = socket.read().expect("a message").into_text().expect("text");
        let message: Value = serde_json::from_str(&text).expect("JSON");
        if message["type"] == "done" {
            break message["report"]["seconds"].as_f64().expect("a time");
        }
    };
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["think", game, "--agent", "mcts", "--json", "--iterations", &iterations.to_string()])
        .output()
        .expect("the program was built");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    [watched, answer["seconds"].as_f64().expect("a time")]
}

/// What a watching page costs a search: interleaved, the medians.
fn watching(port: u16, figures: &mut Figures) {
    let rounds = setting("TESUJI_LOAD_ROUNDS", 9_usize);
    for (game, iterations) in [("go(size=9)", 20_000), ("go", 5_000), ("hex", 40_000)] {
        let times: Vec<[f64; 2]> = (0..rounds).map(|_| search_seconds(port, game, iterations)).collect();
        let [watched, alone] = [0, 1].map(|which| {
            let mut column: Vec<f64> = times.iter().map(|pair| pair[which]).collect();
            column.sort_unstable_by(f64::total_cmp);
            column[column.len() / 2]
        });
        figures.add(format!("{game}: watched"), watched, Unit::Seconds);
        figures.add(format!("{game}: alone"), alone, Unit::Seconds);
    }
}

fn main() {
    let (clients, seconds): (u32, u32) = (setting("TESUJI_LOAD_CLIENTS", 200), setting("TESUJI_LOAD_SECONDS", 60));
    let mut server = Server::start();
    let port = server.port;
    let mut figures = Figures::new("web_load");
    watching(port, &mut figures);
    let end = Instant::now() + Duration::from_secs(u64::from(seconds));
    let (quick, thought, snapshots) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()), Mutex::new(0));
    let mut memory = Vec::new();
    std::thread::scope(|scope| {
        for number in 0..u64::from(clients) {
            let (quick, thought, snapshots) = (&quick, &thought, &snapshots);
            scope.spawn(move || {
                if number % 10 == 9 {
                    *snapshots.lock().expect("no panic") += watch(port, end);
                } else {
                    let (times, searches) = play(port, number, end);
                    quick.lock().expect("no panic").extend(times);
                    thought.lock().expect("no panic").extend(searches);
                }
            });
        }
        while Instant::now() < end {
            memory.extend(server.memory());
            std::thread::sleep(Duration::from_millis(500));
        }
    });
    assert!(server.process.try_wait().expect("a state").is_none(), "the server has ended");
    let (_, body) = Client::new(port).ask("/api/v1", None);
    let about: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(about["searches"], 0, "a search outlives its client");
    let (mut quick, thought) = (quick.into_inner().expect("no panic"), thought.into_inner().expect("no panic"));
    quick.sort_unstable_by(f64::total_cmp);
    figures.add("requests", quick.len() as f64, Unit::Count);
    figures.add("requests a second", quick.len() as f64 / f64::from(seconds), Unit::Count);
    figures.add("request: 99 %", quick[quick.len() * 99 / 100], Unit::Milliseconds);
    figures.spread("request", quick, Unit::Milliseconds);
    figures.spread("request with a search", thought, Unit::Milliseconds);
    figures.add("snapshots", snapshots.into_inner().expect("no panic") as f64, Unit::Count);
    if memory.len() > 4 {
        let most = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
        let (first, second) = memory.split_at(memory.len() / 2);
        figures.add("memory in MB, first half", most(first), Unit::Count);
        figures.add("memory in MB, second half", most(second), Unit::Count);
        assert!(most(second) < 1.3 * most(first) + 20.0, "the memory grows: {memory:?}");
    }
    figures.finish();
}
