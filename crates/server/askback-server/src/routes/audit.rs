//! How inquiries ended and were handed on, as entries that can be kept elsewhere.

use std::iter;

use askback_core::conversation::event::Event;
use askback_core::identity::Identity;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Actor;
use askback_core::text::Text;
use askback_engine::Record;
use askback_store::{Sequence, StoreError};
use askback_wire::audit::{AuditEntryResponse, AuditKind, AuditPageResponse, AuditParams};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::path;
use askback_wire::server_process::hex;
use axum::Json;
use sha2::{Digest as _, Sha256};

use super::AppState;
use crate::extract::Query;
use crate::openapi::Route;
use crate::problem::Problem;
use crate::recipient_names::RecipientNames;

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
    state: AppState,
    Query(params): Query<AuditParams>,
) -> Result<Json<AuditPageResponse>, Problem> {
    let after = match params.cursor {
        Some(cursor) => cursor.parse().map_err(|_| StoreError::BadCursor)?,
        None => params.after.unwrap_or(0),
    };
    // Read first: entries up to it are in this page or in later ones.
    let newest = state.engine.store().newest_sequence().await?;
    let page = state.engine.records().outcomes_after(after).await?;
    let mut items = Vec::new();
    for record in &page.records {
        if params.since.is_none_or(|since| record.at >= since) {
            items.extend(entries(
                &state.recipient_names,
                record,
                after,
                params.with_answers,
            ));
        }
    }
    Ok(Json(AuditPageResponse {
        items,
        next: page.next.map(|next| next.to_string()),
        newest,
    }))
}

fn entries(
    names: &RecipientNames,
    record: &Record,
    after: Sequence,
    with_answers: bool,
) -> Vec<AuditEntryResponse> {
    let entry = |kind, sequence| {
        AuditEntryResponse::new(kind, sequence, record.conversation.clone(), record.at)
    };
    if record.is_damaged {
        return vec![entry(AuditKind::Unreadable, record.last)];
    }
    let recipients = names.recipients();
    let former = &recipients.former;
    let events = record.events.iter().filter(|(at, _)| *at > after);
    let entries = events.filter_map(|(sequence, event)| {
        if let Event::Closed { by } = event {
            let deleted = entry(AuditKind::ConversationDeleted, *sequence);
            return Some(with_actor(deleted, &former.actor(by, record.at)));
        }
        if let Event::InquiryHandedOn {
            inquiry,
            from,
            to,
            reason,
            at,
            by,
        } = event
        {
            // From the event alone: the inquiry may have been handed on again since.
            let name = |named| former.recipient(named, *at).to_string();
            let handed_on = AuditEntryResponse {
                inquiry_id: Some(inquiry.clone()),
                from: from.as_ref().map(name),
                to: Some(name(to)),
                reason: reason.as_ref().map(Text::to_string),
                ..entry(AuditKind::HandedOn, *sequence)
            };
            return Some(with_actor(handed_on, &former.actor(by, *at)));
        }
        let Event::InquiryResolved { inquiry, .. } = event else {
            return None;
        };
        let outcome = entry(AuditKind::Outcome, *sequence);
        let view = record.inquiry(inquiry)?;
        let entry = with_outcome(outcome, names.inquiry(view), with_answers);
        Some(AuditEntryResponse {
            questions_sha256: questions_sha256(&view.inquiry),
            ..entry
        })
    });
    entries.collect()
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
    inquiry: InquiryResponse,
    with_answers: bool,
) -> AuditEntryResponse {
    AuditEntryResponse {
        inquiry_id: Some(inquiry.id),
        dialect: Some(inquiry.dialect),
        source: inquiry.source,
        asked_at: Some(inquiry.asked_at),
        questions: Some(inquiry.questions).filter(|asked| with_answers && !asked.is_empty()),
        resolved_at: inquiry.resolved_at,
        outcome: inquiry.outcome.is_some().then_some(inquiry.status),
        node: inquiry.node,
        answer: inquiry.outcome.filter(|_| with_answers),
        by: inquiry.answered_by,
        identity: inquiry.identity,
        surface: inquiry.surface,
        ..entry
    }
}

/// Over the text of each question and the labels of its choices, each with a line feed after it.
fn questions_sha256(inquiry: &Inquiry) -> Option<String> {
    if inquiry.questions().is_empty() {
        return None;
    }
    let mut hash = Sha256::new();
    for question in inquiry.questions() {
        let labels = question.choices().iter().map(|choice| &choice.label);
        for text in iter::once(&question.text).chain(labels) {
            hash.update(text.as_str());
            hash.update("\n");
        }
    }
    Some(hex(&hash.finalize()))
}
