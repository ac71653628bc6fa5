//! The fields of the form as a [`Draft`], and back: what is sent is built and checked by the same
//! code as on every other surface, and what was begun elsewhere is filled in.

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::draft::{AnswerStatus, Draft, DraftEntry};
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question, QuestionId};
use askback_core::text::{Lines, Text};

use super::form_data::{FormData, UNANSWERED};

/// What the fields of a question are called, and the ids of its elements begin with: `q1`, `q2`, … by position. The id
/// of the question could be the name of another field.
pub(super) fn field_name(inquiry: &Inquiry, question: &Question) -> String {
    let index = inquiry.position(&question.id).unwrap_or_default();
    QuestionId::at(index).to_string()
}

/// What the fields say. The only errors are what a draft cannot hold, since either could be meant: a
/// question for a single answer with both a choice and own text, and one that is answered and skipped.
pub(super) fn draft_from_fields(
    inquiry: &Inquiry,
    fields: &FormData,
) -> Result<Draft, Vec<AnswerError>> {
    let mut draft = Draft::new(inquiry);
    let mut errors = Vec::new();
    for (question, entry) in inquiry.questions().iter().zip(&mut draft.entries) {
        read(fields, &field_name(inquiry, question), question, entry);
        errors.extend(contradiction(question, entry).map(|problem| AnswerError {
            question: Some(question.id.clone()),
            name: question.name().to_owned(),
            problem,
            message: None,
        }));
    }
    if errors.is_empty() {
        Ok(draft)
    } else {
        Err(errors)
    }
}

fn contradiction(question: &Question, entry: &DraftEntry) -> Option<AnswerProblem> {
    let single = matches!(&question.kind, Kind::Choice(kind) if !kind.several);
    let own = !entry.own.trim().is_empty();
    let typed = [&entry.typed, &entry.typed_end];
    let answered =
        !entry.picked.is_empty() || own || typed.iter().any(|text| !text.trim().is_empty());
    if entry.skipped && answered {
        Some(AnswerProblem::SkippedAndAnswered)
    } else if single && !entry.picked.is_empty() && own {
        Some(AnswerProblem::OneChoiceOnly)
    } else {
        None
    }
}

fn read(fields: &FormData, id: &str, question: &Question, entry: &mut DraftEntry) {
    match &question.kind {
        Kind::Choice(_) => {
            let picked = fields
                .all(id)
                .filter(|value| !value.is_empty() && *value != UNANSWERED);
            entry.picked = picked
                .filter_map(|value| Text::clean(value, Lines::Many))
                .collect();
            fields
                .first(&format!("{id}-own"))
                .clone_into(&mut entry.own);
            // Without scripts, typing does not check the box beside the field.
            entry.own_ticked = !entry.own.trim().is_empty() || fields.all(id).any(str::is_empty);
        }
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => {
            fields.first(id).clone_into(&mut entry.typed);
        }
        Kind::DateRange(_) => {
            fields
                .first(&format!("{id}-start"))
                .clone_into(&mut entry.typed);
            fields
                .first(&format!("{id}-end"))
                .clone_into(&mut entry.typed_end);
        }
    }
    fields
        .first(&format!("{id}-note"))
        .clone_into(&mut entry.note);
    entry.skipped = fields.has(&format!("{id}-skip"));
}

/// What was entered, as it is read back to whoever entered it: one line for each part. Questions without
/// any are left out.
pub(super) fn entered_lines<'a>(
    inquiry: &'a Inquiry,
    fields: &FormData,
) -> Vec<(&'a Question, Vec<String>)> {
    let draft = Draft::new(inquiry);
    let questions = inquiry.questions().iter().zip(draft.entries);
    let lines = questions.map(|(question, mut entry)| {
        read(fields, &field_name(inquiry, question), question, &mut entry);
        let picked = entry.picked.iter().map(|value| label(question, value));
        let typed = [entry.own, entry.typed, entry.typed_end, entry.note];
        let lines = picked.chain(typed).filter(|line| !line.trim().is_empty());
        (question, lines.collect::<Vec<_>>())
    });
    lines.filter(|(_, lines)| !lines.is_empty()).collect()
}

/// What the form calls a choice.
fn label(question: &Question, value: &Text) -> String {
    let mut choices = question.choices().iter();
    let choice = choices.find(|choice| choice.value == *value);
    let label = choice.map_or(value, |choice| &choice.label);
    label.as_str().to_owned()
}

/// Fields that are filled in with what a draft holds.
pub(super) fn fields_from_draft(inquiry: &Inquiry, draft: &Draft, nonce: &str) -> FormData {
    let mut fields = FormData::new(nonce);
    for (question, entry) in inquiry.questions().iter().zip(&draft.entries) {
        let id = field_name(inquiry, question);
        // What was typed before a question was skipped is not an answer, but would be one in the form.
        if entry.skipped {
            fields.add(&format!("{id}-skip"), "1");
        } else {
            fill(&mut fields, &id, question, entry);
        }
        fields.add(&format!("{id}-note"), &entry.note);
    }
    fields
}

fn fill(fields: &mut FormData, id: &str, question: &Question, entry: &DraftEntry) {
    match &question.kind {
        Kind::Choice(_) => {
            for value in &entry.picked {
                fields.add(id, value.as_str());
            }
            // Own text that was unticked again is not an answer, but would be one in the form.
            if entry.own_ticked {
                fields.add(id, "");
                fields.add(&format!("{id}-own"), &entry.own);
            }
        }
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => fields.add(id, &entry.typed),
        Kind::DateRange(_) => {
            fields.add(&format!("{id}-start"), &entry.typed);
            fields.add(&format!("{id}-end"), &entry.typed_end);
        }
    }
}

/// The questions that a form leaves unanswered, if others are answered: sending it is confirmed first.
pub(super) fn left_open<'a>(inquiry: &'a Inquiry, fields: &FormData) -> Vec<&'a Question> {
    let Ok(draft) = draft_from_fields(inquiry, fields) else {
        return Vec::new();
    };
    let entries = inquiry.questions().iter().zip(&draft.entries);
    let open = entries.filter(|(question, entry)| entry.status(question) == AnswerStatus::Open);
    let open: Vec<_> = open.map(|(question, _)| question).collect();
    if open.len() == inquiry.questions().len() {
        return Vec::new();
    }
    open
}
