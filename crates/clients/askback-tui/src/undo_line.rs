//! The answer to a single stored question while it can be undone: what was answered, and below it one
//! line that offers to undo it.

use std::time::Duration;

use crate::held_replies::{next_second, seconds_left};
use crate::keymap::{Action, Mode};
use crate::outcome_lines::AnsweredFrom;
use crate::screen_config::ScreenConfig;
use crate::typeahead::TypeaheadGuard;
use askback_terminal::app::{Screen, ScreenRequest};
use askback_terminal::clock::MonotonicTime;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key};
use askback_terminal::row::{Cursor, Frame, Row, Size, Style};
use askback_terminal::styled_wrap::wrap_row;

/// Carries out what the line offers.
pub trait UndoHost {
    /// Undoes the answer; [`UndoHost::poll_undo`] returns the result.
    fn undo(&mut self);
    /// Lets the answer take effect before the undo window ends.
    fn commit(&mut self);
    /// Returns what happened to the answer meanwhile. Called until it returns [`UndoNews::Nothing`].
    fn poll_undo(&mut self) -> UndoNews;
}

/// What happened to an answer that could be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoNews {
    /// Nothing, or nothing more.
    Nothing,
    /// It was undone, here or elsewhere.
    Reopened,
    /// It could not be undone any more.
    TooLate,
    /// The question has its outcome.
    Resolved,
}

/// Why the offer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoEnd {
    /// The question is open again.
    Reopened,
    /// The undo window is over, or the question was resolved before. The server knows the outcome.
    Over,
    /// The user left. The answer takes effect at the end of the undo window.
    Detached,
    /// The process received this signal and must exit.
    Signal(i32),
    /// The terminal was closed, or its input ended.
    HungUp,
}

/// See the module documentation.
#[derive(Debug)]
pub struct UndoLine {
    config: ScreenConfig,
    /// What was answered, as it stays in the scrollback.
    answered: Vec<Row>,
    until: MonotonicTime,
    whose: AnsweredFrom,
    guard: TypeaheadGuard,
    notice: Option<&'static str>,
    now: MonotonicTime,
    size: Size,
    requested: Option<Request>,
    pub(crate) end: Option<UndoEnd>,
    screen_requests: Vec<ScreenRequest>,
}

/// What the user asked for; nothing else is accepted after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    Undo,
    Commit,
}

impl UndoLine {
    /// Offers to undo until this time. An answer from elsewhere can be undone only there: the line
    /// says for how long.
    pub fn new(
        config: ScreenConfig,
        answered: Vec<Row>,
        until: MonotonicTime,
        whose: AnsweredFrom,
    ) -> UndoLine {
        UndoLine {
            answered,
            until,
            whose,
            guard: TypeaheadGuard::new(config.typeahead_window),
            config,
            notice: None,
            now: MonotonicTime::ZERO,
            size: Size::USUAL,
            requested: None,
            end: None,
            screen_requests: Vec::new(),
        }
    }

    /// Must be called before the line is shown: the key that answered does not act on it.
    pub(crate) fn appear(
        &mut self,
        last: Option<(Option<Key>, MonotonicTime)>,
        now: MonotonicTime,
    ) {
        self.guard.saw(last);
        self.guard.close();
        self.now = now;
    }

    pub(crate) fn last_key(&self) -> Option<(Option<Key>, MonotonicTime)> {
        self.guard.last()
    }

    /// Handles what the host reports.
    pub(crate) fn handle_news(&mut self, host: &mut dyn UndoHost) {
        while self.end.is_none() {
            match host.poll_undo() {
                UndoNews::Nothing => return,
                UndoNews::Reopened => self.finish(UndoEnd::Reopened),
                UndoNews::Resolved => self.finish(UndoEnd::Over),
                UndoNews::TooLate => self.notice = Some("notice-too-late-to-undo"),
            }
        }
    }

    fn finish(&mut self, end: UndoEnd) {
        self.end = Some(end);
        self.screen_requests.push(ScreenRequest::Exit(0));
    }

    fn key(&mut self, key: Key) -> Option<Request> {
        self.notice = None;
        match self.config.keymap.action(Mode::Undo, key) {
            Some(Action::Detach) => self.finish(UndoEnd::Detached),
            Some(Action::Suspend) => self.screen_requests.push(ScreenRequest::Suspend),
            Some(Action::Repaint) => self.screen_requests.push(ScreenRequest::Repaint),
            Some(Action::Undo) if self.is_ours() => return self.request(Request::Undo, key),
            Some(Action::Confirm) if self.is_ours() => return self.request(Request::Commit, key),
            _ => {
                self.guard.key(Some(key), self.now);
            }
        }
        None
    }

    fn request(&mut self, request: Request, key: Key) -> Option<Request> {
        let is_open = self.guard.key(Some(key), self.now);
        if !is_open {
            self.notice = Some("notice-too-soon");
        }
        (is_open && self.requested.is_none()).then_some(request)
    }

    fn is_ours(&self) -> bool {
        self.whose == AnsweredFrom::Here
    }

    fn offer(&self) -> Row {
        let Some(seconds) = seconds_left(self.until, self.now).filter(|_| self.requested.is_none())
        else {
            return Row::new().with(self.config.text("chat-sending", &[]), Style::Muted);
        };
        if !self.is_ours() {
            let line = self
                .config
                .text("elsewhere-undo-left", &[("seconds", seconds.into())]);
            return Row::new().with(line, Style::Muted);
        }
        let keys = |action| {
            self.config
                .keymap
                .name(Mode::Undo, action, &self.config.glyphs)
        };
        let undo = keys(Action::Undo).map(|keys| {
            let args = [("keys", keys.into()), ("seconds", seconds.into())];
            self.config.text("hint-undo-answer", &args)
        });
        let send = self
            .config
            .hint("hint-send-now", Mode::Undo, Action::Confirm);
        let offers: Vec<String> = undo.into_iter().chain(send).collect();
        let line = offers.join(&format!(" {} ", self.config.glyphs.dot));
        Row::new().with(line, Style::Muted)
    }
}

/// [`UndoLine`] with its host, as a screen.
pub(crate) struct UndoScreen<'a> {
    pub(crate) line: &'a mut UndoLine,
    pub(crate) host: &'a mut dyn UndoHost,
}

impl Screen for UndoScreen<'_> {
    fn resize(&mut self, size: Size) {
        self.line.size = size;
    }

    fn handle(&mut self, event: &InputEvent, now: MonotonicTime) {
        self.line.now = now;
        let InputEvent::Key(key) = event else {
            return;
        };
        let request = self.line.key(*key);
        self.line.requested = self.line.requested.or(request);
        match request {
            Some(Request::Undo) => self.host.undo(),
            Some(Request::Commit) => self.host.commit(),
            None => {}
        }
    }

    fn tick(&mut self, now: MonotonicTime) {
        self.line.now = now;
        if seconds_left(self.line.until, now).is_none() && self.line.end.is_none() {
            self.line.finish(UndoEnd::Over);
        }
    }

    fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        Some(next_second(self.line.until, now).unwrap_or_default())
    }

    fn take_requests(&mut self) -> Vec<ScreenRequest> {
        std::mem::take(&mut self.line.screen_requests)
    }

    fn view(&self) -> Frame {
        let columns = self.line.size.columns.saturating_sub(1).max(8);
        let mut rows: Vec<Row> = Vec::new();
        for row in &self.line.answered {
            rows.extend(wrap_row(row, columns));
        }
        rows.extend(wrap_row(&self.line.offer(), columns));
        if let Some(notice) = self.line.notice {
            let notice = self.line.config.text(notice, &[]);
            let row = Row::new()
                .with("! ", Style::Warning)
                .with(notice, Style::Plain);
            rows.extend(wrap_row(&row, columns));
        }
        let cut = rows.len().saturating_sub(self.line.size.rows.max(1));
        rows.drain(..cut);
        let cursor = Cursor {
            row: rows.len().saturating_sub(1),
            column: 0,
        };
        Frame::inline(rows, cursor)
    }

    fn on_painted(&mut self, now: MonotonicTime) {
        self.line.guard.painted(now);
    }

    fn title(&self) -> String {
        self.line
            .answered
            .first()
            .map(Row::text)
            .unwrap_or_default()
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.line.config.glyphs = glyphs;
    }
}

#[cfg(test)]
#[path = "undo_line_tests.rs"]
mod tests;
