//! A server for a test, and a client that speaks HTTP and WebSocket to it.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tesuji_agents::AnyPosition;
use tesuji_core::{Report, RootMove, StopFlag};
use tesuji_web::api::{Experiment, ExperimentReport, Run};
use tesuji_web::{Limits, Options, Program, Refusal, Server};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// Long enough for anything here; a test that waits as long has failed.
pub const LONG: Duration = Duration::from_secs(30);

/// A program without a lab that plays what the search answers.
struct Plain;

impl Program for Plain {
    fn version(&self) -> String {
        "test".into()
    }

    fn move_to_play(&self, _: &dyn AnyPosition, report: &Report<String>) -> Option<String> {
        report.best.clone()
    }

    fn ranked<'a>(&self, report: &'a Report<String>) -> Vec<&'a RootMove<String>> {
        let mut moves: Vec<&RootMove<String>> = report.root.iter().collect();
        moves.sort_by_key(|entry| std::cmp::Reverse(entry.visits));
        moves
    }

    fn line_of<'a>(&self, _: &'a Report<String>, entry: &'a RootMove<String>) -> &'a [String] {
        std::slice::from_ref(&entry.mv)
    }

    fn settled(&self, picks: &[(u64, String)]) -> Option<u64> {
        picks.last().map(|(at, _)| *at)
    }

    fn experiments(&self) -> Result<Vec<Experiment>, Refusal> {
        Ok(Vec::new())
    }

    fn report(&self, _: &str, _: &str) -> Result<ExperimentReport, Refusal> {
        Err(Refusal::not_found("there is no lab"))
    }

    fn most_runs(&self) -> usize {
        0
    }

    fn start_run(&self, _: &str, _: &str) -> Result<Run, Refusal> {
        Err(Refusal::not_found("there is no lab"))
    }

    fn run(&self, _: &str, _: &str) -> Result<Run, Refusal> {
        Err(Refusal::not_found("there is no lab"))
    }

    fn stop_run(&self, _: &str, _: &str) -> Result<Run, Refusal> {
        Err(Refusal::not_found("there is no lab"))
    }
}

/// A server on a port of its own; it ends with the test.
pub struct TestServer {
    pub port: u16,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.stop();
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            ended.expect("it was started").expect("the server ended without a panic");
        }
    }
}

/// An answer over HTTP.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The code of an error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().expect("an error").to_string()
    }
}

impl TestServer {
    pub fn start() -> TestServer {
        TestServer::with(|_| ())
    }

    /// One with other limits.
    pub fn with(change: impl FnOnce(&mut Limits)) -> TestServer {
        let mut limits = Limits::usual(2);
        change(&mut limits);
        let options = Options {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            token: None,
            names: Vec::new(),
            limits,
            program: Arc::new(Plain),
        };
        TestServer::of(options).expect("a free port")
    }

    /// One that listens at an address.
    pub fn at(address: IpAddr, token: Option<&str>) -> std::io::Result<TestServer> {
        TestServer::of(Options {
            address,
            port: 0,
            token: token.map(String::from),
            names: Vec::new(),
            limits: Limits::usual(2),
            program: Arc::new(Plain),
        })
    }

    fn of(options: Options) -> std::io::Result<TestServer> {
        let server = Server::bind(options)?;
        let (port, stop) = (server.port().expect("a port"), StopFlag::new());
        let flag = stop.clone();
        let thread = std::thread::spawn(move || server.run(&flag).expect("a runtime"));
        Ok(TestServer { port, stop, thread: Some(thread) })
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(LONG)).expect("a time");
        stream
    }

    /// Sends bytes on a connection of their own and reads the answer until it is closed.
    pub fn raw(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // The server may close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        parsed(&answer)
    }

    fn ask(&self, method: &str, path: &str, body: Option<&str>) -> Reply {
        let body = body.map_or(String::new(), |body| {
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        });
        let end = if body.is_empty() { "\r\n" } else { "" };
        let request = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{body}{end}");
        self.raw(request.as_bytes()).expect("an answer")
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, None)
    }

    pub fn delete(&self, path: &str) -> Reply {
        self.ask("DELETE", path, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, Some(&body.to_string()))
    }

    /// A new session, and its state.
    pub fn session(&self, body: &Value) -> (String, Value) {
        let reply = self.post("/api/v1/sessions", body);
        assert_eq!(reply.status, 201, "{}", reply.body);
        let state = reply.json();
        (state["id"].as_str().expect("an id").to_string(), state)
    }

    pub fn live(&self) -> Live {
        self.try_live().expect("a socket")
    }

    pub fn try_live(&self) -> Result<Live, tungstenite::Error> {
        let (socket, _) = tungstenite::connect(format!("ws://localhost:{}/api/v1/live", self.port))?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(LONG)).expect("a time");
        }
        Ok(Live(socket))
    }
}

fn parsed(answer: &[u8]) -> Option<Reply> {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head: head.to_ascii_lowercase(), body: body.into() })
}

/// A WebSocket.
pub struct Live(WebSocket<MaybeTlsStream<TcpStream>>);

impl Live {
    pub fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).expect("the server listens");
    }

    /// Says a text; false if the connection has ended.
    pub fn say_text(&mut self, text: &str) -> bool {
        self.0.send(Message::text(text)).is_ok()
    }

    /// Sends a ping; false if the connection has ended.
    pub fn ping(&mut self) -> bool {
        self.0.send(Message::Ping(Vec::new().into())).is_ok()
    }

    /// The next message; nothing if the connection has ended.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Reads until a message of this type, and answers it with the number of snapshots before it.
    pub fn until(&mut self, wanted: &str) -> (Value, usize) {
        let (mut snapshots, end) = (0, Instant::now() + LONG);
        while Instant::now() < end {
            let message = self.hear().expect("the connection holds");
            match message["type"].as_str() {
                Some(found) if found == wanted => return (message, snapshots),
                Some("snapshot") => snapshots += 1,
                Some("error") => panic!("{message}"),
                _ => {}
            }
        }
        panic!("no {wanted} in time");
    }
}
