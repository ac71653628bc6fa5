//! Reasoning in the forms that compatible servers use.
//!
//! Some servers refuse a request that lacks their reasoning, others refuse a field they do not know.
//! So each field is sent back under the name it arrived with, and only to the server and model that
//! it came from.

use serde_json::{Map, Value, json};

use super::REASONING_PROTOCOL;
use crate::provider::reply::append_text;

/// Text fields, which a stream sends in parts.
const TEXT_FIELDS: [&str; 2] = ["reasoning_content", "reasoning"];
/// A list whose items a stream sends in parts.
const DETAILS_FIELD: &str = "reasoning_details";
/// The fields of such an item that a stream sends in parts.
const DETAIL_TEXT_FIELDS: [&str; 4] = ["text", "summary", "data", "signature"];

/// Adds the reasoning in a message or a delta.
pub(super) fn merge(reasoning: &mut Map<String, Value>, delta: &Value) {
    for field in TEXT_FIELDS {
        if let Some(text) = delta[field].as_str().filter(|text| !text.is_empty()) {
            append_text(reasoning, field, text);
        }
    }
    for item in delta[DETAILS_FIELD].as_array().into_iter().flatten() {
        let items = reasoning.entry(DETAILS_FIELD).or_insert_with(|| json!([]));
        if let Some(items) = items.as_array_mut() {
            merge_detail(items, item);
        }
    }
}

fn merge_detail(items: &mut Vec<Value>, item: &Value) {
    let last = items.last_mut().filter(|last| {
        item["index"].is_u64() && last["index"] == item["index"] && last["type"] == item["type"]
    });
    let (Some(Value::Object(last)), Value::Object(item)) = (last, item) else {
        items.push(item.clone());
        return;
    };
    for (field, value) in item {
        match value.as_str() {
            Some(text) if DETAIL_TEXT_FIELDS.contains(&field.as_str()) => {
                append_text(last, field, text);
            }
            None if value.is_null() => {}
            _ => {
                last.insert(field.clone(), value.clone());
            }
        }
    }
}

/// The form in which reasoning is stored with the reply; `None` if there is none.
pub(super) fn to_stored(message: &Map<String, Value>, calls: &[Option<Value>]) -> Option<Value> {
    let none = message.is_empty() && calls.iter().all(Option::is_none);
    (!none).then(|| json!({ "wire": REASONING_PROTOCOL, "message": message, "calls": calls }))
}
