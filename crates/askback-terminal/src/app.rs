//! The event loop of a terminal program: prints the lines that stay, paints the frame below them,
//! delivers keys, signals and wakeups from other threads, and restores the terminal at the end.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::clock::{Clock, MonotonicTime};
use crate::config::{FirstKey, TerminalConfig};
use crate::editor::EditorResult;
use crate::event_poller::TerminalEvent;
use crate::glyphs::Glyphs;
use crate::key::InputEvent;
use crate::row::{Frame, Row, Size};
use crate::terminal::{Notify, Terminal};
use crate::tty::Tty;

/// What a [`TerminalApp`] shows and sends input to.
pub trait Screen {
    /// The room it has.
    fn resize(&mut self, size: Size);
    /// A key or a paste.
    fn handle(&mut self, event: &InputEvent, now: MonotonicTime);
    /// A key or a paste from before anything was shown. It was meant for something else.
    fn early(&mut self, event: &InputEvent) {
        let _ = event;
    }
    /// Time passed.
    fn tick(&mut self, now: MonotonicTime);
    /// After which time it wants to be told.
    fn next_tick(&self, now: MonotonicTime) -> Option<Duration>;
    /// Lines that stay in the scrollback, each given once.
    fn take_lines(&mut self) -> Vec<Row>;
    /// What it wants of the terminal, each given once.
    fn take_requests(&mut self) -> Vec<ScreenRequest>;
    /// How it looks.
    fn view(&self) -> Frame;
    /// It was shown.
    fn on_painted(&mut self, now: MonotonicTime);
    /// It was not on the screen for a while: the process was stopped, or an editor ran.
    fn on_resumed(&mut self) {}
    /// The title of the window.
    fn title(&self) -> String;
    /// What waits for the user, so that they are called once for each.
    fn notification_id(&self) -> Option<String>;
    /// What came of the editor.
    fn on_editor_closed(&mut self, edited: &EditorResult);
    /// Other marks, once the terminal has told which it can show.
    fn set_glyphs(&mut self, glyphs: Glyphs);
}

/// What a screen wants of the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenRequest {
    /// Edit this text in the user's editor; the result goes to [`Screen::on_editor_closed`].
    OpenEditor(String),
    /// Stop the process until the shell resumes it.
    Suspend,
    /// Draw everything again, for a screen that another program wrote to.
    Repaint,
    /// Put this text on the clipboard.
    CopyToClipboard(String),
    /// End with this exit code.
    Exit(u8),
}

/// Why a screen ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppExit {
    /// It asked for it, with this exit code.
    Code(u8),
    /// The process received this signal.
    Signal(i32),
    /// The terminal is gone.
    HungUp,
}

/// A terminal with a screen on it.
#[derive(Debug)]
pub struct TerminalApp {
    terminal: Terminal,
    focus: Focus,
    /// When the window got the focus last.
    focused_at: Option<MonotonicTime>,
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

impl TerminalApp {
    /// Takes the terminal; `wake` becomes readable when another thread calls.
    pub fn open(
        tty: Tty,
        setup: TerminalConfig,
        wake: Option<UnixStream>,
        clock: Clock,
    ) -> io::Result<TerminalApp> {
        Ok(TerminalApp {
            terminal: Terminal::open(tty, setup, wake, clock)?,
            focus: Focus::Unknown,
            focused_at: None,
            called: None,
        })
    }

    /// The moment on its clock.
    pub fn now(&self) -> MonotonicTime {
        self.terminal.now()
    }

    /// Runs a screen to its end, and gives the terminal back.
    pub fn run<S: Screen>(
        mut self,
        screen: &mut S,
        host: &mut dyn FnMut(&mut S, MonotonicTime),
    ) -> io::Result<AppExit> {
        let exit = self.play(screen, host)?;
        let written = self.close(&screen.take_lines());
        match exit {
            // A terminal that is gone takes no last words.
            AppExit::HungUp => drop(written),
            AppExit::Code(_) | AppExit::Signal(_) => written?,
        }
        Ok(exit)
    }

    /// Runs a screen to its end and takes its frame away; see [`TerminalApp::close`]. `host` is called
    /// after everything that happens: it brings the screen what came from elsewhere and takes along
    /// what it wants done.
    pub fn play<S: Screen>(
        &mut self,
        screen: &mut S,
        host: &mut dyn FnMut(&mut S, MonotonicTime),
    ) -> io::Result<AppExit> {
        let exit = self.event_loop(screen, host);
        let cleared = self.terminal.clear();
        match exit {
            Ok(AppExit::Code(_) | AppExit::Signal(_)) => cleared?,
            Ok(AppExit::HungUp) | Err(_) => drop(cleared),
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

    fn event_loop<S: Screen>(
        &mut self,
        screen: &mut S,
        host: &mut dyn FnMut(&mut S, MonotonicTime),
    ) -> io::Result<AppExit> {
        let mut event = self.probe_terminal(screen)?;
        loop {
            match event {
                None => screen.tick(self.terminal.now()),
                Some(TerminalEvent::Input(event)) => self.dispatch(screen, &event)?,
                Some(TerminalEvent::Resumed) => {
                    screen.on_resumed();
                    self.reenter(screen)?;
                }
                Some(TerminalEvent::Wakeup) => {}
                Some(TerminalEvent::Terminate(signal)) => return Ok(AppExit::Signal(signal)),
                Some(TerminalEvent::HungUp) => return Ok(AppExit::HungUp),
            }
            host(screen, self.terminal.now());
            if let Some(code) = self.handle_requests(screen)? {
                return Ok(AppExit::Code(code));
            }
            self.show(screen)?;
            let timeout = screen.next_tick(self.terminal.now());
            event = self.terminal.next(timeout)?;
        }
    }

    /// Gives the terminal a moment to tell about itself; the screen is laid out meanwhile. Gives what
    /// happens first.
    fn probe_terminal(&mut self, screen: &mut impl Screen) -> io::Result<Option<TerminalEvent>> {
        screen.resize(self.terminal.measure());
        drop(screen.view());
        let probed = self.terminal.probe_terminal()?;
        self.apply_capabilities(screen);
        for event in &probed.early {
            match event {
                InputEvent::Key(_) | InputEvent::Paste(_) => screen.early(event),
                InputEvent::FocusIn | InputEvent::FocusOut | InputEvent::Resize(_) => {
                    self.dispatch(screen, event)?;
                }
                InputEvent::Click(_)
                | InputEvent::CursorAt(..)
                | InputEvent::Reply(_)
                | InputEvent::Attributes => {}
            }
        }
        Ok(probed.over.or(Some(TerminalEvent::Wakeup)))
    }

    fn dispatch(&mut self, screen: &mut impl Screen, event: &InputEvent) -> io::Result<()> {
        match event {
            InputEvent::Resize(size) => {
                self.terminal.resized(*size)?;
                screen.resize(*size);
            }
            InputEvent::FocusOut => self.focus = Focus::Away,
            InputEvent::FocusIn => {
                self.focus = Focus::Here;
                self.focused_at = Some(self.terminal.now());
            }
            InputEvent::Key(_) | InputEvent::Paste(_) => {
                // Whoever types is there.
                self.focus = Focus::Here;
                self.panic_if_requested();
                screen.handle(event, self.terminal.now());
            }
            // The click that brings the window to the front is for the window.
            InputEvent::Click(_) if self.just_focused() => {}
            InputEvent::Click(at) => {
                self.focus = Focus::Here;
                if let Some(at) = self.terminal.clicked(*at)? {
                    screen.handle(&InputEvent::Click(at), self.terminal.now());
                }
            }
            InputEvent::CursorAt(..) | InputEvent::Reply(_) | InputEvent::Attributes => {
                if let Some(at) = self.terminal.resolve_click(event) {
                    screen.handle(&InputEvent::Click(at), self.terminal.now());
                } else if self.terminal.apply_reply(event) {
                    self.apply_capabilities(screen);
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
    fn apply_capabilities(&self, screen: &mut impl Screen) {
        if self.terminal.draws_wide() {
            screen.set_glyphs(Glyphs::ASCII);
        }
    }

    fn show(&mut self, screen: &mut impl Screen) -> io::Result<()> {
        let lines = screen.take_lines();
        let call = self.call(screen.notification_id());
        self.terminal
            .show(&lines, screen.view(), &screen.title(), call)?;
        screen.on_painted(self.terminal.now());
        Ok(())
    }

    /// Whether the user has to be called: once for each thing that waits, if they look elsewhere
    /// before they can have seen it.
    fn call(&mut self, waiting: Option<String>) -> Notify {
        if waiting.is_none() || waiting == self.called || self.focus == Focus::Unknown {
            return Notify::Silent;
        }
        self.called = waiting;
        if self.focus == Focus::Away {
            Notify::Bell
        } else {
            Notify::Silent
        }
    }

    /// Does what the screen wants; gives the exit code if that is to end.
    fn handle_requests(&mut self, screen: &mut impl Screen) -> io::Result<Option<u8>> {
        for want in screen.take_requests() {
            match want {
                ScreenRequest::Exit(code) => return Ok(Some(code)),
                ScreenRequest::Repaint => self.reenter(screen)?,
                ScreenRequest::Suspend => {
                    self.terminal.suspend()?;
                    screen.on_resumed();
                    screen.resize(self.terminal.measure());
                }
                ScreenRequest::OpenEditor(text) => {
                    let edited = self.terminal.edit(&text)?;
                    screen.on_editor_closed(&edited);
                    screen.on_resumed();
                    screen.resize(self.terminal.measure());
                }
                ScreenRequest::CopyToClipboard(text) => self.terminal.copy(&text)?,
            }
        }
        Ok(None)
    }

    fn reenter(&mut self, screen: &mut impl Screen) -> io::Result<()> {
        self.terminal.reenter()?;
        screen.resize(self.terminal.measure());
        Ok(())
    }

    #[expect(
        clippy::panic,
        reason = "it is wanted by the test of what a panic leaves"
    )]
    fn panic_if_requested(&self) {
        match self.terminal.setup().first_key {
            FirstKey::Normal => {}
            FirstKey::Panic => panic!("the first key panics"),
        }
    }
}

/// Whether a click comes right behind the focus: it brought the window to the front.
fn raises_window(focused_at: Option<MonotonicTime>, now: MonotonicTime, window: Duration) -> bool {
    focused_at.is_some_and(|at| now.saturating_sub(at) < window)
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
