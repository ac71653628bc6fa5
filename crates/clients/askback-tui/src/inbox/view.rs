//! The frame of the inbox: a list, the focused question beside it or below its row, and the hints.

use askback_core::id::InquiryId;

use super::overlay::BulkAction;
use super::{Inbox, Item, Overlay, ended_screen, item_rows, key_help, lines, question_detail};
use crate::hint_line;
use crate::keymap::{Action, Mode};
use askback_terminal::display_mode::FRAME_MIN;
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrapped_rows};
use askback_terminal::width::{clip, text_width};

/// Rows above the list: the title and a blank row.
pub(super) const HEAD: usize = 2;
/// From this width on, the question is beside the list, and the list has still as much room as in a narrow window.
const BESIDE: usize = 160;

pub(super) fn frame(inbox: &Inbox) -> Frame {
    let rows = inbox.size.rows.max(1);
    let mut frame = match &inbox.overlay {
        Some(Overlay::Prompt(open)) => {
            let mut frame = open.prompt.view();
            if frame.buffer == ScreenBuffer::Alternate {
                return frame;
            }
            frame.rows.splice(0..0, [head(inbox), Row::new()]);
            frame.cursor.row += HEAD;
            frame
        }
        Some(Overlay::Ended(id)) => ended_screen::frame(inbox, id),
        Some(Overlay::Help) => key_help::frame(inbox),
        Some(Overlay::Confirm(..) | Overlay::Snooze(..)) | None => list_frame(inbox),
    };
    frame.buffer = ScreenBuffer::Alternate;
    frame.rows.truncate(rows);
    frame.rows.resize(rows, Row::new());
    frame.cursor.row = frame.cursor.row.min(rows - 1);
    frame
}

pub(super) fn columns(inbox: &Inbox) -> usize {
    inbox.size.columns.saturating_sub(1).max(8)
}

pub(super) fn clipped(inbox: &Inbox, row: &Row, columns: usize) -> Row {
    let mut out = Row::new();
    let mut left = columns;
    for span in row.spans() {
        let text = clip(&span.text, left, inbox.config.glyphs.more);
        left -= text_width(&text).min(left);
        out.push(text, span.style);
    }
    out
}

pub(super) fn head(inbox: &Inbox) -> Row {
    let count = inbox.list.open_count();
    let mut row = Row::new()
        .with(format!(" {} ", inbox.text("inbox-title", &[])), Style::Chip)
        .with("  ", Style::Plain)
        .with(
            inbox.text("inbox-count", &[("count", count.into())]),
            Style::Muted,
        );
    let dot = inbox.config.glyphs.dot;
    let mut add = |words: String, style| row.push(format!(" {dot} {words}"), style);
    let (hidden, marked) = (inbox.list.hidden_count(), inbox.list.marked.len());
    if hidden > 0 {
        let count = [("count", hidden.into())];
        add(inbox.text("inbox-show-snoozed", &count), Style::Muted);
    }
    if marked > 0 {
        let count = [("count", marked.into())];
        add(inbox.text("inbox-marked", &count), Style::Mark);
    }
    if inbox.is_disconnected {
        let lost = inbox.text("chat-connection-lost", &[]);
        add(lost, Style::Warning);
    }
    clipped(inbox, &row, columns(inbox))
}

fn list_frame(inbox: &Inbox) -> Frame {
    let foot = foot(inbox);
    let room = inbox.size.rows.saturating_sub(HEAD + foot.len()).max(1);
    let mut rows = vec![head(inbox), Row::new()];
    let mut cursor = Cursor {
        row: HEAD,
        column: 0,
    };
    if inbox.list.focused().is_none() {
        for text in first_steps(inbox) {
            rows.extend(LinePrefix::spaces(2).wrap(text, columns(inbox), Style::Muted));
            rows.push(Row::new());
        }
    } else {
        let (listed, at) = blocks(inbox, room);
        let mut listed: Vec<Row> = listed.into_iter().map(|(_, row)| row).collect();
        cursor.row += at;
        cursor.column = 4;
        if let Some(item) = inbox.list.focused().filter(|_| is_wide(inbox)) {
            listed.resize(room, Row::new());
            place_beside(inbox, &mut listed, detail_beside(inbox, item));
        }
        rows.extend(listed);
    }
    rows.truncate(HEAD + room);
    rows.resize(HEAD + room, Row::new());
    rows.extend(foot);
    if matches!(
        inbox.overlay,
        Some(Overlay::Confirm(..) | Overlay::Snooze(..))
    ) {
        // A small window shows the rows around the cursor, so it must be at the confirmation.
        let last = rows.len().saturating_sub(1);
        let row = if inbox.window.is_below(FRAME_MIN) {
            (HEAD + room + inbox.window.rows / 2).min(last)
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
fn first_steps(inbox: &Inbox) -> Vec<String> {
    let Inbox {
        agents_ready,
        agents_rest,
        server_flags,
        ..
    } = inbox;
    let mut steps = vec![inbox.text("inbox-new-appear", &[])];
    if !agents_ready.is_empty() {
        let names = agents_ready.join(", ");
        steps.push(inbox.text("inbox-agents-ready", &[("agents", names.into())]));
    }
    if !agents_rest.is_empty() {
        let install = inbox.text("inbox-empty-install", &[]);
        let names = agents_rest.join(", ");
        steps.push(format!("{install} askback install ({names})"));
    }
    if agents_ready.is_empty() {
        let flags = server_flags.as_str();
        steps.push(inbox.text("inbox-how", &[("flags", flags.into())]));
    }
    steps
}

/// Whether the text and all choices of the focused question are visible.
pub(super) fn shows_whole_question(inbox: &Inbox) -> bool {
    let Some(item) = inbox
        .list
        .focused()
        .filter(|_| !inbox.window.is_below(FRAME_MIN))
    else {
        return false;
    };
    let room = inbox.size.rows.saturating_sub(HEAD + foot(inbox).len());
    let rows = if is_wide(inbox) {
        detail_beside(inbox, item)
    } else {
        question_detail::below(inbox, item, room)
    };
    let blank = rows.iter().rev().take_while(|row| row.is_blank()).count();
    rows.len() - blank <= room
}

/// Whether the question is beside the list.
fn is_wide(inbox: &Inbox) -> bool {
    inbox.size.columns >= BESIDE
}

fn list_columns(inbox: &Inbox) -> usize {
    if is_wide(inbox) {
        columns(inbox) * 5 / 9
    } else {
        columns(inbox)
    }
}

/// The question beside the list.
fn detail_beside(inbox: &Inbox, item: &Item) -> Vec<Row> {
    question_detail::beside(inbox, item, columns(inbox) - list_columns(inbox) - 3)
}

/// Places these rows at the right of the list, after a rule.
fn place_beside(inbox: &Inbox, listed: &mut [Row], detail: Vec<Row>) {
    let mut detail = detail.into_iter();
    for row in listed {
        let rule = format!(" {} ", inbox.config.glyphs.rail);
        let mut ruled = Row::new().with(rule, Style::Border);
        ruled.append(&detail.next().unwrap_or_default());
        row.place(list_columns(inbox), &ruled);
    }
}

/// The question at this row of the list.
pub(super) fn question_at(inbox: &Inbox, row: usize) -> Option<InquiryId> {
    inbox.list.focused()?;
    let room = inbox.size.rows.saturating_sub(HEAD + foot(inbox).len());
    let (rows, _) = blocks(inbox, room.max(1));
    let (index, _) = rows.get(row.checked_sub(HEAD)?)?;
    let item = inbox.list.shown().nth(*index)?;
    Some(item.id().clone())
}

/// The rows of the list that fit, each with the index of its question; and the first row of the
/// focused question, which is shown whole. Every other question has one row.
fn blocks(inbox: &Inbox, room: usize) -> (Vec<(usize, Row)>, usize) {
    let width = list_columns(inbox);
    let items: Vec<&Item> = inbox.list.shown().collect();
    let at = items
        .iter()
        .position(|item| Some(item.id()) == inbox.list.focus.as_ref())
        .unwrap_or(0);
    let block = if is_wide(inbox) {
        vec![item_rows::label(inbox, items[at], width).row]
    } else {
        question_detail::below(inbox, items[at], room)
    };
    // The next question stays in view, too.
    let next = (items.len() - 1 - at).min(1);
    let before = at.min(room.saturating_sub(block.len() + next));
    let row = |index: usize| (index, item_rows::label(inbox, items[index], width).row);
    let mut rows: Vec<(usize, Row)> = (at - before..at).map(row).collect();
    rows.extend(block.into_iter().map(|row| (at, row)));
    let after = room.saturating_sub(rows.len());
    rows.extend((at + 1..items.len()).take(after).map(row));
    rows.truncate(room);
    (rows, before)
}

/// The last event or the confirmation, and the hints.
fn foot(inbox: &Inbox) -> Vec<Row> {
    let hint = |id, mode, action| inbox.config.hint(id, mode, action);
    match &inbox.overlay {
        Some(Overlay::Confirm(act, ids)) => {
            let text = whether(inbox, *act, ids.len());
            let hints = [
                hint("inbox-hint-yes", Mode::Confirm, Action::Yes),
                hint("inbox-hint-no", Mode::Confirm, Action::Back),
            ];
            return asked(inbox, ids, &text, hints.into_iter().flatten().collect());
        }
        Some(Overlay::Snooze(menu)) => {
            let text = menu.text(inbox);
            let back = hint("hint-back", Mode::Inbox, Action::Back);
            return asked(inbox, &menu.ids, &text, back.into_iter().collect());
        }
        Some(Overlay::Prompt(_) | Overlay::Ended(_) | Overlay::Help) | None => {}
    }
    // A notice does not hide that the last reply can be undone.
    let held = inbox.held_line(columns(inbox));
    let words = inbox.notice.iter().cloned().chain(held);
    let mut rows: Vec<Row> = words
        .map(|words| Row::new().with(one_line(&words), Style::Plain))
        .collect();
    if rows.is_empty() {
        rows.push(Row::new());
    }
    let hints = hint_line::fitting(key_help::hints(inbox), columns(inbox), &inbox.config.glyphs);
    rows.push(Row::new().with(hints, Style::Muted));
    let clip = |row: &Row| clipped(inbox, row, columns(inbox));
    rows.iter().map(clip).collect()
}

fn whether(inbox: &Inbox, act: BulkAction, count: usize) -> String {
    let id = match (act, inbox.list.marked.is_empty()) {
        (BulkAction::Reject, true) => "sure-stop",
        (BulkAction::Reject, false) => "inbox-stop-marked",
        (BulkAction::Decline, true) => "sure-decline",
        (BulkAction::Decline, false) => "inbox-decline-marked",
    };
    one_line(&inbox.text(id, &[("count", count.into())]))
}

/// What is asked in place of the hints, and the names of the questions that it is about.
fn asked(inbox: &Inbox, ids: &[InquiryId], text: &str, hints: Vec<String>) -> Vec<Row> {
    let hints = hints.into_iter().map(key_help::kept).collect();
    let hints = hint_line::fitting(hints, columns(inbox), &inbox.config.glyphs);
    if inbox.window.is_below(FRAME_MIN) {
        let columns = columns(inbox).min(inbox.window.columns.saturating_sub(1));
        return wrapped_rows(&format!("{text} {hints}"), columns, Style::Warning);
    }
    let mut rows = if let Some(notice) = &inbox.notice {
        vec![Row::new().with(notice.clone(), Style::Warning)]
    } else {
        let items = inbox.list.items().iter();
        let marked = items.filter(|item| ids.contains(item.id()));
        let names: Vec<String> = marked.map(|item| lines::name(&item.inquiry)).collect();
        let room = inbox.size.rows.saturating_sub(HEAD + 4).max(1);
        fitting_names(inbox, &names, room)
    };
    rows.extend(wrapped_rows(text, columns(inbox), Style::Warning));
    let hints = Row::new().with(hints, Style::Muted);
    rows.push(clipped(inbox, &hints, columns(inbox)));
    rows
}

/// As many names as fit, and the number of the others.
fn fitting_names(inbox: &Inbox, names: &[String], room: usize) -> Vec<Row> {
    // An upper bound: no name takes less than three columns with its comma.
    let most = names.len().min(room * columns(inbox) / 3);
    for count in (0..=most).rev() {
        let hidden = names.len() - count;
        let more = if hidden > 0 {
            format!(" … +{hidden}")
        } else {
            String::new()
        };
        let text = names[..count].join(", ") + &more;
        let rows = wrapped_rows(&text, columns(inbox), Style::Label);
        if rows.len() <= room || count == 0 {
            return rows;
        }
    }
    Vec::new()
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
