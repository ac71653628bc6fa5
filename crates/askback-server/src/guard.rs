//! What every request must pass before any work is done for it: the right host, no foreign origin, and
//! then the token or a session ([`crate::authenticate`]).
//!
//! The host is checked because a page elsewhere can make its own name point at this machine; the
//! origin because a page elsewhere can post to this address with the user's cookie. Pages of other
//! sites that were explicitly allowed ([`crate::origin`]) may call the API with the token, and never
//! with a cookie.

use std::sync::Arc;

use askback_wire::problem::ProblemCode;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::auth::Token;
use crate::authenticate::{self, Shown};
use crate::origin::{self, Origin};
use crate::problem::problem;
use crate::public_url::PublicUrl;
use crate::routes::Shared;
use crate::session::CookieScope;
use crate::webhook::WebhookPolicy;

/// What a request is checked against.
#[derive(Debug)]
pub struct Guard {
    /// The secret.
    pub token: Token,
    /// Names under which the server may be addressed, without ports. Loopback names always are.
    pub hosts: Vec<String>,
    /// Other sites whose pages may call the API with the token: `https://app.example`.
    pub origins: Vec<Origin>,
    /// The address under which others reach the server; links begin with it.
    pub public_url: Option<PublicUrl>,
    /// Where webhooks may lead.
    pub webhooks: Arc<WebhookPolicy>,
}

/// Refuses a request before any work is done for it, or passes it on.
pub(crate) async fn check(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let guard = &shared.guard;
    if repeats_itself(request.headers()) {
        return problem(ProblemCode::ForbiddenOrigin).into_response();
    }
    if !guard.knows_host(request.headers(), request.uri()) {
        return problem(ProblemCode::ForbiddenHost).into_response();
    }
    if let Some(origin) = guard.allowed_origin(request.headers()) {
        let response = if origin::is_preflight(&request) {
            origin::preflight()
        } else {
            authenticate::check(&shared, Shown::BearerOnly, request, next).await
        };
        return origin::readable_by(origin, response);
    }
    if !Guard::is_same_site(request.method(), request.headers()) {
        return problem(ProblemCode::ForbiddenOrigin).into_response();
    }
    hardened(authenticate::check(&shared, Shown::BearerOrCookie, request, next).await)
}

impl Guard {
    /// The origin of a request, if it is one of the other sites that are allowed.
    fn allowed_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let value = headers.get(header::ORIGIN)?;
        let origin = value.to_str().ok()?;
        let allowed = self.origins.iter().any(|allowed| allowed.is(origin));
        allowed.then(|| value.clone())
    }

    fn knows_host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let host = headers
            .get(header::HOST)
            .and_then(|value| value.to_str().ok());
        host.or(uri.authority().map(axum::http::uri::Authority::as_str))
            .is_some_and(|host| self.is_ours(host))
    }

    /// Whether a `host[:port]` names this server.
    fn is_ours(&self, host: &str) -> bool {
        let name = host_name(host);
        let loopback = name == "localhost"
            || name
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback());
        loopback
            || self
                .hosts
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Whether a request that changes something, or one that a browser marks, comes from our pages
    /// or from no page at all.
    fn is_same_site(method: &Method, headers: &HeaderMap) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if headers.contains_key(header::ORIGIN) {
            return is_from(text("origin"), text("host"));
        }
        if method == Method::GET || method == Method::HEAD {
            return true;
        }
        if let Some(site) = headers.get("sec-fetch-site") {
            return matches!(site.as_bytes(), b"same-origin" | b"none");
        }
        // Old and text browsers send neither, but a referrer.
        !headers.contains_key(header::REFERER) || is_from(text("referer"), text("host"))
    }

    /// Whether the cookies of whoever calls may go over plain HTTP.
    pub(crate) fn cookie_scope(&self, headers: &HeaderMap) -> CookieScope {
        let host = headers
            .get(header::HOST)
            .and_then(|value| value.to_str().ok());
        let public = self.public_url.as_ref().map(PublicUrl::as_str);
        let over_tls = public.and_then(|url| url.strip_prefix("https://"));
        match (host, over_tls) {
            (Some(host), Some(public)) if host.eq_ignore_ascii_case(public) => CookieScope::TlsOnly,
            _ => CookieScope::Any,
        }
    }
}

/// Whether a request names its host or its origin twice, so that two readers could see two of them.
fn repeats_itself(headers: &HeaderMap) -> bool {
    let mut names = [header::HOST, header::ORIGIN].into_iter();
    names.any(|name| headers.get_all(name).iter().nth(1).is_some())
}

/// Whether an address begins with the very host and port that the request was sent to. Another name or
/// another port of this machine is another site.
fn is_from(url: Option<&str>, host: Option<&str>) -> bool {
    let authority = url
        .and_then(|url| url.split_once("://"))
        .and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    match (authority, host) {
        (Some(authority), Some(host)) => authority.eq_ignore_ascii_case(host),
        _ => false,
    }
}

/// The response as no other site can load or guess at it, and as no cache keeps it.
fn hardened(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let defaults = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in defaults {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The name in `host[:port]`, without the brackets of an IPv6 address.
fn host_name(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
