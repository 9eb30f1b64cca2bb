//! The WebSocket: searches that report while they run.
//!
//! ```text
//!  reader ── message ──→ Client::take ── a task per search ──┐
//!  writer ←──────────── messages, at most 64 waiting ────────┘
//! ```
//!
//! A search belongs to its connection. A client that reads slowly misses snapshots, never answers;
//! one that says more than is allowed, or does not answer pings, is disconnected.

use crate::api::{ClientMessage, Done, NewSession, Queued, Refused, Search, ServerMessage, Snapshot, Started};
use crate::kept::{Game, locked};
use crate::refusal::Refusal;
use crate::searches::{Question, Searching, Source, blocking};
use crate::server::Shared;
use futures_util::future::{Either, select};
use futures_util::{SinkExt, StreamExt};
use hyper::body::Incoming;
use hyper::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_agents::short_agent;
use tesuji_core::StopFlag;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Sender, channel};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Message, Utf8Bytes};

/// A silent client is asked after this time whether it is there, and given up after twice of it.
const SILENCE: Duration = Duration::from_secs(30);
/// The longest time for one message to be taken by the client.
const WRITE_TIME: Duration = Duration::from_secs(20);
/// Messages that wait for the client.
const WAITING: usize = 64;
/// The longest name of a search.
const MOST_ID: usize = 64;

/// Answers the request for a WebSocket, and serves it.
pub(crate) fn upgrade(
    shared: Arc<Shared>,
    request: Request<Incoming>,
) -> Result<Response<http_body_util::Full<Bytes>>, Refusal> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let has = |name, word: &str| {
        header(name).is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    };
    let key = header(SEC_WEBSOCKET_KEY).filter(|_| {
        has(CONNECTION, "upgrade") && has(UPGRADE, "websocket") && header(SEC_WEBSOCKET_VERSION) == Some("13")
    });
    let Some(key) = key else { return Err(Refusal::bad_request("expected a WebSocket of version 13")) };
    let accept = derive_accept_key(key.as_bytes());
    let place = shared.sockets.clone().try_acquire_owned();
    let place = place.map_err(|_| Refusal::busy("too many pages are connected; close one, or try again later"))?;
    tokio::spawn(async move {
        // Given back when the connection has ended.
        let _place = place;
        // A client that goes away in between is no error.
        let Ok(upgraded) = hyper::upgrade::on(request).await else { return };
        let most = shared.limits.message_bytes;
        let config = WebSocketConfig::default().max_message_size(Some(most)).max_frame_size(Some(most));
        let socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, Some(config)).await;
        serve(shared, socket).await;
    });
    let response = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header(CONNECTION, "upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_ACCEPT, accept)
        .body(http_body_util::Full::default());
    response.map_err(|_| Refusal::bad_request("the key of the WebSocket is not text"))
}

type Socket = WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>;

/// Serves a connection until it ends.
async fn serve(shared: Arc<Shared>, socket: Socket) {
    let (mut sink, mut stream) = socket.split();
    let (outgoing, mut waiting) = channel::<Message>(WAITING);
    let writer = tokio::spawn(async move {
        while let Some(message) = waiting.recv().await {
            let is_last = message.is_close();
            let sent = tokio::time::timeout(WRITE_TIME, sink.send(message)).await;
            if is_last || !matches!(sent, Ok(Ok(()))) {
                break;
            }
        }
    });
    let mut client = Client { shared, outgoing, running: Arc::default(), allowance: Allowance::default() };
    let mut asked = false;
    loop {
        match tokio::time::timeout(SILENCE, stream.next()).await {
            Err(_) if asked => break,
            Err(_) => {
                asked = true;
                let _ = client.outgoing.send(Message::Ping(Bytes::new())).await;
            }
            Ok(Some(Ok(Message::Text(text)))) => {
                asked = false;
                if !client.hear(&text).await {
                    break;
                }
            }
            Ok(Some(Ok(Message::Binary(_)))) => {
                asked = false;
                if !client.hear("").await {
                    break;
                }
            }
            Ok(Some(Ok(Message::Close(_)))) | Ok(Some(Err(_))) | Ok(None) => break,
            // Pings cost the server as much as messages.
            Ok(Some(Ok(Message::Ping(_)))) => {
                asked = false;
                if !client.may_speak().await {
                    break;
                }
            }
            Ok(Some(Ok(_))) => asked = false,
        }
    }
    client.end().await;
    // The writer ends when the last search has ended, or now if the client does not read.
    let _ = writer.await;
}

/// The rate of a client's messages: an average, and bursts of the messages of two seconds.
#[derive(Default)]
struct Allowance {
    used: f64,
    at: Option<Instant>,
}

impl Allowance {
    fn take(&mut self, per_second: u32, now: Instant) -> bool {
        let passed = self.at.map_or(0.0, |at| now.duration_since(at).as_secs_f64());
        self.at = Some(now);
        self.used = (self.used - passed * f64::from(per_second)).max(0.0) + 1.0;
        self.used <= 2.0 * f64::from(per_second)
    }
}

/// A search of a client.
#[derive(Clone, Default)]
struct Handle {
    stop: StopFlag,
    /// No answer is wanted any more.
    cancelled: Arc<AtomicBool>,
    /// Wakes a search that waits for a place.
    gone: Arc<Notify>,
}

impl Handle {
    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.stop.stop();
        self.gone.notify_one();
    }
}

type Running = Arc<Mutex<HashMap<String, Handle>>>;

struct Client {
    shared: Arc<Shared>,
    outgoing: Sender<Message>,
    running: Running,
    allowance: Allowance,
}

fn encoded(message: &ServerMessage) -> Message {
    let text = serde_json::to_string(message).unwrap_or_else(|_| String::from("null"));
    Message::Text(Utf8Bytes::from(text))
}

fn refused(id: Option<String>, refusal: &Refusal) -> Message {
    encoded(&ServerMessage::Error(Box::new(Refused { id, error: refusal.problem() })))
}

/// Reads what a client says.
pub(crate) fn read(text: &str) -> Result<ClientMessage, Refusal> {
    let message: ClientMessage =
        serde_json::from_str(text).map_err(|error| Refusal::bad_request(format!("the message: {error}")))?;
    let id = match &message {
        ClientMessage::Search(search) => &search.id,
        ClientMessage::Stop(named) | ClientMessage::Cancel(named) => &named.id,
    };
    if id.len() > MOST_ID {
        return Err(Refusal::bad_request(format!("id: expected at most {MOST_ID} bytes")));
    }
    Ok(message)
}

impl Client {
    /// Counts a message; false if there were too many, and the connection is to end.
    async fn may_speak(&mut self) -> bool {
        let most = self.shared.limits.messages_per_second;
        if self.allowance.take(most, Instant::now()) {
            return true;
        }
        let refusal = Refusal::too_many(format!("more than {most} messages a second; the connection is closed"));
        let _ = self.outgoing.send(refused(None, &refusal)).await;
        let _ = self.outgoing.send(Message::Close(None)).await;
        false
    }

    /// Takes a message; false if the connection is to end.
    async fn hear(&mut self, text: &str) -> bool {
        if !self.may_speak().await {
            return false;
        }
        let outcome = match read(text) {
            Err(refusal) => Err((None, refusal)),
            Ok(ClientMessage::Stop(named)) => self.end_one(&named.id, false),
            Ok(ClientMessage::Cancel(named)) => self.end_one(&named.id, true),
            Ok(ClientMessage::Search(search)) => {
                let id = search.id.clone();
                self.start(*search).map_err(|refusal| (Some(id), refusal))
            }
        };
        match outcome {
            Ok(()) => true,
            Err((id, refusal)) => self.outgoing.send(refused(id, &refusal)).await.is_ok(),
        }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<String, Handle>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks a search to end. One that has ended already is no error: its answer is on the way.
    fn end_one(&mut self, id: &str, forget: bool) -> Result<(), (Option<String>, Refusal)> {
        let mut running = self.running();
        let Some(handle) = running.get(id) else { return Ok(()) };
        if forget {
            handle.cancel();
            // The name can be used again at once.
            running.remove(id);
        } else {
            handle.stop.stop();
        }
        Ok(())
    }

    fn start(&mut self, search: Search) -> Result<(), Refusal> {
        let most = self.shared.limits.searches_per_client;
        let handle = {
            let mut running = self.running();
            if running.contains_key(&search.id) {
                return Err(Refusal::conflict("a search of this id is running; stop or cancel it first"));
            }
            if running.len() >= most {
                return Err(Refusal::too_many(format!("at most {most} searches of one client at the same time")));
            }
            let handle = Handle::default();
            running.insert(search.id.clone(), handle.clone());
            handle
        };
        let id = search.id.clone();
        let (shared, running, outgoing) = (self.shared.clone(), self.running.clone(), self.outgoing.clone());
        tokio::spawn(async move {
            let ended = run(shared, search, &handle, &outgoing).await;
            let is_wanted = !handle.cancelled.load(Ordering::Acquire);
            if is_wanted {
                running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                let message = match ended {
                    Ok(done) => encoded(&ServerMessage::Done(Box::new(done))),
                    Err(refusal) => refused(Some(id), &refusal),
                };
                // A client that has gone needs no answer.
                let _ = outgoing.send(message).await;
            }
        });
        Ok(())
    }

    /// Ends everything that was started for this client.
    async fn end(self) {
        self.running().values().for_each(Handle::cancel);
        drop(self.outgoing);
    }
}

/// The time between two snapshots.
fn pace(every_ms: Option<u64>) -> Duration {
    Duration::from_millis(every_ms.unwrap_or(250).clamp(100, 5_000))
}

/// One search from its slot to its answer.
async fn run(
    shared: Arc<Shared>,
    search: Search,
    handle: &Handle,
    outgoing: &Sender<Message>,
) -> Result<Done, Refusal> {
    let every = pace(search.every_ms);
    let id = search.id.clone();
    let is_cancelled = || handle.cancelled.load(Ordering::Acquire);
    let tell = |message: ServerMessage| outgoing.try_send(encoded(&message));
    let gone = || Refusal::conflict("the search was cancelled");
    let slot = match shared.slots.free_one() {
        Some(slot) => slot,
        None => {
            let _ = tell(ServerMessage::Queued(Box::new(Queued { id: id.clone() })));
            match select(pin!(shared.slots.wait()), pin!(handle.gone.notified())).await {
                Either::Left((slot, _)) => slot?,
                Either::Right(_) => return Err(gone()),
            }
        }
    };
    if is_cancelled() {
        return Err(gone());
    }
    let asked = shared.clone();
    let question = blocking(move || question(&asked, search)).await?;
    let at = question.steps.len();
    let searching = Searching::begin(shared, question, handle.stop.clone(), slot).await?;
    let started = Started {
        id: id.clone(),
        agent: searching.agent().to_string(),
        short: short_agent(searching.agent()).to_string(),
        at,
    };
    let _ = tell(ServerMessage::Started(Box::new(started)));
    let (mut next, mut told) = (Instant::now(), None);
    let (notices, mut made_way) = (searching.notices(), false);
    while searching.is_running() {
        notices.wait(next.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))).await;
        if !made_way && searching.is_running() && searching.makes_way() {
            made_way = true;
            handle.stop.stop();
        }
        if Instant::now() < next || is_cancelled() {
            continue;
        }
        next = Instant::now() + every;
        let Some(report) = searching.snapshot() else { continue };
        let work = Some((report.iterations, report.nodes));
        // Nothing is built that the client would not get.
        if work != told && outgoing.capacity() > 1 {
            told = work;
            let report = searching.told(&report, false);
            let _ = tell(ServerMessage::Snapshot(Box::new(Snapshot { id: id.clone(), report })));
        }
    }
    let finished = searching.finish().await?;
    Ok(Done { id, report: finished.report, state: finished.state, made_way })
}

/// What a message asks for.
fn question(shared: &Shared, search: Search) -> Result<Question, Refusal> {
    let plays = search.play.unwrap_or(false);
    if plays && (search.session.is_none() || search.at.is_some()) {
        return Err(Refusal::bad_request("play needs a session, and its current position"));
    }
    let kept = match (&search.session, search.document) {
        (Some(id), None) => shared.store.find(id)?,
        (None, Some(document)) => {
            let request = NewSession { document: Some(document), ..NewSession::default() };
            Arc::new(Mutex::new(Game::begin(&request)?))
        }
        _ => return Err(Refusal::bad_request("expected either a session or a document")),
    };
    let game = locked(&kept);
    let mut steps = game.session.history();
    let at = search.at.unwrap_or(steps.len());
    if at > steps.len() {
        return Err(Refusal::not_found(format!("the game has {} steps", steps.len())));
    }
    steps.truncate(at);
    Ok(Question {
        game: game.session.game().clone(),
        steps,
        plays_in: search.session.filter(|_| plays).map(|id| Source { id, game: kept.clone(), version: game.version }),
        agent: search.agent,
        budget: search.budget.unwrap_or_default(),
        seed: search.seed.unwrap_or(1),
        candidates: search.candidates,
        every: pace(search.every_ms),
    })
}

#[cfg(test)]
mod tests {
    use super::{Allowance, read};
    use std::time::{Duration, Instant};

    #[test]
    fn messages_are_allowed_at_a_rate() {
        let (mut allowance, start) = (Allowance::default(), Instant::now());
        assert!((0..20).all(|_| allowance.take(10, start)), "twice the rate at once");
        assert!(!allowance.take(10, start));
        let later = start + Duration::from_secs(10);
        assert!(allowance.take(10, later), "time makes up for it");
    }

    /// Ten thousand messages that are almost right: each is read or refused with a sentence.
    #[test]
    fn malformed_messages_are_refused() {
        let right =
            r#"{"type":"search","id":"a","document":"go(size=9)~E5","budget":{"iterations":10},"every_ms":250}"#;
        assert!(read(right).is_ok());
        let mut rng = tesuji_core::Rng::new(tesuji_core::Seed(1));
        let mut refused = 0;
        for _ in 0..10_000 {
            let mut bytes = right.as_bytes().to_vec();
            for _ in 0..=rng.below(4) {
                let place = rng.below(bytes.len().max(1) as u32) as usize;
                match rng.below(3) {
                    _ if bytes.is_empty() => {}
                    0 => bytes[place] = rng.below(256) as u8,
                    1 => drop(bytes.remove(place)),
                    _ => bytes.truncate(place.max(1)),
                }
            }
            if let Err(refusal) = read(&String::from_utf8_lossy(&bytes)) {
                assert!(refusal.message.len() < 400, "{}", refusal.message);
                refused += 1;
            }
        }
        assert!(refused > 5_000, "{refused}");
    }
}
