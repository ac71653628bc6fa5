//! The action of a key on the visible question, and whether it can do anything there.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most actions can always do something"
)]

use super::filter::Filter;
use super::leaving::LeaveMenu;
use super::{Persistence, Prompt, PromptOptions};
use crate::keymap::{Action, Mode};
use crate::leave_menu::confirmation_action;
use askback_terminal::key::{Key, KeyCode};

/// The letters for yes and no work with shift, too.
pub(super) fn of_key(prompt: &Prompt, mode: Mode, key: Key) -> Option<Action> {
    if mode == Mode::Confirm {
        let PromptOptions { keymap, locale, .. } = &prompt.options;
        return confirmation_action(keymap, *locale, key);
    }
    let bound = prompt.keymap().action(mode, key);
    // On the row for an own answer, letters are text unless they move the focus or answer.
    let stays = |action: Action| action.is_harmless() || matches!(action, Action::Yes | Action::No);
    if matches!(mode, Mode::List | Mode::Several)
        && prompt.draft.is_on_own_row()
        && !bound.is_some_and(stays)
        && key.typed().is_some_and(char::is_alphabetic)
    {
        return None;
    }
    bound.or_else(|| {
        let KeyCode::Char(letter) = key.code else {
            return None;
        };
        let small = letter.to_lowercase().next()?;
        let small = Key::with(KeyCode::Char(small), key.mods);
        let action = prompt.keymap().action(mode, small);
        action.filter(|action| matches!(action, Action::Yes | Action::No))
    })
}

/// Whether an action can do anything with the visible question.
pub(super) fn applies(prompt: &Prompt, action: Action) -> bool {
    let question = prompt.draft.question();
    let durable = prompt.options.persistence == Persistence::Durable;
    match action {
        Action::Skip => question.skippable,
        Action::Own => prompt.draft.allows_own_text(),
        Action::Filter => Filter::fits(question),
        Action::Next | Action::Previous | Action::Review => prompt.draft.has_several_questions(),
        Action::Preview | Action::PreviewUp | Action::PreviewDown => {
            let mut choices = question.choices().iter();
            choices.any(|choice| choice.preview.is_some())
        }
        Action::Copy => durable && prompt.options.link.is_some(),
        Action::Share | Action::HandOn => durable,
        Action::Decline | Action::Reject => LeaveMenu::new(&prompt.options).offers(action),
        _ => true,
    }
}
