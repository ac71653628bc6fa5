//! What people type, read with the conventions of their language.

use askback_core::number::Number;
use askback_locale::Locale;
use jiff::civil::{Date, date};

const TODAY: Date = date(2027, 3, 26);
const DAY: Date = date(2027, 3, 27);

fn day(tag: &str, typed: &str) -> Option<Date> {
    Locale::choose(&[tag]).typing(TODAY).date(typed)
}

fn number(tag: &str, typed: &str) -> Option<Number> {
    Locale::choose(&[tag]).typing(TODAY).number(typed)
}

/// T22: the forms that every language takes, and the day that does not exist.
#[test]
fn common_forms_of_days_are_read_everywhere() {
    for tag in Locale::tags() {
        for typed in ["2027-03-27", "27 mar 2027", "tomorrow"] {
            assert_eq!(day(tag, typed), Some(DAY), "{tag}: {typed}");
        }
        assert_eq!(day(tag, "2027-02-29"), None, "{tag}");
        assert_eq!(day(tag, "yesterday"), Some(date(2027, 3, 25)), "{tag}");
    }
    assert_eq!(day("en", "27 3 2027"), Some(DAY));
}

/// T22: each language reads back the name of every month and its own long form's words.
#[test]
fn own_month_words_are_read() {
    for tag in Locale::tags() {
        let locale = Locale::choose(&[tag]);
        for month in 1..=12_i8 {
            let name = locale.month_name(month);
            let typed = format!("27 {name} 2027");
            assert_eq!(
                day(tag, &typed),
                Some(date(2027, month, 27)),
                "{tag}: {typed}"
            );
        }
    }
}

/// T21: the decimal mark is that of the language, and what is typed is never guessed at.
#[test]
fn decimal_mark_follows_language() {
    assert_eq!(number("en", "3.5"), Some(Number::Real(3.5)));
    assert_eq!(number("en", "0"), Some(Number::Whole(0)));
    assert_eq!(number("en", "1e3"), Some(Number::Whole(1000)));
    assert_eq!(number("en", "3,5"), None);
    assert_eq!(number("en", "three"), None);
}

/// T21: a comma stands before decimals where people write one, and a point is no stand-in there.
#[test]
fn comma_is_the_mark_where_it_is_written() {
    for tag in ["de", "fr", "es", "it", "pt-BR"] {
        assert_eq!(number(tag, "3,5"), Some(Number::Real(3.5)), "{tag}");
        assert_eq!(number(tag, "3.5"), None, "{tag}");
    }
    for tag in ["zh-CN", "ja", "ko", "ar", "he"] {
        assert_eq!(number(tag, "3.5"), Some(Number::Real(3.5)), "{tag}");
    }
}

/// T22: days as people of each language type them.
#[test]
fn own_forms_of_days_are_read() {
    let forms = [
        ("de", "27. März 2027"),
        ("de", "27.3.2027"),
        ("de", "morgen"),
        ("fr", "27 mars 2027"),
        ("fr", "27/03/2027"),
        ("fr", "Demain"),
        ("es", "27 marzo 2027"),
        ("es", "mañana"),
        ("it", "27 marzo 2027"),
        ("it", "domani"),
        ("pt-BR", "27 março 2027"),
        ("pt-BR", "27/3/2027"),
        ("pt-BR", "amanhã"),
        ("zh-CN", "2027/3/27"),
        ("zh-CN", "明天"),
        ("ja", "2027/03/27"),
        ("ja", "明日"),
        ("ko", "2027. 3. 27."),
        ("ko", "내일"),
        ("ar", "27 مارس 2027"),
        ("ar", "غدًا"),
        ("he", "27 במרץ 2027"),
        ("he", "מחר"),
    ];
    for (tag, typed) in forms {
        assert_eq!(day(tag, typed), Some(DAY), "{tag}: {typed}");
    }
}

/// A number is shown as it can be typed.
#[test]
fn shown_numbers_are_read_back() {
    for tag in Locale::tags() {
        let shown = Locale::choose(&[tag]).number(Number::Real(-1.25));
        assert_eq!(number(tag, &shown), Some(Number::Real(-1.25)), "{tag}");
    }
}
