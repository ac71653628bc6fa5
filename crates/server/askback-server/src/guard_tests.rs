//! Requests from other hosts and origins are refused, our own pass.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};

use super::{AgentLimits, Guard, Unaddressed, host_name};
use crate::session::CookieScope;
use crate::token::Token;

fn guard() -> Guard {
    Guard {
        token: Token::chosen("0123456789abcdef").unwrap(),
        hosts: vec!["askback.example".to_owned()],
        origins: Vec::new(),
        frame_origins: Vec::new(),
        unaddressed: Unaddressed::default(),
        agent_limits: AgentLimits::default(),
        identity: None,
        public_url: None,
        webhooks: Arc::default(),
    }
}

fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| {
            (
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            )
        })
        .collect()
}

/// Loopback names and configured ones are ours, whatever the port; a rebound name is not.
#[test]
fn only_known_hosts_are_served() {
    let knows =
        |host: &str| guard().knows_host(&headers(&[("host", host)]), &Uri::from_static("/"));
    for ours in [
        "127.0.0.1:7777",
        "localhost",
        "[::1]:7777",
        "127.8.8.8",
        "ASKBACK.example:443",
    ] {
        assert!(knows(ours), "{ours}");
    }
    for other in [
        "evil.example",
        "127.0.0.1.evil.example:7777",
        "192.168.0.1",
        "",
    ] {
        assert!(!knows(other), "{other}");
    }
    assert!(!guard().knows_host(&HeaderMap::new(), &Uri::from_static("/")));
}

/// A page of another site, another port or an opaque origin can change nothing.
#[test]
fn pages_of_other_origins_can_change_nothing() {
    let same = |method, pairs: &[(&str, &str)]| {
        let mut all = headers(&[("host", "127.0.0.1:7777")]);
        all.extend(headers(pairs));
        guard().is_same_site(&method, &all)
    };
    assert!(same(Method::POST, &[]), "a program sends no origin");
    assert!(same(Method::POST, &[("origin", "http://127.0.0.1:7777")]));
    assert!(same(Method::POST, &[("sec-fetch-site", "same-origin")]));
    assert!(
        same(Method::GET, &[("sec-fetch-site", "cross-site")]),
        "a link may lead here"
    );
    for origin in [
        "http://evil.example",
        "https://127.0.0.1:7777",
        "null",
        "http://127.0.0.1:8888",
        "http://127.0.0.1",
        "http://localhost:7777",
        "http://127.0.0.2:7777",
        "http://127.0.0.1:7777.evil.example",
        "http://evil.example/127.0.0.1:7777",
        "127.0.0.1:7777",
        "",
    ] {
        assert!(!same(Method::POST, &[("origin", origin)]), "{origin}");
        assert!(!same(Method::GET, &[("origin", origin)]), "{origin} reads");
    }
    for site in ["cross-site", "same-site", "", "unknown"] {
        assert!(!same(Method::POST, &[("sec-fetch-site", site)]), "{site}");
    }
    for referrer in [
        "http://127.0.0.1:8888/",
        "http://evil.example/?http://127.0.0.1:7777/",
        "",
    ] {
        assert!(!same(Method::POST, &[("referer", referrer)]), "{referrer}");
    }
    assert!(same(
        Method::POST,
        &[("referer", "http://127.0.0.1:7777/q/inq_1")]
    ));
}

/// The scheme counts: that of the public URL, `http` on loopback, either behind a proxy.
#[test]
fn origin_must_have_the_scheme_of_the_server() {
    let same = |public: Option<&str>, host: &str, origin: &str| {
        let guard = Guard {
            public_url: public.map(|url| url.parse().unwrap()),
            ..guard()
        };
        guard.is_same_site(
            &Method::POST,
            &headers(&[("host", host), ("origin", origin)]),
        )
    };
    let public = Some("https://ask.example");
    assert!(same(public, "ask.example", "https://ask.example"));
    assert!(!same(public, "ask.example", "http://ask.example"));
    assert!(same(public, "localhost:7777", "http://localhost:7777"));
    assert!(!same(public, "localhost:7777", "https://localhost:7777"));
    assert!(same(None, "askback.example", "https://askback.example"));
    assert!(same(None, "askback.example", "http://askback.example"));
    assert!(!same(None, "askback.example", "ftp://askback.example"));
}

/// A cookie is restricted to TLS if the public URL has it.
#[test]
fn cookies_are_secure_where_the_public_address_is() {
    let scope = |url: &str, host: &str| {
        let guard = Guard {
            public_url: Some(url.parse().unwrap()),
            ..guard()
        };
        guard.cookie_scope(&headers(&[("host", host)]))
    };
    let tls = CookieScope::TlsOnly;
    assert_eq!(scope("https://ask.example", "ASK.example"), tls);
    assert_eq!(scope("https://ask.example:8443", "ask.example:8443"), tls);
    assert_eq!(
        scope("https://ask.example", "127.0.0.1:7777"),
        CookieScope::Any
    );
    assert_eq!(scope("http://ask.example", "ask.example"), CookieScope::Any);
}

/// The host is separated from its port, for names, IPv4 and IPv6 addresses.
#[test]
fn host_names_lose_their_port() {
    assert_eq!(host_name("a.example:80"), "a.example");
    assert_eq!(host_name("a.example"), "a.example");
    assert_eq!(host_name("[::1]:80"), "::1");
}
