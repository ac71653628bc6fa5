//! Selects a random part of a tool input, to change it.

use serde_json::{Map, Value};

use crate::rng::Rng;

/// One of the questions: an item of `questions`, or the input itself.
pub(super) fn random_question<'v>(
    rng: &mut Rng,
    input: &'v mut Value,
) -> Option<&'v mut Map<String, Value>> {
    if input.get("questions").is_none_or(|value| !value.is_array()) {
        return input.as_object_mut();
    }
    random_item(rng, input.get_mut("questions")?.as_array_mut()?)?.as_object_mut()
}

/// The choices of one of the questions.
pub(super) fn random_choice_list<'v>(
    rng: &mut Rng,
    input: &'v mut Value,
) -> Option<&'v mut Vec<Value>> {
    let question = random_question(rng, input)?;
    let field = if question.contains_key("options") {
        "options"
    } else {
        "choices"
    };
    question.get_mut(field)?.as_array_mut()
}

/// One of the choices.
pub(super) fn random_choice<'v>(rng: &mut Rng, input: &'v mut Value) -> Option<&'v mut Value> {
    let options = random_choice_list(rng, input)?;
    random_item(rng, options)
}

/// One of the objects that have fields: a question, a choice, the validation, the input.
pub(super) fn random_object<'v>(
    rng: &mut Rng,
    input: &'v mut Value,
) -> Option<&'v mut Map<String, Value>> {
    match rng.below(8) {
        0 => input.as_object_mut(),
        1 | 2 if input.get("validation").is_some() => input.get_mut("validation")?.as_object_mut(),
        3..=5 => random_choice(rng, input)?.as_object_mut(),
        _ => random_question(rng, input),
    }
}

/// The input, or any value inside of it.
pub(super) fn random_node<'v>(rng: &mut Rng, value: &'v mut Value) -> &'v mut Value {
    let children = match value {
        Value::Array(items) => items.len(),
        Value::Object(map) => map.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    if children == 0 || rng.one_in(5) {
        return value;
    }
    let at = rng.below(children);
    match value {
        Value::Array(items) => random_node(rng, &mut items[at]),
        Value::Object(map) => {
            let key = map.keys().nth(at).cloned().unwrap_or_default();
            random_node(rng, map.entry(key).or_insert(Value::Null))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

/// A key of the object, if it has any.
pub(super) fn random_key(rng: &mut Rng, map: &Map<String, Value>) -> Option<String> {
    map.keys().nth(rng.below(map.len())).cloned()
}

fn random_item<'v>(rng: &mut Rng, items: &'v mut [Value]) -> Option<&'v mut Value> {
    let at = rng.below(items.len());
    items.get_mut(at)
}
