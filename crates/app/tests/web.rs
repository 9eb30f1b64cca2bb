//! `serve` as a program: what it prints, how it ends, the lab behind it. The interface itself is tested
//! in `crates/web`.

use crate::command::{program, refuses};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A server; it ends with the test.
struct Served {
    process: Child,
    url: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Served {
    fn start(arguments: &[&str]) -> Served {
        let mut command = program();
        command.args(["serve", "--port", "0", "--json"]).args(arguments).stdout(Stdio::piped());
        let mut process = command.spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let printed: Value = serde_json::from_str(&line).expect("JSON");
        Served { process, url: printed["url"].as_str().expect("an address").to_string() }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        ask(&self.url, method, path, body)
    }

    fn get(&self, path: &str) -> (u16, Value) {
        self.ask("GET", path, &Value::Null)
    }
}

/// Asks the server of an address, as a client that knows the token in it.
fn ask(url: &str, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let (address, query) = url.trim_start_matches("http://").split_once('/').expect("a path");
    let token = query.strip_prefix("?token=").map(|token| format!("Authorization: Bearer {token}\r\n"));
    let mut stream = TcpStream::connect(address).expect("it listens");
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = format!(
        "{method} /api/v1{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        token.unwrap_or_default(),
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).unwrap_or_default())
}

#[test]
fn serve_prints_an_address_and_refuses_what_cannot_be() {
    let served = Served::start(&[]);
    assert!(served.url.starts_with("http://127.0.0.1:") && served.url.ends_with('/'), "{}", served.url);
    let (status, about) = served.get("");
    assert_eq!((status, &about["version"]), (200, &json!(env!("CARGO_PKG_VERSION"))));
    let port = served.url.trim_end_matches('/').rsplit(':').next().expect("a port");
    refuses(&["serve", "--port", port], "is taken; --port 0 takes one that is free");
    refuses(&["serve", "--token", "short"], "expected 16 to 128 letters and digits");
    refuses(&["serve", "--host", "nowhere"], "--host");
}

/// Elsewhere than on loopback there is a token, and the lab does not run.
#[test]
fn serving_others_needs_a_token() {
    let served = Served::start(&["--host", "0.0.0.0"]);
    let token = served.url.split_once("?token=").expect("a token").1;
    assert_eq!(token.len(), 32);
    assert_eq!(served.get("").1["lab_runs"], 0);
    let (status, refused) = served.ask("POST", "/experiments/lin-trap/run", &json!({ "size": "quick" }));
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("forbidden")));
    let wrong = served.url.replace(token, "0123456789abcdef");
    assert_eq!(ask(&wrong, "GET", "", &Value::Null).0, 401);
}

/// A bot in the page passes and resigns as the terminal's does, and does not pass in the opening.
#[test]
fn moves_are_chosen_as_at_the_terminal() {
    let served = Served::start(&[]);
    let (_, state) = served.ask("POST", "/sessions", &json!({ "game": "go(size=5,komi=100.5)" }));
    let path = format!("/sessions/{}/think", state["id"].as_str().expect("an id"));
    let body = json!({ "agent": "mcts(pass=1.0)", "budget": { "iterations": 50 } });
    let (_, thought) = served.ask("POST", &path, &body);
    assert_ne!(thought["state"]["steps"][0]["move"], "pass");
}

/// A run is started, watched, stopped and read.
#[test]
fn the_lab_runs_behind_the_page() {
    let folder = tempfile();
    let served = Served::start(&["--lab", &folder]);
    let (_, listed) = served.get("/experiments");
    let can_run = |id: &str| {
        let mut all = listed["experiments"].as_array().expect("a list").iter();
        all.find(|experiment| experiment["id"] == id).expect("it is listed")["can_run"].clone()
    };
    assert_eq!((can_run("lin-trap"), can_run("vrun-bots")), (json!(true), json!(false)), "one starts programs");
    let path = "/experiments/lin-trap/run";
    assert_eq!(served.get(&format!("{path}?size=quick")).0, 404);
    assert_eq!(served.ask("POST", "/experiments/..%2Flin-trap/run", &json!({ "size": "quick" })).0, 404);
    assert_eq!(served.ask("POST", path, &json!({ "size": "huge" })).0, 400);
    let (status, run) = served.ask("POST", path, &json!({ "size": "quick" }));
    assert_eq!((status, &run["running"]), (200, &json!(true)), "{run}");
    assert_eq!(served.ask("POST", "/experiments/lin-multi/run", &json!({ "size": "quick" })).0, 503, "one at a time");
    let end = Instant::now() + Duration::from_secs(60);
    let done = loop {
        let (_, run) = served.get(&format!("{path}?size=quick"));
        match run["done"].as_u64() {
            Some(done) if done > 0 => break done,
            _ => assert!(Instant::now() < end && run["failed"].is_null(), "{run}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let (_, stopped) = served.ask("DELETE", &format!("{path}?size=quick"), &Value::Null);
    assert_eq!(stopped["running"], false);
    let (_, report) = served.get("/experiments/lin-trap/report?size=quick");
    assert!(report["done"].as_u64() >= Some(done), "{report}");
    assert!(report["html"].as_str().is_some_and(|html| html.contains("<html")));
    let _ = std::fs::remove_dir_all(folder);
}

/// A folder of this test alone.
fn tempfile() -> String {
    let folder = std::env::temp_dir().join(format!("tesuji-serve-{}", std::process::id()));
    folder.to_string_lossy().into_owned()
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server() {
    let mut served = Served::start(&[]);
    let id = nix::unistd::Pid::from_raw(i32::try_from(served.process.id()).expect("a process"));
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).expect("it runs");
    let end = Instant::now() + Duration::from_secs(20);
    while served.process.try_wait().expect("a state").is_none() {
        assert!(Instant::now() < end, "the server goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}
