//! Line mode, for screen readers and terminals that cannot move the cursor: everything is printed
//! once, answers are typed as lines, nothing is redrawn.

mod handle_line;
mod line_guard;
mod offer_undo;
mod prompt_text;
pub(crate) mod punctuation;
mod resume_draft;
mod run;
mod sent_text;

use std::time::Duration;

use askback_core::draft::{Draft, DraftPage};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_locale::{Arg, Locale, YesNo};

use crate::answer_summary;
use crate::deadline::Deadline;
use crate::leave_menu::LeaveChoice;
use crate::prompt::{End, EscAtTop, Persistence, PromptOptions};
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
    options: PromptOptions,
    expecting: Expecting,
    /// What was printed about the deadline.
    announced: Announced,
    then: AfterPostpone,
    yes_no: Vec<Option<YesNoChoices>>,
}

impl LinePrompt {
    /// Starts from `options.draft` if there is one. Lines have the same options as frames, and no use for those about
    /// what a frame looks like.
    pub fn new(inquiry: Inquiry, mut options: PromptOptions) -> LinePrompt {
        let draft = match options.draft.take() {
            Some(stored) => Draft::restore(&inquiry, stored),
            None => Draft::new(&inquiry),
        };
        let locale = options.locale;
        let questions = inquiry.questions().iter();
        let yes_no = questions.map(|question| YesNoChoices::of(question, locale));
        LinePrompt {
            yes_no: yes_no.collect(),
            typing: locale.typing(options.today),
            inquiry,
            draft,
            options,
            expecting: Expecting::Answer,
            announced: Announced::Nothing,
            then: AfterPostpone::List,
        }
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
        self.options.deadline.as_ref()
    }

    /// What follows if the question was left open.
    pub fn then(&self) -> AfterPostpone {
        self.then
    }

    /// What was typed and not sent, as lines for the scrollback.
    pub fn unsent(&self) -> Vec<Row> {
        answer_summary::unsent(self.options.locale, &self.draft)
    }

    /// The text to print first: the question and its cue.
    pub fn begin(&mut self, now: MonotonicTime) -> LineOutput {
        let is_near = self
            .options
            .deadline
            .is_some_and(|deadline| deadline.is_near(now));
        self.announced = if is_near {
            Announced::Near
        } else {
            Announced::Nothing
        };
        self.print_page()
    }

    /// The server moved the deadline, or removed it.
    pub fn set_deadline(&mut self, deadline: Option<Deadline>) {
        self.options.deadline = deadline;
        self.announced = Announced::Nothing;
    }

    /// The time until [`LinePrompt::tick`] must be called; `None` without a deadline, or if all is said.
    pub fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let deadline = self.options.deadline.as_ref()?;
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
        let Some(deadline) = self.options.deadline else {
            return quiet;
        };
        if deadline.is_over(now) && self.options.persistence == Persistence::None {
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

    /// Whether it is one of several questions, which can be returned to.
    fn is_in_inbox(&self) -> bool {
        self.options.esc_at_top == EscAtTop::GoesBack
    }

    fn leave_choices(&self) -> &'static [LeaveChoice] {
        LeaveChoice::all(self.options.persistence, self.options.asker_kind)
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
        without_doubled_stops(&self.options.locale.text(id, args))
    }
}

/// Whether a line says yes, as a letter or a word.
pub fn is_yes(locale: Locale, line: &str) -> bool {
    let typed = line.trim().to_lowercase();
    let letters = locale.yes_no_letters().into_iter();
    let mut yes = letters.filter(|(_, meaning)| *meaning == YesNo::Yes);
    yes.any(|(letter, _)| typed == letter.to_string()) || YesNo::of(&typed) == Some(YesNo::Yes)
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
