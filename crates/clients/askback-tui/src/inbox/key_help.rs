//! The key names in the hints and the help of the inbox.

use super::keys::takes_digit;
use super::{Inbox, view};
use crate::hint_line::Hint;
use crate::keymap::{Action, Mode};
use crate::yes_no::YesNoChoices;
use askback_terminal::row::{Frame, Row, Style};
use askback_terminal::width::text_width;

/// How to leave and how to get help is left out last.
const KEPT: u8 = 1;
const IF_IT_FITS: u8 = 0;

pub(super) fn kept(words: String) -> Hint {
    Hint { words, rank: KEPT }
}

fn if_it_fits(words: String) -> Hint {
    Hint {
        words,
        rank: IF_IT_FITS,
    }
}

pub(super) fn hints(inbox: &Inbox) -> Vec<Hint> {
    let text = |id: &str, action: Action| inbox.config.hint(id, Mode::Inbox, action);
    let key = |id: &str, action: Action| text(id, action).map(if_it_fits);
    let kept = |id: &str, action: Action| text(id, action).map(self::kept);
    if inbox.list.focused().is_none() {
        return kept("inbox-hint-quit", Action::Leave).into_iter().collect();
    }
    let moves = [Action::Up, Action::Down];
    let moves = inbox
        .config
        .keymap
        .pair(Mode::Inbox, moves, &inbox.config.glyphs);
    let moves = moves.map(|keys| inbox.text("inbox-hint-move", &[("keys", keys.into())]));
    let moves = moves.map(if_it_fits);
    if inbox.list.is_focus_ended() {
        let hints = [
            kept("inbox-hint-go-on", Action::Confirm),
            moves,
            kept("inbox-hint-quit", Action::Leave),
        ];
        return hints.into_iter().flatten().collect();
    }
    let answers = answering_keys(inbox);
    let answers = answers.map(|keys| inbox.text("inbox-hint-answer", &[("keys", keys.into())]));
    let hints = [
        answers.map(if_it_fits),
        key("inbox-hint-open", Action::Confirm),
        moves,
        kept("inbox-hint-quit", Action::Leave),
        kept("hint-keys", Action::Help),
        key("inbox-hint-skip", Action::Skip).filter(|_| can_skip(inbox)),
        key("inbox-hint-snooze", Action::Snooze),
        key("inbox-hint-decline", Action::Decline),
        key("inbox-hint-reject", Action::Reject),
        key("inbox-hint-mark", Action::Mark),
        key("inbox-hint-undo", Action::Undo),
    ];
    hints.into_iter().flatten().collect()
}

fn answering_keys(inbox: &Inbox) -> Option<String> {
    let glyphs = &inbox.config.glyphs;
    let digits = inbox
        .config
        .keymap
        .name(Mode::Inbox, Action::Digit, glyphs)?;
    let asked = inbox.list.focused()?.inquiry.to_inquiry().ok()?;
    if !takes_digit(&asked) {
        return None;
    }
    let yes_no = YesNoChoices::of(&asked.questions()[0], inbox.config.locale);
    Some(yes_no.map_or(digits.clone(), |_| format!("y n {digits}")))
}

pub(super) fn frame(inbox: &Inbox) -> Frame {
    let mut rows = vec![view::head(inbox), Row::new()];
    let config = &inbox.config;
    let bound = config
        .keymap
        .rows(Mode::Inbox, config.locale, &config.glyphs);
    let widths = bound.iter().map(|row| text_width(&row.keys));
    let wide = widths.max().unwrap_or(0).min(view::columns(inbox) / 2);
    for bound in bound {
        let gap = wide.saturating_sub(text_width(&bound.keys)) + 2;
        let row = Row::new()
            .with("  ", Style::Plain)
            .with(bound.keys, Style::Mark)
            .with(" ".repeat(gap), Style::Plain)
            .with(bound.words, Style::Label);
        rows.push(view::clipped(inbox, &row, view::columns(inbox)));
    }
    let close = inbox.key_text("hint-close", Action::Back);
    rows.extend([Row::new(), Row::new().with(close, Style::Muted)]);
    Frame::screen(rows)
}

/// Whether the focused question can be skipped from the list.
fn can_skip(inbox: &Inbox) -> bool {
    let item = inbox.list.focused();
    let questions = item.map(|item| item.inquiry.questions.as_slice());
    matches!(questions, Some([only]) if only.optional)
}
