//! Answers of a request as a person typed them, and what is wrong with them, in the person's language.

use askback_core::answer::{AnswerError, AnswerProblem, Answers};
use askback_core::input_parser::InputParser;
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
    /// `None` if the request has no `locale`.
    pub(crate) locale: Option<Locale>,
    today: Date,
}

impl TypedAnswerParser {
    /// `today` defaults to the date where the server runs.
    pub(crate) fn new(
        locale: Option<&str>,
        today: Option<Date>,
        now: Timestamp,
    ) -> TypedAnswerParser {
        TypedAnswerParser {
            locale: locale.map(|tag| Locale::choose(&[tag])),
            today: today.unwrap_or_else(|| now.to_zoned(TimeZone::system()).date()),
        }
    }

    /// Replaces what was typed by what it says.
    pub(crate) fn parse(self, inquiry: &Inquiry, answers: Value) -> Value {
        Answers::parse_typed(inquiry, answers, &self.input_parser())
    }

    /// What is wrong with each answer, in the language of the person. `answers` are those of the
    /// request, before [`TypedAnswerParser::parse`].
    pub(crate) fn problems(
        self,
        inquiry: &Inquiry,
        answers: &Value,
        errors: &[AnswerError],
    ) -> Option<Vec<String>> {
        let locale = self.locale?;
        let typing = self.input_parser();
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
        Some(words.collect())
    }

    /// The day that [`TypedAnswerParser::parse`] makes of a text, both days of a range, or why it is neither.
    pub(crate) fn date(self, typed: &str) -> TypedDateResponse {
        let typing = self.input_parser();
        let locale = self.locale.unwrap_or_else(|| Locale::choose(&[]));
        let range = typing.date_range(typed);
        let date = range.map(|(start, _)| start).or_else(|| typing.date(typed));
        TypedDateResponse {
            date,
            end: range.map(|(_, end)| end),
            problem: date.is_none().then(|| locale.date_problem(typed, &typing)),
        }
    }

    fn input_parser(self) -> InputParser {
        match self.locale {
            Some(locale) => locale.typing(self.today),
            None => InputParser::english(self.today),
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
