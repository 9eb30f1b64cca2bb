//! What can be asked: the fields of a question, read and checked.

use crate::protocol::engine::{Engine, changed};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;
use tesuji_agents::{AnyPosition, Session, agent_for, is_auto, start_game_with, usual_effort};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Player, Seed};

/// The most positions one question may ask about.
const MOST_TURNS: usize = 10_000;
/// Reports during a search come no faster.
const FASTEST_REPORTS: Duration = Duration::from_millis(10);

/// The fields that are read, and those that are accepted without effect.
pub(super) const KNOWN: &[&str] = &[
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
    "allowMoves",
    "avoidMoves",
    "includeMovesOwnership",
    "includeOwnershipStdev",
    "includePVVisits",
];

/// Names of rules that count area.
const AREA_RULES: &[&str] =
    &["chinese", "chinese-ogs", "chinese-kgs", "tromp-taylor", "aga", "bga", "french", "new-zealand", "nz"];

/// For whom values are given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Player(Player),
    Mover,
}

/// What was asked, about one position or many.
pub(super) struct Query {
    pub(super) id: Value,
    pub(super) game: Spec,
    pub(super) agent: Spec,
    pub(super) stones: Vec<(Player, String)>,
    pub(super) first: Option<Player>,
    pub(super) moves: Vec<(Option<Player>, String)>,
    pub(super) budget: Budget,
    pub(super) seed: Seed,
    pub(super) every: Option<Duration>,
    pub(super) ownership: bool,
    pub(super) policy: bool,
    pub(super) side: Side,
    /// The moves to choose from; none is all.
    pub(super) allowed: Restriction,
    /// The moves not to choose.
    pub(super) avoided: Restriction,
}

/// Moves of the players in the position asked about.
pub(super) type Restriction = Vec<(Player, Vec<String>)>;

impl Query {
    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let moves = self.moves.iter().map(|(_, text)| text.len() + size_of::<(Option<Player>, String)>() + 16);
        let stones = self.stones.iter().map(|(_, text)| text.len() + size_of::<(Player, String)>() + 16);
        let id = self.id.as_str().map_or(0, str::len);
        let restricted = self.allowed.iter().chain(&self.avoided).flat_map(|(_, moves)| moves);
        let restricted: usize = restricted.map(|text| text.len() + size_of::<String>() + 16).sum();
        moves.sum::<usize>() + stones.sum::<usize>() + restricted + id + size_of::<Query>()
    }
}

/// One position to search.
pub(super) struct Question {
    /// What asked for it; shared, since one line may ask for thousands.
    pub(super) query: Arc<Query>,
    /// How many of the moves are played.
    pub(super) turn: usize,
}

/// Why a question cannot be asked: the field, and what is wrong with it.
pub(super) type Problem = (&'static str, String);

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

fn spec(fields: &Map<String, Value>, name: &'static str, default: &Spec) -> Result<Spec, Problem> {
    match fields.get(name) {
        None => Ok(default.clone()),
        Some(Value::String(text)) => text.parse().map_err(|error| (name, format!("{error}"))),
        Some(_) => Err((name, "expected text".into())),
    }
}

/// The game a question is about, with its size, komi and rules.
fn game(fields: &Map<String, Value>, engine: &Engine) -> Result<Spec, Problem> {
    let spec = spec(fields, "game", engine.session.game())?;
    let access = engine.session.access();
    let started = start_game_with(&spec, access).map_err(|error| ("game", error.to_string()))?;
    let mut arguments: Vec<(&str, SpecValue)> = Vec::new();
    let size = |name: &'static str| match fields.get(name) {
        None => Ok(None),
        Some(value) => value.as_i64().map(Some).ok_or((name, "expected a whole number".to_string())),
    };
    let sides = started.position.conventions().sides;
    match (size("boardXSize")?, size("boardYSize")?) {
        (None, None) => {}
        (Some(columns), Some(rows)) if let Some([width, height]) = sides => {
            arguments.extend([(width, SpecValue::Integer(columns)), (height, SpecValue::Integer(rows))]);
        }
        (columns, rows) => {
            let one = columns.or(rows).unwrap_or_default();
            let (columns, rows) = (columns.unwrap_or(one), rows.unwrap_or(one));
            if columns != rows {
                let name = &started.spec.name;
                return Err(("boardXSize", format!("the board of {name} is square, not {columns}×{rows}")));
            }
            arguments.push(("size", SpecValue::Integer(one)));
        }
    }
    let has_komi = started.position.komi().is_some();
    if let Some(komi) = fields.get("komi").filter(|_| has_komi) {
        let komi = komi.as_f64().filter(|komi| started.position.with_komi(*komi).is_some());
        let komi = komi.ok_or(("komi", "expected whole or half points, at most 10,000".to_string()))?;
        arguments.push(("komi", SpecValue::Number(komi)));
    }
    if let Some(rules) = fields.get("rules").filter(|_| has_komi) {
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

/// What a search of a question may take.
fn budget(fields: &Map<String, Value>, engine: &Engine, game: &Spec, agent: &Spec) -> Result<Budget, Problem> {
    let mut budget = engine.setup.limits.clone();
    let chosen = engine.setup.chosen;
    if !chosen && is_auto(agent) {
        // What is usual depends on the agent, and that on the game.
        let start = tesuji_agents::start_game(game).map_err(|error| ("game", error.to_string()))?.position;
        let here = agent_for(agent, start.as_ref()).map_err(|error| ("agent", error.to_string()))?;
        (budget.iterations, budget.nodes) = usual_effort(agent, &here, start.as_ref());
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
    Ok(budget)
}

/// The numbers of moves after which positions are asked about.
fn turns(fields: &Map<String, Value>, moves: usize) -> Result<Vec<usize>, Problem> {
    match fields.get("analyzeTurns") {
        None => Ok(vec![moves]),
        Some(Value::Array(turns)) if turns.is_empty() => Err(("analyzeTurns", "expected at least one number".into())),
        Some(Value::Array(turns)) if turns.len() <= MOST_TURNS => {
            let turn = |turn: &Value| turn.as_u64().map(|turn| turn as usize).filter(|turn| *turn <= moves);
            let turns: Option<Vec<usize>> = turns.iter().map(turn).collect();
            turns.ok_or(("analyzeTurns", format!("expected numbers from 0 to {moves}")))
        }
        Some(_) => Err(("analyzeTurns", format!("expected a list of at most {MOST_TURNS} numbers"))),
    }
}

/// A list of moves or stones.
fn list(fields: &Map<String, Value>, name: &'static str) -> Result<Vec<(Option<Player>, String)>, Problem> {
    match fields.get(name) {
        None => Ok(Vec::new()),
        Some(Value::Array(moves)) => {
            let moves: Option<Vec<_>> = moves.iter().map(read_move).collect();
            moves.ok_or((name, "expected moves: texts, or pairs of a colour and a text".to_string()))
        }
        Some(_) => Err((name, "expected a list".to_string())),
    }
}

/// `[{"player":"B","moves":["C3","D4"],"untilDepth":1}]`: moves of the position that are allowed, or
/// avoided.
fn restriction(fields: &Map<String, Value>, name: &'static str) -> Result<Restriction, Problem> {
    let entries = match fields.get(name) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(_) => return Err((name, "expected a list of objects".into())),
    };
    let read = |entry: &Value| -> Option<(Player, Vec<String>)> {
        let moves = entry.get("moves")?.as_array()?;
        let moves: Option<Vec<String>> = moves.iter().map(|mv| mv.as_str().map(str::to_string)).collect();
        Some((player(entry.get("player")?)?, moves?))
    };
    let mut restriction = Vec::with_capacity(entries.len());
    for entry in entries {
        let read = read(entry).ok_or((name, "expected objects with player, moves and untilDepth".to_string()))?;
        if entry.get("untilDepth").is_some_and(|depth| depth.as_u64() != Some(1)) {
            return Err((name, "expected untilDepth 1: only the moves of the position itself are restricted".into()));
        }
        restriction.push(read);
    }
    Ok(restriction)
}

impl Query {
    /// Whether an answer may show this move of the position.
    pub(super) fn shows(&self, position: &dyn AnyPosition, mv: &str) -> bool {
        let turn = position.turn();
        let named = |restriction: &Restriction| {
            let mut moves = restriction.iter().filter(|(player, _)| *player == turn).flat_map(|(_, moves)| moves);
            moves.any(|text| text.eq_ignore_ascii_case(mv))
        };
        let restricts = self.allowed.iter().any(|(player, _)| *player == turn);
        !named(&self.avoided) && (!restricts || named(&self.allowed))
    }
}

/// Reads a question, and the turns it asks about. Game, agent and limits are the engine's where it
/// names none.
pub(super) fn read(fields: &Map<String, Value>, engine: &Engine) -> Result<(Query, Vec<usize>), Problem> {
    let id = fields.get("id").cloned().filter(Value::is_string).ok_or(("id", "expected text".to_string()))?;
    let game = game(fields, engine)?;
    let agent = spec(fields, "agent", engine.session.asked_agent())?;
    let agent = tesuji_agents::canonical_agent(&agent).map_err(|error| ("agent", error.to_string()))?;
    let allowed = restriction(fields, "allowMoves")?;
    let avoided = restriction(fields, "avoidMoves")?;
    let moves = list(fields, "moves")?;
    let stones: Option<Vec<(Player, String)>> =
        list(fields, "initialStones")?.into_iter().map(|(who, point)| Some((who?, point))).collect();
    let stones = stones.ok_or(("initialStones", "expected pairs of a colour and a point".to_string()))?;
    let first = match fields.get("initialPlayer") {
        None => None,
        Some(value) => Some(player(value).ok_or(("initialPlayer", "expected B or W".to_string()))?),
    };
    let turns = turns(fields, moves.len())?;
    let budget = budget(fields, engine, &game, &agent)?;
    let every = match fields.get("reportDuringSearchEvery") {
        None => None,
        Some(value) => {
            let every = seconds(value).ok_or(("reportDuringSearchEvery", "expected seconds".to_string()))?;
            Some(every.max(FASTEST_REPORTS))
        }
    };
    let flag = |name: &str| fields.get(name).and_then(Value::as_bool).unwrap_or(false);
    let wanted = fields.get("overrideSettings").and_then(|settings| settings.get("reportAnalysisWinratesAs"));
    let side = match wanted.and_then(Value::as_str) {
        Some("SIDETOMOVE") => Side::Mover,
        Some("WHITE") => Side::Player(Player::Second),
        _ => Side::Player(Player::First),
    };
    let seed = fields.get("seed").and_then(Value::as_u64).map_or(engine.setup.seed, Seed);
    let (ownership, policy) = (flag("includeOwnership"), flag("includePolicy"));
    let query =
        Query { id, game, agent, stones, first, moves, budget, seed, every, ownership, policy, side, allowed, avoided };
    Ok((query, turns))
}

/// Sets a question's position up and starts its search.
pub(super) fn begin(question: &Question, engine: &Engine) -> Result<Session, Problem> {
    let query = &question.query;
    // The game was started once already, when the question came in, so what fails here is the
    // agent.
    let session = engine.other_session(&query.game, &query.agent);
    let mut session = session.map_err(|error| ("agent", error.to_string()))?;
    if !query.stones.is_empty() || query.first.is_some() {
        let turn = query.first.unwrap_or(Player::First);
        let set_up = if query.stones.is_empty() && session.position().turn() == turn {
            None
        } else {
            Some(session.position().with_stones(&query.stones, turn).map_err(|e| ("initialStones", e))?)
        };
        if let Some(position) = set_up {
            session.set(position).map_err(|error| ("initialStones", error.to_string()))?;
        }
    }
    for (number, (who, mv)) in query.moves[..question.turn].iter().enumerate() {
        let wrong = |reason: &dyn std::fmt::Display| ("moves", format!("move {}: {reason}", number + 1));
        if let Some(who) = who.filter(|who| *who != session.position().turn()) {
            let can_turn = session.position().with_turn(who).is_some();
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
