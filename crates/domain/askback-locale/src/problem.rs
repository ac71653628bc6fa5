//! What is wrong with an answer, in words for the person who gave it.

use std::fmt::Display;

use askback_core::answer::{AnswerError, AnswerProblem, ExpectedAnswer};
use askback_core::input_parser::InputParser;
use askback_core::limits;
use askback_core::question::Question;

use crate::arg::Arg;
use crate::locale::Locale;

/// A question without a header is named by this many characters of its text.
const NAME_CHARS_MAX: usize = 40;

/// The beginning of the question, to tell it from the others.
fn short_text(question: &Question) -> String {
    let text = question.text_as_name();
    match text.char_indices().nth(NAME_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl Locale {
    /// What is wrong with an answer, without a full stop. It names the question, which is looked
    /// up in `questions`, and never repeats the answer. The agent's own words come first.
    pub fn problem(self, error: &AnswerError, questions: &[Question]) -> String {
        if let Some(message) = &error.message {
            return message.as_str().to_owned();
        }
        self.named_problem(&self.question_name(error, questions), &error.problem)
    }

    /// What is wrong with what has this name: a question, or one of its fields.
    pub fn named_problem(self, name: &str, problem: &AnswerProblem) -> String {
        let (id, detail) = self.wording(problem);
        let mut args = vec![("name", Arg::from(name))];
        args.extend(detail);
        self.text(id, &args)
    }

    /// What is wrong with a typed answer. A text that is no date gets an example, and a day that its
    /// month does not have is named. Of a number that can be read in two ways, both are named.
    pub fn typed_problem(
        self,
        error: &AnswerError,
        questions: &[Question],
        typed: &str,
        parser: &InputParser,
    ) -> String {
        if error.message.is_none() && error.problem == AnswerProblem::NotADate {
            return self.date_problem(typed, parser);
        }
        let readings = if error.problem == AnswerProblem::NotANumber {
            self.ambiguous_number(typed, parser)
        } else {
            None
        };
        readings.unwrap_or_else(|| self.problem(error, questions))
    }

    /// Names both readings of a number that can be read in two ways.
    pub fn ambiguous_number(self, typed: &str, parser: &InputParser) -> Option<String> {
        let (grouped, decimal) = parser.ambiguous_number(typed)?;
        let args = [
            ("grouped", self.number(grouped).into()),
            ("decimal", self.number(decimal).into()),
        ];
        Some(self.text("number-ambiguous", &args))
    }

    /// Why a typed text is not a date: that its month has no such day, that it could be two days, or
    /// an example.
    pub fn date_problem(self, typed: &str, parser: &InputParser) -> String {
        let named = |month, day: i8| {
            [
                ("day", Arg::from(i64::from(day))),
                ("month", self.month_name(month).into()),
            ]
        };
        if let Some((year, month, day)) = parser.nonexistent_date(typed) {
            let mut args = Vec::from(named(month, day));
            args.push(("year", i64::from(year).into()));
            return self.text("date-does-not-exist", &args);
        }
        if let Some((month, day)) = parser.nonexistent_day(typed) {
            return self.text("date-day-does-not-exist", &named(month, day));
        }
        if let Some((one, other)) = parser.ambiguous_date(typed) {
            let args = [
                ("one", self.date_long(one).into()),
                ("other", self.date_long(other).into()),
                ("example", one.to_string().into()),
            ];
            return self.text("date-ambiguous", &args);
        }
        if parser.is_period(typed) {
            return self.text("date-is-period", &[]);
        }
        let args = [("tomorrow", self.tomorrow().into())];
        self.text("date-not-understood", &args)
    }

    /// What a message calls the question of an error.
    pub fn question_name(self, error: &AnswerError, questions: &[Question]) -> String {
        let asked = questions
            .iter()
            .find(|question| Some(&question.id) == error.question.as_ref());
        match asked {
            Some(question) => self.name_among(question, questions),
            None => error.name.clone(),
        }
    }

    /// What a message calls a question: its header, or if there are others the beginning of its text.
    pub fn name_among(self, question: &Question, questions: &[Question]) -> String {
        match &question.header {
            Some(header) => header.as_str().to_owned(),
            None if questions.len() > 1 => short_text(question),
            None => self.text("question-unnamed", &[]),
        }
    }

    /// The message for a problem, and what it says beside the name of the question.
    fn wording(
        self,
        problem: &AnswerProblem,
    ) -> (&'static str, Option<(&'static str, Arg<'static>)>) {
        let with = |id, name, arg: Arg<'static>| (id, Some((name, arg)));
        match problem {
            AnswerProblem::NothingAnswered => ("problem-nothing-answered", None),
            AnswerProblem::NotAnObject => ("problem-not-an-object", None),
            AnswerProblem::UnknownQuestion { known } => {
                with("problem-unknown-question", "known", listed(known).into())
            }
            AnswerProblem::AnsweredTwice => ("problem-answered-twice", None),
            AnswerProblem::Empty => ("problem-empty", None),
            AnswerProblem::CannotSkip => ("problem-cannot-skip", None),
            AnswerProblem::SkippedAndAnswered => ("problem-skipped-and-answered", None),
            AnswerProblem::UnknownChoice { labels } => {
                with("problem-unknown-choice", "labels", listed(labels).into())
            }
            AnswerProblem::AmbiguousChoice { lines } => with(
                "problem-ambiguous-choice",
                "lines",
                lines.join(" / ").into(),
            ),
            AnswerProblem::OneChoiceOnly => ("problem-one-choice-only", None),
            AnswerProblem::Exclusive { label } => {
                with("problem-exclusive", "label", label.to_string().into())
            }
            AnswerProblem::WrongType { wants } => {
                with("problem-wrong-type", "wants", wanted(*wants).into())
            }
            AnswerProblem::TooShort { min } => with("problem-too-short", "min", (*min).into()),
            AnswerProblem::TooLong { max } => with("problem-too-long", "max", (*max).into()),
            AnswerProblem::NoteTooLong { max } => {
                with("problem-note-too-long", "max", (*max).into())
            }
            AnswerProblem::PatternMismatch => ("problem-pattern-mismatch", None),
            AnswerProblem::TooSmall { min } => {
                with("problem-too-small", "min", self.number(*min).into())
            }
            AnswerProblem::TooLarge { max } => {
                with("problem-too-large", "max", self.number(*max).into())
            }
            AnswerProblem::NotWhole => ("problem-not-whole", None),
            AnswerProblem::NotOnStep { step } => {
                with("problem-not-on-step", "step", self.number(*step).into())
            }
            AnswerProblem::NotANumber => with("problem-not-a-number", "example", 3.5.into()),
            AnswerProblem::NotADate => ("problem-not-a-date", None),
            AnswerProblem::TooEarly { min } => {
                with("problem-too-early", "min", min.to_string().into())
            }
            AnswerProblem::TooLate { max } => {
                with("problem-too-late", "max", max.to_string().into())
            }
            AnswerProblem::EndBeforeStart => ("problem-end-before-start", None),
        }
    }
}

fn wanted(wants: ExpectedAnswer) -> &'static str {
    match wants {
        ExpectedAnswer::Choices => "choices",
        ExpectedAnswer::Text => "text",
        ExpectedAnswer::Number => "number",
        ExpectedAnswer::Date => "date",
        ExpectedAnswer::DateRange => "date-range",
    }
}

/// As many as a question may have choices, with commas between.
fn listed(items: &[impl Display]) -> String {
    let shown = items.iter().take(limits::ASK_USER_CHOICES_MAX);
    let shown: Vec<String> = shown.map(ToString::to_string).collect();
    shown.join(", ")
}
