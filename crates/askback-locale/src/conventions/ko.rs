//! Korean.

use askback_core::input_parser::DateOrder;
use askback_core::number::DecimalMark;
use jiff::civil::Weekday;

use super::LocaleConventions;

pub(crate) static CONVENTIONS: LocaleConventions = LocaleConventions {
    decimal: DecimalMark::Point,
    order: DateOrder::MonthDay,
    week_start: Weekday::Sunday,
    months: [
        "1월", "2월", "3월", "4월", "5월", "6월", "7월", "8월", "9월", "10월", "11월", "12월",
    ],
    months_also: [
        "일월",
        "이월",
        "삼월",
        "사월",
        "오월",
        "유월",
        "칠월",
        "팔월",
        "구월",
        "시월",
        "십일월",
        "십이월",
    ],
    weekdays: [
        "월요일",
        "화요일",
        "수요일",
        "목요일",
        "금요일",
        "토요일",
        "일요일",
    ],
    weekdays_short: ["월", "화", "수", "목", "금", "토", "일"],
    days: &[
        ("오늘", 0),
        ("내일", 1),
        ("모레", 2),
        ("어제", -1),
        ("그저께", -2),
    ],
    yes: &["예", "네"],
    no: &["아니요", "아니오"],
};
