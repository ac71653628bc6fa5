//! What a typed text means for a question with choices. Every channel in which people type reads texts here.
//!
//! A choice is named as the messages show it: by its number, its label or its value. Case does not matter, but a text
//! that could mean two choices is refused. Only what names no choice is an answer in the person's own words.

use std::collections::BTreeSet;

use askback_core::answer::AnswerProblem;
use askback_core::number::ascii_digit;
use askback_core::question::{Choice, ChoiceKind};
use askback_core::text::{Lines, Text};
use askback_locale::split_label;

/// What a text answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TypedChoice {
    /// These choices, counted from 0. More than one only where several may be taken.
    Choices(Vec<usize>),
    /// The text itself.
    OwnText,
}

/// Reads a text, or says why it answers nothing.
pub(crate) fn read_typed(kind: &ChoiceKind, typed: &str) -> Result<TypedChoice, AnswerProblem> {
    let typed = typed.trim();
    if Text::clean(typed, Lines::Many).is_none() {
        return Err(AnswerProblem::Empty);
    }
    let ascii: String = typed
        .chars()
        .map(|ch| ascii_digit(ch).unwrap_or(ch))
        .collect();
    let named = |text: &str| named(kind, text).or_else(|| named_list(kind, text));
    match named(typed).or_else(|| named(&ascii)) {
        Some(rows) if rows.len() > 1 && !kind.several => Err(AnswerProblem::OneChoiceOnly),
        Some(rows) if !rows.is_empty() => Ok(TypedChoice::Choices(rows.into_iter().collect())),
        None if kind.own_text && !is_wrong_number(kind, &ascii) => Ok(TypedChoice::OwnText),
        Some(_) | None => Err(unknown_choice(kind)),
    }
}

fn unknown_choice(kind: &ChoiceKind) -> AnswerProblem {
    let labels = kind.choices.iter().map(|choice| choice.label.clone());
    AnswerProblem::UnknownChoice {
        labels: labels.collect(),
    }
}

/// The one choice that a text names. An empty set if it could be one of several; `None` if it names none.
fn named(kind: &ChoiceKind, typed: &str) -> Option<BTreeSet<usize>> {
    let mut found: BTreeSet<usize> = by_name(kind, typed);
    found.extend(by_number(kind, typed));
    match found.len() {
        0 => None,
        1 => Some(found),
        _ => Some(BTreeSet::new()),
    }
}

/// By value or label: as it is written, else without case.
fn by_name(kind: &ChoiceKind, typed: &str) -> BTreeSet<usize> {
    let exact = kind.named(typed);
    let lower = typed.to_lowercase();
    let is_same = |name: &str| name.to_lowercase() == lower;
    let is_meant = |choice: &Choice| {
        if let Some(exact) = exact {
            return exact.value == choice.value;
        }
        is_same(choice.value.as_str())
            || is_same(choice.label.as_str())
            || is_same(split_label(choice).0)
    };
    let numbered = kind.choices.iter().enumerate();
    let meant = numbered.filter_map(|(row, choice)| is_meant(choice).then_some(row));
    meant.collect()
}

/// By its number: `2`, `2.`, or the whole line of the message, `2. Staging`.
fn by_number(kind: &ChoiceKind, typed: &str) -> Option<usize> {
    let digits = typed.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let (number, behind) = typed.split_at(typed.len() - digits.len());
    let row = number.parse::<usize>().ok()?.checked_sub(1)?;
    kind.choices.get(row)?;
    let label = match behind {
        "" => return Some(row),
        _ => behind.strip_prefix(['.', ')'])?.trim_start(),
    };
    (label.is_empty() || by_name(kind, label).contains(&row)).then_some(row)
}

/// The choices of a list, all of whose parts name one: `1,3`, `1 3`, `staging, production`. A label may have commas
/// itself, so each part is tried together with those behind it, the longest first.
fn named_list(kind: &ChoiceKind, typed: &str) -> Option<BTreeSet<usize>> {
    let numbers = typed.split([',', ' ']).filter(|word| !word.is_empty());
    let numbers: Vec<&str> = numbers.collect();
    if numbers.iter().all(|word| by_number(kind, word).is_some()) {
        let found = numbers.iter().filter_map(|word| named(kind, word));
        let found: Vec<BTreeSet<usize>> = found.collect();
        // One that could be another choice makes the whole list uncertain.
        let is_certain = found.iter().all(|rows| !rows.is_empty());
        let all = found.into_iter().flatten().filter(|_| is_certain);
        return Some(all.collect());
    }
    let parts: Vec<&str> = typed.split([',', '\n']).collect();
    // A list cannot have more parts than all labels together.
    let commas = |choice: &Choice| choice.label.as_str().matches(',').count() + 1;
    if parts.len() > kind.choices.iter().map(commas).sum::<usize>() {
        return None;
    }
    // For each part: the choices from there to the end, if all parts from there on name one.
    let mut rests: Vec<Option<BTreeSet<usize>>> = vec![None; parts.len()];
    rests.push(Some(BTreeSet::new()));
    for start in (0..parts.len()).rev() {
        let mut ends = (start + 1..=parts.len()).rev();
        rests[start] = ends.find_map(|end| {
            let rest = rests[end].as_ref()?;
            let found = named(kind, parts[start..end].join(",").trim())?;
            (found.len() == 1).then(|| found.union(rest).copied().collect())
        });
    }
    rests.into_iter().next().flatten()
}

/// Numbers that no choice has. They are own words only where a choice is a number itself, such as a port.
fn is_wrong_number(kind: &ChoiceKind, typed: &str) -> bool {
    let is_number = typed
        .chars()
        .all(|letter| letter.is_ascii_digit() || matches!(letter, ',' | '.' | ' '));
    let mut labels = kind.choices.iter().map(|choice| choice.label.as_str());
    is_number && !labels.any(|label| label.contains(|letter: char| letter.is_ascii_digit()))
}

#[cfg(test)]
#[path = "typed_choice_tests.rs"]
mod tests;
