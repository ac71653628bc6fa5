//! Checks that every request must pass before any work is done for it: a known host, an own or allowed
//! origin, and then the token or a session ([`crate::authenticate`]).
//!
//! Checking the host defeats DNS rebinding, in which a browser sends what it has for another name. No page has a bearer
//! token of ours, so that requests with one need no known host, and probes tell nothing. Checking the origin defeats cross-site requests that carry
//! the user's cookie. Pages of explicitly allowed origins ([`crate::origin`]) may call the API with the
//! token, never with a cookie.

use std::net::IpAddr;
use std::sync::Arc;

use askback_wire::path;
use askback_wire::problem::ProblemCode;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ipnet::IpNet;

use crate::agent_limits::AgentLimits;
use crate::authenticate::{self, Credentials};
use crate::origin::{self, Origin};
use crate::problem::problem;
use crate::public_url::PublicUrl;
use crate::routes::AppState;
use crate::session::CookieScope;
use crate::token::{Token, bearer};
use crate::web;
use crate::webhook::WebhookPolicy;

/// The access rules of a server.
#[derive(Debug)]
pub struct Guard {
    /// What programs send as `Authorization: Bearer`.
    pub token: Token,
    /// Host names of the server, without ports. Loopback names are always accepted.
    pub hosts: Vec<String>,
    /// Other sites whose pages may call the API with the token: `https://app.example`.
    pub origins: Vec<Origin>,
    /// Sites that may show the page of a link in a frame.
    pub frame_origins: Vec<Origin>,
    /// Who sees questions that are for nobody in particular.
    pub unaddressed: Unaddressed,
    /// How much each agent may ask.
    pub agent_limits: AgentLimits,
    /// Who may vouch for people.
    pub identity: Option<ProxyIdentity>,
    /// The URL of the server for others. Links start with it.
    pub public_url: Option<PublicUrl>,
    /// Which URLs webhooks may have.
    pub webhooks: Arc<WebhookPolicy>,
}

/// A proxy that has signed people in and names them in a header.
#[derive(Debug, Clone)]
pub struct ProxyIdentity {
    /// The header with the alias of a person, or with an account of theirs.
    pub header: HeaderName,
    /// The addresses of the proxy. The header of anybody else means nothing.
    pub proxies: Vec<IpNet>,
}

impl ProxyIdentity {
    /// The person whom a proxy at this address names.
    pub(crate) fn named<'a>(&self, headers: &'a HeaderMap, peer: IpAddr) -> Option<&'a str> {
        let is_trusted = self
            .proxies
            .iter()
            .any(|proxy| proxy.contains(&peer.to_canonical()));
        let mut values = headers.get_all(&self.header).iter();
        match (values.next(), values.next()) {
            (Some(value), None) if is_trusted => value.to_str().ok().map(str::trim),
            // Of two, one may be the client's.
            _ => None,
        }
    }
}

/// Who sees questions that are for nobody in particular.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unaddressed {
    /// Every person, and administrators.
    #[default]
    Everybody,
    /// Administrators.
    Administrators,
}

/// The middleware.
pub(crate) async fn check(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let guard = &state.guard;
    if has_duplicate_headers(request.headers()) {
        return problem(ProblemCode::ForbiddenOrigin).into_response();
    }
    let knows_host = guard.knows_host(request.headers(), request.uri());
    if !knows_host && !is_safe_at_any_host(&state, request.uri(), request.headers()).await {
        return problem(ProblemCode::ForbiddenHost).into_response();
    }
    if let Some(origin) = guard.allowed_origin(request.headers()) {
        let response = if origin::is_preflight(&request) {
            origin::preflight()
        } else {
            authenticate::check(&state, Credentials::BearerOnly, request, next).await
        };
        return origin::with_cors_headers(origin, response);
    }
    if !guard.is_same_site(request.method(), request.headers()) {
        return problem(ProblemCode::ForbiddenOrigin).into_response();
    }
    let accepted = if knows_host {
        Credentials::BearerOrCookie
    } else {
        Credentials::BearerOnly
    };
    let may_be_framed = !guard.frame_origins.is_empty() && is_link_page(request.uri());
    let response = authenticate::check(&state, accepted, request, next).await;
    let response = if may_be_framed {
        web::with_frame_origins(response, &guard.frame_origins)
    } else {
        response
    };
    with_security_headers(response)
}

/// Whether the page of a question is opened with a link. Browsers send no session of ours into the frame of another site.
fn is_link_page(uri: &Uri) -> bool {
    let mut query = uri.query().unwrap_or_default().split('&');
    uri.path().starts_with("/q/") && query.any(|pair| pair.starts_with("key="))
}

/// Whether a request cannot come from a page that was loaded from a name which now leads here. Probes, scrapers and other
/// containers use addresses and names of services, which the server cannot know.
async fn is_safe_at_any_host(state: &AppState, uri: &Uri, headers: &HeaderMap) -> bool {
    let is_probe = [path::HEALTHZ, path::READYZ, path::METRICS].contains(&uri.path());
    let token = bearer(headers).filter(|_| !is_probe);
    match token {
        Some(token) => {
            let caller = authenticate::by_token(state, token).await;
            caller.is_ok_and(|caller| caller.is_some())
        }
        None => is_probe,
    }
}

impl Guard {
    /// The origin of a request, if it is explicitly allowed.
    fn allowed_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let value = headers.get(header::ORIGIN)?;
        let origin = value.to_str().ok()?;
        let allowed = self.origins.iter().any(|allowed| allowed.is(origin));
        allowed.then(|| value.clone())
    }

    fn knows_host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        host_header(headers)
            .or(uri.authority().map(axum::http::uri::Authority::as_str))
            .is_some_and(|host| self.is_ours(host))
    }

    /// Whether a `host[:port]` names this server.
    fn is_ours(&self, host: &str) -> bool {
        let name = host_name(host);
        let mut hosts = self.hosts.iter();
        is_loopback(name) || hosts.any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Whether a request comes from our own pages or from no page at all. Without `Origin`, requests
    /// that change nothing may come from anywhere.
    fn is_same_site(&self, method: &Method, headers: &HeaderMap) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if headers.contains_key(header::ORIGIN) {
            return self.is_own_url(text("origin"), text("host"));
        }
        if method == Method::GET || method == Method::HEAD {
            return true;
        }
        if let Some(site) = headers.get("sec-fetch-site") {
            return matches!(site.as_bytes(), b"same-origin" | b"none");
        }
        // Old and text browsers send only a referrer.
        !headers.contains_key(header::REFERER) || self.is_own_url(text("referer"), text("host"))
    }

    /// Whether a URL starts with the scheme, host and port that the request was sent to. Another name
    /// or port of this machine is another origin.
    fn is_own_url(&self, url: Option<&str>, host: Option<&str>) -> bool {
        let (Some((scheme, rest)), Some(host)) = (url.and_then(|url| url.split_once("://")), host)
        else {
            return false;
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        authority.eq_ignore_ascii_case(host) && self.may_have_scheme(host, scheme)
    }

    /// Whether browsers may see this scheme: that of the public URL for its host, `http` for loopback
    /// hosts, and either for other hosts, because a proxy may terminate TLS.
    fn may_have_scheme(&self, host: &str, scheme: &str) -> bool {
        let public = self.public_url.as_ref().map(PublicUrl::as_str);
        let public = public.and_then(|url| url.split_once("://"));
        match public {
            Some((own, public)) if public.eq_ignore_ascii_case(host) => scheme == own,
            _ if is_loopback(host_name(host)) => scheme == "http",
            _ => matches!(scheme, "http" | "https"),
        }
    }

    /// Whether cookies for the host of this request are restricted to TLS.
    pub(crate) fn cookie_scope(&self, headers: &HeaderMap) -> CookieScope {
        let host = host_header(headers);
        let public = self.public_url.as_ref().map(PublicUrl::as_str);
        let over_tls = public.and_then(|url| url.strip_prefix("https://"));
        match (host, over_tls) {
            (Some(host), Some(public)) if host.eq_ignore_ascii_case(public) => CookieScope::TlsOnly,
            _ => CookieScope::Any,
        }
    }
}

/// The host and port that a request was sent to.
pub(crate) fn host_header(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

/// Whether `Host` or `Origin` occurs twice, so that a proxy could have checked the other one.
fn has_duplicate_headers(headers: &HeaderMap) -> bool {
    let mut names = [header::HOST, header::ORIGIN].into_iter();
    names.any(|name| headers.get_all(name).iter().nth(1).is_some())
}

fn is_loopback(name: &str) -> bool {
    let address = name.parse::<std::net::IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Keeps other sites from loading the response, and caches from storing it.
fn with_security_headers(mut response: Response) -> Response {
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

/// The name in `host[:port]`, without the brackets of IPv6 addresses.
fn host_name(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
