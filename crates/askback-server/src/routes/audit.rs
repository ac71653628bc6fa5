//! How inquiries ended and were handed on, as entries that can be kept elsewhere.

use askback_core::conversation::event::Event;
use askback_core::identity::{Identity, NodeName};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Actor;
use askback_core::question::Kind;
use askback_core::text::Text;
use askback_engine::{InquiryView, Record};
use askback_store::{Sequence, StoreError};
use askback_wire::audit::{AuditEntryResponse, AuditKind, AuditPageResponse, AuditParams};
use askback_wire::outcome::OutcomeResponse;
use askback_wire::path;
use askback_wire::server_process::hex;
use axum::Json;
use axum::extract::State;
use sha2::{Digest as _, Sha256};

use super::AppState;
use crate::extract::Query;
use crate::openapi::Route;
use crate::problem::Problem;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::AUDIT, "audit", list)
            .summary("Lists how inquiries ended and were handed on, and which conversations were deleted, oldest first.")
            .description(
                "Follow `next` until it is null. What was answered in a conversation that has been \
                 deleted is gone, so read it in time.",
            )
            .returns::<AuditPageResponse>(200, "A part of the log.")
            .reads_store(),
    ]
}

async fn list(
    State(state): State<AppState>,
    Query(params): Query<AuditParams>,
) -> Result<Json<AuditPageResponse>, Problem> {
    let after = match params.cursor {
        Some(cursor) => cursor.parse().map_err(|_| StoreError::BadCursor)?,
        None => params.after.unwrap_or(0),
    };
    // Read first: entries up to it are in this page or in later ones.
    let newest = state.engine.store().newest_sequence().await?;
    let page = state.engine.outcome_records(after).await?;
    let mut items = Vec::new();
    for record in &page.records {
        if params.since.is_none_or(|since| record.at >= since) {
            items.extend(entries(record, after, params.with_answers));
        }
    }
    Ok(Json(AuditPageResponse {
        items,
        next: page.next.map(|next| next.to_string()),
        newest,
    }))
}

fn entries(record: &Record, after: Sequence, with_answers: bool) -> Vec<AuditEntryResponse> {
    let entry = |kind, sequence| {
        AuditEntryResponse::new(kind, sequence, record.conversation.clone(), record.at)
    };
    if record.is_damaged {
        return vec![entry(AuditKind::Unreadable, record.last)];
    }
    let events = record.events.iter().filter(|(at, _)| *at > after);
    let entries = events.filter_map(|(sequence, event)| {
        if let Event::Closed { by } = event {
            let deleted = entry(AuditKind::ConversationDeleted, *sequence);
            return Some(with_actor(deleted, by));
        }
        if let Event::InquiryHandedOn { .. } = event {
            return with_hand_on(entry(AuditKind::HandedOn, *sequence), event);
        }
        let Event::InquiryResolved { inquiry, .. } = event else {
            return None;
        };
        let outcome = entry(AuditKind::Outcome, *sequence);
        let view = record.inquiry(inquiry)?;
        Some(with_outcome(outcome, view, with_answers))
    });
    entries.collect()
}

/// From the event alone: the inquiry may have been handed on again since.
fn with_hand_on(entry: AuditEntryResponse, event: &Event) -> Option<AuditEntryResponse> {
    let Event::InquiryHandedOn {
        inquiry,
        from,
        to,
        reason,
        by,
        ..
    } = event
    else {
        return None;
    };
    let entry = AuditEntryResponse {
        inquiry_id: Some(inquiry.clone()),
        from: from.as_ref().map(Text::to_string),
        to: Some(to.to_string()),
        reason: reason.as_ref().map(Text::to_string),
        ..entry
    };
    Some(with_actor(entry, by))
}

fn with_actor(entry: AuditEntryResponse, by: &Actor) -> AuditEntryResponse {
    AuditEntryResponse {
        by: by.name.as_ref().map(Text::to_string),
        identity: by.identity.as_ref().map(Identity::to_string),
        surface: Some(by.surface.into()),
        ..entry
    }
}

fn with_outcome(
    entry: AuditEntryResponse,
    view: &InquiryView,
    with_answers: bool,
) -> AuditEntryResponse {
    let inquiry = &view.inquiry;
    let entry = AuditEntryResponse {
        inquiry_id: Some(view.row.id.clone()),
        dialect: Some(inquiry.dialect().name().to_owned()),
        source: view.row.source.clone().map(String::from),
        questions_sha256: questions_sha256(inquiry),
        asked_at: Some(view.row.asked_at),
        questions: (with_answers && !inquiry.questions().is_empty())
            .then(|| inquiry.questions().iter().map(Into::into).collect()),
        ..entry
    };
    let Some(ended) = &view.resolution else {
        return entry;
    };
    let resolution = &ended.resolution;
    let entry = AuditEntryResponse {
        resolved_at: Some(resolution.at),
        outcome: Some((&resolution.outcome).into()),
        node: resolution.node.as_ref().map(NodeName::to_string),
        answer: with_answers.then(|| OutcomeResponse::new(inquiry, &resolution.outcome)),
        ..entry
    };
    with_actor(entry, &resolution.by)
}

/// Over the text of each question and the labels of its choices, each with a line feed after it.
fn questions_sha256(inquiry: &Inquiry) -> Option<String> {
    if inquiry.questions().is_empty() {
        return None;
    }
    let mut hash = Sha256::new();
    for question in inquiry.questions() {
        hash.update(question.text.as_str());
        hash.update("\n");
        if let Kind::Choice(choice) = &question.kind {
            for choice in &choice.choices {
                hash.update(choice.label.as_str());
                hash.update("\n");
            }
        }
    }
    Some(hex(&hash.finalize()))
}
