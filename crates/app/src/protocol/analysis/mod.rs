//! Questions and answers in JSON, one a line: the machine's way to ask about positions of any game, many at a time.
//!
//! The shape is that of KataGo's analysis engine, so that its clients can ask; `game` and `agent` are ours.
//!
//! ```text
//! {"id":"a","moves":[["B","E5"],["W","C3"]],"maxVisits":1000,"analyzeTurns":[1,2]}
//! {"id":"b","game":"hex(size=5)","moves":["c3"],"agent":"mcts","maxTime":0.5}
//! {"id":"a","turnNumber":1,"isDuringSearch":false,"moveInfos":[…],"rootInfo":{…}}
//! {"id":"b2","error":"…"}
//! ```
//!
//! Fields of a question: `id`, `game`, `agent`, `moves` (texts, or pairs of colour and text), `initialStones`,
//! `initialPlayer`, `komi`, `boardXSize`, `boardYSize`, `rules`, `analyzeTurns`, `maxVisits`, `maxTime`, `priority`,
//! `reportDuringSearchEvery`, `includeOwnership`, `includePolicy`, `overrideSettings`. Actions: `query_version`,
//! `clear_cache`, `terminate` (with `terminateId`, perhaps `turnNumbers`), `terminate_all`; what was not searched yet is answered with
//! `noResults`. Higher priorities come first. Values are for Black (the first
//! player), or for whom `overrideSettings.reportAnalysisWinratesAs` says: `BLACK`, `WHITE`, `SIDETOMOVE`. `rules` chooses
//! area or territory scoring in Go. Fields we do not know get a warning. `allowMoves` and `avoidMoves` are refused: our searches look at
//! all moves, and an answer that ignored them would be wrong.

mod answers;

use super::engine::{Engine, changed, ranked};
use super::{Arrival, Attention, Flow, Protocol};
use answers::{answer, leading_id, no_results, with_id};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_agents::{Access, Session, agent_for, go_table, is_auto, start_game_with, usual_effort};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Player, Seed};

const SOON: Duration = Duration::from_millis(2);
/// The most positions one question may ask about, and the most that may wait.
const MOST_TURNS: usize = 10_000;
const MOST_WAITING: usize = 100_000;
/// The most memory of questions that wait, in bytes.
const MOST_HELD: usize = 64 << 20;

const KNOWN: &[&str] = &[
    "id",
    "game",
    "agent",
    "moves",
    "initialStones",
    "initialPlayer",
    "komi",
    "boardXSize",
    "boardYSize",
    "rules",
    "analyzeTurns",
    "maxVisits",
    "maxTime",
    "priority",
    "reportDuringSearchEvery",
    "includeOwnership",
    "includePolicy",
    "overrideSettings",
    "seed",
    "includeMovesOwnership",
    "includeOwnershipStdev",
    "includePVVisits",
    "allowMoves",
    "avoidMoves",
];

/// Names of rules that count area.
const AREA_RULES: &[&str] =
    &["chinese", "chinese-ogs", "chinese-kgs", "tromp-taylor", "aga", "bga", "french", "new-zealand", "nz"];

/// For whom values are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Player(Player),
    Mover,
}

/// What was asked, about one position or many.
struct Query {
    id: Value,
    game: Spec,
    agent: Spec,
    stones: Vec<(Player, String)>,
    first: Option<Player>,
    moves: Vec<(Option<Player>, String)>,
    budget: Budget,
    seed: Seed,
    every: Option<Duration>,
    ownership: bool,
    policy: bool,
    side: Side,
}

impl Query {
    /// About how many bytes it takes.
    fn bytes(&self) -> usize {
        let moves = self.moves.iter().map(|(_, text)| text.len() + size_of::<(Option<Player>, String)>() + 16);
        let stones = self.stones.iter().map(|(_, text)| text.len() + size_of::<(Player, String)>() + 16);
        let id = self.id.as_str().map_or(0, str::len);
        moves.sum::<usize>() + stones.sum::<usize>() + id + size_of::<Query>()
    }
}

/// One position to search.
struct Question {
    /// What asked for it; shared, since one line may ask for thousands.
    query: Arc<Query>,
    /// How many of the moves are played.
    turn: usize,
}

struct Running {
    question: Question,
    session: Session,
    began: Instant,
    next_report: Option<Instant>,
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

/// Why a question cannot be asked: the field, and what is wrong with it.
type Problem = (&'static str, String);

fn player(value: &Value) -> Option<Player> {
    match value.as_str()?.to_ascii_lowercase().as_str() {
        "b" | "black" | "red" => Some(Player::First),
        "w" | "white" => Some(Player::Second),
        _ => None,
    }
}

/// `"E5"` or `["B","E5"]`.
fn read_move(value: &Value) -> Option<(Option<Player>, String)> {
    match value {
        Value::String(text) => Some((None, text.clone())),
        Value::Array(pair) => match pair.as_slice() {
            [who, Value::String(text)] => Some((Some(player(who)?), text.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn seconds(value: &Value) -> Option<Duration> {
    value.as_f64().filter(|number| (0.0..=1e7).contains(number)).map(Duration::from_secs_f64)
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

    fn spec(&self, fields: &Map<String, Value>, name: &'static str, default: &Spec) -> Result<Spec, Problem> {
        match fields.get(name) {
            None => Ok(default.clone()),
            Some(Value::String(text)) => text.parse().map_err(|error| (name, format!("{error}"))),
            Some(_) => Err((name, "expected text".into())),
        }
    }

    /// The game a question is about, with its size, komi and rules.
    fn game(&self, fields: &Map<String, Value>) -> Result<Spec, Problem> {
        let spec = self.spec(fields, "game", self.engine.session.game())?;
        let access = self.engine.session.access();
        let started = start_game_with(&spec, access).map_err(|error| ("game", error.to_string()))?;
        let mut arguments: Vec<(&str, SpecValue)> = Vec::new();
        let size = |name: &'static str| match fields.get(name) {
            None => Ok(None),
            Some(value) => value.as_i64().map(Some).ok_or((name, "expected a whole number".to_string())),
        };
        match (size("boardXSize")?, size("boardYSize")?) {
            (None, None) => {}
            (Some(columns), Some(rows)) if spec.name == "mnk" => {
                arguments.extend([("m", SpecValue::Integer(columns)), ("n", SpecValue::Integer(rows))]);
            }
            (columns, rows) => {
                let one = columns.or(rows).unwrap_or_default();
                if columns.is_some_and(|number| number != one) || rows.is_some_and(|number| number != one) {
                    return Err(("boardXSize", "only square boards are played".into()));
                }
                arguments.push(("size", SpecValue::Integer(one)));
            }
        }
        if let Some(komi) = fields.get("komi").filter(|_| spec.name == "go") {
            let komi = komi.as_f64().filter(|komi| go_table::with_komi(started.position.as_ref(), *komi).is_some());
            let komi = komi.ok_or(("komi", "expected whole or half points, at most 10,000".to_string()))?;
            arguments.push(("komi", SpecValue::Number(komi)));
        }
        if let Some(rules) = fields.get("rules").filter(|_| spec.name == "go") {
            let name = rules.as_str().unwrap_or_default().to_ascii_lowercase();
            let scoring = match name.as_str() {
                "japanese" | "korean" => "territory",
                name if AREA_RULES.contains(&name) => "area",
                _ => return Err(("rules", format!("expected japanese, korean, {}", AREA_RULES.join(", ")))),
            };
            arguments.push(("scoring", SpecValue::Spec(Spec::bare(scoring))));
        }
        if arguments.is_empty() {
            return Ok(started.spec);
        }
        let wanted = changed(&started.spec, &arguments);
        start_game_with(&wanted, access).map(|game| game.spec).map_err(|error| ("boardXSize", error.to_string()))
    }

    fn ask(&mut self, fields: &Map<String, Value>) -> Result<(), Problem> {
        let id = fields.get("id").cloned().filter(Value::is_string).ok_or(("id", "expected text".to_string()))?;
        let game = self.game(fields)?;
        let agent = self.spec(fields, "agent", self.engine.session.asked_agent())?;
        let agent = tesuji_agents::canonical_agent(&agent).map_err(|error| ("agent", error.to_string()))?;
        let list = |name: &'static str| match fields.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(moves)) => {
                let moves: Option<Vec<_>> = moves.iter().map(read_move).collect();
                moves.ok_or((name, "expected moves: texts, or pairs of a colour and a text".to_string()))
            }
            Some(_) => Err((name, "expected a list".to_string())),
        };
        for name in ["allowMoves", "avoidMoves"] {
            // An empty list asks for nothing.
            if fields.get(name).is_some_and(|moves| moves.as_array().is_none_or(|moves| !moves.is_empty())) {
                return Err((name, "searches of some moves only are not supported".into()));
            }
        }
        let moves = list("moves")?;
        let stones: Option<Vec<(Player, String)>> =
            list("initialStones")?.into_iter().map(|(who, point)| Some((who?, point))).collect();
        let stones = stones.ok_or(("initialStones", "expected pairs of a colour and a point".to_string()))?;
        let first = match fields.get("initialPlayer") {
            None => None,
            Some(value) => Some(player(value).ok_or(("initialPlayer", "expected B or W".to_string()))?),
        };
        let turns = match fields.get("analyzeTurns") {
            None => vec![moves.len()],
            Some(Value::Array(turns)) if turns.is_empty() => {
                return Err(("analyzeTurns", "expected at least one number".into()));
            }
            Some(Value::Array(turns)) if turns.len() <= MOST_TURNS => {
                let turn = |turn: &Value| turn.as_u64().map(|turn| turn as usize).filter(|turn| *turn <= moves.len());
                let turns: Option<Vec<usize>> = turns.iter().map(turn).collect();
                turns.ok_or(("analyzeTurns", format!("expected numbers from 0 to {}", moves.len())))?
            }
            Some(_) => return Err(("analyzeTurns", format!("expected a list of at most {MOST_TURNS} numbers"))),
        };
        let mut budget = self.engine.setup.limits.clone();
        let chosen = self.engine.setup.chosen;
        if !chosen && is_auto(&agent) {
            // What is usual depends on the agent, and that on the game.
            let start = tesuji_agents::start_game(&game).map_err(|error| ("game", error.to_string()))?.position;
            let here = agent_for(&agent, start.as_ref()).map_err(|error| ("agent", error.to_string()))?;
            (budget.iterations, budget.nodes) = usual_effort(&agent, &here);
        }
        if let Some(visits) = fields.get("maxVisits") {
            let visits = visits.as_u64().filter(|visits| *visits > 0);
            budget.iterations = Some(visits.ok_or(("maxVisits", "expected a number of visits".to_string()))?);
        }
        if let Some(time) = fields.get("maxTime") {
            let time = seconds(time).ok_or(("maxTime", "expected seconds".to_string()))?;
            (budget.soft_time, budget.hard_time) = (Some(time), Some(time));
            if !fields.contains_key("maxVisits") {
                budget.iterations = None;
                budget.nodes = budget.nodes.filter(|_| chosen);
            }
        }
        let every = match fields.get("reportDuringSearchEvery") {
            None => None,
            Some(value) => {
                let every = seconds(value).ok_or(("reportDuringSearchEvery", "expected seconds".to_string()))?;
                Some(every.max(Duration::from_millis(10)))
            }
        };
        let flag = |name: &str| fields.get(name).and_then(Value::as_bool).unwrap_or(false);
        let wanted = fields.get("overrideSettings").and_then(|settings| settings.get("reportAnalysisWinratesAs"));
        let side = match wanted.and_then(Value::as_str) {
            Some("SIDETOMOVE") => Side::Mover,
            Some("WHITE") => Side::Player(Player::Second),
            _ => Side::Player(Player::First),
        };
        if self.waiting.len() + turns.len() > MOST_WAITING {
            return Err(("analyzeTurns", "too much is waiting already".into()));
        }
        let priority = fields.get("priority").and_then(Value::as_i64).unwrap_or(0);
        let seed = fields.get("seed").and_then(Value::as_u64).map_or(self.engine.setup.seed, Seed);
        let (ownership, policy) = (flag("includeOwnership"), flag("includePolicy"));
        let query = Query { id, game, agent, stones, first, moves, budget, seed, every, ownership, policy, side };
        self.held += query.bytes();
        if self.held > MOST_HELD {
            self.held = self.bytes_waiting() + query.bytes();
            if self.held > MOST_HELD {
                self.held -= query.bytes();
                return Err(("moves", format!("questions of {MOST_HELD} bytes are waiting already")));
            }
        }
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
        match begin(&question, self.engine.session.access()) {
            Ok(session) => {
                let began = Instant::now();
                let next_report = question.query.every.map(|every| began + every);
                self.running = Some(Running { question, session, began, next_report, stopped: false });
            }
            Err((field, reason)) => {
                let Question { query, turn } = &question;
                say(out, &json!({"id": query.id, "error": reason, "field": field, "turnNumber": turn}));
            }
        }
    }
}

/// Sets a question's position up and starts its search.
fn begin(question: &Question, access: &Access) -> Result<Session, Problem> {
    let query = &question.query;
    // The game was started once already, when the question came in, so what fails here is the agent.
    let session = Session::with_access(&query.game, &query.agent, access.clone());
    let mut session = session.map_err(|error| ("agent", error.to_string()))?;
    if !query.stones.is_empty() || query.first.is_some() {
        let turn = query.first.unwrap_or(Player::First);
        let set_up = if query.stones.is_empty() && session.position().turn() == turn {
            None
        } else {
            Some(go_table::with_stones(session.position(), &query.stones, turn).map_err(|e| ("initialStones", e))?)
        };
        if let Some(position) = set_up {
            session.set(position).map_err(|error| ("initialStones", error.to_string()))?;
        }
    }
    for (number, (who, mv)) in query.moves[..question.turn].iter().enumerate() {
        let wrong = |reason: &dyn std::fmt::Display| ("moves", format!("move {}: {reason}", number + 1));
        if let Some(who) = who.filter(|who| *who != session.position().turn()) {
            let can_turn = go_table::with_turn(session.position(), who).is_some();
            if !can_turn {
                return Err(wrong(&"it is the other side's turn"));
            }
            session.turn_to(who).map_err(|error| wrong(&error))?;
        }
        session.play(mv).map_err(|error| wrong(&error))?;
    }
    let seed = query.seed.derive(session.steps() as u64);
    session.start(&query.budget, seed).map_err(|error| ("moves", error.to_string()))?;
    Ok(session)
}

impl Protocol for Analysis {
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
            // Whoever asked waits for an answer to every question.
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

    fn poll(&mut self, out: &mut String) -> Option<Duration> {
        self.next(out);
        let Some(running) = &mut self.running else {
            return (!self.waiting.is_empty()).then_some(Duration::ZERO);
        };
        if running.session.is_thinking() {
            let now = Instant::now();
            if let Some(due) = running.next_report
                && now >= due
                && let Some(report) = running.session.snapshot()
            {
                running.next_report = running.question.query.every.map(|every| now + every);
                say(out, &answer(&running.question, &running.session, &report, true));
            }
            return Some(SOON);
        }
        if let Some(mut running) = self.running.take() {
            match running.session.wait() {
                Ok(report) if running.stopped && ranked(&report).is_empty() => {
                    say(out, &no_results(&running.question));
                }
                Ok(report) => say(out, &answer(&running.question, &running.session, &report, false)),
                Err(error) => {
                    let (id, turn) = (&running.question.query.id, running.question.turn);
                    let reason = if running.stopped { "terminated".to_string() } else { error.to_string() };
                    say(out, &json!({"id": id, "turnNumber": turn, "error": reason}));
                }
            }
        }
        Some(Duration::ZERO)
    }

    fn attention(&self, arrival: Arrival<'_>) -> Attention {
        match arrival {
            Arrival::Line(_) => Attention::Now,
            // Everything asked is answered first.
            Arrival::Bytes | Arrival::End => Attention::Later,
        }
    }

    fn disturbed(&mut self, _: &mut String) {}

    fn hurry(&mut self, since: Instant) {
        if let Some(running) = &self.running
            && self.engine.setup.is_overdue(running.began, since)
        {
            running.session.hurry();
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
    use crate::protocol::{Engine, GRACE, Protocol, Setup};
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
            access: tesuji_agents::Access::stranger(),
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

    /// Who takes a question back is told so, for every position it asked about.
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
        while analysis.poll(&mut out).is_some() {}
        let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let short = |answer: &Value| format!("{} {} {}", answer["id"], answer["turnNumber"], answer["noResults"]);
        let short: Vec<String> = answers.iter().map(short).collect();
        let expected = ["\"t\" null null", "\"a\" 1 true", "\"u\" null null", "\"a\" 0 true", "\"a\" 2 true"];
        assert_eq!(short[..5], expected);
        assert_eq!(short[5..], ["\"b\" 0 null"]);
    }
}
