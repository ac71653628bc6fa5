//! `question`: one question, alone in its turn; what the user answers becomes their next message.

use super::Dialect;
use super::choices::{ChoiceForm, build_choices};
use crate::answer::{Answer, Answers};
use crate::contract::{Contract, HostText, InputAuthor, InputReader, Object, Shape, field};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::{Kind, Question, QuestionId};
use crate::text::Text;

pub(super) const CONTRACT: Contract = Contract {
    name: "question",
    author: InputAuthor::Model,
    description: HostText {
        always: "\
Asks the user one question with up to ten choices. Use it when the user should decide what happens \
next. Keep labels short, they are buttons. Set multiple to true if choices can be combined. Unless you \
set custom to false, the user can type an answer of their own, so do not add an \"Other\" choice.",
        askback: "\
It ends your turn; their answer arrives as the next user message. It must be the only tool call of your \
message: a question beside other calls is refused and nothing is asked. Not available to sub-agents.",
        client: "\
The result of the call is their answer: a label, several labels on lines of their own, or their own words.",
    },
    shape: &SHAPE,
};

pub(super) const GUIDANCE: HostText = HostText {
    always: "\
To let the user decide what happens next, call question. If they reject it, wait for what they say next \
and do not ask the same again.",
    askback: "\
Make it the only tool call of your message and end your turn there. Their answer comes as an ordinary user \
message: a label, several labels on lines of their own, or their own words.",
    client: "",
};

pub(super) const TEXT_ALIASES: &[&str] = &["text", "prompt", "message", "query", "questiontext"];
pub(super) const HEADER_ALIASES: &[&str] = &["title", "label", "shortlabel", "chip", "tag", "name"];
pub(super) const OPTIONS_ALIASES: &[&str] = &["choices", "items", "alternatives", "selections"];
pub(super) const SEVERAL_ALIASES: &[&str] = &[
    "multiple",
    "multi",
    "multiselect",
    "allowmultiple",
    "several",
];
pub(super) const LABEL_ALIASES: &[&str] = &[
    "header", "title", "text", "name", "option", "value", "choice", "key", "id",
];
pub(super) const DESCRIPTION_ALIASES: &[&str] =
    &["desc", "detail", "details", "explanation", "hint", "help"];

const SHAPE: Shape = Shape::object(&[
    field! {
        /// A short label for the question.
        optional "header", HEADER_ALIASES, Shape::label(limits::QUESTION_LABEL_CHARS_MAX)
    },
    field! {
        /// The whole question as the user reads it.
        required "question", TEXT_ALIASES, Shape::prose(limits::SHORT_QUESTION_CHARS_MAX)
    },
    field! {
        /// The choices, each different from the others.
        required "options", OPTIONS_ALIASES,
        Shape::List { item: &OPTION, min: 1, max: limits::QUESTION_CHOICES_MAX }
    },
    field! {
        /// Whether the user may take several choices. False if left out.
        optional "multiple", SEVERAL_ALIASES, Shape::Bool
    },
    field! {
        /// Whether the user may type an answer of their own. True if left out.
        optional "custom", &["allowother", "allowcustom", "isother", "freetext"], Shape::Bool
    },
]);

const OPTION: Shape = Shape::object_or_text(
    "label",
    &[
        field! {
            /// What the button says and what the answer will be.
            required "label", LABEL_ALIASES, Shape::label(limits::QUESTION_LABEL_CHARS_MAX)
        },
        field! {
            /// What the choice means or leads to.
            optional "description", DESCRIPTION_ALIASES, Shape::prose(limits::DESCRIPTION_CHARS_MAX)
        },
    ],
);

pub(super) fn build(reader: &mut InputReader, mut input: Object) -> Option<Inquiry> {
    let form = ChoiceForm {
        field: "options",
        max: limits::QUESTION_CHOICES_MAX,
        several: input.bool("multiple").unwrap_or(false),
        own_text: input.bool("custom").unwrap_or(true),
        badge_suffix: false,
    };
    let kind = build_choices(reader, &mut input, &form);
    let question = Question {
        id: QuestionId::at(0),
        header: input.text("header"),
        text: input.text("question")?,
        context: None,
        placeholder: None,
        skippable: false,
        kind: Kind::Choice(kind),
    };
    Some(Inquiry::new(Dialect::Question, None, vec![question]))
}

/// The user message that an answer becomes: labels on lines of their own, own text last.
pub(super) fn user_message(inquiry: &Inquiry, answers: &Answers) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (question, answer) in answers.with_questions(inquiry) {
        lines.extend(message_lines(question, answer));
    }
    lines.join("\n")
}

fn message_lines(question: &Question, answer: &Answer) -> Vec<String> {
    let mut lines = answer.given.display_parts(question);
    let note = answer.note.as_ref().map(Text::as_str);
    lines.extend(
        note.into_iter()
            .flat_map(|note| [String::new(), format!("Note: {note}")]),
    );
    lines
}
