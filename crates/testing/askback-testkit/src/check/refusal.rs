//! A refusal says what is wrong, and enough to send the call again.

use askback_core::dialect::{Dialect, ParseError, Repair};

use super::{BrokenRule, ensure};

/// Longest sentence that may stand for one problem or one repair, in characters. Longer ones would
/// carry text of the input with them.
const SENTENCE_MAX: usize = 300;
/// Longest refusal, in characters.
const REFUSAL_MAX: usize = 6_000;

pub(super) fn check(dialect: Dialect, error: &ParseError) -> Result<(), BrokenRule> {
    ensure(!error.problems().is_empty(), || {
        "an input was refused without a problem".to_owned()
    })?;
    for problem in error.problems() {
        sentence(&problem.hint)?;
        sentence(&problem.path)?;
        ensure(!problem.hint.is_empty(), || {
            format!("no hint at {}", problem.path)
        })?;
    }
    let words = error.to_string();
    ensure(words.contains(dialect.name()), || {
        format!("a refusal does not name its tool: {words}")
    })?;
    ensure(words.contains(&dialect.contract().in_one_line()), || {
        format!("a refusal does not restate the contract: {words}")
    })?;
    ensure(words.chars().count() <= REFUSAL_MAX, || {
        format!("a refusal has {} characters", words.chars().count())
    })
}

pub(super) fn check_repairs(repairs: &[Repair]) -> Result<(), BrokenRule> {
    for repair in repairs {
        sentence(&repair.done)?;
        sentence(&repair.path)?;
    }
    Ok(())
}

/// A sentence of ours: short, on one line, without text that came with the input.
fn sentence(text: &str) -> Result<(), BrokenRule> {
    let short = text.chars().count() <= SENTENCE_MAX;
    let clean = !text.chars().any(char::is_control);
    ensure(short && clean, || format!("not a sentence: {text:?}"))
}
