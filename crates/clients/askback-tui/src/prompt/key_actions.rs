//! What keys, clicks and pasted text do.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::draft::{DraftField, Edit, FocusMove, row_count};

use super::filter::Filter;
use super::hand_on::HandOnOrigin;
use super::layout::{self, Scroll};
use super::leaving::LeaveMenu;
use super::pointer::{self, Target};
use super::reader::LongText;
use super::typed_digits::digit_row;
use super::typed_letters::{BeforeWord, LetterStep, TypedLetters, takes_own_text};
use super::{
    End, EscAtTop, Overlay, Persistence, Prompt, PromptRequest, Reaction, TOO_SOON, bound_action,
    field, preview_pane,
};
use crate::keymap::{Action, Mode};
use askback_terminal::app::ScreenRequest;
use askback_terminal::key::Key;
use askback_terminal::row::Cursor;

impl Prompt {
    pub(super) fn key(&mut self, key: Key) -> Reaction {
        let repeats = self.guard.is_repeat(key, self.now);
        let taken = self.guard.key(Some(key), self.now);
        self.options.deadline = None;
        self.notice = None;
        let mut letters = std::mem::take(&mut self.letters);
        let step = letters.press(self, key, taken);
        self.letters = letters;
        if let Some(reaction) = self.carry_out(step) {
            return reaction;
        }
        let mode = self.mode();
        let action = bound_action::of_key(self, mode, key);
        if action != Some(Action::Detach) {
            self.cleared = None;
        }
        let edits = action.is_none_or(Action::edits_text);
        let text = mode.is_typing() && edits && self.was_open;
        if !taken && !text && !action.is_some_and(Action::is_harmless) {
            self.notice = Some(TOO_SOON);
            return Reaction::Redraw;
        }
        // Held down, ctrl+c only clears the field.
        if repeats && action == Some(Action::Detach) {
            return Reaction::Nothing;
        }
        self.was_open |= taken;
        let typed = matches!(mode, Mode::Text | Mode::Number | Mode::Date) && action.is_none();
        self.draft.cursor.is_in_a_run &= typed;
        match (action, key.typed()) {
            (Some(action), _) => self.act(action, mode, key),
            (None, Some(ch)) => self.type_text(ch.encode_utf8(&mut [0; 4])),
            (None, None) => Reaction::Nothing,
        }
    }

    /// Does what a key means as part of a word. `None` if it is a key like any other.
    fn carry_out(&mut self, step: LetterStep) -> Option<Reaction> {
        match step {
            LetterStep::Key => return None,
            LetterStep::Nothing => {}
            LetterStep::TooSoon => self.notice = Some(TOO_SOON),
            LetterStep::Waits(action) => {
                if let Some(row) = self.draft.yes_no_row(action) {
                    self.draft.focus(row);
                }
            }
            LetterStep::Carries(action, key) => return Some(self.act(action, self.mode(), key)),
            LetterStep::Text(text, before) => {
                if let Some(before) = before {
                    self.restore(*before);
                }
                return Some(self.start_word(text));
            }
            LetterStep::Label => return Some(self.focus_typed_label()),
            LetterStep::ChoosesLabel => return Some(self.choose_typed_label()),
        }
        Some(Reaction::Redraw)
    }

    fn restore(&mut self, before: BeforeWord) {
        let last = self.guard.last();
        self.draft = before.draft;
        self.overlay = None;
        self.is_folded = false;
        self.guard = before.guard;
        self.guard.saw(last);
        self.notice = None;
    }

    fn start_word(&mut self, text: String) -> Reaction {
        if takes_own_text(self) {
            if self.is_list() {
                self.draft.edit(&Edit::Open {
                    field: DraftField::Own,
                });
            }
            self.draft.cursor.is_in_a_run = true;
            return self.draft.type_text(&text);
        }
        self.letters.start_label(text);
        self.focus_typed_label()
    }

    fn focus_typed_label(&mut self) -> Reaction {
        match self.letters.row(&self.draft) {
            Some(row) => self.draft.focus(row),
            None => Reaction::Redraw,
        }
    }

    /// Answers with the typed label; where several can be chosen, selects it.
    fn choose_typed_label(&mut self) -> Reaction {
        let Some(row) = self.letters.row(&self.draft) else {
            return Reaction::Redraw;
        };
        self.letters.clear_label();
        if self.mode() == Mode::List {
            return self.draft.edit(&Edit::Confirm);
        }
        if self.draft.is_ticked(row) {
            return Reaction::Redraw;
        }
        self.draft.edit(&Edit::Mark { row: Some(row) })
    }

    pub(super) fn type_text(&mut self, text: &str) -> Reaction {
        if let Some(Overlay::HandOn(list)) = &mut self.overlay {
            return list.type_reason(text);
        }
        if self.is_folded || self.overlay.is_some() {
            return Reaction::Nothing;
        }
        if text == "0" && self.is_list() {
            return self.move_to_digit(0);
        }
        self.draft.type_text(text)
    }

    fn is_list(&self) -> bool {
        matches!(self.mode(), Mode::List | Mode::Several)
    }

    pub(super) fn paste(&mut self, text: &str) -> Reaction {
        if !self.take_pointer() {
            self.notice = Some(TOO_SOON);
            return Reaction::Redraw;
        }
        self.was_open = true;
        let mode = self.mode();
        let is_own_text = self.is_list() && self.draft.allows_own_text();
        if is_own_text {
            self.draft.edit(&Edit::Open {
                field: DraftField::Own,
            });
        } else if self.is_list() || matches!(mode, Mode::Review | Mode::Leave | Mode::Confirm) {
            self.notice = Some("notice-paste");
            return Reaction::Redraw;
        }
        self.draft.cursor.is_in_a_run = false;
        self.type_text(text)
    }

    /// Whether the guard accepts what is pasted or clicked.
    fn take_pointer(&mut self) -> bool {
        self.letters = TypedLetters::default();
        self.options.deadline = None;
        self.notice = None;
        self.guard.key(None, self.now)
    }

    /// The first click moves the focus, a click on the focused row chooses it. In a field, a click moves the caret.
    pub(super) fn click(&mut self, at: Cursor) -> Reaction {
        let taken = self.take_pointer();
        let mode = self.mode();
        let (action, is_focused, row) = match pointer::target(self, at) {
            Some(Target::Folded) => {
                self.unfold();
                return Reaction::Redraw;
            }
            Some(Target::Text(caret)) => {
                self.draft.cursor.caret = caret;
                return Reaction::Redraw;
            }
            Some(Target::Choice(row)) => {
                let action = if mode == Mode::List {
                    Action::Confirm
                } else {
                    Action::Mark
                };
                let is_there = self.draft.entry().focus == row;
                (action, is_there && !self.draft.is_yes_no_untouched(), row)
            }
            Some(Target::Review(row)) => {
                let is_focused = self.draft.current.review_focus == row;
                (Action::Confirm, is_focused, row)
            }
            Some(Target::Leave(row)) => {
                let Some(Overlay::Leave(menu)) = &mut self.overlay else {
                    return Reaction::Nothing;
                };
                if menu.focus != row {
                    menu.focus = row;
                    return Reaction::Redraw;
                }
                (Action::Confirm, true, row)
            }
            None => return Reaction::Nothing,
        };
        if !is_focused {
            return self.draft.focus(row);
        }
        if !taken {
            return Reaction::Redraw;
        }
        self.act(action, mode, Key::char(' '))
    }

    fn unfold(&mut self) {
        self.is_folded = false;
        self.guard.close();
    }

    pub(super) fn act(&mut self, action: Action, mode: Mode, key: Key) -> Reaction {
        if action != Action::Digit {
            self.digits.clear();
        }
        match action {
            Action::Suspend => return Reaction::Screen(ScreenRequest::Suspend),
            Action::Repaint => return Reaction::Screen(ScreenRequest::Repaint),
            _ if mode == Mode::Confirm => return self.act_on_overlay(action),
            Action::Detach => return self.detach(),
            _ if mode == Mode::Folded => {
                self.unfold();
                return Reaction::Redraw;
            }
            Action::Back => return self.back(),
            Action::Help => return self.read(LongText::Help),
            _ if self.overlay.is_some() => return self.act_on_overlay(action),
            _ if self.must_read_first(action) => return self.read_on(),
            _ => {}
        }
        match mode {
            Mode::Filter => self.draft.filter_key(action),
            Mode::List | Mode::Several => self.choose(action, key),
            Mode::Review => self.review(action, key),
            Mode::Text | Mode::Number | Mode::Date | Mode::Calendar => self.fill(action),
            _ => Reaction::Nothing,
        }
    }

    fn act_on_overlay(&mut self, action: Action) -> Reaction {
        match &mut self.overlay {
            Some(Overlay::Reader(reader)) => {
                let reader = *reader;
                self.overlay = Some(Overlay::Reader(reader.scrolled(self, action)));
                Reaction::Redraw
            }
            Some(Overlay::Leave(menu)) => {
                let asked = menu.asks_whether;
                let reaction = menu.handle(action);
                if menu.asks_whether != asked {
                    self.guard.close();
                }
                reaction
            }
            Some(Overlay::HandOn(list)) => list.handle(action),
            Some(Overlay::Link) => match self.link.url() {
                Some(url) if action == Action::Copy => {
                    self.notice = Some("notice-link-copied");
                    Reaction::Screen(ScreenRequest::CopyToClipboard(url.to_owned()))
                }
                Some(_) | None => Reaction::Redraw,
            },
            None => Reaction::Nothing,
        }
    }

    /// Closes what is open, one thing at a time; if nothing is, opens the leave menu or goes back.
    fn back(&mut self) -> Reaction {
        let draft = &mut self.draft;
        if self.overlay.is_some() {
            self.close_overlay();
        } else if draft.filter.is_shown() {
            draft.filter = Filter::default();
        } else if !draft.is_review() && draft.entry().field.is_some() {
            return draft.apply(&Edit::Close);
        } else if !draft.restore_picked_day() {
            return match self.options.esc_at_top {
                EscAtTop::LeaveMenu => {
                    self.set_overlay(Overlay::Leave(LeaveMenu::new(&self.options)))
                }
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
        if in_field && !self.draft.text().is_empty() {
            self.cleared = Some(self.draft.current.clone());
            self.draft.remember();
            return self.draft.write(String::new());
        }
        if let Some(cleared) = self.cleared.take() {
            self.draft.current = cleared;
        }
        Reaction::End(End::Detached)
    }

    /// Scrolls a question that does not fit; `None` if it fits.
    fn scroll_question(&mut self, action: Action, scroll: Scroll) -> Option<Reaction> {
        if scroll.last_top == 0 {
            return None;
        }
        let (top, rows) = (self.draft.question_top, scroll.question.max(1));
        let top = match action {
            Action::PageUp => top.saturating_sub(rows),
            _ => (top + rows).min(scroll.last_top),
        };
        self.draft.question_top = top;
        self.is_read[self.draft.index()] |= top == scroll.last_top;
        Some(Reaction::Redraw)
    }

    /// Whether a key would answer a question whose end was never visible.
    fn must_read_first(&self, action: Action) -> bool {
        let answers = matches!(
            action,
            Action::Confirm | Action::Send | Action::Digit | Action::Yes | Action::No
        );
        answers
            && !self.draft.is_review()
            && self.draft.entry().field != Some(DraftField::Note)
            && !self.is_read[self.draft.index()]
            && layout::scroll(self).last_top > 0
    }

    /// Shows more of the question instead of answering it.
    fn read_on(&mut self) -> Reaction {
        let scrolled = self.scroll_question(Action::PageDown, layout::scroll(self));
        self.guard.close();
        self.notice = Some("notice-read-on");
        scrolled.unwrap_or(Reaction::Redraw)
    }

    fn choose(&mut self, action: Action, key: Key) -> Reaction {
        match action {
            Action::Up => self.draft.step(-1),
            Action::Down => self.draft.step(1),
            Action::First => self.draft.step(isize::MIN),
            Action::Last => self.draft.step(isize::MAX),
            Action::PageUp | Action::PageDown => {
                let scroll = layout::scroll(self);
                let page = page(scroll);
                let by = if action == Action::PageUp {
                    -page
                } else {
                    page
                };
                let scrolled = self.scroll_question(action, scroll);
                scrolled.unwrap_or_else(|| self.draft.step(by))
            }
            Action::HalfUp => self.draft.step(-half_page(layout::scroll(self))),
            Action::HalfDown => self.draft.step(half_page(layout::scroll(self))),
            Action::Digit => self.digit(key),
            Action::Yes | Action::No => match self.draft.yes_no_row(action) {
                Some(row) => self.draft.edit(&Edit::Pick { row }),
                None => Reaction::Nothing,
            },
            Action::Mark | Action::Confirm if self.draft.is_yes_no_untouched() => {
                self.notice = Some("notice-yes-or-no");
                Reaction::Redraw
            }
            Action::Mark => self.draft.edit(&Edit::Mark { row: None }),
            Action::Confirm => self.draft.edit(&Edit::Confirm),
            Action::All => self.draft.edit(&Edit::MarkAll),
            Action::Invert => self.draft.edit(&Edit::Invert),
            Action::Filter => {
                if Filter::fits(self.draft.question()) {
                    self.draft.filter.start();
                }
                Reaction::Redraw
            }
            Action::Own => self.draft.edit(&Edit::Open {
                field: DraftField::Own,
            }),
            Action::Preview => self.preview(),
            Action::PreviewUp | Action::PreviewDown => {
                match preview_pane::scrolled(self, action) {
                    Some(top) => self.draft.scroll_preview(top),
                    None => return self.preview(),
                }
                Reaction::Redraw
            }
            Action::Editor => self.open_editor(),
            _ => self.anywhere(action),
        }
    }

    fn digit(&mut self, key: Key) -> Reaction {
        match digit_row(key) {
            Some(row) if self.draft.digits_move() => self.move_to_digit(row + 1),
            Some(row) if self.draft.listed().contains(&row) => self.draft.edit(&Edit::Pick { row }),
            Some(_) | None => Reaction::Nothing,
        }
    }

    fn move_to_digit(&mut self, digit: usize) -> Reaction {
        let rows = row_count(self.draft.question());
        match self.digits.row(digit, rows, self.now) {
            Some(row) => self.draft.focus(row),
            None => Reaction::Nothing,
        }
    }

    /// Shows the preview of the focused choice in full.
    fn preview(&mut self) -> Reaction {
        if self.draft.preview().is_some() {
            return self.read(LongText::Preview);
        }
        self.notice = Some("notice-no-preview");
        Reaction::Redraw
    }

    fn open_editor(&mut self) -> Reaction {
        if self.draft.field().is_none() {
            self.draft.open(if self.draft.allows_own_text() {
                DraftField::Own
            } else {
                DraftField::Note
            });
        }
        Reaction::Screen(ScreenRequest::OpenEditor(self.draft.text().to_owned()))
    }

    fn review(&mut self, action: Action, key: Key) -> Reaction {
        let to = match action {
            Action::Up => FocusMove::By(-1),
            Action::Down => FocusMove::By(1),
            Action::First | Action::PageUp | Action::HalfUp => FocusMove::First,
            Action::Last | Action::PageDown | Action::HalfDown => FocusMove::Last,
            Action::Digit => {
                let count = self.draft.inquiry.questions().len();
                return match digit_row(key).filter(|row| *row < count) {
                    Some(row) => self.draft.apply(&Edit::Pick { row }),
                    None => Reaction::Nothing,
                };
            }
            Action::Confirm => return self.draft.apply(&Edit::Confirm),
            _ => return self.anywhere(action),
        };
        self.draft.apply(&Edit::Move { to })
    }

    fn fill(&mut self, action: Action) -> Reaction {
        match action {
            Action::PageUp | Action::PageDown => {
                let scrolled = self.scroll_question(action, layout::scroll(self));
                scrolled.unwrap_or_else(|| self.nudge(action))
            }
            Action::Confirm => self.draft.confirm_field(),
            Action::Editor => self.open_editor(),
            Action::NewLine => self.draft.type_text("\n"),
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
            | Action::DeleteWord => self.draft.edit_text(action),
            _ => self.anywhere(action),
        }
    }

    /// In a text, the caret moves by rows; a number or a day changes by steps.
    fn nudge(&mut self, action: Action) -> Reaction {
        if self.mode() != Mode::Text {
            return self.draft.nudge(action);
        }
        let (columns, text) = (field::columns(self), self.draft.text().to_owned());
        self.draft.cursor.move_row(action, &text, columns);
        Reaction::Redraw
    }

    /// Actions that work on every question and on the review page.
    fn anywhere(&mut self, action: Action) -> Reaction {
        let draft = &mut self.draft;
        match action {
            Action::Send => draft.edit(&Edit::Send),
            Action::Next => draft.apply(&Edit::NextPage),
            Action::Previous => draft.apply(&Edit::PreviousPage),
            Action::Note => draft.edit(&Edit::Open {
                field: DraftField::Note,
            }),
            Action::Skip => draft.edit(&Edit::Skip),
            Action::Review if draft.has_several_questions() => {
                let page = draft.inquiry.questions().len();
                draft.apply(&Edit::GoTo { page })
            }
            Action::Read => {
                self.is_read[draft.index()] = true;
                self.read(LongText::Question)
            }
            Action::Share => self.share(),
            Action::HandOn => self.open_hand_on(HandOnOrigin::Question),
            Action::Fold => {
                self.is_folded = true;
                Reaction::Redraw
            }
            Action::Undo => draft.undo(),
            Action::Copy => match (&self.options.link, self.options.persistence) {
                (Some(link), Persistence::Durable) => {
                    self.notice = Some("notice-link-copied");
                    Reaction::Screen(ScreenRequest::CopyToClipboard(link.clone()))
                }
                (Some(_) | None, _) => Reaction::Nothing,
            },
            _ => Reaction::Nothing,
        }
    }

    /// Shows the link for another device, and requests it if there is none yet.
    fn share(&mut self) -> Reaction {
        if self.options.persistence == Persistence::None {
            self.notice = Some("notice-no-share");
            return Reaction::Redraw;
        }
        self.set_overlay(Overlay::Link);
        if self.link.start_request() {
            return Reaction::Request(PromptRequest::CreateLink);
        }
        Reaction::Redraw
    }
}

fn page(scroll: Scroll) -> isize {
    isize::try_from(scroll.choices).unwrap_or(1).max(1)
}

fn half_page(scroll: Scroll) -> isize {
    (page(scroll) / 2).max(1)
}
