//! The link for another device: beside its code where there is room, honest about whom it reaches.

use askback_terminal::app::ScreenRequest;
use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_locale::Locale;
use askback_wire::link::{LinkAllow, LinkResponse};
use serde_json::json;

use super::is_on_loopback;
use crate::prompt::{Persistence, Prompt, PromptOptions, Reaction};
use crate::prompt::{PromptEvent, PromptRequest};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key, KeyCode};
use askback_terminal::row::{Row, ScreenBuffer, Size};
use askback_terminal::width::text_width;

const LOCAL: &str = "http://127.0.0.1:7777/q/inq_01hzy3v5q0k2m4n6p8r0s2t4v6?key=1795012345-0123456789abcdef0123456789abcdef";

fn prompt(persistence: Persistence, columns: usize, rows: usize) -> Prompt {
    let input = json!({"questions": [{"question": "Which database?", "header": "Database",
        "options": ["PostgreSQL", "SQLite"]}]});
    let inquiry = Dialect::AskUserQuestion.parse(&input, ParseOptions::default());
    let mut options = PromptOptions::new(Locale::choose(&["en"]), jiff::civil::date(2027, 3, 26));
    options.persistence = persistence;
    options.typeahead_window = Duration::ZERO;
    options.size = Size { columns, rows };
    Prompt::new(inquiry.unwrap().inquiry, options)
}

fn press(prompt: &mut Prompt, key: Key) -> Reaction {
    prompt.painted(Duration::ZERO);
    prompt.handle(&InputEvent::Key(key), Duration::from_secs(1))
}

fn link(url: &str) -> LinkResponse {
    LinkResponse {
        allow: LinkAllow::default(),
        url: url.to_owned(),
        expires_at: jiff::Timestamp::UNIX_EPOCH,
        qr_svg: None,
        qr_rows: None,
    }
}

fn shown(prompt: &Prompt) -> Vec<String> {
    let frame = prompt.view();
    let size = prompt.options.size;
    assert!(frame.rows.len() <= size.rows, "{size:?}");
    for row in &frame.rows {
        assert!(text_width(&row.text()) < size.columns, "{}", row.text());
    }
    frame.rows.iter().map(Row::text).collect()
}

fn shared(columns: usize, rows: usize, url: &str) -> Prompt {
    let mut prompt = prompt(Persistence::Durable, columns, rows);
    assert_eq!(
        press(&mut prompt, Key::char('Q')),
        Reaction::Request(PromptRequest::CreateLink)
    );
    assert!(shown(&prompt).join("\n").contains("Creating a link"));
    prompt.handle_event(PromptEvent::Link(Ok(link(url))));
    prompt
}

#[test]
fn code_stands_beside_the_text_where_it_fits() {
    let mut prompt = shared(80, 24, LOCAL);
    assert_eq!(prompt.view().buffer, ScreenBuffer::Alternate);
    let rows = shown(&prompt);
    let code = rows.iter().filter(|row| row.starts_with('█')).count();
    assert!(code >= 19, "{rows:#?}");
    let text = rows.join("\n");
    assert!(text.contains("Answer on another device") && text.contains("Which database?"));
    assert!(text.contains("Only this computer can open it"), "{text}");
    let copied = Reaction::Screen(ScreenRequest::CopyToClipboard(LOCAL.to_owned()));
    assert_eq!(press(&mut prompt, Key::char('y')), copied);
    press(&mut prompt, Key::plain(KeyCode::Esc));
    assert_eq!(prompt.view().buffer, ScreenBuffer::Inline);
    assert_eq!(
        press(&mut prompt, Key::char('Q')),
        Reaction::Redraw,
        "once is enough"
    );
}

#[test]
fn text_alone_where_the_code_does_not_fit_or_cannot_be_drawn() {
    for (columns, rows) in [(60, 20), (40, 12), (80, 16)] {
        let prompt = shared(columns, rows, LOCAL);
        let text = shown(&prompt).join("\n");
        assert!(!text.contains('█'), "{text}");
        assert!(rows < 16 || text.contains("too small"), "{text}");
        let glued: String = text.split_whitespace().collect();
        assert!(glued.contains(LOCAL), "{text}");
    }
    let mut ascii = shared(80, 40, LOCAL);
    ascii.set_glyphs(Glyphs::ASCII);
    let text = shown(&ascii).join("\n");
    assert!(!text.contains('█') && !text.contains("too small"), "{text}");
}

#[test]
fn refusal_is_said_and_a_question_that_is_not_kept_has_no_link() {
    let mut prompt = prompt(Persistence::Durable, 80, 24);
    press(&mut prompt, Key::char('Q'));
    prompt.handle_event(PromptEvent::Link(Err("no more links".to_owned())));
    assert!(shown(&prompt).join("\n").contains("no more links"));
    press(&mut prompt, Key::plain(KeyCode::Esc));
    assert_eq!(
        press(&mut prompt, Key::char('Q')),
        Reaction::Request(PromptRequest::CreateLink),
        "it is tried again"
    );
    let mut nowhere = self::prompt(Persistence::None, 80, 24);
    assert_eq!(press(&mut nowhere, Key::char('Q')), Reaction::Redraw);
    assert!(shown(&nowhere).join("\n").contains("only with --durable"));
}

#[test]
fn addresses_of_this_machine_are_told_from_others() {
    for url in [
        LOCAL,
        "http://localhost:1/q",
        "http://[::1]:7777/q/x",
        "http://127.9.9.9/",
    ] {
        assert!(is_on_loopback(url), "{url}");
    }
    for url in [
        "http://192.168.0.7:7777/q",
        "https://ask.example.org/q",
        "http://127.example.org/",
    ] {
        assert!(!is_on_loopback(url), "{url}");
    }
}
