//! What a typed text answers: choices, a number, a day, or both days of a range, in the language of whoever typed it. Every
//! surface on which people type reads texts here. `docs/answering.md` has the rules for people.

use jiff::civil::Date;

use super::problem::AnswerProblem;
use super::read::RawAnswer;
use super::typed_choices::ShownChoices;
use crate::input_parser::InputParser;
use crate::question::{Kind, Question};
use crate::text::{Lines, Text};

/// Stands for text that is no number or no day. The check would read the text by other rules, so it gets none.
const UNREADABLE: &str = "?";

impl InputParser {
    /// What a text says, if it is the whole answer to `question`. One day of a range is that day alone.
    pub fn answer(&self, question: &Question, typed: &str) -> Result<RawAnswer, AnswerProblem> {
        if Text::clean(typed, Lines::Many).is_none() {
            return Err(AnswerProblem::Empty);
        }
        let mut raw = RawAnswer::default();
        match &question.kind {
            Kind::Choice(kind) => {
                let shown = ShownChoices::of(kind).marked(&self.recommended);
                raw = shown.read(typed)?.to_raw(kind);
            }
            Kind::Text(_) => raw.text = Some(typed.to_owned()),
            Kind::Number(rules) => {
                let number = self.number(typed, rules);
                let number = number.ok_or(AnswerProblem::NotANumber)?;
                raw.number = serde_json::to_value(number).ok();
            }
            Kind::Date(_) => {
                let date = self.date(typed).ok_or(AnswerProblem::NotADate)?;
                raw.date = Some(date.to_string());
            }
            Kind::DateRange(_) => {
                let day = || self.date(typed).map(|day| (day, day));
                let range = self.date_range(typed).or_else(day);
                let (start, end) = range.ok_or(AnswerProblem::NotADate)?;
                raw = RawAnswer::range(start, end);
            }
        }
        Ok(raw)
    }

    /// What the two fields of a range say. The first may hold both days if the second is empty.
    pub(crate) fn two_days(&self, start: &str, end: &str) -> Result<RawAnswer, AnswerProblem> {
        let is_empty = |text: &str| text.trim().is_empty();
        if is_empty(start) && is_empty(end) {
            return Ok(RawAnswer::default());
        }
        let in_one = self.date_range(start).filter(|_| is_empty(end));
        let range = in_one.or_else(|| self.date(start).zip(self.date(end)));
        let (start, end) = range.ok_or(AnswerProblem::NotADate)?;
        Ok(RawAnswer::range(start, end))
    }
}

impl RawAnswer {
    fn range(start: Date, end: Date) -> RawAnswer {
        RawAnswer {
            start: Some(start.to_string()),
            end: Some(end.to_string()),
            ..RawAnswer::default()
        }
    }

    /// What stands for a text that is no answer to `question`. The check refuses it.
    pub(crate) fn unreadable(question: &Question) -> RawAnswer {
        let text = || Some(UNREADABLE.to_owned());
        let mut raw = RawAnswer::default();
        match &question.kind {
            Kind::Choice(_) => raw.values = Some(vec![UNREADABLE.to_owned()]),
            Kind::Text(_) => raw.text = Some(String::new()),
            Kind::Number(_) => raw.number = Some(UNREADABLE.into()),
            Kind::Date(_) => raw.date = text(),
            Kind::DateRange(_) => (raw.start, raw.end) = (text(), text()),
        }
        raw
    }
}

#[cfg(test)]
#[path = "typed_tests.rs"]
mod tests;
