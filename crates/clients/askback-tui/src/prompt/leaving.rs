//! The leave menu and its confirmation.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use super::layout::Block;
use super::{Overlay, Prompt, Reaction};
use crate::keymap::Action;
use crate::leave_menu::LeaveChoice;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrapped;

impl Prompt {
    pub(super) fn leave_choices(&self) -> &'static [LeaveChoice] {
        LeaveChoice::all(self.options.persistence, self.options.asker_kind)
    }

    pub(super) fn leave(&mut self, action: Action) -> Reaction {
        let Some(Overlay::Leave(focus)) = self.overlay else {
            return Reaction::Nothing;
        };
        let choices = self.leave_choices();
        let last = choices.len() - 1;
        let focus = match action {
            Action::Up => focus.saturating_sub(1),
            Action::Down => (focus + 1).min(last),
            Action::First => 0,
            Action::Last => last,
            Action::Confirm => return self.choose_leaving(choices[focus.min(last)]),
            // The keys of the inbox.
            Action::Decline | Action::Reject => {
                let ends = |choice: &&LeaveChoice| choice.action() == Some(action);
                return match choices.iter().find(ends) {
                    Some(choice) => self.choose_leaving(*choice),
                    None => Reaction::Nothing,
                };
            }
            _ => return Reaction::Nothing,
        };
        self.overlay = Some(Overlay::Leave(focus));
        Reaction::Redraw
    }

    fn choose_leaving(&mut self, choice: LeaveChoice) -> Reaction {
        match choice.confirmation() {
            Some(_) => self.set_overlay(Overlay::Confirm(choice)),
            None => Reaction::End(choice.end()),
        }
    }

    /// Only yes ends the question.
    pub(super) fn confirm_leaving(&mut self, action: Action) -> Reaction {
        let Some(Overlay::Confirm(choice)) = self.overlay else {
            return Reaction::Nothing;
        };
        match action {
            Action::Yes => Reaction::End(choice.end()),
            Action::Back | Action::Detach => {
                let choices = self.leave_choices();
                let at = choices.iter().position(|other| *other == choice);
                self.set_overlay(Overlay::Leave(at.unwrap_or(0)))
            }
            _ => Reaction::Nothing,
        }
    }
}

pub(super) fn menu(prompt: &Prompt, focus: usize, inner: usize) -> Vec<Block> {
    let choices = prompt.leave_choices();
    let labels = choices
        .iter()
        .map(|choice| prompt.text(choice.label(), &[]));
    let labels: Vec<String> = labels.collect();
    let wide = labels.iter().map(|label| text_width(label)).max();
    let wide = wide.unwrap_or(0);
    let mut blocks = Vec::new();
    for (at, (choice, label)) in choices.iter().zip(&labels).enumerate() {
        let focused = at == focus;
        let style = if focused {
            Style::Focused
        } else {
            Style::Label
        };
        let mark = if focused {
            prompt.options.glyphs.focus
        } else {
            " "
        };
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

pub(super) fn confirmation(prompt: &Prompt, choice: LeaveChoice, inner: usize) -> Vec<Block> {
    let words = prompt.text(choice.confirmation().unwrap_or_default(), &[]);
    let lines = wrapped(&words, inner).into_iter();
    let rows = lines.map(|line| Row::new().with(line, Style::Warning));
    vec![Block {
        rows: rows.collect(),
        cursor: Some(Cursor { row: 0, column: 0 }),
    }]
}
