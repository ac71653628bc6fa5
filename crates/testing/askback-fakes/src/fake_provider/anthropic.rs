//! The server side of Anthropic's Messages API.

mod reply;
mod validate;

pub(super) use reply::{events, message};
pub(super) use validate::validate;

use serde_json::{Value, json};

/// The reasoning block of a step: a string becomes signed text, anything else opaque data.
fn thinking_block(think: &Value) -> Value {
    match think.as_str() {
        Some(text) => json!({ "type": "thinking", "thinking": text, "signature": signature(text) }),
        None => json!({ "type": "redacted_thinking", "data": think.to_string() }),
    }
}

/// A checksum in place of a real signature. It shows whether the text was changed.
fn signature(text: &str) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("signed-{hash:016x}")
}
