//! Authenticates callers by the token or by the session of a browser.
//!
//! A browser opens a URL with the token or with a code ([`crate::sign_in_codes`]) once, or sends the token with the form of
//! the sign-in page, and gets a session ([`crate::session`]). A session is valid only for requests of our own pages and for opening a
//! page, because browsers also send the cookie with requests of pages on other ports of the same host.

use std::pin::Pin;
use std::sync::Arc;

use askback_store::StoreError;
use askback_wire::link::LinkAllow;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::server_process::PROOF_PATH;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;

use crate::connections::ConnectionHandle;
use crate::link::LinkGrant;
use crate::problem::{Problem, problem};
use crate::routes::AppState;
use crate::session::{Session, SignInError, cleared_cookie, cookie_name, session_cookie};
use crate::web;

/// Precedes a sign-in code in a query.
pub(crate) const CODE_PARAMETER: &str = "sign-in=";

/// Paths that need no token.
const PUBLIC_PATHS: &[&str] = &[path::HEALTHZ, path::READYZ, path::OPENAPI, PROOF_PATH];

/// An authenticated caller.
#[derive(Debug, Clone)]
pub(crate) enum Caller {
    /// Sent the token.
    Token,
    /// A browser that is signed in.
    Session(Session),
}

impl Caller {
    pub(crate) fn session(&self) -> Option<&Session> {
        match self {
            Caller::Token => None,
            Caller::Session(session) => Some(session),
        }
    }
}

/// How the caller got access to the page of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// By the token or a session.
    Token,
    /// By a link to this question.
    Link(LinkGrant),
    /// No access.
    None,
}

impl Access {
    pub(crate) fn allows(self, what: LinkAllow) -> bool {
        match self {
            Access::Token => true,
            Access::Link(grant) => what <= grant.allow,
            Access::None => false,
        }
    }
}

/// Which credentials a request may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credentials {
    /// The token or a session.
    BearerOrCookie,
    /// Only the token.
    BearerOnly,
}

/// Passes authenticated requests on, with their [`Caller`] as extension. Refuses others.
pub(crate) async fn check(
    state: &AppState,
    accepted: Credentials,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    // The route of the form checks the token itself. Pages of other origins cannot sign in.
    let is_sign_in = path == path::SIGN_IN && accepted == Credentials::BearerOrCookie;
    if PUBLIC_PATHS.contains(&path) || web::is_public_file(path) || is_sign_in {
        return next.run(request).await;
    }
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
    if accepted == Credentials::BearerOrCookie
        && let Some(location) = sign_in_redirect(state, method, uri)
    {
        let signed_in = sign_in(state, headers, &location).await;
        let signed_in = signed_in.unwrap_or_else(|problem| web::failure(uri, headers, problem));
        return web::secured(signed_in);
    }
    let caller = match caller(state, accepted, (method, uri, headers)).await {
        Ok(caller) => caller,
        Err(error) => return web::failed_request(request, Problem::from(error)).await,
    };
    if caller.is_some()
        && let Some(connection) = request.extensions().get::<Arc<ConnectionHandle>>()
    {
        connection.mark_authenticated();
    }
    if web::is_question_page(path) {
        let access = caller.map_or(Access::None, |_| Access::Token);
        request.extensions_mut().insert(access);
        return next.run(request).await;
    }
    let Some(caller) = caller else {
        return if web::is_app_page(path) && request.method() == Method::GET {
            web::sign_in_page(request.uri(), request.headers())
        } else {
            problem(ProblemCode::Unauthorized).into_response()
        };
    };
    request.extensions_mut().insert(caller.clone());
    match caller {
        Caller::Token => next.run(request).await,
        Caller::Session(session) => run_in_session(state, session, request, next).await,
    }
}

async fn caller(
    state: &AppState,
    accepted: Credentials,
    (method, uri, headers): (&Method, &Uri, &HeaderMap),
) -> Result<Option<Caller>, StoreError> {
    if state.guard.token.is_in_authorization_header(headers) {
        return Ok(Some(Caller::Token));
    }
    if accepted == Credentials::BearerOnly || !session_applies(method, uri.path(), headers) {
        return Ok(None);
    }
    let session = state.sessions.find_by_cookie(headers).await?;
    Ok(session.map(Caller::Session))
}

/// Whether a session is valid for this request: it comes from our own pages or from no page, or it opens a
/// page. Browsers without `Sec-Fetch-Site` are covered by [`crate::guard`], which checks origin and
/// referrer.
pub(crate) fn session_applies(method: &Method, path: &str, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match text("sec-fetch-site") {
        None | Some("same-origin" | "none") => true,
        Some(_) => {
            let opens_page = web::is_app_page(path) || web::is_question_page(path);
            method == Method::GET
                && opens_page
                && text("sec-fetch-mode") == Some("navigate")
                && text("sec-fetch-dest") == Some("document")
        }
    }
}

/// Runs a request of a session. Reads, including feeds, end with the session. Writes are completed, because
/// otherwise nobody would know whether they took effect.
async fn run_in_session(
    state: &AppState,
    session: Session,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return next.run(request).await;
    }
    let sessions = Arc::clone(&state.sessions);
    let mut ended = Box::pin(async move { sessions.wait_for_end(session).await });
    let response = tokio::select! {
        response = next.run(request) => response,
        () = &mut ended => return problem(ProblemCode::Unauthorized).into_response(),
    };
    end_stream_on(response, ended)
}

/// Ends a feed when the session ends.
fn end_stream_on(
    response: Response,
    ended: Pin<Box<impl Future<Output = ()> + Send + 'static>>,
) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_feed = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if !is_feed {
        return response;
    }
    let (parts, body) = response.into_parts();
    let stream = body.into_data_stream().take_until(ended);
    Response::from_parts(parts, Body::from_stream(stream))
}

/// The redirect of a URL with the right token or a valid code: the same URL without it.
fn sign_in_redirect(state: &AppState, method: &Method, uri: &Uri) -> Option<String> {
    let query = uri.query().filter(|_| method == Method::GET)?;
    let has_token = token_in(query).is_some_and(|offered| state.guard.token.is(offered));
    let is_signed_in = has_token || {
        let now = state.engine.clock().now();
        code_in(query).is_some_and(|code| state.sign_in_codes.take(code, now))
    };
    is_signed_in.then(|| without_token(uri.path(), query))
}

/// The sign-in code in a query, valid or not.
fn code_in(query: &str) -> Option<&str> {
    let mut pairs = query.split('&');
    pairs.find_map(|pair| pair.strip_prefix(CODE_PARAMETER))
}

/// The token in a query, right or wrong.
pub(crate) fn token_in(query: &str) -> Option<&str> {
    let mut pairs = query.split('&');
    pairs.find_map(|pair| pair.strip_prefix("token="))
}

/// Removes the token and the code from a URL. The result starts with exactly one slash, because browsers take `//name` for
/// another host.
pub(crate) fn without_token(path: &str, query: &str) -> String {
    let path = format!("/{}", path.trim_start_matches(['/', '\\']));
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .filter(|pair| !pair.starts_with("token=") && !pair.starts_with(CODE_PARAMETER))
        .collect();
    if kept.is_empty() {
        path
    } else {
        format!("{path}?{}", kept.join("&"))
    }
}

/// Signs a browser in and redirects it, so that the token does not stay in its history.
pub(crate) async fn sign_in(
    state: &AppState,
    headers: &HeaderMap,
    location: &str,
) -> Result<Response, Problem> {
    let cookies = match sign_in_cookies(state, headers).await {
        Ok(cookies) => cookies,
        Err(SignInError::Store(error)) => return Err(Problem::from(error)),
        Err(error @ SignInError::NoRandomness(_)) => {
            tracing::error!(%error, "cannot sign a browser in");
            return Err(problem(ProblemCode::Internal));
        }
    };
    let mut response = StatusCode::SEE_OTHER.into_response();
    let set = response.headers_mut();
    set.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let location = std::iter::once((header::LOCATION, location.to_owned()));
    let cookies = cookies.into_iter().map(|it| (header::SET_COOKIE, it));
    for (name, value) in location.chain(cookies) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            set.append(name, value);
        }
    }
    Ok(response)
}

/// Cookies to set and to clear. A browser that is signed in already keeps its session.
async fn sign_in_cookies(
    state: &AppState,
    headers: &HeaderMap,
) -> Result<Vec<String>, SignInError> {
    if state.sessions.find_by_cookie(headers).await?.is_some() {
        return Ok(Vec::new());
    }
    let scope = state.guard.cookie_scope(headers);
    let old = state.sessions.end_for_other_ports(headers).await?;
    let signed_in = state.sessions.sign_in(headers).await?;
    let fresh = session_cookie(&cookie_name(headers), &signed_in.secret, scope);
    let cleared = old.iter().map(|name| cleared_cookie(name, scope));
    Ok(std::iter::once(fresh).chain(cleared).collect())
}

#[cfg(test)]
#[path = "authenticate_tests.rs"]
mod tests;
