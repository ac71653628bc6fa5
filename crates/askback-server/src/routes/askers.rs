//! Agents that name themselves when they ask, and what has reached them.

use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::text::{Lines, Text};
use askback_store::{AskerRow, Delivery, NewAsker};
use askback_wire::asker::{AskerParams, AskerResponse, DeliveryParams, DeliveryState};
use askback_wire::limits;
use askback_wire::problem::ProblemCode;
use axum::extract::State;
use axum::http::StatusCode;
use sha2::{Digest as _, Sha256};

use super::Shared;
use crate::auth::hex;
use crate::extract::{Body, Id};
use crate::problem::{Problem, problem};

/// Who or what asks, in words that can be shown on one line.
pub(super) fn cleaned_source(source: &str) -> Option<String> {
    let source = Text::clean(source, Lines::One)?;
    let clipped = source.clip(askback_core::limits::SOURCE_CHARS_MAX);
    Some(clipped.to_string())
}

/// The agent that asks `inquiry`, if what it says of itself fits.
pub(super) fn checked(asker: AskerParams, inquiry: &Inquiry) -> Result<NewAsker, Problem> {
    let fits = |text: &str, most: usize| (1..=most).contains(&text.chars().count());
    let refuse = |detail: String| Err(problem(ProblemCode::InvalidJson).detail(detail));
    if !fits(&asker.client, limits::ASKER_CLIENT_CHARS_MAX) {
        let max = limits::ASKER_CLIENT_CHARS_MAX;
        return refuse(format!("asker.client takes 1 to {max} characters."));
    }
    let sessions = std::iter::once(&asker.session).chain(&asker.earlier_sessions);
    let max = limits::ASKER_SESSION_CHARS_MAX;
    if sessions.clone().any(|session| !fits(session, max))
        || asker.earlier_sessions.len() > limits::ASKER_SESSIONS_MAX
    {
        return refuse(format!(
            "A session of the asker takes 1 to {max} characters."
        ));
    }
    let project = asker.project.filter(|project| !project.is_empty());
    let max = limits::ASKER_PROJECT_CHARS_MAX;
    if project.as_ref().is_some_and(|project| !fits(project, max)) {
        return refuse(format!("asker.project takes at most {max} characters."));
    }
    Ok(NewAsker {
        client: asker.client,
        project,
        session: asker.session,
        earlier_sessions: asker.earlier_sessions,
        call: digest(inquiry)?,
    })
}

/// Tells calls apart by what the respondent is shown, not by how the model spelt it.
fn digest(inquiry: &Inquiry) -> Result<String, Problem> {
    let json = serde_json::to_vec(inquiry).map_err(|_| problem(ProblemCode::Internal))?;
    Ok(hex(&Sha256::digest(&json)))
}

/// The agent as the wire has it.
pub(super) fn response(row: &AskerRow) -> AskerResponse {
    AskerResponse {
        client: row.client.clone(),
        project: row.project.clone(),
        session: row.session.clone(),
        delivery_attempts: row.delivery_attempts,
        delivered_at: row.delivered_at,
    }
}

pub(crate) async fn note_delivery(
    State(shared): State<Shared>,
    Id(id): Id<InquiryId>,
    Body(params): Body<DeliveryParams>,
) -> Result<StatusCode, Problem> {
    let delivery = match params.state {
        DeliveryState::Started => Delivery::Started,
        DeliveryState::Done => Delivery::Done,
        DeliveryState::Failed => Delivery::Failed,
    };
    let now = shared.engine.clock().now();
    let noted = shared.engine.store().set_delivery(&id, delivery, now);
    if noted.await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = "The inquiry names no agent, or has no outcome that could have been delivered.";
    Err(problem(ProblemCode::NotFound).detail(detail))
}
