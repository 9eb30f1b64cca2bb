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
//! `clear_cache`, `terminate` (with `terminateId`), `terminate_all`. Higher priorities come first. Values are for Black (the first
//! player), or for whom `overrideSettings.reportAnalysisWinratesAs` says: `BLACK`, `WHITE`, `SIDETOMOVE`. `rules` chooses
//! area or territory scoring in Go. Fields we do not know get a warning. `allowMoves` and `avoidMoves` are refused: our searches look at
//! all moves, and an answer that ignored them would be wrong.

use super::engine::{Engine, changed, lower_bound, ranked, winrate};
use super::{Arrival, Attention, Flow, Protocol};
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};
use tesuji_agents::{AnyPosition, Session, go_table};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Player, Report, Seed};

const SOON: Duration = Duration::from_millis(2);
/// The most positions one question may ask about, and the most that may wait.
const MOST_TURNS: usize = 10_000;
const MOST_WAITING: usize = 100_000;

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

/// For whom values are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Player(Player),
    Mover,
}

/// One position to search.
#[derive(Clone)]
struct Question {
    id: Value,
    game: Spec,
    agent: Spec,
    stones: Vec<(Player, String)>,
    first: Option<Player>,
    moves: Vec<(Option<Player>, String)>,
    turn: usize,
    budget: Budget,
    seed: Seed,
    priority: i64,
    every: Option<Duration>,
    ownership: bool,
    policy: bool,
    side: Side,
    /// In what order it was asked.
    number: u64,
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
    waiting: Vec<Question>,
    running: Option<Running>,
    asked: u64,
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

/// An answer with the id of what it answers, if that has one.
fn with_id(mut answer: Value, id: Option<&Value>) -> Value {
    if let Some(id) = id {
        answer["id"] = id.clone();
    }
    answer
}

/// The id of a question that was cut off or is broken, if it stands before that.
fn leading_id(text: &str) -> Option<Value> {
    /// Keeps the id, whatever comes after it.
    struct Keeper<'a>(&'a mut Option<Value>);

    impl<'de> Visitor<'de> for Keeper<'_> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
            while let Some(name) = fields.next_key::<String>()? {
                if name == "id" {
                    *self.0 = Some(fields.next_value()?);
                } else {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
            Ok(())
        }
    }

    let mut id = None;
    // That it ends badly is known.
    let _ = serde_json::Deserializer::from_str(text).deserialize_map(Keeper(&mut id));
    id
}

fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

impl Analysis {
    /// A JSON engine; game and agent are the defaults of questions that name none.
    #[must_use]
    pub fn new(engine: Engine) -> Analysis {
        Analysis { engine, waiting: Vec::new(), running: None, asked: 0 }
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
        let started = tesuji_agents::start_game(&spec).map_err(|error| ("game", error.to_string()))?;
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
            let komi = komi.as_f64().filter(|komi| (komi * 2.0).fract() == 0.0);
            let komi = komi.ok_or(("komi", "expected whole or half points".to_string()))?;
            arguments.push(("komi", SpecValue::Number(komi)));
        }
        if let Some(rules) = fields.get("rules").and_then(Value::as_str).filter(|_| spec.name == "go") {
            let scoring = match rules.to_ascii_lowercase().as_str() {
                "japanese" | "korean" => "territory",
                _ => "area",
            };
            arguments.push(("scoring", SpecValue::Spec(Spec::bare(scoring))));
        }
        if arguments.is_empty() {
            return Ok(started.spec);
        }
        let wanted = changed(&started.spec, &arguments);
        tesuji_agents::start_game(&wanted).map(|game| game.spec).map_err(|error| ("boardXSize", error.to_string()))
    }

    fn ask(&mut self, fields: &Map<String, Value>) -> Result<(), Problem> {
        let id = fields.get("id").cloned().filter(Value::is_string).ok_or(("id", "expected text".to_string()))?;
        let game = self.game(fields)?;
        let agent = self.spec(fields, "agent", self.engine.session.agent())?;
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
        let limits = &self.engine.setup.limits;
        let mut budget = limits.clone();
        if let Some(visits) = fields.get("maxVisits") {
            let visits = visits.as_u64().filter(|visits| *visits > 0);
            budget.iterations = Some(visits.ok_or(("maxVisits", "expected a number of visits".to_string()))?);
        }
        if let Some(time) = fields.get("maxTime") {
            let time = seconds(time).ok_or(("maxTime", "expected seconds".to_string()))?;
            (budget.soft_time, budget.hard_time) = (Some(time), Some(time));
            if !fields.contains_key("maxVisits") {
                budget.iterations = None;
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
        for turn in turns {
            self.asked += 1;
            self.waiting.push(Question {
                id: id.clone(),
                game: game.clone(),
                agent: agent.clone(),
                stones: stones.clone(),
                first,
                moves: moves[..turn].to_vec(),
                turn,
                budget: budget.clone(),
                seed,
                priority,
                every,
                ownership: flag("includeOwnership"),
                policy: flag("includePolicy"),
                side,
                number: self.asked,
            });
        }
        Ok(())
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
                let meant = |id: &Value| action == "terminate_all" || wanted == Some(id);
                self.waiting.retain(|question| !meant(&question.id));
                if let Some(running) = &mut self.running
                    && meant(&running.question.id)
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

    /// Begins the next question; a wrong one is answered at once.
    fn next(&mut self, out: &mut String) {
        while self.running.is_none() {
            let best = (0..self.waiting.len()).min_by_key(|index| {
                let question = &self.waiting[*index];
                (std::cmp::Reverse(question.priority), question.number)
            });
            let Some(index) = best else { return };
            let question = self.waiting.remove(index);
            match begin(&question) {
                Ok(session) => {
                    let began = Instant::now();
                    let next_report = question.every.map(|every| began + every);
                    self.running = Some(Running { question, session, began, next_report, stopped: false });
                }
                Err((field, reason)) => {
                    say(out, &json!({"id": question.id, "error": reason, "field": field, "turnNumber": question.turn}));
                }
            }
        }
    }
}

/// Sets a question's position up and starts its search.
fn begin(question: &Question) -> Result<Session, Problem> {
    let mut session = Session::new(&question.game, &question.agent).map_err(|error| ("game", error.to_string()))?;
    if !question.stones.is_empty() || question.first.is_some() {
        let turn = question.first.unwrap_or(Player::First);
        let set_up = if question.stones.is_empty() && session.position().turn() == turn {
            None
        } else {
            Some(go_table::with_stones(session.position(), &question.stones, turn).map_err(|e| ("initialStones", e))?)
        };
        if let Some(position) = set_up {
            session.set(position).map_err(|error| ("initialStones", error.to_string()))?;
        }
    }
    for (number, (who, mv)) in question.moves.iter().enumerate() {
        let wrong = |reason: &dyn std::fmt::Display| ("moves", format!("move {}: {reason}", number + 1));
        if let Some(who) = who.filter(|who| *who != session.position().turn()) {
            let turned = go_table::with_turn(session.position(), who);
            let turned = turned.ok_or_else(|| wrong(&"it is the other side's turn"))?;
            session.set(turned).map_err(|error| wrong(&error))?;
        }
        session.play(mv).map_err(|error| wrong(&error))?;
    }
    let seed = question.seed.derive(session.steps() as u64);
    session.start(&question.budget, seed).map_err(|error| ("moves", error.to_string()))?;
    Ok(session)
}

/// An answer, final or on the way.
fn answer(question: &Question, session: &Session, report: &Report<String>, during: bool) -> Value {
    let turn = report.turn;
    let seen = |value: f64| match question.side {
        Side::Player(player) if player != turn => 1.0 - value,
        _ => value,
    };
    let infos: Vec<Value> = ranked(report)
        .into_iter()
        .enumerate()
        .map(|(order, entry)| {
            let value = seen(winrate(entry, turn));
            let line =
                if report.line.first() == Some(&entry.mv) { report.line.clone() } else { vec![entry.mv.clone()] };
            let mut info = json!({
                "move": entry.mv, "visits": entry.visits, "winrate": tidy(value), "utility": tidy(2.0 * value - 1.0),
                "order": order, "pv": line,
            });
            if let Some(prior) = entry.prior {
                info["prior"] = json!(tidy(prior));
            }
            if let Some((_, upper)) = entry.confidence {
                // Seen from the other side, the lower bound is the upper one.
                let lower = match entry.bounds.proved() {
                    None if seen(0.0) > 0.5 => (1.0 - upper).clamp(0.0, 1.0).min(value),
                    None => lower_bound(entry, value),
                    Some(_) => value,
                };
                info["lcb"] = json!(tidy(lower));
            }
            let (sure, hoped) = entry.bounds.for_player(turn);
            if sure == hoped {
                info["proved"] = json!(tidy(seen(sure.to_f64())));
            }
            info
        })
        .collect();
    let value = seen(report.value.for_player(turn));
    let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
    let mut answer = json!({
        "id": question.id, "turnNumber": question.turn, "isDuringSearch": during, "moveInfos": infos,
        "rootInfo": {
            "currentPlayer": if turn == Player::First { "B" } else { "W" },
            "visits": visits, "winrate": tidy(value), "utility": tidy(2.0 * value - 1.0),
            "iterations": report.iterations, "nodes": report.nodes, "best": report.best,
        },
    });
    if question.ownership
        && let Some(judgement) = go_table::judge(session.position(), Seed(1))
    {
        let sign = if seen(1.0) == 1.0 && turn == Player::Second || seen(1.0) != 1.0 && turn == Player::First {
            -1.0
        } else {
            1.0
        };
        answer["ownership"] = judgement.ownership.iter().map(|owner| tidy(sign * owner)).collect();
    }
    if question.policy {
        answer["policy"] = policy(session.position(), report);
    }
    answer
}

/// The weights moves had before they were tried. In Go a list of all points, row by row from the top, and the pass, with
/// −1 for what is not legal or not known; in other games by move.
fn policy(position: &dyn AnyPosition, report: &Report<String>) -> Value {
    let weights = report.root.iter().filter_map(|entry| Some((entry.mv.as_str(), tidy(entry.prior?))));
    if go_table::komi(position).is_none() {
        return weights.map(|(mv, weight)| (mv.to_string(), json!(weight))).collect::<Map<_, _>>().into();
    }
    let view = position.view();
    let mut list = vec![-1.0; view.points.len() + 1];
    for (mv, weight) in weights {
        let place = position.place_of(mv).map_or(view.points.len(), |(column, row)| row * view.columns.len() + column);
        list[place] = weight;
    }
    json!(list)
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
        let running = self.running.as_mut()?;
        if running.session.is_thinking() {
            let now = Instant::now();
            if let Some(due) = running.next_report
                && now >= due
                && let Some(report) = running.session.snapshot()
            {
                running.next_report = running.question.every.map(|every| now + every);
                say(out, &answer(&running.question, &running.session, &report, true));
            }
            return Some(SOON);
        }
        if let Some(mut running) = self.running.take() {
            match running.session.wait() {
                Ok(report) => say(out, &answer(&running.question, &running.session, &report, false)),
                Err(error) => {
                    let Question { id, turn, .. } = &running.question;
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
        let id = self.running.take().map(|running| running.question.id);
        say(out, &with_id(json!({"error": "internal error"}), id.as_ref()));
    }
}
