//! A language that was chosen, and everything that is said in it.

use askback_core::input_parser::{ENGLISH, InputParser};
use askback_core::number::{DecimalMark, Number};
use jiff::civil::{Date, Weekday};

use crate::arg::Arg;
use crate::language::{Direction, LANGUAGES, Language};
use crate::{requested, words};

/// A language that was chosen. Copied freely; its words are read when the first is asked for.
#[derive(Clone, Copy)]
pub struct Locale {
    language: &'static Language,
}

impl Locale {
    /// The first of the wanted languages that there is, else English. Names are BCP 47 tags or
    /// POSIX locales, in the order of preference.
    pub fn choose(requested: &[&str]) -> Locale {
        let found = requested.iter().find_map(|name| requested::language(name));
        let [english, ..] = &LANGUAGES;
        Locale {
            language: found.unwrap_or(english),
        }
    }

    /// The language of the environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is
    /// set decides.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Locale {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
        let set = names.iter().find_map(|name| {
            let value = var(name)?;
            (!value.is_empty()).then_some(value)
        });
        Locale::choose(&[set.as_deref().unwrap_or_default()])
    }

    pub(crate) fn language(self) -> &'static Language {
        self.language
    }

    /// The tags of all languages, the pseudo-languages `en-XA` and `ar-XB` last.
    pub fn tags() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|language| language.tag)
    }

    /// The ids of all messages; every language has each of them.
    pub fn ids() -> Vec<&'static str> {
        words::ids()
    }

    /// Its BCP 47 tag.
    pub fn tag(self) -> &'static str {
        self.language.tag
    }

    /// Whether it is written from right to left.
    pub fn is_rtl(self) -> bool {
        self.language.direction == Direction::RightToLeft
    }

    /// The message `id` with `args` put in, without isolation marks. English stands in for what a
    /// language lacks, and an unknown id for itself.
    pub fn text(self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        let [english, ..] = &LANGUAGES;
        words::format(self.language, id, args)
            .or_else(|| words::format(english, id, args))
            .unwrap_or_else(|| id.to_owned())
    }

    /// How typed numbers and days are read, given the day it is where the person is.
    pub fn typing(self, today: Date) -> InputParser {
        let recommended = self.text("recommended", &[]);
        self.language.conventions.typing(today, recommended)
    }

    /// The mark before decimals.
    pub fn decimal_mark(self) -> DecimalMark {
        self.language.conventions.decimal
    }

    /// The day with which a week begins.
    pub fn week_start(self) -> Weekday {
        self.language.conventions.week_start
    }

    /// The name of a month, 1 to 12.
    pub fn month_name(self, month: i8) -> &'static str {
        self.language.conventions.month_name(month)
    }

    /// The name of a day of the week.
    pub fn weekday_name(self, weekday: Weekday) -> &'static str {
        self.language.conventions.weekday_name(weekday)
    }

    /// The name of a day of the week for the head of a calendar, two columns wide at most.
    pub fn weekday_short(self, weekday: Weekday) -> &'static str {
        self.language.conventions.weekday_short(weekday)
    }

    /// The word for the day after today.
    pub fn tomorrow(self) -> &'static str {
        let words = self.language.conventions.words.unwrap_or(&ENGLISH);
        let mut days = words.days.iter();
        days.find(|(_, distance)| *distance == 1)
            .map_or("tomorrow", |(word, _)| word)
    }

    /// A day in full, with its name: `Saturday 27 March 2027`.
    pub fn date_long(self, date: Date) -> String {
        let args = [
            ("weekday", self.weekday_name(date.weekday()).into()),
            ("day", i64::from(date.day()).into()),
            ("month", self.month_name(date.month()).into()),
            ("year", i64::from(date.year()).into()),
        ];
        self.text("date-long", &args)
    }

    /// The month of a day, as the head of a calendar: `March 2027`.
    pub fn month_year(self, date: Date) -> String {
        let args = [
            ("month", self.month_name(date.month()).into()),
            ("year", i64::from(date.year()).into()),
        ];
        self.text("month-year", &args)
    }

    /// A number with the decimal mark of the language, as a person would type it.
    pub fn number(self, number: Number) -> String {
        match self.decimal_mark() {
            DecimalMark::Point => number.to_string(),
            DecimalMark::Comma => number.to_string().replace('.', ","),
        }
    }
}

impl std::fmt::Debug for Locale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Locale").field(&self.tag()).finish()
    }
}

impl PartialEq for Locale {
    fn eq(&self, other: &Locale) -> bool {
        self.tag() == other.tag()
    }
}

impl Eq for Locale {}
