//! Dates as people say them: `friday`, `next friday`, `in 2 weeks`.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

/// The largest number in `in 2 weeks`.
const AMOUNT_MAX: i64 = 9999;

/// The words of one language for days that depend on today. All are lower case.
#[derive(Debug)]
pub struct DateWords {
    /// Words for days near today, with their distance from it.
    pub days: &'static [(&'static str, i64)],
    /// Words for the days of the week, Monday first.
    pub weekdays: [&'static [&'static str]; 7],
    /// Phrases, where `*` stands for a weekday or an amount of time: `next *`, `in *`.
    pub phrases: &'static [(&'static str, Phrase)],
    /// Numbers up to four, or another word for one: `a`, `two`.
    pub numbers: &'static [(&'static str, i64)],
    /// What follows a number in an amount of time: `weeks`.
    pub units: &'static [(&'static str, Unit)],
    /// Amounts in one word, such as the dual of Arabic.
    pub amounts: &'static [(&'static str, i64, Unit)],
    /// Words in a written date that say nothing: `the 27 of march`.
    pub fillers: &'static [&'static str],
    /// Endings of the number of a day or a year: `27th`, `27日`.
    pub endings: &'static [&'static str],
}

/// What a phrase means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// An amount of time from today: `in 2 weeks`.
    FromNow,
    /// An amount of time before today: `2 weeks ago`.
    Ago,
    /// The first such weekday after today: `this friday`.
    Coming,
    /// The weekday of the next calendar week: `next friday`.
    NextWeek,
    /// The last such weekday before today: `last friday`.
    Past,
}

/// A unit of time in a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A day.
    Day,
    /// Seven days.
    Week,
    /// The same day of another month, or its last day if it is shorter.
    Month,
    /// The same day of another year.
    Year,
}

/// English.
pub static ENGLISH: DateWords = DateWords {
    days: &[
        ("today", 0),
        ("tomorrow", 1),
        ("day after tomorrow", 2),
        ("the day after tomorrow", 2),
        ("yesterday", -1),
    ],
    weekdays: [
        &["monday", "mon"],
        &["tuesday", "tue", "tues"],
        &["wednesday", "wed"],
        &["thursday", "thu", "thur", "thurs"],
        &["friday", "fri"],
        &["saturday", "sat"],
        &["sunday", "sun"],
    ],
    phrases: &[
        ("in *", Phrase::FromNow),
        ("* from now", Phrase::FromNow),
        ("* from today", Phrase::FromNow),
        ("* ago", Phrase::Ago),
        ("this *", Phrase::Coming),
        ("on *", Phrase::Coming),
        ("coming *", Phrase::Coming),
        ("next *", Phrase::NextWeek),
        ("* next week", Phrase::NextWeek),
        ("last *", Phrase::Past),
    ],
    numbers: &[
        ("a", 1),
        ("an", 1),
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
    ],
    units: &[
        ("day", Unit::Day),
        ("days", Unit::Day),
        ("week", Unit::Week),
        ("weeks", Unit::Week),
        ("month", Unit::Month),
        ("months", Unit::Month),
        ("year", Unit::Year),
        ("years", Unit::Year),
    ],
    amounts: &[],
    fillers: &["the", "of", "on"],
    endings: &["st", "nd", "rd", "th"],
};

impl DateWords {
    /// The day that `typed` says, seen from `today`. `typed` is lower case and trimmed.
    pub(super) fn day(&self, typed: &str, today: Date, week_start: Weekday) -> Option<Date> {
        if let Some((_, distance)) = self.days.iter().find(|(word, _)| *word == typed) {
            return today.checked_add(distance.days()).ok();
        }
        if let Some(weekday) = self.weekday(typed) {
            return after(today, weekday);
        }
        self.phrases.iter().find_map(|(pattern, phrase)| {
            let (before, behind) = pattern.split_once('*')?;
            let inner = typed.strip_prefix(before)?.strip_suffix(behind)?.trim();
            match phrase {
                Phrase::FromNow => today.checked_add(self.amount(inner)?).ok(),
                Phrase::Ago => today.checked_sub(self.amount(inner)?).ok(),
                Phrase::Coming => after(today, self.weekday(inner)?),
                Phrase::NextWeek => in_next_week(today, self.weekday(inner)?, week_start),
                Phrase::Past => last_before(today, self.weekday(inner)?),
            }
        })
    }

    /// Whether a week, a month or a year is named.
    pub(super) fn names_period(&self, typed: &str) -> bool {
        let mut periods = self.units.iter().filter(|(_, unit)| *unit != Unit::Day);
        periods.any(|(name, _)| typed.split(' ').any(|word| word == *name))
    }

    /// The words for weekdays, with the day that each is.
    pub(super) fn weekdays(&self) -> impl Iterator<Item = (&'static str, Weekday)> {
        let days = std::iter::successors(Some(Weekday::Monday), |day| Some(day.next()));
        let named = self.weekdays.into_iter().zip(days);
        named.flat_map(|(words, day)| words.iter().map(move |word| (*word, day)))
    }

    fn weekday(&self, word: &str) -> Option<Weekday> {
        self.weekdays()
            .find(|(name, _)| *name == word)
            .map(|(_, day)| day)
    }

    /// `2 weeks`, `two weeks`, `2週間`.
    fn amount(&self, text: &str) -> Option<Span> {
        let fixed = self.amounts.iter().find(|(word, ..)| *word == text);
        if let Some((_, count, unit)) = fixed {
            return Some(unit.span(*count));
        }
        let counted = |count: i64, unit: &str| {
            let found = self.units.iter().find(|(word, _)| *word == unit.trim())?;
            (count <= AMOUNT_MAX).then(|| found.1.span(count))
        };
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        match number.parse() {
            Ok(count) => counted(count, unit),
            Err(_) => self
                .numbers
                .iter()
                .find_map(|(word, count)| counted(*count, text.strip_prefix(word)?)),
        }
    }
}

impl Unit {
    fn span(self, count: i64) -> Span {
        match self {
            Unit::Day => count.days(),
            Unit::Week => count.weeks(),
            Unit::Month => count.months(),
            Unit::Year => count.years(),
        }
    }
}

/// The first such weekday after today. Today itself is called today.
fn after(today: Date, weekday: Weekday) -> Option<Date> {
    let distance = match weekday.since(today.weekday()) {
        0 => 7,
        days => days,
    };
    today.checked_add(i64::from(distance).days()).ok()
}

/// The last such weekday before today.
fn last_before(today: Date, weekday: Weekday) -> Option<Date> {
    let distance = match today.weekday().since(weekday) {
        0 => 7,
        days => days,
    };
    today.checked_sub(i64::from(distance).days()).ok()
}

fn in_next_week(today: Date, weekday: Weekday, week_start: Weekday) -> Option<Date> {
    let into_week = today.weekday().since(week_start);
    let distance = 7 - into_week + weekday.since(week_start);
    today.checked_add(i64::from(distance).days()).ok()
}
