//! Handing the question on: the people and groups, and a field for the reason.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a list takes a few of the many actions"
)]

use askback_core::limits::HAND_ON_REASON_CHARS_MAX;
use askback_core::text::{Lines, clean};
use askback_wire::recipient::RecipientResponse;

use super::layout::Block;
use super::{Prompt, PromptRequest, Reaction};
use crate::keymap::Action;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrapped_rows};
use askback_terminal::width::text_width;

/// Where handing on began, and where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandOnOrigin {
    Question,
    /// The list of the inbox; the question itself was not opened.
    List,
}

/// The people, the focused one, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HandOn {
    origin: HandOnOrigin,
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

impl HandOn {
    pub(super) fn new(origin: HandOnOrigin) -> HandOn {
        HandOn {
            origin,
            people: People::default(),
            focus: 0,
            reason: String::new(),
        }
    }

    pub(super) fn origin(&self) -> HandOnOrigin {
        self.origin
    }

    pub(super) fn list(&mut self, people: Vec<RecipientResponse>) {
        self.people = People::Listed(people);
    }

    /// Shows why nobody can be chosen.
    pub(super) fn fail(&mut self, reason: String) {
        self.people = People::Failed(reason);
    }

    pub(super) fn handle(&mut self, action: Action) -> Reaction {
        let last = match &self.people {
            People::Listed(people) => people.len().saturating_sub(1),
            People::Requested | People::Sending | People::Failed(_) => 0,
        };
        match action {
            Action::Up => self.focus = self.focus.saturating_sub(1),
            Action::Down => self.focus = (self.focus + 1).min(last),
            Action::Backspace | Action::Delete => {
                self.reason.pop();
            }
            Action::DeleteWord => {
                let kept = self.reason.trim_end();
                let at = kept.rfind(' ').map_or(0, |at| at + 1);
                self.reason.truncate(at);
            }
            Action::Confirm => return self.send(),
            _ => return Reaction::Nothing,
        }
        Reaction::Redraw
    }

    fn send(&mut self) -> Reaction {
        let People::Listed(people) = &self.people else {
            return Reaction::Nothing;
        };
        let Some(person) = people.get(self.focus) else {
            return Reaction::Nothing;
        };
        let reason = self.reason.trim();
        let request = PromptRequest::HandOn {
            recipient: person.alias.clone(),
            reason: (!reason.is_empty()).then(|| reason.to_owned()),
        };
        self.people = People::Sending;
        Reaction::Request(request)
    }

    /// Types into the reason, as long as it has room.
    pub(super) fn type_reason(&mut self, text: &str) -> Reaction {
        let left = HAND_ON_REASON_CHARS_MAX.saturating_sub(self.reason.chars().count());
        let text = clean(text, Lines::One);
        self.reason.extend(text.chars().take(left));
        Reaction::Redraw
    }

    pub(super) fn focus(&self) -> usize {
        self.focus
    }

    /// A row for each person and group, and the field for the reason.
    pub(super) fn blocks(&self, prompt: &Prompt, inner: usize) -> Vec<Block> {
        let words = |text: &str, style: Style| {
            let cursor = Some(Cursor { row: 0, column: 0 });
            let rows = wrapped_rows(text, inner, style);
            vec![Block { rows, cursor }]
        };
        let people = match &self.people {
            People::Requested | People::Sending => {
                return words(prompt.options.glyphs.more, Style::Muted);
            }
            People::Failed(reason) => {
                let reason = format!("{} {reason}", prompt.options.glyphs.failed);
                return words(&reason, Style::Error);
            }
            People::Listed(people) => people.iter().enumerate(),
        };
        let rows = people.map(|(at, person)| person_block(prompt, person, at == self.focus, inner));
        let mut blocks: Vec<Block> = rows.collect();
        let label = format!("{}: ", prompt.text("web-hand-on-reason", &[]));
        let mut row = Row::new().with(label.as_str(), Style::Muted);
        // The end of a long reason is what is being typed.
        let room = inner.saturating_sub(text_width(&label) + 1);
        let mut shown = self.reason.as_str();
        while text_width(shown) > room {
            let next = shown.char_indices().nth(1);
            shown = &shown[next.map_or(shown.len(), |(at, _)| at)..];
        }
        row.push(shown, Style::Plain);
        blocks.push(Block {
            rows: vec![Row::new(), row],
            cursor: None,
        });
        blocks
    }
}

fn person_block(
    prompt: &Prompt,
    person: &RecipientResponse,
    is_focused: bool,
    inner: usize,
) -> Block {
    let (mark, style) = prompt.options.glyphs.focus_mark(is_focused);
    let name = [("person", person.name.as_str().into())];
    let label = prompt.text("hand-on-to", &name);
    let mut rows = vec![
        Row::new()
            .with(mark, Style::Mark)
            .with(format!(" {label}"), style),
    ];
    if is_focused && !person.reachable {
        let unreachable = prompt.text("hand-on-unreachable", &name);
        rows.extend(LinePrefix::spaces(2).wrap(unreachable, inner, Style::Warning));
    }
    Block {
        rows,
        cursor: is_focused.then_some(Cursor { row: 0, column: 2 }),
    }
}

#[cfg(test)]
#[path = "hand_on_tests.rs"]
mod tests;
