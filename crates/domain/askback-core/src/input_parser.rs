//! Parses numbers and dates as people type them, in the same way on every surface.

mod date_range;
mod spoken_date;

use jiff::civil::{Date, Weekday};

pub use spoken_date::{DateWords, ENGLISH, Phrase, Unit};

use crate::answer::check_number_rules;
use crate::number::{DecimalMark, Number, TypedNumber, ascii_digit};
use crate::question::{NumberRules, RECOMMENDED_SUFFIX};

/// Parses typed numbers and dates by the conventions of one language, on a given day.
#[derive(Debug, Clone)]
pub struct InputParser {
    /// Today, where the respondent is.
    pub today: Date,
    /// What stands before decimals.
    pub decimal: DecimalMark,
    /// Which comes first in `3 4 2027`.
    pub order: DateOrder,
    /// Names and short names of the months, lower case, with the number of the month.
    pub months: Vec<(String, i8)>,
    /// The day with which a week begins.
    pub week_start: Weekday,
    /// What marks a recommended choice where it is shown.
    pub recommended: String,
    /// Words for days that depend on today. The first language that knows a word decides.
    pub words: Vec<&'static DateWords>,
}

/// The order of day and month in a numeric date. A year of four digits may lead or end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// Day, then month.
    #[default]
    DayMonth,
    /// Month, then day.
    MonthDay,
    /// The language is written in both ways: with slashes, only an unambiguous date is a date. With
    /// points and spaces the day comes first.
    Either,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl InputParser {
    /// English words and decimal point. Of `3/4/2027` nobody can tell which day it is.
    pub fn english(today: Date) -> InputParser {
        let numbered = MONTHS.iter().zip(1_i8..);
        let months = numbered.flat_map(|(name, number)| {
            [((*name).to_owned(), number), (name[..3].to_owned(), number)]
        });
        InputParser {
            today,
            decimal: DecimalMark::Point,
            order: DateOrder::Either,
            months: months.collect(),
            week_start: Weekday::Monday,
            recommended: RECOMMENDED_SUFFIX.to_owned(),
            words: vec![&ENGLISH],
        }
    }

    /// No words, and a decimal point: what means the same in every language and on every day.
    pub(crate) fn without_language() -> InputParser {
        InputParser {
            months: Vec::new(),
            words: Vec::new(),
            ..InputParser::english(Date::ZERO)
        }
    }

    /// The number that was typed. Of two readings, the one that the rules allow; `None` if they allow
    /// both or neither.
    pub fn number(&self, typed: &str, rules: &NumberRules) -> Option<Number> {
        match TypedNumber::parse(typed, self.decimal)? {
            TypedNumber::One(number) => Some(number),
            TypedNumber::Either { grouped, decimal } => {
                let is_allowed = |number: &Number| check_number_rules(rules, *number).is_ok();
                match (is_allowed(&grouped), is_allowed(&decimal)) {
                    (true, false) => Some(grouped),
                    (false, true) => Some(decimal),
                    (true, true) | (false, false) => None,
                }
            }
        }
    }

    /// Both readings of a number that can be read in two ways: `1.500` with a decimal comma is 1500
    /// or 1.5.
    pub fn ambiguous_number(&self, typed: &str) -> Option<(Number, Number)> {
        match TypedNumber::parse(typed, self.decimal)? {
            TypedNumber::One(_) => None,
            TypedNumber::Either { grouped, decimal } => Some((grouped, decimal)),
        }
    }

    /// The day that was typed: `2027-03-27`, `27 3 2027`, `27th march 2027`, `20270327`, `tomorrow`,
    /// `next friday`, `in 2 weeks`, … Without a year it is the next such day, today included: `27 mar`,
    /// and `27.3.` where the day comes first.
    pub fn date(&self, typed: &str) -> Option<Date> {
        let typed = normalized(typed);
        let mut languages = self.words.iter();
        languages
            .find_map(|words| words.day(&typed, self.today, self.week_start))
            .or_else(|| self.written_date(&typed))
            .or_else(|| self.date_with_weekday(&typed))
    }

    /// Year, month and day that were typed in full, if the month has no such day: `29 feb 2027`.
    pub fn nonexistent_date(&self, typed: &str) -> Option<(i16, i8, i8)> {
        let found = self.full_date(&normalized(typed), |year, month, day| {
            let is_month = Date::new(year, month, 1).is_ok();
            (is_month && (1..=31).contains(&day)).then_some((year, month, day))
        });
        found.filter(|(year, month, day)| Date::new(*year, *month, *day).is_err())
    }

    /// Month and day that were typed without a year, if no year has such a day: `31 nov`.
    pub fn nonexistent_day(&self, typed: &str) -> Option<(i8, i8)> {
        let typed = normalized(typed);
        let (month, day) = self.month_and_day(&typed)?;
        let is_typo = (1..=31).contains(&day) && (1..=12).contains(&month);
        (is_typo && self.next_date(month, day).is_none()).then_some((month, day))
    }

    /// Both readings of a date that could be two: `3/4/2027` where both orders are in use.
    pub fn ambiguous_date(&self, typed: &str) -> Option<(Date, Date)> {
        if self.order != DateOrder::Either || self.date(typed).is_some() {
            return None;
        }
        let read = |order| {
            let parser = InputParser {
                order,
                ..self.clone()
            };
            parser.date(typed)
        };
        read(DateOrder::DayMonth).zip(read(DateOrder::MonthDay))
    }

    /// Whether a week, a month or a year was typed, which is no day: `next week`.
    pub fn is_period(&self, typed: &str) -> bool {
        let typed = normalized(typed);
        self.words.iter().any(|words| words.names_period(&typed))
    }

    fn written_date(&self, typed: &str) -> Option<Date> {
        match self.month_and_day(typed) {
            Some((month, day)) => self.next_date(month, day),
            None => self.full_date(typed, |year, month, day| Date::new(year, month, day).ok()),
        }
    }

    /// `Saturday 27 March 2027`, if that is a Saturday.
    fn date_with_weekday(&self, typed: &str) -> Option<Date> {
        let mut weekdays = self.words.iter().flat_map(|words| words.weekdays());
        weekdays.find_map(|(word, weekday)| {
            let rest = typed
                .strip_prefix(word)
                .or_else(|| typed.strip_suffix(word))?;
            let date = self.written_date(rest.trim_matches([' ', ',']))?;
            (date.weekday() == weekday).then_some(date)
        })
    }

    /// A date of three parts, built by `make` from year, month and day.
    fn full_date<T: PartialEq>(
        &self,
        typed: &str,
        make: impl Fn(i16, i8, i8) -> Option<T>,
    ) -> Option<T> {
        let parts = self.date_parts(typed);
        let [first, second, third] = parts.as_slice() else {
            return None;
        };
        let date = |year: &str, month: i8, day: &str| {
            make(
                digits(year)?.parse().ok()?,
                month,
                digits(day)?.parse().ok()?,
            )
        };
        if first.len() == 4 {
            return date(first, self.month(second)?, third);
        }
        if third.len() != 4 {
            return None;
        }
        if let Some(month) = self.named_month(first) {
            return date(third, month, second);
        }
        if let Some(month) = self.named_month(second) {
            return date(third, month, first);
        }
        match self.order {
            DateOrder::DayMonth => date(third, self.month(second)?, first),
            DateOrder::MonthDay => date(third, self.month(first)?, second),
            DateOrder::Either if !typed.contains(['/', '-']) => {
                date(third, self.month(second)?, first)
            }
            DateOrder::Either => {
                let day_first = date(third, self.month(second)?, first);
                let month_first = date(third, self.month(first)?, second);
                match (day_first, month_first) {
                    (Some(one), Some(other)) if one != other => None,
                    (day_first, month_first) => day_first.or(month_first),
                }
            }
        }
    }

    /// Month and day without a year: `27 mar`, or `27.3.` where one order is in use.
    fn month_and_day(&self, typed: &str) -> Option<(i8, i8)> {
        let parts = self.date_parts(typed);
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let [first, second] = parts.as_slice() else {
            return None;
        };
        let number = |text: &str| digits(text)?.parse().ok();
        match (self.named_month(first), self.named_month(second)) {
            (Some(month), None) => Some((month, number(second)?)),
            (None, Some(month)) => Some((month, number(first)?)),
            (None, None) if typed.contains(['.', '/']) => match self.order {
                DateOrder::DayMonth => Some((number(second)?, number(first)?)),
                DateOrder::MonthDay => Some((number(first)?, number(second)?)),
                DateOrder::Either => None,
            },
            (Some(_), Some(_)) | (None, None) => None,
        }
    }

    /// The next such day, today included.
    fn next_date(&self, month: i8, day: i8) -> Option<Date> {
        let year = self.today.year();
        // Eight years, because there can be as many from one leap day to the next.
        (year..=year.saturating_add(8))
            .filter_map(|year| Date::new(year, month, day).ok())
            .find(|date| *date >= self.today)
    }

    /// The numbers and names of a written date, without what only decorates them: `27`, `march` and
    /// `2027` of `the 27th of march 2027`.
    fn date_parts<'a>(&self, typed: &'a str) -> Vec<&'a str> {
        if typed.len() == 8 && digits(typed).is_some() {
            return vec![&typed[..4], &typed[4..6], &typed[6..]];
        }
        let knows = |of: fn(&DateWords) -> &'static [&'static str], word: &str| {
            self.words.iter().any(|words| of(words).contains(&word))
        };
        let mut parts = Vec::new();
        for piece in typed.split([' ', '.', '/', '-', ',']) {
            let mut rest = piece;
            while !rest.is_empty() {
                let number = run(rest, u8::is_ascii_digit);
                let word = run(&rest[number.len()..], |byte| !byte.is_ascii_digit());
                let both = &rest[..number.len() + word.len()];
                rest = &rest[both.len()..];
                if number.is_empty() || self.named_month(both).is_some() {
                    parts.push(both);
                } else if word.is_empty() || knows(|words| words.endings, word) {
                    parts.push(number);
                } else {
                    parts.extend([number, word]);
                }
            }
        }
        parts.retain(|part| !knows(|words| words.fillers, part));
        parts
    }

    fn month(&self, word: &str) -> Option<i8> {
        self.named_month(word)
            .or_else(|| digits(word)?.parse().ok())
    }

    fn named_month(&self, word: &str) -> Option<i8> {
        self.months
            .iter()
            .find(|(name, _)| name == word)
            .map(|(_, number)| *number)
    }
}

/// No date and no range is longer, in bytes. Reading one takes as long as the square of its length.
const DATE_LEN_MAX: usize = 300;

/// Lower case, with single spaces and ASCII digits, and without brackets. Empty if it is too long for a date.
fn normalized(typed: &str) -> String {
    if typed.len() > DATE_LEN_MAX {
        return String::new();
    }
    let plain = typed.to_lowercase().chars().map(plain).collect::<String>();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ")
}

fn plain(ch: char) -> char {
    match ch {
        '(' | ')' | '（' | '）' => ' ',
        '，' | '、' | '،' => ',',
        '／' => '/',
        '－' => '-',
        '．' => '.',
        '’' => '\'',
        _ => ascii_digit(ch).unwrap_or(ch),
    }
}

/// The first bytes of a text that all `belong`.
fn run(text: &str, belong: impl Fn(&u8) -> bool) -> &str {
    &text[..text.bytes().take_while(belong).count()]
}

fn digits(word: &str) -> Option<&str> {
    (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())).then_some(word)
}

#[cfg(test)]
#[path = "input_parser_tests.rs"]
mod tests;
