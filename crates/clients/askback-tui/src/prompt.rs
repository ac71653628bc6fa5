//! The question prompt: state, what a key does to it, and what it looks like.
//!
//! A prompt owns no terminal. It handles events and returns frames, so that it can run alone
//! (`askback ask`, through [`PromptSession`](crate::session::PromptSession)) or in a larger screen:
//!
//! ```text
//! let mut prompt = Prompt::new(inquiry, options);     // options.draft resumes an earlier one
//! loop {
//!     prompt.handle(&InputEvent::Resize(area), now);  // whenever the area changes
//!     let frame = prompt.view();                      // rows and a cursor, relative to the area
//!     prompt.painted(now);                            // starts the typeahead window
//!     match prompt.handle(&event, now) {
//!         Reaction::End(end) => …                     // valid answers, or how it was left
//!         Reaction::OpenEditor(text) => prompt.edited(…)  // run $EDITOR and pass its text
//!         Reaction::Request(request) => prompt.handle_reply(…) // ask the server, and pass what came of it
//!         Reaction::Suspend | Reaction::Repaint | Reaction::CopyToClipboard(_) => … // for the terminal's owner
//!         Reaction::Redraw | Reaction::Nothing => …
//!     }
//!     prompt.tick(now);                               // when `prompt.next_tick(now)` has passed
//! }
//! ```
//!
//! Save `prompt.draft()` when it changes. [`answered`](crate::answer_summary::answered) and
//! [`unanswered`](crate::answer_summary::unanswered) return the lines to print when the prompt has
//! ended. A frame with [`ScreenBuffer::Alternate`](askback_terminal::row::ScreenBuffer::Alternate)
//! needs the whole terminal. In an area of twelve rows or more, three stay free, so that earlier
//! output is visible; an embedder that gives the prompt a part of its screen sets [`Room::All`].

mod border;
mod bordered_rows;
mod calendar;
mod compact;
mod field;
mod filtering;
mod folded;
mod hand_on;
mod head;
mod hints;
mod key_actions;
mod layout;
mod leaving;
mod list;
mod long_question;
mod number_field;
mod offered_text;
mod options;
mod overlay;
mod pointer;
mod preview_pane;
mod preview_text;
mod reader;
mod request;
mod review;
mod scroll;
mod share;
mod shortcuts;
mod ticks;
mod typed_word;
mod typing;

use askback_core::answer::{AnswerError, Answers};
use askback_core::draft::{Draft, DraftEntry, DraftField, DraftPage, Edit, RangeEnd};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};
use askback_core::text::{Lines, clean};
use askback_locale::Arg;

use crate::answer_summary;
use crate::keymap::{Action, Keymap, Mode};
use crate::problem_text::problem_text;
use crate::typeahead::TypeaheadGuard;
use crate::yes_no::YesNoChoices;
use askback_terminal::app::ScreenRequest;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::editor::EditorResult;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key};
use askback_terminal::row::{Frame, Row};
use overlay::Overlay;
use share::LinkState;

pub use options::{AskerKind, Border, EscAtTop, Persistence, PromptOptions, Room};
pub use request::{PromptReply, PromptRequest};

/// The notice that the draft was not saved, because another one was saved elsewhere.
pub(crate) const OTHER_DRAFT: &str = "web-other-draft";

/// What the owner of the terminal must do after an event.
#[derive(Debug, Clone, PartialEq)]
pub enum Reaction {
    /// Nothing changed.
    Nothing,
    /// The frame may have changed.
    Redraw,
    /// The prompt has ended.
    End(End),
    /// Open this text in the user's editor, then call [`Prompt::edited`].
    OpenEditor(String),
    /// Stop the process until the shell resumes it.
    Suspend,
    /// Paint the whole screen again.
    Repaint,
    /// Put this text on the clipboard.
    CopyToClipboard(String),
    /// Ask the server for this, then call [`Prompt::handle_reply`].
    Request(PromptRequest),
}

impl Reaction {
    /// What the terminal must do, if it is for the terminal.
    pub(crate) fn screen_request(&self) -> Option<ScreenRequest> {
        match self {
            Reaction::OpenEditor(text) => Some(ScreenRequest::OpenEditor(text.clone())),
            Reaction::Suspend => Some(ScreenRequest::Suspend),
            Reaction::Repaint => Some(ScreenRequest::Repaint),
            Reaction::CopyToClipboard(text) => Some(ScreenRequest::CopyToClipboard(text.clone())),
            Reaction::Nothing | Reaction::Redraw | Reaction::End(_) | Reaction::Request(_) => None,
        }
    }
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// With valid answers.
    Answered(Answers),
    /// It stays open, to be answered later.
    Postponed,
    /// The agent continues without an answer.
    Declined,
    /// The agent stops.
    Rejected,
    /// The user pressed ctrl+c.
    Detached,
    /// The deadline of a question that is not stored has passed. A stored one is ended by its server.
    Expired,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DateInput {
    Typed,
    Calendar,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Filter {
    text: String,
    typing: bool,
}

/// See the module documentation.
#[derive(Debug, Clone)]
pub struct Prompt {
    inquiry: Inquiry,
    draft: Draft,
    typing: InputParser,
    options: PromptOptions,
    guard: TypeaheadGuard,
    /// Whether a key was accepted since it appeared. From then on, text is typed into the field
    /// even while the guard is closed.
    was_open: bool,
    /// For each yes/no question, its choices and its key bindings.
    yes_no: Vec<Option<(YesNoChoices, Keymap)>>,
    now: MonotonicTime,
    caret: usize,
    days: DateInput,
    /// The day that was picked in the calendar before another date was typed.
    picked_day: Option<String>,
    filter: Filter,
    overlay: Option<Overlay>,
    link: LinkState,
    hand_on: hand_on::HandOnState,
    folded: bool,
    question_top: usize,
    /// For each question, whether its end was visible.
    is_read: Vec<bool>,
    /// The row and how far its preview is scrolled.
    preview_top: (usize, usize),
    digits: Option<(usize, MonotonicTime)>,
    notice: Option<&'static str>,
    typed: typed_word::TypedLetters,
    focus_origin: shortcuts::FocusOrigin,
    history: Vec<Draft>,
    /// The draft before ctrl+c cleared its field, while that was the last key. A second one leaves with it.
    cleared: Option<Draft>,
    in_a_run: bool,
}

impl Prompt {
    /// Starts from `options.draft` if there is one.
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
            yes_no: shortcuts::yes_no(&inquiry, &options),
            is_read: vec![false; inquiry.questions().len()],
            options,
            inquiry,
            now: MonotonicTime::ZERO,
            caret: 0,
            days: DateInput::Typed,
            picked_day: None,
            filter: Filter::default(),
            overlay: None,
            link: LinkState::NotRequested,
            hand_on: hand_on::HandOnState::default(),
            folded: false,
            question_top: 0,
            preview_top: (0, 0),
            digits: None,
            notice: None,
            typed: typed_word::TypedLetters::default(),
            focus_origin: shortcuts::FocusOrigin::Initial,
            history: Vec::new(),
            cleared: None,
            in_a_run: false,
        };
        prompt.caret = prompt.field_text().len();
        prompt.start_filter();
        prompt
    }

    /// Handles an event.
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
            | InputEvent::QueryReply(_)
            | InputEvent::Attributes => Reaction::Nothing,
        }
    }

    /// The current frame, relative to the area of the prompt.
    pub fn view(&self) -> Frame {
        layout::clickable_frame(self).frame
    }

    /// Must be called after each frame was painted: the typeahead guard counts from the first call.
    pub fn painted(&mut self, now: MonotonicTime) {
        self.guard.painted(now);
    }

    /// Must be called before the prompt replaces something else on the screen: keys that were meant
    /// for that do not answer it.
    pub(crate) fn appear(&mut self, last: Option<(Option<Key>, MonotonicTime)>) {
        self.guard.saw(last);
        self.guard.close();
        self.was_open = false;
    }

    /// Like [`Prompt::appear`], but the user opened it, so text is typed into the field at once.
    pub(crate) fn opened(&mut self, last: Option<(Option<Key>, MonotonicTime)>) {
        self.appear(last);
        self.was_open = true;
    }

    /// Must be called before it is shown again because its answer was undone.
    pub fn reopened(&mut self) {
        self.set_notice("notice-undone");
    }

    /// Must be called if the question was visible before the prompt was made: its keys answer at
    /// once.
    pub(crate) fn set_seen(&mut self) {
        self.guard = TypeaheadGuard::opened(self.options.typeahead_window);
        self.was_open = true;
    }

    /// Whether a key that answers would be ignored now.
    pub(crate) fn ignores(&self, key: Option<Key>, now: MonotonicTime) -> bool {
        let mut guard = self.guard;
        !guard.key(key, now)
    }

    /// Whether no key was accepted since it appeared.
    pub(crate) fn is_fresh(&self) -> bool {
        !self.was_open
    }

    /// Whether the key answers without enter: a digit, or a letter for yes or no.
    pub(crate) fn answers_at_once(&self, key: Key) -> bool {
        let action = self.action(self.mode(), key);
        matches!(action, Some(Action::Digit | Action::Yes | Action::No))
    }

    /// Whether there is a change that undo would revert.
    pub(crate) fn has_changes(&self) -> bool {
        !self.history.is_empty()
    }

    /// What was typed and not sent, as lines for the scrollback.
    pub fn unsent(&self) -> Vec<Row> {
        answer_summary::unsent(self.options.locale, &self.draft)
    }

    /// The key bindings of the visible question.
    fn keymap(&self) -> &Keymap {
        match self.yes_no.get(self.index()) {
            Some(Some((_, keymap))) if self.draft.page != DraftPage::Review => keymap,
            Some(_) | None => &self.options.keymap,
        }
    }

    /// Replaces the text of the open field with the result of the editor.
    pub fn edited(&mut self, text: &str) {
        if let Some(field) = self.field() {
            let text = clean(text.trim_end_matches('\n'), Lines::Many);
            self.remember();
            self.caret = text.len();
            self.apply(&Edit::Write { field, text });
        }
    }

    /// Handles what the editor left.
    pub(crate) fn editor_closed(&mut self, edited: &EditorResult) {
        match edited {
            EditorResult::Saved(text) => self.edited(text),
            EditorResult::NoEditor => self.set_notice("notice-editor-missing"),
            EditorResult::Failed => self.set_notice("notice-editor-failed"),
        }
    }

    pub(crate) fn skip(&mut self) -> Reaction {
        self.apply(&Edit::Skip)
    }

    /// Closes the overlay. Keys that were meant for it do not answer the question below.
    pub(crate) fn close_overlay(&mut self) {
        self.overlay = None;
        self.guard.close();
    }

    pub(crate) fn set_notice(&mut self, notice: &'static str) {
        self.notice = Some(notice);
    }

    /// Replaces the glyphs, once a reply of the terminal shows which it can draw.
    pub fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.options.glyphs = glyphs;
    }

    /// The current draft, to be saved when it changes.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The inquiry that is answered.
    pub fn inquiry(&self) -> &Inquiry {
        &self.inquiry
    }

    /// The window title.
    pub fn title(&self) -> String {
        let name = self.name(&self.inquiry.questions()[0]);
        match &self.options.asker {
            Some(asker) => format!("? {name} - {asker}"),
            None => format!("? {name}"),
        }
    }

    /// Decides what a key does.
    pub fn mode(&self) -> Mode {
        if self.folded {
            return Mode::Folded;
        }
        match self.overlay {
            Some(Overlay::Leave(_)) => return Mode::Leave,
            Some(Overlay::Confirm(_)) => return Mode::Confirm,
            // Its keys are those of a list with a text field, too.
            Some(Overlay::HandOn) => return Mode::Filter,
            Some(Overlay::Help(_) | Overlay::Reader(_) | Overlay::Preview(_) | Overlay::Link) => {
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

    /// The visible question; on the review page, the first one.
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

    /// The open field.
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
        let text = problem_text(locale, &self.typing, &self.inquiry, &self.draft, error);
        self.options.glyphs.to_supported(text)
    }

    fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.options
            .glyphs
            .to_supported(self.options.locale.text(id, args))
    }

    /// What the last key has to be told, unless something is open that covers the question.
    fn notice_words(&self) -> Option<String> {
        match self.overlay {
            Some(Overlay::Leave(_) | Overlay::Confirm(_)) | None => {}
            Some(
                Overlay::Help(_)
                | Overlay::Reader(_)
                | Overlay::Preview(_)
                | Overlay::Link
                | Overlay::HandOn,
            ) => {
                return None;
            }
        }
        self.typed_label_words().or_else(|| {
            let PromptOptions { glyphs, .. } = &self.options;
            let keys = self.keymap().name(self.mode(), Action::Skip, glyphs);
            Some(self.text(self.notice?, &[("keys", keys.unwrap_or_default().into())]))
        })
    }
}

/// A stored draft may come from another surface, so control characters are removed before it is
/// shown.
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
