//! What a typed line means: an answer, a command, or a way to leave.

use askback_core::draft::{Edit, Field, Page, Part, is_own_row, row_count};
use askback_core::question::{Kind, Question};
use askback_core::text::{self, clean};
use askback_locale::YesNo;

use super::{Heard, LinePrompt, Place, Then, Wants, said};
use crate::leave::LeaveChoice;
use crate::prompt::End;

impl LinePrompt {
    /// What a line leads to. Whatever it says, whoever types is there, so that nothing closes.
    pub fn hear(&mut self, line: &str) -> Heard {
        self.deadline = None;
        let line = clean(line, text::Lines::One);
        let line = line.trim();
        match self.wants {
            Wants::Own => {
                let text = line.to_owned();
                self.wants = Wants::Answer;
                self.draft = self
                    .draft
                    .reduce(
                        &self.inquiry,
                        &Edit::Write {
                            field: Field::Own,
                            text,
                        },
                        &self.typing,
                    )
                    .draft;
                self.edit(&Edit::Confirm)
            }
            Wants::Note => {
                let text = line.to_owned();
                self.wants = Wants::Answer;
                let edits = [
                    Edit::Write {
                        field: Field::Note,
                        text,
                    },
                    Edit::Close,
                ];
                for edit in &edits {
                    self.draft = self.draft.reduce(&self.inquiry, edit, &self.typing).draft;
                }
                self.ask()
            }
            Wants::Leave => self.leave(line),
            Wants::Confirm(choice) => self.confirm_leaving(choice, line),
            Wants::Answer => match self.draft.page {
                Page::Review => self.review(line),
                Page::Question(index) => self.question(index, line),
            },
        }
    }

    fn question(&mut self, index: usize, line: &str) -> Heard {
        let inquiry = self.inquiry.clone();
        let question = &inquiry.questions()[index];
        let listed = matches!(question.kind, Kind::Choice(_));
        if let Some(heard) = self.yes_or_no(index, line) {
            return heard;
        }
        // In a list letters are free, unless they answer yes or no; elsewhere only a line that
        // begins with a slash is a command.
        let slashed = line.strip_prefix('/');
        let command = if listed && self.yes_no[index].is_none() {
            slashed.or(Some(line))
        } else {
            slashed
        };
        match command {
            Some("s") => return self.edit(&Edit::Skip),
            Some("l") if self.place == Place::Inbox => return self.later(Then::Next),
            Some("b") if self.place == Place::Inbox && index == 0 => return self.later(Then::List),
            Some("b") => return self.edit(&Edit::PreviousPage),
            Some("n") => {
                self.wants = Wants::Note;
                return said(&self.text("line-prompt-note", &[]));
            }
            Some("q") => {
                self.wants = Wants::Leave;
                return said(&self.ways());
            }
            Some("?") => {
                return said(&format!("{}\n{}", self.help(question), self.cue(question)));
            }
            Some(_) | None => {}
        }
        if line == "?" {
            return said(&format!("{}\n{}", self.help(question), self.cue(question)));
        }
        if line.is_empty() && self.so_far(index).is_some() {
            return self.keep(index);
        }
        match &question.kind {
            Kind::Choice(kind) if kind.several => self.several(question, line),
            Kind::Choice(_) => match number(line).filter(|row| *row < row_count(question)) {
                Some(row) if is_own_row(question, row) => self.own(),
                Some(row) => self.edit(&Edit::Pick { row }),
                None => self.misheard(question),
            },
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                let field = match (&question.kind, self.draft.entries[index].part) {
                    (Kind::DateRange(_), Part::End) => Field::End,
                    _ => Field::Answer,
                };
                if line.is_empty() && question.skippable {
                    let words = self.text("line-nothing-typed", &[]);
                    return said(&format!("{words}\n{}", self.cue(question)));
                }
                let text = line.to_owned();
                self.draft = self
                    .draft
                    .reduce(&self.inquiry, &Edit::Write { field, text }, &self.typing)
                    .draft;
                self.edit(&Edit::Confirm)
            }
        }
    }

    /// A letter or a word for yes or no, where the question is one of yes or no.
    fn yes_or_no(&mut self, index: usize, line: &str) -> Option<Heard> {
        let choices = self.yes_no[index].as_ref()?;
        let meaning = choices.meaning(line)?;
        Some(match choices.row(meaning) {
            Some(row) => self.edit(&Edit::Pick { row }),
            None => self.misheard(&self.inquiry.questions()[index]),
        })
    }

    fn several(&mut self, question: &Question, line: &str) -> Heard {
        let parts = line.split([',', ' ']).filter(|part| !part.is_empty());
        let rows: Option<Vec<usize>> = parts
            .map(|part| number(part).filter(|row| *row < row_count(question)))
            .collect();
        let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
            return self.misheard(question);
        };
        // The line is the whole answer: what was ticked before is not added to it, an answer of
        // one's own included, and a number that is typed twice is meant once.
        for row in 0..row_count(question) {
            let ticked = self.draft.entries[self.index()].is_ticked(question, row);
            let wanted = rows.contains(&row);
            if ticked != wanted && (ticked || !is_own_row(question, row)) {
                let edit = Edit::Mark { row: Some(row) };
                self.draft = self.draft.reduce(&self.inquiry, &edit, &self.typing).draft;
            }
        }
        if rows.iter().any(|row| is_own_row(question, *row)) {
            self.own()
        } else {
            self.edit(&Edit::Confirm)
        }
    }

    fn own(&mut self) -> Heard {
        self.wants = Wants::Own;
        said(&self.text("line-prompt-other", &[]))
    }

    fn misheard(&self, question: &Question) -> Heard {
        let count = row_count(question);
        let wrong = self.text("line-not-understood", &[("count", count.into())]);
        said(&format!("{wrong}\n{}", self.cue(question)))
    }

    fn review(&mut self, line: &str) -> Heard {
        match (line, number(line)) {
            ("", _) => self.edit(&Edit::Send),
            ("b", _) => self.edit(&Edit::PreviousPage),
            ("q", _) => {
                self.wants = Wants::Leave;
                said(&self.ways())
            }
            (_, Some(row)) if row < self.inquiry.questions().len() => {
                self.edit(&Edit::Pick { row })
            }
            _ => self.ask(),
        }
    }

    fn later(&mut self, then: Then) -> Heard {
        self.then = then;
        Heard {
            say: String::new(),
            end: Some(End::Kept),
        }
    }

    fn leave(&mut self, line: &str) -> Heard {
        let choices = LeaveChoice::all(self.kept);
        let Some(choice) = number(line).and_then(|row| choices.get(row)) else {
            self.wants = Wants::Answer;
            return self.ask();
        };
        match choice.confirmation() {
            Some(_) => {
                self.wants = Wants::Confirm(*choice);
                said(&self.confirmation(*choice))
            }
            None => Heard {
                say: String::new(),
                end: Some(choice.end()),
            },
        }
    }

    /// Only a yes, as a letter or a word, tells the agent anything.
    fn confirm_leaving(&mut self, choice: LeaveChoice, line: &str) -> Heard {
        if YesNo::of(line) == Some(YesNo::Yes) || self.is_yes_letter(line) {
            return Heard {
                say: String::new(),
                end: Some(choice.end()),
            };
        }
        self.wants = Wants::Answer;
        self.ask()
    }

    fn is_yes_letter(&self, line: &str) -> bool {
        let letters = self.locale.yes_no_letters();
        let mut yes = letters.iter().filter(|(_, meaning)| *meaning == YesNo::Yes);
        yes.any(|(letter, _)| line.to_lowercase() == letter.to_string())
    }

    /// Works an edit into the draft and says what comes next.
    pub(super) fn edit(&mut self, edit: &Edit) -> Heard {
        let before = self.draft.page;
        let part = self.draft.entries[self.index()].part;
        let index = self.index();
        let step = self.draft.reduce(&self.inquiry, edit, &self.typing);
        self.draft = step.draft;
        if let Some(answers) = step.sent {
            let said = if self.inquiry.questions().len() == 1 {
                self.chosen(index, "line-chosen-sent")
            } else {
                self.text("line-sent", &[])
            };
            return Heard {
                say: format!("{said}\n"),
                end: Some(End::Answered(answers)),
            };
        }
        if let Some(error) = &self.draft.problem {
            let wrong = self.locale.problem(error, self.inquiry.questions());
            let question = &self.inquiry.questions()[self.index()];
            return said(&format!("{wrong}.\n{}", self.cue(question)));
        }
        if self.draft.page == before {
            let moved = self.draft.entries[self.index()].part != part;
            return if moved {
                said(&self.cue(&self.inquiry.questions()[index]))
            } else {
                self.ask()
            };
        }
        match edit {
            Edit::Confirm | Edit::Pick { .. } if matches!(before, Page::Question(_)) => {
                let told = self.chosen(index, "line-chosen");
                said(&format!("{told}\n{}", self.page()))
            }
            Edit::Skip => {
                let told = self.text("line-skipped", &[]);
                said(&format!("{told}\n{}", self.page()))
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
            | Edit::Send => self.ask(),
        }
    }
}

/// The row that a number names.
fn number(word: &str) -> Option<usize> {
    word.parse::<usize>().ok()?.checked_sub(1)
}
