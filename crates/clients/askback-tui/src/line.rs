//! Line mode, for screen readers and terminals that cannot move the cursor: everything is printed
//! once, answers are typed as lines, nothing is redrawn.

mod handle_line;
mod line_guard;
mod messages;
mod offer_undo;
pub(crate) mod punctuation;
mod resume_draft;
mod run;
mod sent_text;

use std::time::Duration;

use askback_core::draft::{Draft, DraftPage, row_count};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::Kind;
use askback_locale::{Arg, Locale};

use crate::answer_summary;
use crate::deadline::Deadline;
use crate::leave_menu::LeaveChoice;
use crate::prompt::{AskerKind, End, Persistence};
use crate::yes_no::YesNoChoices;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::row::Row;

pub use offer_undo::offer_undo;
use punctuation::{sentence, without_doubled_stops};
pub use run::run;

/// The result of a typed line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineOutput {
    /// The text to print. It ends with the cue for the next line.
    pub text: String,
    /// Set when the prompt has ended.
    pub end: Option<End>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expecting {
    Answer,
    /// A date was read and printed, and an empty line confirms it.
    Date,
    Own,
    Note,
    Leave,
    Confirm(LeaveChoice),
}

/// What surrounds the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptContext {
    /// A single question, as in `askback ask`.
    Standalone,
    /// One question of the inbox, which can be returned to.
    Inbox,
}

/// What follows a question of the inbox that was left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterPostpone {
    /// Continue with the next question.
    NextQuestion,
    /// Return to the list.
    List,
}

/// What was printed about a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Announced {
    Nothing,
    Near,
    Over,
}

/// A prompt in line mode.
#[derive(Debug, Clone)]
pub struct LinePrompt {
    inquiry: Inquiry,
    draft: Draft,
    typing: InputParser,
    locale: Locale,
    asker: Option<String>,
    asker_kind: AskerKind,
    expecting: Expecting,
    deadline: Option<Deadline>,
    /// What was printed about the deadline.
    announced: Announced,
    place: PromptContext,
    then: AfterPostpone,
    persistence: Persistence,
    yes_no: Vec<Option<YesNoChoices>>,
}

impl LinePrompt {
    /// Starts from the draft if there is one.
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
            asker_kind: AskerKind::default(),
            expecting: Expecting::Answer,
            deadline: None,
            announced: Announced::Nothing,
            place: PromptContext::Standalone,
            then: AfterPostpone::List,
            persistence: Persistence::default(),
            yes_no,
        }
    }

    /// Sets the name of the asker.
    #[must_use]
    pub fn asked_by(mut self, asker: Option<String>) -> LinePrompt {
        self.asker = asker;
        self
    }

    /// Sets whether an agent or a script asks.
    #[must_use]
    pub fn asker_kind(mut self, kind: AskerKind) -> LinePrompt {
        self.asker_kind = kind;
        self
    }

    /// Sets the deadline.
    #[must_use]
    pub fn until(mut self, deadline: Option<Deadline>) -> LinePrompt {
        self.deadline = deadline;
        self
    }

    /// Sets what surrounds the prompt.
    #[must_use]
    pub fn at(mut self, place: PromptContext) -> LinePrompt {
        self.place = place;
        self
    }

    /// Sets whether the question is stored when it is left.
    #[must_use]
    pub fn persistence(mut self, persistence: Persistence) -> LinePrompt {
        self.persistence = persistence;
        self
    }

    /// The current draft, to be saved when it changes.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The inquiry that is answered.
    pub fn inquiry(&self) -> &Inquiry {
        &self.inquiry
    }

    /// The deadline; `None` once a line has stopped it.
    pub fn deadline(&self) -> Option<&Deadline> {
        self.deadline.as_ref()
    }

    /// What follows if the question was left open.
    pub fn then(&self) -> AfterPostpone {
        self.then
    }

    /// What was typed and not sent, as lines for the scrollback.
    pub fn unsent(&self) -> Vec<Row> {
        answer_summary::unsent(self.locale, &self.draft)
    }

    /// The text to print first: the question and its cue.
    pub fn begin(&mut self, now: MonotonicTime) -> LineOutput {
        let is_near = self.deadline.is_some_and(|deadline| deadline.is_near(now));
        self.announced = if is_near {
            Announced::Near
        } else {
            Announced::Nothing
        };
        self.print_page()
    }

    /// The server moved the deadline, or removed it.
    pub fn set_deadline(&mut self, deadline: Option<Deadline>) {
        self.deadline = deadline;
        self.announced = Announced::Nothing;
    }

    /// The time until [`LinePrompt::tick`] must be called; `None` without a deadline, or if all is said.
    pub fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let deadline = self.deadline.as_ref()?;
        match self.announced {
            Announced::Nothing => Some(deadline.shown_from().saturating_sub(now)),
            Announced::Near => Some(deadline.left(now)),
            Announced::Over => None,
        }
    }

    /// Checks the deadline. Each notice is printed once.
    pub fn tick(&mut self, now: MonotonicTime) -> LineOutput {
        let quiet = LineOutput {
            text: String::new(),
            end: None,
        };
        let Some(deadline) = self.deadline else {
            return quiet;
        };
        if deadline.is_over(now) && self.persistence == Persistence::None {
            return LineOutput {
                text: "\n".to_owned(),
                end: Some(End::Expired),
            };
        }
        let words = match self.announced {
            Announced::Nothing | Announced::Near if deadline.is_over(now) => {
                self.announced = Announced::Over;
                sentence(&self.text("deadline-over", &[]))
            }
            Announced::Nothing if deadline.is_near(now) => {
                self.announced = Announced::Near;
                self.closing().unwrap_or_default()
            }
            Announced::Nothing | Announced::Near | Announced::Over => return quiet,
        };
        with_cue(&format!("\n{words}\n{}", self.cue_now()))
    }

    /// What the next line would act on; a change of it closes the line guard.
    fn shown(&self) -> (DraftPage, Expecting) {
        (self.draft.page, self.expecting)
    }

    /// The highest digit that is a complete answer; `None` if more could follow.
    pub(super) fn digits(&self) -> Option<usize> {
        let count = match (self.expecting, self.draft.page) {
            (Expecting::Leave, _) => self.leave_choices().len(),
            (Expecting::Own | Expecting::Note | Expecting::Date | Expecting::Confirm(_), _) => {
                return None;
            }
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

    fn leave_choices(&self) -> &'static [LeaveChoice] {
        LeaveChoice::all(self.persistence, self.asker_kind)
    }

    fn print_page(&self) -> LineOutput {
        with_cue(&self.page())
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

fn with_cue(text: &str) -> LineOutput {
    LineOutput {
        text: format!("{text} "),
        end: None,
    }
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
