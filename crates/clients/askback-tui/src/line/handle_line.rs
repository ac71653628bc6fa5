//! Interprets a typed line: an answer, a command, or a choice of the leave menu.

use askback_core::answer::{AnswerProblem, ShownChoices};
use askback_core::draft::{DraftField, DraftPage, Edit, RangeEnd, row_count};
use askback_core::question::{ChoiceKind, Kind, Question};
use askback_core::text::{self, clean};
use jiff::civil::Date;

use super::punctuation::sentence;
use super::{AfterPostpone, Expecting, LineOutput, LinePrompt, is_yes, with_cue};
use crate::leave_menu::LeaveChoice;
use crate::problem_text::problem_text;
use crate::prompt::End;

impl LinePrompt {
    /// Handles a typed line. Any line stops the deadline.
    pub fn handle_line(&mut self, line: &str) -> LineOutput {
        self.options.deadline = None;
        let line = clean(line, text::Lines::One);
        let line = line.trim();
        match self.expecting {
            Expecting::Own => {
                self.expecting = Expecting::Answer;
                self.answer_in_own_words(line)
            }
            Expecting::Note => {
                self.expecting = Expecting::Answer;
                self.write(DraftField::Note, line);
                self.apply(&Edit::Close);
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
            Some("l") if self.is_in_inbox() => {
                return self.later(AfterPostpone::NextQuestion);
            }
            Some("b") if self.is_in_inbox() && index == 0 => {
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
            Kind::Choice(kind) => self.choose(question, kind, line),
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                let field = match (&question.kind, self.draft.entries[index].part) {
                    (Kind::DateRange(_), RangeEnd::End) => DraftField::End,
                    _ => DraftField::Answer,
                };
                if line.is_empty() && question.skippable {
                    let words = self.text("line-nothing-typed", &[]);
                    return with_cue(&format!("{words}\n{}", self.cue(question)));
                }
                if matches!(question.kind, Kind::DateRange(_))
                    && let Some((start, end)) = self.typing.date_range(line)
                {
                    return self.take_range(index, start, end);
                }
                self.write(field, line);
                if let Some(date) = self.read_date(question, line) {
                    self.expecting = Expecting::Date;
                    let words = self.text("line-so-far", &[("answer", date.into())]);
                    return with_cue(&format!("{words}\n{}", self.cue(question)));
                }
                self.edit(&Edit::Confirm)
            }
        }
    }

    /// Applies an edit that does not complete the answer.
    pub(super) fn apply(&mut self, edit: &Edit) {
        self.draft = self.draft.reduce(&self.inquiry, edit, &self.typing).draft;
    }

    fn write(&mut self, field: DraftField, text: &str) {
        let text = text.to_owned();
        self.apply(&Edit::Write { field, text });
    }

    /// Both days of a range in one line. They are printed in full, and an empty line confirms them.
    fn take_range(&mut self, index: usize, start: Date, end: Date) -> LineOutput {
        self.write(DraftField::Answer, &start.to_string());
        self.write(DraftField::End, &end.to_string());
        self.apply(&Edit::Open {
            field: DraftField::End,
        });
        self.expecting = Expecting::Date;
        let question = &self.inquiry.questions()[index];
        with_cue(&format!(
            "{}\n{}",
            self.chosen(index, "line-so-far"),
            self.cue(question)
        ))
    }

    fn help_again(&self, question: &Question) -> LineOutput {
        with_cue(&format!("{}\n{}", self.help(question), self.cue(question)))
    }

    /// The date in full, unless it was typed as it is sent.
    fn read_date(&self, question: &Question, line: &str) -> Option<String> {
        match &question.kind {
            Kind::Date(_) | Kind::DateRange(_) => {
                let date = self.typing.date(line)?;
                (date.to_string() != line).then(|| self.options.locale.date_long(date))
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

    /// The line is the whole answer: it replaces earlier ticks and own text.
    fn choose(&mut self, question: &Question, kind: &ChoiceKind, line: &str) -> LineOutput {
        let shown = ShownChoices::of(kind).marked(&self.typing.recommended);
        let mut typed = match shown.with_own_row().read(line) {
            Ok(typed) => typed,
            Err(problem @ AnswerProblem::AmbiguousChoice { .. }) => {
                let name = self
                    .options
                    .locale
                    .name_among(question, self.inquiry.questions());
                let wrong = self.options.locale.named_problem(&name, &problem);
                return with_cue(&format!("{wrong}\n{}", self.cue(question)));
            }
            Err(_) => return self.misheard(question),
        };
        let own_row = kind.choices.len();
        if let Some(own) = typed.own.take_if(|_| typed.rows.is_empty()) {
            if self.is_own_row_shown_as(question, &own) {
                typed.rows.push(own_row);
            } else if own.chars().count() == 1 {
                // Letters are commands here, so that one alone is more likely a slip.
                return self.misheard(question);
            } else {
                typed.own = Some(own);
            }
        }
        if let (false, [row]) = (kind.several, typed.rows.as_slice())
            && *row != own_row
        {
            return self.edit(&Edit::Pick { row: *row });
        }
        for row in 0..row_count(question) {
            let ticked = self.draft.entries[self.index()].is_ticked(question, row);
            let wanted = typed.rows.contains(&row);
            if ticked != wanted && (ticked || row != own_row) {
                self.apply(&Edit::Mark { row: Some(row) });
            }
        }
        match typed.own {
            Some(own) => self.answer_in_own_words(&own),
            None if typed.rows.contains(&own_row) => self.start_own_text(),
            None => self.edit(&Edit::Confirm),
        }
    }

    /// Whether a line is the row of own text as it is shown, or its name.
    fn is_own_row_shown_as(&self, question: &Question, line: &str) -> bool {
        let row = question.choices().len();
        let name = self.text("other", &[]);
        let numbered = format!("{}. {name}", row + 1);
        let plain = |text: &str| text.trim_end_matches(['.', '。']).to_lowercase();
        let mut shown = [self.choice(question, row), name, numbered].into_iter();
        shown.any(|shown| plain(&shown) == plain(line))
    }

    fn answer_in_own_words(&mut self, line: &str) -> LineOutput {
        self.write(DraftField::Own, line);
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
        ended(End::Postponed)
    }

    fn leave(&mut self, line: &str) -> LineOutput {
        let choices = self.leave_choices();
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
            None => ended(choice.end()),
        }
    }

    /// Only yes, as a letter or a word, sends anything to the agent.
    fn confirm_leaving(&mut self, choice: LeaveChoice, line: &str) -> LineOutput {
        if is_yes(self.options.locale, line) {
            return ended(choice.end());
        }
        self.expecting = Expecting::Answer;
        self.print_page()
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
            let wrong = problem_text(self.options.locale, parser, inquiry, draft, error);
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

/// The prompt has ended, and there is nothing to print.
fn ended(end: End) -> LineOutput {
    LineOutput {
        text: String::new(),
        end: Some(end),
    }
}

fn number(word: &str) -> Option<usize> {
    word.parse::<usize>().ok()?.checked_sub(1)
}
