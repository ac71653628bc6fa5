//! The draft as it is edited here: the visible question, its open field, its filter, and what undo restores.
//!
//! Nothing in it knows of keys that come too early, menus or the server: those are the prompt's.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a field takes a few of the many actions"
)]

use askback_core::draft::{
    Draft, DraftEntry, DraftField, DraftPage, Edit, FocusMove, Nudge, RangeEnd, is_own_row,
    row_count,
};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Choice, Kind, Question};
use askback_core::text::{Lines, Text, clean};
use askback_locale::YesNo;

use super::filter::Filter;
use super::number_field::typed_number;
use super::open_field::OpenField;
use super::{End, PromptOptions, Reaction, choice_names};
use crate::keymap::{Action, Mode};
use crate::yes_no::YesNoChoices;

/// How many edits can be undone.
const HISTORY_MAX: usize = 100;

/// Who put the focus where it is. On a yes/no question, enter answers only what the user moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FocusOrigin {
    Initial,
    User,
}

/// See the module documentation.
#[derive(Debug, Clone)]
pub(super) struct OpenDraft {
    pub(super) inquiry: Inquiry,
    pub(super) current: Draft,
    pub(super) parser: InputParser,
    /// For each yes/no question, its choices.
    yes_no: Vec<Option<YesNoChoices>>,
    pub(super) cursor: OpenField,
    pub(super) filter: Filter,
    focus_origin: FocusOrigin,
    /// How far the question is scrolled.
    pub(super) question_top: usize,
    /// A row, and how far its preview is scrolled.
    preview_top: (usize, usize),
    history: Vec<Draft>,
    /// Whether an edit showed something that must be seen before a key answers it.
    pub(super) has_revealed: bool,
    /// What an edit has to tell.
    pub(super) notice: Option<&'static str>,
}

impl OpenDraft {
    /// Starts from `options.draft` if there is one.
    pub(super) fn new(inquiry: Inquiry, options: &mut PromptOptions) -> OpenDraft {
        let current = match options.draft.take() {
            Some(stored) => Draft::restore(&inquiry, cleaned(stored)),
            None => Draft::new(&inquiry),
        };
        let locale = options.locale;
        let questions = inquiry.questions().iter();
        let mut draft = OpenDraft {
            current,
            parser: locale.typing(options.today),
            yes_no: questions.map(|it| YesNoChoices::of(it, locale)).collect(),
            inquiry,
            cursor: OpenField::default(),
            filter: Filter::default(),
            focus_origin: FocusOrigin::Initial,
            question_top: 0,
            preview_top: (0, 0),
            history: Vec::new(),
            has_revealed: false,
            notice: None,
        };
        draft.cursor = OpenField::at_end(draft.text());
        draft.filter = Filter::of(draft.question());
        draft
    }

    /// What keys do to it while nothing else is open.
    pub(super) fn mode(&self) -> Mode {
        if self.is_review() {
            return Mode::Review;
        }
        if self.filter.is_typed() {
            return Mode::Filter;
        }
        if self.entry().field.is_some() {
            return Mode::Text;
        }
        match &self.question().kind {
            Kind::Choice(kind) if kind.several => Mode::Several,
            Kind::Choice(_) => Mode::List,
            Kind::Text(_) => Mode::Text,
            Kind::Number(_) => Mode::Number,
            Kind::Date(_) | Kind::DateRange(_) if self.cursor.is_calendar => Mode::Calendar,
            Kind::Date(_) | Kind::DateRange(_) => Mode::Date,
        }
    }

    pub(super) fn is_review(&self) -> bool {
        self.current.page == DraftPage::Review
    }

    pub(super) fn has_several_questions(&self) -> bool {
        self.inquiry.questions().len() > 1
    }

    /// The visible question; on the review page, the first one.
    pub(super) fn question(&self) -> &Question {
        &self.inquiry.questions()[self.index()]
    }

    pub(super) fn index(&self) -> usize {
        match self.current.page {
            DraftPage::Question(index) => index.min(self.inquiry.questions().len() - 1),
            DraftPage::Review => 0,
        }
    }

    pub(super) fn entry(&self) -> &DraftEntry {
        &self.current.entries[self.index()]
    }

    /// The open field.
    pub(super) fn field(&self) -> Option<DraftField> {
        if self.is_review() {
            return None;
        }
        let entry = self.entry();
        match &self.question().kind {
            _ if entry.field.is_some() => entry.field,
            Kind::Choice(_) => None,
            Kind::DateRange(_) if entry.part == RangeEnd::End => Some(DraftField::End),
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                Some(DraftField::Answer)
            }
        }
    }

    /// The text of the open field.
    pub(super) fn text(&self) -> &str {
        self.field().map_or("", |field| self.entry().text(field))
    }

    /// Whether several choices can be selected.
    pub(super) fn is_several(&self) -> bool {
        matches!(&self.question().kind, Kind::Choice(kind) if kind.several)
    }

    pub(super) fn allows_own_text(&self) -> bool {
        matches!(&self.question().kind, Kind::Choice(kind) if kind.own_text)
    }

    pub(super) fn is_date(&self) -> bool {
        matches!(self.question().kind, Kind::Date(_) | Kind::DateRange(_))
    }

    pub(super) fn is_on_own_row(&self) -> bool {
        is_own_row(self.question(), self.entry().focus)
    }

    pub(super) fn is_ticked(&self, row: usize) -> bool {
        self.entry().is_ticked(self.question(), row)
    }

    /// `None` on the row for an own answer, too.
    pub(super) fn focused_choice(&self) -> Option<&Choice> {
        self.question().choices().get(self.entry().focus)
    }

    /// The preview of the focused choice.
    pub(super) fn preview(&self) -> Option<&str> {
        self.focused_choice()?.preview.as_ref().map(Text::as_str)
    }

    /// How far the preview of the focused choice is scrolled.
    pub(super) fn preview_top(&self) -> usize {
        match self.preview_top {
            (row, top) if row == self.entry().focus => top,
            _ => 0,
        }
    }

    pub(super) fn scroll_preview(&mut self, top: usize) {
        self.preview_top = (self.entry().focus, top);
    }

    /// Whether digits only move the focus, because rows have numbers of two digits.
    pub(super) fn digits_move(&self) -> bool {
        matches!(self.question().kind, Kind::Choice(_)) && row_count(self.question()) >= 10
    }

    /// The rows that match the filter; all without one.
    pub(super) fn listed(&self) -> Vec<usize> {
        self.filter.rows(self.question())
    }

    /// For each question, its choices if it is a yes/no question.
    pub(super) fn yes_no_questions(&self) -> &[Option<YesNoChoices>] {
        &self.yes_no
    }

    /// The choices of a yes/no question.
    pub(super) fn yes_no(&self) -> Option<&YesNoChoices> {
        self.yes_no.get(self.index())?.as_ref()
    }

    /// The visible row that the key for yes or no chooses; none if several choices mean the same.
    pub(super) fn yes_no_row(&self, action: Action) -> Option<usize> {
        let meaning = match action {
            Action::Yes => YesNo::Yes,
            Action::No => YesNo::No,
            _ => return None,
        };
        let row = self.yes_no()?.row(meaning)?;
        self.listed().contains(&row).then_some(row)
    }

    /// Whether the focus of a yes/no question is where it was put by us: it is not a choice of the user.
    pub(super) fn is_yes_no_untouched(&self) -> bool {
        let is_initial = self.focus_origin == FocusOrigin::Initial;
        self.yes_no().is_some() && is_initial && !self.is_ticked(self.entry().focus)
    }

    pub(super) fn apply(&mut self, edit: &Edit) -> Reaction {
        let (page, field) = (self.current.page, self.field());
        let step = self.current.reduce(&self.inquiry, edit, &self.parser);
        self.current = step.draft;
        let is_moved = matches!(edit, Edit::Move { .. });
        let is_turned = page != self.current.page;
        if is_moved {
            self.focus_origin = FocusOrigin::User;
        }
        if is_moved || is_turned {
            self.preview_top = (0, 0);
        }
        if is_turned {
            self.focus_origin = FocusOrigin::Initial;
            self.filter = Filter::default();
            self.question_top = 0;
        }
        self.has_revealed |= is_turned || (field.is_some() && self.field().is_none());
        if is_turned || field != self.field() {
            let is_in_a_run = self.cursor.is_in_a_run;
            self.cursor = OpenField::at_end(self.text());
            self.cursor.is_in_a_run = is_in_a_run;
        }
        self.cursor.caret = self.cursor.caret.min(self.text().len());
        match step.sent {
            Some(answers) => Reaction::End(End::Answered(answers)),
            None => Reaction::Redraw,
        }
    }

    /// Applies an edit that can be undone.
    pub(super) fn edit(&mut self, edit: &Edit) -> Reaction {
        self.remember();
        self.apply(edit)
    }

    pub(super) fn remember(&mut self) {
        if self.history.last() != Some(&self.current) {
            self.history.push(self.current.clone());
        }
        if self.history.len() > HISTORY_MAX {
            self.history.remove(0);
        }
    }

    pub(super) fn undo(&mut self) -> Reaction {
        if let Some(draft) = self.history.pop() {
            self.current = draft;
            self.cursor.caret = self.text().len();
        }
        Reaction::Redraw
    }

    /// Whether there is a change that undo would revert.
    pub(super) fn has_changes(&self) -> bool {
        !self.history.is_empty()
    }

    pub(super) fn focus(&mut self, row: usize) -> Reaction {
        let to = FocusMove::Row(row);
        self.apply(&Edit::Move { to })
    }

    /// Moves the focus within the filtered rows and stops at the ends.
    pub(super) fn step(&mut self, by: isize) -> Reaction {
        let listed = self.listed();
        let focus = self.entry().focus;
        let at = listed.iter().position(|row| *row >= focus).unwrap_or(0);
        let last = listed.len().saturating_sub(1);
        let to = at.saturating_add_signed(by).min(last);
        match listed.get(to) {
            Some(row) => self.focus(*row),
            None => Reaction::Nothing,
        }
    }

    /// Carries out a key of the filter.
    pub(super) fn filter_key(&mut self, action: Action) -> Reaction {
        match action {
            Action::Confirm => return self.confirm_filtered(),
            Action::Up => return self.step(-1),
            Action::Down => return self.step(1),
            Action::Backspace | Action::Delete => self.filter.pop(),
            Action::DeleteWord => self.filter.clear(),
            _ => return Reaction::Redraw,
        }
        self.move_focus_into_filtered();
        Reaction::Redraw
    }

    /// Enter chooses the focused row. If several can be chosen, it is ticked and the whole list is
    /// shown again.
    fn confirm_filtered(&mut self) -> Reaction {
        if !self.listed().contains(&self.entry().focus) {
            return Reaction::Nothing;
        }
        self.filter = Filter::default();
        if self.is_several() {
            self.has_revealed = true;
            self.edit(&Edit::Mark { row: None })
        } else {
            self.edit(&Edit::Confirm)
        }
    }

    fn move_focus_into_filtered(&mut self) {
        let listed = self.listed();
        if !listed.contains(&self.entry().focus)
            && let Some(first) = listed.first()
        {
            self.focus(*first);
        }
    }

    pub(super) fn open(&mut self, field: DraftField) -> Reaction {
        self.apply(&Edit::Open { field })
    }

    /// Replaces the text of the open field.
    pub(super) fn write(&mut self, text: String) -> Reaction {
        match self.field() {
            Some(field) => self.apply(&Edit::Write { field, text }),
            None => Reaction::Nothing,
        }
    }

    /// Replaces the text of the open field, with the caret behind it.
    pub(super) fn set_text(&mut self, text: String) -> Reaction {
        self.cursor.caret = text.len();
        self.write(text)
    }

    pub(super) fn type_text(&mut self, text: &str) -> Reaction {
        match self.mode() {
            Mode::Text | Mode::Number | Mode::Date => self.insert(text),
            Mode::Calendar => {
                let picked = self.text().to_owned();
                self.remember();
                self.write(String::new());
                self.cursor.leave_calendar(picked);
                self.insert(text)
            }
            Mode::Filter => {
                self.filter.push(text);
                self.move_focus_into_filtered();
                Reaction::Redraw
            }
            Mode::List | Mode::Several if self.starts_own_text(text) => {
                self.remember();
                self.open(DraftField::Own);
                self.insert(text)
            }
            _ => Reaction::Nothing,
        }
    }

    /// Whether a typed character begins an answer in the user's own words.
    fn starts_own_text(&self, text: &str) -> bool {
        self.allows_own_text() && text.chars().next().is_some_and(char::is_alphabetic)
    }

    fn insert(&mut self, text: &str) -> Reaction {
        if self.field().is_none() {
            return Reaction::Nothing;
        }
        if !self.cursor.is_in_a_run {
            self.remember();
        }
        self.cursor.is_in_a_run = true;
        let mode = self.mode();
        let lines = if mode == Mode::Text {
            Lines::Many
        } else {
            Lines::One
        };
        let mut added = clean(text, lines);
        if mode == Mode::Number {
            let before = &self.text()[..self.cursor.caret];
            let taken = typed_number(&added, before, self.parser.decimal);
            if taken.left_out {
                self.notice = Some("notice-number-only");
            }
            if taken.text.is_empty() {
                return Reaction::Redraw;
            }
            added = taken.text;
        }
        let text = self.text().to_owned();
        let whole = self.cursor.insert(&text, &added);
        self.write(whole)
    }

    /// Moves the caret or erases. Without a text, left and right move in the calendar.
    pub(super) fn edit_text(&mut self, action: Action) -> Reaction {
        if self.field().is_none() {
            return Reaction::Nothing;
        }
        let text = self.text().to_owned();
        if text.is_empty() && self.mode() == Mode::Date {
            match action {
                Action::Left => return self.nudge(Action::DayBack),
                Action::Right => return self.nudge(Action::DayOn),
                _ => {}
            }
        }
        let Some(left) = self.cursor.press(action, &text) else {
            return Reaction::Redraw;
        };
        self.remember();
        if left.is_empty() && self.restore_picked_day() {
            return Reaction::Redraw;
        }
        self.write(left)
    }

    /// Puts the picked day back into the field. False if there is none.
    pub(super) fn restore_picked_day(&mut self) -> bool {
        let picked = self.cursor.take_picked_day();
        let Some(day) = picked.filter(|_| self.field().is_some()) else {
            return false;
        };
        self.set_text(day);
        self.cursor.is_calendar = true;
        true
    }

    /// Changes a number or a day by steps.
    pub(super) fn nudge(&mut self, action: Action) -> Reaction {
        let day = self.is_date();
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
            self.cursor.take_picked_day();
            self.cursor.is_calendar = true;
        }
        let reaction = self.edit(&Edit::Nudge { by });
        self.cursor.caret = self.text().len();
        reaction
    }

    /// Enter in the field of an own answer that is only the name of a choice: chooses it.
    fn choose_named(&mut self) -> Option<Reaction> {
        self.field().filter(|field| *field == DraftField::Own)?;
        let row = choice_names::named_row(self, self.text())?;
        self.remember();
        self.write(String::new());
        self.apply(&Edit::Close);
        if !self.is_several() {
            return Some(self.apply(&Edit::Pick { row }));
        }
        if !self.is_ticked(row) {
            self.apply(&Edit::Mark { row: Some(row) });
        }
        Some(self.apply(&Edit::Confirm))
    }

    /// Shows a text as the answer of the visible question, so that enter sends it: the choice with this
    /// label gets the focus, other text goes into the field. False if the question does not accept the
    /// text, or if its field is not empty; nothing has changed then.
    pub(super) fn offer_text(&mut self, text: &str) -> bool {
        if self.is_review() {
            return false;
        }
        if let Some(row) = choice_names::labelled_row(self, text) {
            self.filter = Filter::default();
            self.apply(&Edit::Close);
            self.focus(row);
            return true;
        }
        let parser = &self.parser;
        let field = match &self.question().kind {
            Kind::Choice(kind) if kind.own_text => DraftField::Own,
            Kind::Text(_) => DraftField::Answer,
            Kind::Number(rules) if parser.number(text, rules).is_some() => DraftField::Answer,
            Kind::Date(_) if parser.date(text).is_some() => DraftField::Answer,
            Kind::Choice(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => return false,
        };
        if !self.entry().text(field).trim().is_empty() {
            return false;
        }
        self.filter = Filter::default();
        self.remember();
        self.apply(&match field {
            DraftField::Own => Edit::Open { field },
            _ => Edit::Close,
        });
        self.set_text(text.to_owned());
        true
    }

    /// Enter in a field. An empty field is an error, because skipping has its own key.
    pub(super) fn confirm_field(&mut self) -> Reaction {
        if let Some(reaction) = self.choose_named() {
            return reaction;
        }
        let entry = self.entry();
        let empty = entry.typed.trim().is_empty() && entry.typed_end.trim().is_empty();
        if entry.field.is_none() && empty && self.question().skippable {
            self.notice = Some("notice-nothing-typed");
        }
        let reaction = self.edit(&Edit::Confirm);
        self.cursor.caret = self.text().len();
        reaction
    }
}

/// A stored draft may come from another surface, so control characters are removed before it is
/// shown.
fn cleaned(mut draft: Draft) -> Draft {
    for entry in &mut draft.entries {
        for text in [
            &mut entry.own,
            &mut entry.typed,
            &mut entry.typed_end,
            &mut entry.note,
        ] {
            *text = clean(text, Lines::Many);
        }
    }
    draft
}
