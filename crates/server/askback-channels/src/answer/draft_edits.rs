//! What a press or a text does to a draft: the same edits as a key in the terminal or a click in the browser.
//!
//! A draft is shared, and a message may show an older one, or none of it. So what is sent at once is only what was pressed or
//! typed, never what somebody else has ticked or noted. Only the button that sends a draft sends the rest of it, with a
//! [`DraftCode`](crate::DraftCode) of what its message shows.

use std::collections::BTreeSet;

use askback_core::answer::{AnswerError, AnswerProblem, Answers, ShownChoices, TypedChoices};
use askback_core::draft::{Draft, DraftEntry, DraftField, DraftPage, Edit};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::{ChoiceKind, Kind, Question};
use askback_core::text::{Lines, Text};

use crate::contract::button::{Press, RangeDay};
use crate::contract::incoming::FieldInput;

/// What edits led to.
pub(crate) struct Edited {
    pub(crate) draft: Draft,
    /// The answers, if they are complete and were sent.
    pub(crate) sent: Option<Answers>,
    /// What does not fit. The draft is then as it was before.
    pub(crate) problems: Vec<AnswerError>,
    /// The questions that a form leaves open without saying so, which is why it is not sent.
    pub(crate) unanswered: Vec<usize>,
}

impl Edited {
    fn refused(before: &Draft, problems: Vec<AnswerError>) -> Edited {
        Edited {
            draft: before.clone(),
            sent: None,
            problems,
            unanswered: Vec::new(),
        }
    }
}

struct Editor<'a> {
    inquiry: &'a Inquiry,
    parser: &'a InputParser,
    draft: Draft,
    sent: Option<Answers>,
}

impl Editor<'_> {
    fn apply(&mut self, edit: &Edit) {
        let result = self.draft.reduce(self.inquiry, edit, self.parser);
        self.draft = result.draft;
        self.sent = result.sent;
    }

    fn go_to(&mut self, page: usize) {
        self.apply(&Edit::GoTo { page });
    }

    fn write(&mut self, field: DraftField, text: &str) {
        self.apply(&Edit::Open { field });
        let text = text.trim().to_owned();
        self.apply(&Edit::Write { field, text });
    }

    /// Drops what the draft has for the question, if this edit sends the answer.
    fn drop_rest(&mut self, index: usize) {
        if let ([_], Some(entry)) = (self.inquiry.questions(), self.draft.entries.get_mut(index)) {
            *entry = DraftEntry::default();
        }
    }

    /// Writes an answer in own words. Choices that are ticked may be somebody else's: the text is added to them, and sent
    /// with the button below the message that shows both.
    fn write_own(&mut self, index: usize, text: &str) {
        let is_sent = self.inquiry.questions().len() == 1;
        let entry = self.draft.entries.get(index);
        if is_sent && entry.is_some_and(|entry| !entry.picked.is_empty()) {
            return self.write(DraftField::Own, text);
        }
        self.drop_rest(index);
        self.write(DraftField::Own, text);
        self.apply(&Edit::Confirm);
    }

    /// Writes a date, a number or a text, and goes on if the question is complete.
    fn write_answer(&mut self, (index, day): (usize, RangeDay), question: &Question, text: &str) {
        self.go_to(index);
        match &question.kind {
            Kind::Choice(kind) => match read_choices(kind, self.parser, text) {
                Ok(typed) if kind.several && typed.rows.is_empty() => self.write_own(index, text),
                Ok(typed) => {
                    self.drop_rest(index);
                    self.take(index, kind, &typed);
                }
                Err(problem) => self.draft.problem = Some(error_on(question, problem)),
            },
            Kind::DateRange(_) => match (self.parser.date_range(text), day) {
                (Some((start, end)), _) => {
                    self.write_range(index, (&start.to_string(), &end.to_string()));
                }
                (None, RangeDay::First) => {
                    // A last day in the draft may be somebody else's.
                    self.write(DraftField::End, "");
                    self.write(DraftField::Answer, text);
                }
                (None, RangeDay::Last { first }) => {
                    self.write_range(index, (&first.to_string(), text));
                }
            },
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => {
                self.drop_rest(index);
                self.write(DraftField::Answer, text);
                self.apply(&Edit::Confirm);
            }
        }
    }

    fn write_range(&mut self, index: usize, (start, end): (&str, &str)) {
        self.drop_rest(index);
        self.write(DraftField::Answer, start);
        self.write(DraftField::End, end);
        self.apply(&Edit::Confirm);
    }

    /// Takes what was typed instead of everything that was given before, and goes on.
    fn take(&mut self, index: usize, kind: &ChoiceKind, typed: &TypedChoices) {
        if let (false, [row]) = (kind.several, typed.rows.as_slice()) {
            return self.apply(&Edit::Pick { row: *row });
        }
        if let Some(entry) = self.draft.entries.get_mut(index) {
            set_choices(entry, kind, &typed.rows);
        }
        if let Some(own) = &typed.own {
            self.write(DraftField::Own, own);
        }
        self.apply(&Edit::Confirm);
    }

    fn finish(self, before: &Draft) -> Edited {
        match &self.draft.problem {
            Some(problem) => Edited::refused(before, vec![problem.clone()]),
            None => Edited {
                draft: self.draft,
                sent: self.sent,
                problems: Vec::new(),
                unanswered: Vec::new(),
            },
        }
    }
}

fn editor<'a>(inquiry: &'a Inquiry, parser: &'a InputParser, draft: &Draft) -> Editor<'a> {
    Editor {
        inquiry,
        parser,
        draft: draft.clone(),
        sent: None,
    }
}

/// The draft after a press. A press on something that the question does not have changes nothing.
pub(crate) fn press(
    inquiry: &Inquiry,
    parser: &InputParser,
    draft: &Draft,
    press: Press,
) -> Edited {
    let mut editor = editor(inquiry, parser, draft);
    let questions = inquiry.questions();
    match press {
        Press::Choose { question, choice } => {
            let asked = questions.get(question);
            if let Some(Kind::Choice(kind)) = asked.map(|asked| &asked.kind)
                && choice < kind.choices.len()
                && !kind.several
            {
                editor.go_to(question);
                editor.drop_rest(question);
                editor.apply(&Edit::Pick { row: choice });
            }
        }
        Press::Tick {
            question,
            choice,
            ticked,
        } => {
            let entry = draft.entries.get(question);
            if let (Some(asked), Some(entry)) = (questions.get(question), entry)
                && choice < asked.choices().len()
                && entry.is_ticked(asked, choice) != ticked
            {
                editor.go_to(question);
                editor.apply(&Edit::Mark { row: Some(choice) });
            }
        }
        Press::Date {
            question,
            day,
            date,
        } => {
            if let Some(asked) = questions.get(question) {
                editor.write_answer((question, day), asked, &date.to_string());
            }
        }
        Press::Skip { question } if question < questions.len() => {
            editor.go_to(question);
            editor.drop_rest(question);
            editor.apply(&Edit::Skip);
        }
        Press::Page { page } if page <= questions.len() => editor.go_to(page),
        Press::Send { .. } => return send(inquiry, parser, draft),
        Press::Skip { .. }
        | Press::Page { .. }
        | Press::Write { .. }
        | Press::Decline
        | Press::Undo
        | Press::People { .. }
        | Press::Reason
        | Press::HandOn { .. } => {}
    }
    editor.finish(draft)
}

/// The draft after a text for one question.
pub(crate) fn write(
    inquiry: &Inquiry,
    parser: &InputParser,
    draft: &Draft,
    (index, day): (usize, RangeDay),
    text: &str,
) -> Edited {
    let mut editor = editor(inquiry, parser, draft);
    let Some(question) = inquiry.questions().get(index) else {
        return editor.finish(draft);
    };
    if Text::clean(text, Lines::Many).is_none() {
        return Edited::refused(draft, vec![error_on(question, AnswerProblem::Empty)]);
    }
    if let Some(problem) = first_day_problem(question, parser, day, text) {
        return Edited::refused(draft, vec![problem]);
    }
    editor.write_answer((index, day), question, text);
    editor.finish(draft)
}

/// Which day of a range a message asks for: the last one as soon as there is a first one. The first for everything else.
pub(crate) fn day_to_ask(
    question: &Question,
    entry: Option<&DraftEntry>,
    parser: &InputParser,
) -> RangeDay {
    let is_range = matches!(question.kind, Kind::DateRange(_));
    let entry = entry.filter(|_| is_range);
    let first = entry.and_then(|entry| parser.date(entry.typed.trim()));
    first.map_or(RangeDay::First, |first| RangeDay::Last { first })
}

/// The first day of a range is not confirmed by itself, so that it is checked here.
fn first_day_problem(
    question: &Question,
    parser: &InputParser,
    day: RangeDay,
    text: &str,
) -> Option<AnswerError> {
    let is_start = day == RangeDay::First;
    let is_range = matches!(question.kind, Kind::DateRange(_));
    let has_day = parser.date(text.trim()).is_some() || parser.date_range(text).is_some();
    (is_range && is_start && !has_day).then(|| error_on(question, AnswerProblem::NotADate))
}

/// What a text says to choices that a message shows.
fn read_choices(
    kind: &ChoiceKind,
    parser: &InputParser,
    text: &str,
) -> Result<TypedChoices, AnswerProblem> {
    let shown = ShownChoices::of(kind).marked(&parser.recommended);
    shown.read(text)
}

fn error_on(question: &Question, problem: AnswerProblem) -> AnswerError {
    AnswerError {
        question: Some(question.id.clone()),
        name: question.name().to_owned(),
        problem,
        message: None,
    }
}

fn set_choices(entry: &mut DraftEntry, kind: &ChoiceKind, rows: &[usize]) {
    let taken = rows.iter().filter_map(|row| kind.choices.get(*row));
    entry.picked = taken.map(|choice| choice.value.clone()).collect();
    entry.own_ticked = false;
    entry.field = None;
    entry.skipped = false;
}

/// Everything that a form has, sent at once. Notes are not: no form shows them. Questions that are left open are asked
/// about first, unless the form says that they are, or the draft is at its review, which shows it.
pub(crate) fn submit(
    inquiry: &Inquiry,
    parser: &InputParser,
    draft: &Draft,
    fields: &[FieldInput],
) -> Edited {
    let mut filled = draft.clone();
    let mut problems = Vec::new();
    for field in fields {
        let question = inquiry.questions().get(field.question);
        let (Some(question), Some(entry)) = (question, filled.entries.get_mut(field.question))
        else {
            continue;
        };
        if let Err(problem) = fill_in(entry, question, field, parser) {
            problems.push(error_on(question, problem));
        }
    }
    if !problems.is_empty() {
        return Edited::refused(draft, problems);
    }
    let mut without_notes = filled.clone();
    for entry in &mut without_notes.entries {
        entry.note.clear();
    }
    let sent = send(inquiry, parser, &Draft::restore(inquiry, without_notes));
    let mut unanswered = filled.unanswered(inquiry);
    let is_said = |index: usize| {
        let mut fields = fields.iter();
        fields.any(|field| field.question == index && field.is_left_open)
    };
    unanswered.retain(|index| !is_said(*index));
    let is_reviewed = draft.page == DraftPage::Review;
    if sent.sent.is_none() || unanswered.is_empty() || is_reviewed {
        return sent;
    }
    filled.page = DraftPage::Review;
    Edited {
        draft: Draft::restore(inquiry, filled),
        sent: None,
        problems: Vec::new(),
        unanswered,
    }
}

/// Puts a field into the draft. A text that names choices is those choices; a single choice and another text are
/// refused, since either could be meant.
fn fill_in(
    entry: &mut DraftEntry,
    question: &Question,
    field: &FieldInput,
    parser: &InputParser,
) -> Result<(), AnswerProblem> {
    let text = field.text.clone().unwrap_or_default();
    let Kind::Choice(kind) = &question.kind else {
        entry.skipped = false;
        entry.typed = text;
        entry.typed_end = field.end.clone().unwrap_or_default();
        return Ok(());
    };
    set_choices(entry, kind, &field.choices);
    if text.trim().is_empty() {
        entry.own = text;
        return Ok(());
    }
    let typed = read_choices(kind, parser, &text)?;
    let rows = field.choices.iter().chain(&typed.rows).copied();
    let rows: BTreeSet<usize> = rows.collect();
    if !kind.several && rows.len() + usize::from(typed.own.is_some()) > 1 {
        return Err(AnswerProblem::OneChoiceOnly);
    }
    set_choices(entry, kind, &Vec::from_iter(rows));
    if let Some(own) = typed.own {
        entry.own = own;
        entry.own_ticked = true;
    }
    Ok(())
}

fn send(inquiry: &Inquiry, parser: &InputParser, draft: &Draft) -> Edited {
    let (sent, problems) = match draft.answers(inquiry, parser) {
        Ok(answers) => (Some(answers), Vec::new()),
        Err(problems) => (None, problems),
    };
    Edited {
        sent,
        ..Edited::refused(draft, problems)
    }
}

#[cfg(test)]
#[path = "draft_edits_tests.rs"]
mod tests;
