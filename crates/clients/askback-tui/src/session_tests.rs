//! A question that is answered elsewhere while somebody types: the rest of the line goes nowhere else.

use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::draft::Draft;
use askback_locale::Locale;
use serde_json::json;

use super::{PromptHost, PromptScreen, SessionEnd, Wakeup};
use crate::prompt::{Persistence, Prompt, PromptOptions};
use askback_terminal::app::Screen as _;
use askback_terminal::key::{InputEvent, Key, KeyCode};
use askback_terminal::row::Row;

/// Reports once that the question was resolved, and counts the drafts that it was given.
#[derive(Default)]
struct Host {
    ends: bool,
    drafts: usize,
}

impl PromptHost for Host {
    fn draft_changed(&mut self, _: &Draft) {
        self.drafts += 1;
    }

    fn poll(&mut self) -> Wakeup {
        if std::mem::take(&mut self.ends) {
            return Wakeup::EndedElsewhere;
        }
        Wakeup::Continue
    }
}

fn prompt() -> Prompt {
    let input = json!({"question": "Which name?"});
    let inquiry = Dialect::AskUser.parse(&input, ParseOptions::default());
    let mut options = PromptOptions::new(Locale::choose(&["en"]), jiff::civil::date(2027, 3, 26));
    options.persistence = Persistence::Durable;
    options.typeahead_window = Duration::ZERO;
    Prompt::new(inquiry.unwrap().inquiry, options)
}

fn screen<'a>(prompt: &'a mut Prompt, host: &'a mut Host) -> PromptScreen<'a> {
    PromptScreen {
        prompt,
        host,
        now: Duration::ZERO,
        screen_requests: Vec::new(),
        finish: None,
        has_ended_elsewhere: false,
        last_key: None,
    }
}

/// Types at ten characters a second, and returns when the last one was typed.
fn types(screen: &mut PromptScreen<'_>, text: &str, from: u64) -> Duration {
    let mut now = Duration::from_secs(from);
    for char in text.chars() {
        now += Duration::from_millis(100);
        screen.handle(&InputEvent::Key(Key::char(char)), now);
    }
    now
}

#[test]
fn rest_of_a_line_is_kept_as_not_sent() {
    let (mut prompt, mut host) = (prompt(), Host::default());
    host.ends = true;
    let mut screen = screen(&mut prompt, &mut host);
    types(&mut screen, "this is ", 10);
    screen.listen();
    let last = types(&mut screen, "the text", 11);
    assert_eq!(screen.finish, None, "somebody types");
    screen.tick(last + Duration::from_millis(600));
    assert_eq!(screen.finish, None, "a pause is longer");
    screen.tick(last + Duration::from_millis(700));
    assert_eq!(screen.finish, Some(SessionEnd::EndedElsewhere));
    let unsent: Vec<String> = prompt.unsent().iter().map(Row::text).collect();
    assert!(unsent.join(" ").contains("this is the text"), "{unsent:?}");
    assert_eq!(
        host.drafts,
        "this is ".len(),
        "a question that ended has no draft"
    );
}

#[test]
fn enter_ends_the_line_and_sends_nothing() {
    let (mut prompt, mut host) = (prompt(), Host::default());
    host.ends = true;
    let mut screen = screen(&mut prompt, &mut host);
    let last = types(&mut screen, "this is ", 10);
    screen.listen();
    assert_eq!(screen.finish, None, "somebody types");
    let enter = InputEvent::Key(Key::plain(KeyCode::Enter));
    screen.handle(&enter, last + Duration::from_millis(100));
    assert_eq!(screen.finish, Some(SessionEnd::EndedElsewhere));
}

#[test]
fn nobody_types_so_it_ends_at_once() {
    let (mut prompt, mut host) = (prompt(), Host::default());
    host.ends = true;
    let mut screen = screen(&mut prompt, &mut host);
    let last = types(&mut screen, "this is ", 10);
    screen.tick(last + Duration::from_secs(5));
    screen.listen();
    assert_eq!(screen.finish, Some(SessionEnd::EndedElsewhere));
}
