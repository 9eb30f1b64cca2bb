//! Who may ask: checks of every request before anything else looks at it, and the headers of every
//! answer.
//!
//! * **Host**: a page of another site whose name was made to resolve to this machine (DNS rebinding)
//!   names itself there. On loopback only this machine's own names are taken; elsewhere addresses in
//!   digits, which cannot be rebound, and the names that the server was started with.
//! * **Origin**, **Sec-Fetch-Site**: a page of another site may not use the interface.
//! * **The token**, where there is one: in the cookie, or as `Authorization: Bearer`. The address
//!   that the program prints sets the cookie.

use crate::refusal::Refusal;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::{Method, Uri};
use std::net::IpAddr;

const COOKIE_NAME: &str = "tesuji";

/// What is asked of every request.
pub(crate) struct Guard {
    /// Names of this server, in lower case, without the port.
    pub names: Vec<String>,
    /// Whether any address in digits is this server.
    pub any_address: bool,
    /// What a client has to know.
    pub token: Option<String>,
}

/// What is done with a request.
pub(crate) enum Entry {
    /// It is carried out.
    Granted,
    /// It brought the token in its address: the cookie is set, and the client sent on.
    Welcome(String),
}

/// The name in `name:port` or `[address]:port`.
fn name_of(authority: &str) -> &str {
    match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => authority.rsplit_once(':').map_or(authority, |(name, _)| name),
    }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && std::hint::black_box(differ) == 0
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

impl Guard {
    /// Checks a request by its head.
    pub(crate) fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Entry, Refusal> {
        let hosts: Vec<&HeaderValue> = headers.get_all(HOST).iter().collect();
        let host = match hosts[..] {
            [host] => host.to_str().unwrap_or_default(),
            _ => return Err(Refusal::bad_request("expected one Host header")),
        };
        if !self.is_ours(name_of(host)) {
            return Err(Refusal::forbidden(
                "the Host header names another server; use the address that the server printed",
            ));
        }
        let is_api = uri.path().starts_with("/api");
        if let Some(origin) = headers.get(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if authority.is_none_or(|authority| !authority.eq_ignore_ascii_case(host)) {
                return Err(Refusal::forbidden("requests from pages of other sites are refused"));
            }
        }
        let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
        if is_api && site.is_some_and(|site| !["same-origin", "none"].contains(&site)) {
            return Err(Refusal::forbidden("requests from pages of other sites are refused"));
        }
        // A form of another site can send neither this type nor a request without a type.
        let is_json = || {
            let sort = text(headers, &CONTENT_TYPE).unwrap_or_default();
            sort.split(';').next().is_some_and(|sort| sort.trim().eq_ignore_ascii_case("application/json"))
        };
        if method == Method::POST && !is_json() {
            return Err(Refusal::bad_request("expected a body of the type application/json"));
        }
        self.check_token(method, uri, headers, is_api)
    }

    fn is_ours(&self, name: &str) -> bool {
        self.names.iter().any(|ours| ours.eq_ignore_ascii_case(name))
            || (self.any_address && name.parse::<IpAddr>().is_ok())
    }

    fn check_token(&self, method: &Method, uri: &Uri, headers: &HeaderMap, is_api: bool) -> Result<Entry, Refusal> {
        let Some(token) = &self.token else { return Ok(Entry::Granted) };
        let bearer = text(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let is_cookie = pairs.any(|(name, value)| name == COOKIE_NAME && same(value, token));
        if is_cookie || bearer.is_some_and(|given| same(given, token)) {
            return Ok(Entry::Granted);
        }
        let in_query = uri.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("token="));
        match in_query.filter(|given| same(given, token)) {
            Some(token) if !is_api && method == Method::GET => {
                // Lax: the cookie is sent when a link from elsewhere is followed, and with nothing
                // else that other sites do.
                Ok(Entry::Welcome(format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000")))
            }
            _ => Err(Refusal::unauthorized("the token is missing or wrong; open the address that the server printed")),
        }
    }
}

/// The headers of every answer.
pub(crate) const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

#[cfg(test)]
mod tests {
    use super::{Entry, Guard, name_of};
    use hyper::header::{HeaderMap, HeaderName, HeaderValue};
    use hyper::{Method, Uri};

    fn guard(token: Option<&str>) -> Guard {
        let names = ["localhost", "127.0.0.1", "::1"].map(String::from).into();
        Guard { names, any_address: false, token: token.map(String::from) }
    }

    fn ask(guard: &Guard, method: &Method, uri: &str, headers: &[(&'static str, &str)]) -> Result<bool, u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_str(value).expect("text"));
        }
        let uri: Uri = uri.parse().expect("an address");
        match guard.check(method, &uri, &map) {
            Ok(Entry::Granted) => Ok(true),
            Ok(Entry::Welcome(_)) => Ok(false),
            Err(refusal) => Err(refusal.status),
        }
    }

    #[test]
    fn names_of_hosts() {
        assert_eq!(["a:80", "a", "[::1]:80", "[::1]", "1.2.3.4:5"].map(name_of), ["a", "a", "::1", "::1", "1.2.3.4"]);
    }

    /// A page whose name was made to resolve to this machine names itself in Host.
    #[test]
    fn other_hosts_and_origins_are_refused() {
        let (guard, get) = (guard(None), Method::GET);
        assert_eq!(ask(&guard, &get, "/", &[("host", "localhost:8080")]), Ok(true));
        assert_eq!(ask(&guard, &get, "/", &[("host", "[::1]:8080")]), Ok(true));
        assert_eq!(ask(&guard, &get, "/", &[("host", "evil.example:8080")]), Err(403));
        assert_eq!(ask(&guard, &get, "/", &[("host", "localhost.evil.example")]), Err(403));
        assert_eq!(ask(&guard, &get, "/", &[("host", "192.168.1.7:8080")]), Err(403), "not where it listens");
        assert_eq!(ask(&guard, &get, "/", &[]), Err(400));
        assert_eq!(ask(&guard, &get, "/", &[("host", "localhost"), ("host", "evil.example")]), Err(400));
        let from = |origin| ask(&guard, &get, "/api/v1", &[("host", "localhost:80"), ("origin", origin)]);
        assert_eq!(from("http://localhost:80"), Ok(true));
        assert_eq!(from("https://localhost:80"), Ok(true), "behind a proxy");
        for other in
            ["http://localhost:81", "http://evil.example", "null", "file://", "http://localhost:80.evil.example"]
        {
            assert_eq!(from(other), Err(403), "{other}");
        }
        let site = |path, site| ask(&guard, &get, path, &[("host", "localhost"), ("sec-fetch-site", site)]);
        assert_eq!(site("/api/v1/games", "cross-site"), Err(403));
        assert_eq!(site("/api/v1/games", "same-origin"), Ok(true));
        assert_eq!(site("/", "cross-site"), Ok(true), "a link may lead here");
        let sort =
            |sort| ask(&guard, &Method::POST, "/api/v1/sessions", &[("host", "localhost"), ("content-type", sort)]);
        assert_eq!(sort("application/json; charset=utf-8"), Ok(true));
        assert_eq!(sort("text/plain"), Err(400));
    }

    #[test]
    fn a_token_is_asked_for() {
        let (guard, get) = (guard(Some("secret")), Method::GET);
        let host = ("host", "localhost");
        assert_eq!(ask(&guard, &get, "/api/v1", &[host]), Err(401));
        assert_eq!(ask(&guard, &get, "/", &[host]), Err(401));
        assert_eq!(ask(&guard, &get, "/api/v1", &[host, ("authorization", "Bearer secret")]), Ok(true));
        assert_eq!(ask(&guard, &get, "/api/v1", &[host, ("authorization", "Bearer secre")]), Err(401));
        assert_eq!(ask(&guard, &get, "/api/v1", &[host, ("cookie", "a=b; tesuji=secret")]), Ok(true));
        assert_eq!(ask(&guard, &get, "/api/v1", &[host, ("cookie", "tesuji=secret2")]), Err(401));
        assert_eq!(ask(&guard, &get, "/?token=secret", &[host]), Ok(false), "the cookie is set");
        assert_eq!(ask(&guard, &get, "/?token=wrong!", &[host]), Err(401));
        assert_eq!(ask(&guard, &get, "/api/v1?token=secret", &[host]), Err(401), "not in addresses of the interface");
    }
}
