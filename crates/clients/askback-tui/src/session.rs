//! Runs a single prompt on a terminal, for `askback ask`.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use askback_core::draft::Draft;

use crate::deadline::Deadline;
use crate::prompt::{End, Prompt, PromptEvent, PromptRequest, Reaction};
use crate::undo_line::{UndoEnd, UndoHost, UndoLine, UndoScreen};
use askback_terminal::app::{AppExit, Notification, Reach, Screen, ScreenRequest, TerminalApp};
use askback_terminal::clock::{Clock, MonotonicTime};
use askback_terminal::config::TerminalConfig;
use askback_terminal::display_mode::FRAME_MIN;
use askback_terminal::editor::EditorResult;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key, KeyCode};
use askback_terminal::row::{Frame, Row, Size};
use askback_terminal::tty::Tty;

/// Connects a prompt to the rest of the program.
pub trait PromptHost {
    /// Called when the draft changed, so that it can be saved.
    fn draft_changed(&mut self, draft: &Draft) {
        let _ = draft;
    }

    /// Called when a key stopped the deadline.
    fn deadline_stopped(&mut self) {}

    /// Asks the server for this; [`PromptHost::poll`] returns what came of it as [`Wakeup::Event`].
    fn request(&mut self, request: PromptRequest) {
        let _ = request;
    }

    /// Returns what another thread reported. It is called until it returns
    /// [`Wakeup::Continue`]: by frames after every event, by lines after each wakeup.
    fn poll(&mut self) -> Wakeup {
        Wakeup::Continue
    }
}

/// What another thread reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wakeup {
    /// Nothing, or nothing more.
    Continue,
    /// The question was resolved elsewhere.
    EndedElsewhere,
    /// What came of [`PromptHost::request`], or of saving the draft.
    Event(PromptEvent),
    /// The server moved the deadline, or removed it.
    DeadlineMoved(Option<Deadline>),
}

/// A host that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHost;

impl PromptHost for NoHost {}

/// Why a session ended.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionEnd {
    /// The prompt ended.
    Ended(End),
    /// The question was resolved elsewhere.
    EndedElsewhere,
    /// The window became too small for frames. The caller continues the draft in line mode.
    TooSmall,
    /// The process received this signal and must exit.
    Signal(i32),
    /// The terminal was closed.
    HungUp,
}

/// A terminal that runs prompts.
#[derive(Debug)]
pub struct PromptSession {
    app: TerminalApp,
    last_key: Option<(Option<Key>, MonotonicTime)>,
}

impl PromptSession {
    /// Puts the terminal into raw mode. `wake` becomes readable when another thread wakes the loop.
    pub fn open(
        tty: Tty,
        setup: TerminalConfig,
        wake: Option<UnixStream>,
        clock: Clock,
    ) -> io::Result<PromptSession> {
        let app = TerminalApp::open(tty, setup, wake, clock)?;
        Ok(PromptSession {
            app,
            last_key: None,
        })
    }

    /// Calls this when somebody presses a key, pastes or clicks, at most once in `every`.
    pub fn on_activity(&mut self, every: Duration, notify: Box<dyn FnMut()>) {
        self.app.on_activity(every, notify);
    }

    /// Runs a prompt until it ends, and erases its frame. The terminal stays in raw mode until
    /// [`PromptSession::close`].
    pub fn run(
        &mut self,
        prompt: &mut Prompt,
        host: &mut dyn PromptHost,
    ) -> io::Result<SessionEnd> {
        // The question may be open again after an undo.
        prompt.appear(self.last_key);
        let mut screen = PromptScreen {
            prompt,
            host,
            now: self.app.now(),
            last_key: self.last_key,
            screen_requests: Vec::new(),
            finish: None,
            has_ended_elsewhere: false,
        };
        let exit = self
            .app
            .run_without_closing(&mut screen, &mut |screen, _| screen.listen())?;
        self.last_key = screen.last_key;
        Ok(match exit {
            AppExit::Code(_) => screen.finish.unwrap_or(SessionEnd::Ended(End::Postponed)),
            AppExit::Signal(number) => SessionEnd::Signal(number),
            AppExit::HungUp => SessionEnd::HungUp,
        })
    }

    /// Offers to undo the answer that [`PromptSession::run`] gave, until it is too late.
    pub fn offer_undo(
        &mut self,
        line: &mut UndoLine,
        host: &mut dyn UndoHost,
    ) -> io::Result<UndoEnd> {
        line.appear(self.last_key, self.app.now());
        let mut screen = UndoScreen { line, host };
        let exit = self
            .app
            .run_without_closing(&mut screen, &mut |screen, _| {
                screen.line.handle_news(screen.host);
            })?;
        self.last_key = screen.line.last_key();
        Ok(match exit {
            AppExit::Code(_) => line.end.unwrap_or(UndoEnd::Over),
            AppExit::Signal(number) => UndoEnd::Signal(number),
            AppExit::HungUp => UndoEnd::HungUp,
        })
    }

    /// Restores the terminal and prints these rows into the scrollback.
    pub fn close(self, rows: &[Row]) -> io::Result<()> {
        self.app.close(rows)
    }
}

struct PromptScreen<'a> {
    prompt: &'a mut Prompt,
    host: &'a mut dyn PromptHost,
    now: MonotonicTime,
    screen_requests: Vec<ScreenRequest>,
    finish: Option<SessionEnd>,
    /// It was resolved elsewhere while somebody typed here. What is still typed is not sent, and must not get to
    /// the program that reads the terminal next.
    has_ended_elsewhere: bool,
    last_key: Option<(Option<Key>, MonotonicTime)>,
}

/// Somebody who types has stopped after this time without a key.
const TYPING_PAUSE: Duration = Duration::from_millis(700);

impl PromptScreen<'_> {
    fn listen(&mut self) {
        while self.finish.is_none() && !self.has_ended_elsewhere {
            match self.host.poll() {
                Wakeup::Continue => return,
                Wakeup::Event(event) => self.prompt.handle_event(event),
                Wakeup::DeadlineMoved(deadline) => self.prompt.set_deadline(deadline),
                Wakeup::EndedElsewhere if self.pause_left(self.now).is_zero() => {
                    self.finish(SessionEnd::EndedElsewhere);
                }
                Wakeup::EndedElsewhere => self.has_ended_elsewhere = true,
            }
        }
    }

    /// How long nothing may be typed until the user counts as having stopped.
    fn pause_left(&self, now: MonotonicTime) -> Duration {
        let typed_at = self.last_key.map(|(_, at)| at);
        typed_at.map_or(Duration::ZERO, |at| (at + TYPING_PAUSE).saturating_sub(now))
    }

    /// A key after the question was resolved elsewhere: text is kept as not sent, and Enter ends the line.
    fn handle_late(&mut self, event: &InputEvent, now: MonotonicTime) {
        let reaction = self.prompt.handle(event, now);
        let is_enter = matches!(event, InputEvent::Key(key) if key.code == KeyCode::Enter);
        if is_enter || matches!(reaction, Reaction::End(_)) {
            self.finish(SessionEnd::EndedElsewhere);
        }
    }

    fn finish(&mut self, finish: SessionEnd) {
        self.finish = Some(finish);
        self.screen_requests.push(ScreenRequest::Exit(0));
    }

    fn react(&mut self, reaction: Reaction) {
        match reaction {
            Reaction::Screen(request) => self.screen_requests.push(request),
            Reaction::End(end) => self.finish(SessionEnd::Ended(end)),
            Reaction::Request(request) => self.host.request(request),
            Reaction::Nothing | Reaction::Redraw => {}
        }
    }
}

impl Screen for PromptScreen<'_> {
    fn resize(&mut self, size: Size) {
        if size.is_below(FRAME_MIN) {
            self.finish(SessionEnd::TooSmall);
        } else {
            self.prompt.handle(&InputEvent::Resize(size), self.now);
        }
    }

    fn handle(&mut self, event: &InputEvent, now: MonotonicTime) {
        self.now = now;
        if let InputEvent::Key(key) = event {
            self.last_key = Some((Some(*key), now));
        }
        if self.has_ended_elsewhere {
            return self.handle_late(event, now);
        }
        let handled = self.prompt.handle_for_store(event, now);
        if handled.has_stopped_deadline {
            self.host.deadline_stopped();
        }
        if handled.has_changed_draft {
            self.host.draft_changed(self.prompt.draft());
        }
        self.react(handled.reaction);
    }

    fn early(&mut self, _: &InputEvent) {
        self.on_typed_discarded();
    }

    fn on_typed_discarded(&mut self) {
        self.prompt.set_notice("notice-too-soon");
    }

    fn tick(&mut self, now: MonotonicTime) {
        self.now = now;
        if self.has_ended_elsewhere {
            if self.pause_left(now).is_zero() {
                self.finish(SessionEnd::EndedElsewhere);
            }
            return;
        }
        let reaction = self.prompt.tick(now);
        self.react(reaction);
    }

    fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        if self.has_ended_elsewhere {
            return Some(self.pause_left(now));
        }
        self.prompt.next_tick(now)
    }

    fn take_requests(&mut self) -> Vec<ScreenRequest> {
        std::mem::take(&mut self.screen_requests)
    }

    fn view(&self) -> Frame {
        self.prompt.view()
    }

    fn on_painted(&mut self, now: MonotonicTime) {
        self.prompt.painted(now);
    }

    fn on_resumed(&mut self) {
        self.prompt.appear(None);
    }

    fn title(&self) -> String {
        self.prompt.title()
    }

    fn notification(&self) -> Option<Notification> {
        let title = self.prompt.title();
        Some(Notification {
            id: title.clone(),
            text: title,
            reach: Reach::OtherWindow,
        })
    }

    fn on_editor_closed(&mut self, edited: &EditorResult) {
        self.prompt.editor_closed(edited);
        self.host.draft_changed(self.prompt.draft());
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.prompt.set_glyphs(glyphs);
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
