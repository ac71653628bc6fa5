//! The leave menu and its confirmation.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a menu takes a few of the many actions"
)]

use super::layout::Block;
use super::{Prompt, PromptOptions, Reaction};
use crate::keymap::Action;
use crate::leave_menu::LeaveChoice;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::styled_wrap::wrapped_rows;
use askback_terminal::width::text_width;

/// The menu, with the focused row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LeaveMenu {
    choices: &'static [LeaveChoice],
    pub(super) focus: usize,
    /// Whether the user is asked if the focused choice is meant.
    pub(super) asks_whether: bool,
}

impl LeaveMenu {
    pub(super) fn new(options: &PromptOptions) -> LeaveMenu {
        LeaveMenu {
            choices: LeaveChoice::all(options.persistence, options.asker_kind),
            focus: 0,
            asks_whether: false,
        }
    }

    /// Whether a key chooses one of the rows.
    pub(super) fn offers(&self, action: Action) -> bool {
        self.row_of(action).is_some()
    }

    fn row_of(&self, action: Action) -> Option<usize> {
        let mut choices = self.choices.iter();
        choices.position(|choice| choice.action() == Some(action))
    }

    pub(super) fn handle(&mut self, action: Action) -> Reaction {
        if self.asks_whether {
            return self.confirm(action);
        }
        let last = self.choices.len() - 1;
        self.focus = match action {
            Action::Up => self.focus.saturating_sub(1),
            Action::Down => (self.focus + 1).min(last),
            Action::First => 0,
            Action::Last => last,
            Action::Confirm => return self.choose(self.focus),
            // The keys of the inbox.
            Action::Decline | Action::Reject => {
                let row = self.row_of(action);
                return row.map_or(Reaction::Nothing, |row| self.choose(row));
            }
            _ => return Reaction::Nothing,
        };
        Reaction::Redraw
    }

    fn choose(&mut self, row: usize) -> Reaction {
        self.focus = row;
        let choice = self.choices[row];
        if choice.confirmation().is_none() {
            return Reaction::End(choice.end());
        }
        self.asks_whether = true;
        Reaction::Redraw
    }

    /// Only yes ends the question.
    fn confirm(&mut self, action: Action) -> Reaction {
        match action {
            Action::Yes => Reaction::End(self.choices[self.focus].end()),
            Action::Back | Action::Detach => {
                self.asks_whether = false;
                Reaction::Redraw
            }
            _ => Reaction::Nothing,
        }
    }

    pub(super) fn blocks(&self, prompt: &Prompt, inner: usize) -> Vec<Block> {
        if self.asks_whether {
            let confirmation = self.choices[self.focus].confirmation();
            let words = prompt.text(confirmation.unwrap_or_default(), &[]);
            return vec![Block {
                rows: wrapped_rows(&words, inner, Style::Warning),
                cursor: Some(Cursor { row: 0, column: 0 }),
            }];
        }
        let labels = self.choices.iter();
        let labels = labels.map(|choice| prompt.text(choice.label(), &[]));
        let labels: Vec<String> = labels.collect();
        let wide = labels.iter().map(|label| text_width(label)).max();
        let wide = wide.unwrap_or(0);
        let mut blocks = Vec::new();
        for (at, (choice, label)) in self.choices.iter().zip(&labels).enumerate() {
            let focused = at == self.focus;
            let (mark, style) = prompt.options.glyphs.focus_mark(focused);
            let mut row = Row::new()
                .with(mark, Style::Mark)
                .with(format!(" {label}"), style);
            let effect = prompt.text(choice.effect(), &[]);
            let pad = wide - text_width(label) + 2;
            if row.width() + pad + text_width(&effect) <= inner {
                row.push(format!("{}{effect}", " ".repeat(pad)), Style::Muted);
            }
            blocks.push(Block {
                rows: vec![row],
                cursor: focused.then_some(Cursor { row: 0, column: 2 }),
            });
        }
        blocks
    }
}
