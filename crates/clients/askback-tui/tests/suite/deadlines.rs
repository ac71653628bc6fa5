//! A deadline is hidden until it is near, any key stops it, and without one nothing ticks.

use std::time::Duration;

use askback_terminal::key::InputEvent;
use askback_terminal::row::Size;
use askback_tui::deadline::Deadline;
use askback_tui::prompt::{AskerKind, End, Persistence, Prompt, Reaction};
use jiff::Timestamp;

use super::fixtures::{database, inquiry, key, options, shown};

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn expiring() -> Prompt {
    let mut options = options("en");
    options.deadline = Some(Deadline {
        at: Timestamp::UNIX_EPOCH,
        ends: secs(300),
        total: secs(300),
    });
    Prompt::new(inquiry(&database()), options)
}

#[test]
fn deadline_is_shown_when_it_is_near_and_expires() {
    let mut prompt = expiring();
    assert_eq!(prompt.next_tick(secs(0)), Some(secs(240)));
    assert_eq!(prompt.tick(secs(239)), Reaction::Nothing);
    assert!(!shown(&prompt).contains("closes in"));
    assert_eq!(prompt.tick(secs(240)), Reaction::Redraw);
    assert!(
        shown(&prompt).contains("closes in 1:00"),
        "{}",
        shown(&prompt)
    );
    assert_eq!(prompt.tick(secs(300)), Reaction::End(End::Expired));
}

/// Only the server ends a stored question: its deadline may have been moved, and clocks differ.
#[test]
fn stored_question_is_not_ended_by_the_clock_of_the_terminal() {
    let mut options = options("en");
    options.persistence = Persistence::Durable;
    options.deadline = expiring().deadline().copied();
    let mut prompt = Prompt::new(inquiry(&database()), options);
    assert_eq!(prompt.tick(secs(299)), Reaction::Redraw);
    assert_eq!(prompt.tick(secs(300)), Reaction::Redraw);
    let late = shown(&prompt);
    assert!(late.contains("Time is up"), "{late}");
    assert!(late.contains("PostgreSQL"), "{late}");
    assert_eq!(prompt.next_tick(secs(300)), None, "nothing more changes");
    let answered = prompt.handle(&InputEvent::Key(key("2")), secs(310));
    assert!(
        matches!(answered, Reaction::End(End::Answered(_))),
        "{answered:?}"
    );
}

#[test]
fn moved_deadline_replaces_the_one_that_has_passed() {
    let mut options = options("en");
    options.persistence = Persistence::Durable;
    let mut prompt = Prompt::new(inquiry(&database()), options);
    let mut deadline = *expiring().deadline().unwrap();
    prompt.set_deadline(Some(deadline));
    prompt.tick(secs(301));
    deadline.ends = secs(400);
    prompt.set_deadline(Some(deadline));
    assert_eq!(prompt.next_tick(secs(301)), Some(secs(39)));
    prompt.tick(secs(341));
    assert!(
        shown(&prompt).contains("closes in 0:59"),
        "{}",
        shown(&prompt)
    );
    prompt.set_deadline(None);
    assert_eq!(prompt.next_tick(secs(341)), None);
    assert!(!shown(&prompt).contains("closes in"));
}

#[test]
fn any_key_stops_it() {
    let mut prompt = expiring();
    prompt.tick(secs(290));
    prompt.handle(&InputEvent::Key(key("down")), secs(291));
    assert_eq!(prompt.next_tick(secs(291)), None);
    assert_eq!(prompt.tick(secs(400)), Reaction::Nothing);
    assert!(!shown(&prompt).contains("closes in"));
}

/// The warning leaves room for the keys; a script has no warning, and all keys.
#[test]
fn near_deadline_hides_no_key_help() {
    for (kind, columns) in [
        (AskerKind::Agent, 80),
        (AskerKind::Agent, 40),
        (AskerKind::Script, 80),
        (AskerKind::Script, 40),
    ] {
        let mut options = options("en");
        options.asker_kind = kind;
        options.size = Size { columns, rows: 24 };
        options.deadline = expiring().deadline().copied();
        let mut prompt = Prompt::new(inquiry(&database()), options);
        prompt.tick(secs(290));
        let frame = shown(&prompt);
        let foot = frame.trim_end().lines().last().unwrap_or_default();
        assert!(foot.ends_with('?'), "{kind:?} {columns}:\n{frame}");
        let says_all = kind == AskerKind::Agent && columns == 80;
        assert_eq!(foot.contains("If nobody answers"), says_all, "{frame}");
        if kind == AskerKind::Script {
            assert!(foot.contains("enter select"), "{frame}");
        }
    }
}

/// What an ignored key is told goes after a moment, also without another key.
#[test]
fn notice_of_an_early_key_goes() {
    let mut options = options("en");
    options.typeahead_window = askback_tui::TYPEAHEAD_WINDOW;
    let mut prompt = Prompt::new(inquiry(&database()), options);
    prompt.painted(secs(10));
    let early = secs(10) + Duration::from_millis(100);
    prompt.handle(&InputEvent::Key(key("2")), early);
    assert!(shown(&prompt).contains("Too soon"), "{}", shown(&prompt));
    let wait = prompt.next_tick(early).expect("the notice goes");
    assert!(wait <= secs(5), "{wait:?}");
    prompt.tick(early + wait / 2);
    assert!(shown(&prompt).contains("Too soon"), "{}", shown(&prompt));
    assert_eq!(prompt.tick(early + wait), Reaction::Redraw);
    assert!(!shown(&prompt).contains("Too soon"), "{}", shown(&prompt));
    assert_eq!(prompt.next_tick(early + wait), None, "nothing more changes");
}

#[test]
fn without_a_deadline_nothing_ticks() {
    let prompt = Prompt::new(inquiry(&database()), options("en"));
    assert_eq!(prompt.next_tick(Duration::from_hours(24)), None);
}
