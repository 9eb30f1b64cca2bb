//! Trees that are kept: what the interface tells is what the engine's own tree and records say.

use crate::client::TestServer;
use serde_json::{Value, json};
use tesuji_agents::{Access, ChildFilter, IterationRecord, KeptTree, start_game};
use tesuji_core::{Budget, InOrder, NoObserver, Seed, StopFlag};

const AGENT: &str = "mcts(select=ucb1(c=0.7),solver=false)";

/// The engine's own tree of a game's start.
fn grown(game: &str, agent: &str, seed: u64, iterations: u64) -> KeptTree {
    let position = start_game(&game.parse().expect("a spec")).expect("a game").position;
    let mut player = position.agent_with(&agent.parse().expect("a spec"), &Access::restricted()).expect("an agent");
    player.begin(position.as_ref(), &[]).expect("a start");
    player
        .explore(position.as_ref(), &Budget::iterations(iterations), Seed(seed), &mut InOrder(NoObserver))
        .expect("a tree")
        .1
}

fn tree(server: &TestServer, document: &str, agent: &str, seed: u64, iterations: u64) -> String {
    let body = json!({ "document": document, "agent": agent, "seed": seed, "iterations": iterations });
    let reply = server.post("/api/v1/trees", &body);
    assert_eq!(reply.status, 201, "{}", reply.body);
    format!("/api/v1/trees/{}", reply.json()["id"].as_str().expect("an id"))
}

fn near(told: &Value, known: f64) {
    assert!((told.as_f64().expect("a number") - known).abs() < 1e-8, "{told} is not {known}");
}

/// A node over HTTP and the engine's own node of the same path.
fn agree(told: &Value, own: &KeptTree, path: &[&str]) {
    let moves: Vec<String> = path.iter().map(ToString::to_string).collect();
    let node = own.node(&moves, &ChildFilter::ALL).expect("a node");
    let root = own.root().turn();
    assert_eq!(told["visits"].as_u64(), Some(node.visits));
    near(&told["value"], node.mean.expect("visited").for_player(root));
    let children = told["children"].as_array().expect("children");
    assert_eq!(told["child_count"].as_u64(), Some(node.child_count as u64));
    assert_eq!(children.len(), node.children.len());
    for (one, other) in children.iter().zip(&node.children) {
        assert_eq!((one["move"].as_str(), one["visits"].as_u64()), (Some(other.mv.as_str()), Some(other.visits)));
        if let (Some(mean), Some(parts)) = (other.mean, other.selection) {
            near(&one["value"], mean.for_player(root));
            near(&one["mean"], mean.for_player(node.turn));
            near(&one["selection"]["exploitation"], parts.exploitation);
            near(&one["selection"]["exploration"], parts.exploration);
            near(&one["selection"]["total"], parts.total());
            let sum: f64 = ["exploitation", "exploration", "amaf", "bias"]
                .iter()
                .map(|part| one["selection"][part].as_f64().expect("a number"))
                .sum();
            near(&one["selection"]["total"], sum);
        }
        if let Some((low, _)) = other.confidence {
            near(&one["confidence"][0], low);
        }
        if let Some(minimax) = &other.minimax {
            assert_eq!(one["minimax"]["path"], json!(minimax.path));
            near(&one["minimax"]["value"], minimax.value.for_player(root));
        }
    }
}

#[test]
fn nodes_are_those_of_the_engine() {
    let server = TestServer::start();
    let (at, own) = (tree(&server, "tictactoe", AGENT, 7, 900), grown("tictactoe", AGENT, 7, 900));
    let told = server.get(&at).json();
    assert_eq!((told["iterations"].as_u64(), told["nodes"].as_u64()), (Some(900), Some(own.nodes())));
    for path in [&[][..], &["b2"], &["b2", "a1"]] {
        let told = server.get(&format!("{at}/node?path={}", path.join("%20"))).json();
        agree(&told, &own, path);
        assert_eq!(told["path"].as_array().map(Vec::len), Some(path.len()));
    }
    let few = server.get(&format!("{at}/node?limit=2")).json();
    assert_eq!(few["children"].as_array().map(Vec::len), Some(2));
    assert_eq!(few["child_count"], 9);
    let often = server.get(&format!("{at}/node?min_visits=120")).json();
    let often = often["children"].as_array().expect("a list");
    assert!(often.iter().all(|child| child["visits"].as_u64() >= Some(120)) && often.len() < 9);
}

/// All-moves-as-first, priors and bounds are told where a recipe has them.
#[test]
fn further_columns() {
    let server = TestServer::start();
    let rave = "mcts(select=rave(c=0.1),solver=false)";
    let at = tree(&server, "hex(size=4)", rave, 1, 300);
    let told = server.get(&format!("{at}/node")).json();
    agree(&told, &grown("hex(size=4)", rave, 1, 300), &[]);
    assert!(told["children"][0]["amaf"]["visits"].as_u64() > Some(0));
    assert_ne!(told["children"][0]["selection"]["amaf"], 0.0);
    let solved = tree(&server, "tictactoe~a1.b1.a2.c2.c1", "mcts(solver=true)", 1, 2_000);
    let told = server.get(&format!("{solved}/node")).json();
    assert_eq!(told["bounds"], json!([0.5, 0.5]), "only a3 does not lose, and it draws");
    let a3 = told["children"].as_array().expect("a list").iter().find(|child| child["move"] == "a3");
    assert_eq!(a3.expect("a move")["bounds"], json!([0.5, 0.5]));
}

#[test]
fn more_budget_is_one_search_with_the_sum() {
    let server = TestServer::start();
    let (parts, whole) = (tree(&server, "othello", AGENT, 3, 120), tree(&server, "othello", AGENT, 3, 200));
    assert_eq!(server.post(&format!("{parts}/more"), &json!({ "iterations": 80 })).json()["iterations"], 200);
    for path in ["", "d3", "d3%20c3"] {
        let [one, other] = [&parts, &whole].map(|at| server.get(&format!("{at}/node?path={path}")).json());
        assert_eq!(one, other);
    }
    // An earlier iteration is a shorter search.
    let early = tree(&server, "othello", AGENT, 3, 90);
    let [one, other] =
        [format!("{whole}/node?iteration=90"), format!("{early}/node")].map(|path| server.get(&path).json());
    assert_eq!(one, other);
}

fn same(told: &Value, own: &IterationRecord<String>) {
    assert_eq!(told["iteration"].as_u64(), Some(own.iteration));
    let path = told["path"].as_array().expect("a path");
    assert_eq!(path.len(), own.path.len());
    for (one, other) in path.iter().zip(&own.path) {
        assert_eq!((one["move"].as_str(), one["visits"].as_u64()), (other.mv.as_deref(), Some(other.visits)));
    }
    assert_eq!(told["entered"].as_u64(), own.entered.map(|depth| depth as u64));
    let expanded: Vec<u64> = own.expanded.iter().map(|depth| *depth as u64).collect();
    assert_eq!(told["expanded"], json!(expanded));
    for (one, other) in told["playouts"].as_array().expect("playouts").iter().zip(&own.playouts) {
        assert_eq!(one["moves"], json!(other.moves));
        near(&one["score"], other.score.to_f64());
    }
    assert_eq!(told["gain"]["visits"].as_u64(), Some(own.gain.visits));
    near(&told["gain"]["reward"], own.gain.reward);
}

/// Twenty iterations forwards and back are the engine's own record.
#[test]
fn iterations_are_those_of_the_engine() {
    let server = TestServer::start();
    let document = "go(size=5)";
    let at = tree(&server, document, AGENT, 5, 60);
    let mut own = grown(document, AGENT, 5, 30);
    let records: Vec<IterationRecord<String>> =
        (0..20).map(|_| own.step(&StopFlag::new()).expect("a step").expect("a record")).collect();
    let told = server.get(&format!("{at}/iterations?from=31&to=50")).json();
    for (one, other) in told["records"].as_array().expect("a list").iter().zip(&records) {
        same(one, other);
    }
    assert_eq!(told["records"].as_array().map(Vec::len), Some(20));
    for record in records.iter().chain(records.iter().rev()) {
        let step = server.get(&format!("{at}/step?iteration={}", record.iteration)).json();
        same(&step["record"], record);
        let before = &step["choices"][0];
        assert_eq!(before["visits"].as_u64(), Some(record.path[0].visits - record.gain.visits));
        assert_eq!(before["iteration"].as_u64(), Some(record.iteration - 1));
        let stones = |list: &Value| list.as_array().expect("points").iter().filter(|piece| !piece.is_null()).count();
        assert!(stones(&step["leaf"]) > 0 && stones(&step["end"]) >= stones(&step["leaf"]).min(8), "{step}");
        assert_eq!(step["playout"].as_array().map(Vec::len), Some(record.playouts[0].moves.len()));
        assert!(step["outcome"]["text"].is_string());
    }
}

#[test]
fn a_part_is_bounded_and_whole() {
    let server = TestServer::start();
    let at = tree(&server, "othello", AGENT, 1, 600);
    let part = server.get(&format!("{at}/part?nodes=40&depth=3&min_visits=2")).json();
    let nodes = part["nodes"].as_array().expect("a list");
    assert!(nodes.len() > 10 && nodes.len() <= 40, "{}", nodes.len());
    let visits = |node: &Value| node["visits"].as_u64().expect("visits");
    for (place, node) in nodes.iter().enumerate().skip(1) {
        let parent = node["parent"].as_u64().expect("a parent") as usize;
        assert!(parent < place && visits(node) >= 2 && node["depth"].as_u64() <= Some(3));
        let siblings = nodes.iter().filter(|other| other["parent"] == node["parent"]);
        assert!(siblings.map(visits).sum::<u64>() <= visits(&nodes[parent]));
    }
    let below = server.get(&format!("{at}/part?path=d3&depth=1&iteration=300")).json();
    assert_eq!((below["iteration"].as_u64(), below["path"].clone()), (Some(300), json!(["d3"])));
}

#[test]
fn a_trace_ends_where_the_search_does() {
    let server = TestServer::start();
    let at = tree(&server, "tictactoe", AGENT, 2, 500);
    let trace = server.get(&format!("{at}/trace?path=b2&path=b2%20a1&looks=10")).json();
    let looks = trace["looks"].as_array().expect("looks");
    assert_eq!((looks.len(), trace["every"].as_u64()), (10, Some(50)));
    for (path, place) in [("b2", 0), ("b2%20a1", 1)] {
        let node = server.get(&format!("{at}/node?path={path}&limit=0")).json();
        let last = &looks[9]["nodes"][place];
        assert_eq!((&last["visits"], &last["value"]), (&node["visits"], &node["value"]));
    }
    assert_eq!(looks[9]["best"], server.get(&at).json()["best"]);
    assert!(trace["settled"].as_u64() <= Some(500));
}

#[test]
fn what_cannot_be_asked_of_a_tree() {
    let server = TestServer::start();
    let at = tree(&server, "tictactoe~b2", AGENT, 1, 50);
    let refused = |path: &str| {
        let reply = server.get(&format!("{at}{path}"));
        (reply.status, reply.code())
    };
    assert_eq!(refused("/node?path=b2"), (422, "illegal_move".into()));
    assert_eq!(refused("/node?path=a1%20a2%20a3%20b1%20b3%20c2"), (404, "not_found".into()));
    assert_eq!(refused("/node?limit=many"), (400, "bad_request".into()));
    assert_eq!(refused("/step"), (400, "bad_request".into()));
    assert_eq!(refused("/step?iteration=0"), (400, "bad_request".into()));
    assert_eq!(refused("/step?iteration=51"), (404, "not_found".into()));
    assert_eq!(refused("/iterations?from=9&to=3"), (400, "bad_request".into()));
    assert_eq!(refused("/iterations?from=1&to=300"), (400, "bad_request".into()));
    assert_eq!(refused("/trace?path=zz"), (422, "illegal_move".into()));
    assert_eq!(refused("/nothing"), (404, "not_found".into()));
    let ask = |body: &Value| server.post("/api/v1/trees", body).code();
    assert_eq!(ask(&json!({ "document": "tictactoe", "agent": "random" })), "unsupported");
    assert_eq!(ask(&json!({ "document": "tictactoe", "agent": "gtp(command=\"true\")" })), "bad_spec");
    assert_eq!(ask(&json!({ "document": "tictactoe", "iterations": 0 })), "bad_request");
    assert_eq!(ask(&json!({ "document": "tictactoe~b2.a1.b1.a2.b3" })), "unsupported");
    assert_eq!(ask(&json!({})), "bad_request");
    assert_eq!(server.delete(&at).status, 204);
    assert_eq!(refused("/node"), (404, "not_found".into()));
}

/// Trees of all clients together stay below the bytes of the server: old ones are dropped.
#[test]
fn trees_are_bounded_in_bytes() {
    let server = TestServer::with(|limits| limits.tree_bytes = 200_000);
    let first = tree(&server, "tictactoe", AGENT, 1, 1_000);
    let bytes = server.get(&first).json()["memory_bytes"].as_u64().expect("bytes");
    for seed in 2..3 + 200_000 / bytes {
        tree(&server, "tictactoe", AGENT, seed, 1_000);
    }
    assert_eq!(server.get(&first).code(), "not_found");
}

/// Every stop of every tour shows what is there.
#[test]
fn tours_lead_somewhere() {
    let server = TestServer::start();
    let tours = server.get("/api/v1/tours").json();
    let tours = tours["tours"].as_array().expect("a list");
    assert!(tours.len() >= 2);
    for tour in tours {
        let body = json!({ "document": tour["document"], "agent": tour["agent"], "seed": tour["seed"],
                           "iterations": tour["iterations"] });
        let reply = server.post("/api/v1/trees", &body);
        assert_eq!(reply.status, 201, "{}: {}", tour["id"], reply.body);
        let at = format!("/api/v1/trees/{}", reply.json()["id"].as_str().expect("an id"));
        for stop in tour["stops"].as_array().expect("stops") {
            let iteration = stop["iteration"].as_u64().map(|at| format!("iteration={at}")).unwrap_or_default();
            let path: Vec<&str> = stop["path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let node = format!("{at}/node?path={}&{iteration}", path.join("%20"));
            assert_eq!(server.get(&node).status, 200, "{} {stop}", tour["id"]);
            if stop["view"] == "step" {
                assert_eq!(server.get(&format!("{at}/step?{iteration}")).status, 200, "{} {stop}", tour["id"]);
            }
            let watched = stop["watch"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let watched: String = watched.map(|path| format!("&path={}", path.replace(' ', "%20"))).collect();
            if !watched.is_empty() {
                assert_eq!(server.get(&format!("{at}/trace?looks=20{watched}")).status, 200, "{} {stop}", tour["id"]);
            }
        }
    }
}
