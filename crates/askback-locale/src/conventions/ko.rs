//! Korean.

use askback_core::input_parser::{DateOrder, DateWords, Phrase, Unit};
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
    words: Some(&DateWords {
        days: &[
            ("오늘", 0),
            ("내일", 1),
            ("모레", 2),
            ("어제", -1),
            ("그저께", -2),
        ],
        weekdays: [
            &["월요일", "월"],
            &["화요일", "화"],
            &["수요일", "수"],
            &["목요일", "목"],
            &["금요일", "금"],
            &["토요일", "토"],
            &["일요일", "일"],
        ],
        phrases: &[
            ("* 후", Phrase::FromNow),
            ("*후", Phrase::FromNow),
            ("* 뒤", Phrase::FromNow),
            ("*뒤", Phrase::FromNow),
            ("* 전", Phrase::Ago),
            ("*전", Phrase::Ago),
            ("이번 *", Phrase::Coming),
            ("이번 주 *", Phrase::Coming),
            ("이번주 *", Phrase::Coming),
            ("오는 *", Phrase::Coming),
            ("다음 주 *", Phrase::NextWeek),
            ("다음주 *", Phrase::NextWeek),
        ],
        numbers: &[("한", 1), ("두", 2), ("세", 3), ("네", 4)],
        units: &[
            ("일", Unit::Day),
            ("주", Unit::Week),
            ("주일", Unit::Week),
            ("달", Unit::Month),
            ("개월", Unit::Month),
            ("년", Unit::Year),
            ("해", Unit::Year),
        ],
        amounts: &[
            ("하루", 1, Unit::Day),
            ("이틀", 2, Unit::Day),
            ("사흘", 3, Unit::Day),
            ("일주일", 1, Unit::Week),
            ("보름", 15, Unit::Day),
        ],
        fillers: &[],
        endings: &["년", "일"],
    }),
    yes: &["예", "네"],
    no: &["아니요", "아니오"],
};
