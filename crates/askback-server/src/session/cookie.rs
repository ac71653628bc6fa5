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

/// The header that gives a browser its cookie. It lasts as long as a session can; the server decides
/// whether it is still good.
pub(crate) fn session_cookie(headers: &HeaderMap, secret: &str, scope: CookieScope) -> String {
    written(headers, secret, scope, AGE_MAX.as_secs())
}

/// The header that takes it away.
pub(crate) fn cleared_cookie(headers: &HeaderMap, scope: CookieScope) -> String {
    written(headers, "", scope, 0)
}

fn written(headers: &HeaderMap, value: &str, scope: CookieScope, seconds: i64) -> String {
    let name = cookie_name(headers);
    let secure = match scope {
        CookieScope::TlsOnly => "; Secure",
        CookieScope::Any => "",
    };
    format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}")
}
