//! Line mode, for screen readers and terminals that cannot move the cursor: everything is said once,
//! answers are typed as lines, nothing is redrawn.

mod handle_line;
mod line_guard;
mod messages;
pub(crate) mod punctuation;
mod resume_draft;
mod run;

use std::time::Duration;

use askback_core::draft::{Draft, DraftPage, row_count};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::Kind;
use askback_locale::{Arg, Locale};

use crate::answer_summary;
use crate::deadline::Deadline;
use crate::leave_menu::LeaveChoice;
use crate::prompt::{End, Persistence};
use crate::yes_no::YesNoChoices;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::Row;

use punctuation::without_doubled_stops;
pub use run::run;

/// What a line led to.
#[derive(Debug, Clone, PartialEq)]
pub struct LineOutput {
    /// What is said in return; it ends where the next line is typed.
    pub say: String,
    /// How it ended, if it did.
    pub end: Option<End>,
}

/// What the next line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expecting {
    Answer,
    Own,
    Note,
    Leave,
    Confirm(LeaveChoice),
}

/// Where a question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptContext {
    /// By itself.
    Standalone,
    /// As one of a list that can be gone back to.
    Inbox,
}

/// What comes after a question of a list that was left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterPostpone {
    /// The next question.
    NextQuestion,
    /// The list.
    List,
}

/// A prompt made of lines.
#[derive(Debug, Clone)]
pub struct LinePrompt {
    inquiry: Inquiry,
    draft: Draft,
    typing: InputParser,
    locale: Locale,
    asker: Option<String>,
    expecting: Expecting,
    deadline: Option<Deadline>,
    /// Whether it was said when the question closes.
    announced: bool,
    place: PromptContext,
    then: AfterPostpone,
    persistence: Persistence,
    yes_no: Vec<Option<YesNoChoices>>,
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
        let questions = inquiry.questions().iter();
        let yes_no = questions.map(|question| YesNoChoices::of(question, locale));
        let yes_no = yes_no.collect();
        LinePrompt {
            inquiry,
            draft,
            typing,
            locale,
            asker: None,
            expecting: Expecting::Answer,
            deadline: None,
            announced: false,
            place: PromptContext::Standalone,
            then: AfterPostpone::List,
            persistence: Persistence::default(),
            yes_no,
        }
    }

    /// Who asks.
    #[must_use]
    pub fn asked_by(mut self, asker: Option<String>) -> LinePrompt {
        self.asker = asker;
        self
    }

    /// When it closes.
    #[must_use]
    pub fn until(mut self, deadline: Option<Deadline>) -> LinePrompt {
        self.deadline = deadline;
        self
    }

    /// Where it is asked.
    #[must_use]
    pub fn at(mut self, place: PromptContext) -> LinePrompt {
        self.place = place;
        self
    }

    /// Whether it waits somewhere when it is left.
    #[must_use]
    pub fn persistence(mut self, persistence: Persistence) -> LinePrompt {
        self.persistence = persistence;
        self
    }

    /// The draft as it stands.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// What is asked.
    pub fn inquiry(&self) -> &Inquiry {
        &self.inquiry
    }

    /// The deadline, until a line stopped it.
    pub fn deadline(&self) -> Option<&Deadline> {
        self.deadline.as_ref()
    }

    /// What comes next if it was left open.
    pub fn then(&self) -> AfterPostpone {
        self.then
    }

    /// What was typed and not sent, as lines that stay.
    pub fn unsent(&self) -> Vec<Row> {
        answer_summary::unsent(self.locale, &self.draft)
    }

    /// What is said first.
    pub fn begin(&mut self, now: MonotonicTime) -> LineOutput {
        self.announced = self.deadline.is_some_and(|deadline| deadline.is_near(now));
        self.ask()
    }

    /// After which time [`tick`](LinePrompt::tick) wants to be called; `None` without a deadline.
    pub fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let deadline = self.deadline.as_ref()?;
        Some(if self.announced {
            deadline.left(now)
        } else {
            deadline.shown_from().saturating_sub(now)
        })
    }

    /// Time passed. A deadline is told of once, on a line of its own.
    pub fn tick(&mut self, now: MonotonicTime) -> LineOutput {
        let quiet = LineOutput {
            say: String::new(),
            end: None,
        };
        let Some(deadline) = self.deadline else {
            return quiet;
        };
        if deadline.left(now).is_zero() {
            return LineOutput {
                say: "\n".to_owned(),
                end: Some(End::Expired),
            };
        }
        if self.announced || !deadline.is_near(now) {
            return quiet;
        }
        self.announced = true;
        let closing = self.closing().unwrap_or_default();
        said(&format!("\n{closing}\n{}", self.cue_now()))
    }

    /// What the next line would act on. It is read before a line acts on it.
    fn shown(&self) -> (DraftPage, Expecting) {
        (self.draft.page, self.expecting)
    }

    /// The highest digit that is an answer by itself; none where more could follow.
    pub(super) fn digits(&self) -> Option<usize> {
        let count = match (self.expecting, self.draft.page) {
            (Expecting::Leave, _) => 3,
            (Expecting::Own | Expecting::Note | Expecting::Confirm(_), _) => return None,
            (Expecting::Answer, DraftPage::Review) => self.inquiry.questions().len(),
            (Expecting::Answer, DraftPage::Question(index)) => {
                let question = &self.inquiry.questions()[index];
                match &question.kind {
                    Kind::Choice(kind) if !kind.several => row_count(question),
                    Kind::Choice(_)
                    | Kind::Text(_)
                    | Kind::Number(_)
                    | Kind::Date(_)
                    | Kind::DateRange(_) => return None,
                }
            }
        };
        (count < 10).then_some(count)
    }

    fn ask(&self) -> LineOutput {
        said(&self.page())
    }

    fn index(&self) -> usize {
        match self.draft.page {
            DraftPage::Question(index) => index,
            DraftPage::Review => 0,
        }
    }

    fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        without_doubled_stops(&self.locale.text(id, args))
    }
}

/// Says something, and waits for a line behind it.
fn said(say: &str) -> LineOutput {
    LineOutput {
        say: format!("{say} "),
        end: None,
    }
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
