//! Numbers and dates as a person typed them: an answer may have `typed` instead of `number` or `date`, and
//! `typed_start` and `typed_end` instead of `start` and `end`. They are parsed here by the conventions of the
//! person's language, so that all surfaces accept the same input.

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};
use askback_locale::Locale;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

/// Replaces text that cannot be parsed. The check then refuses it.
const UNPARSEABLE: &str = "?";

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

    /// Replaces typed values by parsed ones.
    pub(crate) fn parse(self, inquiry: &Inquiry, mut answers: Value) -> Value {
        if let Value::Object(entries) = &mut answers {
            let typing = self.input_parser();
            for (key, answer) in entries {
                if let (Some(question), Value::Object(fields)) =
                    (inquiry.question_named(key), answer)
                {
                    parse_fields(question, fields, &typing);
                }
            }
        }
        answers
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
            let typed = typed_text(inquiry, answers, error);
            match typed.and_then(|typed| locale.ambiguous_number(typed, &typing)) {
                Some(words) if error.problem == AnswerProblem::NotANumber => words,
                _ => locale.problem(error, inquiry.questions()),
            }
        });
        Some(words.collect())
    }

    /// The day that [`TypedAnswerParser::parse`] makes of a text, or why it is none.
    pub(crate) fn date(self, typed: &str) -> Result<Date, String> {
        let typing = self.input_parser();
        let locale = self.locale.unwrap_or_else(|| Locale::choose(&[]));
        typing
            .date(typed)
            .ok_or_else(|| locale.date_problem(typed, &typing))
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
    answer.get("typed")?.as_str()
}

/// Fields that do not belong to the question stay, and are refused by the check.
fn parse_fields(question: &Question, fields: &mut Map<String, Value>, typing: &InputParser) {
    let date = |typed: &str| typing.date(typed).map(|date| date.to_string());
    match &question.kind {
        Kind::Number(rules) => replace(fields, "typed", "number", |typed| {
            typing.number(typed, rules).map(|number| number.to_string())
        }),
        Kind::Date(_) => replace(fields, "typed", "date", date),
        Kind::DateRange(_) => {
            replace(fields, "typed_start", "start", date);
            replace(fields, "typed_end", "end", date);
        }
        Kind::Choice(_) | Kind::Text(_) => {}
    }
}

/// Parses the field `from` into the field `to`. An empty field counts as missing.
fn replace(
    fields: &mut Map<String, Value>,
    from: &str,
    to: &str,
    read: impl Fn(&str) -> Option<String>,
) {
    if fields.contains_key(to) {
        return;
    }
    let Some(Value::String(typed)) = fields.get(from) else {
        return;
    };
    let parsed = if typed.trim().is_empty() {
        None
    } else {
        Some(read(typed).unwrap_or_else(|| UNPARSEABLE.to_owned()))
    };
    fields.remove(from);
    if let Some(parsed) = parsed {
        fields.insert(to.to_owned(), Value::String(parsed));
    }
}

#[cfg(test)]
#[path = "typed_answers_tests.rs"]
mod tests;
