//! What a terminal tells decides over marks and colours, if it tells it in time.

use std::time::Duration;

use super::Probe;
use crate::config::{FirstKey, ProbeScope, TerminalConfig};
use crate::key::InputEvent;
use crate::theme::{Background, ColorDepth};
use crate::viewport::Reflow;

fn setup(probe_scope: ProbeScope, depth: ColorDepth) -> TerminalConfig {
    TerminalConfig {
        depth,
        background: None,
        reflow: Reflow::Truncates,
        probe_scope,
        first_frame_wait: crate::config::WIDE_GLYPH_WAIT,
        response_timeout: crate::config::RESPONSE_TIMEOUT,
        editor: None,
        mouse: crate::config::Mouse::Off,
        bidi: crate::bidi::Bidi::Logical,
        notifications: crate::notification::Notifications::On,
        notification_style: crate::notification::NotificationStyle::from_env(|_| None),
        typeahead_window: std::time::Duration::ZERO,
        first_key: FirstKey::Normal,
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn mark_of_two_columns_is_noticed() {
    let mut setup = setup(ProbeScope::All, ColorDepth::TrueColor);
    let mut probe = Probe::default();
    let asked = probe.ask(&setup, ms(40));
    assert!(asked.starts_with("\x1b]11;?") && asked.ends_with("\x1b[c"));
    for event in [
        InputEvent::CursorAt(3, 5),
        InputEvent::CursorAt(3, 7),
        InputEvent::Attributes,
    ] {
        assert!(probe.take(&event, &mut setup, ms(140)));
    }
    assert!(probe.wide);
}

#[test]
fn mark_of_one_column_is_kept() {
    let mut setup = setup(ProbeScope::All, ColorDepth::TrueColor);
    let mut probe = Probe::default();
    probe.ask(&setup, ms(0));
    for column in [1, 2] {
        probe.take(&InputEvent::CursorAt(1, column), &mut setup, ms(1));
    }
    assert!(!probe.wide);
}

#[test]
fn late_response_changes_nothing() {
    let mut setup = setup(ProbeScope::All, ColorDepth::TrueColor);
    let mut probe = Probe::default();
    probe.ask(&setup, ms(40));
    let response = InputEvent::QueryResponse("11;rgb:ffff/ffff/ffff".to_owned());
    assert!(!probe.take(&response, &mut setup, ms(141)));
    assert_eq!(setup.background, None);
    assert!(probe.take(&response, &mut setup, ms(140)));
    assert_eq!(setup.background, Some(Background::Light));
}

/// The first frame waits for responses only where glyphs may be wide; not for long, and not after the last
/// response.
#[test]
fn first_frame_waits_only_for_the_width_of_glyphs() {
    let mut setup = setup(ProbeScope::All, ColorDepth::Ansi16);
    let mut probe = Probe::default();
    probe.ask(&setup, ms(40));
    assert_eq!(probe.timeout(ms(41)), Some(ms(1)));
    assert_eq!(probe.timeout(ms(42)), None);
    probe.take(&InputEvent::Attributes, &mut setup, ms(41));
    assert_eq!(probe.timeout(ms(41)), None);
    setup.first_frame_wait = Duration::ZERO;
    probe.ask(&setup, ms(40));
    assert_eq!(probe.timeout(ms(40)), None);
}

#[test]
fn terminal_that_would_print_the_question_is_not_asked() {
    let silent = [
        setup(ProbeScope::None, ColorDepth::TrueColor),
        setup(ProbeScope::Background, ColorDepth::Ansi16),
    ];
    for setup in silent {
        let mut probe = Probe::default();
        assert_eq!(probe.ask(&setup, ms(0)), "");
        assert_eq!(probe.timeout(ms(0)), None);
    }
}
