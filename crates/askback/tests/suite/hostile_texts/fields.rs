//! Every text of every request of a JSON schema: where it is, and a body around it that is valid otherwise.

use serde_json::{Map, Value, json};

/// A request of the `OpenAPI` document.
pub(super) struct Operation {
    pub(super) method: String,
    pub(super) path: String,
    /// Query parameters, the path parameter and headers: where, and the name.
    pub(super) parameters: Vec<(String, String)>,
    /// A valid body with what is required, and one with all fields.
    pub(super) bodies: Option<(Value, Value)>,
}

/// All requests of the document.
pub(super) fn operations(document: &Value) -> Vec<Operation> {
    let paths = document["paths"].as_object().expect("there are paths");
    let mut operations = Vec::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().expect("there are methods") {
            let named = operation["parameters"].as_array().into_iter().flatten();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let content = operation["requestBody"]["content"].as_object();
            let body = content.and_then(|content| content.values().next());
            operations.push(Operation {
                method: method.to_uppercase(),
                path: path.clone(),
                parameters: named
                    .map(|it| (text(&it["in"]), text(&it["name"])))
                    .collect(),
                bodies: body.map(|body| bodies(document, body)),
            });
        }
    }
    operations
}

fn bodies(document: &Value, body: &Value) -> (Value, Value) {
    let whole = instance(document, &body["schema"], "", Fill::Everything);
    let example = Some(&body["example"]).filter(|example| !example.is_null());
    let least = example.cloned();
    let least = least.unwrap_or_else(|| instance(document, &body["schema"], "", Fill::Required));
    (least, whole)
}

/// Which fields of an object are made.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fill {
    Everything,
    Required,
}

/// A value of the schema. `name` is that of the field.
pub(super) fn instance(document: &Value, schema: &Value, name: &str, fill: Fill) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#'));
        return instance(document, target.expect("it is defined"), name, fill);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[0].clone();
    }
    for all in ["allOf", "oneOf", "anyOf"] {
        let options = schema[all].as_array().into_iter().flatten();
        let is_real = |option: &&Value| option["type"] != "null";
        let mut made = options
            .filter(is_real)
            .map(|option| instance(document, option, name, fill));
        if all == "allOf" {
            let parts: Vec<Value> = made.collect();
            if !parts.is_empty() {
                let fields = parts.iter().filter_map(Value::as_object).flatten();
                return Value::Object(
                    fields
                        .map(|(key, value)| (key.clone(), value.clone()))
                        .collect(),
                );
            }
        } else if let Some(first) = made.next() {
            return first;
        }
    }
    let kind = if let Value::Array(kinds) = &schema["type"] {
        kinds.iter().find(|kind| **kind != "null").cloned()
    } else {
        Some(schema["type"].clone())
    };
    match kind.as_ref().and_then(Value::as_str) {
        Some("string") => match schema["format"].as_str() {
            Some("date") => json!("2027-03-27"),
            Some("date-time") => json!("2099-03-27T10:00:00Z"),
            _ => json!(format!("a {name}")),
        },
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(1).clamp(1, 2);
            let item = |number| numbered(instance(document, &schema["items"], name, fill), number);
            (0..least).map(item).collect()
        }
        Some("object") | None => match schema["properties"].as_object() {
            Some(properties) => object(document, schema, properties, fill),
            None => free(name),
        },
        Some(other) => panic!("{other} is new"),
    }
}

fn object(document: &Value, schema: &Value, properties: &Map<String, Value>, fill: Fill) -> Value {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let wanted = properties
        .iter()
        .filter(|(name, _)| fill == Fill::Everything || required.contains(&name.as_str()));
    let fields =
        wanted.map(|(name, schema)| (name.clone(), instance(document, schema, name, fill)));
    Value::Object(fields.collect())
}

/// Makes the texts of list items differ.
fn numbered(value: Value, number: u64) -> Value {
    match value {
        Value::Object(mut fields) => {
            for name in ["label", "value", "question", "name"] {
                if let Some(Value::String(text)) = fields.get_mut(name) {
                    text.push_str(&number.to_string());
                }
            }
            Value::Object(fields)
        }
        Value::String(text) => json!(format!("{text}{number}")),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) => other,
    }
}

/// What the schema leaves open. A new field of this sort needs a value here.
fn free(name: &str) -> Value {
    match name {
        "input" => {
            json!({"question": "Which one?", "input_type": "single_select", "options": ["a", "b"]})
        }
        "questions" => json!([{"text": "Which one?", "choices": ["a", "b"]}]),
        "answers" => json!({"q1": {"values": ["a"], "own": "own text", "note": "a note"}}),
        "notes" => json!({"q1": "a note"}),
        "draft" => json!({"page": {"question": 0}, "entries": [{"typed": "some text"}]}),
        "content" | "text" => json!("some text"),
        "state" | "context" | "tools" | "forwardedProps" | "payload" | "metadata" => {
            json!({"key": "some text"})
        }
        other => panic!("what is a valid `{other}`?"),
    }
}

/// The places of all texts in a value.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(_) => vec![String::new()],
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.flat_map(|(name, value)| under(name, value));
            fields.collect()
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            let items = items.flat_map(|(number, value)| under(&number.to_string(), value));
            items.collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn under(name: &str, value: &Value) -> Vec<String> {
    let inner = texts(value).into_iter();
    inner.map(|rest| format!("/{name}{rest}")).collect()
}

/// `base` with this text at the place, which `whole` has. What stands around it comes from `whole` if `base` lacks it.
pub(super) fn with_text(base: &Value, whole: &Value, place: &str, text: &str) -> Value {
    let (top, rest) = place[1..].split_at(place[1..].find('/').unwrap_or(place.len() - 1));
    let mut body = base.clone();
    let known = base.pointer(place).is_some();
    if !known {
        body[top] = whole[top].clone();
    }
    let at = body.pointer_mut(&format!("/{top}{rest}"));
    *at.expect("the place is in the whole body") = json!(text);
    body
}
