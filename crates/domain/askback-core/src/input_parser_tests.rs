//! What people type for days is understood in every documented form and in no other.

use jiff::civil::date;

use super::{DateOrder, DateWords, InputParser};

static GERMAN: DateWords = DateWords {
    days: &[("morgen", 1)],
    weekdays: [&[]; 7],
    phrases: &[],
    numbers: &[],
    units: &[],
    amounts: &[],
    fillers: &[],
    endings: &[],
};

fn parser() -> InputParser {
    InputParser::english(date(2027, 3, 26))
}

/// Every documented spelling of a day is that day.
#[test]
fn each_documented_form_is_the_same_day() {
    let forms = [
        "2027-03-27",
        "2027/3/27",
        "27 3 2027",
        "27.03.2027",
        "27/3/2027",
        "27 mar 2027",
        "27 March 2027",
        "march 27, 2027",
        " tomorrow ",
        "TOMORROW",
    ];
    for form in forms {
        assert_eq!(parser().date(form), Some(date(2027, 3, 27)), "{form}");
    }
}

/// A day that its month does not have is told apart from what is no date at all.
#[test]
fn nonexistent_date_is_recognised() {
    let parser = InputParser::english(jiff::civil::date(2027, 3, 1));
    for (typed, expected) in [
        ("29 feb 2027", Some((2027, 2, 29))),
        ("2027-02-30", Some((2027, 2, 30))),
        ("31/4/2027", Some((2027, 4, 31))),
        ("29 feb 2028", None),
        ("32 jan 2027", None),
        ("2027-13-01", None),
        ("3/4/2027", None),
        ("soon", None),
        ("tomorrow", None),
    ] {
        assert_eq!(parser.nonexistent_date(typed), expected, "{typed}");
    }
}

/// A day that does not exist, half a date and free text are no days.
#[test]
fn what_is_no_day_of_the_calendar_is_refused() {
    for form in [
        "2027-02-29",
        "31 4 2027",
        "0 3 2027",
        "27 13 2027",
        "27 3",
        "27 3 27",
        "soon",
        "",
        "27 mar 2027 x",
    ] {
        assert_eq!(parser().date(form), None, "{form}");
    }
    assert_eq!(
        parser().date("2028-02-29"),
        Some(date(2028, 2, 29)),
        "a leap day exists"
    );
}

/// The order of day and month follows the reader's habit, except where a name settles it.
#[test]
fn order_of_day_and_month_follows_the_habit() {
    let american = InputParser {
        order: DateOrder::MonthDay,
        ..parser()
    };
    assert_eq!(american.date("3 4 2027"), Some(date(2027, 3, 4)));
    let german = InputParser {
        order: DateOrder::DayMonth,
        ..parser()
    };
    assert_eq!(german.date("3 4 2027"), Some(date(2027, 4, 3)));
    assert_eq!(american.date("4 mar 2027"), Some(date(2027, 3, 4)));
}

/// English is written in both orders, so a day that could be two is not guessed.
#[test]
fn day_that_could_be_two_is_refused_in_english() {
    for form in ["3/4/2027", "3-4-2027", "12/11/2027"] {
        assert_eq!(parser().date(form), None, "{form}");
    }
    for (form, day) in [
        ("3/27/2027", date(2027, 3, 27)),
        ("27/3/2027", date(2027, 3, 27)),
        ("4/4/2027", date(2027, 4, 4)),
        ("3 4 2027", date(2027, 4, 3)),
        ("3.4.2027", date(2027, 4, 3)),
        ("2027/3/4", date(2027, 3, 4)),
    ] {
        assert_eq!(parser().date(form), Some(day), "{form}");
    }
}

/// Words of another language work as the English ones do.
#[test]
fn words_come_in_from_outside() {
    let german = InputParser {
        months: vec![("märz".to_owned(), 3)],
        words: vec![&GERMAN],
        ..parser()
    };
    assert_eq!(german.date("27. März 2027"), Some(date(2027, 3, 27)));
    assert_eq!(german.date("morgen"), Some(date(2027, 3, 27)));
    assert_eq!(german.date("tomorrow"), None);
    assert_eq!(german.date("27 march 2027"), None);
}

/// Without a year it is the next day of that name, today included.
#[test]
fn named_month_without_a_year_is_the_next_one() {
    for (form, day) in [
        ("27 mar", date(2027, 3, 27)),
        ("March 27", date(2027, 3, 27)),
        ("26 mar", date(2027, 3, 26)),
        ("25 mar", date(2028, 3, 25)),
        ("1 jan", date(2028, 1, 1)),
        ("29 feb", date(2028, 2, 29)),
    ] {
        assert_eq!(parser().date(form), Some(day), "{form}");
    }
    for form in ["31 apr", "mar mar", "mar", "3 4", "0 mar", "mar -"] {
        assert_eq!(parser().date(form), None, "{form}");
    }
}

/// Days as people say them. 26 March 2027 is a Friday.
#[test]
fn spoken_days_are_understood() {
    for (form, day) in [
        ("friday", date(2027, 4, 2)),
        ("Saturday", date(2027, 3, 27)),
        ("thu", date(2027, 4, 1)),
        ("this sunday", date(2027, 3, 28)),
        ("next friday", date(2027, 4, 2)),
        ("next monday", date(2027, 3, 29)),
        ("Next  Sunday", date(2027, 4, 4)),
        ("sunday next week", date(2027, 4, 4)),
        ("in 2 weeks", date(2027, 4, 9)),
        ("in two weeks", date(2027, 4, 9)),
        ("in a month", date(2027, 4, 26)),
        ("in 1 year", date(2028, 3, 26)),
        ("10 days from now", date(2027, 4, 5)),
        ("3 days ago", date(2027, 3, 23)),
        ("last monday", date(2027, 3, 22)),
        ("last  Fri", date(2027, 3, 19)),
        ("last saturday", date(2027, 3, 20)),
        ("27th march", date(2027, 3, 27)),
        ("the 27th of March 2027", date(2027, 3, 27)),
        ("march 27th", date(2027, 3, 27)),
        ("27march2027", date(2027, 3, 27)),
        ("20270327", date(2027, 3, 27)),
        ("Saturday 27 March 2027", date(2027, 3, 27)),
        ("sat, 27 mar", date(2027, 3, 27)),
        ("27/3/2027 (Sat)", date(2027, 3, 27)),
    ] {
        assert_eq!(parser().date(form), Some(day), "{form}");
    }
    assert_eq!(parser().nonexistent_date("20270229"), Some((2027, 2, 29)));
    assert_eq!(
        parser().nonexistent_date("29th of february 2027"),
        Some((2027, 2, 29))
    );
}

/// On a Tuesday, the friday and the next friday are two days.
#[test]
fn next_weekday_is_in_the_next_week() {
    let tuesday = InputParser::english(date(2027, 3, 23));
    assert_eq!(tuesday.date("friday"), Some(date(2027, 3, 26)));
    assert_eq!(tuesday.date("next friday"), Some(date(2027, 4, 2)));
    assert_eq!(tuesday.date("tuesday"), Some(date(2027, 3, 30)));
}

/// What could mean two days, or none, is refused: no day is guessed.
#[test]
fn vague_words_are_no_day() {
    for form in [
        "next week",
        "last week",
        "last",
        "in weeks",
        "in 2",
        "2 weeks",
        "next",
        "friday 27 march 2027",
        "in 99999 days",
        "in 9999 years",
        "in -2 weeks",
        "2027032",
        "20271301",
        "27th",
        "friday saturday",
    ] {
        assert_eq!(parser().date(form), None, "{form}");
    }
}

/// Without a year, a date in numbers is the next such day, where one order is in use.
#[test]
fn day_and_month_in_numbers_are_the_next_such_day() {
    let with = |order| InputParser { order, ..parser() };
    let german = with(DateOrder::DayMonth);
    for (typed, expected) in [
        ("27.3.", Some(date(2027, 3, 27))),
        ("27.3", Some(date(2027, 3, 27))),
        ("25.3.", Some(date(2028, 3, 25))),
        ("27/3", Some(date(2027, 3, 27))),
        ("31.11.", None),
        ("27.13.", None),
        ("27 3", None),
    ] {
        assert_eq!(german.date(typed), expected, "{typed}");
    }
    let japanese = with(DateOrder::MonthDay);
    assert_eq!(japanese.date("3/27"), Some(date(2027, 3, 27)));
    assert_eq!(parser().date("3/27"), None);
}

#[test]
fn reasons_why_a_text_is_no_date_are_told_apart() {
    let parser = parser();
    assert_eq!(parser.nonexistent_day("31 nov"), Some((11, 31)));
    assert_eq!(parser.nonexistent_day("29 feb"), None);
    assert_eq!(parser.nonexistent_day("32 jan"), None);
    let both = Some((date(2027, 4, 3), date(2027, 3, 4)));
    assert_eq!(parser.ambiguous_date("3/4/2027"), both);
    assert_eq!(parser.ambiguous_date("27/3/2027"), None);
    for typed in ["next week", "next month", "Week"] {
        assert!(parser.is_period(typed), "{typed}");
    }
    assert!(!parser.is_period("soon"));
}

#[test]
fn full_width_characters_are_understood() {
    for typed in [
        "２０２７－０３－２７",
        "２７．３．２０２７",
        "２０２７／３／２７",
    ] {
        assert_eq!(parser().date(typed), Some(date(2027, 3, 27)), "{typed}");
    }
}

#[test]
fn two_days_in_one_text_are_a_range() {
    let range = Some((date(2027, 3, 27), date(2027, 4, 3)));
    for typed in [
        "27 mar to 3 apr",
        "From 27 March until 3 April 2027",
        "27 mar - 3 apr",
        "27 mar – 3 apr",
        "tomorrow to 3 apr",
        "2027-03-27..2027-04-03",
        "2027-03-27/2027-04-03",
        "2027-03-27-2027-04-03",
        "2027-03-27 2027-04-03",
        "27/3/2027 - 3.4.2027",
    ] {
        assert_eq!(parser().date_range(typed), range, "{typed}");
    }
    for typed in [
        "",
        "27 mar",
        "2027/3/27",
        "27 mar to",
        "27 mar to 3 apr to 5 apr",
        "to",
        "3/4/2027 to 5/4/2027",
    ] {
        assert_eq!(parser().date_range(typed), None, "{typed}");
    }
}

/// Whoever sends a long text must not keep the server busy with it.
#[test]
fn no_date_is_long() {
    let spread = |words: &str| words.replace(' ', &" ".repeat(super::DATE_LEN_MAX));
    assert!(parser().date("27 march 2027").is_some());
    assert_eq!(parser().date(&spread("27 march 2027")), None);
    assert!(parser().date_range("27 mar to 3 apr").is_some());
    assert_eq!(parser().date_range(&spread("27 mar to 3 apr")), None);
    assert_eq!(parser().date_range(&"27 mar to ".repeat(100_000)), None);
    assert!(!parser().is_period(&spread("next week")));
}
