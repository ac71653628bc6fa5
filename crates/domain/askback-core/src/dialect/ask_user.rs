//! `ask_user`: one question of any type with validation; the answer comes back as a JSON status.

use serde::Serialize;

use super::Dialect;
use super::choices::{ChoiceForm, build_choices};
use super::rules;
use crate::answer::{Answers, PlainValue};
use crate::contract::{
    Contract, EnumValue, HostText, InputAuthor, InputReader, Object, ParseProblemCode, PathSegment,
    Shape, field,
};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::{Choice, ChoiceKind, Kind, Question, QuestionId};
use crate::text::Text;

pub(super) const CONTRACT: Contract = Contract {
    name: "ask_user",
    author: InputAuthor::Model,
    description: HostText {
        always: "\
Asks the user one clarifying question in a form that suits the answer, then returns it. Set \
input_type to single_select or multi_select and give options whenever the likely answers are known: \
choosing is faster than typing. Use text for open questions, and number, date or date_range where \
only those make sense. Keep the question short and do not repeat what the user wrote; say in context \
why you ask if it is not obvious. Set allow_other if the answer may not be among the options, and \
allow_skip if you can do without it.",
        askback: "At most 10 questions in one conversation. Not available to sub-agents.",
        client: "At most 10 questions in one session.",
    },
    shape: &SHAPE,
};

pub(super) const GUIDANCE: HostText = HostText {
    always: "\
When something you need is missing or ambiguous, ask with ask_user instead of guessing. One short \
question at a time, in a form that suits the answer: give options with input_type single_select or \
multi_select wherever the likely answers are known, use date, date_range and number for those, and \
text only for what is truly open. Set allow_other when a user may want something that is not listed. \
A skipped question is not an answer.",
    askback: "After 10 questions in a conversation, go on with what you know.",
    client: "After 10 questions in a session, go on with what you know.",
};

const SHAPE: Shape = Shape::object(&[
    field! {
        /// The question, short and direct.
        required "question", super::question::TEXT_ALIASES, Shape::prose(limits::SHORT_QUESTION_CHARS_MAX)
    },
    field! {
        /// How the user answers. Text if left out, single_select if there are options.
        optional "input_type", &["type", "inputtype", "kind", "answertype"], Shape::Enum(INPUT_TYPES)
    },
    field! {
        /// The choices of single_select and multi_select.
        optional "options", super::question::OPTIONS_ALIASES,
        Shape::List { item: &OPTION, min: 0, max: limits::ASK_USER_CHOICES_MAX }
    },
    field! {
        /// Whether the user may type an answer that is not among the options. False if left out.
        optional "allow_other", &["custom", "allowcustom", "isother", "freetext"], Shape::Bool
    },
    field! {
        /// Whether the user may skip the question. False if left out.
        optional "allow_skip", &["skippable", "optional", "canskip"], Shape::Bool
    },
    field! {
        /// What an empty input field shows.
        optional "placeholder", &["example"], Shape::line(limits::HINT_CHARS_MAX)
    },
    field! {
        /// Why you ask.
        optional "context", &["reason", "why"], Shape::prose(limits::SHORT_QUESTION_CHARS_MAX)
    },
    field! {
        /// Rules for a text, number or date answer.
        optional "validation", &["rules", "validate"],
        Shape::object(rules::FIELDS)
    },
]);

const INPUT_TYPES: &[EnumValue] = &[
    EnumValue::new(
        "single_select",
        &["select", "choice", "radio", "dropdown", "single"],
    ),
    EnumValue::new(
        "multi_select",
        &["multiple", "checkbox", "multi", "multichoice"],
    ),
    EnumValue::new("text", &["textarea", "string", "freetext", "input"]),
    EnumValue::new("number", &["integer", "numeric"]),
    EnumValue::new("date", &[]),
    EnumValue::new("date_range", &["daterange", "period"]),
    EnumValue::new("confirm", &["boolean", "yesno"]),
];

const OPTION: Shape = Shape::object_or_text(
    "label",
    &[
        field! {
            /// What the user sees.
            required "label", super::question::LABEL_ALIASES, Shape::label(limits::ASK_USER_LABEL_CHARS_MAX)
        },
        field! {
            /// What comes back to you. The label if left out.
            optional "value", &[], Shape::line(limits::ASK_USER_LABEL_CHARS_MAX)
        },
        field! {
            /// What the choice means or leads to.
            optional "description", super::question::DESCRIPTION_ALIASES, Shape::prose(limits::DESCRIPTION_CHARS_MAX)
        },
    ],
);

pub(super) fn build(reader: &mut InputReader, mut input: Object) -> Option<Inquiry> {
    let input_type = input.enum_value("input_type");
    let mut form = ChoiceForm {
        field: "options",
        max: limits::ASK_USER_CHOICES_MAX,
        several: input_type == Some("multi_select"),
        own_text: input.bool("allow_other").unwrap_or(false),
        badge_suffix: false,
    };
    // A text question with options: let the user take a choice or write.
    form.own_text |= input_type == Some("text");
    let choices = build_choices(reader, &mut input, &form);
    let validation = input.object("validation").unwrap_or_default();
    if reader.has_problem_in("input_type") {
        return None;
    }
    let kind = build_kind(reader, input_type, choices, validation);
    let question = Question {
        id: QuestionId::at(0),
        header: None,
        text: input.text("question")?,
        context: input.text("context"),
        placeholder: input.text("placeholder"),
        skippable: input.bool("allow_skip").unwrap_or(false),
        kind,
    };
    Some(Inquiry::new(Dialect::AskUser, None, vec![question]))
}

fn build_kind(
    reader: &mut InputReader,
    input_type: Option<&'static str>,
    mut choices: ChoiceKind,
    validation: Object,
) -> Kind {
    let has_choices = !choices.choices.is_empty();
    let mut rules = rules::Rules::new(reader, Some("validation"), validation);
    let kind = match input_type {
        Some("single_select" | "multi_select") => {
            if !has_choices {
                refuse_without_choices(rules.reader);
            }
            Kind::Choice(choices)
        }
        Some("confirm") => {
            if !has_choices {
                choices.choices = vec![Choice::ours("yes", "Yes"), Choice::ours("no", "No")];
            }
            Kind::Choice(choices)
        }
        Some("number") => Kind::Number(rules.number()),
        Some("date") => Kind::Date(rules.date()),
        Some("date_range") => Kind::DateRange(rules.date()),
        None if has_choices => Kind::Choice(choices),
        Some(_) if has_choices => {
            let done = "offered the options of a text question as choices";
            rules.reader.repair(done);
            Kind::Choice(choices)
        }
        Some(_) | None => Kind::Text(rules.text()),
    };
    if has_choices && !matches!(kind, Kind::Choice(_)) {
        rules.reader.at(PathSegment::Field("options"), |r| {
            r.repair("ignored options that the input_type does not take");
        });
    }
    rules.note_unused();
    kind
}

fn refuse_without_choices(reader: &mut InputReader) {
    if reader.has_problem_in("options") {
        return;
    }
    reader.at(PathSegment::Field("options"), |reader| {
        reader.problem(
            ParseProblemCode::NoChoices,
            "is empty, so the user would have nothing to choose: add options, or use input_type \"text\".",
        );
    });
}

/// What the model is told, as one JSON object.
#[derive(Serialize)]
struct Report<'a> {
    status: &'a str,
    question: &'a Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<PlainValue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a Text>,
}

/// The result for answers: the value to go on with, and what the user saw.
pub(super) fn answered(inquiry: &Inquiry, answers: &Answers) -> String {
    let Some((question, answer)) = answers.with_questions(inquiry).next() else {
        return String::new();
    };
    if !answer.given.is_answer() {
        return status(inquiry, "user_skipped", SKIPPED, answer.note.as_ref());
    }
    let content = Report {
        status: "user_responded",
        question: &question.text,
        answer: Some(answer.given.plain(question)),
        display_text: Some(answer.given.display_parts(question).join(", ")),
        message: None,
        note: answer.note.as_ref(),
    };
    serde_json::to_string(&content).unwrap_or_default()
}

/// What a skip tells the model.
const SKIPPED: &str =
    "The user skipped this question. Nothing was chosen; go on without an answer.";

/// A result without an answer.
pub(super) fn status(
    inquiry: &Inquiry,
    status: &str,
    message: &str,
    note: Option<&Text>,
) -> String {
    let content = Report {
        status,
        question: &inquiry.questions()[0].text,
        answer: None,
        display_text: None,
        message: Some(message),
        note,
    };
    serde_json::to_string(&content).unwrap_or_default()
}
