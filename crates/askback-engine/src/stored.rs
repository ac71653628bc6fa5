//! How conversations and events are written into the store, and read back.
//!
//! What is asked is stored once, in the row of the inquiry. Wherever else it would stand, in the event
//! that asked it, in the snapshot and in a change of state, only the id is written, and the rest is
//! put back on reading. Inputs of calls that are settled are not kept in snapshots.

use askback_core::conversation::Conversation;
use askback_core::conversation::event::Event;
use askback_core::conversation::state::State;
use askback_core::id::ConversationId;
use askback_store::{ConversationRow, EventRow, InquiryRow, StoreError};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The kind of the rows that record a change of state.
pub(crate) const STATE_CHANGE: &str = "state_change";

/// What a row of the log records.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Something happened.
    Event(Event),
    /// The conversation stands elsewhere now.
    State(State),
}

/// The conversation as its snapshot keeps it.
pub(crate) fn snapshot_json(conversation: &Conversation) -> Result<String, StoreError> {
    let mut value = to_value(conversation)?;
    strip_id(&mut value);
    if let Some(state) = value.get_mut("state") {
        strip_questions(state);
        strip_settled_inputs(state);
    }
    Ok(value.to_string())
}

/// The conversation of its rows, with the questions of its waiting inquiries put back.
pub(crate) fn conversation(
    row: &ConversationRow,
    pending: &[InquiryRow],
) -> Result<Conversation, StoreError> {
    let mut value: Value = parse(&row.snapshot.json)?;
    restore_id(&mut value, &row.id);
    if let Some(state) = value.get_mut("state") {
        restore_questions(state, pending)?;
        restore_held(state, pending)?;
    }
    from_value(value)
}

/// A change of state as its row keeps it.
pub(crate) fn state_json(state: &State) -> Result<String, StoreError> {
    if state.round().is_none() && state.parked().is_empty() {
        return to_json(state);
    }
    let mut value = to_value(state)?;
    strip_questions(&mut value);
    if let Some(calls) = value
        .pointer_mut("/round/calls")
        .and_then(Value::as_array_mut)
    {
        for call in calls {
            call["input"] = Value::Null;
        }
    }
    Ok(value.to_string())
}

/// An event as its row keeps it.
pub(crate) fn event_json(event: &Event) -> Result<String, StoreError> {
    if !matches!(event, Event::Started { .. } | Event::InquiryAsked { .. }) {
        return to_json(event);
    }
    let mut value = to_value(event)?;
    strip_id(&mut value);
    strip_questions(&mut value);
    Ok(value.to_string())
}

/// The ids of the inquiries whose questions a row leaves out.
pub(crate) fn missing_inquiries(row: &EventRow) -> Result<Vec<String>, StoreError> {
    if row.kind != STATE_CHANGE && row.kind != "inquiry_asked" {
        return Ok(Vec::new());
    }
    let mut value: Value = parse(&row.json)?;
    let parked = parked_of(&mut value);
    let ids = parked
        .into_iter()
        .filter_map(|parked| parked.get("id")?.as_str());
    Ok(ids.map(str::to_owned).collect())
}

/// What a row records, with the questions put back.
pub(crate) fn record(row: &EventRow, inquiries: &[InquiryRow]) -> Result<Record, StoreError> {
    let mut value: Value = parse(&row.json)?;
    restore_id(&mut value, &row.conversation);
    restore_questions(&mut value, inquiries)?;
    if row.kind == STATE_CHANGE {
        return Ok(Record::State(from_value(value)?));
    }
    Ok(Record::Event(from_value(value)?))
}

/// The places at which an inquiry waits in a state or in the event that asked it.
fn parked_of(value: &mut Value) -> Vec<&mut Value> {
    match value.get_mut("parked") {
        Some(Value::Array(several)) => several.iter_mut().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

/// What the row of an inquiry says of it.
const IN_ITS_ROW: [&str; 4] = ["inquiry", "asked_at", "revision", "held"];

fn strip_questions(state: &mut Value) {
    for parked in parked_of(state) {
        if let Some(parked) = parked.as_object_mut() {
            parked.retain(|field, _| !IN_ITS_ROW.contains(&field.as_str()));
        }
    }
}

/// The id of the conversation stands in its row.
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

/// Inputs of calls up to the current one: they have run, wait as an inquiry, or are in their job.
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

fn restore_questions(value: &mut Value, inquiries: &[InquiryRow]) -> Result<(), StoreError> {
    for parked in parked_of(value) {
        let id = parked.get("id").and_then(Value::as_str).unwrap_or_default();
        let row = inquiries.iter().find(|row| row.id.as_str() == id);
        let row = row.ok_or_else(|| StoreError::Corrupt(format!("inquiry {id} has no row")))?;
        parked["inquiry"] = parse(&row.json)?;
        parked["asked_at"] = to_value(&row.asked_at)?;
        parked["revision"] = row.revision.into();
    }
    Ok(())
}

/// What is held is part of how a conversation stands, and of nothing that was recorded before.
fn restore_held(state: &mut Value, pending: &[InquiryRow]) -> Result<(), StoreError> {
    for parked in parked_of(state) {
        let id = parked.get("id").and_then(Value::as_str).unwrap_or_default();
        let row = pending.iter().find(|row| row.id.as_str() == id);
        if let Some(held) = row.and_then(|row| row.held.as_deref()) {
            parked["held"] = parse(held)?;
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

/// Reads a stored JSON text.
pub(crate) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, StoreError> {
    serde_json::from_str(json).map_err(corrupt)
}

/// The error names the place, never the text: stored text may hold answers.
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
