//! Interprets a typed line: an answer, a command, or a choice of the leave menu.

use askback_core::draft::{DraftField, DraftPage, Edit, RangeEnd, is_own_row, row_count};
use askback_core::question::{Kind, Question};
use askback_core::text::{self, clean};
use askback_locale::YesNo;

use super::punctuation::sentence;
use super::{AfterPostpone, Expecting, LineOutput, LinePrompt, PromptContext, with_cue};
use crate::leave_menu::LeaveChoice;
use crate::named_choice::labelled_row;
use crate::problem_text::problem_text;
use crate::prompt::End;

impl LinePrompt {
    /// Handles a typed line. Any line stops the deadline.
    pub fn handle_line(&mut self, line: &str) -> LineOutput {
        self.deadline = None;
        let line = clean(line, text::Lines::One);
        let line = line.trim();
        match self.expecting {
            Expecting::Own => {
                self.expecting = Expecting::Answer;
                self.answer_in_own_words(line)
            }
            Expecting::Note => {
                let text = line.to_owned();
                self.expecting = Expecting::Answer;
                let edits = [
                    Edit::Write {
                        field: DraftField::Note,
                        text,
                    },
                    Edit::Close,
                ];
                for edit in &edits {
                    self.draft = self.draft.reduce(&self.inquiry, edit, &self.typing).draft;
                }
                self.print_page()
            }
            Expecting::Leave => self.leave(line),
            Expecting::Confirm(choice) => self.confirm_leaving(choice, line),
            Expecting::Answer | Expecting::Date => {
                self.expecting = Expecting::Answer;
                match self.draft.page {
                    DraftPage::Review => self.review(line),
                    DraftPage::Question(index) => self.question(index, line),
                }
            }
        }
    }

    fn question(&mut self, index: usize, line: &str) -> LineOutput {
        let inquiry = self.inquiry.clone();
        let question = &inquiry.questions()[index];
        let listed = matches!(question.kind, Kind::Choice(_));
        if let Some(heard) = self.yes_or_no(index, line) {
            return heard;
        }
        // In a list, letters are commands unless they answer yes or no. Elsewhere only a line with
        // a leading slash is a command.
        let slashed = line.strip_prefix('/');
        let command = if listed && self.yes_no[index].is_none() {
            slashed.or(Some(line))
        } else {
            slashed
        };
        match command {
            Some("s") => return self.edit(&Edit::Skip),
            Some("l") if self.place == PromptContext::Inbox => {
                return self.later(AfterPostpone::NextQuestion);
            }
            Some("b") if self.place == PromptContext::Inbox && index == 0 => {
                return self.later(AfterPostpone::List);
            }
            // From the first question there is nowhere to go back to.
            Some("b") if index == 0 => return self.help_again(question),
            Some("b") => return self.edit(&Edit::PreviousPage),
            Some("n") => {
                self.expecting = Expecting::Note;
                return with_cue(&self.text("line-prompt-note", &[]));
            }
            Some("q") => {
                self.expecting = Expecting::Leave;
                return with_cue(&self.ways());
            }
            Some("?") => return self.help_again(question),
            Some(_) | None => {}
        }
        if line == "?" {
            return self.help_again(question);
        }
        if line.is_empty() && self.so_far(index).is_some() {
            return self.keep(index);
        }
        match &question.kind {
            Kind::Choice(kind) if kind.several => self.several(question, line),
            Kind::Choice(_) => self.one(question, line),
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                let field = match (&question.kind, self.draft.entries[index].part) {
                    (Kind::DateRange(_), RangeEnd::End) => DraftField::End,
                    _ => DraftField::Answer,
                };
                if line.is_empty() && question.skippable {
                    let words = self.text("line-nothing-typed", &[]);
                    return with_cue(&format!("{words}\n{}", self.cue(question)));
                }
                let text = line.to_owned();
                self.draft = self
                    .draft
                    .reduce(&self.inquiry, &Edit::Write { field, text }, &self.typing)
                    .draft;
                if let Some(date) = self.read_date(question, line) {
                    self.expecting = Expecting::Date;
                    let words = self.text("line-so-far", &[("answer", date.into())]);
                    return with_cue(&format!("{words}\n{}", self.cue(question)));
                }
                self.edit(&Edit::Confirm)
            }
        }
    }

    fn help_again(&self, question: &Question) -> LineOutput {
        with_cue(&format!("{}\n{}", self.help(question), self.cue(question)))
    }

    /// The date in full, unless it was typed as it is sent.
    fn read_date(&self, question: &Question, line: &str) -> Option<String> {
        match &question.kind {
            Kind::Date(_) | Kind::DateRange(_) => {
                let date = self.typing.date(line)?;
                (date.to_string() != line).then(|| self.locale.date_long(date))
            }
            Kind::Choice(_) | Kind::Text(_) | Kind::Number(_) => None,
        }
    }

    fn yes_or_no(&mut self, index: usize, line: &str) -> Option<LineOutput> {
        let choices = self.yes_no[index].as_ref()?;
        let meaning = choices.meaning(line)?;
        Some(match choices.row(meaning) {
            Some(row) => self.edit(&Edit::Pick { row }),
            None => self.misheard(&self.inquiry.questions()[index]),
        })
    }

    fn one(&mut self, question: &Question, line: &str) -> LineOutput {
        let numbered = number(line).filter(|row| *row < row_count(question));
        match numbered.or_else(|| labelled_row(question, line)) {
            Some(row) if is_own_row(question, row) => self.start_own_text(),
            Some(row) => self.edit(&Edit::Pick { row }),
            None => self.take_own_text(question, line),
        }
    }

    fn several(&mut self, question: &Question, line: &str) -> LineOutput {
        let numbers = line.split([',', ' ']).filter(|part| !part.is_empty());
        let in_list = |part: &str| number(part).filter(|row| *row < row_count(question));
        let numbers: Option<Vec<usize>> = numbers.map(in_list).collect();
        let named = |part: &str| in_list(part).or_else(|| labelled_row(question, part));
        let parts: Vec<Option<usize>> = match labelled_row(question, line) {
            Some(row) => vec![Some(row)],
            None => line.split(',').map(str::trim).map(named).collect(),
        };
        let is_own = parts.iter().all(Option::is_none);
        let rows = numbers.or_else(|| parts.into_iter().collect());
        let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
            if is_own {
                return self.take_own_text(question, line);
            }
            return self.misheard(question);
        };
        // The line is the whole answer: it replaces earlier ticks and own text, and a repeated
        // number counts once.
        for row in 0..row_count(question) {
            let ticked = self.draft.entries[self.index()].is_ticked(question, row);
            let wanted = rows.contains(&row);
            if ticked != wanted && (ticked || !is_own_row(question, row)) {
                let edit = Edit::Mark { row: Some(row) };
                self.draft = self.draft.reduce(&self.inquiry, &edit, &self.typing).draft;
            }
        }
        if rows.iter().any(|row| is_own_row(question, *row)) {
            self.start_own_text()
        } else {
            self.edit(&Edit::Confirm)
        }
    }

    /// A line that is neither a number nor a label. A single character is more likely a slip.
    fn take_own_text(&mut self, question: &Question, line: &str) -> LineOutput {
        let own = matches!(&question.kind, Kind::Choice(kind) if kind.own_text);
        let is_word = line.chars().count() > 1 && line.chars().any(char::is_alphabetic);
        if !own || !is_word {
            return self.misheard(question);
        }
        // The line is the whole answer.
        for row in 0..row_count(question) {
            if self.draft.entries[self.index()].is_ticked(question, row) {
                let edit = Edit::Mark { row: Some(row) };
                self.draft = self.draft.reduce(&self.inquiry, &edit, &self.typing).draft;
            }
        }
        self.answer_in_own_words(line)
    }

    fn answer_in_own_words(&mut self, line: &str) -> LineOutput {
        let edit = Edit::Write {
            field: DraftField::Own,
            text: line.to_owned(),
        };
        self.draft = self.draft.reduce(&self.inquiry, &edit, &self.typing).draft;
        self.edit(&Edit::Confirm)
    }

    fn start_own_text(&mut self) -> LineOutput {
        self.expecting = Expecting::Own;
        with_cue(&self.text("line-prompt-other", &[]))
    }

    fn misheard(&self, question: &Question) -> LineOutput {
        let count = row_count(question);
        let wrong = self.text("line-not-understood", &[("count", count.into())]);
        with_cue(&format!("{wrong}\n{}", self.cue(question)))
    }

    fn review(&mut self, line: &str) -> LineOutput {
        let command = line.strip_prefix('/').unwrap_or(line);
        match (command, number(line)) {
            _ if line.is_empty() => self.edit(&Edit::Send),
            ("?", _) => with_cue(&format!("{}\n{}", self.review_help(), self.cue_now())),
            ("b", _) => self.edit(&Edit::PreviousPage),
            ("q", _) => {
                self.expecting = Expecting::Leave;
                with_cue(&self.ways())
            }
            (_, Some(row)) if row < self.inquiry.questions().len() => {
                self.edit(&Edit::Pick { row })
            }
            _ => {
                let wrong = self.text("line-review-not-understood", &[]);
                with_cue(&format!("{wrong}\n{}", self.cue_now()))
            }
        }
    }

    fn later(&mut self, then: AfterPostpone) -> LineOutput {
        self.then = then;
        LineOutput {
            text: String::new(),
            end: Some(End::Postponed),
        }
    }

    fn leave(&mut self, line: &str) -> LineOutput {
        let choices = LeaveChoice::all(self.persistence);
        if line.is_empty() {
            self.expecting = Expecting::Answer;
            return self.print_page();
        }
        let Some(choice) = number(line).and_then(|row| choices.get(row)) else {
            let wrong = self.text("line-not-understood", &[("count", choices.len().into())]);
            return with_cue(&format!("{wrong}\n{}", self.ways()));
        };
        match choice.confirmation() {
            Some(_) => {
                self.expecting = Expecting::Confirm(*choice);
                with_cue(&self.confirmation(*choice))
            }
            None => LineOutput {
                text: String::new(),
                end: Some(choice.end()),
            },
        }
    }

    /// Only yes, as a letter or a word, sends anything to the agent.
    fn confirm_leaving(&mut self, choice: LeaveChoice, line: &str) -> LineOutput {
        if YesNo::of(line) == Some(YesNo::Yes) || self.is_yes_letter(line) {
            return LineOutput {
                text: String::new(),
                end: Some(choice.end()),
            };
        }
        self.expecting = Expecting::Answer;
        self.print_page()
    }

    fn is_yes_letter(&self, line: &str) -> bool {
        let letters = self.locale.yes_no_letters();
        let mut yes = letters.iter().filter(|(_, meaning)| *meaning == YesNo::Yes);
        yes.any(|(letter, _)| line.to_lowercase() == letter.to_string())
    }

    pub(super) fn edit(&mut self, edit: &Edit) -> LineOutput {
        let before = self.draft.page;
        let part = self.draft.entries[self.index()].part;
        let index = self.index();
        let step = self.draft.reduce(&self.inquiry, edit, &self.typing);
        self.draft = step.draft;
        if let Some(answers) = step.sent {
            return LineOutput {
                text: self.sending(index),
                end: Some(End::Answered(answers)),
            };
        }
        if let Some(error) = &self.draft.problem {
            let (parser, inquiry, draft) = (&self.typing, &self.inquiry, &self.draft);
            let wrong = problem_text(self.locale, parser, inquiry, draft, error);
            let question = &self.inquiry.questions()[self.index()];
            return with_cue(&format!("{}\n{}", sentence(&wrong), self.cue(question)));
        }
        if self.draft.page == before {
            let moved = self.draft.entries[self.index()].part != part;
            return if moved {
                with_cue(&self.cue(&self.inquiry.questions()[index]))
            } else {
                self.print_page()
            };
        }
        match edit {
            Edit::Confirm | Edit::Pick { .. } if matches!(before, DraftPage::Question(_)) => {
                let confirmation = self.chosen(index, "line-chosen");
                with_cue(&format!("{confirmation}\n{}", self.page()))
            }
            Edit::Skip => {
                let confirmation = self.text("line-skipped", &[]);
                with_cue(&format!("{confirmation}\n{}", self.page()))
            }
            Edit::Move { .. }
            | Edit::Mark { .. }
            | Edit::Pick { .. }
            | Edit::MarkAll
            | Edit::Invert
            | Edit::Open { .. }
            | Edit::Close
            | Edit::Write { .. }
            | Edit::Nudge { .. }
            | Edit::Confirm
            | Edit::GoTo { .. }
            | Edit::NextPage
            | Edit::PreviousPage
            | Edit::Send => self.print_page(),
        }
    }
}

fn number(word: &str) -> Option<usize> {
    word.parse::<usize>().ok()?.checked_sub(1)
}
