//! `AskUserQuestion`: the list contract with required headers, descriptions and `multiSelect`; the
//! answers come back as a numbered block of prose.

use std::fmt::Write as _;

use super::ask_user_question::{PREVIEW, TEXT, build_list, options, questions};
use super::question::{DESCRIPTION_ALIASES, HEADER_ALIASES, LABEL_ALIASES, SEVERAL_ALIASES};
use super::{Dialect, NOT_FOR_SUB_AGENTS};
use crate::answer::{Answer, AnswerValue, Answers};
use crate::contract::{Contract, Field, HostText, InputAuthor, InputReader, Object, Shape, field};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::Question;
use crate::text::Text;

pub(super) const CONTRACT: Contract = Contract {
    name: "AskUserQuestion",
    author: InputAuthor::Model,
    description: HostText {
        always: "\
Stops and asks the user one to four multiple-choice questions, then returns what they chose. \
Use it to learn a preference, to settle an ambiguous instruction or to have a decision made before \
you act on it. Every question needs a header of at most 12 characters, two to four choices with a \
label of one to five words and a description, and an explicit multiSelect. Put the choice you advise \
first and end its label with \"(Recommended)\". Do not add an \"Other\" choice: the user can always \
type an answer of their own. Do not use it to ask whether a plan is ready.",
        askback: NOT_FOR_SUB_AGENTS,
        client: "",
    },
    shape: &SHAPE,
};

pub(super) const GUIDANCE: HostText = HostText::everywhere(
    "\
Ask with AskUserQuestion when the user's preference decides and you cannot find it out yourself: \
before a plan is final rather than after. Put related questions into one call. Set multiSelect to \
true only where choices do not exclude each other. If you advise one choice, put it first and end \
its label with \"(Recommended)\". A declined, skipped or unanswered question is not a choice: do not \
treat it as agreement.",
);

const SHAPE: Shape = Shape::object(&[
    questions(&QUESTION),
    field! {
        /// Where the question comes from; not shown as part of it.
        optional "metadata", &[], Shape::object(METADATA)
    },
]);

const METADATA: &[Field] = &[field! {
    /// The feature or command that asks.
    optional "source", &[], Shape::line(limits::SOURCE_CHARS_MAX)
}];

const QUESTION: Shape = Shape::object(&[
    TEXT,
    field! {
        /// A very short label for the question, shown as a chip.
        required "header", HEADER_ALIASES, Shape::label(limits::LIST_HEADER_CHARS_MAX)
    },
    options(&OPTION),
    field! {
        /// Whether the user may take several choices. Always say it.
        required "multiSelect", SEVERAL_ALIASES, Shape::Bool
    },
]);

const OPTION: Shape = Shape::object_or_text(
    "label",
    &[
        field! {
            /// What the user sees: one to five words.
            required "label", LABEL_ALIASES, Shape::marked_label(limits::CLAUDE_LABEL_CHARS_MAX)
        },
        field! {
            /// What the choice means or leads to.
            required "description", DESCRIPTION_ALIASES, Shape::prose(limits::DESCRIPTION_CHARS_MAX)
        },
        PREVIEW,
    ],
);

pub(super) fn build(reader: &mut InputReader, mut input: Object) -> Option<Inquiry> {
    build_list(reader, Dialect::AskUserQuestionClaude, &mut input)
}

/// The result for answers: a numbered block with header, question and what was given.
pub(super) fn answered(inquiry: &Inquiry, answers: &Answers) -> String {
    let mut out = String::from("User answered the following questions:\n");
    let mut open = false;
    for (index, (question, answer)) in answers.with_questions(inquiry).enumerate() {
        let header = question.header.as_ref().map_or("Question", Text::as_str);
        let written = write!(out, "\n{}. {header} ({})\n", index + 1, question.text);
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
        for line in answer_lines(question, answer) {
            out.push_str("   ");
            out.push_str(&line.replace('\n', "\n   "));
            out.push('\n');
        }
        open |= !answer.given.is_answer();
    }
    out.push_str("\nProceeding with user selections.");
    if open {
        out.push_str(" Questions without an answer are still open: the user chose nothing there.");
    }
    out
}

fn answer_lines(question: &Question, answer: &Answer) -> Vec<String> {
    let mut lines = Vec::new();
    match &answer.given {
        AnswerValue::Chosen { own, .. } => {
            let labels: Vec<&str> = answer
                .given
                .chosen(question)
                .map(|choice| choice.label.as_str())
                .collect();
            if !labels.is_empty() {
                lines.push(format!("Selected: {}", labels.join(", ")));
            }
            lines.extend(own.iter().map(|own| format!("Custom input: {own}")));
        }
        AnswerValue::Skipped => lines.push("Skipped by the user".to_owned()),
        AnswerValue::Unanswered => lines.push("Not answered".to_owned()),
        AnswerValue::Text { .. }
        | AnswerValue::Number { .. }
        | AnswerValue::Date { .. }
        | AnswerValue::DateRange { .. } => {
            lines.push(format!(
                "Custom input: {}",
                answer.given.display_parts(question).join(", ")
            ));
        }
    }
    lines.extend(answer.note.iter().map(|note| format!("Note: {note}")));
    lines
}
