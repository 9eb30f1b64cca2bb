//! What is asked over HTTP, by method and path. All of it is quick, but for `think`, which waits
//! for a search; the table of it is `api/endpoints.rs`.

use crate::api::{
    self, About, DeadStones, Experiments, NewKomi, NewRun, NewSession, PlayMove, Points, Resign, SetUp, TakeBack,
    Think, Thought,
};
use crate::kept::{Game, locked};
use crate::lists;
use crate::microscope;
use crate::notes;
use crate::proofs;
use crate::refusal::Refusal;
use crate::searches::{Question, Searching, Source, blocking};
use crate::server::Shared;
use crate::state::{Wanted, player};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use tesuji_core::{Player, StopFlag};

/// The type of a record.
const SGF: &str = "application/x-go-sgf";

/// The longest time to wait for a slot.
pub(crate) const SLOT_TIME: Duration = Duration::from_secs(30);

/// A request of the interface.
pub(crate) struct Asked {
    pub method: String,
    /// The path, without what is behind the question mark.
    pub path: String,
    pub query: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(status: u16, value: &impl Serialize) -> Result<Answer, Refusal> {
        let body = serde_json::to_vec(value).map_err(|_| Refusal::internal("the answer cannot be written"))?;
        Ok(Answer { status, content_type: "application/json", body })
    }
}

impl Asked {
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn needed(&self, name: &str) -> Result<&str, Refusal> {
        self.parameter(name).ok_or_else(|| Refusal::bad_request(format!("expected {name}=… in the address")))
    }

    fn wanted(&self) -> Result<Wanted, Refusal> {
        let number = |text: &str| text.parse().map_err(|_| Refusal::bad_request("at: expected a number of steps"));
        Ok(Wanted {
            at: self.parameter("at").map(number).transpose()?,
            geometry: self.parameter("geometry") != Some("false"),
        })
    }

    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_slice(&self.body).map_err(|error| Refusal::bad_request(format!("the body: {error}")))
    }
}

/// Carries a request out.
pub(crate) async fn answer(shared: Arc<Shared>, asked: Asked) -> Result<Answer, Refusal> {
    let parts: Vec<&str> = asked.path.split('/').skip(3).collect();
    if let (["sessions", id, "think"], "POST") = (&parts[..], asked.method.as_str()) {
        let (id, request) = ((*id).to_string(), asked.read()?);
        return think(shared, id, request).await;
    }
    let work = match (asked.method.as_str(), &parts[..]) {
        ("POST", ["proofs"]) => Some(proofs::Work::Solve),
        ("POST", ["proofs", "file"]) => Some(proofs::Work::Check),
        ("POST", ["proof-trees"]) => Some(proofs::Work::Grow),
        _ => None,
    };
    if let Some(work) = work {
        return proofs::worked(shared, asked, work).await;
    }
    if parts.first() == Some(&"trees") {
        return microscope::answer(shared, asked).await;
    }
    blocking(move || at_once(&shared, &asked)).await
}

/// Carries out what does not search.
pub(crate) fn at_once(shared: &Shared, asked: &Asked) -> Result<Answer, Refusal> {
    // "", "api", "v1", and what follows.
    let parts: Vec<&str> = asked.path.split('/').collect();
    let ["", "api", "v1", parts @ ..] = &parts[..] else { return Err(unknown()) };
    match (asked.method.as_str(), parts) {
        ("GET", []) => Answer::json(200, &about(shared)),
        ("GET", ["openapi.json"]) => Answer::json(200, &api::openapi()),
        ("GET", ["games"]) => Answer::json(200, shared.games.get_or_init(lists::games)),
        ("GET", ["agents"]) => Answer::json(200, &lists::agents(asked.needed("game")?)?),
        ("GET", ["problems"]) => Answer::json(200, &lists::problems(asked.parameter("game"))?),
        ("GET", ["experiments"]) => Answer::json(200, &Experiments { experiments: shared.program.experiments()? }),
        ("GET", ["experiments", id]) => {
            let all = shared.program.experiments()?;
            let found = all.into_iter().find(|experiment| experiment.id == *id);
            Answer::json(200, &found.ok_or_else(|| Refusal::not_found("there is no such experiment"))?)
        }
        ("GET", ["experiments", id, "report"]) => Answer::json(200, &shared.program.report(id, asked.needed("size")?)?),
        ("POST", ["experiments", id, "run"]) => {
            Answer::json(200, &shared.program.start_run(id, &asked.read::<NewRun>()?.size)?)
        }
        ("GET", ["experiments", id, "run"]) => Answer::json(200, &shared.program.run(id, asked.needed("size")?)?),
        ("DELETE", ["experiments", id, "run"]) => {
            Answer::json(200, &shared.program.stop_run(id, asked.needed("size")?)?)
        }
        ("GET", ["tours"]) => Answer::json(200, microscope::tours()?),
        ("GET", ["position"]) => {
            let document = Some(asked.needed("document")?.to_string());
            let game = Game::begin(&NewSession { document, ..NewSession::default() })?;
            Answer::json(200, &game.state(None, asked.wanted()?)?)
        }
        ("POST", ["records"]) => Answer::json(200, &notes::read(&asked.read()?)?),
        ("POST", ["sessions"]) => {
            let game = Game::begin(&asked.read()?)?;
            let mut state = game.state(None, Wanted { at: None, geometry: true })?;
            state.id = Some(shared.store.keep(game)?);
            Answer::json(201, &state)
        }
        ("DELETE", ["sessions", id]) => {
            shared.store.drop_game(id)?;
            Ok(Answer { status: 204, content_type: "text/plain", body: Vec::new() })
        }
        (_, ["proofs" | "proof-trees", ..]) => proofs::at_once(shared, asked, parts),
        (method, ["sessions", id]) => in_session(shared, asked, method, id, ""),
        (method, ["sessions", id, what]) => in_session(shared, asked, method, id, what),
        ("GET" | "POST" | "DELETE", _) => Err(unknown()),
        _ => Err(Refusal::bad_method("expected GET, POST or DELETE")),
    }
}

fn unknown() -> Refusal {
    Refusal::not_found("there is no such thing here; /api/v1/openapi.json lists what there is")
}

fn about(shared: &Shared) -> About {
    About {
        name: "tesuji".into(),
        version: shared.program.version(),
        api: api::VERSION,
        limits: shared.limits.told(),
        lab_runs: shared.program.most_runs(),
        sessions: shared.store.len(),
        searches: shared.limits.searches.saturating_sub(shared.slots.free()),
        waiting: shared.slots.waiting(),
    }
}

/// What is asked of a game that is kept.
fn in_session(shared: &Shared, asked: &Asked, method: &str, id: &str, what: &str) -> Result<Answer, Refusal> {
    let kept = shared.store.find(id)?;
    let mut game = locked(&kept);
    match (method, what) {
        ("GET", "") => return Answer::json(200, &game.state(Some(id), asked.wanted()?)?),
        ("GET", "dead") => return Answer::json(200, &game.judged()?),
        ("GET", "chain") => {
            let points = game.session.position().chain(asked.needed("point")?);
            let points = points.ok_or_else(|| Refusal::unsupported("there is no stone on this point, or no chains"))?;
            return Answer::json(200, &Points { points });
        }
        ("GET", "sgf") => {
            let name = |which| asked.parameter(which).map(|name| name.chars().take(80).collect());
            let text = game.record(["first", "second"].map(name))?;
            return Ok(Answer { status: 200, content_type: SGF, body: text.into_bytes() });
        }
        ("POST", "sgf") => {
            let text = notes::write(&game, asked.read()?)?;
            return Ok(Answer { status: 200, content_type: SGF, body: text.into_bytes() });
        }
        ("POST", "play") => game.play(&asked.read::<PlayMove>()?.r#move)?,
        ("POST", "undo") => game.undo(asked.read::<TakeBack>()?.steps.unwrap_or(1))?,
        ("POST", "resign") => {
            let Resign { player: loser, out_of_time } = asked.read()?;
            game.resign(loser.map(player), out_of_time.unwrap_or(false))?;
        }
        ("POST", "komi") => game.set_komi(asked.read::<NewKomi>()?.komi)?,
        ("POST", "stones") => {
            let SetUp { first, second, turn } = asked.read()?;
            let of = |owner: Player, points: Vec<String>| points.into_iter().map(move |point| (owner, point));
            let stones: Vec<(Player, String)> = of(Player::First, first).chain(of(Player::Second, second)).collect();
            game.set_up(&stones, player(turn))?;
        }
        ("POST", "dead") => game.settle(&asked.read::<DeadStones>()?.dead)?,
        _ => return Err(unknown()),
    }
    Answer::json(200, &game.state(Some(id), Wanted::default())?)
}

/// Throws the flag when the client has gone.
pub(crate) struct Leaving(pub StopFlag);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs work that searches, in a slot. It is stopped if the client goes away.
pub(crate) async fn with_slot(
    shared: Arc<Shared>,
    work: impl FnOnce(&Shared, StopFlag) -> Result<Answer, Refusal> + Send + 'static,
) -> Result<Answer, Refusal> {
    let stop = StopFlag::new();
    let _leaving = Leaving(stop.clone());
    let slot = shared.slots.wait_for(SLOT_TIME).await?;
    blocking(move || {
        let answer = work(&shared, stop);
        drop(slot);
        answer
    })
    .await
}

/// Searches, waits for the answer, and plays it.
async fn think(shared: Arc<Shared>, id: String, request: Think) -> Result<Answer, Refusal> {
    let stop = StopFlag::new();
    let _leaving = Leaving(stop.clone());
    let slot = shared.slots.wait_for(SLOT_TIME).await?;
    // In a task of its own: the search is stopped and put away also if the client has gone.
    let task = tokio::spawn(async move {
        let asked = (shared.clone(), id.clone());
        let question = blocking(move || {
            let (shared, id) = asked;
            let game = shared.store.find(&id)?;
            let kept = locked(&game);
            let source = Source { id, game: game.clone(), version: kept.version };
            Ok(Question {
                game: kept.session.game().clone(),
                steps: kept.session.history(),
                plays_in: Some(source).filter(|_| request.play.unwrap_or(true)),
                agent: request.agent,
                budget: request.budget.unwrap_or_default(),
                seed: request.seed.unwrap_or(1),
                candidates: request.candidates,
                every: Duration::from_secs(5),
            })
        });
        let searching = Searching::begin(shared.clone(), question.await?, stop, slot).await?;
        let notices = searching.notices();
        while searching.is_running() {
            notices.wait(Duration::from_secs(1)).await;
        }
        let finished = searching.finish().await?;
        let state = match finished.state {
            Some(state) => state,
            None => blocking(move || locked(&*shared.store.find(&id)?).state(Some(&id), Wanted::default())).await?,
        };
        Answer::json(200, &Thought { report: finished.report, state })
    });
    task.await.unwrap_or_else(|_| Err(Refusal::internal("the search failed inside the server; this is a bug")))
}
