//! Questions and answers in JSON, one a line: for programs that ask about many positions of any
//! game.
//!
//! The format is that of KataGo's analysis engine, for its clients; `game` and `agent` are
//! extensions.
//!
//! ```text
//! {"id":"a","moves":[["B","E5"],["W","C3"]],"maxVisits":1000,"analyzeTurns":[1,2]}
//! {"id":"b","game":"hex(size=5)","moves":["c3"],"agent":"mcts","maxTime":0.5}
//! {"id":"a","turnNumber":1,"isDuringSearch":false,"moveInfos":[…],"rootInfo":{…}}
//! {"id":"b2","error":"…"}
//! ```
//!
//! Fields of a question: `id`, `game`, `agent`, `moves` (texts, or pairs of colour and text),
//! `initialStones`, `initialPlayer`, `komi`, `boardXSize`, `boardYSize`, `rules`, `analyzeTurns`,
//! `maxVisits`, `maxTime`, `priority`, `reportDuringSearchEvery`, `includeOwnership`,
//! `includePolicy`, `overrideSettings`, `allowMoves`, `avoidMoves`. Actions: `query_version`,
//! `query_models`, `clear_cache`, `terminate` (with `terminateId`, perhaps `turnNumbers`),
//! `terminate_all`; a question that was not searched yet is answered with `noResults`. Higher priorities come first. Values are for Black (the first
//! player), or for the side that `overrideSettings.reportAnalysisWinratesAs` names: `BLACK`,
//! `WHITE`, `SIDETOMOVE`. `rules` chooses area or territory scoring in Go. Unknown fields get a
//! warning. `scoreLead`, in Go, is the mean margin of random playouts. `allowMoves` and `avoidMoves`
//! (with `untilDepth` 1) choose which moves are shown and which one is best; searches look at all
//! moves.

mod answers;
mod question;

use super::engine::Engine;
use super::{Arrival, Attention, Flow, Protocol, SearchTask, Updates};
use crate::ranking::ranked;
use answers::{answer, leading_id, no_results, with_id};
use question::{KNOWN, Problem, Query, Question, begin, read};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use tesuji_agents::{Notice, Session, SessionError};
use tesuji_core::Report;

/// The most positions that may wait to be searched.
const MOST_WAITING: usize = 100_000;
/// The most memory of questions that wait, in bytes.
const MOST_HELD: usize = 64 << 20;

/// The question being searched.
struct Running {
    question: Question,
    session: Session,
    task: SearchTask,
    /// It was taken back.
    stopped: bool,
}

/// The JSON side of an engine.
pub struct Analysis {
    engine: Engine,
    /// By priority, then in the order they were asked.
    waiting: BTreeMap<(Reverse<i64>, u64), Question>,
    /// Questions that were taken back before they were searched.
    ended: Vec<Question>,
    running: Option<Running>,
    asked: u64,
    /// Bytes of the queries that wait, or more: those that were searched since the last count are
    /// still in it.
    held: usize,
}

fn say(out: &mut String, value: &Value) {
    out.push_str(&value.to_string());
    out.push('\n');
}

impl Analysis {
    /// A JSON engine; game and agent are the defaults of questions that name none.
    #[must_use]
    pub fn new(engine: Engine) -> Analysis {
        Analysis { engine, waiting: BTreeMap::new(), ended: Vec::new(), running: None, asked: 0, held: 0 }
    }

    /// Queues the positions a question asks about.
    fn ask(&mut self, fields: &Map<String, Value>) -> Result<(), Problem> {
        let (query, turns) = read(fields, &self.engine)?;
        if self.waiting.len() + turns.len() > MOST_WAITING {
            return Err(("analyzeTurns", "too much is waiting already".into()));
        }
        self.held += query.bytes();
        if self.held > MOST_HELD {
            self.held = self.bytes_waiting() + query.bytes();
            if self.held > MOST_HELD {
                self.held -= query.bytes();
                return Err(("moves", format!("questions of {MOST_HELD} bytes are waiting already")));
            }
        }
        let priority = fields.get("priority").and_then(Value::as_i64).unwrap_or(0);
        let query = Arc::new(query);
        for turn in turns {
            self.asked += 1;
            self.waiting.insert((Reverse(priority), self.asked), Question { query: query.clone(), turn });
        }
        Ok(())
    }

    /// The bytes of all queries of which a question waits.
    fn bytes_waiting(&self) -> usize {
        let mut queries: Vec<&Arc<Query>> = self.waiting.values().map(|question| &question.query).collect();
        queries.sort_unstable_by_key(|query| Arc::as_ptr(query));
        queries.dedup_by_key(|query| Arc::as_ptr(query));
        queries.into_iter().map(|query| query.bytes()).sum()
    }

    fn act(&mut self, action: &str, fields: &Map<String, Value>) -> Value {
        let mut answer = Value::Object(fields.clone());
        match action {
            "query_version" => {
                answer["version"] = json!(env!("CARGO_PKG_VERSION"));
                answer["git_hash"] = json!("");
            }
            // What stands for a network here is the agent.
            "query_models" => {
                let agent = self.engine.session.agent().to_string();
                answer["models"] = json!([{
                    "name": agent, "internalName": agent, "maxBatchSize": 1, "usesHumanSLProfile": false,
                    "version": 0, "usingFP16": "false",
                }]);
            }
            "clear_cache" => {}
            "terminate" | "terminate_all" => {
                let wanted = fields.get("terminateId").filter(|_| action == "terminate");
                let turns = fields.get("turnNumbers").and_then(Value::as_array);
                let meant = |question: &Question| {
                    (action == "terminate_all" || wanted == Some(&question.query.id))
                        && turns.is_none_or(|turns| turns.contains(&json!(question.turn)))
                };
                let all = std::mem::take(&mut self.waiting).into_iter();
                let (ended, waiting): (BTreeMap<_, _>, _) = all.partition(|(_, question)| meant(question));
                self.ended = ended.into_values().collect();
                self.waiting = waiting;
                if let Some(running) = &mut self.running
                    && meant(&running.question)
                {
                    running.stopped = true;
                    running.session.hurry();
                }
            }
            other => {
                let short: String = other.chars().take(40).collect();
                let error = json!({"error": format!("there is no action {short}"), "field": "action"});
                answer = with_id(error, fields.get("id"));
            }
        }
        answer
    }

    /// Begins the next question, if none runs; a wrong one is answered at once.
    fn next(&mut self, out: &mut String) {
        if self.running.is_some() {
            return;
        }
        let Some((_, question)) = self.waiting.pop_first() else { return };
        match begin(&question, &self.engine) {
            Ok(session) => {
                let updates = question.query.every.map_or(Updates::None, Updates::WhileSearching);
                let task = self.engine.task(Instant::now()).with_updates(updates);
                self.running = Some(Running { question, session, task, stopped: false });
            }
            Err((field, reason)) => {
                let Question { query, turn } = &question;
                say(out, &json!({"id": query.id, "error": reason, "field": field, "turnNumber": turn}));
            }
        }
    }
}

impl Protocol for Analysis {
    fn connect(&mut self, notice: Notice) {
        self.engine.connect(notice);
    }

    fn line(&mut self, line: &str, out: &mut String) -> Flow {
        let line = line.trim();
        if line.is_empty() {
            return Flow::Go;
        }
        let fields = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => {
                say(out, &json!({"error": "expected a JSON object"}));
                return Flow::Go;
            }
            Err(error) => {
                let error = json!({"error": format!("cannot read the JSON: {error}")});
                say(out, &with_id(error, leading_id(line).as_ref()));
                return Flow::Go;
            }
        };
        if let Some(action) = fields.get("action") {
            let answer = self.act(action.as_str().unwrap_or_default(), &fields);
            say(out, &answer);
            // Every question is answered, also one that was taken back.
            for question in self.ended.drain(..) {
                say(out, &no_results(&question));
            }
            return Flow::Go;
        }
        for unknown in fields.keys().filter(|name| !KNOWN.contains(&name.as_str())).take(10) {
            let name: String = unknown.chars().take(40).collect();
            say(out, &with_id(json!({"warning": "there is no such field", "field": name}), fields.get("id")));
        }
        if let Err((field, reason)) = self.ask(&fields) {
            say(out, &with_id(json!({"error": reason, "field": field}), fields.get("id")));
        }
        Flow::Go
    }

    fn search(&mut self) -> Option<(&mut SearchTask, &mut Session)> {
        let running = self.running.as_mut()?;
        Some((&mut running.task, &mut running.session))
    }

    fn update(&mut self, report: &Report<String>, out: &mut String) {
        if let Some(running) = &self.running {
            say(out, &answer(&running.question, &running.session, report, true));
        }
    }

    fn finish(&mut self, found: Result<Report<String>, SessionError>, out: &mut String) {
        let Some(Running { question, session, stopped, .. }) = self.running.take() else { return };
        match found {
            Ok(report) if stopped && ranked(&report).is_empty() => say(out, &no_results(&question)),
            Ok(report) => say(out, &answer(&question, &session, &report, false)),
            Err(error) => {
                let reason = if stopped { "terminated".to_string() } else { error.to_string() };
                say(out, &json!({"id": question.query.id, "turnNumber": question.turn, "error": reason}));
            }
        }
    }

    fn proceed(&mut self, out: &mut String) {
        self.next(out);
    }

    fn attention(&self, arrival: Arrival<'_>) -> Attention {
        match arrival {
            Arrival::Line(_) => Attention::Now,
            // Everything asked is answered first.
            Arrival::Bytes | Arrival::End => Attention::Later,
        }
    }

    fn too_long(&mut self, beginning: &str, out: &mut String) {
        say(out, &with_id(json!({"error": "the line is too long"}), leading_id(beginning).as_ref()));
    }

    fn failed(&mut self, out: &mut String) {
        let id = self.running.take().map(|running| running.question.query.id.clone());
        say(out, &with_id(json!({"error": "internal error"}), id.as_ref()));
    }
}

#[cfg(test)]
mod tests {
    use super::Analysis;
    use crate::protocol::{Engine, GRACE, Protocol, Setup, talk};
    use serde_json::{Value, json};
    use tesuji_core::{Budget, Seed};

    fn analysis() -> Analysis {
        let setup = Setup {
            game: "tictactoe".parse().expect("a spec"),
            agent: "rps".parse().expect("a spec"),
            limits: Budget::iterations(10),
            chosen: true,
            seed: Seed(1),
            ponder: false,
            grace: GRACE,
            access: tesuji_agents::Access::restricted(),
        };
        Analysis::new(Engine::new(setup).expect("an engine"))
    }

    /// One line may ask about many positions of a long game: what they share is held once.
    #[test]
    fn a_line_that_asks_for_ten_thousand_positions() {
        let mut analysis = analysis();
        let (moves, turns) = (vec!["A1"; 60_000], vec![60_000; 10_000]);
        let mut out = String::new();
        analysis.line(&json!({"id": "many", "moves": moves, "analyzeTurns": turns}).to_string(), &mut out);
        assert_eq!((out.as_str(), analysis.waiting.len()), ("", 10_000));
        analysis.line(r#"{"action":"terminate_all"}"#, &mut out);
        assert_eq!(out.lines().count(), 10_001);
    }

    /// A question that was taken back is answered so, for every position it asked about.
    #[test]
    fn every_question_is_answered_also_when_taken_back() {
        let mut analysis = analysis();
        let mut out = String::new();
        // Nothing is searched before the first look.
        analysis.line(r#"{"id":"a","moves":["b2","a1"],"analyzeTurns":[0,1,2]}"#, &mut out);
        analysis.line(r#"{"id":"b"}"#, &mut out);
        assert_eq!(out, "");
        analysis.line(r#"{"id":"t","action":"terminate","terminateId":"a","turnNumbers":[1]}"#, &mut out);
        analysis.line(r#"{"id":"u","action":"terminate","terminateId":"a"}"#, &mut out);
        out += &talk(&mut analysis, "").0;
        let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let short = |answer: &Value| format!("{} {} {}", answer["id"], answer["turnNumber"], answer["noResults"]);
        let short: Vec<String> = answers.iter().map(short).collect();
        let expected = ["\"t\" null null", "\"a\" 1 true", "\"u\" null null", "\"a\" 0 true", "\"a\" 2 true"];
        assert_eq!(short[..5], expected);
        assert_eq!(short[5..], ["\"b\" 0 null"]);
    }
}
