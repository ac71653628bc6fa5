//! Authenticates callers: by the server's token, a credential, the token of one inquiry, or the session of a browser.
//!
//! A browser opens a URL with the token or with a code ([`crate::sign_in_codes`]) once, or sends the token with the form of
//! the sign-in page, and gets a session ([`crate::session`]). A session is valid only for requests of our own pages and for opening a
//! page, because browsers also send the cookie with requests of pages on other ports of the same host.

use std::net::IpAddr;
use std::sync::Arc;

use askback_channels::AliasProof;
use askback_core::id::InquiryId;
use askback_core::identity::Identity;
use askback_core::text::Text;
use askback_store::{CredentialRow, SessionRow, StoreError};
use askback_wire::credential::{AGENT_HEADER, ScopeName};
use askback_wire::link::LinkAllow;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::server_process::PROOF_PATH;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use jiff::Timestamp;

use crate::connections::ConnectionHandle;
use crate::credentials::Credential;
use crate::guard::Unaddressed;
use crate::link::{self, LinkGrant};
use crate::observe::note_caller;
use crate::problem::{Problem, problem};
use crate::random_secret::SecretError;
use crate::routes::AppState;
use crate::scope::{Respondent, Scope};
use crate::session::{Session, SessionOwner, cleared_cookie, cookie_name, session_cookie};
use crate::token::bearer;
use crate::until_ended::run_until_ended;
use crate::web;

/// Precedes a sign-in code in a query.
pub(crate) const CODE_PARAMETER: &str = "sign-in=";

/// Paths that need no token.
const PUBLIC_PATHS: &[&str] = &[path::HEALTHZ, path::READYZ, path::OPENAPI, PROOF_PATH];

/// An authenticated caller: what they may do, and what ends it.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) scope: Scope,
    session: Option<Session>,
    credential: Option<Credential>,
    /// When the token of one inquiry ends.
    expires_at: Option<Timestamp>,
}

impl Caller {
    /// Somebody with the server's token.
    pub(crate) fn admin() -> Caller {
        Caller::with(Scope::Admin)
    }

    fn with(scope: Scope) -> Caller {
        Caller {
            scope,
            session: None,
            credential: None,
            expires_at: None,
        }
    }

    pub(crate) fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// What the access log calls them: the name of their token, or what it permits.
    fn name(&self) -> String {
        let of_session = self.session.as_ref();
        let of_session = of_session.and_then(|it| it.row.credential.clone());
        let of_token = self.credential.as_ref().map(|it| it.row.name.clone());
        let scope = self.scope.name();
        match (&self.scope, of_token.or(of_session)) {
            (_, Some(token)) => format!("{scope} {token}"),
            (Scope::Agent { name }, None) => format!("{scope} {name}"),
            (Scope::Respondent(person), None) => format!("{scope} {}", person.alias),
            (Scope::Inquiry { id, .. }, None) => format!("{scope} {id}"),
            (Scope::Admin | Scope::Metrics, None) => scope.to_string(),
        }
    }

    /// The credential that the caller has sent, or that signed their browser in.
    pub(crate) fn credential(&self) -> Option<&CredentialRow> {
        self.credential.as_ref().map(|credential| &credential.row)
    }

    /// Whether the access never ends.
    pub(crate) fn lasts(&self) -> bool {
        self.session.is_none()
            && self.credential.is_none()
            && self.expires_at.is_none()
            && self.scope.person().is_none()
    }

    /// Whether the caller has lost access.
    async fn has_ended(self, state: &AppState) -> Result<bool, StoreError> {
        state.credentials.refresh().await?;
        state.sessions.refresh().await?;
        Ok(self.ended(state.clone()).now_or_never().is_some())
    }

    /// Completes when the caller loses access. Never for the server's token.
    pub(crate) async fn ended(self, state: AppState) {
        let person = self.scope.person();
        tokio::select! {
            () = or_never(person.map(|alias| state.channels.people.removed(alias))) => {}
            () = or_never(self.session.map(|it| state.sessions.wait_for_end(it))) => {}
            () = or_never(self.credential.map(|it| state.credentials.wait_for_end(it))) => {}
            () = or_never(self.expires_at.map(|at| state.engine.clock().sleep_until(at))) => {}
        }
    }
}

/// Completes with the future, and never without one.
async fn or_never(future: Option<impl Future<Output = ()>>) {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
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
    if accepted == Credentials::BearerOrCookie && method == Method::GET {
        let signed_in = match sign_in_owner(state, uri).await {
            Ok(None) => None,
            Ok(Some(owner)) => {
                let location = without_token(uri.path(), uri.query().unwrap_or_default());
                Some(sign_in(state, headers, owner, &location).await)
            }
            Err(error) => Some(Err(Problem::from(error))),
        };
        if let Some(signed_in) = signed_in {
            let signed_in = signed_in.unwrap_or_else(|problem| web::failure(uri, headers, problem));
            return web::secured(signed_in);
        }
    }
    let connection = request.extensions().get::<Arc<ConnectionHandle>>();
    let peer = connection.map(|connection| connection.address());
    let caller = match caller(state, accepted, (method, uri, headers), peer).await {
        Ok(caller) => caller,
        Err(error) => return web::failed_request(request, Problem::from(error)).await,
    };
    if caller.is_some()
        && let Some(connection) = request.extensions().get::<Arc<ConnectionHandle>>()
    {
        connection.mark_authenticated();
    }
    if web::is_question_page(path) {
        let access = match page_access(state, caller.as_ref(), path).await {
            Ok(access) => access,
            Err(error) => return web::failed_request(request, Problem::from(error)).await,
        };
        request.extensions_mut().insert(access);
        if let Some(caller) = caller.filter(|_| access == Access::Token) {
            request.extensions_mut().insert(caller.clone());
            return run_until_ended(state, caller, request, next).await;
        }
        return next.run(request).await;
    }
    let Some(caller) = caller else {
        return if web::is_app_page(path) && request.method() == Method::GET {
            web::sign_in_page(request.uri(), request.headers())
        } else {
            problem(ProblemCode::Unauthorized).into_response()
        };
    };
    let caller = match acting_for_agent(caller, request.headers()) {
        Ok(caller) => caller,
        Err(refused) => return refused.into_response(),
    };
    if let Err(refused) = state.route_scopes.check(&caller.scope, &request) {
        return web::failed_request(request, refused).await;
    }
    note_caller(|| caller.name());
    request.extensions_mut().insert(caller.clone());
    run_until_ended(state, caller, request, next).await
}

/// A caller with every right who acts for an agent has the rights of that agent: the MCP server, in this process or in one of
/// its own.
fn acting_for_agent(caller: Caller, headers: &HeaderMap) -> Result<Caller, Problem> {
    let Some(name) = headers.get(AGENT_HEADER) else {
        return Ok(caller);
    };
    let name = path::percent_decoded(name.as_bytes());
    match (&caller.scope, Text::name(&name)) {
        (Scope::Admin, Some(name)) => {
            let scope = Scope::Agent {
                name: name.to_string(),
            };
            Ok(Caller { scope, ..caller })
        }
        // Its token says who it is.
        (Scope::Agent { .. }, _) => Ok(caller),
        _ => {
            let detail = format!("Only an administrator may send `{AGENT_HEADER}`.");
            Err(problem(ProblemCode::ForbiddenScope).detail(detail))
        }
    }
}

/// The access of a caller to the page of a question.
async fn page_access(
    state: &AppState,
    caller: Option<&Caller>,
    page: &str,
) -> Result<Access, StoreError> {
    let Some(caller) = caller else {
        return Ok(Access::None);
    };
    if caller.scope == Scope::Admin {
        return Ok(Access::Token);
    }
    let Scope::Respondent(_) = caller.scope else {
        return Ok(Access::None);
    };
    let id = page.strip_prefix("/q/");
    let id = id.map(|id| path::percent_decoded(id.as_bytes()));
    let view = match id {
        Some(id) => state.engine.inquiry(&InquiryId::new(&id)).await?,
        None => None,
    };
    let recipients = state.recipients();
    let sees = view.is_some_and(|view| caller.scope.sees(&view, &recipients));
    Ok(if sees { Access::Token } else { Access::None })
}

async fn caller(
    state: &AppState,
    accepted: Credentials,
    (method, uri, headers): (&Method, &Uri, &HeaderMap),
    peer: Option<IpAddr>,
) -> Result<Option<Caller>, StoreError> {
    if let Some(offered) = bearer(headers)
        && let Some(caller) = by_token(state, offered).await?
    {
        return Ok(Some(caller));
    }
    if accepted == Credentials::BearerOnly || !session_applies(method, uri.path(), headers) {
        return Ok(None);
    }
    if let Some(named) = peer.and_then(|peer| state.guard.identity.as_ref()?.named(headers, peer)) {
        let person = person_named_by_proxy(state, named);
        return Ok(person.and_then(|alias| {
            let scope = respondent(state, &alias, AliasProof::Proxy)?;
            Some(Caller::with(scope))
        }));
    }
    let Some(session) = state.sessions.find_by_cookie(headers).await? else {
        return Ok(None);
    };
    let credential = signed_by(state, &session.row).await?;
    if session.row.credential.is_some() && credential.is_none() {
        return Ok(None);
    }
    let scope = match &session.row.person {
        Some(alias) => {
            state.learn_recipient(alias).await?;
            respondent(state, alias, AliasProof::Session)
        }
        None => Some(Scope::Admin),
    };
    let Some(scope) = scope else { return Ok(None) };
    Ok(Some(Caller {
        session: Some(session),
        credential,
        ..Caller::with(scope)
    }))
}

/// The alias of the person whom a proxy names: by alias, or by an account `proxy:NAME` of theirs.
fn person_named_by_proxy(state: &AppState, named: &str) -> Option<String> {
    let recipients = state.recipients();
    if recipients.people.contains_key(named) {
        return Some(named.to_owned());
    }
    let identity = Identity::new("proxy", named)?;
    let owner = recipients.owner(&identity);
    owner.map(|(alias, _)| alias.to_owned())
}

/// Whom a token belongs to: the server's, a credential's, or that of one inquiry.
pub(crate) async fn by_token(
    state: &AppState,
    offered: &str,
) -> Result<Option<Caller>, StoreError> {
    if state.guard.token.is(offered) {
        return Ok(Some(Caller::admin()));
    }
    let now = state.engine.clock().now();
    if let Some((id, grant, expires_at)) =
        link::verify_inquiry_token(&state.guard.token, offered, now)
    {
        let allow = grant.allow;
        return Ok(Some(Caller {
            expires_at: Some(expires_at),
            ..Caller::with(Scope::Inquiry { id, allow })
        }));
    }
    let Some(credential) = state.credentials.find(offered).await? else {
        return Ok(None);
    };
    let row = &credential.row;
    if let Some(alias) = &row.person {
        state.learn_recipient(alias).await?;
    }
    let scope = match (ScopeName::from(row.scope.as_str()), &row.person) {
        (ScopeName::Admin, _) => Scope::Admin,
        (ScopeName::Agent, _) => Scope::Agent {
            name: row.name.clone(),
        },
        (ScopeName::Respondent, Some(alias)) => match respondent(state, alias, AliasProof::Token) {
            Some(scope) => scope,
            None => return Ok(None),
        },
        (ScopeName::Metrics, _) => Scope::Metrics,
        (ScopeName::Respondent, None) | (ScopeName::Inquiry | ScopeName::Unknown(_), _) => {
            return Ok(None);
        }
    };
    Ok(Some(Caller {
        credential: Some(credential),
        ..Caller::with(scope)
    }))
}

/// The scope of a person. Somebody who was removed has none.
fn respondent(state: &AppState, alias: &str, proof: AliasProof) -> Option<Scope> {
    let recipients = state.recipients();
    recipients.people.get(alias)?;
    Some(Scope::Respondent(Respondent {
        alias: alias.to_owned(),
        proof,
        sees_unaddressed: state.guard.unaddressed == Unaddressed::Everybody,
    }))
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

/// Whom a URL with a right token or a valid code signs in.
async fn sign_in_owner(state: &AppState, uri: &Uri) -> Result<Option<SessionOwner>, StoreError> {
    let query = uri.query().unwrap_or_default();
    if let Some(offered) = token_in(query)
        && let Some(owner) = owner_of_token(state, offered).await?
    {
        return Ok(Some(owner));
    }
    let now = state.engine.clock().now();
    let Some(code) = code_in(query).and_then(|code| state.sign_in_codes.take(code, now)) else {
        return Ok(None);
    };
    let has_ended = code.issuer.has_ended(state).await?;
    Ok((!has_ended).then_some(code.owner))
}

/// Whom a token signs in. Tokens of agents and of one inquiry sign nobody in.
pub(crate) async fn owner_of_token(
    state: &AppState,
    offered: &str,
) -> Result<Option<SessionOwner>, StoreError> {
    let Some(caller) = by_token(state, offered).await? else {
        return Ok(None);
    };
    let person = match caller.scope {
        Scope::Admin => None,
        Scope::Respondent(person) => Some(person.alias),
        Scope::Agent { .. } | Scope::Inquiry { .. } | Scope::Metrics => return Ok(None),
    };
    Ok(Some(SessionOwner {
        credential: caller.credential.map(|credential| credential.row),
        person,
    }))
}

/// The sign-in code in a query, valid or not.
pub(crate) fn code_in(query: &str) -> Option<&str> {
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
    owner: SessionOwner,
    location: &str,
) -> Result<Response, Problem> {
    let cookies = sign_in_cookies(state, headers, owner).await?;
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

/// The credential that signed a browser in, until it ends.
async fn signed_by(
    state: &AppState,
    session: &SessionRow,
) -> Result<Option<Credential>, StoreError> {
    let Some(name) = &session.credential else {
        return Ok(None);
    };
    let named = state.credentials.named(name).await?;
    // Another one may have got its name since.
    Ok(named.filter(|credential| credential.row.created_at <= session.created_at))
}

/// Cookies to set and to clear. A browser that is signed in already keeps its session, unless another person signs in.
async fn sign_in_cookies(
    state: &AppState,
    headers: &HeaderMap,
    owner: SessionOwner,
) -> Result<Vec<String>, SecretError> {
    if let Some(session) = state.sessions.find_by_cookie(headers).await? {
        let has_ended =
            session.row.credential.is_some() && signed_by(state, &session.row).await?.is_none();
        if session.row.person == owner.person && !has_ended {
            return Ok(Vec::new());
        }
        state.sessions.end(&session.row.id).await?;
    }
    let scope = state.guard.cookie_scope(headers);
    let old = state.sessions.end_for_other_ports(headers).await?;
    let secret = state.sessions.sign_in(headers, owner).await?;
    let fresh = session_cookie(&cookie_name(headers), &secret, scope);
    let cleared = old.iter().map(|name| cleared_cookie(name, scope));
    Ok(std::iter::once(fresh).chain(cleared).collect())
}

#[cfg(test)]
#[path = "authenticate_tests.rs"]
mod tests;
