//! Brazilian Portuguese.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Comma,
    order: DateOrder::DayMonth,
    week_start: Weekday::Sunday,
    months: [
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ],
    months_also: [
        "",
        "fev",
        "marco mar",
        "abr",
        "mai",
        "jun",
        "jul",
        "ago",
        "set",
        "out",
        "nov",
        "dez",
    ],
    weekdays: [
        "segunda-feira",
        "terça-feira",
        "quarta-feira",
        "quinta-feira",
        "sexta-feira",
        "sábado",
        "domingo",
    ],
    weekdays_short: ["se", "te", "qu", "qi", "sx", "sá", "do"],
    days: &[
        ("hoje", 0),
        ("amanhã", 1),
        ("amanha", 1),
        ("depois de amanhã", 2),
        ("ontem", -1),
        ("anteontem", -2),
    ],
    yes: &["sim"],
    no: &["não", "nao"],
};
