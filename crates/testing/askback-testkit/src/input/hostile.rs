//! Inputs that were written as an attack, and JSON that is no tool input at all.

use serde_json::{Map, Value, json};

use super::random_node;
use crate::rng::Rng;
use crate::text;

/// How deep generated junk goes by itself; [`deep`] goes further.
const JUNK_DEPTH_MAX: usize = 4;

/// How large repeating a value may make it, in bytes; lists of lists would take all memory.
const REPEATED_BYTES_MAX: usize = 20_000;

/// Puts something hostile into `input`.
pub(super) fn inject(rng: &mut Rng, input: &mut Value) {
    for _ in 0..rng.pick(&[1, 1, 2, 5]) {
        let place = random_node::random_node(rng, input);
        match rng.below(10) {
            0..=3 => hostile_texts(rng, place),
            4 => *place = text::hostile(rng).into(),
            5 | 6 => *place = junk(rng, 0),
            7 => *place = deep(rng, place.take()),
            8 => hostile_key(rng, place),
            _ => oversized_list(rng, place),
        }
    }
    if rng.one_in(1_000) {
        let length = rng.pick(&[9_999, 10_001, 100_001, 300_000]);
        *random_node::random_node(rng, input) = text::readable(rng, length).into();
    }
}

/// Spoils the texts below a place, keeping the form of the input.
fn hostile_texts(rng: &mut Rng, value: &mut Value) {
    match value {
        Value::String(text) if rng.one_in(2) => text.push_str(&text::hostile(rng)),
        Value::String(text) => *text = text::hostile(rng) + text,
        Value::Array(items) => items.iter_mut().for_each(|item| hostile_texts(rng, item)),
        Value::Object(map) => map.values_mut().for_each(|item| hostile_texts(rng, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Nests a value deeply, sometimes deeper than any JSON reader follows.
fn deep(rng: &mut Rng, value: Value) -> Value {
    let levels = rng.pick(&[3, 20, 100, 130, 300]);
    (0..levels).fold(value, |inner, _| {
        if rng.one_in(2) {
            Value::Array(vec![inner])
        } else {
            Value::Object(Map::from_iter([("input".to_owned(), inner)]))
        }
    })
}

fn hostile_key(rng: &mut Rng, place: &mut Value) {
    if let Value::Object(map) = place {
        map.insert(text::hostile(rng), text::hostile(rng).into());
    }
}

/// Repeats a value more often than any list or object should hold it.
fn oversized_list(rng: &mut Rng, place: &mut Value) {
    let item = place.take();
    let room = REPEATED_BYTES_MAX / item.to_string().len();
    let count = rng.pick(&[5, 21, 100, 300]).min(room);
    *place = match rng.below(3) {
        0 => vec![item; count].into(),
        1 => (0..count)
            .map(|index| Value::from(format!("Other{}", ".".repeat(index % 7))))
            .collect(),
        _ => (0..count)
            .map(|index| (index.to_string(), "x".into()))
            .collect::<Map<String, Value>>()
            .into(),
    };
}

/// Any JSON at all.
pub(super) fn junk(rng: &mut Rng, depth: usize) -> Value {
    let kinds = if depth < JUNK_DEPTH_MAX { 10 } else { 7 };
    match rng.below(kinds) {
        0 => Value::Null,
        1 => rng.one_in(2).into(),
        2 => json!(rng.next_u64()),
        3 => json!(f64::from_bits(rng.next_u64())),
        4 => rng
            .pick(&[
                "",
                "null",
                "[]",
                "{}",
                "\"\"",
                "true",
                "{\"questions\":[]}",
                "Other",
            ])
            .into(),
        5 => text::hostile(rng).into(),
        6 => text::fitting(rng, 100).into(),
        7 | 8 => {
            let keys = [
                "questions",
                "question",
                "options",
                "label",
                "value",
                "input",
                "name",
                "arguments",
                "type",
                "validation",
                "header",
                "0",
                "",
            ];
            (0..rng.below(5))
                .map(|_| (rng.pick(&keys).to_owned(), junk(rng, depth + 1)))
                .collect::<Map<String, Value>>()
                .into()
        }
        _ => (0..rng.below(5)).map(|_| junk(rng, depth + 1)).collect(),
    }
}
