//! Turns records into server-sent events.

use askback_core::conversation::event::Event;
use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_engine::{Engine, InquiryView, Record};
use askback_store::StoreError;
use askback_wire::event::{ChangeName, EventResponse, frames};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::projection::Projection;
use askback_wire::projection::record::{PositionedEvents, RecordContents, RecordEnd, changes};
use askback_wire::sse::SseFrame;
use askback_wire::state::StateResponse;

use crate::authenticate::Caller;
use crate::recipient_names::RecipientNames;
use crate::routes::AppState;
use crate::scope::Scope;

/// A frame with its position in the feed. Frames without one are always sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PositionedFrame {
    pub(super) sequence: Option<u64>,
    pub(super) frame: SseFrame,
}

/// The frames of a record in the feed of all conversations, possibly none: what changes inquiries, failures, and states
/// without questions. A damaged record becomes an `error` event. Fails if the store cannot be read now.
pub(super) async fn frames_for_all(
    engine: &Engine,
    record: &Record,
    names: &RecipientNames,
) -> Result<Vec<PositionedFrame>, StoreError> {
    let state = record.state.as_ref();
    let state = state.map(|state| StateResponse::from(state).without_questions());
    let inquiries = current_inquiries(engine, record).await?;
    let contents = contents(record, state);
    let events = changes(&contents, |id| find(&inquiries, id, names));
    Ok(positioned(record, names, events))
}

/// Like [`frames_for_all`], for a caller who does not see everything: what happens to inquiries that they see now, and that
/// one of theirs went to somebody else, without anything of it.
pub(super) async fn frames_for_caller(
    state: &AppState,
    caller: &Caller,
    record: &Record,
) -> Result<Vec<PositionedFrame>, StoreError> {
    let (engine, names) = (&state.engine, &state.recipient_names);
    let mut told = Vec::new();
    for view in current_inquiries(engine, record).await? {
        let now = engine.inquiry(&view.row.id).await?;
        // Of a deleted one nothing is left to say whom it was for.
        let now = now.filter(|now| !now.inquiry.questions().is_empty());
        let is_visible = state.sees(caller, now.as_ref().unwrap_or(&view));
        if is_visible {
            told.push(state.inquiry(caller, &view).await?);
        } else if was_given_away(state, caller, record, &view.row.id) {
            told.extend(gone(&view));
        }
    }
    if told.is_empty() {
        return Ok(Vec::new());
    }
    let mut events = changes(&contents(record, None), |id| {
        told.iter().find(|inquiry| inquiry.id == *id).cloned()
    });
    for at in &mut events {
        at.events.retain(|event| {
            matches!(event, EventResponse::Inquiry(it)
                if it.change == ChangeName::HandedOn || !it.inquiry.is_gone())
        });
    }
    Ok(positioned(record, names, events))
}

/// What clients need to remove an inquiry, and nothing of it. Whoever reads an old record may never have seen it, because groups
/// change, and what became of it since is not theirs to know.
fn gone(view: &InquiryView) -> Option<InquiryResponse> {
    let nothing = Inquiry::restore(Dialect::Questions, None, Vec::new()).ok()?;
    let (id, conversation) = (view.row.id.clone(), view.row.conversation.clone());
    Some(InquiryResponse {
        version: view.row.version,
        ..InquiryResponse::new(id, conversation, &nothing, view.row.asked_at)
    })
}

/// Whether the record hands an inquiry on that is from the caller, or from a group that they are in now.
fn was_given_away(state: &AppState, caller: &Caller, record: &Record, id: &InquiryId) -> bool {
    let Scope::Respondent(person) = &caller.scope else {
        return false;
    };
    record.events.iter().any(|(_, event)| {
        matches!(event, Event::InquiryHandedOn { inquiry, from, .. }
            if inquiry == id && person.is_addressed(from.as_ref(), &state.recipients()))
    })
}

/// Turns the records of one conversation into frames, one record at a time. It remembers the open round, so that a
/// message that changes is sent complete.
#[derive(Default)]
pub(super) struct ConversationFrames {
    projection: Projection,
}

impl ConversationFrames {
    /// Like [`frames_for_all`], with messages and with the questions of states.
    pub(super) async fn frames(
        &mut self,
        engine: &Engine,
        record: &Record,
        names: &RecipientNames,
    ) -> Result<Vec<PositionedFrame>, StoreError> {
        replay_what_is_missing(engine, record, &mut self.projection).await?;
        let inquiries = current_inquiries(engine, record).await?;
        let contents = contents(record, record.state.as_ref().map(Into::into));
        let events = self
            .projection
            .project_record(&contents, |id| find(&inquiries, id, names));
        Ok(positioned(record, names, events))
    }
}

fn contents(record: &Record, state: Option<StateResponse>) -> RecordContents<'_> {
    RecordContents {
        conversation: &record.conversation,
        at: record.at,
        events: &record.events,
        last: record.last,
        end: match state {
            _ if record.is_damaged => RecordEnd::Damaged,
            Some(state) => RecordEnd::State(Box::new(state)),
            None => RecordEnd::Replaced,
        },
    }
}

fn positioned(
    record: &Record,
    names: &RecipientNames,
    mut projected: Vec<PositionedEvents>,
) -> Vec<PositionedFrame> {
    let recipients = names.recipients();
    let former = &recipients.former;
    let events = projected.iter_mut().flat_map(|at| &mut at.events);
    for event in events {
        if let EventResponse::Inquiry(changed) = event
            && let Some(by) = &mut changed.undone_by
            && let Some(pseudonym) =
                former.pseudonym(by.name.as_deref(), by.identity.as_deref(), record.at)
        {
            by.name = Some(pseudonym.to_owned());
            by.identity = None;
        }
    }
    let positioned = projected.iter().flat_map(|at| {
        let sequence = Some(at.sequence);
        let frames = frames(&at.events).into_iter();
        frames.map(move |frame| PositionedFrame { sequence, frame })
    });
    positioned.collect()
}

/// Replays what a projection must have seen before the record: the round that is open there, and the
/// inquiries of external agents that it changes.
async fn replay_what_is_missing(
    engine: &Engine,
    record: &Record,
    projection: &mut Projection,
) -> Result<(), StoreError> {
    let (id, events) = (&record.conversation, &record.events);
    if projection.needs_round(events) {
        for earlier in engine.records().open_round_before(id, record.first).await? {
            projection.replay(earlier.at, &earlier.events);
        }
    }
    for inquiry in projection.missing_inquiries(events) {
        let asked = engine
            .records()
            .find_asked_event(id, inquiry, record.first)
            .await?;
        if let Some(asked) = asked
            && !asked.events.iter().any(|(_, it)| it.continues_round())
        {
            projection.replay(asked.at, &asked.events);
        }
    }
    Ok(())
}

/// The inquiries of a record. Only the store knows what became of the agents that asked them.
async fn current_inquiries(
    engine: &Engine,
    record: &Record,
) -> Result<Vec<InquiryView>, StoreError> {
    let mut inquiries = record.inquiries.clone();
    for view in &mut inquiries {
        let is_asked = |(_, event): &(u64, Event)| matches!(event, Event::InquiryAsked { pending } if pending.id == view.row.id);
        if view.row.asker.is_some()
            && !record.events.iter().any(is_asked)
            && let Some(row) = engine.store().inquiry(&view.row.id).await?
        {
            view.row.asker = row.asker;
        }
    }
    Ok(inquiries)
}

fn find(
    inquiries: &[InquiryView],
    id: &InquiryId,
    names: &RecipientNames,
) -> Option<InquiryResponse> {
    let view = inquiries.iter().find(|view| view.row.id == *id)?;
    Some(names.inquiry(view))
}
