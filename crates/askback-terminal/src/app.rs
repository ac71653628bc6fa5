//! A scene on a terminal: a prompt, a chat or an inbox. Prints what stays, paints what changes, hears
//! keys, signals and calls from other threads, and leaves the terminal as it was.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::clock::{Clock, Moment};
use crate::editor::Edited;
use crate::event_poller::Happening;
use crate::glyphs::Glyphs;
use crate::key::Event;
use crate::row::{Frame, Row, Size};
use crate::settings::{FirstKey, Setup};
use crate::terminal::{Call, Terminal};
use crate::tty::Tty;

/// Something that is shown and hears keys.
pub trait Scene {
    /// The room it has.
    fn resize(&mut self, size: Size);
    /// A key or a paste.
    fn handle(&mut self, event: &Event, now: Moment);
    /// A key or a paste from before anything was shown. It was meant for something else.
    fn early(&mut self, event: &Event) {
        let _ = event;
    }
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
    /// It was not on the screen for a while: the process was stopped, or an editor ran.
    fn reappear(&mut self) {}
    /// The title of the window.
    fn title(&self) -> String;
    /// What waits for the user, so that they are called once for each.
    fn waiting(&self) -> Option<String>;
    /// What came of the editor.
    fn edited(&mut self, edited: &Edited);
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

/// A terminal with a scene on it.
#[derive(Debug)]
pub struct Stage {
    terminal: Terminal,
    focus: Focus,
    /// When the window got the focus last.
    focused_at: Option<Moment>,
    /// What the user was called for, or has seen.
    called: Option<String>,
}

/// Whether the user looks at the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    /// Nobody told yet.
    Unknown,
    Here,
    Away,
}

impl Stage {
    /// Takes the terminal; `wake` becomes readable when another thread calls.
    pub fn open(
        tty: Tty,
        setup: Setup,
        wake: Option<UnixStream>,
        clock: Clock,
    ) -> io::Result<Stage> {
        Ok(Stage {
            terminal: Terminal::open(tty, setup, wake, clock)?,
            focus: Focus::Unknown,
            focused_at: None,
            called: None,
        })
    }

    /// The moment on its clock.
    pub fn now(&self) -> Moment {
        self.terminal.now()
    }

    /// Runs a scene to its end, and gives the terminal back.
    pub fn run<S: Scene>(
        mut self,
        scene: &mut S,
        outside: &mut dyn FnMut(&mut S, Moment),
    ) -> io::Result<Exit> {
        let exit = self.play(scene, outside)?;
        let written = self.close(&scene.lines());
        match exit {
            // A terminal that is gone takes no last words.
            Exit::HungUp => drop(written),
            Exit::Left(_) | Exit::Signal(_) => written?,
        }
        Ok(exit)
    }

    /// Runs a scene to its end and takes its frame away; see [`Stage::close`]. `outside` is called
    /// after everything that happens: it brings the scene what came from elsewhere and takes along
    /// what it wants done.
    pub fn play<S: Scene>(
        &mut self,
        scene: &mut S,
        outside: &mut dyn FnMut(&mut S, Moment),
    ) -> io::Result<Exit> {
        let exit = self.listen(scene, outside);
        let cleared = self.terminal.clear();
        match exit {
            Ok(Exit::Left(_) | Exit::Signal(_)) => cleared?,
            Ok(Exit::HungUp) | Err(_) => drop(cleared),
        }
        exit
    }

    /// Whether what was chosen may light up for a moment.
    pub fn lights_up(&self) -> bool {
        self.terminal.lights_up()
    }

    /// Gives the terminal back, and prints the lines that stay.
    pub fn close(self, rows: &[Row]) -> io::Result<()> {
        self.terminal.close(rows)
    }

    fn listen<S: Scene>(
        &mut self,
        scene: &mut S,
        outside: &mut dyn FnMut(&mut S, Moment),
    ) -> io::Result<Exit> {
        let mut happening = self.greet(scene)?;
        loop {
            match happening {
                None => scene.tick(self.terminal.now()),
                Some(Happening::Event(event)) => self.feed(scene, &event)?,
                Some(Happening::Continued) => {
                    scene.reappear();
                    self.again(scene)?;
                }
                Some(Happening::Woken) => {}
                Some(Happening::End(signal)) => return Ok(Exit::Signal(signal)),
                Some(Happening::HungUp) => return Ok(Exit::HungUp),
            }
            outside(scene, self.terminal.now());
            if let Some(code) = self.grant(scene)? {
                return Ok(Exit::Left(code));
            }
            self.show(scene)?;
            let patience = scene.next_tick(self.terminal.now());
            happening = self.terminal.next(patience)?;
        }
    }

    /// Gives the terminal a moment to tell about itself; the scene is laid out meanwhile. Gives what
    /// happens first.
    fn greet(&mut self, scene: &mut impl Scene) -> io::Result<Option<Happening>> {
        scene.resize(self.terminal.measure());
        drop(scene.view());
        let greeted = self.terminal.greet()?;
        self.suit(scene);
        for event in &greeted.early {
            match event {
                Event::Key(_) | Event::Paste(_) => scene.early(event),
                Event::FocusIn | Event::FocusOut | Event::Resize(_) => self.feed(scene, event)?,
                Event::Click(_) | Event::CursorAt(..) | Event::Reply(_) | Event::Attributes => {}
            }
        }
        Ok(greeted.over.or(Some(Happening::Woken)))
    }

    fn feed(&mut self, scene: &mut impl Scene, event: &Event) -> io::Result<()> {
        match event {
            Event::Resize(size) => {
                self.terminal.resized(*size)?;
                scene.resize(*size);
            }
            Event::FocusOut => self.focus = Focus::Away,
            Event::FocusIn => {
                self.focus = Focus::Here;
                self.focused_at = Some(self.terminal.now());
            }
            Event::Key(_) | Event::Paste(_) => {
                // Whoever types is there.
                self.focus = Focus::Here;
                self.panic_if_wanted();
                scene.handle(event, self.terminal.now());
            }
            // The click that brings the window to the front is for the window.
            Event::Click(_) if self.just_focused() => {}
            Event::Click(at) => {
                self.focus = Focus::Here;
                if let Some(at) = self.terminal.clicked(*at)? {
                    scene.handle(&Event::Click(at), self.terminal.now());
                }
            }
            Event::CursorAt(..) | Event::Reply(_) | Event::Attributes => {
                if let Some(at) = self.terminal.located(event) {
                    scene.handle(&Event::Click(at), self.terminal.now());
                } else if self.terminal.told(event) {
                    self.suit(scene);
                }
            }
        }
        Ok(())
    }

    fn just_focused(&self) -> bool {
        let window = self.terminal.setup().typeahead_window;
        raises_window(self.focused_at, self.terminal.now(), window)
    }

    /// Marks that suit what the terminal told.
    fn suit(&self, scene: &mut impl Scene) {
        if self.terminal.draws_wide() {
            scene.set_glyphs(Glyphs::ASCII);
        }
    }

    fn show(&mut self, scene: &mut impl Scene) -> io::Result<()> {
        let lines = scene.lines();
        let call = self.call(scene.waiting());
        self.terminal
            .show(&lines, scene.view(), &scene.title(), call)?;
        scene.painted(self.terminal.now());
        Ok(())
    }

    /// Whether the user has to be called: once for each thing that waits, if they look elsewhere
    /// before they can have seen it.
    fn call(&mut self, waiting: Option<String>) -> Call {
        if waiting.is_none() || waiting == self.called || self.focus == Focus::Unknown {
            return Call::Silent;
        }
        self.called = waiting;
        if self.focus == Focus::Away {
            Call::Ring
        } else {
            Call::Silent
        }
    }

    /// Does what the scene wants; gives the exit code if that is to end.
    fn grant(&mut self, scene: &mut impl Scene) -> io::Result<Option<u8>> {
        for want in scene.wants() {
            match want {
                Want::Leave(code) => return Ok(Some(code)),
                Want::Repaint => self.again(scene)?,
                Want::Suspend => {
                    self.terminal.suspend()?;
                    scene.reappear();
                    scene.resize(self.terminal.measure());
                }
                Want::Editor(text) => {
                    let edited = self.terminal.edit(&text)?;
                    scene.edited(&edited);
                    scene.reappear();
                    scene.resize(self.terminal.measure());
                }
                Want::Copy(text) => self.terminal.copy(&text)?,
            }
        }
        Ok(None)
    }

    fn again(&mut self, scene: &mut impl Scene) -> io::Result<()> {
        self.terminal.again()?;
        scene.resize(self.terminal.measure());
        Ok(())
    }

    #[expect(
        clippy::panic,
        reason = "it is wanted by the test of what a panic leaves"
    )]
    fn panic_if_wanted(&self) {
        match self.terminal.setup().first_key {
            FirstKey::Acts => {}
            FirstKey::Panics => panic!("the first key panics, as was wished"),
        }
    }
}

/// Whether a click comes right behind the focus: it brought the window to the front.
fn raises_window(focused_at: Option<Moment>, now: Moment, window: Duration) -> bool {
    focused_at.is_some_and(|at| now.saturating_sub(at) < window)
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
