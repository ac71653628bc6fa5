//! Chat completions, from the other side.

mod check;
mod reply;

pub(super) use check::check;
pub(super) use reply::{completion, events};

use serde_json::Value;

/// The reasoning of a step as text.
fn reasoning(think: &Value) -> String {
    match think.as_str() {
        Some(text) => text.to_owned(),
        None => think.to_string(),
    }
}
