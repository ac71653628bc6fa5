//! What people type, read with the conventions of their language.

use askback_core::number::Number;
use askback_core::question::NumberRules;
use askback_locale::Locale;
use jiff::civil::{Date, date};

const TODAY: Date = date(2027, 3, 26);
const DAY: Date = date(2027, 3, 27);

fn day(tag: &str, typed: &str) -> Option<Date> {
    Locale::choose(&[tag]).typing(TODAY).date(typed)
}

fn number(tag: &str, typed: &str) -> Option<Number> {
    number_by(tag, typed, &NumberRules::default())
}

fn number_by(tag: &str, typed: &str, rules: &NumberRules) -> Option<Number> {
    Locale::choose(&[tag]).typing(TODAY).number(typed, rules)
}

/// Of two readings, the one that the rules allow is meant. If they allow both or neither, nobody can
/// tell.
#[test]
fn rules_decide_between_two_readings() {
    let whole = Number::Whole;
    let between = |min, max| NumberRules {
        min: Some(whole(min)),
        max: Some(whole(max)),
        ..NumberRules::default()
    };
    let integer = NumberRules {
        integer: true,
        ..NumberRules::default()
    };
    for (tag, typed) in [("en", "5,000"), ("de", "5.000")] {
        assert_eq!(number(tag, typed), None, "{tag}");
        let large = number_by(tag, typed, &between(1000, 5000));
        assert_eq!(large, Some(whole(5000)), "{tag}");
        let small = number_by(tag, typed, &between(1, 10));
        assert_eq!(small, Some(whole(5)), "{tag}");
        assert_eq!(number_by(tag, typed, &between(1, 9000)), None, "{tag}");
        assert_eq!(number_by(tag, typed, &between(6, 9)), None, "{tag}");
    }
    assert_eq!(number_by("en", "1,500", &integer), Some(whole(1500)));
}

/// The forms that every language takes, and the day that does not exist.
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

/// Each language reads back the name of every month and its own long form's words.
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

/// The decimal mark is that of the language, and what is typed is never guessed at.
#[test]
fn decimal_mark_follows_language() {
    assert_eq!(number("en", "3.5"), Some(Number::Real(3.5)));
    assert_eq!(number("en", "0"), Some(Number::Whole(0)));
    assert_eq!(number("en", "1e3"), Some(Number::Whole(1000)));
    assert_eq!(number("en", "3,5"), None);
    assert_eq!(number("en", "three"), None);
}

/// A comma stands before decimals where people write one, and a point is no stand-in there.
#[test]
fn comma_is_the_mark_where_it_is_written() {
    for tag in ["de", "fr", "es", "it", "pt-BR"] {
        assert_eq!(number(tag, "3,5"), Some(Number::Real(3.5)), "{tag}");
        // As programs write it.
        assert_eq!(number(tag, "3.5"), Some(Number::Real(3.5)), "{tag}");
    }
    for tag in ["zh-CN", "ja", "ko", "ar", "he"] {
        assert_eq!(number(tag, "3.5"), Some(Number::Real(3.5)), "{tag}");
    }
}

/// Days as people of each language type them.
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

/// A weekday, the Friday of the next week, in two weeks, in three days, a week ago.
const SPOKEN: [(&str, &str, &str, &str, &str, &str); 11] = [
    (
        "en",
        "monday",
        "friday next week",
        "in 2 weeks",
        "in three days",
        "a week ago",
    ),
    (
        "de",
        "Montag",
        "Freitag nächste Woche",
        "in 2 Wochen",
        "in drei Tagen",
        "vor einer Woche",
    ),
    (
        "fr",
        "lundi prochain",
        "vendredi prochain",
        "dans deux semaines",
        "dans 3 jours",
        "il y a une semaine",
    ),
    (
        "es",
        "el lunes",
        "el próximo viernes",
        "dentro de 2 semanas",
        "en tres días",
        "hace una semana",
    ),
    (
        "it",
        "lunedì",
        "venerdì prossimo",
        "tra due settimane",
        "fra 3 giorni",
        "una settimana fa",
    ),
    (
        "pt-BR",
        "segunda",
        "próxima sexta-feira",
        "daqui a 2 semanas",
        "em três dias",
        "há uma semana",
    ),
    ("zh-CN", "周一", "下周五", "两周后", "3天后", "一周前"),
    (
        "ja",
        "月曜日",
        "来週の金曜日",
        "2週間後",
        "３日後",
        "1週間前",
    ),
    (
        "ko",
        "월요일",
        "다음 주 금요일",
        "2주 후",
        "3일 뒤",
        "일주일 전",
    ),
    (
        "ar",
        "الاثنين",
        "الجمعة القادمة",
        "بعد أسبوعين",
        "بعد ٣ أيام",
        "قبل أسبوع",
    ),
    (
        "he",
        "יום שני",
        "יום שישי בשבוע הבא",
        "בעוד שבועיים",
        "עוד 3 ימים",
        "לפני שבוע",
    ),
];

/// Weekdays and relative days as people of each language say them. TODAY is a Friday.
#[test]
fn spoken_days_are_read_in_every_language() {
    let monday = date(2027, 3, 29);
    let next_friday = date(2027, 4, 2);
    let two_weeks = date(2027, 4, 9);
    let three_days = date(2027, 3, 29);
    let week_ago = date(2027, 3, 19);
    for (tag, weekday, friday, weeks, days, ago) in SPOKEN {
        for (typed, expected) in [
            (weekday, monday),
            (friday, next_friday),
            (weeks, two_weeks),
            (days, three_days),
            (ago, week_ago),
            ("next friday", next_friday),
            ("in 2 weeks", two_weeks),
        ] {
            assert_eq!(day(tag, typed), Some(expected), "{tag}: {typed}");
        }
    }
}

/// What the echo of a date says can be typed, and is the same date.
#[test]
fn long_dates_are_read_back() {
    for tag in Locale::tags().filter(|tag| !tag.contains("-X")) {
        let locale = Locale::choose(&[tag]);
        for ahead in 0..400 {
            let shown = TODAY.checked_add(jiff::Span::new().days(ahead)).unwrap();
            let long = locale.date_long(shown);
            assert_eq!(day(tag, &long), Some(shown), "{tag}: {long}");
            let weekday = locale.weekday_name(shown.weekday());
            assert_eq!(
                day(tag, weekday).map(Date::weekday),
                Some(shown.weekday()),
                "{tag}: {weekday}"
            );
        }
    }
}

/// Whoever types a week is told what to type instead, and every example is a day in their language.
#[test]
fn examples_for_a_period_are_days() {
    const QUOTES: [char; 13] = [
        '“', '”', '„', '«', '»', '‹', '›', '「', '」', '‘', '’', '"', '\u{A0}',
    ];
    // The pseudo-languages change the letters of their texts.
    for tag in Locale::tags().filter(|tag| !tag.contains("-X")) {
        let locale = Locale::choose(&[tag]);
        let parser = locale.typing(TODAY);
        assert_eq!(parser.date("next week"), None, "{tag}");
        let told = locale.date_problem("next week", &parser);
        let examples: Vec<&str> = told
            .split(QUOTES)
            .skip(1)
            .step_by(2)
            .map(str::trim)
            .collect();
        assert_eq!(examples.len(), 2, "{tag}: {told}");
        for example in examples {
            assert!(parser.date(example).is_some(), "{tag}: {example}");
        }
    }
}

/// A date that is refused says why.
#[test]
fn refused_dates_say_why() {
    let told = |tag: &str, typed: &str| {
        let locale = Locale::choose(&[tag]);
        locale.date_problem(typed, &locale.typing(TODAY))
    };
    assert_eq!(told("en", "31 nov"), "31 November does not exist");
    let both = told("en", "3/4/2027");
    assert!(
        both.contains("3 April 2027 or Thursday 4 March 2027"),
        "{both}"
    );
    assert_eq!(day("de", "27.3."), Some(DAY));
    assert!(told("de", "31.11.").contains("November gibt es nicht"));
}
