//! Anthropic's Messages, from the other side.

mod check;
mod reply;

pub(super) use check::check;
pub(super) use reply::{events, message};

use serde_json::{Value, json};

/// The block that a step's thinking is: a text is signed, anything else is opaque.
fn thinking_block(think: &Value) -> Value {
    match think.as_str() {
        Some(text) => json!({ "type": "thinking", "thinking": text, "signature": signature(text) }),
        None => json!({ "type": "redacted_thinking", "data": think.to_string() }),
    }
}

/// A signature that tells whether the text was changed.
fn signature(text: &str) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("signed-{hash:016x}")
}
