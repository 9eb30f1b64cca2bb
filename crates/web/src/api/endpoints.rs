//! What can be asked over HTTP: the table that the description is made from. A test asks the server
//! for every row.

use super::describe::reference;
use serde_json::{Value, json};

/// One thing that can be asked.
pub struct Endpoint {
    /// GET, POST or DELETE.
    pub method: &'static str,
    /// The path, with parts in braces.
    pub path: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Names and meanings of what may stand behind the question mark.
    pub query: &'static [(&'static str, &'static str)],
    /// The type of the body, if there is one.
    pub request: Option<&'static str>,
    /// The type of the answer; nothing if it is not JSON of a named type.
    pub answer: Option<&'static str>,
}

const AT: (&str, &str) = ("at", "after this number of steps; all if left out");
const CLAIM: (&str, &str) = ("claim", "which claim, from 0");
const SIZE: &[(&str, &str)] = &[("size", "quick or full")];
const PATH: (&str, &str) = ("path", "the moves from the root, separated by spaces");
const ITERATION: (&str, &str) = ("iteration", "after this number of iterations; all if left out");
const ANY: Endpoint = Endpoint { method: "GET", path: "", about: "", query: &[], request: None, answer: None };
const POST: Endpoint = Endpoint { method: "POST", answer: Some("State"), ..ANY };

/// All of them.
pub const ENDPOINTS: &[Endpoint] = &[
    Endpoint { path: "/api/v1", about: "what this server is and allows", answer: Some("About"), ..ANY },
    Endpoint { path: "/api/v1/openapi.json", about: "this description", ..ANY },
    Endpoint { path: "/api/v1/games", about: "all games", answer: Some("Games"), ..ANY },
    Endpoint {
        path: "/api/v1/agents",
        about: "the agents that serve a game, and opponents from weak to strong",
        query: &[("game", "the spec of the game")],
        answer: Some("Agents"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/problems",
        about: "the problems that are built in",
        query: &[("game", "the name of a game; all if left out")],
        answer: Some("Puzzles"),
        ..ANY
    },
    Endpoint { path: "/api/v1/experiments", about: "the experiments of the lab", answer: Some("Experiments"), ..ANY },
    Endpoint { path: "/api/v1/experiments/{id}", about: "one experiment", answer: Some("Experiment"), ..ANY },
    Endpoint {
        path: "/api/v1/experiments/{id}/report",
        about: "what the results say that are there",
        query: SIZE,
        answer: Some("ExperimentReport"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/experiments/{id}/run",
        about: "start a run, or go on with one",
        request: Some("NewRun"),
        answer: Some("Run"),
        ..POST
    },
    Endpoint {
        path: "/api/v1/experiments/{id}/run",
        about: "how far a run is",
        query: SIZE,
        answer: Some("Run"),
        ..ANY
    },
    Endpoint {
        method: "DELETE",
        path: "/api/v1/experiments/{id}/run",
        about: "stop a run; what is done is kept",
        query: SIZE,
        answer: Some("Run"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/position",
        about: "a position that is not kept",
        query: &[("document", "a game as text"), AT],
        answer: Some("State"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/records",
        about: "read an SGF record: its game, variations and comments",
        request: Some("NewRecord"),
        answer: Some("RecordRead"),
        ..POST
    },
    Endpoint { path: "/api/v1/sessions", about: "begin a game", request: Some("NewSession"), ..POST },
    Endpoint {
        path: "/api/v1/sessions/{id}",
        about: "a game, at one of its steps",
        query: &[AT, ("geometry", "false leaves the geometry out")],
        answer: Some("State"),
        ..ANY
    },
    Endpoint { method: "DELETE", path: "/api/v1/sessions/{id}", about: "forget a game", ..ANY },
    Endpoint { path: "/api/v1/sessions/{id}/play", about: "play a move", request: Some("PlayMove"), ..POST },
    Endpoint { path: "/api/v1/sessions/{id}/undo", about: "take steps back", request: Some("TakeBack"), ..POST },
    Endpoint { path: "/api/v1/sessions/{id}/resign", about: "give up", request: Some("Resign"), ..POST },
    Endpoint { path: "/api/v1/sessions/{id}/komi", about: "change the komi", request: Some("NewKomi"), ..POST },
    Endpoint { path: "/api/v1/sessions/{id}/stones", about: "set stones up", request: Some("SetUp"), ..POST },
    Endpoint { path: "/api/v1/sessions/{id}/dead", about: "which stones seem dead", answer: Some("Dead"), ..ANY },
    Endpoint {
        path: "/api/v1/sessions/{id}/dead",
        about: "count the game with these stones dead",
        request: Some("DeadStones"),
        ..POST
    },
    Endpoint {
        path: "/api/v1/sessions/{id}/chain",
        about: "the stones connected to the one on a point",
        query: &[("point", "the point")],
        answer: Some("Points"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/sessions/{id}/sgf",
        about: "the game as an SGF record",
        query: &[("first", "the first player's name"), ("second", "the second player's name")],
        ..ANY
    },
    Endpoint {
        path: "/api/v1/sessions/{id}/sgf",
        about: "the game as an SGF record, with variations and comments",
        request: Some("Notes"),
        answer: None,
        ..POST
    },
    Endpoint {
        path: "/api/v1/sessions/{id}/think",
        about: "search, wait for the answer, and play it",
        request: Some("Think"),
        answer: Some("Thought"),
        ..POST
    },
    Endpoint {
        path: "/api/v1/proofs",
        about: "solve a position, wait for the answer, and keep its proof",
        request: Some("NewProof"),
        answer: Some("ProofBook"),
        ..POST
    },
    Endpoint {
        path: "/api/v1/proofs/file",
        about: "check a saved proof, and keep it",
        request: Some("ProofFile"),
        answer: Some("ProofBook"),
        ..POST
    },
    Endpoint {
        path: "/api/v1/proofs/{proof}",
        about: "what a proof says of a position",
        query: &[CLAIM, PATH],
        answer: Some("ProofView"),
        ..ANY
    },
    Endpoint { path: "/api/v1/proofs/{proof}/file", about: "a proof as a file for tesuji verify", ..ANY },
    Endpoint {
        path: "/api/v1/proof-trees",
        about: "search by proof numbers, wait for the end, and keep the tree",
        request: Some("NewProofTree"),
        answer: Some("ProofTree"),
        ..POST
    },
    Endpoint {
        path: "/api/v1/proof-trees/{proof_tree}",
        about: "nodes of a proof tree",
        query: &[PATH],
        answer: Some("ProofTreeView"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/trees",
        about: "search, and keep the tree",
        request: Some("NewTree"),
        answer: Some("Tree"),
        ..POST
    },
    Endpoint { path: "/api/v1/trees/{tree}", about: "a tree that is kept", answer: Some("Tree"), ..ANY },
    Endpoint {
        path: "/api/v1/trees/{tree}/more",
        about: "search on where the search stopped",
        request: Some("MoreIterations"),
        answer: Some("Tree"),
        ..POST
    },
    Endpoint {
        path: "/api/v1/trees/{tree}/node",
        about: "a node and its children",
        query: &[
            PATH,
            ("limit", "the most children; 64 if left out"),
            ("min_visits", "only children with this number of visits"),
            ITERATION,
        ],
        answer: Some("TreeNode"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/trees/{tree}/part",
        about: "the most visited nodes below a node",
        query: &[
            PATH,
            ("depth", "plies below it; 8 if left out"),
            ("nodes", "the most nodes; 500 if left out"),
            ("min_visits", "only nodes with this number of visits; 1 if left out"),
            ITERATION,
        ],
        answer: Some("TreePart"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/trees/{tree}/step",
        about: "one iteration, with the boards and the choices that belong to it",
        query: &[("iteration", "which one, from 1")],
        answer: Some("IterationStep"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/trees/{tree}/iterations",
        about: "the record of single iterations, at most 200",
        query: &[("from", "the first one; 1 if left out"), ("to", "the last one; 20 if left out")],
        answer: Some("Iterations"),
        ..ANY
    },
    Endpoint {
        path: "/api/v1/trees/{tree}/trace",
        about: "nodes over time",
        query: &[
            ("path", "a node by its moves, separated by spaces; again for further nodes"),
            ("looks", "how many looks; 100 if left out"),
            ("to", "up to this iteration; all if left out"),
        ],
        answer: Some("Trace"),
        ..ANY
    },
    Endpoint { method: "DELETE", path: "/api/v1/trees/{tree}", about: "forget a tree", ..ANY },
    Endpoint { path: "/api/v1/tours", about: "guided tours of the microscope", answer: Some("Tours"), ..ANY },
];

impl Endpoint {
    /// As an operation of an OpenAPI document.
    pub(super) fn operation(&self) -> Value {
        let in_path = self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let in_path =
            in_path.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
        let in_query = self.query.iter().map(|(name, about)| {
            json!({ "name": name, "in": "query", "description": about, "schema": { "type": "string" } })
        });
        let parameters: Vec<Value> = in_path.chain(in_query).collect();
        let json_of = |name: &str| json!({ "application/json": { "schema": reference(name) } });
        let mut done = json!({ "description": "done" });
        if let Some(answer) = self.answer {
            done["content"] = json_of(answer);
        }
        let mut operation = json!({
            "summary": self.about,
            "parameters": parameters,
            "responses": {
                "2XX": done,
                "default": { "description": "what went wrong", "content": json_of("Failed") },
            },
        });
        if let Some(request) = self.request {
            operation["requestBody"] = json!({ "required": true, "content": json_of(request) });
        }
        operation
    }
}
