//! The frames of the specification, reviewed as files.

use std::time::Duration;

use askback_terminal::key::InputEvent;
use askback_tui::deadline::Deadline;
use askback_tui::prompt::{Persistence, Prompt};
use insta::assert_snapshot;
use jiff::Timestamp;
use serde_json::json;

use super::fixtures::{
    ascii, database, features, inquiry, languages, options, press, prompt, prompt_in, resize,
    shown, three, typed, write,
};

#[test]
fn f01_single_select() {
    assert_snapshot!("f01", shown(&prompt(&database())));
    for tag in ["de", "ja", "ar"] {
        assert_snapshot!(format!("f01_{tag}"), shown(&prompt_in(tag, &database())));
    }
}

/// Without a header and an asker, the first row is a rule and not two characters.
#[test]
fn rule_replaces_a_missing_header() {
    let bare = inquiry(&json!({"question": "Deploy now?", "options": ["Yes", "No"]}));
    let first = |prompt: &Prompt| shown(prompt).lines().next().unwrap().to_owned();
    let mut settings = options("en");
    settings.asker = None;
    let rule = first(&Prompt::new(bare, settings));
    assert_eq!(rule, format!("╭{}", "─".repeat(58)));
}

#[test]
fn f02_multi_select() {
    for tag in ["en", "de", "ja", "ar"] {
        let mut prompt = prompt_in(tag, &features());
        press(&mut prompt, "space down space");
        assert_snapshot!(format!("f02_{tag}"), shown(&prompt));
    }
}

#[test]
fn f03_own_text() {
    let mut prompt = prompt(&database());
    press(&mut prompt, "4");
    write(
        &mut prompt,
        "bun 1.2, because our CI image already caches it and npm 10 is not available there",
    );
    assert_snapshot!("f03", shown(&prompt));
}

#[test]
fn f04_text_with_counter() {
    let input = typed(
        "text",
        &json!({"question": "What does 'DM' refer to?",
        "context": "The abbreviation has several meanings", "validation": {"max_length": 500}}),
    );
    let mut prompt = prompt(&input);
    write(&mut prompt, "Direct message, as in the chat feature");
    assert_snapshot!("f04", shown(&prompt));
}

#[test]
fn f05_number_and_f06_error() {
    let rules = json!({"validation": {"min": 1, "max": 9, "integer": true}});
    let mut prompt = prompt(&typed("number", &rules));
    write(&mut prompt, "3");
    assert_snapshot!("f05", shown(&prompt));
    press(&mut prompt, "backspace 1 2 enter");
    assert_snapshot!("f06", shown(&prompt));
}

#[test]
fn f07_date() {
    let mut prompt = prompt(&typed(
        "date",
        &json!({"question": "When should we schedule it?"}),
    ));
    press(&mut prompt, "right right");
    assert_snapshot!("f07", shown(&prompt));
}

#[test]
fn f08_date_range() {
    let mut prompt = prompt(&typed("date_range", &json!({"question": "Which period?"})));
    write(&mut prompt, "8 mar 2027");
    press(&mut prompt, "enter");
    write(&mut prompt, "2027-03-12");
    assert_snapshot!("f08", shown(&prompt));
}

#[test]
fn f09_several_questions_and_f10_review() {
    for tag in ["en", "de", "ja", "ar"] {
        let mut prompt = prompt_in(tag, &three());
        press(&mut prompt, "n");
        write(&mut prompt, "keep JWT for CI");
        press(&mut prompt, "enter enter");
        if tag == "en" {
            assert_snapshot!("f09", shown(&prompt));
        }
        press(&mut prompt, "r");
        assert_snapshot!(format!("f10_{tag}"), shown(&prompt));
    }
}

#[test]
fn f11_leave_menu() {
    let mut options = options("en");
    options.persistence = Persistence::Durable;
    let mut prompt = Prompt::new(inquiry(&database()), options);
    press(&mut prompt, "esc");
    assert_snapshot!("f11", shown(&prompt));
}

#[test]
fn f12_expiring() {
    let mut options = options("en");
    let total = Duration::from_mins(10);
    options.deadline = Some(Deadline {
        at: Timestamp::UNIX_EPOCH,
        ends: total,
        total,
    });
    let mut prompt = Prompt::new(inquiry(&database()), options);
    prompt.tick(Duration::from_secs(580));
    assert_snapshot!("f12", shown(&prompt));
}

#[test]
fn f13_long_list_and_filter() {
    let mut prompt = prompt(&languages());
    assert_snapshot!("f13_whole", shown(&prompt));
    press(&mut prompt, "/ a n down down down");
    resize(&mut prompt, 60, 12);
    assert_snapshot!("f13", shown(&prompt));
}

#[test]
fn f14_folded() {
    let mut prompt = prompt(&three());
    press(&mut prompt, "z");
    assert_snapshot!("f14", shown(&prompt));
}

#[test]
fn f16_ascii() {
    let mut prompt = ascii(&features());
    press(&mut prompt, "space down");
    let shown = shown(&prompt);
    assert!(shown.replace('█', "").is_ascii(), "{shown}");
    assert_snapshot!("f16", shown);
}

#[test]
fn f19_scripts() {
    let input = json!({"questions": [{"question": "どのデータベースを使いますか？", "header": "データ",
        "options": [{"label": "日本語データベース 🗄️ エンジン", "description": "説明は次の行に置く"},
            {"label": "قاعدة بيانات", "description": "وصف قصير"}, {"label": "中文选项 👨‍👩‍👧 家庭"}]}]});
    assert_snapshot!("f19", shown(&prompt(&input)));
}

#[test]
fn f20_tiny() {
    let mut prompt = prompt(&database());
    resize(&mut prompt, 20, 6);
    assert_snapshot!("f20", shown(&prompt));
    resize(&mut prompt, 36, 24);
    assert_snapshot!("narrow", shown(&prompt));
}

#[test]
fn help_preview_and_reader() {
    let mut prompt = prompt(&database());
    press(&mut prompt, "?");
    assert_snapshot!("help", shown(&prompt));
    press(&mut prompt, "esc v");
    assert_snapshot!("reader", shown(&prompt));
    prompt.handle(&InputEvent::FocusIn, Duration::ZERO);
}
