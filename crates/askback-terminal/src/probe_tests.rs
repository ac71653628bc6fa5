//! T29: what a terminal tells decides over marks and colours, if it tells it in time.

use std::time::Duration;

use super::Probe;
use crate::key::Event;
use crate::settings::{Asks, FirstKey, Setup};
use crate::theme::{Background, Depth};
use crate::viewport::Reflow;

fn setup(asks: Asks, depth: Depth) -> Setup {
    Setup {
        depth,
        background: None,
        reflow: Reflow::Cuts,
        asks,
        editor: None,
        mouse: crate::settings::Mouse::Off,
        bidi: crate::bidi::Bidi::Logical,
        motion: crate::settings::Motion::Reduced,
        typeahead_window: std::time::Duration::ZERO,
        first_key: FirstKey::Acts,
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn mark_of_two_columns_is_noticed() {
    let mut setup = setup(Asks::Everything, Depth::Full);
    let mut probe = Probe::default();
    let asked = probe.ask(&setup, ms(40));
    assert!(asked.starts_with("\x1b]11;?") && asked.ends_with("\x1b[c"));
    for event in [
        Event::CursorAt(3, 5),
        Event::CursorAt(3, 7),
        Event::Attributes,
    ] {
        assert!(probe.take(&event, &mut setup, ms(140)));
    }
    assert!(probe.wide && probe.mid_line);
}

#[test]
fn mark_of_one_column_is_kept() {
    let mut setup = setup(Asks::Everything, Depth::Full);
    let mut probe = Probe::default();
    probe.ask(&setup, ms(0));
    for column in [1, 2] {
        probe.take(&Event::CursorAt(1, column), &mut setup, ms(1));
    }
    assert!(!probe.wide && !probe.mid_line);
}

#[test]
fn late_reply_changes_nothing() {
    let mut setup = setup(Asks::Everything, Depth::Full);
    let mut probe = Probe::default();
    probe.ask(&setup, ms(40));
    let reply = Event::Reply("11;rgb:ffff/ffff/ffff".to_owned());
    assert!(!probe.take(&reply, &mut setup, ms(141)));
    assert_eq!(setup.background, None);
    assert!(probe.take(&reply, &mut setup, ms(140)));
    assert_eq!(setup.background, Some(Background::Light));
}

/// The first frame waits for what the terminal tells, but not for long, and not when all is told.
#[test]
fn first_frame_waits_for_two_milliseconds_at_most() {
    let mut setup = setup(Asks::Everything, Depth::Sixteen);
    let mut probe = Probe::default();
    probe.ask(&setup, ms(40));
    assert_eq!(probe.patience(ms(41)), Some(ms(1)));
    assert_eq!(probe.patience(ms(42)), None);
    probe.take(&Event::Attributes, &mut setup, ms(41));
    assert_eq!(probe.patience(ms(41)), None);
}

#[test]
fn terminal_that_would_print_the_question_is_not_asked() {
    let silent = [
        setup(Asks::Nothing, Depth::Full),
        setup(Asks::Background, Depth::Sixteen),
    ];
    for setup in silent {
        let mut probe = Probe::default();
        assert_eq!(probe.ask(&setup, ms(0)), "");
        assert_eq!(probe.patience(ms(0)), None);
    }
}
