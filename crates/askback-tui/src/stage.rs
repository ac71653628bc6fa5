//! A scene on a terminal: chat or inbox. Prints what stays, paints what changes, hears keys, signals
//! and calls from other threads, and leaves the terminal as it was.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::clock::{Clock, Moment};
use crate::editor::{self, Edited};
use crate::glyphs::Glyphs;
use crate::key::Event;
use crate::row::{Frame, Row, Size};
use crate::session::{Asks, Setup, base64, printable};
use crate::source::{Happening, Source};
use crate::theme::{Background, Depth, Theme};
use crate::tty::{Entered, Tty};
use crate::viewport::Viewport;

/// Something that is shown and hears keys.
pub trait Scene {
    /// The room it has.
    fn resize(&mut self, size: Size);
    /// A key, a paste, or the focus of the window.
    fn handle(&mut self, event: &Event, now: Moment);
    /// Time passed.
    fn tick(&mut self, now: Moment);
    /// After which time it wants to be told.
    fn next_tick(&self, now: Moment) -> Option<Duration>;
    /// Lines that stay in the scrollback, each given once.
    fn lines(&mut self) -> Vec<Row>;
    /// What it wants of the terminal, each given once.
    fn wants(&mut self) -> Vec<Want>;
    /// How it looks.
    fn view(&self) -> Frame;
    /// It was shown.
    fn painted(&mut self, now: Moment);
    /// The title of the window.
    fn title(&self) -> String;
    /// What waits for the user, so that they are called once for each.
    fn waiting(&self) -> Option<String>;
    /// Text from the editor; none if there is no editor or it failed.
    fn edited(&mut self, text: Option<&str>);
    /// Other marks, once the terminal has told which it can show.
    fn set_glyphs(&mut self, glyphs: Glyphs);
}

/// What a scene wants of the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// To have this text edited.
    Editor(String),
    /// To be stopped for a while.
    Suspend,
    /// To be drawn anew.
    Repaint,
    /// To have this on the clipboard.
    Copy(String),
    /// To end, with this exit code.
    Leave(u8),
}

/// Why a scene ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It was left, with this exit code.
    Left(u8),
    /// By the signal of this number.
    Signal(i32),
    /// The terminal is gone.
    HungUp,
}

/// How long the first frame waits for what the terminal tells about itself.
const GREETING: Duration = Duration::from_millis(100);

/// A terminal with a scene on it.
#[derive(Debug)]
pub struct Stage {
    tty: Tty,
    entered: Option<Entered>,
    source: Source,
    viewport: Viewport,
    setup: Setup,
    clock: Clock,
    told: Told,
    title: String,
    focus: Focus,
    /// What the user was called for, or has seen.
    called: Option<String>,
}

/// What the terminal told about itself.
#[derive(Debug, Default)]
struct Told {
    column: Option<usize>,
    wide: bool,
    mid_line: bool,
    all: bool,
}

/// Whether the window has the focus; one that never told has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    Here,
    Away,
}

impl Stage {
    /// Takes the terminal; `wake` becomes readable when another thread calls.
    pub fn open(tty: Tty, setup: Setup, wake: UnixStream, clock: Clock) -> io::Result<Stage> {
        let source = Source::listen(Some(wake))?;
        let theme = Theme::choose(setup.depth, setup.background);
        let viewport = Viewport::new(theme, setup.reflow);
        let entered = Some(tty.enter()?);
        Ok(Stage {
            tty,
            entered,
            source,
            viewport,
            setup,
            clock,
            told: Told::default(),
            title: String::new(),
            focus: Focus::Here,
            called: None,
        })
    }

    /// Runs a scene to its end. `outside` is called after everything that happens: it brings the
    /// scene what came from elsewhere and takes along what it wants done.
    pub fn run<S: Scene>(
        mut self,
        scene: &mut S,
        outside: &mut dyn FnMut(&mut S, Moment),
    ) -> io::Result<Exit> {
        let early = self.greet(scene)?;
        scene.resize(self.tty.size());
        let exit = loop {
            if let Some(early) = early {
                break early;
            }
            outside(scene, self.clock.now());
            if let Some(code) = self.grant(scene)? {
                break Exit::Left(code);
            }
            self.show(scene)?;
            let now = self.clock.now();
            let patience = scene.next_tick(now);
            match self.source.next(&self.tty, patience)? {
                None => scene.tick(self.clock.now()),
                Some(Happening::Event(event)) => self.feed(scene, &event)?,
                Some(Happening::Continued) => self.again()?,
                Some(Happening::Woken) => {}
                Some(Happening::End(signal)) => break Exit::Signal(signal),
                Some(Happening::HungUp) => break Exit::HungUp,
            }
        };
        let mut last = self.viewport.erase();
        last.push_str(&self.viewport.lines(&scene.lines()));
        let written = self.tty.write(last.as_bytes());
        self.entered = None;
        match exit {
            // A terminal that is gone takes no last words.
            Exit::HungUp => drop(written),
            Exit::Left(_) | Exit::Signal(_) => written?,
        }
        Ok(exit)
    }

    fn feed(&mut self, scene: &mut impl Scene, event: &Event) -> io::Result<()> {
        match event {
            Event::Resize(size) => {
                let cleared = self.viewport.resized(*size);
                self.tty.write(cleared.as_bytes())?;
                scene.resize(*size);
                return Ok(());
            }
            Event::FocusOut => self.focus = Focus::Away,
            Event::FocusIn => self.focus = Focus::Here,
            Event::Key(_) | Event::Paste(_) => {
                self.focus = Focus::Here;
                scene.handle(event, self.clock.now());
                return Ok(());
            }
            Event::CursorAt(..) | Event::Reply(_) | Event::Attributes => {}
        }
        Ok(())
    }

    /// Prints the lines that stay, and paints the frame below them, at once.
    fn show(&mut self, scene: &mut impl Scene) -> io::Result<()> {
        let lines = scene.lines();
        let mut out = String::new();
        if !lines.is_empty() {
            out.push_str("\x1b[?2026h");
            out.push_str(&self.viewport.erase());
            out.push_str(&self.viewport.lines(&lines));
        }
        out.push_str(&self.viewport.paint(&scene.view()));
        let title = printable(&scene.title());
        if title != self.title {
            out.extend(["\x1b]2;", &title, "\x07"]);
            self.title = title;
        }
        self.call(scene, &mut out);
        self.tty.write(out.as_bytes())?;
        scene.painted(self.clock.now());
        Ok(())
    }

    /// Calls the user once for each thing that waits, if they look elsewhere.
    fn call(&mut self, scene: &impl Scene, out: &mut String) {
        let waiting = scene.waiting();
        if waiting.is_none() || waiting == self.called {
            return;
        }
        if self.focus == Focus::Away {
            let words = printable(&scene.title());
            out.extend(["\x07\x1b]9;", &words, "\x07"]);
        }
        self.called = waiting;
    }

    /// Does what the scene wants; gives the exit code if that is to end.
    fn grant(&mut self, scene: &mut impl Scene) -> io::Result<Option<u8>> {
        for want in scene.wants() {
            match want {
                Want::Leave(code) => return Ok(Some(code)),
                Want::Repaint => self.again()?,
                Want::Suspend => {
                    let erased = self.viewport.erase();
                    self.tty.write(erased.as_bytes())?;
                    self.entered = None;
                    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
                    self.again()?;
                }
                Want::Editor(text) => self.edit(scene, &text)?,
                Want::Copy(text) => {
                    let copied = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
                    self.tty.write(copied.as_bytes())?;
                }
            }
        }
        Ok(None)
    }

    /// Enters the modes again and forgets what was on the screen.
    fn again(&mut self) -> io::Result<()> {
        let erased = self.viewport.erase();
        self.tty.write(erased.as_bytes())?;
        self.title.clear();
        self.entered = None;
        self.entered = Some(self.tty.enter()?);
        Ok(())
    }

    fn edit(&mut self, scene: &mut impl Scene, text: &str) -> io::Result<()> {
        let Some(command) = self.setup.editor.clone() else {
            scene.edited(None);
            return Ok(());
        };
        let erased = self.viewport.erase();
        self.tty.write(erased.as_bytes())?;
        self.entered = None;
        let edited = editor::edit(&command, text, &self.tty);
        self.again()?;
        match edited {
            Edited::Text(text) => scene.edited(Some(&text)),
            Edited::Failed => scene.edited(None),
        }
        Ok(())
    }

    /// Asks the terminal about itself, and gives it a moment to answer. Gives why it is over already,
    /// if it is.
    fn greet(&mut self, scene: &mut impl Scene) -> io::Result<Option<Exit>> {
        let background = if self.setup.depth == Depth::Full && self.setup.background.is_none() {
            "\x1b]11;?\x1b\\"
        } else {
            ""
        };
        let ask = match self.setup.asks {
            Asks::Nothing => return Ok(None),
            Asks::Background if background.is_empty() => return Ok(None),
            Asks::Background => format!("{background}\x1b[c"),
            Asks::Everything => {
                format!("{background}\x1b[6n\x1b7\u{25CB}\x1b[6n\x1b8\x1b[K\x1b[c")
            }
        };
        self.tty.write(ask.as_bytes())?;
        let until = self.clock.now() + GREETING;
        while !self.told.all {
            let left = until.saturating_sub(self.clock.now());
            match self.source.next(&self.tty, Some(left))? {
                Some(Happening::Event(event)) => self.told.take(&event, &mut self.setup),
                Some(Happening::End(signal)) => return Ok(Some(Exit::Signal(signal))),
                Some(Happening::HungUp) => return Ok(Some(Exit::HungUp)),
                None if left.is_zero() => break,
                None | Some(Happening::Continued | Happening::Woken) => {}
            }
        }
        if self.told.mid_line {
            self.tty.write(b"\r\n")?;
        }
        if self.told.wide {
            scene.set_glyphs(Glyphs::ASCII);
        }
        let theme = Theme::choose(self.setup.depth, self.setup.background);
        self.viewport.set_theme(theme);
        Ok(None)
    }
}

impl Told {
    fn take(&mut self, event: &Event, setup: &mut Setup) {
        match event {
            Event::Reply(reply) => {
                setup.background = Background::from_reply(reply).or(setup.background);
            }
            Event::CursorAt(_, column) => match self.column {
                None => {
                    self.column = Some(*column);
                    self.mid_line = *column > 1;
                }
                Some(before) => self.wide = *column == before + 2,
            },
            Event::Attributes => self.all = true,
            Event::Key(_)
            | Event::Paste(_)
            | Event::FocusIn
            | Event::FocusOut
            | Event::Resize(_) => {}
        }
    }
}
