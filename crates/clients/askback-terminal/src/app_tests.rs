//! What comes from a real terminal reaches the screen, and what the screen shows reaches the terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::{AppExit, Screen, ScreenRequest, TerminalApp};
use crate::clock::{Clock, MonotonicTime};
use crate::config::{FirstKey, ProbeScope, TerminalConfig};
use crate::editor::EditorResult;
use crate::glyphs::Glyphs;
use crate::key::{InputEvent, Key, KeyCode};
use crate::row::{Frame, Row, Size};
use crate::theme::ColorDepth;
use crate::tty::Tty;
use crate::viewport::Reflow;

/// Writes down what it hears, and leaves when `q` comes, which its user presses when they see it.
struct Recorder {
    user: File,
    early: Vec<InputEvent>,
    was_discarded: bool,
    heard: Vec<InputEvent>,
    glyphs: Option<Glyphs>,
    screen_requests: Vec<ScreenRequest>,
}

impl Screen for Recorder {
    fn resize(&mut self, _: Size) {}

    fn handle(&mut self, event: &InputEvent, _: MonotonicTime) {
        self.heard.push(event.clone());
        if matches!(event, InputEvent::Key(key) if key.code == KeyCode::Char('q')) {
            self.screen_requests.push(ScreenRequest::Exit(0));
        }
    }

    fn early(&mut self, event: &InputEvent) {
        self.early.push(event.clone());
    }

    fn on_typed_discarded(&mut self) {
        self.was_discarded = true;
    }

    fn tick(&mut self, _: MonotonicTime) {
        self.screen_requests.push(ScreenRequest::Exit(1));
    }

    /// The test ends, whatever goes wrong.
    fn next_tick(&self, _: MonotonicTime) -> Option<Duration> {
        Some(Duration::from_secs(20))
    }

    fn take_lines(&mut self) -> Vec<Row> {
        Vec::new()
    }

    fn take_requests(&mut self) -> Vec<ScreenRequest> {
        std::mem::take(&mut self.screen_requests)
    }

    fn view(&self) -> Frame {
        Frame::default()
    }

    fn on_painted(&mut self, _: MonotonicTime) {
        self.user.write_all(b"q").unwrap();
    }

    fn title(&self) -> String {
        String::new()
    }

    fn notification(&self) -> Option<crate::notification::Notification> {
        None
    }

    fn on_editor_closed(&mut self, _: &EditorResult) {}

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.glyphs = Some(glyphs);
    }
}

/// A terminal, and the end at which its user sits.
fn terminal() -> (Tty, File) {
    let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&user).unwrap();
    unlockpt(&user).unwrap();
    let name = ptsname(&user, Vec::new()).unwrap();
    let path = std::ffi::OsStr::from_bytes(name.as_bytes());
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let input = File::from(rustix::fs::open(path, flags, Mode::empty()).unwrap());
    let output = input.try_clone().unwrap();
    (Tty::of(input, output), File::from(user))
}

/// A screen at a terminal that has sent all this before anything is shown.
fn recorder(sent: &[u8]) -> Recorder {
    recorder_after(b"", sent)
}

/// A screen at a terminal in which this was typed before it was opened.
fn recorder_after(typed: &[u8], sent: &[u8]) -> Recorder {
    // What to put back is remembered once for the process: one terminal at a time.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (tty, mut user) = terminal();
    let setup = TerminalConfig {
        depth: ColorDepth::Ansi16,
        background: None,
        reflow: Reflow::Truncates,
        probe_scope: ProbeScope::All,
        first_frame_wait: crate::config::WIDE_GLYPH_WAIT,
        response_timeout: crate::config::RESPONSE_TIMEOUT,
        editor: None,
        mouse: crate::config::Mouse::Off,
        bidi: crate::bidi::Bidi::Logical,
        notifications: crate::notification::Notifications::On,
        notification_style: crate::notification::NotificationStyle::from_env(|_| None),
        typeahead_window: std::time::Duration::ZERO,
        first_key: FirstKey::Normal,
    };
    user.write_all(typed).unwrap();
    if !typed.is_empty() {
        // The echo says that it has arrived.
        user.read_exact(&mut [0]).unwrap();
    }
    let app = TerminalApp::open(tty, setup, None, Clock::start()).unwrap();
    user.write_all(sent).unwrap();
    let mut recorder = Recorder {
        user,
        early: Vec::new(),
        was_discarded: false,
        heard: Vec::new(),
        glyphs: None,
        screen_requests: Vec::new(),
    };
    let exit = app.run(&mut recorder, &mut |_, _| {}).unwrap();
    assert_eq!(exit, AppExit::Code(0));
    recorder
}

/// What is typed while the terminal is asked about itself is kept apart from what is typed
/// when something can be seen, and no response is taken for either.
#[test]
fn early_keys_are_kept_apart() {
    // A machine that is very busy may take longer than a response may; it gets three attempts.
    let in_time = |recorder: &Recorder| recorder.glyphs.is_some();
    let recorder = (0..3)
        .map(|_| recorder(b"h\x1b[1;1Ri\x1b[1;3R\x1b[?62c"))
        .find(in_time)
        .unwrap();
    let key = |code| InputEvent::Key(Key::plain(code));
    assert_eq!(
        recorder.early,
        [key(KeyCode::Char('h')), key(KeyCode::Char('i'))]
    );
    assert_eq!(recorder.heard.first(), Some(&key(KeyCode::Char('q'))));
    assert_eq!(recorder.glyphs, Some(Glyphs::ASCII));
}

/// What is typed before the terminal is opened answers nothing, and the screen is told.
#[test]
fn screen_is_told_what_was_discarded() {
    for typed in [b"2\n".as_slice(), b"2"] {
        let recorder = recorder_after(typed, b"");
        assert!(recorder.was_discarded, "{typed:?}");
        let is_typed = |event: &InputEvent| matches!(event, InputEvent::Key(key) if key.code == KeyCode::Char('2'));
        assert!(!recorder.heard.iter().chain(&recorder.early).any(is_typed));
    }
    assert!(!recorder(b"").was_discarded);
}

/// A line that was not ended stays above the frame, whether the terminal responds or not; otherwise nothing
/// stands between what was there and the frame.
#[test]
fn unfinished_line_stays() {
    let mut written = vec![0; 4096];
    let read = recorder(b"").user.read(&mut written).unwrap();
    let asks = written[..read].windows(3).position(|it| it == b"\x1b[c");
    let written = &written[..asks.unwrap()];
    let full = "x".repeat(80);
    for (before, row) in [
        ("", 0),
        ("$ printf hello\r\nhello", 2),
        ("a", 1),
        (&full, 1),
    ] {
        let mut terminal = vt100::Parser::default();
        terminal.process(before.as_bytes());
        let shown = terminal.screen().contents();
        terminal.process(written);
        assert_eq!(terminal.screen().cursor_position(), (row, 0), "{before}");
        assert_eq!(terminal.screen().contents().trim_end(), shown, "{before}");
    }
}

/// The click that brings the window to the front chooses nothing.
#[test]
fn click_that_raises_the_window_is_for_the_window() {
    let ms = std::time::Duration::from_millis;
    let window = ms(350);
    assert!(super::raises_window(Some(ms(1000)), ms(1100), window));
    assert!(!super::raises_window(Some(ms(1000)), ms(1400), window));
    assert!(!super::raises_window(None, ms(1100), window));
}
