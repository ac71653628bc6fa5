//! Italian.

use askback_core::input_parser::{DateOrder, DateWords, Phrase, Unit};
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
    words: Some(&DateWords {
        days: &[
            ("oggi", 0),
            ("domani", 1),
            ("dopodomani", 2),
            ("ieri", -1),
            ("l'altro ieri", -2),
        ],
        weekdays: [
            &["lunedì", "lunedi", "lun"],
            &["martedì", "martedi"],
            &["mercoledì", "mercoledi", "mer"],
            &["giovedì", "giovedi", "gio"],
            &["venerdì", "venerdi", "ven"],
            &["sabato", "sab"],
            &["domenica", "dom"],
        ],
        phrases: &[
            ("tra *", Phrase::FromNow),
            ("fra *", Phrase::FromNow),
            ("* fa", Phrase::Ago),
            ("questo *", Phrase::Coming),
            ("questa *", Phrase::Coming),
            ("prossimo *", Phrase::Coming),
            ("prossima *", Phrase::Coming),
            ("* prossimo", Phrase::Coming),
            ("* prossima", Phrase::Coming),
            ("* della settimana prossima", Phrase::NextWeek),
            ("* della prossima settimana", Phrase::NextWeek),
        ],
        numbers: &[
            ("un", 1),
            ("una", 1),
            ("due", 2),
            ("tre", 3),
            ("quattro", 4),
        ],
        units: &[
            ("giorno", Unit::Day),
            ("giorni", Unit::Day),
            ("settimana", Unit::Week),
            ("settimane", Unit::Week),
            ("mese", Unit::Month),
            ("mesi", Unit::Month),
            ("anno", Unit::Year),
            ("anni", Unit::Year),
        ],
        amounts: &[],
        fillers: &["il", "di", "del"],
        endings: &["º", "°"],
    }),
    yes: &["sì", "si"],
    no: &["no"],
};
