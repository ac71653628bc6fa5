//! Spanish.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Comma,
    order: DateOrder::DayMonth,
    week_start: Weekday::Monday,
    months: [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    months_also: [
        "ene",
        "",
        "mar",
        "abr",
        "may",
        "jun",
        "jul",
        "ago",
        "sept setiembre sep",
        "oct",
        "nov",
        "dic",
    ],
    weekdays: [
        "lunes",
        "martes",
        "miércoles",
        "jueves",
        "viernes",
        "sábado",
        "domingo",
    ],
    weekdays_short: ["lu", "ma", "mi", "ju", "vi", "sá", "do"],
    days: &[
        ("hoy", 0),
        ("mañana", 1),
        ("pasado mañana", 2),
        ("ayer", -1),
        ("anteayer", -2),
    ],
    yes: &["sí", "si"],
    no: &["no"],
};
