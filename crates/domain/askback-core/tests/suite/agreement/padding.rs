//! What a strict mode makes of an input: every absent field is there, as null.

use serde_json::Value;

/// `input` with null for each field that `schema` names and the input leaves out.
pub(super) fn pad(schema: &Value, input: &Value) -> Value {
    match input {
        Value::Object(fields) => {
            let mut padded = fields.clone();
            let properties = schema["properties"].as_object();
            for (name, schema) in properties.into_iter().flatten() {
                let value = padded.entry(name).or_insert(Value::Null);
                *value = pad(schema, value);
            }
            padded.into()
        }
        Value::Array(items) => items
            .iter()
            .map(|item| pad(&schema["items"], item))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => input.clone(),
    }
}
