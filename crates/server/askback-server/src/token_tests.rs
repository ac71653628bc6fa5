//! Only the token authenticates a request.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::Token;

fn headers(name: HeaderName, value: &str) -> HeaderMap {
    HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
}

fn token() -> Token {
    Token::chosen("0123456789abcdef").unwrap()
}

/// The bearer token is accepted; anything else, including the token as a cookie, is not.
#[test]
fn only_the_bearer_token_is_accepted() {
    let accepts = |name, value: &str| token().is_in_authorization_header(&headers(name, value));
    assert!(accepts(header::AUTHORIZATION, "Bearer 0123456789abcdef"));
    assert!(accepts(header::AUTHORIZATION, "bearer 0123456789abcdef"));
    for wrong in [
        "Bearer 0123456789abcdeg",
        "Bearer ",
        "0123456789abcdef",
        "Basic 0123456789abcdef",
    ] {
        assert!(!accepts(header::AUTHORIZATION, wrong), "{wrong}");
    }
    assert!(!accepts(header::COOKIE, "askback_session=0123456789abcdef"));
    assert!(!token().is_in_authorization_header(&HeaderMap::new()));
}

/// Two random tokens differ, are long enough, and are hidden in `Debug` output.
#[test]
fn random_tokens_are_long_and_hidden_in_debug_output() {
    let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
    assert_ne!(one, other);
    assert_eq!(one.reveal().len(), 32);
    assert_eq!(format!("{one:?}"), "Token { .. }");
}

/// A token that is easy to guess is refused.
#[test]
fn short_tokens_are_refused() {
    for weak in ["", "secret", "0123456789 abcdef"] {
        assert!(Token::chosen(weak).is_err(), "{weak}");
    }
}
