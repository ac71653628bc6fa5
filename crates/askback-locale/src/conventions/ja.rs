//! Japanese.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Point,
    order: DateOrder::MonthDay,
    week_start: Weekday::Sunday,
    months: [
        "1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月",
    ],
    months_also: [
        "一月",
        "二月",
        "三月",
        "四月",
        "五月",
        "六月",
        "七月",
        "八月",
        "九月",
        "十月",
        "十一月",
        "十二月",
    ],
    weekdays: [
        "月曜日",
        "火曜日",
        "水曜日",
        "木曜日",
        "金曜日",
        "土曜日",
        "日曜日",
    ],
    weekdays_short: ["月", "火", "水", "木", "金", "土", "日"],
    days: &[
        ("今日", 0),
        ("きょう", 0),
        ("本日", 0),
        ("明日", 1),
        ("あした", 1),
        ("明後日", 2),
        ("あさって", 2),
        ("昨日", -1),
        ("きのう", -1),
        ("一昨日", -2),
    ],
    yes: &["はい"],
    no: &["いいえ"],
};
