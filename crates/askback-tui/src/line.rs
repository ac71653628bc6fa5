//! Line mode, for screen readers and terminals that cannot move the cursor: everything is said once,
//! answers are typed as lines, nothing is redrawn.

use std::io::{self, BufRead as _, BufReader};

use askback_core::draft::{Draft, Edit, Field, Page, Part, is_own_row, row_count};
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};
use askback_core::text::{Lines, clean};
use askback_core::typed::Typing;
use askback_locale::{Arg, Locale};

use crate::badge;
use crate::prompt::End;
use crate::resolved;
use crate::tty::Tty;

/// What a line led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// What is said in return; it ends where the next line is typed.
    pub say: String,
    /// How it ended, if it did.
    pub end: Option<End>,
}

/// What the next line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wants {
    Answer,
    Own,
    Note,
    Leave,
}

/// A prompt made of lines.
#[derive(Debug, Clone)]
pub struct LinePrompt {
    inquiry: Inquiry,
    draft: Draft,
    typing: Typing,
    locale: Locale,
    asker: Option<String>,
    wants: Wants,
}

impl LinePrompt {
    /// A prompt for an inquiry, going on from a draft.
    pub fn new(
        inquiry: Inquiry,
        draft: Option<Draft>,
        locale: Locale,
        today: jiff::civil::Date,
    ) -> LinePrompt {
        let draft = match draft {
            Some(stored) => Draft::restore(&inquiry, stored),
            None => Draft::new(&inquiry),
        };
        let typing = locale.typing(today);
        LinePrompt {
            inquiry,
            draft,
            typing,
            locale,
            asker: None,
            wants: Wants::Answer,
        }
    }

    /// Who asks.
    #[must_use]
    pub fn asked_by(mut self, asker: Option<String>) -> LinePrompt {
        self.asker = asker;
        self
    }

    /// The draft as it stands.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// What is said first.
    pub fn begin(&self) -> String {
        self.page()
    }

    /// What a line leads to.
    pub fn hear(&mut self, line: &str) -> Heard {
        let line = clean(line, Lines::One);
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
        // In a list letters are free; in text only a line that begins with a slash is a command.
        let command = if listed {
            Some(line)
        } else {
            line.strip_prefix('/')
        };
        match command {
            Some("s") => return self.edit(&Edit::Skip),
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
        if !listed && line == "?" {
            return said(&format!("{}\n{}", self.help(question), self.cue(question)));
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
                    return self.edit(&Edit::Skip);
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

    fn several(&mut self, question: &Question, line: &str) -> Heard {
        let parts = line.split([',', ' ']).filter(|part| !part.is_empty());
        let rows: Option<Vec<usize>> = parts
            .map(|part| number(part).filter(|row| *row < row_count(question)))
            .collect();
        let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
            return self.misheard(question);
        };
        // The line is the whole answer: what was ticked before is not added to it.
        let mut own = false;
        let ticked: Vec<usize> = (0..question.choices().len())
            .filter(|row| self.draft.entries[self.index()].is_ticked(question, *row))
            .collect();
        let wanted = rows
            .iter()
            .copied()
            .filter(|row| !is_own_row(question, *row));
        for row in ticked.into_iter().chain(wanted) {
            let edit = Edit::Mark { row: Some(row) };
            self.draft = self.draft.reduce(&self.inquiry, &edit, &self.typing).draft;
        }
        own |= rows.iter().any(|row| is_own_row(question, *row));
        if own {
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

    fn leave(&mut self, line: &str) -> Heard {
        let end = match line {
            "1" => Some(End::Kept),
            "2" => Some(End::Rejected),
            "3" => Some(End::Cancelled),
            _ => None,
        };
        if end.is_none() {
            self.wants = Wants::Answer;
            return self.ask();
        }
        Heard {
            say: String::new(),
            end,
        }
    }

    fn ways(&self) -> String {
        let mut lines = vec![self.text("leave-title", &[])];
        for (number, id) in ["leave-keep", "leave-reject", "leave-cancel"]
            .iter()
            .enumerate()
        {
            let label = self.text(id, &[]);
            let args = [("number", (number + 1).into()), ("label", label.into())];
            lines.push(self.text("line-choice", &args));
        }
        lines.push(self.text("line-prompt-leave", &[("count", 3_usize.into())]));
        lines.join("\n")
    }

    /// Works an edit into the draft and says what comes next.
    fn edit(&mut self, edit: &Edit) -> Heard {
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

    fn chosen(&self, index: usize, id: &str) -> String {
        let question = &self.inquiry.questions()[index];
        let answer = resolved::entry_text(self.locale, question, &self.draft.entries[index]);
        self.text(id, &[("answer", answer.into())])
    }

    fn ask(&self) -> Heard {
        said(&self.page())
    }

    fn index(&self) -> usize {
        match self.draft.page {
            Page::Question(index) => index,
            Page::Review => 0,
        }
    }

    fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.locale.text(id, args)
    }

    /// The question with its choices, or all answers.
    fn page(&self) -> String {
        let count = self.inquiry.questions().len();
        let Page::Question(index) = self.draft.page else {
            return self.all();
        };
        let question = &self.inquiry.questions()[index];
        let name = resolved::name(self.locale, question);
        let place = [("index", Arg::from(index + 1)), ("count", count.into())];
        let first = if let Some(agent) = &self.asker {
            let [index, count] = place;
            let args = [index, count, ("agent", agent.into()), ("name", name.into())];
            self.text("line-question", &args)
        } else {
            format!("{}. {name}.", self.text("question-of", &place))
        };
        let mut lines = vec![first];
        lines.push(question.text.to_string());
        lines.extend(question.context.as_ref().map(ToString::to_string));
        for row in 0..row_count(question) {
            lines.push(self.choice(question, row));
        }
        if question.skippable {
            lines.push(format!("{}.", self.text("optional", &[])));
        }
        lines.push(self.cue(question));
        lines.join("\n")
    }

    fn choice(&self, question: &Question, row: usize) -> String {
        let number = ("number", Arg::from(row + 1));
        let Some(choice) = question.choices().get(row) else {
            return self.text("line-other", &[number]);
        };
        let (label, advised) = badge::split(choice);
        let id = match (advised, choice.description.is_some()) {
            (true, true) => "line-choice-recommended-described",
            (true, false) => "line-choice-recommended",
            (false, true) => "line-choice-described",
            (false, false) => "line-choice",
        };
        let description = choice
            .description
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let description = description.trim_end_matches('.').replace('\n', " ");
        self.text(
            id,
            &[
                number,
                ("label", label.into()),
                ("description", description.into()),
            ],
        )
    }

    fn all(&self) -> String {
        let mut lines = vec![format!("{}.", self.text("review-lead", &[]))];
        for (at, question) in self.inquiry.questions().iter().enumerate() {
            let entry = &self.draft.entries[at];
            let answer = match entry.standing(question) {
                askback_core::draft::Standing::Given => {
                    resolved::entry_text(self.locale, question, entry)
                }
                askback_core::draft::Standing::Skipped => self.text("answer-skipped", &[]),
                askback_core::draft::Standing::Open => self.text("answer-open", &[]),
            };
            lines.push(format!(
                "{}. {}: {answer}.",
                at + 1,
                resolved::name(self.locale, question)
            ));
        }
        lines.push(self.text("line-prompt-review", &[]));
        lines.join("\n")
    }

    /// What to type.
    fn cue(&self, question: &Question) -> String {
        let example = ("example", Arg::from(self.typing.today.to_string()));
        match &question.kind {
            Kind::Choice(kind) => {
                let id = if kind.several {
                    "line-prompt-several"
                } else {
                    "line-prompt-one"
                };
                self.text(id, &[("count", row_count(question).into())])
            }
            Kind::Text(_) => self.text("line-prompt-text", &[]),
            Kind::Number(_) => self.text("line-prompt-number", &[]),
            Kind::Date(_) => self.text("line-prompt-date", &[example]),
            Kind::DateRange(_) => match self.draft.entries[self.index()].part {
                Part::Start => self.text("line-prompt-start", &[example]),
                Part::End => self.text("line-prompt-end", &[]),
            },
        }
    }

    fn help(&self, question: &Question) -> String {
        match &question.kind {
            Kind::Choice(kind) if kind.several => self.text("line-help-several", &[]),
            Kind::Choice(_) => self.text("line-help", &[]),
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                self.text("line-help-text", &[])
            }
        }
    }
}

/// Says something, and waits for a line behind it.
fn said(say: &str) -> Heard {
    Heard {
        say: format!("{say} "),
        end: None,
    }
}

/// Asks on a terminal, line by line, until it is over. The end of the input leaves the question open.
pub fn run(tty: &Tty, mut prompt: LinePrompt) -> io::Result<(End, LinePrompt)> {
    let mut lines = BufReader::new(&tty.input);
    tty.write(format!("{} ", prompt.begin()).as_bytes())?;
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            tty.write(b"\n")?;
            return Ok((End::Kept, prompt));
        }
        let heard = prompt.hear(&line);
        tty.write(heard.say.as_bytes())?;
        if let Some(end) = heard.end {
            return Ok((end, prompt));
        }
    }
}

/// The row that a number names.
fn number(word: &str) -> Option<usize> {
    word.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
