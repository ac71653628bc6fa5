//! Inputs that follow the contract to the letter, at its limits as often as within them.

use askback_core::dialect::Dialect;
use serde_json::{Map, Value, json};

use crate::contract::{self, ContractLimits};
use crate::rng::Rng;
use crate::text::fitting;

/// Validation patterns, each with a text that it matches.
pub const PATTERNS: &[(&str, &str)] = &[
    ("^[A-Z]{3}-[0-9]+$", "ABC-12"),
    (r"^\w+$", "word"),
    ("colou?r", "in colour"),
    (r"^\p{L}+$", "Zoë"),
    ("^.{1,9}$", "short"),
    ("(?i)^yes|no$", "YES"),
];

/// An input that follows the contract of `dialect`.
pub(super) fn input(rng: &mut Rng, dialect: Dialect) -> Value {
    let contract = contract::of(dialect);
    match dialect {
        Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude => {
            let count = rng.within(1, contract.questions_max);
            let questions: Vec<Value> = (0..count)
                .map(|index| choice_question(rng, &contract, index).into())
                .collect();
            let mut input = json!({ "questions": questions });
            if dialect == Dialect::AskUserQuestionClaude && rng.one_in(4) {
                input["metadata"] = json!({ "source": fitting(rng, contract::SOURCE_MAX) });
            }
            input
        }
        Dialect::Question => {
            let mut question = choice_question(rng, &contract, 0);
            if rng.one_in(3) {
                question.insert("custom".to_owned(), rng.one_in(2).into());
            }
            question.into()
        }
        Dialect::AskUser => typed_question(rng, &contract).into(),
        Dialect::Questions => {
            let count = rng.within(1, contract.questions_max);
            let questions: Vec<Value> = (0..count)
                .map(|index| neutral_question(rng, &contract, index))
                .collect();
            json!({ "questions": questions })
        }
    }
}

fn choice_question(rng: &mut Rng, contract: &ContractLimits, index: usize) -> Map<String, Value> {
    let mut question = Map::new();
    let text = unlike(index, &fitting(rng, contract.question_max));
    question.insert("question".to_owned(), text.into());
    if let Some(max) = contract.header_max
        && (contract.all_required || rng.one_in(2))
    {
        question.insert("header".to_owned(), fitting(rng, max).into());
    }
    let count = rng.within(contract.choices_min, contract.choices_max);
    question.insert("options".to_owned(), choices(rng, contract, count));
    if let Some(several) = contract.several_field
        && (contract.all_required || rng.one_in(2))
    {
        question.insert(several.to_owned(), rng.one_in(2).into());
    }
    question
}

/// `count` choices with different labels.
pub(super) fn choices(rng: &mut Rng, contract: &ContractLimits, count: usize) -> Value {
    (0..count)
        .map(|index| choice(rng, contract, index))
        .collect()
}

/// The choice at `index`, unlike those at any other.
pub(super) fn choice(rng: &mut Rng, contract: &ContractLimits, index: usize) -> Value {
    let mut choice = Map::new();
    let label = unlike(index, &fitting(rng, contract.label_max));
    choice.insert("label".to_owned(), label.into());
    if let Some(max) = contract.value_max
        && rng.one_in(2)
    {
        let value = unlike(index, &fitting(rng, max));
        choice.insert("value".to_owned(), value.into());
    }
    if contract.all_required || rng.one_in(2) {
        let description = fitting(rng, contract.description_max);
        choice.insert("description".to_owned(), description.into());
    }
    if let Some(max) = contract.preview_max
        && rng.one_in(8)
    {
        choice.insert("preview".to_owned(), fitting(rng, max).into());
    }
    choice.into()
}

/// Gives a text a first letter that stands for its place, so that texts of two places differ.
fn unlike(index: usize, text: &str) -> String {
    let letter = u8::try_from(index % 26).map_or('A', |offset| char::from(b'A' + offset));
    let mut chars = text.chars();
    chars.next();
    format!("{letter}{}", chars.as_str())
}

fn typed_question(rng: &mut Rng, contract: &ContractLimits) -> Map<String, Value> {
    let mut question = Map::new();
    let mut put = |name: &str, value: Value| question.insert(name.to_owned(), value);
    put("question", fitting(rng, contract.question_max).into());
    let input_type = rng.pick(&[
        "single_select",
        "multi_select",
        "text",
        "number",
        "date",
        "date_range",
        "confirm",
        "",
    ]);
    if !input_type.is_empty() {
        put("input_type", input_type.into());
    }
    match input_type {
        "single_select" | "multi_select" => {
            let count = rng.within(contract.choices_min, contract.choices_max);
            put("options", choices(rng, contract, count));
            if rng.one_in(2) {
                put("allow_other", rng.one_in(2).into());
            }
        }
        "confirm" => {}
        _ if rng.one_in(2) => {
            put("validation", validation(rng, input_type));
        }
        _ => {}
    }
    if rng.one_in(3) {
        put("allow_skip", rng.one_in(2).into());
    }
    if rng.one_in(4) {
        put("placeholder", fitting(rng, contract::HINT_MAX).into());
    }
    if rng.one_in(4) {
        put("context", fitting(rng, contract.context_max).into());
    }
    question
}

/// A question of any kind in the neutral form, whose rules are fields of its own.
fn neutral_question(rng: &mut Rng, contract: &ContractLimits, index: usize) -> Value {
    let text = unlike(index, &fitting(rng, contract.question_max));
    let kind = rng.pick(&["choice", "text", "number", "date", "date_range", "confirm"]);
    let mut question = match kind {
        "choice" => {
            let count = rng.within(contract.choices_min, 9);
            let own = rng.one_in(2);
            json!({ "choices": choices(rng, contract, count), "own": own, "several": rng.one_in(2) })
        }
        "confirm" if rng.one_in(2) => json!({ "choices": choices(rng, contract, 2) }),
        "confirm" => json!({}),
        _ => validation(rng, kind),
    };
    question["text"] = text.into();
    if !matches!(kind, "choice" | "text") || rng.one_in(2) {
        question["kind"] = kind.into();
    }
    if rng.one_in(2) {
        question["id"] = format!("{}{index}", rng.pick(&["id", "_", "a.b-", "Q"])).into();
    }
    if rng.one_in(3) {
        question["optional"] = rng.one_in(2).into();
    }
    for (name, max) in [
        ("header", 30),
        ("context", contract.context_max),
        ("placeholder", contract::HINT_MAX),
    ] {
        if rng.one_in(6) {
            question[name] = unlike(index, &fitting(rng, max)).into();
        }
    }
    question
}

fn validation(rng: &mut Rng, input_type: &str) -> Value {
    let mut rules = match input_type {
        "number" => number_rules(rng),
        "date" | "date_range" => date_rules(rng),
        _ => text_rules(rng),
    };
    if rng.one_in(4) {
        rules["message"] = fitting(rng, contract::HINT_MAX).into();
    }
    rules
}

fn text_rules(rng: &mut Rng) -> Value {
    match rng.below(4) {
        0 => json!({ "pattern": rng.pick(PATTERNS).0 }),
        1 => json!({ "max_length": rng.pick(&[1, 5, 40, 9_999, 10_000]) }),
        2 => json!({ "min_length": rng.within(0, 5), "max_length": rng.within(5, 60) }),
        _ => json!({ "min_length": rng.pick(&[0, 1, 20, 10_000]) }),
    }
}

fn number_rules(rng: &mut Rng) -> Value {
    let small = i64::try_from(rng.below(20)).unwrap_or(0) - 10;
    let min = match rng.below(5) {
        0 => json!(i64::MIN),
        1 => json!(-0.5),
        2 => json!(rng.fraction() - 1.0),
        _ => json!(small),
    };
    let max = match rng.below(5) {
        0 => json!(i64::MAX),
        1 => json!(10.0 + rng.fraction()),
        2 => json!(9.2e18),
        _ => json!(small + 100),
    };
    let mut rules = json!({});
    if rng.one_in(2) {
        rules["min"] = min;
    }
    if rng.one_in(2) {
        rules["max"] = max;
    }
    match rng.below(5) {
        0 => rules["step"] = json!(rng.within(1, 5)),
        1 => rules["step"] = json!(0.25),
        2 => rules["integer"] = true.into(),
        _ => {}
    }
    rules
}

fn date_rules(rng: &mut Rng) -> Value {
    let min = rng.pick(&["2020-02-29", "0000-01-01", "2024-12-31"]);
    let max = rng.pick(&["2024-12-31", "9999-12-31", "2025-06-01"]);
    match rng.below(3) {
        0 => json!({ "min": min, "max": max }),
        1 => json!({ "min": min }),
        _ => json!({ "max": max }),
    }
}
