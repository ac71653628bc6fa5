//! What is typed ahead is ignored, for a second at most, and a held key for as long as
//! it is held.

use std::time::Duration;

use super::{TYPEAHEAD_WINDOW, TypeaheadGuard};
use askback_terminal::key::{Key, KeyCode};

const ENTER: Option<Key> = Some(Key::plain(KeyCode::Enter));

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Something that appeared at 0.
fn shown() -> TypeaheadGuard {
    let mut guard = TypeaheadGuard::new(TYPEAHEAD_WINDOW);
    guard.painted(ms(0));
    guard
}

#[test]
fn keys_are_taken_after_a_pause_only() {
    let mut guard = TypeaheadGuard::new(TYPEAHEAD_WINDOW);
    assert!(!guard.key(ENTER, ms(0)), "nothing is painted yet");
    guard.painted(ms(100));
    assert!(
        !guard.key(Some(Key::char('1')), ms(400)),
        "300 ms after the first paint"
    );
    assert!(
        !guard.key(Some(Key::char('2')), ms(700)),
        "300 ms after the last key"
    );
    assert!(guard.key(Some(Key::char('1')), ms(1050)));
    assert!(
        guard.key(Some(Key::char('1')), ms(1051)),
        "open once is open"
    );
}

#[test]
fn no_window_is_open_at_once() {
    assert!(TypeaheadGuard::new(Duration::ZERO).key(ENTER, ms(0)));
}

/// Keys that never pause are taken after a second.
#[test]
fn key_every_quarter_of_a_second_is_taken_after_a_second() {
    let mut guard = shown();
    let taken: Vec<bool> = (0..5).map(|at| guard.key(ENTER, ms(250 * at))).collect();
    assert_eq!(taken, [false, false, false, false, true]);
}

/// A key that is held down is never taken, however long it is held.
#[test]
fn held_key_is_never_taken() {
    let mut guard = shown();
    for at in 0..200 {
        assert!(!guard.key(ENTER, ms(33 * at)), "at {at}");
    }
    assert!(guard.key(ENTER, ms(33 * 199 + 350)), "pressed anew");
}

/// The key that made something appear does not act on it while it is held, although its first
/// repetition comes late; another key need not wait as long.
#[test]
fn key_that_made_it_appear_waits_longer() {
    let open = || {
        let mut guard = shown();
        assert!(guard.key(ENTER, ms(1000)));
        guard.close();
        guard.painted(ms(1001));
        guard
    };
    let mut held = open();
    assert!(!held.key(ENTER, ms(1660)), "the slowest first repetition");
    for at in 0..60 {
        assert!(!held.key(ENTER, ms(1690 + 33 * at)), "at {at}");
    }
    assert!(open().key(Some(Key::char('2')), ms(1360)));
    assert!(!open().key(Some(Key::char('2')), ms(1340)));
    assert!(open().key(ENTER, ms(1710)));
}
