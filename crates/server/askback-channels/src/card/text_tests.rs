use askback_core::answer::Answers;
use askback_core::dialect::Dialect;
use askback_core::outcome::Outcome;
use askback_core::text::{Lines, Text};
use askback_locale::Locale;
use serde_json::json;

use crate::card::{CardState, ContentLevel};
use crate::fixtures::{at, open_card, parse, question, zoe};

fn sqlite() -> Outcome {
    let answers = json!({ "q1": "SQLite" });
    let answers = Answers::from_json(&question(), &answers, None).expect("it fits");
    Outcome::Answered { answers }
}

#[test]
fn an_open_card_shows_who_asks_and_every_choice_whole() {
    let text = open_card(question()).text(4096);
    let expected = "claude-code has a question\nProject: shop\n\nDatabase\nWhich database?\n\
                    1. SQLite (Recommended)\n   One file\n2. PostgreSQL\n   A server";
    assert_eq!(text, expected);
}

#[test]
fn an_ended_card_says_what_by_whom_where_and_when() {
    let mut card = open_card(question());
    card.state = CardState::Ended {
        by: zoe(),
        outcome: sqlite(),
        at: at("2027-03-27T21:04:09Z"),
    };
    let status = card.status().expect("it ended");
    assert_eq!(
        status,
        "✓ Database: SQLite\nAnswered by Zoë in Telegram, 21:04"
    );
    assert!(!card.is_answerable());
}

#[test]
fn the_texts_have_the_language_of_the_reader() {
    let mut card = open_card(question());
    card.reader.locale = Locale::choose(&["de"]);
    card.state = CardState::Ended {
        by: zoe(),
        outcome: sqlite(),
        at: at("2027-03-26T21:04:09Z"),
    };
    let status = card.status().expect("it ended");
    assert_eq!(
        status,
        "✓ Database: SQLite\nZoë hat in Telegram geantwortet, 2027-03-26 21:04"
    );
}

/// Less content than `full` leaves out choices, and answers too.
#[test]
fn a_lower_content_level_shows_neither_choices_nor_answers() {
    for content in [ContentLevel::Title, ContentLevel::Link] {
        let mut card = open_card(question());
        card.content = content;
        let open = card.text(4096);
        card.state = CardState::Ended {
            by: zoe(),
            outcome: sqlite(),
            at: at("2027-03-27T21:04:09Z"),
        };
        let all = [open, card.text(4096), card.title()].join("\n");
        assert!(!all.contains("SQL"), "{all}");
        assert!(all.contains("Zoë"), "{all}");
        assert_eq!(all.contains("shop"), content == ContentLevel::Title);
    }
}

#[test]
fn a_text_that_is_too_long_ends_with_the_link() {
    let mut card = open_card(question());
    card.project = Text::name(&"👩‍💻".repeat(100));
    let text = card.text(200);
    assert!(text.encode_utf16().count() <= 200, "{text}");
    assert!(text.ends_with("…\n\nThe rest is behind the link.\nhttps://ask.example/q/1"));
    assert!(
        !text.contains("👩…") && !text.contains("\u{200d}…"),
        "{text}"
    );
}

#[test]
fn a_held_answer_says_when_it_takes_effect() {
    let mut card = open_card(question());
    card.state = CardState::Held {
        by: zoe(),
        outcome: Outcome::Declined,
        until: at("2027-03-27T21:05:00Z"),
        is_own: true,
    };
    let status = card.status().expect("it is held");
    assert_eq!(
        status,
        "Decision left to the agent by Zoë\nTakes effect at 21:05"
    );
}

#[test]
fn the_whole_text_has_all_questions_whatever_the_draft_shows() {
    let ask = |name: &str| {
        json!({
            "question": format!("{name}?"), "header": name,
            "options": [{ "label": "A", "description": "…" }, { "label": "B", "description": "…" }],
        })
    };
    let input = json!({ "questions": [ask("First"), ask("Second")] });
    let card = open_card(parse(Dialect::AskUserQuestion, &input));
    assert!(!card.text(4000).contains("Second?"));
    let whole = card.whole_text(4000);
    let (first, second) = (whole.find("First?"), whole.find("Second?"));
    assert!(first.is_some() && first < second, "{whole}");
}

/// The button that sends a draft sends notes and own text, too, so that the message has to show them.
#[test]
fn a_card_with_a_draft_to_send_shows_all_of_it() {
    let input = json!({
        "question": "Which?", "input_type": "multi_select", "allow_other": true,
        "options": [{ "label": "A" }, { "label": "B" }],
    });
    let mut card = open_card(parse(Dialect::AskUser, &input));
    let CardState::Open { draft } = &mut card.state else {
        panic!("it is open");
    };
    draft.entries[0].note = "only on Monday".to_owned();
    draft.entries[0].own = "docs".to_owned();
    draft.entries[0].own_ticked = true;
    let text = card.text(4096);
    assert!(text.ends_with("→ docs\nNote: only on Monday"), "{text}");
}

/// What the agent assumes reads like a fact, unless it is marked.
#[test]
fn an_assumption_is_marked() {
    let assumption = Text::clean("We use Postgres", Lines::One).expect("a text");
    let card = open_card(question().assuming(&assumption));
    let marked = "Which database?\nUntil you answer, the agent assumes: We use Postgres\n1. ";
    assert!(card.text(4096).contains(marked), "{}", card.text(4096));
    assert!(card.whole_text(4096).contains(marked));
}
