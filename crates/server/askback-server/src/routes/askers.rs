//! The agent that asks: what it says about itself, and whether it got the outcome.

use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::text::{Lines, Text};
use askback_store::{
    AskerRow, AskerSessionFilter, DeliveryRecord, DeliveryStep, NewAsker, SessionTakeover,
};
use askback_stored::StoredInquiry;
use askback_wire::asker::{
    AskerParams, AskerResponse, AskerSessionResponse, DeliveryParams, DeliveryState,
    ListAskerSessionsParams, TakeoverParams, TakeoverResponse,
};
use askback_wire::list::ListResponse;
use askback_wire::problem::ProblemCode;
use askback_wire::{limits, path};
use axum::Json;
use axum::http::StatusCode;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::AppState;
use super::inquiries::find;
use crate::authenticate::Caller;
use crate::extract::{Body, Id, Query};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::scope::Scope;
use askback_wire::server_process::hex;

/// Sessions on one page. Their names are short.
const SESSIONS_PAGE: usize = 1_000;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(path::INQUIRY_DELIVERY, "note_delivery", note_delivery)
            .summary("Reports whether the outcome reached the agent that asked.")
            .description(
                "For agents that sent `asker`: `started` before the outcome is sent to the agent, \
                 `done` once it was sent, `failed` if it was not sent after all. An outcome \
                 that is not `done` is delivered again. While the question is pending: `detached` when the \
                 agent stops waiting, so that people see it, and `attached` when it waits again. With `expected_attempts`, `started` succeeds for \
                 one of several that try at once; for the others it is 409.",
            )
            .example(json!({"state": "done"}))
            .returns_nothing("The report is stored.")
            .problems(&[ProblemCode::DeliverySuperseded])
            .writes_store(),
        Route::get(path::ASKER_SESSIONS, "list_asker_sessions", list_sessions)
            .summary("Lists the sessions of an agent that have something left to deliver.")
            .description(
                "Sessions with a question that is pending or whose outcome was not delivered, by name.",
            )
            .returns_list::<AskerSessionResponse>("A page of sessions.")
            .reads_store(),
        Route::post(path::ASKER_TAKEOVER, "take_over_sessions", take_over)
            .summary("Passes the questions of ended sessions to another session of the same agent.")
            .description(
                "Of several sessions that try at once, one gets the questions. What was delivered stays \
                 where it is.",
            )
            .example(json!({
                "client": "claude-code", "project": "/srv/webshop", "session": "s2", "from": ["s1"],
            }))
            .returns::<TakeoverResponse>(200, "How many questions were taken over.")
            .writes_store(),
    ]
}

/// Who asks, as people see it, in one line. What an agent with a token of its own calls itself comes after the name of that token.
pub(super) fn source(caller: &Caller, claimed: Option<&str>, inquiry: &Inquiry) -> Option<Text> {
    let claimed = claimed.and_then(|source| Text::clean(source, Lines::One));
    let token = caller.credential().map(|row| row.name.as_str());
    let source = match token.filter(|_| caller.scope.agent().is_some()) {
        None => claimed?,
        Some(name) => match claimed.as_ref().or(inquiry.source()) {
            Some(claimed) if claimed.as_str() != name => {
                Text::clean(&format!("{name}: {claimed}"), Lines::One)?
            }
            Some(_) | None => Text::clean(name, Lines::One)?,
        },
    };
    Some(source.clip(askback_core::limits::SOURCE_CHARS_MAX))
}

/// Refuses a name that is too long or has nothing readable.
fn checked_name(field: &str, raw: &str, max: usize) -> Result<Text, Problem> {
    let name = Text::name(raw).filter(|name| name.chars() <= max);
    name.ok_or_else(|| {
        let detail = format!("`{field}` must have 1 to {max} readable characters.");
        problem(ProblemCode::InvalidJson).detail(detail)
    })
}

/// A name as it is stored, to be looked up.
pub(super) fn stored_name(raw: String) -> String {
    Text::name(&raw).map_or(raw, String::from)
}

/// The program that a request is about. An agent with a token of its own is that program, whatever it calls itself.
pub(super) fn client_name(scope: &Scope, claimed: String) -> String {
    stored_name(scope.agent().map_or(claimed, str::to_owned))
}

/// A project is a directory, whose name anybody may have chosen. It says who asks, so no two of them become one:
/// what cannot be shown is escaped, not dropped.
pub(super) fn checked_asker(
    scope: &Scope,
    asker: &AskerParams,
    inquiry: &Inquiry,
) -> Result<NewAsker, Problem> {
    let project = asker.project.as_deref().filter(|name| !name.is_empty());
    let project =
        project.map(|name| checked_name("asker.project", name, limits::ASKER_PROJECT_CHARS_MAX));
    Ok(NewAsker {
        client: checked_name(
            "asker.client",
            scope.agent().unwrap_or(&asker.client),
            limits::ASKER_CLIENT_CHARS_MAX,
        )?,
        project: project.transpose()?,
        session: checked_name(
            "asker.session",
            &asker.session,
            limits::ASKER_SESSION_CHARS_MAX,
        )?,
        call: digest(inquiry)?,
    })
}

/// Identifies a call by what the respondent is shown, not by how the model wrote it. Stored, so its
/// input has the stored form, which stays.
fn digest(inquiry: &Inquiry) -> Result<String, Problem> {
    let json = askback_stored::to_json(&StoredInquiry::from(inquiry));
    let json = json.map_err(|_| problem(ProblemCode::Internal))?;
    Ok(hex(&Sha256::digest(json.as_bytes())))
}

pub(crate) fn response(row: &AskerRow) -> AskerResponse {
    AskerResponse {
        client: row.client.clone(),
        project: row.project.clone(),
        session: row.session.clone(),
        delivery_attempts: row.delivery_attempts,
        delivered_at: row.delivered_at,
        taken_over: row.taken_over,
        detached: row.detached,
    }
}

async fn note_delivery(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
    Body(params): Body<DeliveryParams>,
) -> Result<StatusCode, Problem> {
    find(&state, &caller, &id).await?;
    let step = match params.state {
        DeliveryState::Started => DeliveryStep::Started {
            expected_attempts: params.expected_attempts,
        },
        DeliveryState::Done => DeliveryStep::Done,
        DeliveryState::Failed => DeliveryStep::Failed,
        DeliveryState::Attached => DeliveryStep::Attached,
        DeliveryState::Detached => DeliveryStep::Detached,
    };
    match state.engine.note_delivery(&id, step).await? {
        DeliveryRecord::Recorded => Ok(StatusCode::NO_CONTENT),
        DeliveryRecord::Superseded => Err(problem(ProblemCode::DeliverySuperseded)),
        DeliveryRecord::NothingToDeliver => {
            let detail =
                format!("No question with the id {id} has an `asker` and an outcome to deliver.");
            Err(problem(ProblemCode::NotFound).detail(detail))
        }
    }
}

async fn list_sessions(
    state: AppState,
    caller: Caller,
    Query(params): Query<ListAskerSessionsParams>,
) -> Result<Json<ListResponse<AskerSessionResponse>>, Problem> {
    let filter = AskerSessionFilter {
        client: client_name(&caller.scope, params.client),
        project: params.project.map(stored_name),
        prefix: params.prefix.map(stored_name).unwrap_or_default(),
        after: params.cursor,
        limit: SESSIONS_PAGE,
    };
    let names = state.engine.store().asker_sessions(filter).await?;
    let next = names.last().filter(|_| names.len() == SESSIONS_PAGE);
    Ok(Json(ListResponse {
        next: next.cloned(),
        items: names
            .into_iter()
            .map(|session| AskerSessionResponse { session })
            .collect(),
    }))
}

async fn take_over(
    state: AppState,
    caller: Caller,
    Body(params): Body<TakeoverParams>,
) -> Result<Json<TakeoverResponse>, Problem> {
    let (most, max) = (limits::ASKER_SESSIONS_MAX, limits::ASKER_SESSION_CHARS_MAX);
    if params.from.len() > most {
        let detail = format!("`from` must have at most {most} entries.");
        return Err(problem(ProblemCode::InvalidJson).detail(detail));
    }
    let takeover = SessionTakeover {
        client: client_name(&caller.scope, params.client),
        project: params.project.map(stored_name),
        from: params.from.into_iter().map(stored_name).collect(),
        to: checked_name("session", &params.session, max)?,
        resumes: params.resumes,
    };
    let questions = state.engine.store().take_over(takeover).await?;
    Ok(Json(TakeoverResponse { questions }))
}
