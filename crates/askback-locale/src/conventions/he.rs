//! Hebrew.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Point,
    order: DateOrder::DayMonth,
    week_start: Weekday::Sunday,
    months: [
        "ינואר",
        "פברואר",
        "מרץ",
        "אפריל",
        "מאי",
        "יוני",
        "יולי",
        "אוגוסט",
        "ספטמבר",
        "אוקטובר",
        "נובמבר",
        "דצמבר",
    ],
    months_also: [
        "בינואר ינו",
        "בפברואר פבר",
        "במרץ מרס במרס",
        "באפריל אפר",
        "במאי",
        "ביוני",
        "ביולי",
        "באוגוסט אוג",
        "בספטמבר ספט",
        "באוקטובר אוק",
        "בנובמבר נוב",
        "בדצמבר דצמ",
    ],
    weekdays: [
        "יום שני",
        "יום שלישי",
        "יום רביעי",
        "יום חמישי",
        "יום שישי",
        "שבת",
        "יום ראשון",
    ],
    weekdays_short: ["ב", "ג", "ד", "ה", "ו", "ש", "א"],
    days: &[
        ("היום", 0),
        ("מחר", 1),
        ("מחרתיים", 2),
        ("אתמול", -1),
        ("שלשום", -2),
    ],
    yes: &["כן"],
    no: &["לא"],
};
