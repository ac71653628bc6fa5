//! The English words of the frames, as the specification of the terminal has them.

use askback_locale::{Arg, Locale};
use jiff::civil::date;

fn en(id: &str, args: &[(&str, Arg<'_>)]) -> String {
    Locale::choose(&["en"]).text(id, args)
}

/// The words of the heads and bodies.
#[test]
fn heads_and_bodies_read_as_specified() {
    assert_eq!(en("asks", &[("agent", "builder".into())]), "builder asks");
    assert_eq!(
        en("selected-count", &[("count", 2_usize.into())]),
        "2 selected"
    );
    assert_eq!(
        en(
            "number-whole-range",
            &[("min", "1".into()), ("max", "9".into())]
        ),
        "A whole number from 1 to 9"
    );
    assert_eq!(
        en(
            "question-of",
            &[("index", 2_usize.into()), ("count", 3_usize.into())]
        ),
        "Question 2 of 3"
    );
    assert_eq!(
        en("question-count", &[("count", 3_usize.into())]),
        "3 questions"
    );
    assert_eq!(
        en("question-count", &[("count", 1_usize.into())]),
        "1 question"
    );
    assert_eq!(en("day-count", &[("count", 5_usize.into())]), "5 days");
    assert_eq!(
        en("deadline-closing", &[("left", "0:20".into())]),
        "closes in 0:20 • any key keeps it open"
    );
    assert_eq!(
        en(
            "shown-of",
            &[("shown", 9_usize.into()), ("count", 18_usize.into())]
        ),
        "9 of 18 shown"
    );
    let folded = [
        ("count", 3_usize.into()),
        ("keys", "z".into()),
        ("question", "Database: Which database?".into()),
    ];
    assert_eq!(
        en("folded", &folded),
        "3 questions waiting • z open • Database: Which database?"
    );
}

/// The hints with the keys that are bound.
#[test]
fn hints_read_as_specified() {
    let hint = |id: &str, keys: &str| en(id, &[("keys", keys.into())]);
    assert_eq!(hint("hint-navigate", "↑↓"), "↑↓ navigate");
    assert_eq!(hint("hint-leave", "esc"), "esc leave…");
    assert_eq!(
        hint("hint-back-to-question", "esc"),
        "esc back to the question"
    );
    assert_eq!(hint("hint-back-to-list", "esc"), "esc back to the list");
    assert_eq!(
        en(
            "hint-step",
            &[("keys", "pgup/pgdn".into()), ("step", 10_usize.into())]
        ),
        "pgup/pgdn ±10"
    );
    assert_eq!(hint("tiny-ok", "↵"), "↵ok");
    assert_eq!(hint("tiny-cancel", "esc"), "esc…");
}

/// What stays in the scrollback.
#[test]
fn resolved_lines_read_as_specified() {
    let line = en(
        "resolved-answered",
        &[
            ("name", "Auth Method".into()),
            ("answer", "OAuth 2.0".into()),
        ],
    );
    assert_eq!(line, "Auth Method: OAuth 2.0");
    let elsewhere = [
        ("line", line.into()),
        ("person", "ana".into()),
        ("surface", "web".into()),
    ];
    assert_eq!(
        en("resolved-elsewhere", &elsewhere),
        "Auth Method: OAuth 2.0 — answered by ana in the browser"
    );
    assert_eq!(
        en(
            "resolved-expired",
            &[("name", "Region".into()), ("time", "14:30".into())]
        ),
        "Region: no answer by 14:30, agent continued without one"
    );
    assert_eq!(
        en("answer-own", &[("answer", "bun".into())]),
        "bun (own answer)"
    );
}

/// The name of a dialog's respondent says that it is an MCP client; the place does not say it again.
#[test]
fn answer_in_a_dialog_names_the_client_once() {
    let args = [
        ("line", "Database: SQLite".into()),
        ("person", "MCP client Codex".into()),
        ("surface", "mcp".into()),
    ];
    for tag in Locale::tags() {
        let locale = Locale::choose(&[tag]);
        for id in ["resolved-elsewhere", "web-answered-by"] {
            let text = locale.text(id, &args);
            assert_eq!(text.matches("MCP").count(), 1, "{tag} {id}: {text}");
        }
    }
}

/// What a pipe and the line mode say.
#[test]
fn lines_read_as_specified() {
    let waiting = [
        ("count", 1_usize.into()),
        ("id", "q_7f3a".into()),
        ("agent", "builder".into()),
        ("name", "Database".into()),
    ];
    assert_eq!(
        en("pipe-waiting", &waiting),
        "1 question is waiting (q_7f3a, builder: Database)"
    );
    assert_eq!(
        en("pipe-answer", &[("command", "ask answer q_7f3a".into())]),
        "answer with  ask answer q_7f3a  or open"
    );
    assert_eq!(
        en("line-prompt-one", &[("count", 3_usize.into())]),
        "Type 1 to 3, or ? for help:"
    );
    assert_eq!(
        en("line-chosen-sent", &[("answer", "MongoDB".into())]),
        "Chosen: MongoDB. Sent."
    );
}

/// The long form of a day and the head of the calendar.
#[test]
fn days_read_as_specified() {
    let english = Locale::choose(&["en"]);
    assert_eq!(
        english.date_long(date(2027, 3, 27)),
        "Saturday 27 March 2027"
    );
    assert_eq!(english.month_year(date(2027, 3, 27)), "March 2027");
    assert_eq!(english.weekday_short(english.week_start()), "Mo");
    assert_eq!(english.month_name(13), "");
}

/// An unknown id stands for itself, so that a gap is seen and nothing fails.
#[test]
fn unknown_id_stands_for_itself() {
    assert_eq!(en("no-such-message", &[]), "no-such-message");
}

/// The accented pseudo-language changes all own text and no placeable.
#[test]
fn accented_language_leaves_placeables() {
    let accented = Locale::choose(&["en-XA"]);
    let shown = accented.text("asks", &[("agent", "builder".into())]);
    assert_eq!(shown, "builder áššķšš");
}
