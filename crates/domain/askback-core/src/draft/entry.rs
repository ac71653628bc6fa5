//! What was given to one question so far.

use serde::{Deserialize, Serialize};

use super::edit::DraftField;
use super::row_count;
use crate::answer::{AnswerProblem, RawAnswer};
use crate::input_parser::InputParser;
use crate::limits;
use crate::question::{ChoiceKind, Kind, Question};
use crate::text::Text;

/// What was given to one question so far. What was typed stays typed when something else is
/// chosen; only what is ticked is sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DraftEntry {
    /// The row in focus. Being in focus is no answer.
    pub focus: usize,
    /// The text field that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<DraftField>,
    /// Values of the ticked choices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub picked: Vec<Text>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub own: String,
    /// Whether own text is ticked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_ticked: bool,
    /// The typed answer: a text, a number, a day, the first day of a range.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub typed: String,
    /// The last day of a range.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub typed_end: String,
    /// Which end of a range is being typed.
    #[serde(skip_serializing_if = "RangeEnd::is_start")]
    pub part: RangeEnd,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether the respondent skips the question.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RangeEnd {
    /// The first day.
    #[default]
    Start,
    /// The last day.
    End,
}

impl RangeEnd {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde calls it with a reference"
    )]
    fn is_start(&self) -> bool {
        *self == RangeEnd::Start
    }
}

/// Whether a question of a draft is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerStatus {
    /// Something is given.
    Given,
    /// The respondent skipped it.
    Skipped,
    /// Nothing is given.
    Open,
}

impl DraftEntry {
    /// Whether the question is answered, skipped or open.
    pub fn status(&self, question: &Question) -> AnswerStatus {
        if self.skipped {
            return AnswerStatus::Skipped;
        }
        let given = match &question.kind {
            Kind::Choice(kind) => {
                // While the field of own text is open it stands in place of a single choice.
                let choice_counts = kind.several || self.field != Some(DraftField::Own);
                self.has_own() || choice_counts && !self.picked.is_empty()
            }
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => has_text(&self.typed),
            Kind::DateRange(_) => has_text(&self.typed) || has_text(&self.typed_end),
        };
        if given {
            AnswerStatus::Given
        } else {
            AnswerStatus::Open
        }
    }

    /// Whether the choice at `row`, or own text, is ticked.
    pub fn is_ticked(&self, question: &Question, row: usize) -> bool {
        match question.choices().get(row) {
            Some(choice) => self.picked.contains(&choice.value),
            None => super::is_own_row(question, row) && self.own_ticked,
        }
    }

    fn has_own(&self) -> bool {
        self.own_ticked && has_text(&self.own)
    }

    /// The answer as a surface sends it; `None` where there is nothing to send.
    pub(super) fn raw(&self, question: &Question, parser: &InputParser) -> Option<RawAnswer> {
        let mut raw = RawAnswer {
            note: has_text(&self.note).then(|| self.note.clone()),
            skipped: self.skipped,
            ..RawAnswer::default()
        };
        if self.status(question) == AnswerStatus::Given {
            let given = self.given(question, parser);
            raw = RawAnswer {
                note: raw.note,
                ..given.unwrap_or_else(|_| RawAnswer::unreadable(question))
            };
        }
        (raw != RawAnswer::default()).then_some(raw)
    }

    fn given(&self, question: &Question, parser: &InputParser) -> Result<RawAnswer, AnswerProblem> {
        match &question.kind {
            Kind::Choice(_) => {
                let picked = self.picked.iter().map(Text::to_string).collect();
                Ok(RawAnswer {
                    values: (!self.picked.is_empty()).then_some(picked),
                    own: self.has_own().then(|| self.own.clone()),
                    ..RawAnswer::default()
                })
            }
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => parser.answer(question, &self.typed),
            Kind::DateRange(_) => parser.two_days(&self.typed, &self.typed_end),
        }
    }

    /// Puts both days of a range that were typed into the first field where they belong, so that they are seen before they
    /// are sent.
    pub(super) fn split_range(&mut self, parser: &InputParser) {
        if !has_text(&self.typed_end)
            && let Some((start, end)) = parser.date_range(&self.typed)
        {
            self.typed = start.to_string();
            self.typed_end = end.to_string();
        }
    }

    /// Skips the question: nothing stays ticked. What was typed is kept, in case it is answered after
    /// all.
    pub(super) fn skip(&mut self) {
        self.picked.clear();
        self.own_ticked = false;
        if self.field == Some(DraftField::Own) {
            self.field = None;
        }
        self.skipped = true;
    }

    /// Ticks or unticks a choice, as the kind of question allows.
    pub(super) fn toggle(&mut self, kind: &ChoiceKind, row: usize) {
        let Some(choice) = kind.choices.get(row) else {
            return;
        };
        self.skipped = false;
        if kind.several && self.picked.contains(&choice.value) {
            self.picked.retain(|value| *value != choice.value);
            return;
        }
        if !kind.several || choice.exclusive {
            self.picked.clear();
            self.own_ticked = false;
        } else {
            self.drop_exclusive(kind);
        }
        self.picked.push(choice.value.clone());
        self.sort(kind);
    }

    /// Own text is given: it stands instead of a single choice, and beside several.
    pub(super) fn tick_own(&mut self, kind: &ChoiceKind) {
        self.skipped = false;
        self.own_ticked = true;
        if kind.several {
            self.drop_exclusive(kind);
        } else {
            self.picked.clear();
        }
    }

    /// Ticks the choices for which `want` says so, exclusive ones apart.
    pub(super) fn tick_where(&mut self, kind: &ChoiceKind, want: impl Fn(bool) -> bool) {
        let together = kind.choices.iter().filter(|choice| !choice.exclusive);
        let wanted = together.filter(|choice| want(self.picked.contains(&choice.value)));
        self.picked = wanted.map(|choice| choice.value.clone()).collect();
        self.skipped = false;
    }

    fn drop_exclusive(&mut self, kind: &ChoiceKind) {
        let exclusive = |value: &Text| {
            kind.choices
                .iter()
                .any(|c| c.exclusive && c.value == *value)
        };
        self.picked.retain(|value| !exclusive(value));
    }

    fn sort(&mut self, kind: &ChoiceKind) {
        let place = |value: &Text| {
            kind.choices
                .iter()
                .position(|choice| choice.value == *value)
        };
        self.picked.sort_by_key(place);
    }

    /// The text of a field.
    pub fn text(&self, field: DraftField) -> &str {
        match field {
            DraftField::Answer => &self.typed,
            DraftField::End => &self.typed_end,
            DraftField::Own => &self.own,
            DraftField::Note => &self.note,
        }
    }

    pub(super) fn text_mut(&mut self, field: DraftField) -> &mut String {
        match field {
            DraftField::Answer => &mut self.typed,
            DraftField::End => &mut self.typed_end,
            DraftField::Own => &mut self.own,
            DraftField::Note => &mut self.note,
        }
    }

    /// Drops what does not belong to `question` and cuts what is too long to be typed.
    pub(super) fn fit(&mut self, question: &Question) {
        self.focus = self.focus.min(row_count(question).saturating_sub(1));
        self.skipped &= question.skippable;
        let known = |value: &Text| {
            question
                .choices()
                .iter()
                .any(|choice| choice.value == *value)
        };
        self.picked.retain(known);
        if let Kind::Choice(kind) = &question.kind {
            self.sort(kind);
            self.picked.dedup();
            self.own_ticked &= kind.own_text;
            if !kind.several {
                self.picked.truncate(usize::from(!self.own_ticked));
            }
        } else {
            self.own_ticked = false;
        }
        let own_text = matches!(&question.kind, Kind::Choice(kind) if kind.own_text);
        let openable = |field: &DraftField| match field {
            DraftField::Own => own_text,
            DraftField::Note => true,
            DraftField::Answer | DraftField::End => false,
        };
        self.field = self.field.filter(openable);
        for field in [
            DraftField::Answer,
            DraftField::End,
            DraftField::Own,
            DraftField::Note,
        ] {
            let text = self.text_mut(field);
            if let Some((at, _)) = text.char_indices().nth(limits::DRAFT_FIELD_CHARS_MAX) {
                text.truncate(at);
            }
        }
    }
}

pub(super) fn has_text(text: &str) -> bool {
    !text.trim().is_empty()
}
