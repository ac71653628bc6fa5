//! Sessions of browsers: list them, end them, sign out.

use askback_channels::EndedAccess;
use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::qr;
use askback_wire::session::{
    NewSignInCodeParams, SessionResponse, SignInCodeResponse, SignInParams,
};
use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::AppState;
use super::channels::person;
use super::links::base_url;
use crate::authenticate::{self, CODE_PARAMETER, Caller};
use crate::completed::completed;
use crate::extract::{Form, Id, NoBody, OptionalBody};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::session::{SessionOwner, cleared_cookie, cookie_name};
use crate::web;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::SESSIONS, "list_sessions", list)
            .summary("Lists the browsers that are signed in, last used first.")
            .returns_list::<SessionResponse>("All sessions of the current token.")
            .reads_store(),
        Route::delete(path::SESSIONS, "end_sessions", end_all)
            .summary("Signs all browsers out.")
            .returns_nothing("All sessions have ended, and their feeds are closed.")
            .reads_store(),
        Route::delete(path::SESSION, "end_session", end)
            .summary("Signs one browser out.")
            .returns_nothing("The session has ended, and its feeds are closed.")
            .reads_store(),
        Route::post(path::SIGN_IN, "sign_in", sign_in)
            .summary("Signs a browser in: the form of the sign-in page.")
            .description(
                "Programs send the token as `Authorization: Bearer` instead. A wrong token gets the \
                 sign-in page if `Accept` has `text/html`.",
            )
            .public()
            .redirects("The browser is signed in: `Set-Cookie` has its session.")
            .problems(&[ProblemCode::Unauthorized])
            .reads_store(),
        Route::post(path::SIGN_IN_CODES, "create_sign_in_code", create_code)
            .summary("Creates a link that signs one browser in, such as that of a phone.")
            .description(
                "It works once, within ten minutes, and until the server restarts. It starts with the public URL of \
                 the server, or with the host of this request.",
            )
            .returns::<SignInCodeResponse>(201, "The link.")
            .problems(&[ProblemCode::UnknownRecipient]),
        Route::post(path::SIGN_OUT, "sign_out", sign_out)
            .summary("Ends the session of this request and clears its cookie.")
            .returns_nothing("The browser is signed out. A request with the token changes nothing.")
            .reads_store(),
    ]
}

/// The token is in the body, so it is in no address, history or log.
async fn sign_in(
    state: AppState,
    headers: HeaderMap,
    Form(params): Form<SignInParams>,
) -> Result<Response, Problem> {
    let to = web::page_to_open(&params.to);
    let owner = authenticate::owner_of_token(&state, params.token.trim()).await?;
    if let Some(owner) = owner {
        return match authenticate::sign_in(&state, &headers, owner, &to).await {
            Ok(signed_in) => Ok(web::secured(signed_in)),
            // The page that they want leads back to the form.
            Err(problem) if web::wants_page(&headers) => {
                let to = to.parse().unwrap_or_default();
                Ok(web::failure(&to, &headers, problem))
            }
            Err(problem) => Err(problem),
        };
    }
    if web::wants_page(&headers) {
        return Ok(web::wrong_token_page(&headers, &to));
    }
    Err(problem(ProblemCode::Unauthorized).detail("The token is wrong."))
}

async fn create_code(
    state: AppState,
    caller: Caller,
    headers: HeaderMap,
    OptionalBody(params): OptionalBody<NewSignInCodeParams>,
) -> Result<Response, Problem> {
    // For another browser of theirs.
    let own = caller.scope.person().map(str::to_owned);
    let named = own.or(params.person);
    if let Some(alias) = &named {
        state.learn_recipient(alias).await?;
    }
    let person = named.map(|alias| person(&state, Some(alias)));
    let now = state.engine.clock().now();
    let owner = SessionOwner {
        person: person.transpose()?,
        credential: caller.credential().cloned(),
    };
    let issued = state.sign_in_codes.issue(owner, caller, now)?;
    let base = base_url(&state, &headers);
    let url = format!("{base}/inbox?{CODE_PARAMETER}{}", issued.code);
    let body = SignInCodeResponse {
        qr_svg: qr::svg(&url),
        qr_rows: qr::rows(&url),
        expires_at: issued.expires_at,
        url,
    };
    let headers = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, headers, Json(body)).into_response())
}

async fn list(
    state: AppState,
    caller: Caller,
) -> Result<Json<ListResponse<SessionResponse>>, Problem> {
    let current = caller.session().map(|session| session.row.id.as_str());
    let rows = state.sessions.list().await?;
    let items = rows.into_iter().map(|row| SessionResponse {
        current: current == Some(row.id.as_str()),
        id: row.id,
        user_agent: row.user_agent,
        person: row.person,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        expires_at: row.expires_at,
    });
    Ok(Json(ListResponse {
        items: items.collect(),
        next: None,
    }))
}

async fn end(state: AppState, Id(id): Id<String>) -> Result<StatusCode, Problem> {
    if end_session(state, id.clone()).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(problem(ProblemCode::NotFound)
            .detail(format!("No session has the id {id}. It may have ended.")))
    }
}

/// Ends a session with what it subscribed to. False if it does not exist.
async fn end_session(state: AppState, id: String) -> Result<bool, Problem> {
    completed(async move {
        let has_ended = state.sessions.end(&id).await?;
        let ended = EndedAccess::Session(&id);
        state.channels.push_subscriptions.end(ended).await?;
        Ok(has_ended)
    })
    .await
}

async fn end_all(state: AppState) -> Result<StatusCode, Problem> {
    completed(async move {
        state.sessions.end_all().await?;
        let ended = EndedAccess::AllSessions;
        state.channels.push_subscriptions.end(ended).await?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

async fn sign_out(
    state: AppState,
    caller: Caller,
    headers: HeaderMap,
    NoBody: NoBody,
) -> Result<Response, Problem> {
    if let Some(session) = caller.session() {
        end_session(state.clone(), session.row.id.clone()).await?;
    }
    let scope = state.guard.cookie_scope(&headers);
    let cookie = cleared_cookie(&cookie_name(&headers), scope);
    let mut response = StatusCode::NO_CONTENT.into_response();
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| problem(ProblemCode::Internal))?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}
