//! Proofs and proof trees over HTTP.

use crate::client::TestServer;
use serde_json::{Value, json};
use tesuji_agents::{Proof, start_game};
use tesuji_core::{Budget, NoObserver, Seed};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let held = three.iter().fold(0_u32, |held, byte| held << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            text.push(char::from(LETTERS[(held >> (18 - 6 * place)) as usize & 63]));
        }
    }
    text
}

/// A saved proof: X has the centre and a corner, and wins.
pub fn saved() -> Vec<u8> {
    let game = "tictactoe".parse().expect("a spec");
    let (started, moves) = (start_game(&game).expect("a game"), ["b2", "a2", "a1"]);
    let mut position = started.position;
    moves.iter().for_each(|mv| drop(position.play(mv).expect("a move")));
    let mut solver = position.agent(&"df-pn".parse().expect("a spec")).expect("an agent");
    let budget = Budget::default();
    solver.think(position.as_ref(), &budget, Seed(1), &mut NoObserver).expect("a report");
    let claims = solver.proof(position.as_ref(), &budget).expect("a proof");
    Proof { game: started.spec.to_string(), moves: moves.map(String::from).to_vec(), claims }.to_bytes()
}

pub fn as_request(bytes: &[u8]) -> Value {
    json!({ "base64": base64(bytes) })
}

fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().expect("a list").iter().map(|one| one[field]["move"].as_str().expect("a move")).collect()
}

/// The proof of a small Hex board is followed from the root to its end, whatever the opponent
/// plays; every position is answered.
#[test]
fn a_proof_is_browsed_and_every_reply_is_refuted() {
    let server = TestServer::start();
    // By moves alone, without certificates.
    for (document, agent) in [("hex(size=3,swap=false)", "df-pn"), ("hex(size=4,swap=false)", "hex-solver")] {
        let reply = server.post("/api/v1/proofs", &json!({ "document": document, "agent": agent }));
        assert_eq!(reply.status, 201, "{}", reply.body);
        let book = reply.json();
        assert_eq!(book["claims"][0]["text"], "Black wins");
        let id = book["id"].as_str().expect("an id");
        let look = |path: &[String]| -> Value {
            let path = path.join("+");
            let reply = server.get(&format!("/api/v1/proofs/{id}?path={path}"));
            assert_eq!(reply.status, 200, "{path}: {}", reply.body);
            reply.json()
        };
        for choice in 0..6 {
            let mut path = Vec::new();
            loop {
                let view = look(&path);
                let kind = view["kind"].as_str().expect("a kind");
                if kind == "end" {
                    assert_eq!(view["state"]["outcome"]["winner"], "first");
                    break;
                }
                if view["state"]["turn"] == "first" {
                    let Some(mv) = view["answer"]["move"].as_str() else {
                        assert_eq!(kind, "beyond", "{view}");
                        break;
                    };
                    path.push(mv.to_string());
                } else if kind == "beyond" {
                    break;
                } else {
                    let replies = texts(&view["replies"], "reply");
                    assert_eq!(replies.len() as u64, view["state"]["legal_count"].as_u64().expect("a count"));
                    path.push(replies[choice * 7 % replies.len()].to_string());
                }
            }
        }
        let wrong =
            look(&[])["answer"]["move"].as_str().map(|mv| if mv == "a1" { "b1" } else { "a1" }).expect("a move");
        assert_eq!(server.get(&format!("/api/v1/proofs/{id}?path={wrong}")).code(), "not_found");
        assert_eq!(server.get(&format!("/api/v1/proofs/{id}?claim=5")).code(), "not_found");
        assert_eq!(server.get(&format!("/api/v1/proofs/{id}?path=z9")).code(), "illegal_move");
    }
}

/// A virtual connection is drawn as pairs, and a stone on one point of a pair is answered on the
/// other.
#[test]
fn a_virtual_connection_is_drawn_and_answers() {
    let server = TestServer::start();
    // Black's chain is one bridge away from both edges; White is to move.
    let body = json!({ "document": "hex(size=5,swap=false)~d2.d4.c4.c3.d3", "agent": "hex-solver" });
    let book = server.post("/api/v1/proofs", &body).json();
    let id = book["id"].as_str().unwrap_or_else(|| panic!("{book}"));
    let view = server.get(&format!("/api/v1/proofs/{id}")).json();
    assert_eq!(
        (view["kind"].as_str(), view["reason"]["kind"].as_str()),
        (Some("certificate"), Some("virtual connection"))
    );
    let pairs = view["reason"]["pairs"].as_array().expect("a list");
    assert_eq!(pairs.len(), 2, "{}", view["reason"]);
    for pair in pairs {
        for (taken, left) in [(0, 1), (1, 0)] {
            let reply = view["replies"].as_array().expect("a list").iter().find(|it| it["reply"]["to"] == pair[taken]);
            let reply = reply.expect("a legal reply");
            assert_eq!(reply["answer"]["to"], pair[left], "{reply}");
            let mv = reply["reply"]["move"].as_str().expect("a move");
            let after = server.get(&format!("/api/v1/proofs/{id}?path={mv}")).json();
            assert_eq!((after["kind"].as_str(), &after["answer"]["to"]), (Some("beyond"), &pair[left]));
        }
    }
}

/// Certificates of life and death are drawn: the proof is walked in breadth, some of it.
#[test]
fn certificates_of_life_and_death_are_drawn() {
    let server = TestServer::start();
    let mut seen = std::collections::BTreeSet::new();
    let document = "goproblem(problem=kill-02)";
    let book = server.post("/api/v1/proofs", &json!({ "document": document })).json();
    let id = book["id"].as_str().unwrap_or_else(|| panic!("{book}"));
    let mut open = std::collections::VecDeque::from([Vec::<String>::new()]);
    for _ in 0..60 {
        let Some(path) = open.pop_front() else { break };
        let view = server.get(&format!("/api/v1/proofs/{id}?path={}", path.join("+"))).json();
        if let Some(kind) = view["reason"]["kind"].as_str() {
            let reason = &view["reason"];
            let drawn = ["area", "eyes", "line", "threats"].iter().any(|part| reason[part] != json!([]));
            assert!(drawn, "{document} after {path:?}: {reason}");
            seen.insert(kind.to_string());
            continue;
        }
        let next = match view["state"]["turn"] == view["claimant"] {
            true => vec![view["answer"]["move"].as_str()],
            false => texts(&view["replies"], "reply").into_iter().take(8).map(Some).collect(),
        };
        open.extend(next.into_iter().flatten().map(|mv| [path.clone(), vec![mv.to_string()]].concat()));
    }
    assert!(seen.contains("static death"), "{seen:?}");
}

#[test]
fn a_saved_proof_is_opened_and_a_false_one_refused() {
    let server = TestServer::start();
    let file = saved();
    let book = server.post("/api/v1/proofs/file", &as_request(&file)).json();
    assert_eq!(book["document"], "tictactoe~b2.a2.a1", "{book}");
    assert_eq!((book["claims"][0]["text"].as_str(), book["has_file"].as_bool()), (Some("X wins"), Some(true)));
    let id = book["id"].as_str().expect("an id");
    let view = server.get(&format!("/api/v1/proofs/{id}")).json();
    assert_eq!(view["kind"], "replies");
    // O stops c3, and X makes two threats, or wins at once.
    let replies = view["replies"].as_array().expect("a list");
    assert!(replies.iter().all(|reply| reply["answer"]["move"].is_string()), "{view}");
    assert_eq!(server.get(&format!("/api/v1/proofs/{id}/file")).status, 200);
    let refused = |bytes: &[u8]| server.post("/api/v1/proofs/file", &as_request(bytes));
    assert_eq!(refused(b"tesuji proof").code(), "bad_request");
    let mut cut = file.clone();
    cut.truncate(file.len() - 1);
    assert_eq!(refused(&cut).code(), "bad_request");
    // Every byte changed: refused by the checksum, and never a panic.
    for place in (0..file.len()).step_by(7) {
        let mut wrong = file.clone();
        wrong[place] ^= 0x15;
        assert_eq!(refused(&wrong).code(), "bad_request", "{place}");
    }
    assert_eq!(server.post("/api/v1/proofs/file", &json!({ "base64": "§" })).code(), "bad_request");
    assert_eq!(server.get("/api/v1/proofs/0123").code(), "not_found");
}

#[test]
fn nothing_is_kept_where_nothing_is_proved() {
    let server = TestServer::start();
    let body = json!({ "document": "go(size=9)", "agent": "df-pn", "budget": { "nodes": 200 } });
    let book = server.post("/api/v1/proofs", &body).json();
    assert_eq!((&book["id"], &book["claims"]), (&Value::Null, &json!([])));
    let refused = |body: Value| server.post("/api/v1/proofs", &body).code();
    assert_eq!(refused(json!({ "document": "hex(size=3)", "agent": "nothing" })), "bad_spec");
    assert_eq!(refused(json!({ "document": "hex(size=3)", "budget": { "seconds": -1 } })), "bad_request");
    assert_eq!(refused(json!({ "document": "tictactoe~b2.a1.b1.a2.b3", "agent": "df-pn" })), "unsupported");
}

/// The levels of a tree sum up as the head of the room says, and the search on the way is told.
#[test]
fn a_proof_tree_shows_its_sums() {
    let server = TestServer::start();
    let body = json!({ "document": "hex(size=4,swap=false)~b2", "budget": { "iterations": 60 } });
    let tree = server.post("/api/v1/proof-trees", &body).json();
    assert_eq!(tree["status"], "unknown", "{tree}");
    let moments = tree["moments"].as_array().expect("a list");
    assert_eq!((moments.len(), moments[59]["expansions"].as_u64()), (60, Some(60)));
    let id = tree["id"].as_str().expect("an id");
    let view = server.get(&format!("/api/v1/proof-trees/{id}")).json();
    let levels = view["levels"].as_array().expect("a list");
    assert!(levels.len() > 2, "{levels:?}");
    for pair in levels.windows(2) {
        let parent = pair[0]["groups"].as_array().expect("groups").iter().find(|group| group["on_path"] == true);
        let parent = parent.expect("one on the path");
        if parent["expanded"] == false {
            continue;
        }
        let open: Vec<&Value> =
            pair[1]["groups"].as_array().expect("groups").iter().filter(|group| group["status"] == "unknown").collect();
        let is_or = pair[0]["or_nodes"] == true;
        let least = |name: &str| open.iter().filter_map(|group| group[name].as_f64()).fold(f64::INFINITY, f64::min);
        let sum = |name: &str| {
            open.iter()
                .map(|group| group[name].as_f64().unwrap_or(0.0) * group["count"].as_f64().unwrap_or(0.0))
                .sum::<f64>()
        };
        let expected = if is_or { [least("pn"), sum("dn")] } else { [sum("pn"), least("dn")] };
        assert_eq!([&parent["pn"], &parent["dn"]].map(|number| number.as_f64()), expected.map(Some), "{pair:?}");
    }
    let first = view["most_proving"][0]["move"].as_str().expect("a move");
    let below = server.get(&format!("/api/v1/proof-trees/{id}?path={first}")).json();
    assert_eq!(below["path"][0]["move"], first);
    assert_eq!(server.get(&format!("/api/v1/proofs/{id}")).code(), "not_found");
    // To its end: solved, and one of the numbers is gone.
    let tree = server.post("/api/v1/proof-trees", &json!({ "document": "hex(size=3,swap=false)" })).json();
    let last = tree["moments"].as_array().and_then(|moments| moments.last()).expect("moments").clone();
    assert_eq!((tree["status"].as_str(), &last["dn"]), (Some("proved"), &Value::Null));
    let refused = server.post("/api/v1/proof-trees", &json!({ "document": "hex(size=3)", "agent": "df-pn" }));
    assert_eq!(refused.code(), "unsupported");
}
