//! The frame of the inbox: a list, the focused question beside it or below its row, and the hints.

use askback_core::id::InquiryId;

use super::key_help::Hint;
use super::{BulkAction, Inbox, InboxConfig, Item, Overlay};
use crate::keymap::{Action, Mode};
use askback_terminal::display_mode::FRAME_MIN;
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Span, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrap_spans};
use askback_terminal::width::{clip, text_width};

/// Rows above the list: the title and a blank row.
pub(super) const HEAD: usize = 2;
/// From this width on, the question is beside the list, and the list has still as much room as in a narrow window.
const BESIDE: usize = 160;

pub(super) fn frame(inbox: &Inbox) -> Frame {
    let rows = inbox.size.rows.max(1);
    let mut frame = match &inbox.overlay {
        Some(Overlay::Prompt(_, prompt)) => {
            let mut frame = prompt.view();
            if frame.buffer == ScreenBuffer::Alternate {
                return frame;
            }
            frame.rows.splice(0..0, [inbox.head(), Row::new()]);
            frame.cursor.row += HEAD;
            frame
        }
        Some(Overlay::Ended(id)) => inbox.ended_screen(id),
        Some(Overlay::Help) => inbox.help(),
        Some(Overlay::Confirm(..)) | None => inbox.list(),
    };
    frame.buffer = ScreenBuffer::Alternate;
    frame.rows.truncate(rows);
    frame.rows.resize(rows, Row::new());
    frame.cursor.row = frame.cursor.row.min(rows - 1);
    frame
}

impl Inbox {
    pub(super) fn columns(&self) -> usize {
        self.size.columns.saturating_sub(1).max(8)
    }

    pub(super) fn clipped(&self, row: &Row, columns: usize) -> Row {
        let mut out = Row::new();
        let mut left = columns;
        for span in row.spans() {
            let text = clip(&span.text, left, self.config.glyphs.more);
            left -= text_width(&text).min(left);
            out.push(text, span.style);
        }
        out
    }

    pub(super) fn head(&self) -> Row {
        let count = self.open_count();
        let mut row = Row::new()
            .with(format!(" {} ", self.text("inbox-title", &[])), Style::Chip)
            .with("  ", Style::Plain)
            .with(
                self.text("inbox-count", &[("count", count.into())]),
                Style::Muted,
            );
        let hidden = self.hidden_count();
        if hidden > 0 {
            let dot = self.config.glyphs.dot;
            let snoozed = self.text("inbox-show-snoozed", &[("count", hidden.into())]);
            row.push(format!(" {dot} {snoozed}"), Style::Muted);
        }
        if !self.marked.is_empty() {
            let dot = self.config.glyphs.dot;
            let marked = self.text("inbox-marked", &[("count", self.marked.len().into())]);
            row.push(format!(" {dot} {marked}"), Style::Mark);
        }
        if self.is_disconnected {
            let dot = self.config.glyphs.dot;
            let lost = self.text("chat-connection-lost", &[]);
            row.push(format!(" {dot} {lost}"), Style::Warning);
        }
        self.clipped(&row, self.columns())
    }

    fn list(&self) -> Frame {
        let foot = self.foot();
        let room = self.size.rows.saturating_sub(HEAD + foot.len()).max(1);
        let mut rows = vec![self.head(), Row::new()];
        let mut cursor = Cursor {
            row: HEAD,
            column: 0,
        };
        if self.focused().is_none() {
            for text in self.first_steps() {
                let style = Style::Muted;
                rows.extend(wrap_spans(
                    &[Span { text, style }],
                    self.columns(),
                    &LinePrefix::all(Row::new().with("  ", Style::Plain)),
                ));
                rows.push(Row::new());
            }
        } else {
            let beside = self.size.columns >= BESIDE;
            let (left, at) = self.blocks(room, beside);
            let left = left.into_iter().map(|(_, row)| row).collect();
            cursor.row += at;
            cursor.column = 4;
            let right = match self.focused() {
                Some(item) if beside => self.detail_beside(item),
                Some(_) | None => Vec::new(),
            };
            rows.extend(self.side_by_side(left, right, room, beside));
        }
        rows.truncate(HEAD + room);
        rows.resize(HEAD + room, Row::new());
        rows.extend(foot);
        if matches!(self.overlay, Some(Overlay::Confirm(..))) {
            // A small window shows the rows around the cursor, so it must be at the confirmation.
            let last = rows.len().saturating_sub(1);
            let row = if self.window.is_below(FRAME_MIN) {
                (HEAD + room + self.window.rows / 2).min(last)
            } else {
                last.saturating_sub(1)
            };
            cursor = Cursor { row, column: 0 };
        }
        Frame {
            rows,
            cursor,
            buffer: ScreenBuffer::Alternate,
        }
    }

    /// What to do while nothing waits, which the head says: the agents that can ask, and how to connect the others. Without an
    /// agent, how to try it.
    fn first_steps(&self) -> Vec<String> {
        let InboxConfig {
            agents,
            server_flags,
            ..
        } = &self.config;
        let mut steps = vec![self.text("inbox-new-appear", &[])];
        if !agents.ready.is_empty() {
            let names = agents.ready.join(", ");
            steps.push(self.text("inbox-agents-ready", &[("agents", names.into())]));
        }
        if !agents.rest.is_empty() {
            let install = self.text("inbox-empty-install", &[]);
            let names = agents.rest.join(", ");
            steps.push(format!("{install} askback install ({names})"));
        }
        if agents.ready.is_empty() {
            let flags = server_flags.as_str();
            steps.push(self.text("inbox-how", &[("flags", flags.into())]));
        }
        steps
    }

    /// Whether the text and all choices of the focused question are visible.
    pub(super) fn shows_whole_question(&self) -> bool {
        let Some(item) = self.focused().filter(|_| !self.window.is_below(FRAME_MIN)) else {
            return false;
        };
        let room = self.size.rows.saturating_sub(HEAD + self.foot().len());
        let rows = if self.size.columns >= BESIDE {
            self.detail_beside(item)
        } else {
            self.focused_block(item, room)
        };
        let blank = rows.iter().rev().take_while(|row| row.is_blank()).count();
        rows.len() - blank <= room
    }

    pub(super) fn left(&self) -> usize {
        self.columns() * 5 / 9
    }

    fn side_by_side(&self, left: Vec<Row>, right: Vec<Row>, room: usize, beside: bool) -> Vec<Row> {
        if !beside {
            return left;
        }
        let width = self.left();
        let mut left = left.into_iter();
        let mut right = right.into_iter();
        let joined = (0..room).map(|_| {
            let mut row = left.next().unwrap_or_default();
            let rule = format!(" {} ", self.config.glyphs.rail);
            let mut ruled = Row::new().with(rule, Style::Border);
            ruled.append(&right.next().unwrap_or_default());
            row.place(width, &ruled);
            row
        });
        joined.collect()
    }

    pub(super) fn clicked(&self, row: usize) -> Option<InquiryId> {
        self.focused()?;
        let room = self.size.rows.saturating_sub(HEAD + self.foot().len());
        let (rows, _) = self.blocks(room.max(1), self.size.columns >= BESIDE);
        let (index, _) = rows.get(row.checked_sub(HEAD)?)?;
        let item = self.shown().nth(*index)?;
        Some(item.inquiry.id.clone())
    }

    /// The rows of the list that fit, each with the index of its question; and the first row of the
    /// focused question, which is shown whole. Every other question has one row.
    fn blocks(&self, room: usize, beside: bool) -> (Vec<(usize, Row)>, usize) {
        let width = if beside { self.left() } else { self.columns() };
        let items: Vec<&Item> = self.shown().collect();
        let at = items
            .iter()
            .position(|item| Some(&item.inquiry.id) == self.focus.as_ref())
            .unwrap_or(0);
        let block = if beside {
            vec![self.label(items[at], width, true).row]
        } else {
            self.focused_block(items[at], room)
        };
        // The next question stays in view, too.
        let next = (items.len() - 1 - at).min(1);
        let before = at.min(room.saturating_sub(block.len() + next));
        let row = |index: usize| (index, self.label(items[index], width, false).row);
        let mut rows: Vec<(usize, Row)> = (at - before..at).map(row).collect();
        rows.extend(block.into_iter().map(|row| (at, row)));
        let after = room.saturating_sub(rows.len());
        rows.extend((at + 1..items.len()).take(after).map(row));
        rows.truncate(room);
        (rows, before)
    }

    /// The last event or the confirmation, and the hints.
    fn foot(&self) -> Vec<Row> {
        let (above, style, hints): (Vec<String>, _, _) = match &self.overlay {
            Some(Overlay::Confirm(act, ids)) => {
                let count = [("count", ids.len().into())];
                let id = match (act, self.marked.is_empty()) {
                    (BulkAction::Reject, true) => "sure-stop",
                    (BulkAction::Reject, false) => "inbox-stop-marked",
                    (BulkAction::Decline, true) => "sure-decline",
                    (BulkAction::Decline, false) => "inbox-decline-marked",
                };
                let hints = [
                    self.hint("inbox-hint-yes", Mode::Confirm, Action::Yes),
                    self.hint("inbox-hint-no", Mode::Confirm, Action::Back),
                ];
                let hints = hints.into_iter().flatten().map(Hint::kept).collect();
                (vec![self.text(id, &count)], Style::Warning, hints)
            }
            Some(Overlay::Prompt(..) | Overlay::Ended(..) | Overlay::Help) | None => {
                // A notice does not hide that the last reply can be undone.
                let held = self.held_line(self.columns());
                let words = self.notice.iter().cloned().chain(held).collect();
                (words, Style::Plain, self.hints())
            }
        };
        let line = self.hint_line(hints);
        let above: Vec<String> = above.iter().map(|words| one_line(words)).collect();
        if matches!(self.overlay, Some(Overlay::Confirm(..))) && self.window.is_below(FRAME_MIN) {
            let text = format!("{} {line}", above.join(" "));
            let columns = self.columns().min(self.window.columns.saturating_sub(1));
            return wrap_spans(&[Span { text, style }], columns, &LinePrefix::default());
        }
        let keys = Row::new().with(line, Style::Muted);
        let mut rows = self.confirmation_rows();
        if matches!(self.overlay, Some(Overlay::Confirm(..))) {
            let text = above.join(" ");
            let text = [Span { text, style }];
            rows.extend(wrap_spans(&text, self.columns(), &LinePrefix::default()));
            rows.push(self.clipped(&keys, self.columns()));
            return rows;
        }
        let mut foot: Vec<Row> = above
            .into_iter()
            .map(|words| Row::new().with(words, style))
            .collect();
        if foot.is_empty() {
            foot.push(Row::new());
        }
        foot.push(keys);
        rows.extend(foot.iter().map(|row| self.clipped(row, self.columns())));
        rows
    }

    /// The names of the questions that the confirmation is for.
    fn confirmation_rows(&self) -> Vec<Row> {
        let Some(Overlay::Confirm(_, ids)) = &self.overlay else {
            return Vec::new();
        };
        if let Some(notice) = &self.notice {
            return vec![Row::new().with(notice.clone(), Style::Warning)];
        }
        let marked = self
            .items
            .iter()
            .filter(|item| ids.contains(&item.inquiry.id));
        let names: Vec<String> = marked
            .map(|item| super::lines::name(&item.inquiry))
            .collect();
        let room = self.size.rows.saturating_sub(HEAD + 4).max(1);
        self.fitting_names(&names, room)
    }

    /// As many names as fit, and the number of the others.
    fn fitting_names(&self, names: &[String], room: usize) -> Vec<Row> {
        // An upper bound: no name takes less than three columns with its comma.
        let most = names.len().min(room * self.columns() / 3);
        for count in (0..=most).rev() {
            let hidden = names.len() - count;
            let more = if hidden > 0 {
                format!(" … +{hidden}")
            } else {
                String::new()
            };
            let text = names[..count].join(", ") + &more;
            let span = Span {
                text,
                style: Style::Label,
            };
            let rows = wrap_spans(&[span], self.columns(), &LinePrefix::default());
            if rows.len() <= room || count == 0 {
                return rows;
            }
        }
        Vec::new()
    }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
