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
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::AppState;
use crate::extract::{Body, Id, Query};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use askback_wire::server_process::hex;

/// Sessions on one page. Their names are short.
const SESSIONS_PAGE: usize = 1_000;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(path::INQUIRY_DELIVERY, "note_delivery", note_delivery)
            .summary("Reports whether the outcome reached the agent that asked.")
            .description(
                "For agents that sent `asker`: `started` before the outcome is sent to the agent, \
                 `done` once it was sent, `failed` if the agent had given up the call. An outcome \
                 that is not `done` is delivered again. With `expected_attempts`, `started` succeeds for \
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

/// The source as one line of text.
pub(super) fn cleaned_source(source: &str) -> Option<String> {
    let source = Text::clean(source, Lines::One)?;
    let clipped = source.clip(askback_core::limits::SOURCE_CHARS_MAX);
    Some(clipped.to_string())
}

fn fits(text: &str, max: usize) -> bool {
    (1..=max).contains(&text.chars().count())
}

/// Refuses texts that are too long.
pub(super) fn checked_asker(asker: AskerParams, inquiry: &Inquiry) -> Result<NewAsker, Problem> {
    let refuse = |detail: String| Err(problem(ProblemCode::InvalidJson).detail(detail));
    if !fits(&asker.client, limits::ASKER_CLIENT_CHARS_MAX) {
        let max = limits::ASKER_CLIENT_CHARS_MAX;
        return refuse(format!("`asker.client` must have 1 to {max} characters."));
    }
    let max = limits::ASKER_SESSION_CHARS_MAX;
    if !fits(&asker.session, max) {
        return refuse(format!("`asker.session` must have 1 to {max} characters."));
    }
    let project = asker.project.filter(|project| !project.is_empty());
    let max = limits::ASKER_PROJECT_CHARS_MAX;
    if project.as_ref().is_some_and(|project| !fits(project, max)) {
        return refuse(format!(
            "`asker.project` must have at most {max} characters."
        ));
    }
    Ok(NewAsker {
        client: asker.client,
        project,
        session: asker.session,
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

pub(super) fn response(row: &AskerRow) -> AskerResponse {
    AskerResponse {
        client: row.client.clone(),
        project: row.project.clone(),
        session: row.session.clone(),
        delivery_attempts: row.delivery_attempts,
        delivered_at: row.delivered_at,
    }
}

/// An agent that has just asked.
pub(super) fn undelivered(asker: &NewAsker) -> AskerResponse {
    AskerResponse {
        client: asker.client.clone(),
        project: asker.project.clone(),
        session: asker.session.clone(),
        delivery_attempts: 0,
        delivered_at: None,
    }
}

async fn note_delivery(
    State(state): State<AppState>,
    Id(id): Id<InquiryId>,
    Body(params): Body<DeliveryParams>,
) -> Result<StatusCode, Problem> {
    let step = match params.state {
        DeliveryState::Started => DeliveryStep::Started {
            expected_attempts: params.expected_attempts,
        },
        DeliveryState::Done => DeliveryStep::Done,
        DeliveryState::Failed => DeliveryStep::Failed,
    };
    let now = state.engine.clock().now();
    let stored = state.engine.store().set_delivery(&id, step, now);
    match stored.await? {
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
    State(state): State<AppState>,
    Query(params): Query<ListAskerSessionsParams>,
) -> Result<Json<ListResponse<AskerSessionResponse>>, Problem> {
    let filter = AskerSessionFilter {
        client: params.client,
        project: params.project,
        prefix: params.prefix.unwrap_or_default(),
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
    State(state): State<AppState>,
    Body(params): Body<TakeoverParams>,
) -> Result<Json<TakeoverResponse>, Problem> {
    let (most, max) = (limits::ASKER_SESSIONS_MAX, limits::ASKER_SESSION_CHARS_MAX);
    if params.from.len() > most || !fits(&params.session, max) {
        let detail = format!(
            "`from` must have at most {most} entries, and `session` 1 to {max} characters."
        );
        return Err(problem(ProblemCode::InvalidJson).detail(detail));
    }
    let takeover = SessionTakeover {
        client: params.client,
        project: params.project,
        from: params.from,
        to: params.session,
    };
    let questions = state.engine.store().take_over(takeover).await?;
    Ok(Json(TakeoverResponse { questions }))
}
