//! What every request must pass before any work is done for it: the right host, no foreign origin,
//! the token.
//!
//! The host is checked because a page elsewhere can make its own name point at this machine; the
//! origin because a page elsewhere can post to this address with the user's cookie. Pages of other
//! sites that were expressly allowed ([`crate::origin`]) may call the API with the token, and never
//! with a cookie.

use std::sync::Arc;

use askback_api::link::LinkAllow;
use askback_api::problem::ProblemCode;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::auth::{COOKIE, Token};
use crate::link::LinkGrant;
use crate::origin::{self, Origin};
use crate::problem::problem;
use crate::public_url::PublicUrl;
use crate::web;
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

/// Paths that say nothing about anyone and need no token.
const OPEN: &[&str] = &["/healthz", "/readyz", "/openapi.json"];

/// Refuses a request before any work is done for it, or passes it on.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    if !guard.knows_host(request.headers(), request.uri()) {
        return problem(ProblemCode::ForbiddenHost).into_response();
    }
    if let Some(origin) = guard.allowed_origin(request.headers()) {
        let response = if origin::is_preflight(&request) {
            origin::preflight()
        } else {
            guard.check_token(Shown::BearerOnly, request, next).await
        };
        return origin::readable_by(origin, response);
    }
    if !guard.is_same_site(request.method(), request.headers()) {
        return problem(ProblemCode::ForbiddenOrigin).into_response();
    }
    guard
        .check_token(Shown::BearerOrCookie, request, next)
        .await
}

/// What opened the page of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// The token, or the cookie that was given for it.
    Token,
    /// A link to this one question.
    Link(LinkGrant),
    /// Nothing.
    None,
}

impl Access {
    /// Whether whoever has it may do this.
    pub(crate) fn allows(self, what: LinkAllow) -> bool {
        match self {
            Access::Token => true,
            Access::Link(grant) => what <= grant.allow,
            Access::None => false,
        }
    }
}

/// How a caller may show that it has the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    BearerOrCookie,
    BearerOnly,
}

impl Guard {
    async fn check_token(&self, shown: Shown, mut request: Request, next: Next) -> Response {
        let path = request.uri().path();
        if OPEN.contains(&path) || web::is_file(path) {
            return next.run(request).await;
        }
        if let Some(response) = self.exchange(request.method(), request.uri()) {
            return web::secured(response);
        }
        let opens = match shown {
            Shown::BearerOrCookie => self.token.opens(request.headers()),
            Shown::BearerOnly => self.token.opens_by_bearer(request.headers()),
        };
        if web::is_question(path) {
            let access = if opens { Access::Token } else { Access::None };
            request.extensions_mut().insert(access);
            return next.run(request).await;
        }
        if opens {
            return next.run(request).await;
        }
        if web::is_page(path) && request.method() == Method::GET {
            return web::entry_page(request.headers());
        }
        problem(ProblemCode::Unauthorized).into_response()
    }

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
    fn is_same_site(&self, method: &Method, headers: &HeaderMap) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let host = origin.split_once("://").map(|(_, host)| host);
            return host.is_some_and(|host| self.is_ours(host) && same_port(host, headers));
        }
        let reads = method == Method::GET || method == Method::HEAD;
        let site = text("sec-fetch-site");
        reads || site.is_none_or(|site| matches!(site, "same-origin" | "none"))
    }

    /// Exchanges a token in the address for a cookie, and sends the browser to the bare address.
    fn exchange(&self, method: &Method, uri: &Uri) -> Option<Response> {
        let query = uri.query()?;
        let offered = query
            .split('&')
            .find_map(|pair| pair.strip_prefix("token="))?;
        if method != Method::GET || !self.token.is(offered) {
            return None;
        }
        let kept: Vec<&str> = query
            .split('&')
            .filter(|pair| !pair.starts_with("token="))
            .collect();
        let query = if kept.is_empty() {
            String::new()
        } else {
            format!("?{}", kept.join("&"))
        };
        let location = format!("{}{query}", uri.path());
        let cookie = format!(
            "{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000",
            self.token.cookie()
        );
        let mut response = StatusCode::SEE_OTHER.into_response();
        let headers = response.headers_mut();
        headers.insert(header::LOCATION, HeaderValue::from_str(&location).ok()?);
        headers.insert(header::SET_COOKIE, HeaderValue::from_str(&cookie).ok()?);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Some(response)
    }
}

/// The name in `host[:port]`, without the brackets of an IPv6 address.
fn host_name(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

/// Whether an origin has the port the request was sent to: another port is another site.
fn same_port(origin: &str, headers: &HeaderMap) -> bool {
    let port = |host: &str| {
        host.rsplit_once(':')
            .and_then(|(_, port)| port.parse::<u16>().ok())
    };
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok());
    host.is_some_and(|host| port(host) == port(origin))
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
