//! The description of the interface is what the types say: in the repository, in TypeScript, and as
//! the server answers it.

use crate::client::TestServer;
use crate::proofs::{as_request, saved};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tesuji_web::api::{self, ENDPOINTS};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file of the repository with what it should be; with `TESUJI_BLESS=1` it is written.
fn is_fresh(path: &str, expected: &str) {
    let path = root().join(path);
    if std::env::var_os("TESUJI_BLESS").is_some() {
        std::fs::write(&path, expected).expect("the repository can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{} is stale: TESUJI_BLESS=1 cargo test -p tesuji-web writes it", path.display());
}

#[test]
fn the_files_in_the_repository_are_fresh() {
    is_fresh("web/src/api.ts", &api::typescript());
    let document = serde_json::to_string_pretty(&api::openapi()).expect("JSON");
    is_fresh("docs/web-api.json", &(document + "\n"));
}

/// All references lead somewhere, and all types that the table names exist.
#[test]
fn references_lead_somewhere() {
    fn walk(value: &Value, document: &Value) {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(path)) = map.get("$ref") {
                    let pointer = path.strip_prefix('#').expect("a reference inside");
                    assert!(document.pointer(pointer).is_some(), "{path}");
                }
                map.values().for_each(|value| walk(value, document));
            }
            Value::Array(list) => list.iter().for_each(|value| walk(value, document)),
            _ => {}
        }
    }
    let document = api::openapi();
    walk(&document, &document);
    assert_eq!(TestServer::start().get("/api/v1/openapi.json").json(), document);
}

/// Whether a value fits a schema of the few forms that the description uses.
fn fits(value: &Value, schema: &Value, document: &Value) -> Result<(), String> {
    if let Some(Value::String(path)) = schema.get("$ref") {
        let target = document.pointer(path.trim_start_matches('#')).ok_or("a dead reference")?;
        return fits(value, target, document);
    }
    if let Some(Value::Array(choices)) = schema.get("anyOf") {
        let wrong: Vec<String> = choices.iter().filter_map(|choice| fits(value, choice, document).err()).collect();
        return if wrong.len() < choices.len() { Ok(()) } else { Err(wrong.join("; ")) };
    }
    if let Some(Value::Array(words)) = schema.get("enum") {
        return if words.contains(value) { Ok(()) } else { Err(format!("{value} is none of {words:?}")) };
    }
    match (schema["type"].as_str(), value) {
        (Some("object"), Value::Object(map)) => {
            let properties = schema["properties"].as_object().ok_or("no properties")?;
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                map.get(name).ok_or(format!("{name} is missing"))?;
            }
            map.iter().try_for_each(|(name, value)| {
                let schema = properties.get(name).ok_or(format!("{name} is not described"))?;
                fits(value, schema, document).map_err(|error| format!("{name}: {error}"))
            })
        }
        (Some("array"), Value::Array(list)) => {
            list.iter().try_for_each(|value| fits(value, &schema["items"], document))
        }
        (Some("string"), Value::String(_)) | (Some("boolean"), Value::Bool(_)) | (Some("number"), Value::Number(_)) => {
            Ok(())
        }
        (Some("integer"), Value::Number(number)) if number.is_u64() => Ok(()),
        (Some("null"), Value::Null) => Ok(()),
        (wanted, value) => Err(format!("{value} is not {wanted:?}")),
    }
}

/// Every row of the table is asked, and its answer fits its description.
#[test]
fn every_endpoint_answers_as_it_is_described() {
    let (server, document) = (TestServer::start(), api::openapi());
    let kept = |path: &str, body: Value| server.post(path, &body).json()["id"].as_str().expect("an id").to_string();
    let proof = kept("/api/v1/proofs/file", as_request(&saved()));
    let proof_tree = kept("/api/v1/proof-trees", json!({ "document": "tictactoe~b2" }));
    for endpoint in ENDPOINTS {
        let (id, _) = server.session(&json!({ "document": "go(size=5)~C3.D3.C2.D2" }));
        let bodies = json!({
            "NewSession": { "game": "hex(size=5)" }, "PlayMove": { "move": "B2" }, "TakeBack": {}, "Resign": {},
            "NewKomi": { "komi": 0.5 }, "SetUp": { "first": ["A1"], "second": ["E5"], "turn": "second" },
            "NewRecord": { "game": "go", "sgf": "(;SZ[9];B[ee]C[x](;W[cc])(;W[gg]))" },
            "Notes": { "variations": ["go(size=5)~A1"], "comments": [{ "document": "go(size=5)~C3", "text": "x" }] },
            "NewRun": { "size": "quick" }, "DeadStones": { "dead": ["C3", "C2"] }, "Think": { "agent": "mcts", "budget": { "iterations": 30 } },
            "NewProof": { "document": "tictactoe~b2.a2.a1", "agent": "df-pn" },
            "ProofFile": as_request(&saved()),
            "NewProofTree": { "document": "tictactoe~b2.a2.a1" },
            "NewTree": { "session": id, "agent": "mcts", "iterations": 30 }, "MoreIterations": { "iterations": 10 },
        });
        let query = if endpoint.path.contains("/proof") {
            "claim=0"
        } else {
            "game=go&document=xiangqi&point=C3&size=quick&path=b2&iteration=7"
        };
        let search = json!({ "document": "tictactoe", "iterations": 30 });
        let tree = server.post("/api/v1/trees", &search).json()["id"].as_str().expect("an id").to_string();
        let path = endpoint.path.replace("{id}", &id).replace("{tree}", &tree);
        let path = path.replace("{proof}", &proof).replace("{proof_tree}", &proof_tree);
        let reply = match (endpoint.method, endpoint.request) {
            ("POST", Some(request)) => server.post(&path, &bodies[request]),
            ("DELETE", None) => server.delete(&format!("{path}?{query}")),
            ("GET", None) => server.get(&format!("{path}?{query}")),
            other => panic!("{other:?}"),
        };
        let name = format!("{} {}", endpoint.method, endpoint.path);
        // There is no lab in this test.
        if endpoint.path.starts_with("/api/v1/experiments/") {
            assert_eq!(reply.status, 404, "{name}");
            let failed = json!({ "$ref": "#/components/schemas/Failed" });
            assert_eq!(fits(&reply.json(), &failed, &document), Ok(()), "{name}");
            continue;
        }
        assert!((200..300).contains(&reply.status), "{name}: {}", reply.body);
        if let Some(answer) = endpoint.answer {
            let schema = json!({ "$ref": format!("#/components/schemas/{answer}") });
            assert_eq!(fits(&reply.json(), &schema, &document), Ok(()), "{name}");
        }
    }
}
