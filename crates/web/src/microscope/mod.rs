//! The microscope: searches that have stopped are kept, browsed, continued, and looked at one
//! iteration at a time.
//!
//! | file | what is in it |
//! |---|---|
//! | `mod.rs` | what is asked of trees, and the trees that are kept |
//! | `scope.rs` | one tree, at its end and at an earlier iteration |
//! | `told.rs` | nodes and iterations as the interface tells them |
//! | `tours.rs` | guided tours, which are data |
//!
//! Trees are bounded in number and in bytes, all of them together: a new one drops the one that was
//! not used for the longest time. What searches waits for one of the server's slots.

mod scope;
mod told;
mod tours;

use crate::api::{MoreIterations, NewTree};
use crate::kept::random_name;
use crate::refusal::Refusal;
use crate::routes::{Answer, Asked, Leaving, SLOT_TIME};
use crate::searches::blocking;
use crate::server::Shared;
use scope::{Caps, Scope};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tesuji_core::StopFlag;

pub(crate) use tours::tours;

/// The most trees that are kept.
const MOST_TREES: usize = 64;
/// Iterations of a request, if it does not say, and at most.
const USUAL_ITERATIONS: u64 = 1_000;
const MOST_ITERATIONS: u64 = 10_000_000;
/// The most single iterations of an answer.
const MOST_RECORDS: u64 = 200;
/// The most nodes of a part, its most plies, and the most nodes that are traced.
const MOST_NODES: usize = 4_000;
const MOST_DEPTH: usize = 200;
const MOST_TRACED: usize = 64;
/// Looks of a trace, if the request does not say, and at most.
const USUAL_LOOKS: u64 = 100;
const MOST_LOOKS: u64 = 1_000;

struct Place {
    scope: Arc<Mutex<Scope>>,
    used: u64,
    bytes: u64,
}

/// The trees that are kept, by id.
#[derive(Default)]
pub(crate) struct Trees {
    places: Mutex<HashMap<String, Place>>,
    clock: AtomicU64,
}

fn locked(scope: &Mutex<Scope>) -> MutexGuard<'_, Scope> {
    scope.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Trees {
    fn places(&self) -> MutexGuard<'_, HashMap<String, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    fn find(&self, id: &str) -> Result<Arc<Mutex<Scope>>, Refusal> {
        let now = self.now();
        let mut places = self.places();
        let place = places.get_mut(id).ok_or_else(|| {
            Refusal::not_found("there is no such tree: it was dropped, or the server was restarted; search again")
        })?;
        place.used = now;
        Ok(place.scope.clone())
    }

    fn keep(&self, scope: Scope, most_bytes: u64) -> Result<String, Refusal> {
        let id = random_name()?;
        let place = Place { used: self.now(), bytes: scope.bytes(), scope: Arc::new(Mutex::new(scope)) };
        self.places().insert(id.clone(), place);
        self.fit(&id, most_bytes);
        Ok(id)
    }

    /// Takes note that a tree has grown.
    fn grown(&self, id: &str, bytes: u64, most_bytes: u64) {
        if let Some(place) = self.places().get_mut(id) {
            place.bytes = bytes;
        }
        self.fit(id, most_bytes);
    }

    /// Drops what was not used for the longest time, until the rest fits; this one stays.
    fn fit(&self, id: &str, most_bytes: u64) {
        let mut places = self.places();
        while places.len() > MOST_TREES || places.values().map(|place| place.bytes).sum::<u64>() > most_bytes {
            let others = places.iter().filter(|(other, _)| *other != id);
            let Some(oldest) = others.min_by_key(|(_, place)| place.used).map(|(id, _)| id.clone()) else { return };
            places.remove(&oldest);
        }
    }
}

impl Asked {
    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let wrong = |_| Refusal::bad_request(format!("{name}: expected a whole number"));
        self.parameter(name).map(|text| text.parse().map_err(wrong)).transpose()
    }

    fn moves(&self) -> Vec<String> {
        moves_of(self.parameter("path").unwrap_or(""))
    }
}

fn moves_of(path: &str) -> Vec<String> {
    path.split_whitespace().map(Into::into).collect()
}

/// Carries out what is asked of trees; `parts` is the path behind `trees`.
pub(crate) async fn answer(shared: Arc<Shared>, asked: Asked) -> Result<Answer, Refusal> {
    let parts: Vec<String> = asked.path.split('/').skip(4).map(Into::into).collect();
    // Looks at a tree as it is search nothing.
    let looks =
        matches!(parts.last().map(String::as_str), Some("node" | "part")) && asked.parameter("iteration").is_none();
    if looks || parts.len() == 1 && asked.method != "POST" {
        return blocking(move || carried_out(&shared, &asked, &parts, StopFlag::new())).await;
    }
    let stop = StopFlag::new();
    let _leaving = Leaving(stop.clone());
    let slot = shared.slots.wait_for(SLOT_TIME).await?;
    blocking(move || {
        let answer = carried_out(&shared, &asked, &parts, stop);
        drop(slot);
        answer
    })
    .await
}

fn carried_out(shared: &Shared, asked: &Asked, parts: &[String], stop: StopFlag) -> Result<Answer, Refusal> {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let caps = Caps { time: shared.limits.time, bytes: shared.limits.bytes_per_search(), stop };
    let unknown = || Refusal::not_found("there is no such thing here; /api/v1/openapi.json lists what there is");
    let (id, what) = match (asked.method.as_str(), &parts[..]) {
        ("POST", []) => {
            let request: NewTree = asked.read()?;
            let iterations = checked(request.iterations.unwrap_or(USUAL_ITERATIONS))?;
            let scope = Scope::begin(shared, &request, iterations, caps)?;
            let mut tree = scope.told(String::new());
            tree.id = shared.trees.keep(scope, shared.limits.tree_bytes)?;
            return Answer::json(201, &tree);
        }
        ("DELETE", [id]) => {
            shared.trees.find(id)?;
            shared.trees.places().remove(*id);
            return Ok(Answer { status: 204, content_type: "text/plain", body: Vec::new() });
        }
        ("GET", [id]) => (*id, ""),
        ("GET", [id, what]) if *what != "more" => (*id, *what),
        ("POST", [id, "more"]) => (*id, "more"),
        _ => return Err(unknown()),
    };
    let scope = shared.trees.find(id)?;
    let mut scope = locked(&scope);
    let iteration = asked.number("iteration")?;
    let answer = match what {
        "" => Answer::json(200, &scope.told(id.into())),
        "more" => {
            scope.more(checked(asked.read::<MoreIterations>()?.iterations)?, caps)?;
            Answer::json(200, &scope.told(id.into()))
        }
        "node" => {
            let limit = asked.number("limit")?.unwrap_or(MOST_TRACED);
            let min_visits = asked.number("min_visits")?.unwrap_or(0);
            Answer::json(200, &scope.node(&asked.moves(), (limit, min_visits), iteration, caps)?)
        }
        "part" => {
            let depth = asked.number("depth")?.unwrap_or(8).min(MOST_DEPTH);
            let nodes = asked.number("nodes")?.unwrap_or(500).min(MOST_NODES);
            let min_visits = asked.number("min_visits")?.unwrap_or(1);
            Answer::json(200, &scope.part(&asked.moves(), (depth, nodes, min_visits), iteration, caps)?)
        }
        "step" => {
            let iteration = iteration.ok_or_else(|| Refusal::bad_request("expected iteration=… in the address"))?;
            Answer::json(200, &scope.step(iteration, caps)?)
        }
        "iterations" => {
            let (from, to) = (asked.number("from")?.unwrap_or(1), asked.number("to")?.unwrap_or(20));
            if from == 0 || from > to || to - from >= MOST_RECORDS {
                let message = format!("expected from=… and to=… with 1 to {MOST_RECORDS} iterations, the first is 1");
                return Err(Refusal::bad_request(message));
            }
            Answer::json(200, &scope.records(from, to, caps)?)
        }
        "trace" => {
            let paths = asked.query.iter().filter(|(name, _)| name == "path");
            let paths: Vec<String> = paths.map(|(_, path)| moves_of(path).join(" ")).collect();
            if paths.len() > MOST_TRACED {
                return Err(Refusal::bad_request(format!("path: at most {MOST_TRACED} nodes")));
            }
            let looks = asked.number("looks")?.unwrap_or(USUAL_LOOKS).clamp(1, MOST_LOOKS);
            let mut trace = scope.trace(paths, looks, asked.number("to")?, caps)?;
            trace.settled = shared.program.settled(&picks(&trace));
            Answer::json(200, &trace)
        }
        _ => Err(unknown()),
    };
    shared.trees.grown(id, scope.bytes(), shared.limits.tree_bytes);
    answer
}

/// The changes of the move that would be played.
fn picks(trace: &crate::api::Trace) -> Vec<(u64, String)> {
    let mut picks: Vec<(u64, String)> = Vec::new();
    for look in &trace.looks {
        let pick = look.best.clone().unwrap_or_default();
        if picks.last().is_none_or(|(_, last)| *last != pick) {
            picks.push((look.iteration, pick));
        }
    }
    picks
}

fn checked(iterations: u64) -> Result<u64, Refusal> {
    match iterations {
        1..=MOST_ITERATIONS => Ok(iterations),
        _ => Err(Refusal::bad_request(format!("iterations: expected 1 to {MOST_ITERATIONS}"))),
    }
}
