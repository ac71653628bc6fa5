//! What each edit does to a draft.

use super::edit::{DraftField, Edit, FocusMove};
use super::entry::{AnswerStatus, RangeEnd, has_text};
use super::{Draft, DraftPage, EditResult, is_own_row, nudge, row_count};
use crate::answer::{AnswerError, AnswerProblem, Answers, check_answer};
use crate::input_parser::InputParser;
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::{ChoiceKind, Kind, Question};

/// A draft while an edit is worked into it.
struct Reducer<'a> {
    draft: Draft,
    inquiry: &'a Inquiry,
    parser: &'a InputParser,
    sent: Option<Answers>,
}

pub(super) fn reduce(
    draft: &Draft,
    inquiry: &Inquiry,
    edit: &Edit,
    parser: &InputParser,
) -> EditResult {
    let mut reducer = Reducer {
        draft: Draft::restore(inquiry, draft.clone()),
        inquiry,
        parser,
        sent: None,
    };
    match reducer.draft.page {
        DraftPage::Question(index) => reducer.edit_question(index, edit),
        DraftPage::Review => reducer.edit_review(edit),
    }
    EditResult {
        draft: reducer.draft,
        sent: reducer.sent,
    }
}

impl<'a> Reducer<'a> {
    fn question(&self, index: usize) -> &'a Question {
        &self.inquiry.questions()[index]
    }

    fn pages(&self) -> usize {
        let questions = self.inquiry.questions().len();
        if questions > 1 {
            questions + 1
        } else {
            questions
        }
    }

    fn edit_question(&mut self, index: usize, edit: &Edit) {
        let question = self.question(index);
        let entry = &mut self.draft.entries[index];
        match edit {
            Edit::Move { to } => entry.focus = moved(entry.focus, *to, row_count(question)),
            Edit::Mark { row } => {
                let row = row.unwrap_or(entry.focus);
                self.mark(index, row);
            }
            Edit::Pick { row } => self.pick(index, *row),
            Edit::MarkAll | Edit::Invert => {
                if let Some(kind) = several(question) {
                    let all = *edit == Edit::MarkAll;
                    entry.tick_where(kind, |ticked| all || !ticked);
                }
            }
            Edit::Open { field } => self.open(index, *field),
            Edit::Close => entry.field = None,
            Edit::Write { field, text } => self.write(index, *field, text),
            Edit::Nudge { by } => nudge::nudge(entry, question, *by, self.parser),
            Edit::Skip => self.skip(index),
            Edit::Confirm => self.confirm(index),
            Edit::GoTo { page } => self.go_to(*page),
            Edit::NextPage => self.go_to((index + 1) % self.pages()),
            Edit::PreviousPage => self.go_to((index + self.pages() - 1) % self.pages()),
            Edit::Send => self.send_or_review(index),
        }
    }

    fn edit_review(&mut self, edit: &Edit) {
        let questions = self.inquiry.questions().len();
        let focus = self.draft.review_focus;
        match edit {
            Edit::Move { to } => self.draft.review_focus = moved(focus, *to, questions + 1),
            Edit::Pick { row } if *row < questions => self.reopen(*row),
            Edit::Confirm | Edit::Mark { row: None } if focus < questions => self.reopen(focus),
            Edit::Confirm | Edit::Mark { .. } | Edit::Pick { .. } | Edit::Send => self.send(),
            Edit::GoTo { page } => self.go_to(*page),
            Edit::NextPage => self.go_to(0),
            Edit::PreviousPage => self.go_to(questions - 1),
            Edit::MarkAll
            | Edit::Invert
            | Edit::Open { .. }
            | Edit::Close
            | Edit::Write { .. }
            | Edit::Nudge { .. }
            | Edit::Skip => {}
        }
    }

    /// Ticks a row and stays on the question. The row of own text opens its field; where several may be
    /// chosen, marking it again unticks it and closes the field.
    fn mark(&mut self, index: usize, row: usize) {
        let question = self.question(index);
        let entry = &mut self.draft.entries[index];
        let Kind::Choice(kind) = &question.kind else {
            return;
        };
        if is_own_row(question, row) {
            if kind.several && (entry.own_ticked || entry.field == Some(DraftField::Own)) {
                entry.own_ticked = false;
                entry.field = None;
            } else {
                self.open(index, DraftField::Own);
            }
            return;
        }
        if row < row_count(question) {
            entry.focus = row;
            entry.toggle(kind, row);
        }
    }

    /// Takes a row: goes on with a single choice, ticks one of several.
    fn pick(&mut self, index: usize, row: usize) {
        let question = self.question(index);
        if row >= row_count(question) {
            return;
        }
        self.mark(index, row);
        if several(question).is_none() && !is_own_row(question, row) {
            self.go_on(index);
        }
    }

    fn open(&mut self, index: usize, field: DraftField) {
        let question = self.question(index);
        let entry = &mut self.draft.entries[index];
        match (field, &question.kind) {
            (DraftField::Own, Kind::Choice(kind)) if kind.own_text => {
                entry.focus = kind.choices.len();
                entry.field = Some(DraftField::Own);
                if has_text(&entry.own) {
                    entry.tick_own(kind);
                }
            }
            (DraftField::Note, _) => entry.field = Some(DraftField::Note),
            (DraftField::Answer, Kind::DateRange(_)) => entry.part = RangeEnd::Start,
            (DraftField::End, Kind::DateRange(_)) => entry.part = RangeEnd::End,
            (DraftField::Own | DraftField::Answer | DraftField::End, _) => {}
        }
    }

    fn write(&mut self, index: usize, field: DraftField, text: &str) {
        let question = self.question(index);
        let entry = &mut self.draft.entries[index];
        let takes = match (field, &question.kind) {
            (DraftField::Own, Kind::Choice(kind)) => kind.own_text,
            (DraftField::Own, _) | (DraftField::Answer | DraftField::End, Kind::Choice(_)) => false,
            (DraftField::End, kind) => matches!(kind, Kind::DateRange(_)),
            (DraftField::Answer | DraftField::Note, _) => true,
        };
        if !takes {
            return;
        }
        // More than the field takes is kept, and refused with a message when it is sent.
        let kept = text.chars().take(limits::DRAFT_FIELD_CHARS_MAX).collect();
        *entry.text_mut(field) = kept;
        match (field, &question.kind) {
            (DraftField::Own, Kind::Choice(kind)) => {
                entry.field = Some(DraftField::Own);
                entry.focus = kind.choices.len();
                if has_text(text) {
                    entry.tick_own(kind);
                } else {
                    entry.own_ticked = false;
                }
            }
            (DraftField::Note, _) => {}
            (DraftField::Own | DraftField::Answer | DraftField::End, _) => entry.skipped = false,
        }
    }

    fn skip(&mut self, index: usize) {
        if self.question(index).skippable {
            self.draft.entries[index].skip();
            self.go_on(index);
        } else {
            self.refuse(index, AnswerProblem::CannotSkip);
        }
    }

    /// Takes what is focused or typed, and goes on with it.
    fn confirm(&mut self, index: usize) {
        let question = self.question(index);
        let entry = &mut self.draft.entries[index];
        if entry.field == Some(DraftField::Note) {
            entry.field = None;
            return;
        }
        match &question.kind {
            Kind::Choice(kind) => self.confirm_choice(index, kind),
            Kind::DateRange(_) if entry.part == RangeEnd::Start && has_text(&entry.typed) => {
                entry.split_range(self.parser);
                entry.part = RangeEnd::End;
            }
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                if entry.status(question) == AnswerStatus::Open {
                    self.refuse(index, AnswerProblem::Empty);
                } else {
                    self.go_on(index);
                }
            }
        }
    }

    fn confirm_choice(&mut self, index: usize, kind: &ChoiceKind) {
        let question = self.question(index);
        let entry = &mut self.draft.entries[index];
        if entry.field == Some(DraftField::Own) {
            if has_text(&entry.own) {
                entry.tick_own(kind);
                entry.field = None;
                self.go_on(index);
            } else if kind.several && !entry.picked.is_empty() {
                entry.field = None;
            } else {
                self.refuse(index, AnswerProblem::Empty);
            }
        } else if kind.several {
            // The first Enter ticks what is in focus, so that two of them send exactly that.
            if entry.status(question) == AnswerStatus::Given {
                self.go_on(index);
            } else {
                let focus = entry.focus;
                self.mark(index, focus);
            }
        } else {
            let focus = entry.focus;
            self.pick(index, focus);
        }
    }

    /// Leaves a question that is answered or skipped: to the review, the next one, or away.
    fn go_on(&mut self, index: usize) {
        let question = self.question(index);
        let entry = &self.draft.entries[index];
        if let Err(problem) = check_answer(question, entry.raw(question, self.parser).as_ref()) {
            self.refuse(index, problem);
            return;
        }
        let last = self.inquiry.questions().len() - 1;
        if last == 0 {
            self.send();
        } else if self.draft.from_review || index == last {
            self.go_to(last + 1);
        } else {
            self.go_to(index + 1);
        }
    }

    fn go_to(&mut self, page: usize) {
        let questions = self.inquiry.questions().len();
        self.draft.from_review = false;
        if page >= questions && questions > 1 {
            let open = self.draft.unanswered(self.inquiry).first().copied();
            self.draft.page = DraftPage::Review;
            self.draft.review_focus = open.unwrap_or(questions);
        } else if page < questions {
            self.draft.page = DraftPage::Question(page);
        }
    }

    fn reopen(&mut self, index: usize) {
        self.go_to(index);
        self.draft.from_review = true;
    }

    /// Sends what is given, never what is merely in focus; with questions open, shows the review.
    fn send_or_review(&mut self, index: usize) {
        let open = !self.draft.unanswered(self.inquiry).is_empty();
        if !open {
            self.send();
        } else if self.inquiry.questions().len() == 1 {
            self.refuse(index, AnswerProblem::Empty);
        } else {
            self.go_to(usize::MAX);
        }
    }

    fn send(&mut self) {
        match self.draft.answers(self.inquiry, self.parser) {
            Ok(answers) => self.sent = Some(answers),
            Err(errors) => {
                let first = errors.into_iter().next();
                let place = first.as_ref().and_then(|error| error.question.as_ref());
                if let Some(index) = place.and_then(|id| self.inquiry.position(id)) {
                    self.draft.page = DraftPage::Question(index);
                }
                self.draft.problem = first;
            }
        }
    }

    fn refuse(&mut self, index: usize, problem: AnswerProblem) {
        self.draft.problem = Some(AnswerError::on(self.question(index), problem));
    }
}

fn several(question: &Question) -> Option<&ChoiceKind> {
    match &question.kind {
        Kind::Choice(kind) if kind.several => Some(kind),
        Kind::Choice(_) | Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
            None
        }
    }
}

fn moved(focus: usize, to: FocusMove, rows: usize) -> usize {
    let last = rows.saturating_sub(1);
    match to {
        FocusMove::Row(row) => row.min(last),
        FocusMove::By(rows) => focus.saturating_add_signed(rows).min(last),
        FocusMove::First => 0,
        FocusMove::Last => last,
    }
}
