//! What is shown if the open question was answered elsewhere.

use askback_core::id::InquiryId;

use super::{Inbox, view};
use crate::keymap::{Action, Mode};
use askback_terminal::row::{Frame, Row, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrap_spans};

/// How the open question ended, and what was typed for it.
pub(super) fn frame(inbox: &Inbox, id: &InquiryId) -> Frame {
    let mut rows = vec![view::head(inbox), Row::new()];
    let item = inbox.list.get(id);
    let plain = |line: &String| Row::new().with(line.clone(), Style::Plain);
    let told = item.into_iter().flat_map(|item| {
        let ended = item.ended.iter().map(plain);
        ended.chain(item.unsent.iter().cloned())
    });
    for line in told {
        let lead = LinePrefix::spaces(2);
        rows.extend(wrap_spans(line.spans(), view::columns(inbox), &lead));
    }
    rows.push(Row::new());
    let notice = inbox.notice.clone().unwrap_or_default();
    rows.push(Row::new().with(notice, Style::Warning));
    let hint = inbox
        .config
        .hint("inbox-hint-go-on", Mode::Inbox, Action::Confirm);
    rows.push(Row::new().with(hint.unwrap_or_default(), Style::Muted));
    Frame::screen(rows)
}
