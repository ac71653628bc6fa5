//! Handing the question on: the people and groups, and a field for the reason.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::limits::HAND_ON_REASON_CHARS_MAX;
use askback_core::text::{Lines, clean};
use askback_wire::recipient::RecipientResponse;

use super::layout::Block;
use super::{Overlay, Persistence, Prompt, PromptRequest, Reaction};
use crate::keymap::Action;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrapped;

/// What the overlay shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HandOnState {
    people: People,
    focus: usize,
    reason: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum People {
    #[default]
    Requested,
    Listed(Vec<RecipientResponse>),
    /// The chosen one is being sent.
    Sending,
    Failed(String),
}

impl Prompt {
    /// The question was handed on to somebody else.
    pub fn set_recipient(&mut self, recipient: Option<&str>) {
        self.options.recipient = recipient.map(str::to_owned);
    }

    /// Opens the list of people, and asks for it.
    pub fn open_hand_on(&mut self) -> Reaction {
        if self.options.persistence == Persistence::None {
            self.notice = Some("notice-no-share");
            return Reaction::Redraw;
        }
        self.hand_on = HandOnState::default();
        self.set_overlay(Overlay::HandOn);
        Reaction::Request(PromptRequest::ListRecipients)
    }

    pub(super) fn set_recipients(&mut self, listed: Result<Vec<RecipientResponse>, String>) {
        let others = listed.map(|mut people| {
            people.retain(|it| Some(&it.name) != self.options.recipient.as_ref());
            people
        });
        self.hand_on.people = match others {
            Ok(others) if others.is_empty() => People::Failed(self.text("hand-on-nobody", &[])),
            Ok(others) => People::Listed(others),
            Err(words) => People::Failed(words),
        };
    }

    pub(super) fn set_handed_on(&mut self, sent: Result<String, String>) {
        match sent {
            Ok(name) => {
                self.options.recipient = Some(name);
                self.notice = Some("notice-handed-on");
                if self.overlay == Some(Overlay::HandOn) {
                    self.close_overlay();
                }
            }
            Err(words) => self.hand_on.people = People::Failed(words),
        }
    }

    pub(super) fn handle_hand_on_key(&mut self, action: Action) -> Reaction {
        let last = match &self.hand_on.people {
            People::Listed(people) => people.len().saturating_sub(1),
            People::Requested | People::Sending | People::Failed(_) => 0,
        };
        let focus = &mut self.hand_on.focus;
        match action {
            Action::Up => *focus = focus.saturating_sub(1),
            Action::Down => *focus = (*focus + 1).min(last),
            Action::Backspace | Action::Delete => {
                self.hand_on.reason.pop();
            }
            Action::DeleteWord => {
                let kept = self.hand_on.reason.trim_end();
                let at = kept.rfind(' ').map_or(0, |at| at + 1);
                self.hand_on.reason.truncate(at);
            }
            Action::Confirm => return self.send_hand_on(),
            _ => return Reaction::Nothing,
        }
        Reaction::Redraw
    }

    fn send_hand_on(&mut self) -> Reaction {
        let People::Listed(people) = &self.hand_on.people else {
            return Reaction::Nothing;
        };
        let Some(person) = people.get(self.hand_on.focus) else {
            return Reaction::Nothing;
        };
        let reason = self.hand_on.reason.trim();
        let request = PromptRequest::HandOn {
            recipient: person.alias.clone(),
            reason: (!reason.is_empty()).then(|| reason.to_owned()),
        };
        self.hand_on.people = People::Sending;
        Reaction::Request(request)
    }

    /// Types into the reason, as long as it has room.
    pub(super) fn type_reason(&mut self, text: &str) -> Reaction {
        let left = HAND_ON_REASON_CHARS_MAX.saturating_sub(self.hand_on.reason.chars().count());
        let text = clean(text, Lines::One);
        self.hand_on.reason.extend(text.chars().take(left));
        Reaction::Redraw
    }

    pub(super) fn hand_on_focus(&self) -> usize {
        self.hand_on.focus
    }
}

/// A row for each person and group, and the field for the reason.
pub(super) fn blocks(prompt: &Prompt, inner: usize) -> Vec<Block> {
    let state = &prompt.hand_on;
    let words = |text: &str, style: Style| {
        let rows = wrapped(text, inner).into_iter();
        let rows = rows.map(|line| Row::new().with(line, style)).collect();
        let cursor = Some(Cursor { row: 0, column: 0 });
        vec![Block { rows, cursor }]
    };
    let people = match &state.people {
        People::Requested | People::Sending => {
            return words(prompt.options.glyphs.more, Style::Muted);
        }
        People::Failed(reason) => {
            let reason = format!("{} {reason}", prompt.options.glyphs.failed);
            return words(&reason, Style::Error);
        }
        People::Listed(people) => people,
    };
    let mut blocks: Vec<Block> = people
        .iter()
        .enumerate()
        .map(|(at, person)| person_block(prompt, (at, person), inner))
        .collect();
    let label = format!("{}: ", prompt.text("web-hand-on-reason", &[]));
    let mut row = Row::new().with(label.as_str(), Style::Muted);
    // The end of a long reason is what is being typed.
    let room = inner.saturating_sub(text_width(&label) + 1);
    let mut shown = state.reason.as_str();
    while text_width(shown) > room {
        let next = shown
            .char_indices()
            .nth(1)
            .map_or(shown.len(), |(at, _)| at);
        shown = &shown[next..];
    }
    row.push(shown, Style::Plain);
    blocks.push(Block {
        rows: vec![Row::new(), row],
        cursor: None,
    });
    blocks
}

fn person_block(prompt: &Prompt, (at, person): (usize, &RecipientResponse), inner: usize) -> Block {
    let glyphs = &prompt.options.glyphs;
    let is_focused = at == prompt.hand_on.focus;
    let (mark, style) = if is_focused {
        (glyphs.focus, Style::Focused)
    } else {
        (" ", Style::Label)
    };
    let name = [("person", person.name.as_str().into())];
    let label = prompt.text("hand-on-to", &name);
    let mut rows = vec![
        Row::new()
            .with(mark, Style::Mark)
            .with(format!(" {label}"), style),
    ];
    if is_focused && !person.reachable {
        let unreachable = prompt.text("hand-on-unreachable", &name);
        let lines = wrapped(&unreachable, inner.saturating_sub(2)).into_iter();
        rows.extend(lines.map(|line| Row::new().with(format!("  {line}"), Style::Warning)));
    }
    Block {
        rows,
        cursor: is_focused.then_some(Cursor { row: 0, column: 2 }),
    }
}

#[cfg(test)]
#[path = "hand_on_tests.rs"]
mod tests;
