//! Arabic.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Point,
    order: DateOrder::DayMonth,
    week_start: Weekday::Saturday,
    months: [
        "يناير",
        "فبراير",
        "مارس",
        "أبريل",
        "مايو",
        "يونيو",
        "يوليو",
        "أغسطس",
        "سبتمبر",
        "أكتوبر",
        "نوفمبر",
        "ديسمبر",
    ],
    months_also: [
        "",
        "",
        "",
        "ابريل إبريل",
        "",
        "يونيه",
        "يوليه",
        "اغسطس",
        "",
        "اكتوبر",
        "",
        "",
    ],
    weekdays: [
        "الاثنين",
        "الثلاثاء",
        "الأربعاء",
        "الخميس",
        "الجمعة",
        "السبت",
        "الأحد",
    ],
    weekdays_short: ["ن", "ث", "ر", "خ", "ج", "س", "ح"],
    days: &[
        ("اليوم", 0),
        ("غدًا", 1),
        ("غدا", 1),
        ("بعد غد", 2),
        ("أمس", -1),
        ("امس", -1),
    ],
    yes: &["نعم"],
    no: &["لا"],
};
