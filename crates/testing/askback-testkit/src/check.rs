//! The rules that hold for every input, whatever it is.

mod ask_result;
mod inquiry;
mod refusal;

use std::any::Any;

use askback_core::dialect::{Dialect, ParseError, ParseOptions, Parsed, recognise};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, OutcomeError};
use askback_stored::Unreadable;
use serde_json::Value;

use crate::case::CaseCounts;
use crate::contract;
use crate::input::input_text;
use crate::outcome::{SECRET, outcome};
use crate::rng::Rng;
use crate::stored;

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenRule(String);

impl BrokenRule {
    /// A panic, with its message where it has one.
    pub(crate) fn panic(payload: &(dyn Any + Send)) -> BrokenRule {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied());
        BrokenRule(format!("panicked: {}", message.unwrap_or("no message")))
    }
}

/// Holds if `holds`, and is otherwise broken in the words of `rule`.
pub(crate) fn ensure(holds: bool, rule: impl FnOnce() -> String) -> Result<(), BrokenRule> {
    if holds {
        Ok(())
    } else {
        Err(BrokenRule(rule()))
    }
}

/// Takes `input` all the way: read it, read it again as text, end the inquiry, write the result.
pub(crate) fn run_through_core(
    rng: &mut Rng,
    dialect: Dialect,
    input: &Value,
) -> Result<CaseCounts, BrokenRule> {
    let options = ParseOptions {
        clip_labels: rng.one_in(4),
    };
    recognise(input);
    let text = input_text(rng, input);
    let parsed = dialect.parse_text(&text, options);
    ensure(parsed == dialect.parse_text(&text, options), || {
        "reading the same text twice gives two results".to_owned()
    })?;
    let from_value = dialect.parse(input, options);
    let small = text.len() <= contract::INPUT_BYTES_MAX;
    if small && serde_json::from_str::<Value>(&text).is_ok_and(|value| value == *input) {
        ensure(parsed == from_value, || {
            "a text and the value in it are read differently".to_owned()
        })?;
    }
    let mut counts = CaseCounts {
        inputs: 1,
        ..CaseCounts::default()
    };
    check_verdict(dialect, &parsed)?;
    if from_value != parsed {
        check_verdict(dialect, &from_value)?;
    }
    match parsed {
        Ok(parsed) => {
            check_written(dialect, &parsed.inquiry)?;
            counts.accepted += 1;
            counts.repaired += u64::from(!parsed.repairs.is_empty());
            end(rng, &parsed.inquiry, &mut counts)?;
        }
        Err(_) => counts.refused += 1,
    }
    Ok(counts)
}

/// The input is not stored: what is written again from the questions must mean the same.
fn check_written(dialect: Dialect, inquiry: &Inquiry) -> Result<(), BrokenRule> {
    let written = inquiry.to_input().unwrap_or_default();
    let read = dialect.parse(&written, ParseOptions::default());
    let is_same = read.is_ok_and(|read| read.inquiry == *inquiry);
    ensure(is_same, || {
        format!("written again it means something else: {written}")
    })
}

fn check_verdict(dialect: Dialect, verdict: &Result<Parsed, ParseError>) -> Result<(), BrokenRule> {
    match verdict {
        Ok(parsed) => {
            inquiry::check(dialect, parsed)?;
            refusal::check_repairs(&parsed.repairs)
        }
        Err(error) => refusal::check(dialect, error),
    }
}

/// Ends an inquiry in some outcome and in a decline, and checks what the model is told.
fn end(rng: &mut Rng, inquiry: &Inquiry, counts: &mut CaseCounts) -> Result<(), BrokenRule> {
    let json = outcome(rng, inquiry);
    match Outcome::from_json(inquiry, &json) {
        Ok(outcome) => {
            stored_unchanged(&outcome, stored::outcome(&outcome))?;
            ask_result::check(inquiry, &outcome)?;
            counts.answered += u64::from(matches!(outcome, Outcome::Answered { .. }));
            counts.rendered += 1;
        }
        Err(error) => {
            check_misfit(&error)?;
            counts.misfits += 1;
        }
    }
    ask_result::check(inquiry, &Outcome::Declined)?;
    counts.rendered += 1;
    Ok(())
}

/// A misfit is told in words, and the words never repeat an answer.
fn check_misfit(error: &OutcomeError) -> Result<(), BrokenRule> {
    if let OutcomeError::Answers(errors) = error {
        ensure(!errors.is_empty(), || {
            "answers were refused without a reason".to_owned()
        })?;
    }
    let words = error.to_string();
    ensure(!words.trim().is_empty(), || {
        format!("no words for {error:?}")
    })?;
    ensure(!format!("{error:?} {words}").contains(SECRET), || {
        "an error repeats an answer".to_owned()
    })
}

/// A value must come back unchanged from the form in which it is stored.
fn stored_unchanged<T: PartialEq>(
    value: &T,
    read: Result<T, Unreadable>,
) -> Result<(), BrokenRule> {
    ensure(read.as_ref().is_ok_and(|read| read == value), || {
        format!("it does not come back from the store: {:?}", read.err())
    })
}
