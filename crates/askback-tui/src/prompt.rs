//! The question prompt: state, what a key does to it, and what it looks like.
//!
//! A prompt owns no terminal. It is fed events and asked for a frame, so that it can stand alone
//! (`askback ask`, through [`Session`](crate::session::PromptSession)) or inside of a larger screen:
//!
//! ```text
//! let mut prompt = Prompt::new(inquiry, options);     // options.draft resumes an earlier one
//! loop {
//!     prompt.handle(&InputEvent::Resize(area), now);       // the room it may use, whenever that changes
//!     let frame = prompt.view();                      // rows and a cursor, relative to the area
//!     prompt.painted(now);                            // arms it: keys typed before are ignored
//!     match prompt.handle(&event, now) {
//!         Reaction::End(end) => …                     // answers that fit, or how it was left
//!         Reaction::Editor(text) => prompt.edited(…)  // run $EDITOR and give the text back
//!         Reaction::Share => prompt.set_link(…)         // have a link made, and give it when it is there
//!         Reaction::Suspend | Reaction::Repaint | Reaction::Copy(_) => … // for the terminal's owner
//!         Reaction::Redraw | Reaction::Nothing => …
//!     }
//!     prompt.tick(now);                               // when `prompt.next_tick(now)` has passed
//! }
//! ```
//!
//! `prompt.draft()` is what to store while it grows, `prompt.mode()` tells which keys it takes, and
//! [`resolved`](crate::answer_summary) has the lines that stay when it is over. A frame whose buffer is
//! the screen wants all of it for a while. The room is cut to three rows less than the area where
//! there are twelve or more; an embedder that gives the prompt a part of its screen says so with
//! [`Room::All`].

mod border;
mod calendar;
mod compact;
mod field;
mod filtering;
mod head;
mod hints;
mod key_actions;
mod layout;
mod leaving;
mod list;
mod number_field;
mod options;
mod pointer;
mod preview_pane;
mod reader;
mod review;
mod scroll;
mod share;
mod sheet;
mod shortcuts;
mod typing;

use std::time::Duration;

use askback_core::answer::{AnswerError, Answers};
use askback_core::draft::{
    Draft, DraftEntry, DraftField, DraftPage, Edit, RangeEnd, is_own_row, row_count,
};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};
use askback_core::text::{Lines, clean};
use askback_locale::Arg;

use crate::answer_summary;
use crate::deadline::Deadline;
use crate::keymap::{Action, Keymap, Mode};
use crate::leave_menu::LeaveChoice;
use crate::typeahead::TypeaheadGuard;
use crate::yes_no::YesNoChoices;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key};
use askback_terminal::row::{Frame, Row};
use share::LinkState;

pub use options::{Border, EscAtTop, Persistence, PromptOptions, Room};

/// What an event led to, for the owner of the terminal.
#[derive(Debug, Clone, PartialEq)]
pub enum Reaction {
    /// Nothing changed.
    Nothing,
    /// The frame may have changed.
    Redraw,
    /// It is over.
    End(End),
    /// The text wants to be edited in the respondent's own editor; see [`Prompt::edited`].
    Editor(String),
    /// The process wants to be stopped for a while.
    Suspend,
    /// The screen wants to be drawn anew.
    Repaint,
    /// This text wants to be put on the clipboard.
    Copy(String),
    /// A link for another device is wanted; see [`Prompt::set_link`].
    Share,
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// With answers that fit.
    Answered(Answers),
    /// It is to be answered later.
    Postponed,
    /// The agent is to decide by itself.
    Declined,
    /// The agent is to stop.
    Rejected,
    /// It was left with ctrl+c.
    Detached,
    /// Nobody answered in time.
    Expired,
}

/// Something laid over the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlay {
    /// All keys, from this row on.
    Help(usize),
    /// Everything in full, from this row on.
    Reader(usize),
    /// The preview of the focused choice, from this row on.
    Preview(usize),
    /// The leave menu, with one choice in focus.
    Leave(usize),
    /// Whether this choice of the leave menu is meant.
    Confirm(LeaveChoice),
    /// A link for another device.
    Share,
}

/// Whether days are typed or walked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DateInput {
    Typed,
    Calendar,
}

/// What the list is narrowed to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Filter {
    text: String,
    typing: bool,
}

/// A question prompt.
#[derive(Debug, Clone)]
pub struct Prompt {
    inquiry: Inquiry,
    draft: Draft,
    typing: InputParser,
    options: PromptOptions,
    guard: TypeaheadGuard,
    /// Whether a key was taken since it appeared: text that goes into a field is taken from then on.
    was_open: bool,
    /// The questions of yes or no, each with the keys it is answered with.
    yes_no: Vec<Option<(YesNoChoices, Keymap)>>,
    now: MonotonicTime,
    caret: usize,
    days: DateInput,
    filter: Filter,
    over: Option<Overlay>,
    link: LinkState,
    folded: bool,
    question_top: usize,
    /// How far the preview of a row is scrolled.
    preview_top: (usize, usize),
    digits: Option<(usize, MonotonicTime)>,
    notice: Option<&'static str>,
    history: Vec<Draft>,
    in_a_run: bool,
}

impl Prompt {
    /// A prompt for an inquiry.
    pub fn new(inquiry: Inquiry, mut options: PromptOptions) -> Prompt {
        let draft = match options.draft.take() {
            Some(stored) => Draft::restore(&inquiry, cleaned(stored)),
            None => Draft::new(&inquiry),
        };
        let mut prompt = Prompt {
            draft,
            typing: options.locale.typing(options.today),
            guard: TypeaheadGuard::new(options.typeahead_window),
            was_open: false,
            yes_no: yes_no(&inquiry, &options),
            options,
            inquiry,
            now: MonotonicTime::ZERO,
            caret: 0,
            days: DateInput::Typed,
            filter: Filter::default(),
            over: None,
            link: LinkState::NotRequested,
            folded: false,
            question_top: 0,
            preview_top: (0, 0),
            digits: None,
            notice: None,
            history: Vec::new(),
            in_a_run: false,
        };
        prompt.caret = prompt.field_text().len();
        prompt
    }

    /// What an event leads to.
    pub fn handle(&mut self, event: &InputEvent, now: MonotonicTime) -> Reaction {
        self.now = now;
        match event {
            InputEvent::Resize(size) => {
                self.options.size = *size;
                Reaction::Redraw
            }
            InputEvent::Key(key) => self.key(*key),
            InputEvent::Paste(text) => self.paste(text),
            InputEvent::Click(at) => self.click(*at),
            InputEvent::FocusIn
            | InputEvent::FocusOut
            | InputEvent::CursorAt(..)
            | InputEvent::Reply(_)
            | InputEvent::Attributes => Reaction::Nothing,
        }
    }

    /// The prompt as it looks now.
    pub fn view(&self) -> Frame {
        layout::drawn(self).frame
    }

    /// It was shown.
    pub fn painted(&mut self, now: MonotonicTime) {
        self.guard.painted(now);
    }

    /// It is about to be shown where something else was: keys meant for that do not answer it.
    pub(crate) fn appear(&mut self, last: Option<(Option<Key>, MonotonicTime)>) {
        self.guard.saw(last);
        self.guard.close();
        self.was_open = false;
    }

    /// It was opened by the last key of the user: what they type into its field is meant for it.
    pub(crate) fn opened(&mut self, last: Option<(Option<Key>, MonotonicTime)>) {
        self.appear(last);
        self.was_open = true;
    }

    /// Guards what appears from now on as long as this.
    pub(crate) fn restore_window(&mut self, window: Duration) {
        let last = self.guard.last();
        self.guard = TypeaheadGuard::new(window);
        self.opened(last);
    }

    /// Whether a key that answers would be ignored now, because nobody can have seen the question.
    pub(crate) fn ignores(&self, key: Option<Key>, now: MonotonicTime) -> bool {
        let mut guard = self.guard;
        !guard.key(key, now)
    }

    /// Whether no key was taken since it appeared.
    pub(crate) fn is_fresh(&self) -> bool {
        !self.was_open
    }

    /// Whether a key answers at once: a digit, or a letter for yes or no.
    pub(crate) fn answers_at_once(&self, key: Key) -> bool {
        let action = self.action(self.mode(), key);
        matches!(action, Some(Action::Digit | Action::Yes | Action::No))
    }

    /// What was typed and not sent, as lines that stay.
    pub fn unsent(&self) -> Vec<Row> {
        answer_summary::unsent(self.options.locale, &self.draft)
    }

    /// The keys, as the question in view takes them.
    fn keymap(&self) -> &Keymap {
        match self.yes_no.get(self.index()) {
            Some(Some((_, keymap))) if self.draft.page != DraftPage::Review => keymap,
            Some(_) | None => &self.options.keymap,
        }
    }

    /// Time passed: a deadline may have come.
    pub fn tick(&mut self, now: MonotonicTime) -> Reaction {
        self.now = now;
        match &self.options.deadline {
            Some(deadline) if deadline.left(now).is_zero() => Reaction::End(End::Expired),
            Some(deadline) if deadline.is_near(now) => Reaction::Redraw,
            Some(_) | None => Reaction::Nothing,
        }
    }

    /// After which time [`tick`](Prompt::tick) wants to be called; `None` without a deadline.
    pub fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let deadline = self.options.deadline.as_ref()?;
        Some(deadline.next_change(now))
    }

    /// The deadline, until a key stopped it.
    pub fn deadline(&self) -> Option<&Deadline> {
        self.options.deadline.as_ref()
    }

    /// Gives back what came from the editor.
    pub fn edited(&mut self, text: &str) {
        if let Some(field) = self.field() {
            let text = clean(text.trim_end_matches('\n'), Lines::Many);
            self.remember();
            self.caret = text.len();
            self.apply(&Edit::Write { field, text });
        }
    }

    /// Skips the question in view, as its key would.
    pub(crate) fn skip(&mut self) -> Reaction {
        self.apply(&Edit::Skip)
    }

    /// Takes away what lies over the question.
    pub(crate) fn uncover(&mut self) {
        self.over = None;
    }

    /// Shows a message until the next key.
    pub(crate) fn tell(&mut self, notice: &'static str) {
        self.notice = Some(notice);
    }

    /// Other marks, once the terminal has told which it can show.
    pub fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.options.glyphs = glyphs;
    }

    /// The draft as it stands.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// What is asked.
    pub fn inquiry(&self) -> &Inquiry {
        &self.inquiry
    }

    /// The title of the window while it waits.
    pub fn title(&self) -> String {
        let name = self.name(&self.inquiry.questions()[0]);
        match &self.options.asker {
            Some(asker) => format!("? {name} - {asker}"),
            None => format!("? {name}"),
        }
    }

    /// Which keys it takes.
    pub fn mode(&self) -> Mode {
        if self.folded {
            return Mode::Folded;
        }
        match self.over {
            Some(Overlay::Leave(_)) => return Mode::Leave,
            Some(Overlay::Confirm(_)) => return Mode::Confirm,
            Some(Overlay::Help(_) | Overlay::Reader(_) | Overlay::Preview(_) | Overlay::Share) => {
                return Mode::Reader;
            }
            None => {}
        }
        let DraftPage::Question(index) = self.draft.page else {
            return Mode::Review;
        };
        if self.filter.typing {
            return Mode::Filter;
        }
        if self.entry().field.is_some() {
            return Mode::Text;
        }
        match &self.inquiry.questions()[index].kind {
            Kind::Choice(kind) if kind.several => Mode::Several,
            Kind::Choice(_) => Mode::List,
            Kind::Text(_) => Mode::Text,
            Kind::Number(_) => Mode::Number,
            Kind::Date(_) | Kind::DateRange(_) => match self.days {
                DateInput::Typed => Mode::Date,
                DateInput::Calendar => Mode::Calendar,
            },
        }
    }

    /// The question in view; the first one behind the review.
    fn question(&self) -> &Question {
        &self.inquiry.questions()[self.index()]
    }

    fn index(&self) -> usize {
        match self.draft.page {
            DraftPage::Question(index) => index.min(self.inquiry.questions().len() - 1),
            DraftPage::Review => 0,
        }
    }

    fn entry(&self) -> &DraftEntry {
        &self.draft.entries[self.index()]
    }

    /// The field that takes what is typed.
    fn field(&self) -> Option<DraftField> {
        if self.draft.page == DraftPage::Review {
            return None;
        }
        let entry = self.entry();
        match &self.question().kind {
            _ if entry.field.is_some() => entry.field,
            Kind::Choice(_) => None,
            Kind::DateRange(_) if entry.part == RangeEnd::End => Some(DraftField::End),
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
                Some(DraftField::Answer)
            }
        }
    }

    fn field_text(&self) -> &str {
        self.field().map_or("", |field| self.entry().text(field))
    }

    fn name(&self, question: &Question) -> String {
        answer_summary::name(question, self.options.glyphs.more)
    }

    fn problem_text(&self, error: &AnswerError) -> String {
        let locale = self.options.locale;
        let text =
            answer_summary::problem_text(locale, &self.typing, &self.inquiry, &self.draft, error);
        self.options.glyphs.to_supported(text)
    }

    /// Own words, with the marks this terminal can show.
    fn say(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.options
            .glyphs
            .to_supported(self.options.locale.text(id, args))
    }

    /// A notice, with the key that it names.
    fn notice_words(&self, notice: &str) -> String {
        let PromptOptions { glyphs, .. } = &self.options;
        let keys = self.keymap().name(self.mode(), Action::Skip, glyphs);
        self.say(notice, &[("keys", keys.unwrap_or_default().into())])
    }

    /// Whether the list is narrowed, or about to be.
    fn is_filtered(&self) -> bool {
        self.filter.typing || !self.filter.text.is_empty()
    }

    /// The rows that are listed: all, or those that the filter leaves.
    fn listed(&self) -> Vec<usize> {
        let question = self.question();
        let wanted = self.filter.text.trim().to_lowercase();
        let fits = |row: &usize| match question.choices().get(*row) {
            Some(choice) => {
                let described = choice.description.as_ref().map(ToString::to_string);
                wanted.is_empty()
                    || choice.label.as_str().to_lowercase().contains(&wanted)
                    || (wanted.chars().count() > 2
                        && described.is_some_and(|text| text.to_lowercase().contains(&wanted)))
            }
            None => is_own_row(question, *row),
        };
        (0..row_count(question)).filter(fits).collect()
    }
}

fn yes_no(inquiry: &Inquiry, options: &PromptOptions) -> Vec<Option<(YesNoChoices, Keymap)>> {
    let questions = inquiry.questions().iter();
    let choices = questions.map(|question| YesNoChoices::of(question, options.locale));
    let bound = choices.map(|choices| {
        let choices = choices?;
        let keymap = options.keymap.with_yes_no(&choices.letters);
        Some((choices, keymap))
    });
    bound.collect()
}

/// A stored draft may come from another surface; what it holds is cleaned before it is shown.
fn cleaned(mut draft: Draft) -> Draft {
    for entry in &mut draft.entries {
        for text in [
            &mut entry.own,
            &mut entry.typed,
            &mut entry.typed_end,
            &mut entry.note,
        ] {
            *text = clean(text, Lines::Many);
        }
    }
    draft
}
