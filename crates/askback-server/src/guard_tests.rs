//! A request from elsewhere is refused before any work, and ours pass.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};

use super::{Guard, host_name};
use crate::auth::Token;

fn guard() -> Guard {
    Guard {
        token: Token::chosen("0123456789abcdef").unwrap(),
        hosts: vec!["askback.example".to_owned()],
        origins: Vec::new(),
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
fn foreign_pages_can_change_nothing() {
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
        "null",
        "http://127.0.0.1:8888",
        "http://127.0.0.1",
    ] {
        assert!(!same(Method::POST, &[("origin", origin)]), "{origin}");
        assert!(!same(Method::GET, &[("origin", origin)]), "{origin} reads");
    }
    assert!(!same(Method::POST, &[("sec-fetch-site", "cross-site")]));
}

/// The token in an address becomes a cookie and leaves the address; other parameters stay.
#[test]
fn token_in_the_address_becomes_a_cookie() {
    let exchange = |uri: &'static str| guard().exchange(&Method::GET, &Uri::from_static(uri));
    let response = exchange("/q/inq_1?token=0123456789abcdef&lang=de").unwrap();
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    assert_eq!(response.headers()[header::LOCATION], "/q/inq_1?lang=de");
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(
        !cookie.contains("0123456789abcdef"),
        "the cookie does not hold the token"
    );
    assert!(exchange("/?token=wrong").is_none());
    assert!(exchange("/").is_none());
}

/// The name is told from its port, for names and both kinds of address.
#[test]
fn host_names_lose_their_port() {
    assert_eq!(host_name("a.example:80"), "a.example");
    assert_eq!(host_name("a.example"), "a.example");
    assert_eq!(host_name("[::1]:80"), "::1");
}
