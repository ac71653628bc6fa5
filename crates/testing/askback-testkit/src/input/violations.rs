//! Single violations of a contract that a JSON Schema can express: a limit, a type, a field.

use askback_core::dialect::Dialect;
use serde_json::{Value, json};

use super::{random_node, valid};
use crate::contract;
use crate::rng::Rng;
use crate::text::readable;

/// Changes `input` in one place, or in none where the place does not exist.
pub(super) fn add_one(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    match rng.below(12) {
        0..=2 => stretch_text(rng, dialect, input),
        3 => drop_field(rng, input),
        4 => add_field(rng, input),
        5 => wrong_type(rng, input),
        6 => fewer_items(rng, input),
        7 | 8 => more_choices(rng, dialect, input),
        9 => more_questions(rng, dialect, input),
        10 => odd_number(rng, dialect, input),
        _ => blank_text(rng, input),
    }
}

/// Makes one text one character longer than allowed, or exactly as long as allowed.
pub(super) fn stretch_text(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    let Some(object) = random_node::random_object(rng, input) else {
        return;
    };
    let Some(key) = random_node::random_key(rng, object) else {
        return;
    };
    let max = contract::field_max(dialect, &key);
    if let (Some(max), Some(Value::String(text))) = (max, object.get_mut(&key))
        && (max <= 500 || rng.one_in(100))
    {
        let length = max + rng.below(2);
        *text = readable(rng, length);
    }
}

pub(super) fn drop_field(rng: &mut Rng, input: &mut Value) {
    if let Some(object) = random_node::random_object(rng, input)
        && let Some(key) = random_node::random_key(rng, object)
    {
        object.remove(&key);
    }
}

fn add_field(rng: &mut Rng, input: &mut Value) {
    if let Some(object) = random_node::random_object(rng, input) {
        let key = rng.pick(&["extra", "id", "answers", "icon", ""]);
        object.insert(key.to_owned(), "x".into());
    }
}

fn wrong_type(rng: &mut Rng, input: &mut Value) {
    let wrong = [
        Value::Null,
        json!(1),
        json!(true),
        json!("text"),
        json!([]),
        json!({}),
        json!([["nested"]]),
        json!(0.5),
    ];
    let at = rng.below(wrong.len());
    *random_node::random_node(rng, input) = wrong[at].clone();
}

pub(super) fn fewer_items(rng: &mut Rng, input: &mut Value) {
    if rng.one_in(4)
        && let Some(Value::Array(questions)) = input.get_mut("questions")
    {
        questions.clear();
    } else if let Some(options) = random_node::random_choice_list(rng, input) {
        options.truncate(rng.below(2));
    }
}

/// Makes the choices as many as allowed, or a few more.
pub(super) fn more_choices(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    let contract = contract::of(dialect);
    if let Some(options) = random_node::random_choice_list(rng, input) {
        let wanted = contract.choices_max + rng.below(3);
        for index in options.len()..wanted {
            options.push(valid::choice(rng, &contract, index));
        }
    }
}

pub(super) fn more_questions(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    let more = valid::input(rng, dialect);
    if let (Some(Value::Array(questions)), Some(Value::Array(more))) =
        (input.get_mut("questions"), more.get("questions"))
    {
        questions.extend(more.iter().cloned());
    }
}

/// Numbers at the edges of what doubles and whole numbers hold.
pub(super) fn odd_number(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    let numbers = [
        json!(u64::MAX),
        json!(i64::MIN),
        json!(9_223_372_036_854_775_808_u64),
        json!(1e300),
        json!(-0.0),
        json!(5.0),
        json!(5e-324),
        json!(10_000),
        json!(10_001),
        json!(-1),
        json!(0),
    ];
    let number = numbers[rng.below(numbers.len())].clone();
    let key = rng.pick(&["min", "max", "step", "min_length", "max_length"]);
    let rules = match input.pointer_mut("/questions/0") {
        Some(question) if dialect == Dialect::Questions => Some(question),
        _ => input.get_mut("validation"),
    };
    if let Some(Value::Object(rules)) = rules {
        rules.insert(key.to_owned(), number);
    } else {
        wrong_type(rng, input);
    }
}

fn blank_text(rng: &mut Rng, input: &mut Value) {
    if let Some(object) = random_node::random_object(rng, input)
        && let Some(key) = random_node::random_key(rng, object)
        && let Some(Value::String(text)) = object.get_mut(&key)
    {
        rng.pick(&["", " ", "\n", "\u{200B}"]).clone_into(text);
    }
}
