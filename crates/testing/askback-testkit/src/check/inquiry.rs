//! An accepted inquiry keeps its contract.

use askback_core::dialect::{Dialect, Parsed};
use askback_core::question::{Choice, ChoiceKind, Kind, Question, TextRules};
use askback_core::text::Text;

use super::{BrokenRule, ensure, stored_unchanged};
use crate::contract::{self, ContractLimits};
use crate::stored;

pub(super) fn check(dialect: Dialect, parsed: &Parsed) -> Result<(), BrokenRule> {
    let inquiry = &parsed.inquiry;
    let contract = contract::of(dialect);
    let questions = inquiry.questions();
    ensure(inquiry.dialect() == dialect, || {
        format!("asked in {:?}", inquiry.dialect())
    })?;
    ensure(
        (1..=contract.questions_max).contains(&questions.len()),
        || format!("{} questions", questions.len()),
    )?;
    line(inquiry.source(), contract::SOURCE_MAX, "source")?;
    let other_dropped = parsed
        .repairs
        .iter()
        .any(|repair| repair.done.contains("\"Other\""));
    for (index, question) in questions.iter().enumerate() {
        let by_position = question.id.as_str() == format!("q{}", index + 1);
        let is_own = dialect == Dialect::Questions
            && !questions[..index].iter().any(|q| q.id == question.id);
        ensure(by_position || is_own, || {
            format!("question {index} has the id {}", question.id)
        })?;
        ensure(
            !questions[..index].iter().any(|q| q.text == question.text),
            || "two questions have one text".to_owned(),
        )?;
        check_question(question, &contract)?;
        if let Kind::Choice(kind) = &question.kind {
            check_count(kind, &contract, other_dropped)?;
        }
    }
    stored_unchanged(inquiry, stored::inquiry(inquiry))
}

fn check_question(question: &Question, contract: &ContractLimits) -> Result<(), BrokenRule> {
    text(&question.text, contract.question_max, "question")?;
    line(
        question.header.as_ref(),
        contract.header_max.unwrap_or(0),
        "header",
    )?;
    prose(question.context.as_ref(), contract.context_max, "context")?;
    line(
        question.placeholder.as_ref(),
        contract::HINT_MAX,
        "placeholder",
    )?;
    match &question.kind {
        Kind::Choice(kind) => check_choices(kind, contract),
        Kind::Text(rules) => check_text_rules(rules),
        Kind::Number(rules) => {
            let possible = rules.min.zip(rules.max).is_none_or(|(min, max)| min <= max);
            ensure(possible, || "no number fits".to_owned())?;
            line(rules.message.as_ref(), contract::HINT_MAX, "message")
        }
        Kind::Date(rules) | Kind::DateRange(rules) => {
            let possible = rules.min.zip(rules.max).is_none_or(|(min, max)| min <= max);
            ensure(possible, || "no day fits".to_owned())?;
            line(rules.message.as_ref(), contract::HINT_MAX, "message")
        }
    }
}

/// The choices are as many as the contract says; where an authored "Other" was dropped, the field
/// for own text stands in for it.
fn check_count(
    kind: &ChoiceKind,
    contract: &ContractLimits,
    dropped: bool,
) -> Result<(), BrokenRule> {
    let count = kind.choices.len();
    let own_text = usize::from(dropped && kind.own_text);
    let enough = count >= 1 && count + own_text >= contract.choices_min;
    ensure(enough && count <= contract.choices_max, || {
        format!("{count} choices")
    })
}

fn check_choices(kind: &ChoiceKind, contract: &ContractLimits) -> Result<(), BrokenRule> {
    for (index, choice) in kind.choices.iter().enumerate() {
        check_choice(choice, contract)?;
        let earlier = &kind.choices[..index];
        let unique = !earlier
            .iter()
            .any(|other| other.label == choice.label || other.value == choice.value);
        ensure(unique, || {
            format!("two choices with the label or value of {:?}", choice.label)
        })?;
    }
    Ok(())
}

fn check_choice(choice: &Choice, contract: &ContractLimits) -> Result<(), BrokenRule> {
    line(Some(&choice.label), contract.label_max, "label")?;
    let value_max = contract.value_max.unwrap_or(contract.label_max);
    line(Some(&choice.value), value_max, "value")?;
    prose(
        choice.description.as_ref(),
        contract.description_max,
        "description",
    )?;
    prose(
        choice.preview.as_ref(),
        contract.preview_max.unwrap_or(0),
        "preview",
    )
}

fn check_text_rules(rules: &TextRules) -> Result<(), BrokenRule> {
    line(rules.message.as_ref(), contract::HINT_MAX, "message")?;
    let max = rules.max_length.unwrap_or(contract::TEXT_MAX);
    let min = rules.min_length.unwrap_or(0);
    ensure(
        min <= max && (1..=contract::TEXT_MAX).contains(&max),
        || format!("no text fits from {min} to {max} characters"),
    )?;
    let pattern = rules.pattern.as_deref().unwrap_or("?");
    let length = pattern.chars().count();
    ensure((1..=contract::PATTERN_MAX).contains(&length), || {
        format!("a pattern of {length} characters")
    })
}

fn line(checked: Option<&Text>, max: usize, what: &str) -> Result<(), BrokenRule> {
    let broken = checked.is_some_and(|text| text.as_str().contains(['\n', '\t']));
    ensure(!broken, || format!("{what} spans lines"))?;
    prose(checked, max, what)
}

fn prose(checked: Option<&Text>, max: usize, what: &str) -> Result<(), BrokenRule> {
    checked.map_or(Ok(()), |checked| text(checked, max, what))
}

/// A text that people read is within its length, trimmed, and holds nothing that acts on a screen.
fn text(text: &Text, max: usize, what: &str) -> Result<(), BrokenRule> {
    let text = text.as_str();
    let length = text.chars().count();
    ensure((1..=max).contains(&length), || {
        format!("{what} has {length} characters")
    })?;
    ensure(text.trim().len() == text.len(), || {
        format!("{what} is not trimmed: {text:?}")
    })?;
    ensure(!text.chars().any(is_forbidden), || {
        format!("{what} is not clean: {text:?}")
    })
}

/// Control characters but for line breaks and tabs, and the characters that turn the direction of
/// the text around them.
fn is_forbidden(ch: char) -> bool {
    let turns = matches!(ch, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(ch, '\u{2028}' | '\u{2029}');
    turns || breaks || (ch.is_control() && ch != '\n' && ch != '\t')
}
