//! Carries out the actions of keys.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::draft::{DraftField, DraftPage, Edit, FocusMove, Nudge, is_own_row, row_count};
use askback_core::question::Kind;

use super::layout::Scroll;
use super::shortcuts::{FocusOrigin, digit};
use super::{
    DateInput, End, EscAtTop, Overlay, Persistence, Prompt, PromptOptions, Reaction, layout, reader,
};
use crate::keymap::{Action, Mode};
use crate::leave_menu::confirmation_action;
use askback_terminal::key::{Key, KeyCode};

/// How many edits can be undone.
const HISTORY_MAX: usize = 100;
/// A list with fewer rows has no filter.
const FILTER_ROWS_MIN: usize = 5;

impl Prompt {
    pub(super) fn key(&mut self, key: Key) -> Reaction {
        let repeats = self.guard.is_repeat(key, self.now);
        let taken = self.guard.key(Some(key), self.now);
        self.options.deadline = None;
        self.notice = None;
        if let Some(reaction) = self.typed_word(key, taken) {
            return reaction;
        }
        let mode = self.mode();
        let action = self.action(mode, key);
        if action != Some(Action::Detach) {
            self.cleared = None;
        }
        let text = mode.is_typing() && action.is_none() && self.was_open;
        if !taken && !text && !action.is_some_and(Action::is_harmless) {
            self.notice = Some("notice-too-soon");
            return Reaction::Redraw;
        }
        // Held down, ctrl+c only clears the field.
        if repeats && action == Some(Action::Detach) {
            return Reaction::Nothing;
        }
        self.was_open |= taken;
        let typed = matches!(mode, Mode::Text | Mode::Number | Mode::Date) && action.is_none();
        self.in_a_run &= typed;
        match (action, key.typed()) {
            (Some(action), _) => self.act(action, mode, key),
            (None, Some(ch)) => self.type_text(ch.encode_utf8(&mut [0; 4])),
            (None, None) => Reaction::Nothing,
        }
    }

    /// The action of a key. The letters for yes and no work with shift, too.
    pub(super) fn action(&self, mode: Mode, key: Key) -> Option<Action> {
        if mode == Mode::Confirm {
            let PromptOptions { keymap, locale, .. } = &self.options;
            return confirmation_action(keymap, *locale, key);
        }
        let bound = self.keymap().action(mode, key);
        // On the row for an own answer, letters are text unless they move the focus or answer.
        let stays =
            |action: Action| action.is_harmless() || matches!(action, Action::Yes | Action::No);
        if matches!(mode, Mode::List | Mode::Several)
            && self.on_own_row()
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
            let action = self.keymap().action(mode, small);
            action.filter(|action| matches!(action, Action::Yes | Action::No))
        })
    }

    /// Whether an action can do anything with the visible question.
    pub(super) fn applies(&self, action: Action) -> bool {
        let question = self.question();
        let durable = self.options.persistence == Persistence::Durable;
        match action {
            Action::Skip => question.skippable,
            Action::Own => matches!(&question.kind, Kind::Choice(kind) if kind.own_text),
            Action::Filter => row_count(question) >= FILTER_ROWS_MIN,
            Action::Next | Action::Previous | Action::Review => self.inquiry.questions().len() > 1,
            Action::Preview | Action::PreviewUp | Action::PreviewDown => {
                let mut choices = question.choices().iter();
                choices.any(|choice| choice.preview.is_some())
            }
            Action::Copy => durable && self.options.link.is_some(),
            Action::Share | Action::HandOn => durable,
            Action::Decline | Action::Reject => {
                let mut choices = self.leave_choices().iter();
                choices.any(|choice| choice.action() == Some(action))
            }
            _ => true,
        }
    }

    pub(super) fn act(&mut self, action: Action, mode: Mode, key: Key) -> Reaction {
        if action != Action::Digit {
            self.digits = None;
        }
        match action {
            _ if mode == Mode::Confirm && !matches!(action, Action::Suspend | Action::Repaint) => {
                return self.confirm_leaving(action);
            }
            Action::Detach => return self.detach(),
            Action::Suspend => return Reaction::Suspend,
            Action::Repaint => return Reaction::Repaint,
            _ if mode == Mode::Folded => {
                self.folded = false;
                self.guard.close();
                return Reaction::Redraw;
            }
            Action::Back => return self.back(),
            Action::Help => return self.set_overlay(Overlay::Help(0)),
            _ if self.must_read_first(action) => return self.read_on(),
            _ => {}
        }
        match mode {
            Mode::Reader => self.read(action),
            Mode::Leave => self.leave(action),
            Mode::Filter if self.overlay == Some(Overlay::HandOn) => {
                self.handle_hand_on_key(action)
            }
            Mode::Filter => self.handle_filter_key(action),
            Mode::List | Mode::Several => self.choose(action, key),
            Mode::Review => self.review(action, key),
            Mode::Text | Mode::Number | Mode::Date | Mode::Calendar => self.fill(action),
            Mode::Folded
            | Mode::Undo
            | Mode::Compose
            | Mode::Menu
            | Mode::Scrollback
            | Mode::Inbox
            | Mode::Confirm => Reaction::Nothing,
        }
    }

    pub(super) fn apply(&mut self, edit: &Edit) -> Reaction {
        let before = (self.draft.page, self.field());
        let step = self.draft.reduce(&self.inquiry, edit, &self.typing);
        self.draft = step.draft;
        if matches!(edit, Edit::Move { .. }) {
            self.focus_origin = FocusOrigin::User;
        }
        if matches!(edit, Edit::Move { .. }) || before.0 != self.draft.page {
            self.preview_top = (0, 0);
        }
        if before.0 != self.draft.page {
            self.focus_origin = FocusOrigin::Initial;
            self.filter = super::Filter::default();
            self.question_top = 0;
        }
        // What becomes visible now must be seen before a key answers it.
        if before.0 != self.draft.page || (before.1.is_some() && self.field().is_none()) {
            self.guard.close();
        }
        if before != (self.draft.page, self.field()) {
            self.caret = self.field_text().len();
            self.days = DateInput::Typed;
            self.picked_day = None;
        }
        self.caret = self.caret.min(self.field_text().len());
        match step.sent {
            Some(answers) => Reaction::End(End::Answered(answers)),
            None => Reaction::Redraw,
        }
    }

    pub(super) fn remember(&mut self) {
        if self.history.last() != Some(&self.draft) {
            self.history.push(self.draft.clone());
        }
        if self.history.len() > HISTORY_MAX {
            self.history.remove(0);
        }
    }

    pub(super) fn edit(&mut self, edit: &Edit) -> Reaction {
        self.remember();
        self.apply(edit)
    }

    fn undo(&mut self) -> Reaction {
        if let Some(draft) = self.history.pop() {
            self.draft = draft;
            self.caret = self.field_text().len();
        }
        Reaction::Redraw
    }

    /// Closes what is open, one thing at a time; if nothing is, opens the leave menu or goes back.
    fn back(&mut self) -> Reaction {
        if self.overlay.is_some() {
            self.close_overlay();
            return Reaction::Redraw;
        }
        if self.filter.typing || !self.filter.text.is_empty() {
            self.filter = super::Filter::default();
        } else if self.draft.page != DraftPage::Review && self.entry().field.is_some() {
            return self.apply(&Edit::Close);
        } else if self.restore_picked_day() {
            return Reaction::Redraw;
        } else {
            return match self.options.esc_at_top {
                EscAtTop::LeaveMenu => self.set_overlay(Overlay::Leave(0)),
                EscAtTop::GoesBack => Reaction::End(End::Postponed),
            };
        }
        Reaction::Redraw
    }

    /// Ctrl+c clears a field with text; otherwise it leaves the question open. Twice in a row, it leaves and keeps the text.
    fn detach(&mut self) -> Reaction {
        let in_field = matches!(
            self.mode(),
            Mode::Text | Mode::Number | Mode::Date | Mode::Calendar
        );
        match self.field() {
            Some(field) if in_field && !self.field_text().is_empty() => {
                self.cleared = Some(self.draft.clone());
                let text = String::new();
                self.edit(&Edit::Write { field, text })
            }
            Some(_) | None => {
                if let Some(cleared) = self.cleared.take() {
                    self.draft = cleared;
                }
                Reaction::End(End::Detached)
            }
        }
    }

    fn read(&mut self, action: Action) -> Reaction {
        if action == Action::Copy {
            return self.copy_shared();
        }
        let page = reader::page_rows(self);
        let last = reader::last_top(self);
        if let Some(Overlay::Help(top) | Overlay::Reader(top) | Overlay::Preview(top)) =
            &mut self.overlay
        {
            *top = match action {
                Action::Up => top.saturating_sub(1),
                Action::Down => *top + 1,
                Action::PageUp => top.saturating_sub(page),
                Action::PageDown => *top + page,
                Action::HalfUp => top.saturating_sub(page / 2),
                Action::HalfDown => *top + page / 2,
                Action::First => 0,
                Action::Last => last,
                _ => *top,
            }
            .min(last);
        }
        Reaction::Redraw
    }

    /// Shows something instead of the question. The guard closes until it was visible.
    pub(super) fn set_overlay(&mut self, overlay: Overlay) -> Reaction {
        self.overlay = Some(overlay);
        self.guard.close();
        Reaction::Redraw
    }

    /// Moves the focus within the filtered rows and stops at the ends.
    pub(super) fn step(&mut self, by: isize) -> Reaction {
        let listed = self.listed();
        let focus = self.entry().focus;
        let at = listed.iter().position(|row| *row >= focus).unwrap_or(0);
        let to = at
            .saturating_add_signed(by)
            .min(listed.len().saturating_sub(1));
        match listed.get(to) {
            Some(row) => self.apply(&Edit::Move {
                to: FocusMove::Row(*row),
            }),
            None => Reaction::Nothing,
        }
    }

    fn choose(&mut self, action: Action, key: Key) -> Reaction {
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::First => self.step(isize::MIN),
            Action::Last => self.step(isize::MAX),
            Action::PageUp | Action::PageDown => {
                let scroll = layout::scroll(self);
                let page = page(scroll);
                match self.scroll_question(action, scroll) {
                    Some(scrolled) => scrolled,
                    None if action == Action::PageUp => self.step(-page),
                    None => self.step(page),
                }
            }
            Action::HalfUp => self.step(-(page(layout::scroll(self)) / 2).max(1)),
            Action::HalfDown => self.step((page(layout::scroll(self)) / 2).max(1)),
            Action::Digit => self.digit(key),
            Action::Yes | Action::No => self.answer_yes_no(action),
            Action::Mark | Action::Confirm if self.is_yes_no_untouched() => {
                self.notice = Some("notice-yes-or-no");
                Reaction::Redraw
            }
            Action::Mark => self.edit(&Edit::Mark { row: None }),
            Action::Confirm => self.edit(&Edit::Confirm),
            Action::All => self.edit(&Edit::MarkAll),
            Action::Invert => self.edit(&Edit::Invert),
            Action::Filter => {
                self.filter.typing = row_count(self.question()) >= FILTER_ROWS_MIN;
                Reaction::Redraw
            }
            Action::Own => self.edit(&Edit::Open {
                field: DraftField::Own,
            }),
            Action::Preview => self.preview(),
            Action::PreviewUp | Action::PreviewDown => self.scroll_preview(action),
            Action::Editor => self.open_editor(),
            _ => self.anywhere(action),
        }
    }

    pub(super) fn preview(&mut self) -> Reaction {
        let focused = self.question().choices().get(self.entry().focus);
        if focused.is_some_and(|choice| choice.preview.is_some()) {
            return self.set_overlay(Overlay::Preview(0));
        }
        self.notice = Some("notice-no-preview");
        Reaction::Redraw
    }

    fn open_editor(&mut self) -> Reaction {
        if self.field().is_none() {
            let own = matches!(&self.question().kind, Kind::Choice(kind) if kind.own_text);
            let field = if own {
                DraftField::Own
            } else {
                DraftField::Note
            };
            self.apply(&Edit::Open { field });
        }
        Reaction::OpenEditor(self.field_text().to_owned())
    }

    fn review(&mut self, action: Action, key: Key) -> Reaction {
        let to = |to| Edit::Move { to };
        match action {
            Action::Up => self.apply(&to(FocusMove::By(-1))),
            Action::Down => self.apply(&to(FocusMove::By(1))),
            Action::First | Action::PageUp | Action::HalfUp => self.apply(&to(FocusMove::First)),
            Action::Last | Action::PageDown | Action::HalfDown => self.apply(&to(FocusMove::Last)),
            Action::Digit => match digit(key) {
                Some(row) if row < self.inquiry.questions().len() => {
                    self.apply(&Edit::Pick { row })
                }
                Some(_) | None => Reaction::Nothing,
            },
            Action::Confirm => self.apply(&Edit::Confirm),
            _ => self.anywhere(action),
        }
    }

    fn fill(&mut self, action: Action) -> Reaction {
        match action {
            Action::PageUp | Action::PageDown => {
                let scrolled = self.scroll_question(action, layout::scroll(self));
                scrolled.unwrap_or_else(|| self.nudge(action))
            }
            Action::Confirm => self.confirm_field(),
            Action::Editor => self.open_editor(),
            Action::NewLine => self.type_text("\n"),
            Action::Up
            | Action::Down
            | Action::DayBack
            | Action::DayOn
            | Action::MonthBack
            | Action::MonthOn
            | Action::YearBack
            | Action::YearOn
            | Action::Today => self.nudge(action),
            Action::Left
            | Action::Right
            | Action::WordLeft
            | Action::WordRight
            | Action::LineStart
            | Action::LineEnd
            | Action::Backspace
            | Action::Delete
            | Action::DeleteWord => self.edit_text(action),
            _ => self.anywhere(action),
        }
    }

    /// Enter in a field. An empty field is an error, because skipping has its own key.
    fn confirm_field(&mut self) -> Reaction {
        if let Some(reaction) = self.choose_named() {
            return reaction;
        }
        let entry = self.entry();
        let empty = entry.typed.trim().is_empty() && entry.typed_end.trim().is_empty();
        if entry.field.is_none() && empty && self.question().skippable {
            self.notice = Some("notice-nothing-typed");
        }
        let reaction = self.edit(&Edit::Confirm);
        self.caret = self.field_text().len();
        reaction
    }

    fn nudge(&mut self, action: Action) -> Reaction {
        let day = matches!(self.question().kind, Kind::Date(_) | Kind::DateRange(_));
        let mode = self.mode();
        if mode == Mode::Text {
            return self.move_line(action);
        }
        let by = match action {
            Action::Up if day => Nudge::Steps(-7),
            Action::Down if day => Nudge::Steps(7),
            Action::Up | Action::DayOn => Nudge::Steps(1),
            Action::Down | Action::DayBack => Nudge::Steps(-1),
            Action::PageUp if day => Nudge::Months(-1),
            Action::PageDown if day => Nudge::Months(1),
            Action::PageUp | Action::MonthOn => Nudge::Months(1),
            Action::PageDown | Action::MonthBack => Nudge::Months(-1),
            Action::YearBack => Nudge::Years(-1),
            Action::YearOn => Nudge::Years(1),
            Action::Today => Nudge::Today,
            _ => return Reaction::Nothing,
        };
        if day {
            self.days = DateInput::Calendar;
            self.picked_day = None;
        }
        let reaction = self.edit(&Edit::Nudge { by });
        self.caret = self.field_text().len();
        reaction
    }

    /// Actions that work on every question and on the review page.
    fn anywhere(&mut self, action: Action) -> Reaction {
        let reviewed = self.inquiry.questions().len() > 1;
        match action {
            Action::Send => self.edit(&Edit::Send),
            Action::Next => self.apply(&Edit::NextPage),
            Action::Previous => self.apply(&Edit::PreviousPage),
            Action::Note => self.edit(&Edit::Open {
                field: DraftField::Note,
            }),
            Action::Skip => self.edit(&Edit::Skip),
            Action::Review if reviewed => self.apply(&Edit::GoTo {
                page: self.inquiry.questions().len(),
            }),
            Action::Read => {
                let index = self.index();
                self.is_read[index] = true;
                self.set_overlay(Overlay::Reader(0))
            }
            Action::Share => self.create_link(),
            Action::HandOn => self.open_hand_on(),
            Action::Fold => {
                self.folded = true;
                Reaction::Redraw
            }
            Action::Undo => self.undo(),
            Action::Copy => match (&self.options.link, self.options.persistence) {
                (Some(link), Persistence::Durable) => {
                    self.notice = Some("notice-link-copied");
                    Reaction::CopyToClipboard(link.clone())
                }
                (Some(_) | None, _) => Reaction::Nothing,
            },
            _ => Reaction::Nothing,
        }
    }

    pub(super) fn on_own_row(&self) -> bool {
        is_own_row(self.question(), self.entry().focus)
    }
}

fn page(scroll: Scroll) -> isize {
    isize::try_from(scroll.choices).unwrap_or(1).max(1)
}
