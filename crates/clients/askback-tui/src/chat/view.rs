//! The frame of the chat: the growing message, and below it a question, a menu, or the message
//! field.

use askback_core::limits;
use askback_wire::state::StateResponse;

use super::{Chat, Overlay, Pending, PendingStatus, ServerStatus};
use crate::answer_summary;
use crate::hint_line::{self, Hint};
use crate::keymap::{Action, Mode};
use askback_terminal::app::Screen as _;
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::styled_wrap::wrap_row;
use askback_terminal::width::{clip, text_width};

/// Rows of the scrollback that stay visible above the frame.
const CONTEXT: usize = 3;

pub(super) fn frame(chat: &Chat) -> Frame {
    let mut frame = match chat.shown() {
        Some(pending) => chat.question(pending),
        None => chat.field(),
    };
    let notice = chat.notice_rows();
    let room = chat.room().saturating_sub(frame.rows.len());
    if frame.buffer == ScreenBuffer::Inline {
        let mut above: Vec<Row> = notice.into_iter().take(room).collect();
        // A blank row above the frame, if it fits.
        let starts_blank = frame.rows.first().is_some_and(|row| row.spans().is_empty());
        if !starts_blank && above.len() < room {
            above.insert(0, Row::new());
        }
        frame.cursor.row += above.len();
        frame.rows.splice(0..0, above);
    }
    frame
}

impl Chat {
    /// The last column stays free for a cursor after the text.
    pub(super) fn columns(&self) -> usize {
        self.size.columns.saturating_sub(1).max(8)
    }

    fn room(&self) -> usize {
        if self.size.rows >= 12 {
            self.size.rows - CONTEXT
        } else {
            self.size.rows.saturating_sub(1).max(1)
        }
    }

    fn is_compact(&self) -> bool {
        self.size.columns < 40 || self.size.rows < 10
    }

    pub(super) fn field_columns(&self) -> usize {
        let lead = if self.is_compact() { 2 } else { 5 };
        self.columns().saturating_sub(lead).max(4)
    }

    /// Converts a cell of the frame into a cell of the question, which is at its end.
    pub(super) fn to_question_cell(&self, at: Cursor) -> Option<Cursor> {
        let question = self.shown()?.prompt.view().rows.len();
        let above = self.view().rows.len().saturating_sub(question);
        let row = at.row.checked_sub(above)?;
        Some(Cursor { row, ..at })
    }

    fn notice_rows(&self) -> Vec<Row> {
        let Some(notice) = &self.notice else {
            return Vec::new();
        };
        let row = Row::new()
            .with("! ", Style::Warning)
            .with(notice.clone(), Style::Plain);
        wrap_row(&row, self.columns())
    }

    /// The question, below a line that counts the other questions.
    fn question(&self, pending: &Pending) -> Frame {
        let mut frame = pending.prompt.view();
        let count = self.unsent().count();
        if count > 1 && self.size.rows > 8 && frame.buffer == ScreenBuffer::Inline {
            let next = &self.pending[(self.at + 1) % self.pending.len()];
            frame
                .rows
                .insert(0, self.waiting_row(count, next, Action::NextWaiting));
            frame.cursor.row += 1;
        }
        let undo = self.undo_line(self.columns());
        if let Some(line) =
            undo.filter(|_| self.size.rows > 8 && frame.buffer == ScreenBuffer::Inline)
        {
            frame.rows.insert(0, Row::new().with(line, Style::Label));
            frame.cursor.row += 1;
        }
        frame
    }

    fn waiting_row(&self, count: usize, pending: &Pending, action: Action) -> Row {
        let first = &pending.prompt.inquiry().questions()[0];
        let args = [
            ("count", count.into()),
            ("keys", self.config.key_name(Mode::Compose, action).into()),
            ("question", answer_summary::one_line(first).into()),
        ];
        let words = self.text("folded", &args);
        let more = self.config.glyphs.more;
        Row::new()
            .with("? ", Style::Mark)
            .with(clip(&words, self.columns() - 2, more), Style::Plain)
    }

    fn field(&self) -> Frame {
        let mut below = Vec::new();
        let pending = self.pending.iter();
        let left = pending.filter(|one| one.status == PendingStatus::Postponed);
        let count = left.clone().count();
        if let Some(first) = left.clone().next() {
            below.push(self.waiting_row(count, first, Action::Open));
        }
        below.extend(self.head());
        let above = below.len();
        let mut cursor = match &self.overlay {
            Some(Overlay::Menu(_, focus) | Overlay::Earlier(_, focus)) => {
                self.menu(*focus, &mut below)
            }
            Some(Overlay::ConfirmStop) => self.menu(0, &mut below),
            None => self.composer_rows(&mut below),
        };
        cursor.row += above;
        below.push(self.foot());
        let room = self.room().saturating_sub(below.len());
        let mut rows = self.live(room);
        cursor.row += rows.len();
        rows.extend(below);
        Frame::inline(rows, cursor)
    }

    fn live(&self, room: usize) -> Vec<Row> {
        let glyphs = &self.config.glyphs;
        let mut rows = self.transcript.live(self.columns(), glyphs);
        if let StateResponse::AwaitingSubAgents { agents } = &self.state {
            rows.push(Row::new());
            for agent in agents {
                let (mark, style) = if agent.finished {
                    (glyphs.done, Style::Success)
                } else {
                    (glyphs.open, Style::Mark)
                };
                rows.push(Row::new().with(format!("{mark} "), style).with(
                    clip(&agent.name, self.columns() - 2, glyphs.more),
                    Style::Label,
                ));
            }
        }
        if !rows.is_empty() {
            rows.push(Row::new());
        }
        let cut = rows.len().saturating_sub(room);
        rows.drain(..cut);
        rows
    }

    /// Why the model is asked again, and how often that is done.
    fn retry_text(&self) -> String {
        let StateResponse::LlmRequesting {
            attempt, reason, ..
        } = &self.state
        else {
            return String::new();
        };
        let reason = reason.as_deref();
        let id = reason.map_or("chat-attempt", |_| "chat-retry");
        let args = [
            ("reason", reason.unwrap_or_default().into()),
            ("count", (*attempt as usize).into()),
            ("max", (limits::LLM_ATTEMPTS_MAX as usize).into()),
        ];
        self.text(id, &args)
    }

    /// What can be undone, or what the agent is doing. A warning may take several rows, because it says
    /// why.
    fn head(&self) -> Vec<Row> {
        let lead = if self.is_compact() {
            String::new()
        } else {
            format!("{} ", self.config.glyphs.top)
        };
        let room = self.columns() - text_width(&lead);
        let (words, style) = match self.undo_line(room) {
            Some(line) if self.server == ServerStatus::Connected => (line, Style::Label),
            Some(_) | None => self.state_words(),
        };
        if style == Style::Warning {
            let room = self.columns() - text_width(&lead).max(self.rail().width());
            let wrapped = wrap_row(&Row::new().with(words, style), room);
            let lines = wrapped.iter().map(Row::text).enumerate();
            let start = |at| match at {
                0 => Row::new().with(lead.clone(), Style::Border),
                _ => self.rail(),
            };
            return lines
                .map(|(at, line)| start(at).with(line, style))
                .collect();
        }
        let words = clip(&words, room, self.config.glyphs.more);
        vec![Row::new().with(lead, Style::Border).with(words, style)]
    }

    /// What the agent is doing.
    fn state_words(&self) -> (String, Style) {
        let agent = ("agent", self.agent.as_str().into());
        match (&self.overlay, self.server, &self.state) {
            (Some(Overlay::Menu(..) | Overlay::ConfirmStop), ..) => {
                (self.text("chat-menu-title", &[]), Style::Focused)
            }
            (Some(Overlay::Earlier(..)), ..) => {
                (self.text("chat-menu-earlier", &[]), Style::Focused)
            }
            (_, ServerStatus::Lost, _) => (self.text("chat-connection-lost", &[]), Style::Warning),
            (_, ServerStatus::Connecting, _) => (self.text("chat-connecting", &[]), Style::Muted),
            (_, _, StateResponse::LlmRequesting { attempt, .. }) if *attempt > 1 => {
                (self.retry_text(), Style::Warning)
            }
            (_, _, StateResponse::LlmRequesting { .. }) => {
                (self.text("chat-thinking", &[agent]), Style::Mark)
            }
            (_, _, StateResponse::ToolExecuting { tool, .. }) => {
                let tool = tool.as_deref().unwrap_or("…");
                (
                    self.text("chat-working", &[agent, ("tool", tool.into())]),
                    Style::Mark,
                )
            }
            (_, _, StateResponse::AwaitingSubAgents { agents }) => {
                let count = agents.iter().filter(|one| !one.finished).count();
                let args = [agent, ("count", count.into())];
                (self.text("chat-helpers", &args), Style::Mark)
            }
            (_, _, StateResponse::AwaitingUserResponse { .. }) => {
                let id = if self.unsent().count() < self.pending.len() {
                    "chat-sending"
                } else {
                    "chat-waiting"
                };
                (self.text(id, &[agent]), Style::Mark)
            }
            _ if self.saying => (self.text("chat-sending", &[]), Style::Mark),
            (
                _,
                _,
                StateResponse::Idle
                | StateResponse::Error { .. }
                | StateResponse::Closed
                | StateResponse::Unknown,
            ) => (self.text("chat-title", &[agent]), Style::Muted),
        }
    }

    fn rail(&self) -> Row {
        if self.is_compact() {
            return Row::new();
        }
        Row::new().with(format!("{}  ", self.config.glyphs.rail), Style::Border)
    }

    fn composer_rows(&self, rows: &mut Vec<Row>) -> Cursor {
        let glyphs = &self.config.glyphs;
        let rows_max = (self.room() / 2).clamp(1, 10);
        let drawn = self.composer.visible_rows(self.field_columns(), rows_max);
        for (at, line) in drawn.lines.iter().enumerate() {
            let mark = if at == 0 { glyphs.field } else { " " };
            let mut row = self.rail().with(format!("{mark} "), Style::Mark);
            row.push(line.clone(), Style::Plain);
            if self.composer.is_empty() {
                let words = self.text("chat-prompt", &[]);
                row.push(
                    clip(&words, self.field_columns(), glyphs.more),
                    Style::Muted,
                );
            }
            rows.push(row);
        }
        Cursor {
            row: drawn.cursor.row,
            column: self.rail().width() + 2 + drawn.cursor.column,
        }
    }

    fn menu(&self, focus: usize, rows: &mut Vec<Row>) -> Cursor {
        let glyphs = &self.config.glyphs;
        let all = self.menu_rows();
        let room = self.room().saturating_sub(rows.len() + 2).max(1);
        let first = (focus + 1).saturating_sub(room);
        for (at, (words, effect)) in all.iter().enumerate().skip(first).take(room) {
            let (mark, style) = glyphs.focus_mark(at == focus);
            let number = if matches!(self.overlay, Some(Overlay::ConfirmStop)) {
                String::new()
            } else if at < 9 {
                format!("{} ", at + 1)
            } else {
                "  ".to_owned()
            };
            let mut row = self.rail().with(format!("{mark} "), Style::Mark);
            row.push(number, Style::Muted);
            let room = self.columns().saturating_sub(row.width());
            let words = clip(words, room, glyphs.more);
            let left = room - text_width(&words);
            row.push(words, style);
            if !effect.is_empty() && left > text_width(effect) + 2 {
                row.push(format!("  {effect}"), Style::Muted);
            }
            rows.push(row);
        }
        Cursor {
            row: focus - first,
            column: self.rail().width() + 4,
        }
    }

    fn foot(&self) -> Row {
        let glyphs = &self.config.glyphs;
        let key = |id, mode, action| self.config.hint(id, mode, action);
        let menu = if self.is_busy() {
            "chat-hint-stop"
        } else {
            "chat-hint-menu"
        };
        let hints = if matches!(self.overlay, Some(Overlay::ConfirmStop)) {
            vec![
                key("inbox-hint-yes", Mode::Confirm, Action::Yes),
                key("inbox-hint-no", Mode::Confirm, Action::Back),
            ]
        } else if self.overlay.is_some() {
            vec![
                key("hint-choose", Mode::Menu, Action::Confirm),
                key("hint-back", Mode::Menu, Action::Back),
            ]
        } else {
            let field = Mode::Compose;
            let enter = if self.can_commit() {
                key("hint-send-now", Mode::Undo, Action::Confirm)
            } else {
                key("chat-hint-send", field, Action::Confirm)
            };
            vec![
                enter,
                key(menu, field, Action::Back),
                key("hint-new-line", field, Action::NewLine),
                key("hint-editor", field, Action::Editor),
                key("chat-hint-leave", field, Action::Detach),
            ]
        };
        let lead = if self.is_compact() {
            String::new()
        } else {
            format!("{} ", glyphs.bottom)
        };
        let room = self.columns() - text_width(&lead);
        let hints = hints.into_iter().flatten();
        let hints = hints.map(|words| Hint { words, rank: 0 }).collect();
        let line = hint_line::fitting(hints, room, glyphs);
        Row::new()
            .with(lead, Style::Border)
            .with(line, Style::Muted)
    }
}
