//! The server side of the Chat Completions API.

mod reply;
mod validate;

pub(super) use reply::{completion, events};
pub(super) use validate::{check_key_and_model, is_name, list, validate};

use serde_json::Value;

fn reasoning_text(think: &Value) -> String {
    match think.as_str() {
        Some(text) => text.to_owned(),
        None => think.to_string(),
    }
}
