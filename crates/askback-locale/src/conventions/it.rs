//! Italian.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Comma,
    order: DateOrder::DayMonth,
    week_start: Weekday::Monday,
    months: [
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ],
    months_also: [
        "gen", "", "", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic",
    ],
    weekdays: [
        "lunedì",
        "martedì",
        "mercoledì",
        "giovedì",
        "venerdì",
        "sabato",
        "domenica",
    ],
    weekdays_short: ["lu", "ma", "me", "gi", "ve", "sa", "do"],
    days: &[
        ("oggi", 0),
        ("domani", 1),
        ("dopodomani", 2),
        ("ieri", -1),
        ("l’altro ieri", -2),
    ],
    yes: &["sì", "si"],
    no: &["no"],
};
