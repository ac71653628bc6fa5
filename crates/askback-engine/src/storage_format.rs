//! The JSON in which conversations and events are stored.
//!
//! Questions are stored once, in the row of the inquiry. The event that asked it, the snapshot and
//! state changes hold only its id; the rest is put back on reading. Snapshots leave out the inputs of
//! calls that have finished.

use askback_core::conversation::Conversation;
use askback_core::conversation::event::Event;
use askback_core::conversation::state::{PendingInquiry, State};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_store::{ConversationRow, EventRow, InquiryRow, StoreError};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::abridged_state::AbridgedState;

/// The kind of event rows that record a new state.
pub(crate) const STATE_CHANGE: &str = "state_change";

/// The content of a row of the event log.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// An event of the core.
    Event(Event),
    /// The state after the events of one commit.
    State(AbridgedState),
    /// The row is damaged. Listeners report it and continue after it.
    Unreadable,
}

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

/// A state change. It names all pending inquiries; their questions are in their rows.
pub(crate) fn state_json(state: &State) -> Result<String, StoreError> {
    if state.round().is_none() && state.pending().is_empty() {
        return to_json(state);
    }
    let others = AbridgedState::from(state).others;
    let mut value = to_value(&without_questions(state.abridged()))?;
    strip_questions(&mut value);
    if let Some(pending) = value.get_mut("parked").and_then(Value::as_array_mut) {
        for other in &others {
            pending.push(to_value(other)?);
        }
    }
    Ok(value.to_string())
}

/// An event. `inquiry_asked` leaves out what the row of the inquiry holds.
pub(crate) fn event_json(event: &Event) -> Result<String, StoreError> {
    let mut value = if let Event::InquiryAsked { pending } = event {
        to_value(&Event::InquiryAsked {
            pending: PendingInquiry {
                inquiry: pending.inquiry.without_questions(),
                ..pending.clone()
            },
        })?
    } else if matches!(event, Event::Started { .. }) {
        to_value(event)?
    } else {
        return to_json(event);
    };
    strip_id(&mut value);
    strip_questions(&mut value);
    Ok(value.to_string())
}

/// The inquiries that are needed to complete a row: the one that was asked, the oldest pending one, and
/// others of which earlier versions stored only the id.
pub(crate) fn missing_inquiries(row: &EventRow) -> Result<Vec<InquiryId>, StoreError> {
    if row.kind != STATE_CHANGE && row.kind != "inquiry_asked" {
        return Ok(Vec::new());
    }
    let mut value: Value = parse(&row.json)?;
    let pending = pending_of(&mut value).into_iter().enumerate();
    let missing = pending.filter(|(at, pending)| *at == 0 || pending.get("asked_at").is_none());
    let ids = missing.filter_map(|(_, pending)| pending.get("id")?.as_str().map(InquiryId::new));
    Ok(ids.collect())
}

/// Reads a row and puts back what it leaves out. `known` holds its [`missing_inquiries`].
pub(crate) fn parse_record(row: &EventRow, known: &[StoredInquiry]) -> Result<Record, StoreError> {
    let mut value: Value = parse(&row.json)?;
    restore_id(&mut value, &row.conversation);
    restore_rows(&mut value, known)?;
    if row.kind == STATE_CHANGE {
        let mut others = Vec::new();
        if let Some(Value::Array(pending)) = value.get_mut("parked") {
            for other in pending.drain(1.min(pending.len())..) {
                others.push(from_value(other)?);
            }
        }
        let state = with_questions(from_value(value)?, known);
        return Ok(Record::State(AbridgedState { state, others }));
    }
    let mut event = from_value(value)?;
    if let Event::InquiryAsked { pending } = &mut event {
        restore_questions(pending, known);
    }
    Ok(Record::Event(event))
}

/// Approximate memory use of the questions in a record.
pub(crate) fn question_bytes(record: &Record) -> usize {
    match record {
        Record::State(change) => change.bytes(),
        Record::Event(Event::InquiryAsked { pending }) => pending.inquiry.bytes(),
        Record::Event(_) | Record::Unreadable => 0,
    }
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
