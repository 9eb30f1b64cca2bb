//! What `tesuji serve` bears and costs, with the server as a program of its own (`$TESUJI`, or
//! target/release/tesuji): `cargo bench -p tesuji-web --bench serve -- [tree] [watch] [clients]`.
//! The last figures are in docs/web.md.
//!
//! | part | what is measured |
//! |---|---|
//! | tree | a tree of a million nodes: the time until the children of a node are there, over HTTP |
//! | watch | the same search alone and watched as the page watches it, in turns: processor time of the server |
//! | clients | `TESUJI_CLIENTS` (200) clients for `TESUJI_SECONDS` (60): times of answers, refusals, memory, threads, files |

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tesuji_core::{Rng, Seed};
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::setting;
use tungstenite::Message;

/// A running server; it ends with this.
struct Served {
    child: Child,
    port: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(options: &[&str]) -> Served {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let program = std::env::var_os("TESUJI").map_or(format!("{root}/target/release/tesuji").into(), PathBuf::from);
        let lab = std::env::temp_dir().join(format!("tesuji-serve-{}", std::process::id()));
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0", "--json", "--lab"]).arg(lab).args(options).stdout(Stdio::piped());
        let mut child = command.spawn().expect("tesuji is built: cargo build --release");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let told: Value = serde_json::from_str(&line).expect("JSON");
        let url = told["url"].as_str().expect("an address").trim_end_matches('/').to_string();
        let port = url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Served { child, port }
    }

    /// A file that the system keeps about the process.
    fn told(&self, name: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).expect("Linux")
    }

    /// Processor seconds so far, in hundredths.
    fn worked(&self) -> f64 {
        let stat = self.told("stat");
        let fields: Vec<&str> = stat.rsplit(')').next().expect("a name").split_whitespace().collect();
        [11, 12].map(|field| fields[field].parse::<f64>().expect("a number")).iter().sum::<f64>() / 100.0
    }

    /// A number of /proc/PID/status: resident KiB, threads.
    fn status(&self, name: &str) -> f64 {
        let status = self.told("status");
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect(name);
        line.trim_matches(|sign: char| !sign.is_ascii_digit()).parse().expect("a number")
    }

    fn files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).expect("Linux").count()
    }
}

/// A connection that is kept.
struct Client {
    port: u16,
    stream: BufReader<TcpStream>,
}

impl Client {
    fn new(port: u16) -> std::io::Result<Client> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        Ok(Client { port, stream: BufReader::new(stream) })
    }

    /// The status, the answer, and the milliseconds until it was read.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> std::io::Result<(u16, Vec<u8>, f64)> {
        let began = Instant::now();
        let head = format!("Host: 127.0.0.1:{}\r\nContent-Type: application/json\r\n", self.port);
        let request = format!("{method} /api/v1{path} HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let text = line.trim_end().to_ascii_lowercase();
            if text.is_empty() {
                break;
            } else if let Some(value) = text.strip_prefix("content-length: ") {
                length = value.parse().map_err(std::io::Error::other)?;
            } else if text.starts_with("http/1.1 ") {
                status = text[9..12].parse().map_err(std::io::Error::other)?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        Ok((status, answer, began.elapsed().as_secs_f64() * 1e3))
    }

    fn json(&mut self, method: &str, path: &str, body: &Value) -> (Value, f64) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, answer, time) = self.ask(method, path, &body).expect("an answer");
        assert!((200..300).contains(&status), "{path}: {status} {}", String::from_utf8_lossy(&answer));
        (serde_json::from_slice(&answer).unwrap_or(Value::Null), time)
    }
}

/// A tree of a million nodes; random walks from the root, to children by their visits.
fn tree(figures: &mut Figures) {
    let served = Served::start(&["--memory", "2GB"]);
    let mut client = Client::new(served.port).expect("it listens");
    let body = json!({ "document": "hex(size=11)", "agent": "mcts(select=ucb1(c=0.7),solver=false)", "seed": 1, "iterations": 20_000 });
    let (mut tree, _) = client.json("POST", "/trees", &body);
    let at = format!("/trees/{}", tree["id"].as_str().expect("an id"));
    while tree["nodes"].as_u64() < Some(1_000_000) {
        tree = client.json("POST", &format!("{at}/more"), &json!({ "iterations": 10_000 })).0;
    }
    let (mut rng, mut times, mut parts) = (Rng::new(Seed(2)), Vec::new(), Vec::new());
    let before = served.worked();
    for _ in 0..setting("TESUJI_TREE_WALKS", 300) {
        let mut path: Vec<String> = Vec::new();
        loop {
            let (node, time) =
                client.json("GET", &format!("{at}/node?limit=1000&path={}", path.join("%20")), &Value::Null);
            times.push(time);
            let children = node["children"].as_array().expect("children");
            let visits = |child: &Value| child["visits"].as_u64().expect("visits");
            let all: u64 = children.iter().map(visits).sum();
            let Some(mut left) = (all > 0).then(|| u64::from(rng.below(u32::try_from(all).unwrap_or(u32::MAX)))) else {
                break;
            };
            let next = children.iter().find(|child| {
                let is_here = left < visits(child);
                left = left.saturating_sub(visits(child));
                is_here
            });
            path.push(next.expect("a visited child")["move"].as_str().expect("a move").into());
        }
        parts.push(
            client
                .json(
                    "GET",
                    &format!("{at}/part?depth=8&nodes=500&path={}", path.first().cloned().unwrap_or_default()),
                    &Value::Null,
                )
                .1,
        );
    }
    // Times of a busy machine say little; the server's own work does not depend on what else runs.
    let answers = (times.len() + parts.len()) as f64;
    figures.add("tree: processor time of an answer", 1e3 * (served.worked() - before) / answers, Unit::Milliseconds);
    figures.add("tree: nodes", tree["nodes"].as_f64().expect("a number"), Unit::Count);
    figures.add("tree: answers", times.len() as f64, Unit::Count);
    figures.spread("tree: children of a node", times, Unit::Milliseconds);
    figures.spread("tree: the part that is drawn", parts, Unit::Milliseconds);
}

/// Pairs of one search: watched as the page watches it, and not.
fn watch(figures: &mut Figures) {
    let served = Served::start(&[]);
    let iterations: u64 = setting("TESUJI_ITERATIONS", 200_000);
    let (agent, document) = ("mcts", "go(size=9)~E5.C3.G7.G3");
    let budget = json!({ "iterations": iterations });
    let alone = || {
        // A connection of its own: the server closes one that is silent for as long as a search lasts.
        let mut client = Client::new(served.port).expect("it listens");
        let (session, _) = client.json("POST", "/sessions", &json!({ "document": document }));
        let path = format!("/sessions/{}/think", session["id"].as_str().expect("an id"));
        let before = served.worked();
        client.json("POST", &path, &json!({ "agent": agent, "budget": budget, "seed": 1, "play": false }));
        served.worked() - before
    };
    let watched = || {
        let (mut socket, _) =
            tungstenite::connect(format!("ws://127.0.0.1:{}/api/v1/live", served.port)).expect("a socket");
        let before = served.worked();
        let search = json!({ "type": "search", "id": "a", "document": document, "agent": agent, "budget": budget, "seed": 1,
                             "every_ms": 250, "candidates": 100 });
        socket.send(Message::text(search.to_string())).expect("it listens");
        let mut snapshots = 0;
        loop {
            let message: Value = match socket.read().expect("the connection holds") {
                Message::Text(text) => serde_json::from_str(&text).expect("JSON"),
                _ => continue,
            };
            match message["type"].as_str() {
                Some("done") => break,
                Some("snapshot") => snapshots += 1,
                Some("error") => panic!("{message}"),
                _ => {}
            }
        }
        (served.worked() - before, snapshots)
    };
    let (mut logs, mut first, mut second, mut snapshots) = (Vec::new(), 0.0, 0.0, 0);
    let pairs: u32 = setting("TESUJI_PAIRS", 12);
    for pair in 0..pairs {
        // Who begins changes, so that what else the machine does falls on both.
        let (one, (other, seen)) = if pair.is_multiple_of(2) {
            let one = alone();
            (one, watched())
        } else {
            let other = watched();
            (alone(), other)
        };
        logs.push((other / one).ln());
        (first, second, snapshots) = (first + one, second + other, snapshots + seen);
    }
    let n = f64::from(pairs);
    let mean = logs.iter().sum::<f64>() / n;
    let deviation = (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    // Student's t for 11 degrees of freedom, which is wide enough for more.
    let wide = 2.201 * deviation / n.sqrt();
    figures.add("watch: pairs of searches", n, Unit::Count);
    figures.add("watch: snapshots of a search", f64::from(snapshots) / n, Unit::Count);
    figures.add("watch: alone", first / n, Unit::Seconds);
    figures.add("watch: watched", second / n, Unit::Seconds);
    for (row, value) in
        [("cost in per cent", mean), ("lower end (95 %)", mean - wide), ("upper end (95 %)", mean + wide)]
    {
        figures.add(format!("watch: {row}"), 100.0 * (value.exp() - 1.0), Unit::Count);
    }
}

/// What one client did.
#[derive(Default)]
struct Seen {
    times: Vec<f64>,
    searches: Vec<f64>,
    refused: u64,
    failed: u64,
}

/// Plays games, looks at them, and sometimes searches, until the end.
fn client(port: u16, number: u64, end: Instant, pause: Duration) -> Seen {
    let (mut seen, mut rng) = (Seen::default(), Rng::new(Seed(number)));
    let games = ["go(size=9)", "hex(size=11)", "othello", "xiangqi", "gomoku", "tictactoe"];
    'again: while Instant::now() < end {
        let Ok(mut client) = Client::new(port) else {
            seen.failed += 1;
            continue;
        };
        let mut ask = |seen: &mut Seen, method: &str, path: &str, body: Value| -> Option<Value> {
            std::thread::sleep(pause);
            match client.ask(method, path, &if body.is_null() { String::new() } else { body.to_string() }) {
                Ok((status, answer, time)) => {
                    let list = if path.ends_with("/think") { &mut seen.searches } else { &mut seen.times };
                    list.push(time);
                    match status {
                        200..300 => return Some(serde_json::from_slice(&answer).unwrap_or(Value::Null)),
                        500..600 if status != 503 => seen.failed += 1,
                        _ => seen.refused += 1,
                    }
                    None
                }
                Err(_) => {
                    seen.failed += 1;
                    None
                }
            }
        };
        let game = games[rng.below(games.len() as u32) as usize];
        let Some(state) = ask(&mut seen, "POST", "/sessions", json!({ "game": game })) else { continue };
        let at = format!("/sessions/{}", state["id"].as_str().unwrap_or_default());
        let mut state = state;
        for step in 0..20 {
            if Instant::now() > end {
                break;
            }
            let legal = state["legal"].as_array().cloned().unwrap_or_default();
            if legal.is_empty() {
                break;
            }
            let mv = &legal[rng.below(legal.len() as u32) as usize]["move"];
            // A session may have been dropped for newer ones: begin again.
            let Some(next) = ask(&mut seen, "POST", &format!("{at}/play"), json!({ "move": mv })) else {
                continue 'again;
            };
            state = next;
            match step % 5 {
                1 => drop(ask(&mut seen, "GET", &format!("{at}?at=1"), Value::Null)),
                2 => drop(ask(&mut seen, "GET", "/games", Value::Null)),
                3 if number.is_multiple_of(4) => {
                    let body = json!({ "agent": "mcts", "budget": { "iterations": 100 }, "play": false });
                    drop(ask(&mut seen, "POST", &format!("{at}/think"), body));
                }
                _ => {}
            }
        }
        ask(&mut seen, "DELETE", &at, Value::Null);
    }
    seen
}

fn clients(figures: &mut Figures) {
    let served = Served::start(&["--sessions", "1000"]);
    let (many, seconds): (u64, u64) = (setting("TESUJI_CLIENTS", 200), setting("TESUJI_SECONDS", 60));
    let pause = Duration::from_millis(setting("TESUJI_PAUSE_MS", 100));
    let round = |seconds: u64| {
        let end = Instant::now() + Duration::from_secs(seconds);
        let port = served.port;
        let running: Vec<_> =
            (0..many).map(|number| std::thread::spawn(move || client(port, number, end, pause))).collect();
        running.into_iter().fold(Seen::default(), |mut all, thread| {
            let seen = thread.join().expect("a client");
            all.times.extend(seen.times);
            all.searches.extend(seen.searches);
            (all.refused, all.failed) = (all.refused + seen.refused, all.failed + seen.failed);
            all
        })
    };
    let state = |served: &Served| {
        std::thread::sleep(Duration::from_secs(2));
        let about = Client::new(served.port).expect("it listens").json("GET", "", &Value::Null).0;
        (served.status("VmRSS:") / 1024.0, served.status("Threads:"), served.files(), about)
    };
    // What a server keeps for good is there after the first round.
    round(seconds.div_ceil(4));
    let before = state(&served);
    let seen = round(seconds);
    let after = state(&served);
    figures.add("clients", many as f64, Unit::Count);
    figures.add("clients: seconds", seconds as f64, Unit::Count);
    for (name, times) in [("answers", &seen.times), ("searches of 100 iterations", &seen.searches)] {
        figures.add(format!("clients: {name}"), times.len() as f64, Unit::Count);
        let mut sorted = times.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        if let Some(last) = sorted.len().checked_sub(1) {
            figures.add(format!("clients: {name}: 99 %"), sorted[last * 99 / 100], Unit::Milliseconds);
        }
        figures.spread(&format!("clients: {name}"), sorted, Unit::Milliseconds);
    }
    figures.add("clients: refused", seen.refused as f64, Unit::Count);
    figures.add("clients: failed", seen.failed as f64, Unit::Count);
    for (when, (memory, threads, files, about)) in [("before", &before), ("after", &after)] {
        figures.add(format!("clients: {when}: resident MiB"), *memory, Unit::Count);
        figures.add(format!("clients: {when}: threads"), *threads, Unit::Count);
        figures.add(format!("clients: {when}: open files"), *files as f64, Unit::Count);
        for name in ["sessions", "searches"] {
            figures.add(format!("clients: {when}: {name}"), about[name].as_f64().expect("a number"), Unit::Count);
        }
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let mut figures = Figures::new("serve");
    for (name, part) in [("tree", tree as fn(&mut Figures)), ("watch", watch), ("clients", clients)] {
        if wanted.is_empty() || wanted.iter().any(|one| one == name) {
            part(&mut figures);
        }
    }
    figures.finish();
}
