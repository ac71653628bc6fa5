//! A question on one line, for `askback list` and `askback watch`.

use askback_terminal::width::clip;
use askback_wire::inquiry::{HeldResponse, InquiryResponse};
use askback_wire::outcome::{OutcomeResponse, to_answers};
use askback_wire::question::QuestionResponse;
use jiff::Timestamp;

use super::answer::surface_text;

/// The choices of a question are truncated to this width.
const CHOICES_COLUMNS: usize = 60;
/// So is an answer.
const ANSWER_COLUMNS: usize = 80;

/// Id, status, age, recipient, asker and project, question, and the answer with who gave it; or what can be chosen and what
/// is assumed meanwhile. The age of a question that has ended is that of its outcome.
pub(super) fn line(inquiry: &InquiryResponse, now: Timestamp) -> String {
    let (text, more) = match inquiry.questions.as_slice() {
        [] => ("", String::new()),
        [only] => (only.text.as_str(), choices(only)),
        [first, rest @ ..] => (first.text.as_str(), format!(" (and {} more)", rest.len())),
    };
    let text = text.lines().next().unwrap_or_default();
    let project = inquiry.asker.as_ref().and_then(|it| it.project.as_ref());
    let asker = match (inquiry.asker_name(), project) {
        (Some(asker), Some(project)) => format!("{asker} in {project}: "),
        (Some(asker), None) => format!("{asker}: "),
        (None, _) => String::new(),
    };
    let age = age(inquiry.resolved_at.unwrap_or(inquiry.asked_at), now);
    let (status, outcome) = match &inquiry.held {
        Some(held) => (held_status(held, now), Some(&held.outcome)),
        None if inquiry.is_detached() => ("pending, agent not waiting".to_owned(), None),
        None => (inquiry.status.to_string(), inquiry.outcome.as_ref()),
    };
    let given = outcome.and_then(|outcome| given(inquiry, outcome));
    let tail = match given {
        Some(given) => format!(" = {}{}", clip(&given, ANSWER_COLUMNS, "…"), giver(inquiry)),
        None if inquiry.status.is_resolved() => giver(inquiry),
        None => match &inquiry.assumption {
            Some(assumed) => {
                let assumed = assumed.split_whitespace().collect::<Vec<_>>().join(" ");
                let assumed = clip(&assumed, ANSWER_COLUMNS, "…");
                format!("{more} (meanwhile: {assumed})")
            }
            None => more,
        },
    };
    let recipient = match inquiry.shown_recipient() {
        Some(recipient) => format!("(for {recipient}) "),
        None => String::new(),
    };
    format!(
        "{}  {status}  {age}  {recipient}{asker}{text}{tail}",
        inquiry.id
    )
}

/// Who ended a question, and where.
fn giver(inquiry: &InquiryResponse) -> String {
    let place = inquiry.surface.as_ref().map(surface_text);
    match (&inquiry.answered_by, place) {
        (Some(person), Some(place)) => format!("  ({person}{place})"),
        (Some(person), None) => format!("  ({person})"),
        (None, Some(place)) => format!("  ({})", place.trim_start()),
        (None, None) => String::new(),
    }
}

/// The status of a question whose answer can be undone, in place of `pending`.
fn held_status(held: &HeldResponse, now: Timestamp) -> String {
    let status = held.outcome.status();
    let left = held.until.duration_since(now).as_millis().max(0);
    let seconds = (left + 999) / 1000;
    format!("{status}, can be undone for {seconds} s")
}

/// What was answered, on one line; none if nothing was.
fn given(inquiry: &InquiryResponse, outcome: &OutcomeResponse) -> Option<String> {
    let text = if let OutcomeResponse::Superseded { message } = outcome {
        message.clone()
    } else if let OutcomeResponse::Answered { answers } = outcome {
        let asked = inquiry.to_inquiry().ok()?;
        let answers = to_answers(answers)?;
        let answers = answers.with_questions(&asked);
        let parts = answers.map(|(question, answer)| {
            match answer.given.display_parts(question).join(", ") {
                nothing if nothing.is_empty() => "-".to_owned(),
                parts => parts,
            }
        });
        parts.collect::<Vec<_>>().join("; ")
    } else {
        return None;
    };
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The labels to choose from, in brackets; empty for other kinds of questions.
fn choices(question: &QuestionResponse) -> String {
    let choices = question.choices().iter();
    let labels: Vec<&str> = choices.map(|one| one.label.as_str()).collect();
    if labels.is_empty() {
        return String::new();
    }
    format!(" [{}]", clip(&labels.join(" / "), CHOICES_COLUMNS, "…"))
}

/// The time since then in its largest unit, such as `5m`.
fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs().max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
#[path = "inquiry_line_tests.rs"]
mod tests;
