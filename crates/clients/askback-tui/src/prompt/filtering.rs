//! The filter of a long list: the keys that type it, and the rows that match.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::draft::{Edit, FocusMove, is_own_row, row_count};
use askback_core::question::Kind;

use super::{Filter, Prompt, Reaction};
use crate::keymap::Action;
use askback_core::limits::ASK_USER_CHOICES_MAX;

impl Prompt {
    /// More choices than an agent may give come from a script and are searched: what is typed filters them at once.
    pub(super) fn start_filter(&mut self) {
        self.filter.typing = self.question().choices().len() > ASK_USER_CHOICES_MAX;
    }

    pub(super) fn handle_filter_key(&mut self, action: Action) -> Reaction {
        match action {
            Action::Confirm => return self.confirm_filtered(),
            Action::Up => return self.step(-1),
            Action::Down => return self.step(1),
            Action::Backspace | Action::Delete => {
                self.filter.text.pop();
                self.move_focus_into_filtered();
            }
            Action::DeleteWord => {
                self.filter.text.clear();
                self.move_focus_into_filtered();
            }
            _ => {}
        }
        Reaction::Redraw
    }

    /// Enter chooses the focused row. If several can be chosen, it is ticked and the whole list is
    /// shown again.
    fn confirm_filtered(&mut self) -> Reaction {
        if !self.listed().contains(&self.entry().focus) {
            return Reaction::Nothing;
        }
        self.filter = Filter::default();
        let several = matches!(&self.question().kind, Kind::Choice(kind) if kind.several);
        if several {
            let reaction = self.edit(&Edit::Mark { row: None });
            self.guard.close();
            reaction
        } else {
            self.edit(&Edit::Confirm)
        }
    }

    pub(super) fn move_focus_into_filtered(&mut self) {
        let listed = self.listed();
        if !listed.contains(&self.entry().focus)
            && let Some(first) = listed.first()
        {
            self.apply(&Edit::Move {
                to: FocusMove::Row(*first),
            });
        }
    }

    pub(super) fn is_filtered(&self) -> bool {
        self.filter.typing || !self.filter.text.is_empty()
    }

    /// The rows that match the filter; all without one.
    pub(super) fn listed(&self) -> Vec<usize> {
        let question = self.question();
        let wanted = self.filter.text.trim().to_lowercase();
        let fits = |row: &usize| match question.choices().get(*row) {
            Some(choice) => {
                let described = choice.description.as_ref().map(ToString::to_string);
                wanted.is_empty()
                    || choice.label.as_str().to_lowercase().contains(&wanted)
                    || (wanted.chars().count() > 2
                        && described.is_some_and(|text| text.to_lowercase().contains(&wanted)))
            }
            None => is_own_row(question, *row),
        };
        (0..row_count(question)).filter(fits).collect()
    }
}
