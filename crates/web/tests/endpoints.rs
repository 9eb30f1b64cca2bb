//! Games over HTTP.

use crate::client::TestServer;
use serde_json::{Value, json};

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|value| value.as_str().expect("text")).collect()
}

#[test]
fn a_game_is_played_to_its_end() {
    let server = TestServer::start();
    let (id, state) = server.session(&json!({ "game": "tictactoe" }));
    assert_eq!((state["turn"].as_str(), state["legal_count"].as_u64()), (Some("first"), Some(9)));
    assert_eq!(state["geometry"]["points"].as_array().map(Vec::len), Some(9));
    let at = |path: &str| format!("/api/v1/sessions/{id}{path}");
    let mut last = Value::Null;
    for mv in ["b2", "a1", "b1", "a2", "b3"] {
        last = server.post(&at("/play"), &json!({ "move": mv })).json();
    }
    assert_eq!(last["outcome"]["winner"], "first");
    assert_eq!(last["outcome"]["text"], "X wins");
    assert_eq!(last["legal"], json!([]));
    assert_eq!(last["document"], "tictactoe~b2.a1.b1.a2.b3");
    let refused = server.post(&at("/play"), &json!({ "move": "c3" }));
    assert_eq!((refused.status, refused.code().as_str()), (422, "illegal_move"));
    // Back by two, and another end.
    let back = server.post(&at("/undo"), &json!({ "steps": 2 })).json();
    assert_eq!((back["outcome"].clone(), back["steps"].as_array().map(Vec::len)), (Value::Null, Some(3)));
    let resigned = server.post(&at("/resign"), &json!({})).json();
    assert_eq!(resigned["outcome"]["text"], "X wins: O resigned");
    assert_eq!(server.post(&at("/play"), &json!({ "move": "c3" })).code(), "conflict");
    // A look at an earlier step changes nothing.
    let earlier = server.get(&at("?at=1&geometry=false")).json();
    assert_eq!((earlier["document"].as_str(), earlier["outcome"].clone()), (Some("tictactoe~b2"), Value::Null));
    assert_eq!(earlier["last"], json!([4]));
    assert_eq!(server.get(&at("?at=9")).code(), "not_found");
    assert_eq!(server.delete(&at("")).status, 204);
    assert_eq!(server.get(&at("")).code(), "not_found");
}

/// Every game of the registry is shown at its start and after some moves, and its document reads
/// back as the same position.
#[test]
fn every_game_is_shown_and_read_back() {
    let server = TestServer::start();
    let games = server.get("/api/v1/games").json();
    for game in games["games"].as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        let (id, mut state) = server.session(&json!({ "document": game["document"] }));
        for number in 0..6 {
            let Some(legal) = state["legal"].as_array().filter(|legal| !legal.is_empty()) else { break };
            let mv = legal[legal.len() * 3 / 7].clone();
            // What is played on a point carries its name, and pieces go from one point to another.
            if let (Some(geometry), Some(to)) = (state["geometry"].as_object(), mv["to"].as_u64()) {
                let named = |index: u64| geometry["points"][index as usize]["name"].as_str().expect("a name");
                let from = mv["from"].as_u64().map_or("", named);
                assert_eq!(format!("{from}{}", named(to)), mv["move"].as_str().expect("a move"), "{name}");
            }
            let path = format!("/api/v1/sessions/{id}");
            let reply = server.post(&format!("{path}/play"), &json!({ "move": mv["move"] }));
            assert_eq!(reply.status, 200, "{name}, move {number}: {}", reply.body);
            state = server.get(&path).json();
        }
        let document = state["document"].as_str().expect("a document");
        let encoded: String = document.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let again = server.get(&format!("/api/v1/position?document={encoded}")).json();
        for field in ["pieces", "turn", "legal", "steps", "last", "geometry", "document", "captions", "game"] {
            assert_eq!(again[field], state[field], "{name}: {field} of {document}");
        }
        let has_board = game["has_board"] == true;
        assert_eq!(state["geometry"]["shape"] == "text", !has_board, "{name}");
        assert_eq!(state["pieces"].as_array().map(Vec::len), state["geometry"]["points"].as_array().map(Vec::len));
    }
}

/// Where the strongest player has learned, its network analyses by a rule that goes on comparing moves: more
/// moves are visited than the player looks at, all have priors, and the first iteration is the network's judgement.
#[test]
fn the_analyst_of_learned_games_visits_several_moves() {
    let server = TestServer::start();
    let agents = |game: &str| server.get(&format!("/api/v1/agents?game={game}")).json();
    for game in ["go(size=19)", "go(size=9,suicide=allowed)", "hex(size=5)", "othello", "tictactoe"] {
        let agents = agents(game);
        assert_eq!((agents["analyst"].as_str(), agents["network"].as_str()), (Some("auto"), None), "{game}");
    }
    for (game, moves) in [("go(size=9)", "~E5.C3.G7"), ("hex(size=7)", "~a2")] {
        let agents = agents(game);
        assert_eq!((agents["strongest"].as_str(), &agents["analyst"]), (Some("zero"), &agents["network"]), "{game}");
        let (id, state) = server.session(&json!({ "document": format!("{game}{moves}") }));
        let think = |iterations: u32| {
            let body = json!({ "agent": agents["analyst"], "budget": { "iterations": iterations },
                               "play": false, "candidates": 400 });
            server.post(&format!("/api/v1/sessions/{id}/think"), &body).json()["report"].clone()
        };
        let visited = |report: &Value| {
            let candidates = report["candidates"].as_array().expect("a list");
            candidates.iter().filter(|one| one["visits"].as_u64() > Some(1)).count()
        };
        let searched = think(300);
        assert!(visited(&searched) >= 3, "{game}: {}", visited(&searched));
        let judged = think(1);
        let priors = judged["candidates"].as_array().expect("a list").iter().map(|one| one["prior"].as_f64());
        let priors: Vec<f64> = priors.map(|prior| prior.expect("every move has one")).collect();
        assert_eq!(Some(priors.len() as u64), state["legal_count"].as_u64(), "{game}");
        assert!((priors.iter().sum::<f64>() - 1.0).abs() < 1e-4, "{game}: {}", priors.iter().sum::<f64>());
    }
}

/// An agent that was named and would search on until it has finished has its usual effort too, not the ten
/// minutes that the server allows.
#[test]
fn an_agent_without_a_budget_has_its_usual_effort() {
    let server = TestServer::start();
    // With so many moves the usual effort is a few thousand positions.
    let (id, _) = server.session(&json!({ "game": "pgame(branching=4096,depth=5)" }));
    for agent in ["alpha-beta", "minimax", "df-pn", "mcts", "auto"] {
        let reply =
            server.post(&format!("/api/v1/sessions/{id}/think"), &json!({ "agent": agent, "play": false })).json();
        let report = &reply["report"];
        let stopped = report["stopped"].as_str().expect("it has ended");
        assert!(["nodes", "iterations"].contains(&stopped), "{agent}: {stopped}");
        assert!(report["iterations"].as_u64().max(report["nodes"].as_u64()) < Some(1_000_000), "{agent}: {stopped}");
    }
    // One that finishes before does.
    let (id, _) = server.session(&json!({ "game": "tictactoe" }));
    let reply =
        server.post(&format!("/api/v1/sessions/{id}/think"), &json!({ "agent": "oracle", "play": false })).json();
    assert_eq!((&reply["report"]["stopped"], &reply["report"]["bounds"]), (&json!("finished"), &json!([0.5, 0.5])));
}

#[test]
fn go_is_counted_with_dead_stones() {
    let server = TestServer::start();
    // Black owns the board but for a lone white stone.
    let document = "go(size=5,komi=0.5)~[C1,C2,B3,C3,D3,C4,C5|E1|1].pass.pass";
    let (id, state) = server.session(&json!({ "document": document }));
    assert_eq!(state["outcome"]["reason"], "rules");
    assert_eq!(state["document"], document);
    let at = |path: &str| format!("/api/v1/sessions/{id}{path}");
    let judged = server.get(&at("/dead")).json();
    assert_eq!(texts(&judged["dead"]), ["E1"]);
    assert_eq!(texts(&server.get(&at("/chain?point=E1")).json()["points"]), ["E1"]);
    let alive = server.post(&at("/dead"), &json!({ "dead": [] })).json();
    let dead = server.post(&at("/dead"), &json!({ "dead": ["E1"] })).json();
    assert_eq!(dead["outcome"]["text"], "Black wins by 24.5");
    assert_ne!(alive["outcome"]["points"], dead["outcome"]["points"]);
    assert!(server.get(&at("/sgf?first=A&second=B")).body.contains("RE[B+24.5]"));
    let back = server.post(&at("/undo"), &json!({})).json();
    assert_eq!(back["outcome"], Value::Null, "a step back goes on with the game");
    assert_eq!(server.post(&at("/dead"), &json!({ "dead": ["A1"] })).code(), "unsupported");
}

#[test]
fn records_come_in_and_go_out() {
    let server = TestServer::start();
    let sgf = "(;GM[1]SZ[9]KM[6.5];B[ee];W[cc];B[gg](;W[gc])(;W[cg]))";
    let (id, state) = server.session(&json!({ "game": "go", "sgf": sgf }));
    assert_eq!(state["document"], "go(size=9,komi=6.5)~E5.C7.G3.G7");
    let record = server.get(&format!("/api/v1/sessions/{id}/sgf?first=Ann%20%5D&second=Bob")).body;
    let (_, again) = server.session(&json!({ "game": "go", "sgf": record }));
    assert_eq!(again["document"], state["document"]);
    assert!(record.contains("PB[Ann \\]]"), "{record}");
    let wrong = server.post("/api/v1/sessions", &json!({ "game": "go", "sgf": "(;GM[1]SZ[9];B[zz])" }));
    assert_eq!((wrong.status, wrong.code().as_str()), (400, "bad_request"));
}

#[test]
fn variations_and_comments_come_in_and_go_out() {
    let server = TestServer::start();
    let sgf = "(;GM[1]SZ[9]KM[6.5]C[a start];B[ee];W[cc]C[low];B[gg](;W[gc])(;W[cg]C[or so]))";
    let read = server.post("/api/v1/records", &json!({ "game": "go", "sgf": sgf })).json();
    assert_eq!(read["document"], "go(size=9,komi=6.5)~E5.C7.G3.G7");
    assert_eq!(read["variations"], json!(["go(size=9,komi=6.5)~E5.C7.G3.C3"]));
    let at = |document: &str, text: &str| json!({ "document": format!("go(size=9,komi=6.5){document}"), "text": text });
    let comments = json!([at("", "a start"), at("~E5.C7", "low"), at("~E5.C7.G3.C3", "or so")]);
    assert_eq!((&read["comments"], &read["left_out"]), (&comments, &json!(0)));
    let (id, _) = server.session(&json!({ "document": read["document"] }));
    let notes = json!({ "first": "Ann", "variations": read["variations"], "comments": read["comments"] });
    let written = server.post(&format!("/api/v1/sessions/{id}/sgf"), &notes);
    assert_eq!(written.status, 200, "{}", written.body);
    assert!(written.body.contains("PB[Ann]") && written.body.contains("C[or so]"), "{}", written.body);
    let again = server.post("/api/v1/records", &json!({ "game": "go", "sgf": written.body })).json();
    assert_eq!(again, read);
    // A comment on a position of no line makes one.
    let alone = json!({ "comments": [at("~A1", "alone")] });
    let written = server.post(&format!("/api/v1/sessions/{id}/sgf"), &alone).body;
    assert!(written.contains("B[ai]") && written.contains("C[alone]"), "{written}");
    let refused = |notes: Value| server.post(&format!("/api/v1/sessions/{id}/sgf"), &notes).code();
    assert_eq!(refused(json!({ "variations": ["hex"] })), "bad_request");
    assert_eq!(refused(json!({ "variations": ["go(size=9,komi=6.5)~E5.E5"] })), "illegal_move");
    assert_eq!(refused(json!({ "variations": vec!["go"; 101] })), "too_large");
    let wrong = server.post("/api/v1/records", &json!({ "game": "go", "sgf": "(;this is not" }));
    assert_eq!((wrong.status, wrong.code().as_str()), (400, "bad_request"));
}

#[test]
fn komi_handicaps_set_ups_and_swaps() {
    let server = TestServer::start();
    let (id, state) = server.session(&json!({ "game": "go(size=9)", "komi": 0.5, "handicap": 3 }));
    assert_eq!((state["turn"].as_str(), state["komi"].as_f64()), (Some("second"), Some(0.5)));
    let changed = server.post(&format!("/api/v1/sessions/{id}/komi"), &json!({ "komi": 4 })).json();
    assert_eq!((changed["komi"].as_f64(), changed["version"].as_u64()), (Some(4.0), Some(2)));
    let body = json!({ "first": ["A1"], "second": ["J9", "J8"], "turn": "second" });
    let set = server.post(&format!("/api/v1/sessions/{id}/stones"), &body).json();
    assert_eq!(set["document"], "go(size=9,komi=4.0,handicap=3)~[A1|J8,J9|2]");
    let (id, state) = server.session(&json!({ "document": "hex(size=5)~b2" }));
    assert_eq!(state["abilities"]["swap"], true);
    let swapped = server.post(&format!("/api/v1/sessions/{id}/play"), &json!({ "move": "swap" })).json();
    assert_eq!((swapped["turn"].as_str(), swapped["document"].as_str()), (Some("first"), Some("hex(size=5)~b2.swap")));
    assert_eq!(server.post(&format!("/api/v1/sessions/{id}/komi"), &json!({ "komi": 1 })).code(), "unsupported");
}

#[test]
fn agents_and_levels_fit_their_game() {
    let server = TestServer::start();
    for game in ["go(size=5)", "othello", "tictactoe", "trap"] {
        let agents = server.get(&format!("/api/v1/agents?game={game}")).json();
        let names: Vec<&str> =
            agents["agents"].as_array().expect("a list").iter().filter_map(|agent| agent["name"].as_str()).collect();
        assert!(names.contains(&"mcts") && !names.contains(&"gtp") && !names.contains(&"uci"), "{game}: {names:?}");
        let (id, _) = server.session(&json!({ "game": game }));
        for level in agents["levels"].as_array().expect("a list").iter().take(3) {
            let body = json!({ "agent": level["agent"], "budget": level["budget"], "play": false });
            let reply = server.post(&format!("/api/v1/sessions/{id}/think"), &body);
            assert_eq!(reply.status, 200, "{game} {level}: {}", reply.body);
            assert!(reply.json()["report"]["best"].is_string());
        }
    }
}

#[test]
fn problems_are_named_by_id() {
    let server = TestServer::start();
    let problems = server.get("/api/v1/problems?game=gomoku").json();
    let problem = &problems["problems"][0];
    let (_, state) = server.session(&json!({ "document": problem["document"] }));
    assert_eq!(state["name"], "gomoku");
    assert!(state["pieces"].as_array().expect("a list").iter().any(|piece| !piece.is_null()));
    assert_eq!(server.get("/api/v1/problems?game=nothing").code(), "not_found");
}
