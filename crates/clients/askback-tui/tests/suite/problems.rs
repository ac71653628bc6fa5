//! What a prompt says about an answer that does not fit: which field, and which values do.

use askback_terminal::row::Style;
use askback_tui::prompt::Prompt;
use serde_json::json;

use super::fixtures::{press, prompt, prompt_in, shown, typed, write};

/// Of the two fields of a period, the message names the one that is wrong.
#[test]
fn period_says_which_field_is_wrong() {
    let rules = json!({"validation": {"min": "2027-03-01", "max": "2027-03-31"}});
    for (from, to, wanted) in [
        (
            "2027-02-27",
            "2027-03-12",
            "✘ From must be 2027-03-01 or later",
        ),
        (
            "2027-03-08",
            "2027-04-12",
            "✘ To must be 2027-03-31 or earlier",
        ),
        ("soon", "2027-03-12", "✘ From: Not a date"),
        ("2027-03-08", "later", "✘ To: Not a date"),
        ("2027-03-08", "", "✘ To: give an answer"),
    ] {
        let mut prompt = prompt(&typed("date_range", &rules));
        write(&mut prompt, from);
        press(&mut prompt, "enter");
        write(&mut prompt, to);
        press(&mut prompt, "enter");
        let text = shown(&prompt);
        assert!(text.contains(wanted), "{from} {to}: {text}");
    }
}

/// A number out of range is refused with both ends of the range, as the language writes them.
#[test]
fn number_out_of_range_names_both_ends() {
    let rules = json!({"validation": {"min": 0.5, "max": 9}});
    for (tag, number, wanted) in [
        ("en", "12", "✘ The answer must be from 0.5 to 9"),
        ("en", "0", "✘ The answer must be from 0.5 to 9"),
        ("de", "12", "von 0,5 bis 9"),
    ] {
        let mut prompt = prompt_in(tag, &typed("number", &rules));
        write(&mut prompt, number);
        press(&mut prompt, "enter");
        let text = shown(&prompt);
        assert!(text.contains(wanted), "{tag} {number}: {text}");
    }
}

/// The border of a question whose answer was refused is red, until the next change.
#[test]
fn refused_answer_has_a_red_border() {
    let mut prompt = prompt(&typed("number", &json!({"validation": {"max": 9}})));
    let border = |prompt: &Prompt| {
        let rows = prompt.view().rows;
        let edges = rows.iter().map(|row| row.spans()[0].style);
        edges.collect::<Vec<_>>()
    };
    let is_all = |edges: &[Style], style| edges.iter().all(|edge| *edge == style);
    assert!(is_all(&border(&prompt), Style::Border));
    write(&mut prompt, "12");
    press(&mut prompt, "enter");
    assert!(is_all(&border(&prompt), Style::Error), "{}", shown(&prompt));
    press(&mut prompt, "backspace");
    assert!(
        is_all(&border(&prompt), Style::Border),
        "{}",
        shown(&prompt)
    );
}

/// A question without a header is not called by its own text.
#[test]
fn empty_answer_is_not_named_by_the_question() {
    let mut prompt = prompt(&json!({"questions": [
        {"question": "Next one?", "options": ["First", "Second"]},
        {"question": "And then?", "options": ["First", "Second"]},
    ]}));
    press(&mut prompt, "o enter");
    let text = shown(&prompt);
    assert!(text.contains("✘ Answer this question"), "{text}");
    assert!(!text.contains("is empty"), "{text}");
}
