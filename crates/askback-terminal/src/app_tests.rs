//! What comes from a real terminal reaches the scene, and what the scene shows reaches the terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::{Exit, Scene, Stage, Want};
use crate::clock::{Clock, Moment};
use crate::editor::Edited;
use crate::glyphs::Glyphs;
use crate::key::{Code, Event, Key};
use crate::row::{Frame, Row, Size};
use crate::settings::{Asks, FirstKey, Setup};
use crate::theme::Depth;
use crate::tty::Tty;
use crate::viewport::Reflow;

/// Writes down what it hears, and leaves when `q` comes, which its user presses when they see it.
struct Diary {
    user: File,
    early: Vec<Event>,
    heard: Vec<Event>,
    glyphs: Option<Glyphs>,
    wants: Vec<Want>,
}

impl Scene for Diary {
    fn resize(&mut self, _: Size) {}

    fn handle(&mut self, event: &Event, _: Moment) {
        self.heard.push(event.clone());
        if matches!(event, Event::Key(key) if key.code == Code::Char('q')) {
            self.wants.push(Want::Leave(0));
        }
    }

    fn early(&mut self, event: &Event) {
        self.early.push(event.clone());
    }

    fn tick(&mut self, _: Moment) {
        self.wants.push(Want::Leave(1));
    }

    /// The test ends, whatever goes wrong.
    fn next_tick(&self, _: Moment) -> Option<Duration> {
        Some(Duration::from_secs(20))
    }

    fn lines(&mut self) -> Vec<Row> {
        Vec::new()
    }

    fn wants(&mut self) -> Vec<Want> {
        std::mem::take(&mut self.wants)
    }

    fn view(&self) -> Frame {
        Frame::default()
    }

    fn painted(&mut self, _: Moment) {
        self.user.write_all(b"q").unwrap();
    }

    fn title(&self) -> String {
        String::new()
    }

    fn waiting(&self) -> Option<String> {
        None
    }

    fn edited(&mut self, _: &Edited) {}

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

/// A scene at a terminal that has sent all this before anything is shown.
fn diary(sent: &[u8]) -> Diary {
    // What to put back is remembered once for the process: one terminal at a time.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (tty, mut user) = terminal();
    let setup = Setup {
        depth: Depth::Sixteen,
        background: None,
        reflow: Reflow::Cuts,
        asks: Asks::Everything,
        editor: None,
        mouse: crate::settings::Mouse::Off,
        bidi: crate::bidi::Bidi::Logical,
        motion: crate::settings::Motion::Reduced,
        typeahead_window: std::time::Duration::ZERO,
        first_key: FirstKey::Acts,
    };
    let stage = Stage::open(tty, setup, None, Clock::start()).unwrap();
    user.write_all(sent).unwrap();
    let mut diary = Diary {
        user,
        early: Vec::new(),
        heard: Vec::new(),
        glyphs: None,
        wants: Vec::new(),
    };
    let exit = stage.run(&mut diary, &mut |_, _| {}).unwrap();
    assert_eq!(exit, Exit::Left(0));
    diary
}

/// T13, T29: what is typed while the terminal is asked about itself is kept apart from what is typed
/// when something can be seen, and no reply is taken for either.
#[test]
fn early_keys_are_kept_apart() {
    // A machine that is very busy may take longer than a reply may; it gets three attempts.
    let in_time = |diary: &Diary| diary.glyphs.is_some();
    let diary = (0..3)
        .map(|_| diary(b"h\x1b[1;1Ri\x1b[1;3R\x1b[?62c"))
        .find(in_time)
        .unwrap();
    let key = |code| Event::Key(Key::plain(code));
    assert_eq!(diary.early, [key(Code::Char('h')), key(Code::Char('i'))]);
    assert_eq!(diary.heard.first(), Some(&key(Code::Char('q'))));
    assert_eq!(diary.glyphs, Some(Glyphs::ASCII));
}

/// T08: a line that was not ended stays above the frame; nothing stands between others and theirs.
#[test]
fn unfinished_line_stays() {
    let written = |sent: &[u8]| {
        let mut bytes = vec![0; 4096];
        let read = diary(sent).user.read(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..read]).into_owned()
    };
    let cursor_behind_text = b"\x1b[1;5R\x1b[1;6R\x1b[?62c";
    let ends_it = |_| written(cursor_behind_text).contains("\x1b[c\r\n");
    assert!((0..3).any(ends_it));
    let cursor_at_the_start = b"\x1b[1;1R\x1b[1;2R\x1b[?62c";
    assert!(!written(cursor_at_the_start).contains("\x1b[c\r\n"));
}

/// A3: the click that brings the window to the front chooses nothing.
#[test]
fn click_that_raises_the_window_is_for_the_window() {
    let ms = std::time::Duration::from_millis;
    let window = ms(350);
    assert!(super::raises_window(Some(ms(1000)), ms(1100), window));
    assert!(!super::raises_window(Some(ms(1000)), ms(1400), window));
    assert!(!super::raises_window(None, ms(1100), window));
}
