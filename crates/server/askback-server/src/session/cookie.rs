//! The cookie of a session. Browsers send the cookies of a host to all of its ports, so its name contains the
//! port. Servers on one machine do not overwrite each other's cookies.

use axum::http::{HeaderMap, header};

use super::AGE_MAX;
use crate::guard::host_header;

/// The cookie name without the port.
const NAME: &str = "askback_session";

/// Whether a cookie may go over plain HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CookieScope {
    /// Only over TLS.
    TlsOnly,
    /// Also over plain HTTP.
    Any,
}

/// The cookie name for the port of the request.
pub(crate) fn cookie_name(headers: &HeaderMap) -> String {
    let port = host_header(headers)
        .and_then(|host| host.rsplit_once(':'))
        .and_then(|(_, port)| port.parse::<u16>().ok());
    match port {
        Some(port) => format!("{NAME}_{port}"),
        None => NAME.to_owned(),
    }
}

/// Whether a cookie belongs to a session, on any port.
pub(crate) fn is_session_cookie(name: &str) -> bool {
    name.strip_prefix(NAME)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// Names and values of the cookies. A name may repeat if its cookies have different paths.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let pairs = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'));
    pairs.filter_map(|pair| pair.trim().split_once('='))
}

/// A `Set-Cookie` value. The cookie lasts as long as a session can; the server checks whether it is valid.
pub(crate) fn session_cookie(name: &str, secret: &str, scope: CookieScope) -> String {
    set_cookie(name, secret, scope, AGE_MAX.as_secs())
}

/// A `Set-Cookie` value that removes the cookie.
pub(crate) fn cleared_cookie(name: &str, scope: CookieScope) -> String {
    set_cookie(name, "", scope, 0)
}

fn set_cookie(name: &str, value: &str, scope: CookieScope, seconds: i64) -> String {
    let secure = match scope {
        CookieScope::TlsOnly => "; Secure",
        CookieScope::Any => "",
    };
    format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}")
}
