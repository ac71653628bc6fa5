//! Answers that fit a question, in every form in which callers write them.

use askback_core::number::Number;
use askback_core::question::{ChoiceKind, DateRules, Kind, NumberRules, Question, TextRules};
use serde_json::{Value, json};

use crate::input::PATTERNS;
use crate::rng::Rng;
use crate::text;

/// An answer that fits `question`, as far as its rules can be met by drawing.
pub(super) fn fitting(rng: &mut Rng, question: &Question) -> Value {
    match &question.kind {
        Kind::Choice(kind) => chosen(rng, kind),
        Kind::Text(rules) => {
            let text = written(rng, rules);
            short_or(rng, text.into(), "text")
        }
        Kind::Number(rules) => {
            let number = counted(rng, rules);
            short_or(rng, number, "number")
        }
        Kind::Date(rules) => {
            let day = days(rng, rules)[0].clone();
            short_or(rng, day.into(), "date")
        }
        Kind::DateRange(rules) => {
            let [start, end] = days(rng, rules);
            match rng.below(3) {
                0 => json!(format!("{start}/{end}")),
                1 => json!([start, end]),
                _ => json!({ "start": start, "end": end }),
            }
        }
    }
}

/// The short form of an answer, or the form that names its field.
fn short_or(rng: &mut Rng, value: Value, field: &str) -> Value {
    if rng.one_in(2) {
        value
    } else {
        json!({ field: value })
    }
}

fn chosen(rng: &mut Rng, kind: &ChoiceKind) -> Value {
    let word = |choice: &askback_core::question::Choice, by_label: bool| {
        let text = if by_label {
            &choice.label
        } else {
            &choice.value
        };
        text.to_string()
    };
    let wanted = if kind.several { rng.within(1, 3) } else { 1 };
    let mut words: Vec<String> = Vec::new();
    for _ in 0..wanted.min(kind.choices.len()) {
        let choice = &kind.choices[rng.below(kind.choices.len())];
        words.push(word(choice, rng.one_in(2)));
    }
    let own = kind.own_text && rng.one_in(4);
    if own && (rng.one_in(2) || words.is_empty()) {
        return text::fitting(rng, 80).into();
    }
    if own {
        return json!({ "values": words, "own": text::hostile(rng) });
    }
    match rng.below(4) {
        0 => json!({ "values": words }),
        1 => words.join(", ").into(),
        2 => words.swap_remove(0).into(),
        _ => words.into(),
    }
}

fn written(rng: &mut Rng, rules: &TextRules) -> String {
    let known = PATTERNS
        .iter()
        .find(|(pattern, _)| Some(*pattern) == rules.pattern.as_deref());
    if let Some((_, matching)) = known {
        return (*matching).to_owned();
    }
    let min = rules.min_length.unwrap_or(1).max(1);
    let max = rules.max_length.unwrap_or(10_000).max(min);
    if rng.one_in(10) {
        return text::hostile(rng);
    }
    let length = match rng.below(4) {
        0 => min,
        1 if max <= 100 => max,
        _ => rng.within(min, max.min(min + 40)),
    };
    text::readable(rng, length)
}

fn counted(rng: &mut Rng, rules: &NumberRules) -> Value {
    let first = rules.min.or(rules.max).unwrap_or(Number::Whole(0));
    let start = if rules.min.is_none() && rules.step.is_some() {
        Number::Whole(0)
    } else {
        first
    };
    match start {
        Number::Whole(whole) => {
            let step = match rules.step {
                Some(Number::Whole(step)) => step,
                Some(Number::Real(_)) | None => 1,
            };
            let steps = i64::try_from(rng.below(3)).unwrap_or(0);
            let number = whole.saturating_add(step.saturating_mul(steps));
            if rng.one_in(5) {
                number.to_string().into()
            } else {
                json!(number)
            }
        }
        Number::Real(_) if rules.integer => json!(1),
        Number::Real(real) => json!(real),
    }
}

/// A first and a last day within the rules.
fn days(rng: &mut Rng, rules: &DateRules) -> [String; 2] {
    let usual = rng.pick(&["2024-02-29", "2024-12-31", "2025-01-01"]);
    let min = rules.min.map(|day| day.to_string());
    let max = rules.max.map(|day| day.to_string());
    match (min, max) {
        (Some(min), Some(max)) => [min, max],
        (Some(min), None) => [min.clone(), min],
        (None, Some(max)) => [max.clone(), max],
        (None, None) => [usual.to_owned(), usual.to_owned()],
    }
}
