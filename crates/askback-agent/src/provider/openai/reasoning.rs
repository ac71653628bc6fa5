//! Reasoning in the several forms that servers give it.
//!
//! Some servers refuse a request that lacks the reasoning they sent, others one that holds a field
//! they do not know. So each field goes back under the name it came by, and only to the server and
//! the model it came from.

use askback_core::conversation::command::RawReply;
use serde_json::{Map, Value, json};

use crate::provider::peer::Peer;

/// The mark on reasoning that came over this protocol.
const MARK: &str = "openai";

/// Fields of texts that grow in a stream.
const TEXTS: [&str; 2] = ["reasoning_content", "reasoning"];
/// The field of a list whose items grow in a stream.
const DETAILS: &str = "reasoning_details";
/// What grows within such an item.
const GROWING: [&str; 4] = ["text", "summary", "data", "signature"];

/// Adds the reasoning in a message, or in a piece of one.
pub(super) fn gather(kept: &mut Map<String, Value>, piece: &Value) {
    for field in TEXTS {
        if let Some(text) = piece[field].as_str().filter(|text| !text.is_empty()) {
            grow(kept, field, text);
        }
    }
    for item in piece[DETAILS].as_array().into_iter().flatten() {
        let items = kept.entry(DETAILS).or_insert_with(|| json!([]));
        if let Some(items) = items.as_array_mut() {
            gather_detail(items, item);
        }
    }
}

fn gather_detail(items: &mut Vec<Value>, item: &Value) {
    let last = items.last_mut().filter(|last| {
        item["index"].is_u64() && last["index"] == item["index"] && last["type"] == item["type"]
    });
    let (Some(Value::Object(last)), Value::Object(item)) = (last, item) else {
        items.push(item.clone());
        return;
    };
    for (field, value) in item {
        match value.as_str() {
            Some(text) if GROWING.contains(&field.as_str()) => grow(last, field, text),
            None if value.is_null() => {}
            _ => {
                last.insert(field.clone(), value.clone());
            }
        }
    }
}

fn grow(map: &mut Map<String, Value>, field: &str, piece: &str) {
    match map.get_mut(field) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => {
            map.insert(field.to_owned(), json!(piece));
        }
    }
}

/// What is kept with the reply; nothing if there is nothing to keep.
pub(super) fn keep(message: &Map<String, Value>, calls: &[Option<Value>]) -> Option<Value> {
    let bare = message.is_empty() && calls.iter().all(Option::is_none);
    (!bare).then(|| json!({ "wire": MARK, "message": message, "calls": calls }))
}

/// Notes on the reasoning of a reply where it came from.
pub(in crate::provider) fn mark(reply: &mut RawReply, peer: &Peer, model: &str) {
    if let Some(kept) = &mut reply.reasoning {
        kept["host"] = json!(peer.host);
        kept["model"] = json!(model);
    }
}

/// Kept reasoning, if it came from this server and model.
pub(super) fn from_here<'a>(
    kept: Option<&'a Value>,
    peer: &Peer,
    model: &str,
) -> Option<&'a Value> {
    kept.filter(|kept| {
        kept["wire"] == MARK && kept["host"] == peer.host.as_str() && kept["model"] == model
    })
}
