//! `ask_user_question`: one to four questions with two to four choices each; the answers come back
//! as a JSON map from question text to label.

use serde::Serialize;

use super::ask_result::InOrder;
use super::choices::{ChoiceForm, build_choices};
use super::{Dialect, NOT_FOR_SUB_AGENTS};
use crate::answer::{Answer, AnswerValue, Answers};
use crate::contract::{
    Contract, Field, HostText, InputAuthor, InputReader, Object, ParseProblemCode, PathSegment,
    Shape, field,
};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::lookalike::look_alike;
use crate::question::{Kind, Question, QuestionId};
use crate::text::Text;

pub(super) const CONTRACT: Contract = Contract {
    name: "ask_user_question",
    author: InputAuthor::Model,
    description: HostText {
        always: "\
Stops and asks the user one to four multiple-choice questions, then returns what they chose. \
Use it when the task can be done in several ways and the user's preference decides, or when a wrong \
guess would cost them work. Ask everything you need in one call, with two to four distinct choices \
for each question. Do not add an \"Other\" choice: the user can always type an answer of their own. \
The user may also decline to answer or leave single questions open; the result says so.",
        askback: NOT_FOR_SUB_AGENTS,
        client: "",
    },
    shape: &SHAPE,
};

pub(super) const GUIDANCE: HostText = HostText::everywhere(
    "\
When a decision belongs to the user and you cannot read it from the conversation or the files, ask \
with ask_user_question instead of guessing. Look first at what you can find out yourself. Put \
related questions into one call. Keep headers to one or two words and labels short; put the \
consequences of a choice into its description. Set multiSelect only where choices can be combined. \
A declined, skipped or unanswered question is not a choice: do not treat it as agreement.",
);

const SHAPE: Shape = Shape::object(&[questions(&QUESTION)]);

const QUESTION: Shape = Shape::object(&[
    TEXT,
    field! {
        /// A very short label for the question, shown as a tab.
        optional "header", super::question::HEADER_ALIASES, Shape::label(limits::LIST_HEADER_CHARS_MAX)
    },
    options(&OPTION),
    field! {
        /// Whether the user may take several choices. False if left out.
        optional "multiSelect", super::question::SEVERAL_ALIASES, Shape::Bool
    },
]);

/// The questions of either list dialect.
pub(super) const fn questions(item: &'static Shape) -> Field {
    field! {
        /// The questions to ask, in the order in which the user should see them.
        required "questions", &["question"], Shape::List { item, min: 1, max: limits::QUESTIONS_MAX }
    }
}

/// What either list dialect asks.
pub(super) const TEXT: Field = field! {
    /// The whole question as the user reads it.
    required "question", super::question::TEXT_ALIASES, Shape::prose(limits::TEXT_CHARS_MAX)
};

/// The choices of either list dialect.
pub(super) const fn options(item: &'static Shape) -> Field {
    field! {
        /// The choices, each different from the others, without an "Other".
        required "options", super::question::OPTIONS_ALIASES,
        Shape::List { item, min: limits::LIST_CHOICES_MIN, max: limits::LIST_CHOICES_MAX }
    }
}

const OPTION: Shape = Shape::object_or_text(
    "label",
    &[
        field! {
            /// What the user sees and what comes back: a few words.
            required "label", super::question::LABEL_ALIASES, Shape::label(limits::TEXT_CHARS_MAX)
        },
        field! {
            /// What the choice means or leads to.
            optional "description", super::question::DESCRIPTION_ALIASES, Shape::prose(limits::TEXT_CHARS_MAX)
        },
        PREVIEW,
    ],
);

pub(super) const PREVIEW: Field = field! {
    /// What the choice would look like: code, a diff, a sketch. Shown on demand.
    optional "preview", &[], Shape::prose(limits::PREVIEW_CHARS_MAX)
};

pub(super) fn build(reader: &mut InputReader, mut input: Object) -> Option<Inquiry> {
    build_list(reader, Dialect::AskUserQuestion, &mut input)
}

/// Builds the questions of either list dialect.
pub(super) fn build_list(
    reader: &mut InputReader,
    dialect: Dialect,
    input: &mut Object,
) -> Option<Inquiry> {
    let items = input.indexed_objects("questions");
    // Passing over one of several questions is an answer of its own; a single one is declined.
    let skippable = items.len() > 1;
    let mut questions = Vec::with_capacity(items.len());
    for (place, mut item) in items {
        let form = ChoiceForm {
            field: "options",
            max: limits::LIST_CHOICES_MAX,
            several: item.bool("multiSelect").unwrap_or(false),
            own_text: true,
            badge_suffix: dialect == Dialect::AskUserQuestionClaude,
        };
        reader.at(PathSegment::Field("questions"), |r| {
            r.at(PathSegment::Item(place), |r| {
                let kind = build_choices(r, &mut item, &form);
                let question = Question {
                    id: QuestionId::at(questions.len()),
                    header: item.text("header"),
                    text: item.text("question")?,
                    context: None,
                    placeholder: None,
                    skippable,
                    kind: Kind::Choice(kind),
                };
                refuse_same_question(r, &questions, &question);
                questions.push(question);
                Some(())
            })
        });
    }
    let source = input
        .object("metadata")
        .and_then(|mut metadata| metadata.text("source"));
    (!questions.is_empty()).then(|| Inquiry::new(dialect, source, questions))
}

fn looks_like(one: &Question, other: &Question) -> bool {
    let headers = one.header.as_ref().zip(other.header.as_ref());
    look_alike(&one.text, &other.text) || headers.is_some_and(|(one, other)| look_alike(one, other))
}

/// Refuses a second question with one text: their answers could not be told apart.
pub(super) fn refuse_same_question(
    reader: &mut InputReader,
    earlier: &[Question],
    question: &Question,
) {
    if earlier.iter().any(|other| other.text == question.text) {
        reader.problem(
            ParseProblemCode::DuplicateQuestion,
            "asks the same as an earlier question: word each differently.",
        );
    } else if earlier.iter().any(|other| looks_like(other, question)) {
        reader.problem(
            ParseProblemCode::DuplicateQuestion,
            "looks like an earlier question: texts or headers differ only in characters that look alike \
             or cannot be seen. Use other words.",
        );
    }
}

/// The result for answers: `{"answers": {question: label}}`, in the order of the questions.
pub(super) fn answered(inquiry: &Inquiry, answers: &Answers) -> String {
    #[derive(Serialize)]
    struct Content<'a> {
        answers: InOrder<&'a Text, String>,
        #[serde(skip_serializing_if = "InOrder::is_empty")]
        notes: InOrder<&'a Text, String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        skipped: Vec<&'a Text>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unanswered: Vec<&'a Text>,
    }
    let pairs = || answers.with_questions(inquiry);
    let texts = |given: AnswerValue| {
        pairs()
            .filter(move |(_, a)| a.given == given)
            .map(|(q, _)| &q.text)
            .collect()
    };
    let content = Content {
        answers: InOrder(
            pairs()
                .filter_map(|(q, a)| Some((&q.text, answer_text(q, a)?)))
                .collect(),
        ),
        notes: InOrder(
            pairs()
                .filter_map(|(q, a)| Some((&q.text, a.note.as_ref()?.to_string())))
                .collect(),
        ),
        skipped: texts(AnswerValue::Skipped),
        unanswered: texts(AnswerValue::Unanswered),
    };
    serde_json::to_string(&content).unwrap_or_default()
}

fn answer_text(question: &Question, answer: &Answer) -> Option<String> {
    answer
        .given
        .is_answer()
        .then(|| answer.given.display_parts(question).join(", "))
}
