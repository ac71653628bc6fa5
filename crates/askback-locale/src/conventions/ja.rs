//! Japanese.

use askback_core::input_parser::{DateOrder, DateWords, Phrase, Unit};
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
    words: Some(&DateWords {
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
        weekdays: [
            &["月曜日", "月曜", "月"],
            &["火曜日", "火曜", "火"],
            &["水曜日", "水曜", "水"],
            &["木曜日", "木曜", "木"],
            &["金曜日", "金曜", "金"],
            &["土曜日", "土曜", "土"],
            &["日曜日", "日曜", "日"],
        ],
        phrases: &[
            ("*後", Phrase::FromNow),
            ("*前", Phrase::Ago),
            ("今度の*", Phrase::Coming),
            ("次の*", Phrase::Coming),
            ("今週の*", Phrase::Coming),
            ("来週の*", Phrase::NextWeek),
            ("来週*", Phrase::NextWeek),
        ],
        numbers: &[("一", 1), ("二", 2), ("三", 3), ("四", 4)],
        units: &[
            ("日", Unit::Day),
            ("日間", Unit::Day),
            ("週", Unit::Week),
            ("週間", Unit::Week),
            ("か月", Unit::Month),
            ("ヶ月", Unit::Month),
            ("カ月", Unit::Month),
            ("ヵ月", Unit::Month),
            ("年", Unit::Year),
        ],
        amounts: &[],
        fillers: &[],
        endings: &["年", "日"],
    }),
    yes: &["はい"],
    no: &["いいえ"],
};
