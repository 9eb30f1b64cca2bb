//! Connections: accepted up to a number, each with a time for the head of a request and for its
//! body; every request is checked (`guard.rs`) before it is looked at.

use crate::api::Games;
use crate::guard::{Entry, Guard, HEADERS};
use crate::kept::Store;
use crate::limits::Limits;
use crate::microscope::Trees;
use crate::proofs::Proofs;
use crate::refusal::Refusal;
use crate::routes::{self, Answer, Asked};
use crate::slots::Slots;
use crate::{Program, assets, live};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, LOCATION, SET_COOKIE,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tesuji_core::StopFlag;
use tokio::sync::Semaphore;

/// How a server is set up.
pub struct Options {
    /// Where it listens.
    pub address: IpAddr,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// What clients have to know. An address that others can reach needs one.
    pub token: Option<String>,
    /// Further names under which clients reach it, such as a proxy's.
    pub names: Vec<String>,
    /// What it allows.
    pub limits: Limits,
    /// The program around it.
    pub program: Arc<dyn Program>,
}

/// What all connections share.
pub(crate) struct Shared {
    pub limits: Limits,
    pub store: Store,
    pub trees: Trees,
    pub proofs: Proofs,
    pub slots: Slots,
    /// Places for WebSockets.
    pub sockets: Arc<Semaphore>,
    pub program: Arc<dyn Program>,
    pub games: OnceLock<Games>,
    guard: Guard,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    url: String,
}

/// How often the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(100);
/// How long a connection lasts beyond the longest search. Pages make a new one without a word.
const LIFETIME: Duration = Duration::from_secs(300);
/// The largest head of a request.
const MOST_HEAD: usize = 32 << 10;

impl Server {
    /// Listens, without answering yet.
    ///
    /// # Errors
    /// If the address is taken, or can be reached by others and there is no token.
    pub fn bind(options: Options) -> io::Result<Server> {
        let Options { address, port, token, names, limits, program } = options;
        if !address.is_loopback() && token.is_none() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{address} can be reached by others, so a token is needed"),
            ));
        }
        let listener = TcpListener::bind(SocketAddr::new(address, port))?;
        listener.set_nonblocking(true)?;
        let bound = listener.local_addr()?;
        let host = match address {
            IpAddr::V4(address) if address.is_unspecified() => "127.0.0.1".to_string(),
            IpAddr::V6(address) if address.is_unspecified() => "[::1]".to_string(),
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let query = token.as_ref().map(|token| format!("?token={token}")).unwrap_or_default();
        let url = format!("http://{host}:{}/{query}", bound.port());
        let ours = ["localhost", "127.0.0.1", "::1"].map(String::from).into_iter().chain([address.to_string()]);
        let guard = Guard { names: ours.chain(names).collect(), any_address: !address.is_loopback(), token };
        let shared = Shared {
            store: Store::new(limits.sessions, limits.session_bytes),
            trees: Trees::default(),
            proofs: Proofs::default(),
            slots: Slots::new(limits.searches, limits.turn),
            sockets: Arc::new(Semaphore::new(limits.connections)),
            limits,
            program,
            games: OnceLock::new(),
            guard,
        };
        Ok(Server { listener, shared: Arc::new(shared), url })
    }

    /// The address to open, with the token if there is one.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The port.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn port(&self) -> io::Result<u16> {
        self.listener.local_addr().map(|address| address.port())
    }

    /// Answers until the flag is thrown.
    ///
    /// # Errors
    /// If the machine has no threads for it.
    pub fn run(self, stop: &StopFlag) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(64)
            .enable_io()
            .enable_time()
            .build()?;
        let ended = runtime.block_on(accept(self.listener, self.shared, stop));
        // Searches that still run end with the program.
        runtime.shutdown_timeout(Duration::from_secs(1));
        ended
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>, stop: &StopFlag) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(shared.limits.connections));
    while !stop.is_stopped() {
        let stream = match tokio::time::timeout(LOOK, listener.accept()).await {
            Err(_) => continue,
            Ok(Ok((stream, _))) => stream,
            // Out of files, or a connection that ended before it was accepted: others go on.
            Ok(Err(_)) => {
                tokio::time::sleep(LOOK).await;
                continue;
            }
        };
        // One too many is closed at once.
        let Ok(place) = places.clone().try_acquire_owned() else { continue };
        let shared = shared.clone();
        tokio::spawn(async move {
            let time = shared.limits.header_time;
            let lifetime = shared.limits.time + LIFETIME;
            let service = service_fn(move |request| {
                let shared = shared.clone();
                async move { Ok::<_, Infallible>(respond(shared, request).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(time)
                .max_buf_size(MOST_HEAD)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // A client that goes away in between is no error, and one that never reads is cut off.
            let _ = tokio::time::timeout(lifetime, connection).await;
            drop(place);
        });
    }
    Ok(())
}

type Reply = Response<Full<Bytes>>;

/// Checks a request, carries it out, and adds the headers of every answer.
async fn respond(shared: Arc<Shared>, request: Request<Incoming>) -> Reply {
    let is_api = request.uri().path().starts_with("/api");
    let mut reply = match entered(shared, request).await {
        Ok(reply) => reply,
        Err(refusal) if is_api => {
            let body = serde_json::to_vec(&refusal.failed()).unwrap_or_default();
            plain(refusal.status, "application/json", body.into())
        }
        Err(refusal) => plain(refusal.status, "text/plain; charset=utf-8", refusal.message.into()),
    };
    for (name, value) in HEADERS {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    if !reply.headers().contains_key(CACHE_CONTROL) {
        reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    reply
}

fn plain(status: u16, content_type: &'static str, body: Bytes) -> Reply {
    let mut reply = Response::new(Full::new(body));
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    reply
}

async fn entered(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Reply, Refusal> {
    let path = request.uri().path().to_string();
    match shared.guard.check(request.method(), request.uri(), request.headers())? {
        Entry::Granted => {}
        Entry::Welcome(cookie) => {
            let mut reply = plain(303, "text/plain; charset=utf-8", Bytes::new());
            let cookie = HeaderValue::from_str(&cookie).map_err(|_| Refusal::internal("the token is not text"))?;
            reply.headers_mut().insert(SET_COOKIE, cookie);
            let location = HeaderValue::from_str(&path).map_err(|_| Refusal::bad_request("the path is not text"))?;
            reply.headers_mut().insert(LOCATION, location);
            return Ok(reply);
        }
    }
    if path == "/api/v1/live" {
        return live::upgrade(shared, request);
    }
    if path.starts_with("/api") {
        let asked = collected(&shared, request, path).await?;
        let Answer { status, content_type, body } = routes::answer(shared, asked).await?;
        return Ok(plain(status, content_type, body.into()));
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Err(Refusal::bad_method("expected GET"));
    }
    let accepted = request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let asset = assets::find(&path, accepted.contains("gzip"))
        .ok_or_else(|| Refusal::not_found("there is no such page; the interface for programs is at /api/v1"))?;
    let mut reply = plain(200, asset.content_type, Bytes::from_static(asset.bytes));
    if asset.gzip {
        reply.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    let cache = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    Ok(reply)
}

/// The whole of a request, within the limits of its body.
async fn collected(shared: &Shared, request: Request<Incoming>, path: String) -> Result<Asked, Refusal> {
    let method = request.method().to_string();
    let query = pairs(request.uri().query().unwrap_or_default());
    let most = shared.limits.body_bytes;
    let body = Limited::new(request.into_body(), most).collect();
    let body = match tokio::time::timeout(shared.limits.body_time, body).await {
        Err(_) => return Err(Refusal::too_slow("the body took too long")),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
            return Err(Refusal::too_large(format!("the body has more than {most} bytes")));
        }
        Ok(Err(_)) => return Err(Refusal::bad_request("the body ended too early")),
        Ok(Ok(body)) => body.to_bytes().to_vec(),
    };
    Ok(Asked { method, path, query, body })
}

/// Names and values behind the question mark.
fn pairs(query: &str) -> Vec<(String, String)> {
    let decoded = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name), decoded(value))
    });
    decoded.collect()
}

/// A text of an address: `%41` is A, a plus is a blank, and what is no UTF-8 becomes a sign that no
/// name contains.
fn decoded(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let (mut plain, mut place) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(place) {
        let hexadecimal = (digit(bytes.get(place + 1)), digit(bytes.get(place + 2)));
        match (byte, hexadecimal) {
            (b'%', (Some(high), Some(low))) => {
                plain.push((high * 16 + low) as u8);
                place += 3;
                continue;
            }
            (b'+', _) => plain.push(b' '),
            _ => plain.push(*byte),
        }
        place += 1;
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::pairs;

    #[test]
    fn addresses_are_decoded() {
        let told = pairs("document=go%28size%3D9%29~E5&at=3&x=%zz%4&&y=a+b&%C3%BC=%FF");
        let told: Vec<(&str, &str)> = told.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let expected = [("document", "go(size=9)~E5"), ("at", "3"), ("x", "%zz%4"), ("y", "a b"), ("ü", "\u{fffd}")];
        assert_eq!(told, expected);
    }
}
