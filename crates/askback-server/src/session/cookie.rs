//! The cookie of a session. Browsers send the cookies of a host to all of its ports, so its name holds
//! the port: servers on one machine neither overwrite nor confuse each other's cookies.

use axum::http::{HeaderMap, header};

use super::AGE_MAX;

/// What the name of the cookie begins with.
const NAME: &str = "askback_session";

/// Whether a cookie may go over plain HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CookieScope {
    /// The browser reaches the server over TLS.
    TlsOnly,
    /// It may not.
    Any,
}

/// The name of the cookie for the port that the request was sent to.
pub(crate) fn cookie_name(headers: &HeaderMap) -> String {
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok());
    let port = host
        .and_then(|host| host.rsplit_once(':'))
        .and_then(|(_, port)| port.parse::<u16>().ok());
    match port {
        Some(port) => format!("{NAME}_{port}"),
        None => NAME.to_owned(),
    }
}

/// Whether a cookie is one of a session, whatever the port.
pub(crate) fn is_session_cookie(name: &str) -> bool {
    name.strip_prefix(NAME)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// The header that gives a browser its cookie. It lasts as long as a session can; the server decides
/// whether it is still good.
pub(crate) fn session_cookie(name: &str, secret: &str, scope: CookieScope) -> String {
    written(name, secret, scope, AGE_MAX.as_secs())
}

/// The header that takes it away.
pub(crate) fn cleared_cookie(name: &str, scope: CookieScope) -> String {
    written(name, "", scope, 0)
}

fn written(name: &str, value: &str, scope: CookieScope, seconds: i64) -> String {
    let secure = match scope {
        CookieScope::TlsOnly => "; Secure",
        CookieScope::Any => "",
    };
    format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}")
}
