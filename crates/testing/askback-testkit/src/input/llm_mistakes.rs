//! The mistakes that models are known to make in their calls.

use askback_core::dialect::Dialect;
use serde_json::{Map, Value, json};

use super::{random_node, valid, violations};
use crate::contract;
use crate::rng::Rng;
use crate::text;

type Mistake = fn(&mut Rng, Dialect, &mut Value);

const MISTAKES: &[Mistake] = &[
    json_as_text,
    bare_choices,
    respelt_field,
    respelt_field,
    flat_or_listed,
    whole_call,
    spread_text,
    null_somewhere,
    flag_as_text,
    number_as_text,
    extra_field,
    authored_other,
    authored_other,
    duplicate,
    listed_single,
    respelt_word,
    badge,
    none_of_these,
    odd_rules,
    surplus_rules,
    |rng, dialect, input| violations::stretch_text(rng, dialect, input),
    |rng, _, input| violations::drop_field(rng, input),
    |rng, _, input| violations::fewer_items(rng, input),
    |rng, dialect, input| violations::more_choices(rng, dialect, input),
    |rng, dialect, input| violations::more_questions(rng, dialect, input),
    violations::odd_number,
];

/// Makes one mistake in `input`, or none where its place does not exist.
pub(super) fn add_one(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    rng.pick(MISTAKES)(rng, dialect, input);
}

/// Sends JSON in a text, sometimes in a text within a text.
fn json_as_text(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let place = match rng.below(5) {
        0 => Some(input),
        1 => input.get_mut("questions"),
        2 => random_node::random_question(rng, input)
            .and_then(|question| question.get_mut("options")),
        3 => random_node::random_choice(rng, input),
        _ => input.get_mut("validation"),
    };
    if let Some(place) = place {
        for _ in 0..rng.pick(&[1, 1, 1, 2, 4]) {
            *place = place.to_string().into();
        }
    }
}

/// Sends choices as bare texts.
fn bare_choices(rng: &mut Rng, _: Dialect, input: &mut Value) {
    for option in random_node::random_choice_list(rng, input)
        .into_iter()
        .flatten()
    {
        if let Some(label) = option.get_mut("label") {
            *option = label.take();
        }
    }
}

/// Other names that models use for a field.
const SPELLINGS: &[(&str, &[&str])] = &[
    (
        "label",
        &[
            "header", "title", "text", "name", "value", "Label", "option",
        ],
    ),
    (
        "question",
        &[
            "text",
            "prompt",
            "Question",
            "question_text",
            "questionText",
        ],
    ),
    ("options", &["choices", "items", "Options", "alternatives"]),
    ("header", &["title", "label", "Header", "short_label"]),
    ("description", &["desc", "details", "Description", "hint"]),
    (
        "multiSelect",
        &["multi_select", "multiple", "multiselect", "allowMultiple"],
    ),
    ("multiple", &["multi_select", "multiSelect", "multi"]),
    ("custom", &["allow_other", "allowCustom", "isOther"]),
    ("input_type", &["inputType", "type", "kind", "InputType"]),
    ("allow_other", &["allowOther", "custom"]),
    ("allow_skip", &["allowSkip", "skippable", "optional"]),
    ("validation", &["rules", "Validation"]),
    ("min_length", &["minLength", "min"]),
    ("max_length", &["maxLength", "max"]),
    ("pattern", &["regex"]),
    ("questions", &["question", "Questions", "items"]),
    ("value", &["id", "key"]),
];

/// Gives a field another name, or a second value under another name.
fn respelt_field(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let twice = rng.one_in(6);
    let Some(object) = random_node::random_object(rng, input) else {
        return;
    };
    let present: Vec<_> = SPELLINGS
        .iter()
        .filter(|(name, _)| object.contains_key(*name))
        .collect();
    if present.is_empty() {
        return;
    }
    let (name, spellings) = present[rng.below(present.len())];
    if let Some(value) = object.get(*name).cloned() {
        object.insert(rng.pick(spellings).to_owned(), value);
        if !twice {
            object.remove(*name);
        }
    }
}

/// Sends one flat question to a list dialect, or a list to a dialect of one question.
fn flat_or_listed(rng: &mut Rng, _: Dialect, input: &mut Value) {
    *input = match input.get_mut("questions").map(Value::take) {
        Some(Value::Array(mut questions)) if !questions.is_empty() => match rng.below(3) {
            0 => questions.into(),
            1 => json!({ "questions": questions.swap_remove(0) }),
            _ => questions.swap_remove(0),
        },
        Some(other) => other,
        None => match rng.below(4) {
            0 => json!([input.take()]),
            1 => json!({ "questions": input.take() }),
            2 => json!({ "questions": json!([input.take()]).to_string() }),
            _ => json!({ "questions": [input.take()] }),
        },
    };
}

/// Sends the whole call where only its input belongs.
fn whole_call(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    let name = rng.pick(&[dialect.name(), "ask_user", "other_tool"]);
    let inner = input.take();
    *input = match rng.below(6) {
        0 => json!({ "name": name, "arguments": inner.to_string() }),
        1 => json!({ "name": name, "arguments": inner }),
        2 => json!({ "type": "tool_use", "id": "t1", "name": name, "input": inner }),
        3 => json!({ "input": inner }),
        4 => json!({ "function": { "name": name, "arguments": inner.to_string() } }),
        _ => json!({ "tool": name, "parameters": inner }),
    };
}

/// Spreads a text into an object of its characters: `{"0": "F", "1": "o", …}`.
fn spread_text(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let place = random_node::random_node(rng, input);
    if let Value::Object(choice) = place
        && let Some(label) = choice.get_mut("label")
    {
        *place = label.take();
    }
    if let Value::String(text) = place {
        let spread: Map<String, Value> = text
            .chars()
            .enumerate()
            .map(|(index, ch)| (index.to_string(), ch.to_string().into()))
            .take(40)
            .collect();
        *place = spread.into();
    }
}

fn null_somewhere(rng: &mut Rng, _: Dialect, input: &mut Value) {
    match rng.below(3) {
        0 => {
            if let Some(options) = random_node::random_choice_list(rng, input) {
                options.insert(rng.below(options.len() + 1), Value::Null);
            }
        }
        1 => {
            if let Some(object) = random_node::random_object(rng, input) {
                let absent = [
                    "header",
                    "description",
                    "placeholder",
                    "validation",
                    "metadata",
                ];
                object.entry(rng.pick(&absent)).or_insert(Value::Null);
            }
        }
        _ => *random_node::random_node(rng, input) = Value::Null,
    }
}

fn flag_as_text(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let words = [
        json!("true"),
        json!("False"),
        json!("yes"),
        json!("0"),
        json!(1),
        json!("maybe"),
    ];
    let word = words[rng.below(words.len())].clone();
    let flags = [
        "multiSelect",
        "multiple",
        "custom",
        "allow_other",
        "allow_skip",
    ];
    if let Some(question) = random_node::random_question(rng, input) {
        question.insert(rng.pick(&flags).to_owned(), word);
    }
}

fn number_as_text(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let node = random_node::random_node(rng, input);
    match node {
        Value::Number(number) => *node = number.to_string().into(),
        Value::String(_) => *node = json!(rng.below(100)),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {}
    }
}

fn extra_field(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let key = match rng.below(6) {
        0 => text::hostile(rng),
        1 => text::fitting(rng, 200),
        _ => rng
            .pick(&[
                "answers",
                "id",
                "type",
                "recommended",
                "name",
                "input",
                "label",
                "0",
            ])
            .to_owned(),
    };
    let value = rng.pick(&["x", "{}", "", "Other"]).into();
    if let Some(object) = random_node::random_object(rng, input) {
        object.entry(key).or_insert(value);
    }
}

/// Writes an "Other" among the choices, among too many choices, or where it is none.
fn authored_other(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    let label = rng.pick(&[
        "Other",
        "other…",
        "Something else",
        "Other (please specify)",
        "OTHER:",
    ]);
    if rng.one_in(2) {
        violations::more_choices(rng, dialect, input);
    }
    if rng.one_in(8)
        && let Some(question) = random_node::random_question(rng, input)
    {
        question.insert("label".to_owned(), label.into());
        return;
    }
    let contract = contract::of(dialect);
    if let Some(options) = random_node::random_choice_list(rng, input) {
        for _ in 0..rng.pick(&[1, 1, 1, 2]) {
            let mut other = valid::choice(rng, &contract, 0);
            other["label"] = label.into();
            let other = if rng.one_in(4) { label.into() } else { other };
            options.insert(rng.below(options.len() + 1), other);
        }
    }
}

fn duplicate(rng: &mut Rng, _: Dialect, input: &mut Value) {
    if rng.one_in(3)
        && let Some(Value::Array(questions)) = input.get_mut("questions")
        && let Some(first) = questions.first().cloned()
    {
        questions.push(first);
    } else if let Some(options) = random_node::random_choice_list(rng, input)
        && let Some(first) = options.first().cloned()
    {
        options.pop();
        options.push(first);
    }
}

fn listed_single(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let place = random_node::random_node(rng, input);
    *place = json!([place.take()]);
}

fn respelt_word(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let words = [
        "select",
        "MultiSelect",
        "multi-select",
        "checkbox",
        "radio",
        "yes_no",
        "TEXT",
        "string",
        "integer",
        "dateRange",
        "Date",
        "boolean",
        "colour",
        "",
    ];
    if let Some(question) = input.as_object_mut() {
        question.insert("input_type".to_owned(), rng.pick(&words).into());
    }
}

fn badge(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let suffix = rng.pick(&[" (Recommended)", "(recommended)", " (Recommended) "]);
    if let Some(Value::Object(option)) = random_node::random_choice(rng, input)
        && let Some(Value::String(label)) = option.get_mut("label")
    {
        if rng.one_in(4) {
            label.clear();
        }
        label.push_str(suffix);
    }
}

fn none_of_these(rng: &mut Rng, _: Dialect, input: &mut Value) {
    if let Some(Value::Object(option)) = random_node::random_choice(rng, input) {
        option.insert("label".to_owned(), "None of these".into());
    }
    if let Some(question) = random_node::random_question(rng, input) {
        question.insert("multiSelect".to_owned(), true.into());
    }
}

/// Rules that leave no answer, or are none.
fn odd_rules(rng: &mut Rng, _: Dialect, input: &mut Value) {
    let rules = [
        json!({ "min": 5, "max": 4 }),
        json!({ "min": "2024-02-30" }),
        json!({ "min": "2025-01-01", "max": "2024-01-01" }),
        json!({ "min": "5", "max": "1e3" }),
        json!({ "pattern": "(" }),
        json!({ "pattern": "(?=x)" }),
        json!({ "pattern": "" }),
        json!({ "pattern": "\\w{500}{500}" }),
        json!({ "pattern": "(a*)*b" }),
        json!({ "step": 0 }),
        json!({ "step": -1.5 }),
        json!({ "min_length": 5, "max_length": 2 }),
        json!({ "max_length": 0 }),
        json!({ "min": "tomorrow", "max": "20240101-1" }),
        json!({ "min": 2.5, "max": -1 }),
        json!({ "integer": "yes", "message": "" }),
    ];
    let rules = rules[rng.below(rules.len())].clone();
    if let Some(question) = input.as_object_mut() {
        question.insert("validation".to_owned(), rules);
    }
}

/// Rules or choices for a question that takes none.
fn surplus_rules(rng: &mut Rng, dialect: Dialect, input: &mut Value) {
    let contract = contract::of(dialect);
    if let Some(question) = input.as_object_mut() {
        question
            .entry("options")
            .or_insert_with(|| valid::choices(rng, &contract, 2));
        question
            .entry("validation")
            .or_insert_with(|| json!({ "min": 1, "max_length": 9, "pattern": "x" }));
    }
}
