//! How numbers and days are written in a language.

use askback_core::input_parser::{DateOrder, DateWords, InputParser, Phrase, Unit};
use askback_core::number::DecimalMark;
use jiff::civil::{Date, Weekday};
use serde::Deserialize;

/// The file `conventions.json` of a language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConventionsFile<'a> {
    decimal: DecimalMark,
    order: DateOrder,
    week_start: &'a str,
    #[serde(borrow)]
    months: [&'a str; 12],
    #[serde(borrow)]
    months_also: [&'a str; 12],
    #[serde(borrow)]
    weekdays: [&'a str; 7],
    #[serde(borrow)]
    weekdays_short: [&'a str; 7],
    #[serde(borrow)]
    words: Option<WordsFile<'a>>,
    #[serde(borrow)]
    yes: Vec<&'a str>,
    #[serde(borrow)]
    no: Vec<&'a str>,
}

/// See [`DateWords`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
struct WordsFile<'a> {
    days: Vec<(&'a str, i64)>,
    weekdays: [Vec<&'a str>; 7],
    phrases: Vec<(&'a str, Phrase)>,
    numbers: Vec<(&'a str, i64)>,
    units: Vec<(&'a str, Unit)>,
    amounts: Vec<(&'a str, i64, Unit)>,
    fillers: Vec<&'a str>,
    endings: Vec<&'a str>,
}

/// How numbers and days are written in a language. Weeks in tables begin on Monday.
pub(crate) struct LocaleConventions {
    /// The mark before decimals.
    pub(crate) decimal: DecimalMark,
    /// Which comes first in a numeric date that ends in the year.
    pub(crate) order: DateOrder,
    /// The day with which a week begins.
    pub(crate) week_start: Weekday,
    /// The names of the months, as a date has them.
    pub(crate) months: [&'static str; 12],
    /// Other words for each month, with spaces between: short names and other forms.
    pub(crate) months_also: [&'static str; 12],
    /// The names of the days of the week.
    pub(crate) weekdays: [&'static str; 7],
    /// Their names in the head of a calendar.
    pub(crate) weekdays_short: [&'static str; 7],
    /// Words for days that depend on today, beside the English ones.
    pub(crate) words: Option<&'static DateWords>,
    /// Words for yes, lower case; the first is the usual one.
    pub(crate) yes: &'static [&'static str],
    /// Words for no, lower case; the first is the usual one.
    pub(crate) no: &'static [&'static str],
}

impl LocaleConventions {
    /// Reads the file of a language. What is read stays for as long as the process runs, once for each language.
    pub(crate) fn read(file: &'static str) -> LocaleConventions {
        let file: ConventionsFile<'static> = match serde_json::from_str(file) {
            Ok(file) => file,
            // The files are part of the program, and a test reads them all.
            Err(broken) => unreachable!("{broken}"),
        };
        LocaleConventions {
            decimal: file.decimal,
            order: file.order,
            week_start: match file.week_start {
                "sunday" => Weekday::Sunday,
                "saturday" => Weekday::Saturday,
                _ => Weekday::Monday,
            },
            months: file.months,
            months_also: file.months_also,
            weekdays: file.weekdays,
            weekdays_short: file.weekdays_short,
            words: file.words.map(WordsFile::leak),
            yes: file.yes.leak(),
            no: file.no.leak(),
        }
    }

    pub(crate) fn month_name(&self, month: i8) -> &'static str {
        let place = usize::try_from(month).unwrap_or_default().checked_sub(1);
        place
            .and_then(|place| self.months.get(place))
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn weekday_name(&self, weekday: Weekday) -> &'static str {
        named(&self.weekdays, weekday)
    }

    pub(crate) fn weekday_short(&self, weekday: Weekday) -> &'static str {
        named(&self.weekdays_short, weekday)
    }

    /// What typed text is read with. English words are understood beside those of the language,
    /// which win where the two differ.
    pub(crate) fn typing(&self, today: Date, recommended: String) -> InputParser {
        let english = InputParser::english(today);
        let mut months = Vec::with_capacity(60);
        for (number, (name, also)) in (1_i8..).zip(self.months.iter().zip(self.months_also)) {
            let words = std::iter::once(*name).chain(also.split_whitespace());
            months.extend(words.map(|word| (word.to_lowercase(), number)));
        }
        months.extend(english.months);
        InputParser {
            today,
            decimal: self.decimal,
            order: self.order,
            months,
            week_start: self.week_start,
            recommended,
            words: self.words.into_iter().chain(english.words).collect(),
        }
    }
}

impl WordsFile<'static> {
    fn leak(self) -> &'static DateWords {
        Box::leak(Box::new(DateWords {
            days: self.days.leak(),
            weekdays: self.weekdays.map(|words| &*words.leak()),
            phrases: self.phrases.leak(),
            numbers: self.numbers.leak(),
            units: self.units.leak(),
            amounts: self.amounts.leak(),
            fillers: self.fillers.leak(),
            endings: self.endings.leak(),
        }))
    }
}

fn named(names: &[&'static str; 7], weekday: Weekday) -> &'static str {
    let place = usize::try_from(weekday.to_monday_zero_offset()).unwrap_or_default();
    names.get(place).copied().unwrap_or_default()
}
