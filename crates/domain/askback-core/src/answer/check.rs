//! Checks raw answers against the stored questions. The only way to an [`Answers`].

use jiff::civil::Date;
use serde_json::Value;

use super::pattern::compile_pattern;
use super::problem::{AnswerError, AnswerProblem, ExpectedAnswer};
use super::read::{self, RawAnswer};
use super::typed_choices::ShownChoices;
use super::{Answer, AnswerValue, Answers};
use crate::input_parser::InputParser;
use crate::inquiry::Inquiry;
use crate::limits;
use crate::number::{DecimalMark, Number};
use crate::question::{ChoiceKind, DateRules, Kind, NumberRules, Question, TextRules};
use crate::text::{Lines, Text};

impl Answers {
    /// Reads and checks the answers in a request: an object keyed by question id or text.
    ///
    /// Every misfit is reported, not only the first, so that a person corrects them in one go.
    pub fn from_json(
        inquiry: &Inquiry,
        answers: &Value,
        notes: Option<&Value>,
    ) -> Result<Answers, Vec<AnswerError>> {
        let notes = notes.filter(|notes| !notes.is_null());
        let (raw, mut errors) = read::read_answers(inquiry, answers, notes);
        match Answers::check(inquiry, &raw) {
            Ok(answers) if errors.is_empty() => Ok(answers),
            Err(misfits) if errors.is_empty() => Err(misfits),
            verdict => {
                // What could not be read is missing here, and has been reported already.
                let misfits = verdict.err().unwrap_or_default().into_iter();
                errors.extend(misfits.filter(|misfit| misfit.question.is_some()));
                Err(errors)
            }
        }
    }

    /// The answers of a request, with everything that somebody typed replaced by what it says in their language. What cannot be
    /// read is refused by [`Answers::from_json`].
    pub fn parse_typed(inquiry: &Inquiry, answers: Value, parser: &InputParser) -> Value {
        read::parse_typed(inquiry, answers, parser)
    }

    /// The questions to which `answers` has neither an answer nor a skip. None if `answers` cannot be read.
    pub fn open_questions<'i>(inquiry: &'i Inquiry, answers: &Value) -> Vec<&'i Question> {
        let (raw, errors) = read::read_answers(inquiry, answers, None);
        if !errors.is_empty() {
            return Vec::new();
        }
        let is_open = |raw: Option<&RawAnswer>| raw.is_none_or(|it| !it.skipped && is_blank(it));
        let questions = inquiry.questions().iter().enumerate();
        let open = questions.filter(|(at, _)| is_open(raw.get(*at).and_then(Option::as_ref)));
        open.map(|(_, question)| question).collect()
    }

    /// Checks one raw answer for each question, in the order of the questions.
    pub fn check(
        inquiry: &Inquiry,
        raw: &[Option<RawAnswer>],
    ) -> Result<Answers, Vec<AnswerError>> {
        let mut answers = Vec::with_capacity(inquiry.questions().len());
        let mut errors = Vec::new();
        for (index, question) in inquiry.questions().iter().enumerate() {
            match check_answer(question, raw.get(index).and_then(Option::as_ref)) {
                Ok(answer) => answers.push(answer),
                Err(problem) => errors.push(AnswerError::on(question, problem)),
            }
        }
        // Where skipping everything has no result of its own, it is a decline and must be sent as one.
        let skip_is_result = inquiry.dialect().has_skip_result()
            && answers
                .iter()
                .all(|answer| answer.given == AnswerValue::Skipped);
        let answered = answers.iter().any(|answer| answer.given.is_answer());
        if errors.is_empty() && !answered && !skip_is_result {
            errors.push(AnswerError::whole(AnswerProblem::NothingAnswered));
        }
        if errors.is_empty() {
            Ok(Answers(answers))
        } else {
            Err(errors)
        }
    }
}

impl AnswerError {
    pub(super) fn whole(problem: AnswerProblem) -> AnswerError {
        AnswerError {
            question: None,
            name: String::new(),
            problem,
            message: None,
        }
    }

    pub(crate) fn on(question: &Question, problem: AnswerProblem) -> AnswerError {
        let message = if problem.is_rule() {
            rule_message(question).cloned()
        } else {
            None
        };
        AnswerError {
            question: Some(question.id.clone()),
            name: question.name().to_owned(),
            problem,
            message,
        }
    }
}

fn rule_message(question: &Question) -> Option<&Text> {
    match &question.kind {
        Kind::Choice(_) => None,
        Kind::Text(rules) => rules.message.as_ref(),
        Kind::Number(rules) => rules.message.as_ref(),
        Kind::Date(rules) | Kind::DateRange(rules) => rules.message.as_ref(),
    }
}

/// Checks the answer to one question; nothing at all is an unanswered question.
pub(crate) fn check_answer(
    question: &Question,
    raw: Option<&RawAnswer>,
) -> Result<Answer, AnswerProblem> {
    let empty = RawAnswer::default();
    let raw = raw.unwrap_or(&empty);
    let given = if raw.skipped {
        check_skip(question, raw)?
    } else if is_blank(raw) {
        AnswerValue::Unanswered
    } else {
        check_type(question, raw)?;
        check_given(question, raw)?
    };
    Ok(Answer {
        question: question.id.clone(),
        given,
        note: check_note(raw)?,
    })
}

fn check_given(question: &Question, raw: &RawAnswer) -> Result<AnswerValue, AnswerProblem> {
    match &question.kind {
        Kind::Choice(kind) => check_choice(kind, raw),
        Kind::Text(rules) => check_text(rules, raw.text.as_deref().unwrap_or_default()),
        Kind::Number(rules) => check_number(rules, raw.number.as_ref()),
        Kind::Date(rules) => Ok(AnswerValue::Date {
            date: check_date(rules, raw.date.as_deref().unwrap_or_default())?,
        }),
        Kind::DateRange(rules) => {
            let start = check_date(rules, raw.start.as_deref().unwrap_or_default())?;
            let end = check_date(rules, raw.end.as_deref().unwrap_or_default())?;
            if end < start {
                return Err(AnswerProblem::EndBeforeStart);
            }
            Ok(AnswerValue::DateRange { start, end })
        }
    }
}

fn is_blank(raw: &RawAnswer) -> bool {
    raw.values.is_none()
        && raw.own.is_none()
        && raw.text.is_none()
        && raw.number.is_none()
        && raw.date.is_none()
        && raw.start.is_none()
        && raw.end.is_none()
}

fn check_skip(question: &Question, raw: &RawAnswer) -> Result<AnswerValue, AnswerProblem> {
    if !is_blank(raw) {
        return Err(AnswerProblem::SkippedAndAnswered);
    }
    if question.skippable {
        Ok(AnswerValue::Skipped)
    } else {
        Err(AnswerProblem::CannotSkip)
    }
}

/// Refuses fields that belong to another kind of question.
fn check_type(question: &Question, raw: &RawAnswer) -> Result<(), AnswerProblem> {
    let choices = raw.values.is_some() || raw.own.is_some();
    let range = raw.start.is_some() || raw.end.is_some();
    let wants = read::wants(question);
    let given = [
        (ExpectedAnswer::Choices, choices),
        (ExpectedAnswer::Text, raw.text.is_some()),
        (ExpectedAnswer::Number, raw.number.is_some()),
        (ExpectedAnswer::Date, raw.date.is_some()),
        (ExpectedAnswer::DateRange, range),
    ];
    let fits = given
        .iter()
        .all(|(kind, present)| *present == (*kind == wants));
    if fits {
        Ok(())
    } else {
        Err(AnswerProblem::WrongType { wants })
    }
}

fn check_choice(kind: &ChoiceKind, raw: &RawAnswer) -> Result<AnswerValue, AnswerProblem> {
    let named = raw.values.as_deref().unwrap_or_default();
    let mut taken = vec![false; kind.choices.len()];
    for word in named {
        let Some(named) = kind.named(word) else {
            return Err(unknown_choice(kind));
        };
        for (taken, choice) in taken.iter_mut().zip(&kind.choices) {
            *taken |= choice.value == named.value;
        }
    }
    if !kind.several && taken.iter().filter(|taken| **taken).count() > 1 {
        return Err(AnswerProblem::OneChoiceOnly);
    }
    let own = check_own_text(kind, raw.own.as_deref())?;
    // Whoever types the label of a choice means that choice.
    let own_name = own.as_ref().map(Text::as_str);
    let meant = own_name.and_then(|own| ShownChoices::of(kind).named_row(own));
    if let Some(meant) = meant {
        for (row, taken) in taken.iter_mut().enumerate() {
            *taken = row == meant || (*taken && kind.several);
        }
    }
    let own = own.filter(|_| meant.is_none());
    let mut chosen: Vec<_> = kind
        .choices
        .iter()
        .zip(&taken)
        .filter_map(|(c, t)| t.then_some(c))
        .collect();
    if !kind.several && own.is_some() {
        // With a single answer, own text stands instead of a choice.
        chosen.clear();
    }
    if let Some(exclusive) = chosen.iter().find(|choice| choice.exclusive)
        && (chosen.len() > 1 || own.is_some())
    {
        return Err(AnswerProblem::Exclusive {
            label: exclusive.label.clone(),
        });
    }
    if chosen.is_empty() && own.is_none() {
        return Err(AnswerProblem::Empty);
    }
    Ok(AnswerValue::Chosen {
        values: chosen
            .into_iter()
            .map(|choice| choice.value.clone())
            .collect(),
        own,
    })
}

fn unknown_choice(kind: &ChoiceKind) -> AnswerProblem {
    let labels = kind
        .choices
        .iter()
        .map(|choice| choice.label.clone())
        .collect();
    AnswerProblem::UnknownChoice { labels }
}

fn check_own_text(kind: &ChoiceKind, other: Option<&str>) -> Result<Option<Text>, AnswerProblem> {
    let Some(own) = other.and_then(|other| Text::clean(other, Lines::Many)) else {
        return Ok(None);
    };
    if !kind.own_text {
        return Err(unknown_choice(kind));
    }
    if own.chars() > limits::OWN_TEXT_CHARS_MAX {
        return Err(AnswerProblem::TooLong {
            max: limits::OWN_TEXT_CHARS_MAX,
        });
    }
    Ok(Some(own))
}

fn check_text(rules: &TextRules, text: &str) -> Result<AnswerValue, AnswerProblem> {
    let text = Text::clean(text, Lines::Many).ok_or(AnswerProblem::Empty)?;
    let chars = text.chars();
    if let Some(min) = rules.min_length.filter(|min| chars < *min) {
        return Err(AnswerProblem::TooShort { min });
    }
    let max = rules.max_length.unwrap_or(limits::OWN_TEXT_CHARS_MAX);
    if chars > max {
        return Err(AnswerProblem::TooLong { max });
    }
    if let Some(pattern) = &rules.pattern
        && !compile_pattern(pattern).is_some_and(|regex| regex.is_match(text.as_str()))
    {
        return Err(AnswerProblem::PatternMismatch);
    }
    Ok(AnswerValue::Text { text })
}

fn check_number(rules: &NumberRules, raw: Option<&Value>) -> Result<AnswerValue, AnswerProblem> {
    let number = match raw {
        Some(Value::Number(number)) => Number::from_json(number),
        Some(Value::String(typed)) => Number::parse(typed, DecimalMark::Point),
        _ => None,
    };
    let number = number.ok_or(AnswerProblem::NotANumber)?;
    check_number_rules(rules, number)?;
    Ok(AnswerValue::Number { number })
}

pub(crate) fn check_number_rules(rules: &NumberRules, number: Number) -> Result<(), AnswerProblem> {
    if rules.integer && !number.is_whole() {
        return Err(AnswerProblem::NotWhole);
    }
    if let Some(min) = rules.min.filter(|min| number < *min) {
        return Err(AnswerProblem::TooSmall { min });
    }
    if let Some(max) = rules.max.filter(|max| number > *max) {
        return Err(AnswerProblem::TooLarge { max });
    }
    if let Some(step) = rules
        .step
        .filter(|step| !is_on_step(number, rules.min, *step))
    {
        return Err(AnswerProblem::NotOnStep { step });
    }
    Ok(())
}

/// Whether `number` is a whole number of steps away from `min`, within what doubles can tell.
fn is_on_step(number: Number, min: Option<Number>, step: Number) -> bool {
    if let (Number::Whole(number), Number::Whole(step)) = (number, step)
        && let Number::Whole(min) = min.unwrap_or(Number::Whole(0))
        && step != 0
    {
        return (i128::from(number) - i128::from(min)) % i128::from(step) == 0;
    }
    let (number, step) = (number.as_f64(), step.as_f64());
    let min = min.map_or(0.0, Number::as_f64);
    let steps = (number - min) / step;
    // Each of the three operands is off by half a unit in its last place at most.
    let tolerance = 4.0 * f64::EPSILON * (number.abs() + min.abs()) / step;
    (steps - steps.round()).abs() <= tolerance
}

fn check_date(rules: &DateRules, typed: &str) -> Result<Date, AnswerProblem> {
    let date: Date = parse_iso_date(typed).ok_or(AnswerProblem::NotADate)?;
    if let Some(min) = rules.min.filter(|min| date < *min) {
        return Err(AnswerProblem::TooEarly { min });
    }
    if let Some(max) = rules.max.filter(|max| date > *max) {
        return Err(AnswerProblem::TooLate { max });
    }
    Ok(date)
}

/// A day as `YYYY-MM-DD` and nothing else: a time of day would be dropped without a word.
pub(crate) fn parse_iso_date(typed: &str) -> Option<Date> {
    let typed = typed.trim();
    let digits = typed.len() == 10
        && typed
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
    if digits { typed.parse().ok() } else { None }
}

fn check_note(raw: &RawAnswer) -> Result<Option<Text>, AnswerProblem> {
    let note = raw
        .note
        .as_deref()
        .and_then(|note| Text::clean(note, Lines::Many));
    if note
        .as_ref()
        .is_some_and(|note| note.chars() > limits::NOTE_CHARS_MAX)
    {
        return Err(AnswerProblem::NoteTooLong {
            max: limits::NOTE_CHARS_MAX,
        });
    }
    Ok(note)
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
