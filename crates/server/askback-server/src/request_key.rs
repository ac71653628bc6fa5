//! Idempotency keys, bound to a hash of the request: method, path and body.
//!
//! The body is hashed as it was parsed: the order of fields, white space and null fields make no difference.

use askback_engine::{CommitOptions, RequestKeys, SentKey};
use askback_wire::conversation::NewConversationParams;
use askback_wire::inquiry::{NewInquiryParams, UndoParams};
use askback_wire::limits;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::{
    AnswerParams, CancelParams, CancelWorkParams, DeclineParams, DeclinePendingParams,
    RespondParams,
};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::problem::{Problem, problem};
use crate::scope::Scope;

/// The field of a body with the key. It is left out of the hash.
pub(crate) const KEY_FIELD: &str = "key";

/// A body with a `key`.
pub(crate) trait Keyed: Serialize {
    fn key(&self) -> Option<&str>;
}

macro_rules! keyed {
    ($($params:ty),* $(,)?) => {
        $(impl Keyed for $params {
            fn key(&self) -> Option<&str> {
                self.key.as_deref()
            }
        })*
    };
}

keyed!(
    AnswerParams,
    CancelParams,
    CancelWorkParams,
    DeclineParams,
    DeclinePendingParams,
    NewConversationParams,
    NewInquiryParams,
    RespondParams,
    UndoParams,
);

/// The `key` of a `POST` to `path`, for the commit that carries the request out.
pub(crate) fn idempotent(
    scope: &Scope,
    path: &str,
    params: &impl Keyed,
) -> Result<CommitOptions, Problem> {
    let mut options = CommitOptions::default();
    options.keys.owner = scope.key_owner();
    if let Some(key) = checked(params.key(), "An idempotency key")? {
        let body = serde_json::to_value(params);
        let mut body = body.map_err(|_| problem(ProblemCode::InvalidJson))?;
        body.as_object_mut().map(|body| body.remove(KEY_FIELD));
        let request = hash(&format!("POST {path}"), &body);
        options.keys.request = Some(SentKey { key, request });
    }
    Ok(options)
}

/// The key of a message: the id its sender gave it, bound to its text.
pub(crate) fn message(id: Option<&str>, text: Option<&str>) -> Result<Option<SentKey>, Problem> {
    let id = checked(id, "A message_id")?;
    id.zip(text)
        .map(|(key, text)| {
            let request = hash("message", &text.into());
            Ok(SentKey { key, request })
        })
        .transpose()
}

/// The key of an HTML form, bound to the fields as they were sent.
pub(crate) fn form(nonce: String, body: &[u8]) -> RequestKeys {
    RequestKeys {
        form: Some(SentKey {
            key: nonce,
            request: Sha256::digest(body).into(),
        }),
        ..RequestKeys::default()
    }
}

fn checked(key: Option<&str>, what: &str) -> Result<Option<String>, Problem> {
    let most = limits::KEY_CHARS_MAX;
    match key {
        Some(key) if key.is_empty() || key.chars().count() > most => {
            let detail = format!("{what} must have 1 to {most} characters.");
            Err(problem(ProblemCode::InvalidKey).detail(detail))
        }
        valid => Ok(valid.map(str::to_owned)),
    }
}

fn hash(target: &str, body: &Value) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(target);
    hasher.update([0]);
    update(&mut hasher, body);
    hasher.finalize().into()
}

/// Hashes a value with its fields sorted by name, so that equal values have equal hashes.
fn update(hasher: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            hasher.update("{");
            for (name, value) in fields {
                update(hasher, &Value::from(name.as_str()));
                hasher.update(":");
                update(hasher, value);
                hasher.update(",");
            }
            hasher.update("}");
        }
        Value::Array(items) => {
            hasher.update("[");
            for item in items {
                update(hasher, item);
                hasher.update(",");
            }
            hasher.update("]");
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            hasher.update(value.to_string());
        }
    }
}

#[cfg(test)]
#[path = "request_key_tests.rs"]
mod tests;
