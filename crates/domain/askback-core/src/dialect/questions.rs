//! `questions`: up to twenty questions of any kind, as programs send them and as replies of the API show them; the
//! answers come back as a JSON map from question id to value.

use serde::Serialize;

use super::Dialect;
use super::ask_result::InOrder;
use super::ask_user_question::{PREVIEW, refuse_same_question};
use super::choices::{ChoiceForm, build_choices};
use super::rules::{self, Rules};
use crate::answer::{Answers, PlainValue};
use crate::contract::{
    Contract, EnumValue, HostText, InputAuthor, InputReader, Object, ParseProblemCode, PathSegment,
    Shape, field,
};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::{ChoiceKind, InvalidQuestionId, Kind, Question, QuestionId, TextRules};
use crate::text::Text;

pub(super) const CONTRACT: Contract = Contract {
    name: "questions",
    author: InputAuthor::Program,
    description: HostText::everywhere(
        "Asks a person up to twenty questions of any kind, and returns one value for each.",
    ),
    shape: &SHAPE,
};

/// No model sees this contract.
pub(super) const GUIDANCE: HostText = HostText::everywhere("");

const SHAPE: Shape = Shape::object(&[field! {
    /// The questions, in the order in which to show them.
    required "questions", &[], Shape::List { item: &QUESTION, min: 1, max: limits::FORM_QUESTIONS_MAX }
}]);

const QUESTION: Shape = Shape::object(&[
    field! {
        /// The key of its answer: letters, digits, `_`, `-` and `.`. `q1`, `q2`, … by position if left out.
        optional "id", &[], Shape::RawString { max: limits::QUESTION_ID_CHARS_MAX }
    },
    field! {
        /// The whole question as the person reads it.
        required "text", &[], Shape::prose(limits::TEXT_CHARS_MAX)
    },
    field! {
        /// A short label for the question.
        optional "header", &[], Shape::label(limits::QUESTION_LABEL_CHARS_MAX)
    },
    field! {
        /// Why it is asked.
        optional "context", &[], Shape::prose(limits::TEXT_CHARS_MAX)
    },
    field! {
        /// What an empty field shows.
        optional "placeholder", &[], Shape::line(limits::HINT_CHARS_MAX)
    },
    field! {
        /// Whether it may be skipped. False if left out.
        optional "optional", &[], Shape::Bool
    },
    field! {
        /// What an answer looks like. If left out, `choice` if there are choices, else `text`.
        optional "kind", &[], Shape::Enum(KINDS)
    },
    field! {
        /// The choices of `choice`: texts, or objects. Of `confirm`, two: the first means true, the second false. If
        /// left out there, Yes and No.
        optional "choices", &[], Shape::List { item: &CHOICE, min: 0, max: limits::FORM_CHOICES_MAX }
    },
    field! {
        /// Whether several choices may be taken. False if left out.
        optional "several", &[], Shape::Bool
    },
    field! {
        /// Whether the person may write an answer that is not among the choices. False if left out.
        optional "own", &[], Shape::Bool
    },
    rules::MIN,
    rules::MAX,
    rules::MIN_LENGTH,
    rules::MAX_LENGTH,
    rules::PATTERN,
    rules::STEP,
    rules::INTEGER,
    rules::MESSAGE,
]);

const KINDS: &[EnumValue] = &[
    EnumValue::new("choice", &[]),
    EnumValue::new("text", &[]),
    EnumValue::new("number", &[]),
    EnumValue::new("date", &[]),
    EnumValue::new("date_range", &[]),
    EnumValue::new("confirm", &[]),
];

const CHOICE: Shape = Shape::object_or_text(
    "label",
    &[
        field! {
            /// What the person sees.
            required "label", &[], Shape::label(limits::TEXT_CHARS_MAX)
        },
        field! {
            /// What the answer is. The label if left out.
            optional "value", &[], Shape::line(limits::TEXT_CHARS_MAX)
        },
        field! {
            /// What the choice means or leads to.
            optional "description", &[], Shape::prose(limits::TEXT_CHARS_MAX)
        },
        PREVIEW,
        field! {
            /// Whether it is advised: a badge, never a tick.
            optional "recommended", &[], Shape::Bool
        },
        field! {
            /// Whether it cannot be combined with others. If left out, a label such as "None of these" is.
            optional "exclusive", &[], Shape::Bool
        },
    ],
);

pub(super) fn build(reader: &mut InputReader, mut input: Object) -> Option<Inquiry> {
    let mut questions: Vec<Question> = Vec::new();
    for (place, item) in input.indexed_objects("questions") {
        let question = reader.at(PathSegment::Field("questions"), |reader| {
            reader.at(PathSegment::Item(place), |reader| {
                let question = build_question(reader, item, QuestionId::at(place))?;
                refuse_same_id(reader, &questions, &question);
                refuse_same_question(reader, &questions, &question);
                Some(question)
            })
        });
        questions.extend(question);
    }
    (!questions.is_empty()).then(|| Inquiry::new(Dialect::Questions, None, questions))
}

/// Builds one question, with `id` if it has none of its own.
fn build_question(reader: &mut InputReader, mut item: Object, id: QuestionId) -> Option<Question> {
    let id = match item.raw_string("id").map(QuestionId::try_from) {
        None => id,
        Some(Ok(id)) => id,
        Some(Err(InvalidQuestionId)) => {
            reader.at(PathSegment::Field("id"), |reader| {
                let hint = format!("{InvalidQuestionId}.");
                reader.problem(ParseProblemCode::BadId, hint);
            });
            id
        }
    };
    Some(Question {
        id,
        header: item.text("header"),
        context: item.text("context"),
        placeholder: item.text("placeholder"),
        skippable: item.bool("optional").unwrap_or(false),
        text: item.text("text")?,
        kind: build_kind(reader, item),
    })
}

fn build_kind(reader: &mut InputReader, mut item: Object) -> Kind {
    if reader.has_problem_in("kind") {
        return Kind::Text(TextRules::default());
    }
    let has_choices =
        item.names().any(|name| name == "choices") || reader.has_problem_in("choices");
    let inferred = if has_choices { "choice" } else { "text" };
    let kind = item.enum_value("kind").unwrap_or(inferred);
    let choices = match kind {
        "choice" => Some(build_choice(reader, &mut item)),
        "confirm" => Some(build_confirm(reader, &mut item)),
        _ => None,
    };
    let mut rules = Rules::new(reader, None, item);
    let built = match (choices, kind) {
        (Some(choices), _) => Kind::Choice(choices),
        (None, "number") => Kind::Number(rules.number()),
        (None, "date") => Kind::Date(rules.date()),
        (None, "date_range") => Kind::DateRange(rules.date()),
        (None, _) => Kind::Text(rules.text()),
    };
    rules.refuse_unused(kind);
    built
}

fn build_choice(reader: &mut InputReader, item: &mut Object) -> ChoiceKind {
    let form = ChoiceForm {
        several: item.bool("several").unwrap_or(false),
        own_text: item.bool("own").unwrap_or(false),
        ..CHOICES
    };
    let choices = build_choices(reader, item, &form);
    if choices.choices.is_empty() {
        let hint =
            "is empty, so there would be nothing to choose: add choices, or use the kind `text`.";
        refuse_choices(reader, ParseProblemCode::NoChoices, hint);
    }
    choices
}

fn build_confirm(reader: &mut InputReader, item: &mut Object) -> ChoiceKind {
    if !item.names().any(|name| name == "choices") {
        return ChoiceKind::yes_or_no();
    }
    let choices = build_choices(reader, item, &CHOICES);
    if choices.choices.len() != 2 {
        let hint = "must be two, for true and false: send both, or leave it out for Yes and No.";
        refuse_choices(reader, ParseProblemCode::NotTwoChoices, hint);
    }
    ChoiceKind {
        confirm: true,
        ..choices
    }
}

const CHOICES: ChoiceForm = ChoiceForm {
    field: "choices",
    max: limits::FORM_CHOICES_MAX,
    several: false,
    own_text: false,
    badge_suffix: false,
};

/// Notes what is wrong with the number of choices, unless some of them could not be read.
fn refuse_choices(reader: &mut InputReader, code: ParseProblemCode, hint: &str) {
    if !reader.has_problem_in(CHOICES.field) {
        reader.at(PathSegment::Field(CHOICES.field), |r| r.problem(code, hint));
    }
}

/// Refuses a second question with one id, given or by position: their answers could not be told apart.
fn refuse_same_id(reader: &mut InputReader, earlier: &[Question], question: &Question) {
    if earlier.iter().any(|other| other.id == question.id) {
        let id = &question.id;
        let hint = format!(
            "is `{id}`, as that of an earlier question: give each its own. Without one, it is q1, q2, … by position."
        );
        reader.at(PathSegment::Field("id"), |reader| {
            reader.problem(ParseProblemCode::DuplicateId, hint);
        });
    }
}

/// The result for answers: `{"answers": {id: value}}`, in the order of the questions.
pub(super) fn answered(inquiry: &Inquiry, answers: &Answers) -> String {
    #[derive(Serialize)]
    struct Content<'a> {
        answers: InOrder<&'a QuestionId, PlainValue<'a>>,
        #[serde(skip_serializing_if = "InOrder::is_empty")]
        notes: InOrder<&'a QuestionId, &'a Text>,
    }
    let pairs = || answers.with_questions(inquiry);
    let values = pairs().map(|(question, answer)| (&question.id, answer.given.plain(question)));
    let notes =
        pairs().filter_map(|(question, answer)| Some((&question.id, answer.note.as_ref()?)));
    let content = Content {
        answers: InOrder(values.collect()),
        notes: InOrder(notes.collect()),
    };
    serde_json::to_string(&content).unwrap_or_default()
}
