//! Searches over WebSocket.

use crate::client::TestServer;
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_search_reports_while_it_runs_and_ends_when_it_is_told() {
    let server = TestServer::start();
    let mut live = server.live();
    live.say(&json!({ "type": "search", "id": "a", "document": "go(size=5)~C3", "agent": "mcts",
                      "budget": { "seconds": 20 }, "every_ms": 100, "candidates": 3 }));
    let (started, _) = live.until("started");
    assert_eq!((started["id"].as_str(), started["at"].as_u64()), (Some("a"), Some(1)));
    let mut work = Vec::new();
    for _ in 0..3 {
        let (snapshot, _) = live.until("snapshot");
        let report = &snapshot["report"];
        assert_eq!(report["candidates"].as_array().map(Vec::len), Some(3));
        assert_eq!((report["turn"].as_str(), report["stopped"].is_null()), (Some("second"), true));
        let best = &report["candidates"][0];
        assert_eq!(best["line"][0]["move"], best["move"]);
        work.push(report["iterations"].as_u64().expect("a number"));
    }
    assert!(work.is_sorted_by(|one, next| one < next), "the search goes on: {work:?}");
    live.say(&json!({ "type": "stop", "id": "a" }));
    let began = Instant::now();
    let (done, _) = live.until("done");
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(done["report"]["stopped"].is_string() && done["state"].is_null());
}

#[test]
fn agents_search_side_by_side_and_one_plays() {
    let server = TestServer::with(|limits| limits.searches = 3);
    let (id, _) = server.session(&json!({ "game": "tictactoe" }));
    let mut live = server.live();
    for (name, agent) in [("uct", "mcts"), ("exact", "oracle"), ("flat", "rps")] {
        live.say(&json!({ "type": "search", "id": name, "session": id, "agent": agent,
                          "budget": { "iterations": 200 } }));
    }
    let mut ended: Vec<String> = (0..3).map(|_| live.until("done").0["id"].as_str().expect("an id").into()).collect();
    ended.sort();
    assert_eq!(ended, ["exact", "flat", "uct"]);
    live.say(&json!({ "type": "search", "id": "move", "session": id, "agent": "oracle", "play": true }));
    let (done, _) = live.until("done");
    assert_eq!(done["state"]["steps"].as_array().map(Vec::len), Some(1));
    // The same seed: the same answer.
    let answer = |live: &mut crate::client::Live| {
        live.say(&json!({ "type": "search", "id": "again", "session": id, "at": 0, "agent": "mcts", "seed": 7,
                          "budget": { "iterations": 300 } }));
        let (mut done, _) = live.until("done");
        done["report"]["seconds"] = json!(0);
        done
    };
    assert_eq!(answer(&mut live), answer(&mut live));
}

/// More searches than slots wait; a cancelled one says nothing more; its slot is free again.
#[test]
fn searches_wait_for_a_slot() {
    let server = TestServer::with(|limits| limits.searches = 1);
    let mut live = server.live();
    let search = |id: &str, seconds: f64| json!({ "type": "search", "id": id, "document": "hex(size=5)", "agent": "mcts", "budget": { "seconds": seconds } });
    live.say(&search("long", 25.0));
    live.until("started");
    live.say(&search("short", 0.05));
    live.until("queued");
    live.say(&json!({ "type": "cancel", "id": "long" }));
    let (done, _) = live.until("done");
    assert_eq!(done["id"], "short");
    // The name is free, and a connection that ends takes its search along.
    live.say(&search("long", 25.0));
    live.until("started");
    assert_eq!(server.get("/api/v1").json()["searches"], 1);
    drop(live);
    let end = Instant::now() + Duration::from_secs(10);
    while server.get("/api/v1").json()["searches"] != 0 {
        assert!(Instant::now() < end, "the search outlives its connection");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_move_is_not_played_into_a_game_that_went_on() {
    let server = TestServer::start();
    let (id, _) = server.session(&json!({ "game": "go(size=5)" }));
    let mut live = server.live();
    live.say(&json!({ "type": "search", "id": "a", "session": id, "agent": "mcts", "play": true,
                      "budget": { "seconds": 20 } }));
    live.until("started");
    assert_eq!(server.post(&format!("/api/v1/sessions/{id}/play"), &json!({ "move": "C3" })).status, 200);
    live.say(&json!({ "type": "stop", "id": "a" }));
    loop {
        let message = live.hear().expect("the connection holds");
        match message["type"].as_str() {
            Some("error") => break assert_eq!(message["error"]["code"], "conflict"),
            Some("done") => panic!("{message}"),
            _ => {}
        }
    }
    assert_eq!(server.get(&format!("/api/v1/sessions/{id}")).json()["steps"].as_array().map(Vec::len), Some(1));
}

#[test]
fn wrong_messages_are_told_and_the_connection_holds() {
    let server = TestServer::with(|limits| limits.searches_per_client = 1);
    let mut live = server.live();
    let cases = [
        ("{", "bad_request"),
        (r#"{"type":"dance"}"#, "bad_request"),
        (r#"{"type":"search","id":"a"}"#, "bad_request"),
        (r#"{"type":"search","id":"a","document":"go","unknown":1}"#, "bad_request"),
        (r#"{"type":"search","id":"a","document":"chess"}"#, "bad_spec"),
        (r#"{"type":"search","id":"a","document":"go(size=5)","agent":"gtp(cmd=\"touch /tmp/x\")"}"#, "bad_spec"),
        (r#"{"type":"search","id":"a","document":"go(size=5)","agent":"zero(weights=\"/etc/passwd\")"}"#, "bad_spec"),
        (r#"{"type":"search","id":"a","document":"go(sgf=\"/etc/passwd\")"}"#, "bad_spec"),
        (r#"{"type":"search","id":"a","document":"go(size=5)","budget":{"seconds":-1}}"#, "bad_request"),
        (r#"{"type":"search","id":"a","document":"go(size=5)","at":7}"#, "not_found"),
        (r#"{"type":"search","id":"a","document":"go(size=5)","play":true}"#, "bad_request"),
        (r#"{"type":"search","id":"a","session":"no such one"}"#, "not_found"),
        (r#"{"type":"search","id":"a","document":"tictactoe~a1.b1.a2.b2.a3"}"#, "unsupported"),
    ];
    for (text, code) in cases {
        assert!(live.say_text(text));
        let message = live.hear().expect("an answer");
        assert_eq!(
            (message["type"].as_str(), message["error"]["code"].as_str()),
            (Some("error"), Some(code)),
            "{text}"
        );
    }
    live.say(&json!({ "type": "stop", "id": "nothing" }));
    live.say(&json!({ "type": "search", "id": "a", "document": "tictactoe" }));
    live.until("done");
}

/// While others wait, a search has a turn; then it answers and makes way, and says so.
#[test]
fn a_search_makes_way_when_it_has_had_its_turn() {
    let server = TestServer::with(|limits| {
        limits.searches = 1;
        limits.turn = Duration::from_millis(300);
    });
    let search = |id: &str, seconds: f64| json!({ "type": "search", "id": id, "document": "hex(size=5)", "agent": "mcts", "budget": { "seconds": seconds }, "every_ms": 100 });
    let (mut first, mut second) = (server.live(), server.live());
    // Where no other waits it goes on beyond its turn.
    first.say(&search("alone", 1.0));
    let (done, _) = first.until("done");
    assert_eq!((done["made_way"].as_bool(), done["report"]["stopped"].as_str()), (Some(false), Some("time")));
    first.say(&search("long", 60.0));
    first.until("started");
    second.say(&search("next", 60.0));
    second.until("queued");
    let (done, _) = first.until("done");
    assert_eq!((done["id"].as_str(), done["made_way"].as_bool()), (Some("long"), Some(true)));
    assert!(done["report"]["iterations"].as_u64() > Some(0));
    second.until("started");
    second.say(&json!({ "type": "stop", "id": "next" }));
    let (done, _) = second.until("done");
    assert_eq!(done["made_way"], false, "one that is told to stop makes no way");
}

/// A search that is cancelled while it waits leaves the queue: it neither starts later nor counts as waiting.
#[test]
fn a_cancelled_search_waits_no_longer() {
    let server = TestServer::with(|limits| limits.searches = 1);
    let search = |id: &str, seconds: f64| json!({ "type": "search", "id": id, "document": "hex(size=5)", "agent": "mcts", "budget": { "seconds": seconds }, "every_ms": 100 });
    let (mut first, mut second) = (server.live(), server.live());
    first.say(&search("long", 60.0));
    first.until("started");
    for number in 0..10 {
        second.say(&search(&format!("waits {number}"), 60.0));
        second.until("queued");
        second.say(&json!({ "type": "cancel", "id": format!("waits {number}") }));
    }
    // The answer to a wrong message comes after the server has heard the last cancellation.
    second.say_text("{");
    second.until("error");
    assert_eq!(server.get("/api/v1").json()["waiting"], 0);
    first.say(&json!({ "type": "stop", "id": "long" }));
    first.until("done");
    second.say(&search("after", 0.05));
    let (done, _) = second.until("done");
    assert_eq!(done["id"], "after", "nothing was left in the queue");
}
