//! How numbers and days are written in a language.

pub(crate) mod ar;
pub(crate) mod de;
pub(crate) mod en;
pub(crate) mod es;
pub(crate) mod fr;
pub(crate) mod he;
pub(crate) mod it;
pub(crate) mod ja;
pub(crate) mod ko;
pub(crate) mod pt_br;
pub(crate) mod zh_cn;

use askback_core::input_parser::{DateOrder, DateWords, InputParser};
use askback_core::number::DecimalMark;
use jiff::civil::{Date, Weekday};

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

fn named(names: &[&'static str; 7], weekday: Weekday) -> &'static str {
    let place = usize::try_from(weekday.to_monday_zero_offset()).unwrap_or_default();
    names.get(place).copied().unwrap_or_default()
}
