//! Simplified Chinese.

use askback_core::input_parser::{DateOrder, DateWords, Phrase, Unit};
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
    words: Some(&DateWords {
        days: &[
            ("今天", 0),
            ("今日", 0),
            ("明天", 1),
            ("后天", 2),
            ("大后天", 3),
            ("昨天", -1),
            ("前天", -2),
        ],
        weekdays: [
            &["星期一", "周一", "礼拜一"],
            &["星期二", "周二", "礼拜二"],
            &["星期三", "周三", "礼拜三"],
            &["星期四", "周四", "礼拜四"],
            &["星期五", "周五", "礼拜五"],
            &["星期六", "周六", "礼拜六"],
            &["星期日", "星期天", "周日", "周天", "礼拜天", "礼拜日"],
        ],
        phrases: &[
            ("*后", Phrase::FromNow),
            ("*之后", Phrase::FromNow),
            ("*以后", Phrase::FromNow),
            ("*前", Phrase::Ago),
            ("这*", Phrase::Coming),
            ("这个*", Phrase::Coming),
            ("本*", Phrase::Coming),
            ("下*", Phrase::NextWeek),
            ("下个*", Phrase::NextWeek),
        ],
        numbers: &[
            ("一", 1),
            ("两", 2),
            ("二", 2),
            ("三", 3),
            ("四", 4),
            ("一个", 1),
            ("两个", 2),
            ("三个", 3),
            ("四个", 4),
        ],
        units: &[
            ("天", Unit::Day),
            ("日", Unit::Day),
            ("周", Unit::Week),
            ("星期", Unit::Week),
            ("个星期", Unit::Week),
            ("礼拜", Unit::Week),
            ("个礼拜", Unit::Week),
            ("月", Unit::Month),
            ("个月", Unit::Month),
            ("年", Unit::Year),
        ],
        amounts: &[],
        fillers: &[],
        endings: &["年", "日", "号"],
    }),
    yes: &["是", "是的"],
    no: &["否", "不", "不是"],
};
