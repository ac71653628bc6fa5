//! The agent that asks: what it says about itself, and whether it got the outcome.

use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::text::{Lines, Text};
use askback_store::{AskerRow, DeliveryStep, NewAsker};
use askback_wire::asker::{AskerParams, AskerResponse, DeliveryParams, DeliveryState};
use askback_wire::problem::ProblemCode;
use askback_wire::{limits, path};
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::AppState;
use crate::extract::{Body, Id};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use askback_wire::server_process::hex;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(path::INQUIRY_DELIVERY, "note_delivery", note_delivery)
            .summary("Reports whether the outcome reached the agent that asked.")
            .description(
                "For agents that sent `asker`: `started` before the outcome is sent to the agent, \
                 `done` once it was sent, `failed` if the agent had given up the call. An outcome \
                 that is not `done` is delivered again.",
            )
            .example(json!({"state": "done"}))
            .returns_nothing("The report is stored.")
            .writes_store(),
    ]
}

/// The source as one line of text.
pub(super) fn cleaned_source(source: &str) -> Option<String> {
    let source = Text::clean(source, Lines::One)?;
    let clipped = source.clip(askback_core::limits::SOURCE_CHARS_MAX);
    Some(clipped.to_string())
}

/// Refuses texts that are too long.
pub(super) fn checked_asker(asker: AskerParams, inquiry: &Inquiry) -> Result<NewAsker, Problem> {
    let fits = |text: &str, max: usize| (1..=max).contains(&text.chars().count());
    let refuse = |detail: String| Err(problem(ProblemCode::InvalidJson).detail(detail));
    if !fits(&asker.client, limits::ASKER_CLIENT_CHARS_MAX) {
        let max = limits::ASKER_CLIENT_CHARS_MAX;
        return refuse(format!("`asker.client` must have 1 to {max} characters."));
    }
    let sessions = std::iter::once(&asker.session).chain(&asker.earlier_sessions);
    let max = limits::ASKER_SESSION_CHARS_MAX;
    if sessions.clone().any(|session| !fits(session, max))
        || asker.earlier_sessions.len() > limits::ASKER_SESSIONS_MAX
    {
        return refuse(format!(
            "`asker.session` and each of at most {} `asker.earlier_sessions` must have 1 to {max} \
             characters.",
            limits::ASKER_SESSIONS_MAX
        ));
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
        earlier_sessions: asker.earlier_sessions,
        call: digest(inquiry)?,
    })
}

/// Identifies a call by what the respondent is shown, not by how the model wrote it.
fn digest(inquiry: &Inquiry) -> Result<String, Problem> {
    let json = serde_json::to_vec(inquiry).map_err(|_| problem(ProblemCode::Internal))?;
    Ok(hex(&Sha256::digest(&json)))
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

async fn note_delivery(
    State(state): State<AppState>,
    Id(id): Id<InquiryId>,
    Body(params): Body<DeliveryParams>,
) -> Result<StatusCode, Problem> {
    let step = match params.state {
        DeliveryState::Started => DeliveryStep::Started,
        DeliveryState::Done => DeliveryStep::Done,
        DeliveryState::Failed => DeliveryStep::Failed,
    };
    let now = state.engine.clock().now();
    let stored = state.engine.store().set_delivery(&id, step, now);
    if stored.await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = format!("No question with the id {id} has an `asker` and an outcome to deliver.");
    Err(problem(ProblemCode::NotFound).detail(detail))
}
