//! What is wrong with a typed answer. The question is on the screen, so the text does not name it by
//! its own words; of two fields it names the one that is wrong.

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::draft::{Draft, DraftEntry};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};
use askback_locale::Locale;

pub(crate) fn problem_text(
    locale: Locale,
    parser: &InputParser,
    inquiry: &Inquiry,
    draft: &Draft,
    error: &AnswerError,
) -> String {
    let questions = inquiry.questions();
    let is_asked = |question: &Question| Some(&question.id) == error.question.as_ref();
    let at = questions.iter().position(is_asked);
    let asked = at.and_then(|at| Some((&questions[at], draft.entries.get(at)?)));
    let Some((question, entry)) = asked else {
        return locale.problem(error, questions);
    };
    // The agent's own words come first.
    let ours = error.message.is_none();
    match (&question.kind, &error.problem) {
        (Kind::DateRange(_), problem) if ours => {
            if let Some(field) = wrong_field(parser, entry, problem) {
                return field_problem(locale, parser, &field, problem);
            }
        }
        (Kind::Number(rules), AnswerProblem::TooSmall { .. } | AnswerProblem::TooLarge { .. })
            if ours =>
        {
            if let (Some(min), Some(max)) = (rules.min, rules.max) {
                let args = [
                    ("name", locale.question_name(error, questions).into()),
                    ("min", locale.number(min).into()),
                    ("max", locale.number(max).into()),
                ];
                return locale.text("problem-out-of-range", &args);
            }
        }
        _ => {}
    }
    if ours && error.problem == AnswerProblem::Empty && question.header.is_none() {
        return locale.text("problem-empty-here", &[]);
    }
    locale.typed_problem(error, questions, &entry.typed, parser)
}

/// A field of a date range.
struct Field<'a> {
    label: &'static str,
    typed: &'a str,
}

/// The first field of a date range that has this problem.
fn wrong_field<'a>(
    parser: &InputParser,
    entry: &'a DraftEntry,
    problem: &AnswerProblem,
) -> Option<Field<'a>> {
    let fields = [("from", &entry.typed), ("to", &entry.typed_end)];
    let mut fields = fields
        .map(|(label, typed)| Field { label, typed })
        .into_iter();
    fields.find(|field| {
        let date = parser.date(field.typed);
        let Some(date) = date else {
            return matches!(problem, AnswerProblem::Empty | AnswerProblem::NotADate);
        };
        matches!(problem, AnswerProblem::TooEarly { min } if date < *min)
            || matches!(problem, AnswerProblem::TooLate { max } if date > *max)
    })
}

fn field_problem(
    locale: Locale,
    parser: &InputParser,
    field: &Field<'_>,
    problem: &AnswerProblem,
) -> String {
    let label = locale.text(field.label, &[]);
    if field.typed.trim().is_empty() {
        return locale.named_problem(&label, &AnswerProblem::Empty);
    }
    if *problem != AnswerProblem::NotADate {
        return locale.named_problem(&label, problem);
    }
    let problem = locale.date_problem(field.typed, parser);
    let args = [("field", label.into()), ("problem", problem.into())];
    locale.text("problem-of-field", &args)
}
