//! The event loop of a terminal program: prints the lines that stay, paints the frame below them,
//! passes on keys, signals and wakeups from other threads, and restores the terminal at the end.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::activity::ActivityListener;
use crate::clock::{Clock, MonotonicTime};
use crate::config::{FirstKey, TerminalConfig};
use crate::editor::EditorResult;
use crate::event_poller::TerminalEvent;
use crate::glyphs::Glyphs;
use crate::key::InputEvent;
use crate::notification::{Focus, Notifications, Notifier};
pub use crate::notification::{Notification, Reach};
use crate::row::{Frame, Row, Size};
use crate::terminal::Terminal;
use crate::tty::Tty;

/// What a [`TerminalApp`] shows and sends input to.
pub trait Screen {
    /// Sets the size.
    fn resize(&mut self, size: Size);
    /// Handles a key, a paste or a click.
    fn handle(&mut self, event: &InputEvent, now: MonotonicTime);
    /// Handles a key or a paste that arrived before the first frame was painted.
    fn early(&mut self, event: &InputEvent) {
        let _ = event;
    }
    /// Called before the first frame if something was typed before the terminal was opened. It was
    /// discarded.
    fn on_typed_discarded(&mut self) {}
    /// Called when the time from [`Screen::next_tick`] has passed.
    fn tick(&mut self, now: MonotonicTime);
    /// The time until [`Screen::tick`] must be called.
    fn next_tick(&self, now: MonotonicTime) -> Option<Duration>;
    /// Removes and returns the lines to print into the scrollback.
    fn take_lines(&mut self) -> Vec<Row> {
        Vec::new()
    }
    /// Removes and returns the pending requests.
    fn take_requests(&mut self) -> Vec<ScreenRequest>;
    /// The current frame.
    fn view(&self) -> Frame;
    /// Called after the frame was painted.
    fn on_painted(&mut self, now: MonotonicTime);
    /// Called when the frame is visible again after the process was stopped or an editor ran.
    fn on_resumed(&mut self) {}
    /// The window title.
    fn title(&self) -> String;
    /// What needs the user's attention.
    fn notification(&self) -> Option<Notification> {
        None
    }
    /// Called with the result of the editor.
    fn on_editor_closed(&mut self, edited: &EditorResult) {
        let _ = edited;
    }
    /// Replaces the glyphs, once a response of the terminal shows which it can draw.
    fn set_glyphs(&mut self, glyphs: Glyphs);
}

/// What a screen asks the terminal to do.
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
    /// The screen requested it, with this exit code.
    Code(u8),
    /// The process received this signal.
    Signal(i32),
    /// The terminal was closed.
    HungUp,
}

/// Runs a [`Screen`] on a terminal.
#[derive(Debug)]
pub struct TerminalApp {
    terminal: Terminal,
    focus: Focus,
    focused_at: Option<MonotonicTime>,
    notifier: Notifier,
    activity: Option<ActivityListener>,
}

impl TerminalApp {
    /// Puts the terminal into raw mode. `wake` becomes readable when another thread wakes the loop.
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
            notifier: Notifier::opened_at(clock.now()),
            activity: None,
        })
    }

    /// Calls this when somebody presses a key, pastes or clicks, at most once in `every`.
    pub fn on_activity(&mut self, every: Duration, notify: Box<dyn FnMut()>) {
        self.activity = Some(ActivityListener::new(every, notify));
    }

    /// The time that the screen's callbacks are given.
    pub fn now(&self) -> MonotonicTime {
        self.terminal.now()
    }

    /// Runs a screen until it exits, then restores the terminal.
    pub fn run<S: Screen>(
        mut self,
        screen: &mut S,
        host: &mut dyn FnMut(&mut S, MonotonicTime),
    ) -> io::Result<AppExit> {
        let exit = self.run_without_closing(screen, host)?;
        let written = self.close(&screen.take_lines());
        match exit {
            // A terminal that was closed cannot be written to.
            AppExit::HungUp => drop(written),
            AppExit::Code(_) | AppExit::Signal(_) => written?,
        }
        Ok(exit)
    }

    /// Runs a screen until it exits and erases its frame. The terminal stays in raw mode until
    /// [`TerminalApp::close`]. `host` is called after every event: it passes events of other
    /// threads to the screen and carries out the screen's requests.
    pub fn run_without_closing<S: Screen>(
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

    /// Restores the terminal and prints these rows into the scrollback.
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

    /// Waits a moment for the terminal's responses; the screen is laid out meanwhile. Returns the
    /// first event.
    fn probe_terminal(&mut self, screen: &mut impl Screen) -> io::Result<Option<TerminalEvent>> {
        screen.resize(self.terminal.measure());
        drop(screen.view());
        let probed = self.terminal.probe_terminal()?;
        self.apply_capabilities(screen);
        if self.terminal.take_discarded_typed() {
            screen.on_typed_discarded();
        }
        for event in &probed.early {
            match event {
                InputEvent::Key(_) | InputEvent::Paste(_) => screen.early(event),
                InputEvent::FocusIn | InputEvent::FocusOut | InputEvent::Resize(_) => {
                    self.dispatch(screen, event)?;
                }
                InputEvent::Click(_)
                | InputEvent::CursorAt(..)
                | InputEvent::QueryResponse(_)
                | InputEvent::Attributes => {}
            }
        }
        Ok(probed.ended_by.or(Some(TerminalEvent::Wakeup)))
    }

    fn dispatch(&mut self, screen: &mut impl Screen, event: &InputEvent) -> io::Result<()> {
        let is_by_person = matches!(
            event,
            InputEvent::Key(_) | InputEvent::Paste(_) | InputEvent::Click(_)
        );
        if is_by_person || matches!(event, InputEvent::FocusIn) {
            self.notifier.saw_input(self.terminal.now());
        }
        if let (true, Some(activity)) = (is_by_person, &mut self.activity) {
            activity.note(self.terminal.now());
        }
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
                // A user who types is looking at the window.
                self.focus = Focus::Here;
                self.panic_if_requested();
                screen.handle(event, self.terminal.now());
            }
            // The click that raises the window is not meant for the screen.
            InputEvent::Click(_) if self.just_focused() => {}
            InputEvent::Click(at) => {
                self.focus = Focus::Here;
                if let Some(at) = self.terminal.clicked(*at)? {
                    screen.handle(&InputEvent::Click(at), self.terminal.now());
                }
            }
            InputEvent::CursorAt(..) | InputEvent::QueryResponse(_) | InputEvent::Attributes => {
                if let Some(at) = self.terminal.resolve_click(event) {
                    screen.handle(&InputEvent::Click(at), self.terminal.now());
                } else if self.terminal.apply_response(event) {
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

    fn apply_capabilities(&self, screen: &mut impl Screen) {
        if self.terminal.draws_wide() {
            screen.set_glyphs(Glyphs::ASCII);
        }
    }

    fn show(&mut self, screen: &mut impl Screen) -> io::Result<()> {
        let lines = screen.take_lines();
        let (now, is_on) = (
            self.terminal.now(),
            self.terminal.setup().notifications == Notifications::On,
        );
        let due = screen
            .notification()
            .filter(|it| self.notifier.is_due(it, self.focus, now) && is_on);
        let text = due.map(|notification| notification.text);
        self.terminal
            .show(&lines, screen.view(), &screen.title(), text.as_deref())?;
        screen.on_painted(self.terminal.now());
        Ok(())
    }

    /// Carries out the screen's requests. Returns the exit code if one of them is to exit.
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

/// Whether a click follows the focus so closely that it raised the window.
fn raises_window(focused_at: Option<MonotonicTime>, now: MonotonicTime, window: Duration) -> bool {
    focused_at.is_some_and(|at| now.saturating_sub(at) < window)
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
