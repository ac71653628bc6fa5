//! French.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Comma,
    order: DateOrder::DayMonth,
    week_start: Weekday::Monday,
    months: [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    months_also: [
        "janv",
        "févr fév fevrier",
        "",
        "",
        "",
        "",
        "juil",
        "aout",
        "sept",
        "oct",
        "nov",
        "déc decembre",
    ],
    weekdays: [
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
    ],
    weekdays_short: ["lu", "ma", "me", "je", "ve", "sa", "di"],
    days: &[
        ("aujourd’hui", 0),
        ("aujourd'hui", 0),
        ("demain", 1),
        ("après-demain", 2),
        ("hier", -1),
        ("avant-hier", -2),
    ],
    yes: &["oui"],
    no: &["non"],
};
