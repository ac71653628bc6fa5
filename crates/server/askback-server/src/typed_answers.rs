//! Answers of a request as a person typed them, and what is wrong with them, in the person's language.

use askback_core::answer::{AnswerError, AnswerProblem, Answers};
use askback_core::inquiry::Inquiry;
use askback_locale::Locale;
use askback_wire::typed_date::TypedDateResponse;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

/// The language of a person and the date where they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TypedAnswerParser {
    locale: Locale,
    today: Date,
}

impl TypedAnswerParser {
    /// `locale` defaults to English, and `today` to the date where the server runs.
    pub(crate) fn new(
        locale: Option<&str>,
        today: Option<Date>,
        now: Timestamp,
    ) -> TypedAnswerParser {
        TypedAnswerParser {
            locale: Locale::choose(&[locale.unwrap_or_default()]),
            today: today.unwrap_or_else(|| now.to_zoned(TimeZone::system()).date()),
        }
    }

    /// Replaces what was typed by what it says.
    pub(crate) fn parse(self, inquiry: &Inquiry, answers: Value) -> Value {
        Answers::parse_typed(inquiry, answers, &self.locale.typing(self.today))
    }

    /// What is wrong with each answer, in the language of the person. `answers` are those of the
    /// request, before [`TypedAnswerParser::parse`].
    pub(crate) fn problems(
        self,
        inquiry: &Inquiry,
        answers: &Value,
        errors: &[AnswerError],
    ) -> Vec<String> {
        let locale = self.locale;
        let typing = locale.typing(self.today);
        let words = errors.iter().map(|error| {
            let questions = inquiry.questions();
            let Some(typed) = typed_text(inquiry, answers, error) else {
                return locale.problem(error, questions);
            };
            let problem = locale.typed_problem(error, questions, typed, &typing);
            if error.problem != AnswerProblem::NotADate || questions.len() == 1 {
                return problem;
            }
            let field = locale.question_name(error, questions);
            let args = [("field", field.into()), ("problem", problem.into())];
            locale.text("problem-of-field", &args)
        });
        words.collect()
    }

    /// The day that [`TypedAnswerParser::parse`] makes of a text, both days of a range, or why it is neither.
    pub(crate) fn date(self, typed: &str) -> TypedDateResponse {
        let typing = self.locale.typing(self.today);
        let range = typing.date_range(typed);
        let date = range.map(|(start, _)| start).or_else(|| typing.date(typed));
        TypedDateResponse {
            date,
            end: range.map(|(_, end)| end),
            problem: date
                .is_none()
                .then(|| self.locale.date_problem(typed, &typing)),
        }
    }
}

/// The text that was typed for the question of an error.
fn typed_text<'a>(inquiry: &Inquiry, answers: &'a Value, error: &AnswerError) -> Option<&'a str> {
    let is_asked = |key: &str| {
        let question = inquiry.question_named(key);
        question.is_some_and(|question| Some(&question.id) == error.question.as_ref())
    };
    let mut entries = answers.as_object()?.iter();
    let (_, answer) = entries.find(|(key, _)| is_asked(key))?;
    answer.as_str().or_else(|| answer.get("typed")?.as_str())
}

#[cfg(test)]
#[path = "typed_answers_tests.rs"]
mod tests;
