//! Keys of repeated requests, bound to what is requested: the method, the target and the body.
//!
//! The body counts as it is understood: fields that are not known, the order of fields, spaces and
//! fields that are null make no difference.

use askback_engine::{RequestKeys, SentKey};
use askback_wire::limits;
use askback_wire::problem::ProblemCode;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::problem::{Problem, problem};

/// The field that holds the key, and is no part of what is requested.
const KEY_FIELD: &str = "idempotency_key";

/// The keys of a `POST` to `target` with an `idempotency_key`, if it has one.
pub(crate) fn keyed(
    target: &str,
    key: Option<&str>,
    params: &impl Serialize,
) -> Result<RequestKeys, Problem> {
    let request = match checked(key, "An idempotency key")? {
        Some(key) => Some(SentKey {
            key,
            request: hash(target, params)?,
        }),
        None => None,
    };
    Ok(RequestKeys {
        request,
        ..RequestKeys::default()
    })
}

/// The key of a message: the sender's id for it, bound to its text.
pub(crate) fn message(id: Option<&str>, text: Option<&str>) -> Result<Option<SentKey>, Problem> {
    let id = checked(id, "A message_id")?;
    id.zip(text)
        .map(|(key, text)| {
            let request = hash("message", &text)?;
            Ok(SentKey { key, request })
        })
        .transpose()
}

/// The key in a form, bound to the fields as they were sent.
pub(crate) fn form(once: String, body: &[u8]) -> RequestKeys {
    RequestKeys {
        form: Some(SentKey {
            key: once,
            request: Sha256::digest(body).into(),
        }),
        ..RequestKeys::default()
    }
}

fn checked(key: Option<&str>, what: &str) -> Result<Option<String>, Problem> {
    let most = limits::KEY_CHARS_MAX;
    match key {
        Some(key) if key.is_empty() || key.chars().count() > most => {
            let detail = format!("{what} has 1 to {most} characters.");
            Err(problem(ProblemCode::InvalidKey).detail(detail))
        }
        fitting => Ok(fitting.map(str::to_owned)),
    }
}

fn hash(target: &str, params: &impl Serialize) -> Result<[u8; 32], Problem> {
    let mut value = serde_json::to_value(params).map_err(|_| problem(ProblemCode::InvalidJson))?;
    if let Some(fields) = value.as_object_mut() {
        fields.remove(KEY_FIELD);
    }
    let mut hasher = Sha256::new();
    hasher.update(target);
    hasher.update([0]);
    feed(&mut hasher, &value);
    Ok(hasher.finalize().into())
}

/// Hashes a value so that equal values give equal hashes: fields in the order of their names.
fn feed(hasher: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            hasher.update("{");
            for (name, value) in fields {
                feed(hasher, &Value::from(name.as_str()));
                hasher.update(":");
                feed(hasher, value);
                hasher.update(",");
            }
            hasher.update("}");
        }
        Value::Array(items) => {
            hasher.update("[");
            for item in items {
                feed(hasher, item);
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
