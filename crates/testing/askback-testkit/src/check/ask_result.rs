//! What the model is told about an outcome, by the table of outcomes and the dialect's own format.

use askback_core::answer::{AnswerValue, Answers};
use askback_core::dialect::{AskResult, Dialect};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Next, Outcome};
use serde_json::Value;

use super::{BrokenRule, ensure};

pub(super) fn check(inquiry: &Inquiry, outcome: &Outcome) -> Result<(), BrokenRule> {
    let result = Dialect::render(inquiry, outcome);
    let (is_error, next) = expected(outcome);
    ensure(result.is_error == is_error, || {
        format!("{}: the error flag is {}", outcome.name(), result.is_error)
    })?;
    ensure(result.next == next, || {
        format!("{}: the agent does {:?}", outcome.name(), result.next)
    })?;
    ensure(!result.content.trim().is_empty(), || {
        format!("{}: nothing is said", outcome.name())
    })?;
    ensure(!result.content.contains("judgement"), || {
        "the model is told to use its judgement".to_owned()
    })?;
    check_words(outcome, &result)?;
    check_message(inquiry, outcome, &result)?;
    if let Outcome::Answered { answers } = outcome {
        check_answered(inquiry, answers, &result)?;
    }
    Ok(())
}

/// Whether the result is an error, and whether the agent goes on.
fn expected(outcome: &Outcome) -> (bool, Next) {
    match outcome {
        Outcome::Answered { .. }
        | Outcome::Declined
        | Outcome::Superseded { .. }
        | Outcome::Expired => (false, Next::Resume),
        Outcome::Undeliverable { .. } => (true, Next::Resume),
        Outcome::Cancelled | Outcome::Rejected | Outcome::Withdrawn => (true, Next::Stop),
    }
}

/// The words that must be there for the model not to take silence for consent.
fn check_words(outcome: &Outcome, result: &AskResult) -> Result<(), BrokenRule> {
    let wanted: &[&str] = match outcome {
        Outcome::Answered { .. } => &[""],
        Outcome::Declined => &["declined", "skipped"],
        Outcome::Cancelled => &["User cancelled the question"],
        Outcome::Rejected => &["rejected"],
        Outcome::Superseded { .. } => &["next user message"],
        Outcome::Expired => &["Nobody answered"],
        Outcome::Withdrawn => &["no answer"],
        Outcome::Undeliverable { .. } => &["never saw"],
    };
    ensure(
        wanted.iter().any(|words| result.content.contains(words)),
        || format!("{}: the result is {:?}", outcome.name(), result.content),
    )
}

/// A user message follows where the dialect answers by one, or where one was written instead.
fn check_message(
    inquiry: &Inquiry,
    outcome: &Outcome,
    result: &AskResult,
) -> Result<(), BrokenRule> {
    let wanted = match outcome {
        Outcome::Superseded { .. } => true,
        Outcome::Answered { .. } => inquiry.dialect() == Dialect::Question,
        Outcome::Declined
        | Outcome::Cancelled
        | Outcome::Rejected
        | Outcome::Expired
        | Outcome::Withdrawn
        | Outcome::Undeliverable { .. } => false,
    };
    let message = result.user_message.as_deref();
    let fits = message.is_some_and(|message| !message.trim().is_empty()) == wanted
        && message.is_some() == wanted;
    ensure(fits, || {
        format!("{}: the user message is {message:?}", outcome.name())
    })
}

fn check_answered(
    inquiry: &Inquiry,
    answers: &Answers,
    result: &AskResult,
) -> Result<(), BrokenRule> {
    let count = answers.iter().count();
    ensure(count == inquiry.questions().len(), || {
        format!("{count} answers to {} questions", inquiry.questions().len())
    })?;
    match inquiry.dialect() {
        Dialect::AskUserQuestion => check_map(inquiry, answers, result),
        Dialect::AskUserQuestionClaude => check_prose(inquiry, answers, result),
        Dialect::AskUser => check_status(answers, result),
        Dialect::Question => Ok(()),
        Dialect::Questions => check_values(inquiry, answers, result),
    }
}

/// `{"answers": {question: label}}` names exactly the answered questions.
fn check_map(inquiry: &Inquiry, answers: &Answers, result: &AskResult) -> Result<(), BrokenRule> {
    let content: Value = serde_json::from_str(&result.content).unwrap_or_default();
    for (question, answer) in answers.with_questions(inquiry) {
        let told = content["answers"].get(question.text.as_str());
        let told = told.and_then(Value::as_str).unwrap_or_default();
        ensure(told.is_empty() != answer.given.is_answer(), || {
            format!("{} was told as {told:?}", question.id)
        })?;
    }
    Ok(())
}

/// The prose block has a number, header and question for each question.
fn check_prose(inquiry: &Inquiry, answers: &Answers, result: &AskResult) -> Result<(), BrokenRule> {
    for (index, (question, answer)) in answers.with_questions(inquiry).enumerate() {
        let header = question
            .header
            .as_ref()
            .map_or("", |header| header.as_str());
        let heading = format!("\n{}. {header} ({})\n", index + 1, question.text);
        ensure(result.content.contains(&heading), || {
            format!("no heading {heading:?}")
        })?;
        let line = match &answer.given {
            AnswerValue::Skipped => "   Skipped by the user",
            AnswerValue::Unanswered => "   Not answered",
            AnswerValue::Chosen { values, .. } if !values.is_empty() => "   Selected: ",
            AnswerValue::Chosen { .. }
            | AnswerValue::Text { .. }
            | AnswerValue::Number { .. }
            | AnswerValue::Date { .. }
            | AnswerValue::DateRange { .. } => "   Custom input: ",
        };
        ensure(result.content.contains(line), || {
            format!("no line {line:?}")
        })?;
    }
    Ok(())
}

/// `{"answers": {id: value}}` has one value for each question, which is null exactly without an answer.
fn check_values(
    inquiry: &Inquiry,
    answers: &Answers,
    result: &AskResult,
) -> Result<(), BrokenRule> {
    let content: Value = serde_json::from_str(&result.content).unwrap_or_default();
    for (question, answer) in answers.with_questions(inquiry) {
        let value = content["answers"].get(question.id.as_str());
        ensure(
            value.is_some_and(|value| value.is_null() != answer.given.is_answer()),
            || format!("{} was told as {value:?}", question.id),
        )?;
    }
    let count = content["answers"].as_object().map(serde_json::Map::len);
    ensure(count == Some(inquiry.questions().len()), || {
        format!("{count:?} values")
    })
}

/// `{"status": …}` says whether the user responded, and carries an answer exactly then.
fn check_status(answers: &Answers, result: &AskResult) -> Result<(), BrokenRule> {
    let content: Value = serde_json::from_str(&result.content).unwrap_or_default();
    let answered = answers.iter().any(|answer| answer.given.is_answer());
    let status = if answered {
        "user_responded"
    } else {
        "user_skipped"
    };
    let has_answer = content.get("answer").is_some_and(|value| !value.is_null());
    ensure(
        content["status"] == status && has_answer == answered,
        || format!("the status is {}", result.content),
    )
}
