//! Simplified Chinese.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Point,
    order: DateOrder::MonthDay,
    week_start: Weekday::Monday,
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
        "星期一",
        "星期二",
        "星期三",
        "星期四",
        "星期五",
        "星期六",
        "星期日",
    ],
    weekdays_short: ["一", "二", "三", "四", "五", "六", "日"],
    days: &[
        ("今天", 0),
        ("明天", 1),
        ("后天", 2),
        ("昨天", -1),
        ("前天", -2),
    ],
    yes: &["是", "是的"],
    no: &["否", "不", "不是"],
};
