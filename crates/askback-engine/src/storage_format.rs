//! The JSON in which conversations and records are stored.
//!
//! Questions and outcomes are stored once, in the row of the inquiry. The events that asked and
//! resolved it and the snapshot hold only its id; the rest is put back on reading. Snapshots leave out
//! the inputs of calls that have finished.

use askback_core::conversation::Conversation;
use askback_core::conversation::event::Event;
use askback_core::conversation::state::{PendingInquiry, State};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_store::{ConversationRow, InquiryRow, NewRecord, RecordRow, Sequence, StoreError};
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::view::InquiryView;

/// The version of the form in which records are written.
const RECORD_VERSION: u32 = 1;

/// The parts of an inquiry that only its own row holds.
#[derive(Debug, Clone)]
pub(crate) struct StoredInquiry {
    pub(crate) id: InquiryId,
    pub(crate) inquiry: Inquiry,
    revision: u32,
    asked_at: Timestamp,
}

impl StoredInquiry {
    pub(crate) fn from_row(row: &InquiryRow) -> Result<StoredInquiry, StoreError> {
        Ok(StoredInquiry {
            id: row.id.clone(),
            inquiry: match row.json.as_str() {
                "" => from_value(json!({"dialect": row.dialect, "questions": []}))?,
                json => parse(json)?,
            },
            revision: row.revision,
            asked_at: row.asked_at,
        })
    }

    fn from_view(view: &InquiryView) -> StoredInquiry {
        StoredInquiry {
            id: view.row.id.clone(),
            inquiry: view.inquiry.clone(),
            revision: view.row.revision,
            asked_at: view.row.asked_at,
        }
    }
}

/// The snapshot of a conversation.
pub(crate) fn snapshot_json(conversation: &Conversation) -> Result<String, StoreError> {
    let mut slim = conversation.clone();
    slim.state = without_questions(slim.state);
    let mut value = to_value(&slim)?;
    strip_id(&mut value);
    if let Some(state) = value.get_mut("state") {
        strip_questions(state);
        strip_settled_inputs(state);
    }
    Ok(value.to_string())
}

/// Reads a snapshot and puts the questions of pending inquiries back. An inquiry whose row was read
/// without its questions stays without them.
pub(crate) fn parse_conversation(
    row: &ConversationRow,
    pending: &[InquiryRow],
) -> Result<Conversation, StoreError> {
    let mut value: Value = parse(&row.snapshot.json)?;
    restore_id(&mut value, &row.id);
    let known = pending.iter().map(StoredInquiry::from_row);
    let known = known.collect::<Result<Vec<_>, _>>()?;
    if let Some(state) = value.get_mut("state") {
        restore_rows(state, &known)?;
        restore_held(state, pending)?;
    }
    let mut conversation: Conversation = from_value(value)?;
    conversation.state = with_questions(conversation.state, &known);
    Ok(conversation)
}

/// The record of a decision.
pub(crate) fn new_record(events: &[Event]) -> Result<NewRecord, StoreError> {
    let events = events.iter().map(event_json);
    let events = events.collect::<Result<Vec<_>, _>>()?;
    Ok(NewRecord {
        positions: events.len() as u64 + 1,
        body: format!(
            "{{\"v\":{RECORD_VERSION},\"events\":[{}]}}",
            events.join(",")
        ),
    })
}

/// An event. `inquiry_asked` and `inquiry_resolved` leave out what the row of the inquiry holds.
fn event_json(event: &Event) -> Result<String, StoreError> {
    let mut value = if let Event::InquiryAsked { pending } = event {
        to_value(&Event::InquiryAsked {
            pending: PendingInquiry {
                inquiry: pending.inquiry.without_questions(),
                ..pending.clone()
            },
        })?
    } else if let Event::InquiryResolved { inquiry, .. } = event {
        json!({"type": event.name(), "inquiry": inquiry})
    } else if matches!(event, Event::Started { .. }) {
        to_value(event)?
    } else {
        return to_json(event);
    };
    strip_id(&mut value);
    strip_questions(&mut value);
    Ok(value.to_string())
}

/// What stays in place of an event that was removed with the content of its conversation.
const REMOVED: &str = "removed";

/// The body of a record, not yet completed with what the rows of inquiries hold.
#[derive(Debug, Deserialize)]
pub(crate) struct StoredRecord {
    v: u32,
    events: Vec<Value>,
}

impl StoredRecord {
    pub(crate) fn parse(row: &RecordRow) -> Result<StoredRecord, StoreError> {
        let record: StoredRecord = parse(&row.body)?;
        if record.v != RECORD_VERSION {
            let why = format!("record {} has the unknown version {}", row.last, record.v);
            return Err(StoreError::Corrupt(why));
        }
        Ok(record)
    }

    /// How many events it has, removed ones included.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// The inquiries that the events ask, hold, reopen, remind of or resolve.
    pub(crate) fn inquiries(&self) -> impl Iterator<Item = (InquiryId, InquiryUse)> {
        self.events.iter().filter_map(|event| {
            let wanted = match kind(event) {
                "inquiry_asked" => InquiryUse::Questions,
                "inquiry_resolved" => InquiryUse::Outcome,
                "answer_held" | "answer_taken_back" | "inquiry_reminded" => InquiryUse::Current,
                _ => return None,
            };
            let id = event.pointer("/parked/id").or(event.get("inquiry"));
            Some((InquiryId::new(id?.as_str()?), wanted))
        })
    }

    /// The events with their positions. `known` has the [`inquiries`](StoredRecord::inquiries).
    pub(crate) fn events(
        self,
        row: &RecordRow,
        known: &[InquiryView],
    ) -> Result<Vec<(Sequence, Event)>, StoreError> {
        let first = row.last.saturating_sub(self.events.len() as u64);
        let events = self.events.into_iter().zip(first..);
        let events = events.filter(|(event, _)| kind(event) != REMOVED);
        events
            .map(|(event, sequence)| Ok((sequence, parse_event(event, row, known)?)))
            .collect()
    }

    /// The events that a provider's history follows from.
    pub(crate) fn history_events(self) -> Result<Vec<Event>, StoreError> {
        let told = [
            "message_received",
            "assistant_replied",
            "call_finished",
            "round_finished",
        ];
        let events = self.events.into_iter();
        let events = events.filter(|event| told.contains(&kind(event)));
        events.map(from_value).collect()
    }

    /// The record of a closed conversation whose content is removed: how its inquiries ended, and that it
    /// was closed. The other events leave their positions.
    pub(crate) fn without_content(self) -> Result<String, StoreError> {
        let events = self.events.into_iter().map(|event| match kind(&event) {
            "inquiry_resolved" | "closed" => event,
            _ => json!({"type": REMOVED}),
        });
        to_json(&json!({"v": RECORD_VERSION, "events": events.collect::<Vec<_>>()}))
    }
}

/// What an event needs of the row of its inquiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InquiryUse {
    /// What never changes.
    Questions,
    /// The outcome, which never changes once it is there.
    Outcome,
    /// The row as it is now.
    Current,
}

fn kind(event: &Value) -> &str {
    event
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn parse_event(
    mut event: Value,
    row: &RecordRow,
    known: &[InquiryView],
) -> Result<Event, StoreError> {
    match kind(&event) {
        "started" => restore_id(&mut event, &row.conversation),
        "inquiry_resolved" if event.get("resolution").is_none() => {
            let id = event.get("inquiry").and_then(Value::as_str);
            let id = InquiryId::new(id.unwrap_or_default());
            let view = known.iter().find(|view| view.row.id == id);
            let ended = view.and_then(|view| view.resolution.as_ref());
            let ended =
                ended.ok_or_else(|| StoreError::Corrupt(format!("inquiry {id} has no outcome")))?;
            return Ok(Event::InquiryResolved {
                inquiry: id,
                resolution: ended.resolution.clone(),
                result: ended.result.clone(),
            });
        }
        "inquiry_asked" => {
            let known: Vec<_> = known.iter().map(StoredInquiry::from_view).collect();
            restore_rows(&mut event, &known)?;
            let mut event = from_value(event)?;
            if let Event::InquiryAsked { pending } = &mut event {
                restore_questions(pending, &known);
            }
            return Ok(event);
        }
        _ => {}
    }
    from_value(event)
}

fn without_questions(state: State) -> State {
    state.map_pending(|pending| pending.inquiry = pending.inquiry.without_questions())
}

fn with_questions(state: State, known: &[StoredInquiry]) -> State {
    state.map_pending(|pending| restore_questions(pending, known))
}

fn restore_questions(pending: &mut PendingInquiry, known: &[StoredInquiry]) {
    if let Some(known) = known.iter().find(|known| known.id == pending.id) {
        pending.inquiry = known.inquiry.clone();
    }
}

/// The pending inquiries in the JSON of a state, or the one in the JSON of `inquiry_asked`.
fn pending_of(value: &mut Value) -> Vec<&mut Value> {
    match value.get_mut("parked") {
        Some(Value::Array(several)) => several.iter_mut().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

/// The fields that are stored in the row of the inquiry and nowhere else.
const INQUIRY_ROW_FIELDS: [&str; 4] = ["inquiry", "asked_at", "revision", "held"];

fn strip_questions(state: &mut Value) {
    for pending in pending_of(state) {
        if let Some(pending) = pending.as_object_mut() {
            pending.retain(|field, _| !INQUIRY_ROW_FIELDS.contains(&field.as_str()));
        }
    }
}

/// The row of the conversation has its id already.
fn strip_id(value: &mut Value) {
    if let Some(settings) = value.get_mut("settings").and_then(Value::as_object_mut) {
        settings.remove("id");
    }
}

fn restore_id(value: &mut Value, id: &ConversationId) {
    if let Some(settings) = value.get_mut("settings").and_then(Value::as_object_mut) {
        settings.insert("id".to_owned(), id.as_str().into());
    }
}

/// Drops the inputs of calls up to the current one: those calls have finished, are a pending inquiry,
/// or have their input in a job.
fn strip_settled_inputs(state: &mut Value) {
    let settled = state
        .pointer("/round/settled")
        .and_then(Value::as_u64)
        .unwrap_or(0);
    let settled = usize::try_from(settled).unwrap_or(usize::MAX);
    if let Some(calls) = state
        .pointer_mut("/round/calls")
        .and_then(Value::as_array_mut)
    {
        for call in calls.iter_mut().take(settled.saturating_add(1)) {
            call["input"] = Value::Null;
        }
    }
}

/// Puts back everything but the questions. [`restore_questions`] shares those instead of copying.
fn restore_rows(value: &mut Value, known: &[StoredInquiry]) -> Result<(), StoreError> {
    for pending in pending_of(value) {
        let id = pending
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let Some(known) = known.iter().find(|known| known.id.as_str() == id) else {
            if pending.get("asked_at").is_some() {
                continue;
            }
            return Err(StoreError::Corrupt(format!("inquiry {id} has no row")));
        };
        pending["inquiry"] = to_value(&known.inquiry.without_questions())?;
        pending["asked_at"] = to_value(&known.asked_at)?;
        pending["revision"] = known.revision.into();
    }
    Ok(())
}

/// Puts a held answer back. Only the current state has one; event rows never do.
fn restore_held(state: &mut Value, rows: &[InquiryRow]) -> Result<(), StoreError> {
    for pending in pending_of(state) {
        let id = pending
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let row = rows.iter().find(|row| row.id.as_str() == id);
        if let Some(held) = row.and_then(|row| row.held.as_deref()) {
            pending["held"] = parse(held)?;
        }
    }
    Ok(())
}

fn to_json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(corrupt)
}

fn to_value(value: &impl serde::Serialize) -> Result<Value, StoreError> {
    serde_json::to_value(value).map_err(corrupt)
}

fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, StoreError> {
    serde_json::from_value(value).map_err(corrupt)
}

pub(crate) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, StoreError> {
    serde_json::from_str(json).map_err(corrupt)
}

/// The error has a position and never the text, because stored text may contain answers.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is used as a function for map_err"
)]
pub(crate) fn corrupt(error: serde_json::Error) -> StoreError {
    StoreError::Corrupt(format!(
        "{:?} error at line {}, column {}",
        error.classify(),
        error.line(),
        error.column()
    ))
}
