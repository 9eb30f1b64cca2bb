//! What a hostile or broken client can do: nothing, and not for long.

use crate::client::{LONG, TestServer};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

/// How long the server holds a connection on which these bytes came, and nothing more.
fn held(server: &TestServer, bytes: &[u8]) -> (Duration, String) {
    let (mut stream, began) = (server.connect(), Instant::now());
    stream.write_all(bytes).expect("a connection");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    (began.elapsed(), String::from_utf8_lossy(&answer).into_owned())
}

#[test]
fn slow_heads_and_bodies_are_cut_off() {
    let server = TestServer::with(|limits| {
        (limits.header_time, limits.body_time) = (Duration::from_millis(300), Duration::from_millis(300));
    });
    for head in ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX: "] {
        let (time, answer) = held(&server, head.as_bytes());
        assert!(time < Duration::from_secs(5), "{head:?} was held {time:?}");
        assert!(!answer.contains("200 OK"), "{answer}");
    }
    let head = "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Connection: close\r\nContent-Length: 100\r\n\r\n{";
    let (time, answer) = held(&server, head.as_bytes());
    assert!(time < Duration::from_secs(5), "{time:?}");
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too_slow"), "{answer}");
    // One byte at a time, for ever: the time is that of the whole head.
    let (mut stream, began) = (server.connect(), Instant::now());
    while began.elapsed() < LONG && stream.write_all(b"X").is_ok() {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn large_heads_bodies_and_messages_are_refused() {
    let server = TestServer::with(|limits| (limits.body_bytes, limits.message_bytes) = (1_000, 1_000));
    let long = "x".repeat(2_000);
    let reply = server.post("/api/v1/sessions", &json!({ "game": long }));
    assert_eq!((reply.status, reply.code().as_str()), (413, "too_large"));
    // Without a length, in chunks.
    let chunk = format!("{:x}\r\n{long}\r\n", long.len());
    let head = "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    let reply = server.raw(format!("{head}{}0\r\n\r\n", chunk.repeat(20)).as_bytes()).expect("an answer");
    assert_eq!(reply.status, 413);
    let head = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "y".repeat(1 << 20));
    assert!(server.raw(head.as_bytes()).is_none_or(|reply| reply.status == 431));
    let mut live = server.live();
    live.say_text(&format!("{{\"type\":\"{long}\"}}"));
    assert!(live.hear().is_none(), "the connection is closed");
    assert_eq!(server.get("/api/v1").status, 200, "others go on");
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = TestServer::start();
    let ask = |path: &str, headers: &str| {
        let request = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        server.raw(request.as_bytes()).expect("an answer")
    };
    let port = server.port;
    assert_eq!(ask("/api/v1", &format!("Host: 127.0.0.1:{port}\r\n")).status, 200);
    assert_eq!(ask("/api/v1", "Host: rebound.example\r\n").code(), "forbidden");
    assert_eq!(ask("/", "Host: rebound.example\r\n").status, 403);
    let upgrade = "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let live = |origin: &str| {
        let headers = format!("Host: localhost\r\nOrigin: {origin}\r\n{upgrade}");
        let request = format!("GET /api/v1/live HTTP/1.1\r\n{headers}\r\n");
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).expect("a connection");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    };
    assert_eq!(live("http://localhost"), "HTTP/1.1 101");
    assert_eq!(live("http://evil.example"), "HTTP/1.1 403");
    assert_eq!(live("null"), "HTTP/1.1 403");
    assert_eq!(ask("/api/v1/live", "Host: localhost\r\n").code(), "bad_request");
    for reply in [ask("/api/v1", "Host: localhost\r\n"), ask("/", "Host: localhost\r\n"), ask("/", "Host: x\r\n")] {
        for header in ["content-security-policy: default-src 'self'", "x-content-type-options: nosniff"] {
            assert!(reply.head.contains(header), "{}", reply.head);
        }
        assert!(!reply.head.contains("access-control-allow-origin"));
    }
}

#[test]
fn an_address_that_others_reach_needs_a_token() {
    assert!(TestServer::at(IpAddr::V4(Ipv4Addr::UNSPECIFIED), None).is_err());
    let server = TestServer::at(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Some("0123456789abcdef")).expect("a server");
    assert_eq!(server.get("/api/v1").code(), "unauthorized");
    let ask = |path: &str, header: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\nConnection: close\r\n\r\n");
        server.raw(request.as_bytes()).expect("an answer")
    };
    assert_eq!(ask("/api/v1", "Authorization: Bearer 0123456789abcdef").status, 200);
    let welcome = ask("/?token=0123456789abcdef", "Accept: text/html");
    assert_eq!(welcome.status, 303);
    assert!(welcome.head.contains("set-cookie: tesuji=0123456789abcdef; httponly; samesite=lax"), "{}", welcome.head);
    assert_eq!(ask("/api/v1", "Cookie: tesuji=0123456789abcdef").status, 200);
    assert_eq!(ask("/api/v1", "Cookie: tesuji=0123456789abcdee").status, 401);
    assert_eq!(ask("/api/v1", "Authorization: Bearer").status, 401);
}

/// Specs that name files and programs, that nest, or that would need too much, in every place where
/// a client names something. No answer tells whether a file exists.
#[test]
fn hostile_specs_open_and_start_nothing() {
    let server = TestServer::start();
    let mark = std::env::temp_dir().join(format!("tesuji-web-{}", std::process::id()));
    let touch = format!("touch {}", mark.display());
    let deep = format!("mcts({}", "select=ucb1(".repeat(10_000));
    let games = [
        r#"go(sgf="/etc/passwd")"#.to_string(),
        r#"go(sgf="/no/such/file")"#.to_string(),
        r#"goproblem(file="/etc/passwd")"#.to_string(),
        r#"tree(file="../../Cargo.toml")"#.to_string(),
        "goproblem(problem=../../etc/passwd)".to_string(),
        "go(size=1000000000)".to_string(),
        "go(komi=1e999)".to_string(),
        deep.clone(),
        "\u{0}".to_string(),
        String::new(),
    ];
    let mut told = Vec::new();
    for game in &games {
        for body in [json!({ "game": game }), json!({ "document": game })] {
            let reply = server.post("/api/v1/sessions", &body);
            assert!((400..500).contains(&reply.status), "{game}: {}", reply.body);
            told.push(reply.body);
        }
    }
    assert_eq!(told[0].replace("etc/passwd", ""), told[2].replace("no/such/file", ""), "a file is there or not");
    let (id, _) = server.session(&json!({ "game": "go(size=5)" }));
    let agents = [
        format!("gtp(cmd=\"{touch}\")"),
        format!("uci(cmd=\"{touch}\")"),
        r#"zero(weights="/etc/passwd")"#.to_string(),
        "df-pn(table=1000000000000000)".to_string(),
        deep,
    ];
    for agent in &agents {
        let body = json!({ "agent": agent, "budget": { "seconds": 1 } });
        let reply = server.post(&format!("/api/v1/sessions/{id}/think"), &body);
        assert!((400..500).contains(&reply.status), "{agent}: {} {}", reply.status, reply.body);
    }
    assert!(!mark.exists());
    for text in &told {
        assert!(!text.contains("root:"), "{text}");
    }
}

/// What a client sent is quoted in part, however long it was.
#[test]
fn refusals_are_short() {
    let server = TestServer::start();
    let long = "ä".repeat(400_000);
    for body in
        [json!({ &long: 1 }), json!({ "game": format!("go(size={})", &long[..60_000]) }), json!({ "game": &long })]
    {
        let reply = server.post("/api/v1/sessions", &body);
        assert!((400..500).contains(&reply.status), "{}", reply.status);
        assert!(reply.body.len() < 3_000, "{} bytes", reply.body.len());
    }
}

/// Limits that a client asks for are cut down to those of the server.
#[test]
fn budgets_are_cut_down() {
    let server = TestServer::with(|limits| {
        (limits.time, limits.tree_bytes, limits.threads) = (Duration::from_millis(300), 64 << 20, 1);
    });
    let (id, _) = server.session(&json!({ "game": "go(size=9)" }));
    let budget = json!({ "iterations": u64::MAX, "nodes": u64::MAX, "seconds": 1e300, "memory_mb": u64::MAX,
                         "threads": u32::MAX });
    let began = Instant::now();
    let reply = server.post(&format!("/api/v1/sessions/{id}/think"), &json!({ "agent": "mcts", "budget": budget }));
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(began.elapsed() < Duration::from_secs(10));
    let report = &reply.json()["report"];
    assert!(report["memory_bytes"].as_u64().is_some_and(|bytes| bytes <= 32 << 20), "{report}");
}

#[test]
fn the_least_recently_used_game_is_dropped() {
    let server = TestServer::with(|limits| limits.sessions = 10);
    let (first, _) = server.session(&json!({ "game": "tictactoe" }));
    let (second, _) = server.session(&json!({ "game": "tictactoe" }));
    for _ in 0..40 {
        server.session(&json!({ "game": "tictactoe" }));
        assert_eq!(server.get(&format!("/api/v1/sessions/{first}")).status, 200, "it is in use");
    }
    assert_eq!(server.get(&format!("/api/v1/sessions/{second}")).code(), "not_found");
    assert_eq!(server.get("/api/v1").json()["sessions"], 10);
}

/// A tree of millions of nodes is kept with its session: few of them fit.
#[test]
fn sessions_are_bounded_by_their_memory() {
    let server = TestServer::with(|limits| limits.session_bytes = 16 << 20);
    let large = server.post("/api/v1/sessions", &json!({ "game": "randomtree(depth=1000,branching=1000)" }));
    assert_eq!((large.status, large.code().as_str()), (413, "too_large"));
    for seed in 0..100 {
        // Tens of thousands of nodes.
        server.session(&json!({ "game": format!("randomtree(depth=7,branching=8,seed={seed})") }));
    }
    let kept = server.get("/api/v1").json()["sessions"].as_u64().expect("a number");
    assert!((1..90).contains(&kept), "{kept}");
}

/// Connections beyond the bound are closed, and WebSockets refused; a place is free again when one
/// ends.
#[test]
fn the_number_of_connections_is_bounded() {
    let server = TestServer::with(|limits| limits.connections = 3);
    let mut sockets: Vec<_> = (0..3).map(|_| server.live()).collect();
    assert!(server.try_live().is_err());
    assert_eq!(server.get("/api/v1").status, 200, "requests have places of their own");
    drop(sockets.pop());
    let end = Instant::now() + LONG;
    while server.try_live().is_err() {
        assert!(Instant::now() < end, "the place is not given back");
        std::thread::sleep(Duration::from_millis(20));
    }
    let server = TestServer::with(|limits| limits.connections = 3);
    let idle: Vec<_> = (0..3).map(|_| server.connect()).collect();
    assert!(is_refused(&server));
    drop(idle);
    while is_refused(&server) {
        assert!(Instant::now() < end, "the place is not given back");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a request gets no answer.
fn is_refused(server: &TestServer) -> bool {
    server.raw(b"GET /api/v1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").is_none()
}

/// A flood of messages ends the connection, and nothing else.
#[test]
fn a_flood_of_messages_is_cut_off() {
    let server = TestServer::with(|limits| limits.messages_per_second = 20);
    let mut live = server.live();
    let began = Instant::now();
    let _ = (0..10_000).take_while(|_| live.say_text("{}")).count();
    // What the server said before it closed may be lost with the connection.
    let mut answers = 0;
    while let Some(message) = live.hear() {
        assert!(["bad_request", "too_many"].contains(&message["error"]["code"].as_str().expect("an error")));
        answers += 1;
    }
    let most = 20.0 * (began.elapsed().as_secs_f64() + 2.0) + 1.0;
    assert!(f64::from(answers) <= most, "{answers} answers");
    assert!(!live.say_text("{}") || live.hear().is_none(), "the connection is closed");
    assert_eq!(server.get("/api/v1").json()["searches"], 0);
}

/// Pings are counted as messages are.
#[test]
fn a_flood_of_pings_is_cut_off() {
    let server = TestServer::with(|limits| limits.messages_per_second = 20);
    let mut live = server.live();
    let sent = (0..1_000_000).take_while(|_| live.ping()).count();
    while let Some(message) = live.hear() {
        assert_eq!(message["error"]["code"], "too_many");
    }
    assert!(sent < 1_000_000 && !live.ping(), "{sent} pings");
    assert_eq!(server.get("/api/v1").status, 200);
}

/// A proof that was sent is checked in a place of its own among the searches: when all are taken it waits, as a
/// search does, and any number of them use no more cores than searches may.
#[test]
fn checks_of_proofs_wait_for_a_place() {
    let server = TestServer::with(|limits| limits.searches = 1);
    let mut live = server.live();
    live.say(&json!({ "type": "search", "id": "a", "document": "hex(size=5)", "agent": "mcts", "budget": { "seconds": 60 } }));
    live.until("started");
    std::thread::scope(|scope| {
        let check = scope.spawn(|| server.post("/api/v1/proofs/file", &json!({ "base64": "AAAA" })));
        let end = Instant::now() + LONG;
        while server.get("/api/v1").json()["waiting"] != 1 {
            assert!(Instant::now() < end && !check.is_finished(), "the check did not wait");
            std::thread::sleep(Duration::from_millis(10));
        }
        live.say(&json!({ "type": "cancel", "id": "a" }));
        assert_eq!(check.join().expect("an answer").code(), "bad_request");
    });
}

/// Two hundred pages at once: every one is answered, and nothing is left when they have gone.
#[test]
fn many_clients_at_once() {
    let server = TestServer::with(|limits| limits.sessions = 100);
    let rounds = tesuji_testing::sized(1, 20);
    std::thread::scope(|scope| {
        for number in 0..200 {
            let server = &server;
            scope.spawn(move || {
                for _ in 0..rounds {
                    let game = ["hex(size=5)", "go(size=5)"][number % 2];
                    let (id, state) = server.session(&json!({ "game": game }));
                    let at = format!("/api/v1/sessions/{id}");
                    let mv = state["legal"][number % 25]["move"].clone();
                    let played = server.post(&format!("{at}/play"), &json!({ "move": mv }));
                    // A hundred games are kept: one of those that others have begun since.
                    assert!([200, 404].contains(&played.status), "{}", played.body);
                    if number % 4 == 0 {
                        let mut live = server.live();
                        live.say(&json!({ "type": "search", "id": "a", "document": state["document"], "agent": "mcts",
                                          "budget": { "iterations": 20 } }));
                        live.until("done");
                    }
                    assert!([204, 404].contains(&server.delete(&at).status));
                }
            });
        }
    });
    let about = server.get("/api/v1").json();
    assert_eq!((&about["sessions"], &about["searches"]), (&json!(0), &json!(0)));
}

/// Ten thousand requests that are almost right.
#[test]
fn malformed_requests_do_no_harm() {
    let server = TestServer::start();
    let (id, _) = server.session(&json!({ "game": "go(size=5)" }));
    let right = format!("/api/v1/sessions/{id}/play");
    let mut rng = tesuji_core::Rng::new(tesuji_core::Seed(3));
    // Many on one connection: each is answered, or ends it.
    let (mut stream, mut statuses) = (server.connect(), [0; 6]);
    for number in 0..10_000 {
        let mut body = br#"{"move":"C3"}"#.to_vec();
        let mut path = right.clone().into_bytes();
        let place = rng.below(body.len() as u32) as usize;
        match rng.below(4) {
            0 => body[place] = rng.below(256) as u8,
            1 => body.truncate(place),
            2 => path[rng.below(40) as usize] = b"/%?=~.x"[rng.below(7) as usize],
            _ => body.insert(place, rng.below(256) as u8),
        }
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            String::from_utf8_lossy(&path),
            body.len()
        );
        // In one piece: small pieces wait for each other.
        let sent = stream.write_all(&[head.as_bytes(), &body].concat());
        let status = sent.ok().and_then(|()| status(&mut stream));
        match status {
            Some(status) => statuses[usize::from(status / 100)] += 1,
            None => stream = server.connect(),
        }
        assert_ne!(status.map(|status| status / 100), Some(5), "request {number}");
    }
    assert!(statuses[4] > 8_000, "{statuses:?}");
    assert_eq!(server.get("/api/v1").status, 200);
}

/// The status of the next answer of a connection, whose body is read.
fn status(stream: &mut std::net::TcpStream) -> Option<u16> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).and_then(|text| text.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).ok()?;
    head.split(' ').nth(1)?.parse().ok()
}
