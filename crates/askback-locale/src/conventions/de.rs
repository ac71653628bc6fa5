//! German.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Comma,
    order: DateOrder::DayMonth,
    week_start: Weekday::Monday,
    months: [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    months_also: [
        "jan jänner jän",
        "feb feber",
        "mär maerz mrz",
        "apr",
        "",
        "jun",
        "jul",
        "aug",
        "sep sept",
        "okt",
        "nov",
        "dez",
    ],
    weekdays: [
        "Montag",
        "Dienstag",
        "Mittwoch",
        "Donnerstag",
        "Freitag",
        "Samstag",
        "Sonntag",
    ],
    weekdays_short: ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"],
    days: &[
        ("heute", 0),
        ("morgen", 1),
        ("übermorgen", 2),
        ("gestern", -1),
        ("vorgestern", -2),
    ],
    yes: &["ja"],
    no: &["nein"],
};
