//! French.

use askback_core::input_parser::{DateOrder, DateWords, Phrase, Unit};
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
    words: Some(&DateWords {
        days: &[
            ("aujourd'hui", 0),
            ("demain", 1),
            ("après-demain", 2),
            ("hier", -1),
            ("avant-hier", -2),
        ],
        weekdays: [
            &["lundi", "lun"],
            &["mardi"],
            &["mercredi", "mer"],
            &["jeudi", "jeu"],
            &["vendredi", "ven"],
            &["samedi", "sam"],
            &["dimanche", "dim"],
        ],
        phrases: &[
            ("dans *", Phrase::FromNow),
            ("il y a *", Phrase::Ago),
            ("ce *", Phrase::Coming),
            ("* prochain", Phrase::Coming),
            ("* qui vient", Phrase::Coming),
            ("* de la semaine prochaine", Phrase::NextWeek),
            ("* en huit", Phrase::NextWeek),
        ],
        numbers: &[
            ("un", 1),
            ("une", 1),
            ("deux", 2),
            ("trois", 3),
            ("quatre", 4),
        ],
        units: &[
            ("jour", Unit::Day),
            ("jours", Unit::Day),
            ("semaine", Unit::Week),
            ("semaines", Unit::Week),
            ("mois", Unit::Month),
            ("an", Unit::Year),
            ("ans", Unit::Year),
            ("année", Unit::Year),
            ("années", Unit::Year),
        ],
        amounts: &[],
        fillers: &["le", "de"],
        endings: &["er"],
    }),
    yes: &["oui"],
    no: &["non"],
};
