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
//!         Reaction::Request(request) => prompt.handle_event(…) // ask the server, and pass what came of it
//!         Reaction::Screen(request) => …              // for the terminal's owner; prompt.edited(…) after an editor
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

mod bordered_rows;
mod bound_action;
mod calendar;
mod choice_names;
mod compact;
mod field;
mod filter;
mod folded;
mod hand_on;
mod head;
mod hints;
mod key_actions;
mod layout;
mod leaving;
mod list;
mod number_field;
mod open_draft;
mod open_field;
mod options;
mod overlay;
mod pointer;
mod preview_pane;
mod preview_text;
mod reaction;
mod reader;
mod request;
mod review;
mod scroll;
mod share;
mod typed_digits;
mod typed_letters;

use std::time::Duration;

use askback_core::answer::AnswerError;
use askback_core::draft::{Draft, Edit};
use askback_core::inquiry::Inquiry;
use askback_core::question::Question;
use askback_core::text::{Lines, clean};
use askback_locale::Arg;

use crate::answer_summary;
use crate::deadline::Deadline;
use crate::keymap::{Action, Keymap, Mode};
use crate::problem_text::problem_text;
use crate::typeahead::TypeaheadGuard;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::editor::EditorResult;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key};
use askback_terminal::row::{Frame, Row, Style};
use hand_on::HandOn;
use open_draft::OpenDraft;
use overlay::Overlay;
use reader::{LongText, Reader};
use share::LinkState;
use typed_digits::TypedDigits;
use typed_letters::TypedLetters;

pub(crate) use hand_on::HandOnOrigin;
pub use options::{AskerKind, EscAtTop, Persistence, PromptOptions, Room};
pub use reaction::{End, Handled, Reaction};
pub use request::{PromptEvent, PromptRequest};
pub use share::is_on_loopback;

/// The notice that the draft was not saved, because another one was saved elsewhere.
pub(crate) const OTHER_DRAFT: &str = "web-other-draft";

/// The notice of a key that was ignored because it came too early.
const TOO_SOON: &str = "notice-too-soon";
/// It is not about what is shown then, so it goes without another key.
const TOO_SOON_SHOWN_FOR: Duration = Duration::from_secs(3);

/// See the module documentation. [`OpenDraft`] has what is answered; the prompt decides when a key may act, and what is
/// shown instead of the question.
#[derive(Debug, Clone)]
pub struct Prompt {
    draft: OpenDraft,
    options: PromptOptions,
    guard: TypeaheadGuard,
    /// Whether a key was accepted since it appeared. From then on, text is typed into the field
    /// even while the guard is closed.
    was_open: bool,
    /// For each yes/no question, its key bindings.
    yes_no_keymaps: Vec<Option<Keymap>>,
    now: MonotonicTime,
    overlay: Option<Overlay>,
    link: LinkState,
    is_folded: bool,
    /// For each question, whether its end was visible.
    is_read: Vec<bool>,
    digits: TypedDigits,
    letters: TypedLetters,
    notice: Option<&'static str>,
    notice_at: MonotonicTime,
    /// The draft before ctrl+c cleared its field, while that was the last key. A second one leaves with it.
    cleared: Option<Draft>,
}

impl Prompt {
    /// Starts from `options.draft` if there is one.
    pub fn new(inquiry: Inquiry, mut options: PromptOptions) -> Prompt {
        let draft = OpenDraft::new(inquiry, &mut options);
        let keymap = &options.keymap;
        let yes_no = draft.yes_no_questions().iter();
        let bound = yes_no.map(|it| it.as_ref().map(|it| keymap.with_yes_no(&it.letters)));
        Prompt {
            yes_no_keymaps: bound.collect(),
            guard: TypeaheadGuard::new(options.typeahead_window),
            was_open: false,
            is_read: vec![false; draft.inquiry.questions().len()],
            options,
            draft,
            now: MonotonicTime::ZERO,
            overlay: None,
            link: LinkState::NotRequested,
            is_folded: false,
            digits: TypedDigits::default(),
            letters: TypedLetters::default(),
            notice: None,
            notice_at: MonotonicTime::ZERO,
            cleared: None,
        }
    }

    /// Handles an event.
    pub fn handle(&mut self, event: &InputEvent, now: MonotonicTime) -> Reaction {
        self.now = now;
        let reaction = match event {
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
            | InputEvent::QueryResponse(_)
            | InputEvent::Attributes => Reaction::Nothing,
        };
        self.settle();
        self.notice_at = now;
        reaction
    }

    /// Handles an event, and says what is to be saved.
    pub(crate) fn handle_for_store(&mut self, event: &InputEvent, now: MonotonicTime) -> Handled {
        let (draft, had_deadline) = (self.draft().clone(), self.deadline().is_some());
        let reaction = self.handle(event, now);
        let is_answered = matches!(reaction, Reaction::End(End::Answered(_)));
        Handled {
            has_stopped_deadline: had_deadline && self.deadline().is_none(),
            has_changed_draft: !is_answered && draft != *self.draft(),
            reaction,
        }
    }

    /// Does what an edit of the draft leaves to do.
    fn settle(&mut self) {
        if std::mem::take(&mut self.draft.has_revealed) {
            self.guard.close();
        }
        self.notice = self.draft.notice.take().or(self.notice);
    }

    /// The current frame, relative to the area of the prompt.
    pub fn view(&self) -> Frame {
        layout::clickable_frame(self).frame
    }

    /// Must be called after each frame was painted: the typeahead guard counts from the first call.
    pub fn painted(&mut self, now: MonotonicTime) {
        self.guard.painted(now);
    }

    /// Checks the deadline, and carries out a key that waited for others. Must be called when the time from
    /// [`Prompt::next_tick`] has passed.
    pub fn tick(&mut self, now: MonotonicTime) -> Reaction {
        self.now = now;
        if let Some((action, key)) = self.letters.take_due(self.options.typeahead_window, now) {
            let reaction = self.act(action, self.mode(), key);
            self.settle();
            return reaction;
        }
        let is_notice_gone = self.notice_left(now).is_some_and(|left| left.is_zero());
        if is_notice_gone {
            self.notice = None;
        }
        match &self.options.deadline {
            Some(deadline)
                if deadline.is_over(now) && self.options.persistence == Persistence::None =>
            {
                Reaction::End(End::Expired)
            }
            Some(deadline) if deadline.is_near(now) => Reaction::Redraw,
            Some(_) | None if is_notice_gone => Reaction::Redraw,
            Some(_) | None => Reaction::Nothing,
        }
    }

    /// The time until [`Prompt::tick`] must be called, if it must.
    pub fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let deadline = self.options.deadline.as_ref();
        // Once a stored question is shown as late, the server decides what follows.
        let is_shown_late = |deadline: &&Deadline| {
            self.options.persistence == Persistence::Durable && deadline.is_over(self.now)
        };
        let change = deadline
            .filter(|deadline| !is_shown_late(deadline))
            .map(|deadline| deadline.next_change(now));
        let letter = self.letters.next_due(self.options.typeahead_window, now);
        let notice = self.notice_left(now);
        change.into_iter().chain(letter).chain(notice).min()
    }

    /// The time until the notice of an ignored key goes, if it is shown.
    fn notice_left(&self, now: MonotonicTime) -> Option<Duration> {
        let ends = self.notice_at + TOO_SOON_SHOWN_FOR;
        (self.notice == Some(TOO_SOON)).then(|| ends.saturating_sub(now))
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
    /// once, and are not typed into a field that the draft left open.
    pub(crate) fn set_seen(&mut self) {
        self.draft.apply(&Edit::Close);
        self.settle();
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
        let action = bound_action::of_key(self, self.mode(), key);
        matches!(action, Some(Action::Digit | Action::Yes | Action::No))
    }

    /// Whether a key waits for letters that may follow.
    pub(crate) fn is_key_waiting(&self) -> bool {
        self.letters.is_key_waiting()
    }

    /// Whether there is a change that undo would revert.
    pub(crate) fn has_changes(&self) -> bool {
        self.draft.has_changes()
    }

    /// What was typed and not sent, as lines for the scrollback.
    pub fn unsent(&self) -> Vec<Row> {
        answer_summary::unsent(self.options.locale, &self.draft.current)
    }

    /// Replaces the text of the open field with the result of the editor.
    pub fn edited(&mut self, text: &str) {
        if self.draft.field().is_some() {
            let text = clean(text.trim_end_matches('\n'), Lines::Many);
            self.draft.remember();
            self.draft.set_text(text);
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

    /// Shows a text as the answer of the visible question, so that enter sends it. False if the question does not
    /// accept it; nothing has changed then.
    pub(crate) fn offer_text(&mut self, text: &str) -> bool {
        let is_taken = self.draft.offer_text(text);
        if is_taken {
            self.overlay = None;
            self.is_folded = false;
        }
        self.settle();
        is_taken
    }

    pub(crate) fn skip(&mut self) -> Reaction {
        self.draft.apply(&Edit::Skip)
    }

    /// Handles what came of a request.
    pub fn handle_event(&mut self, event: PromptEvent) {
        let list = match &mut self.overlay {
            Some(Overlay::HandOn(list)) => Some(list),
            Some(Overlay::Reader(_) | Overlay::Leave(_) | Overlay::Link) | None => None,
        };
        match (event, list) {
            (PromptEvent::Link(made), _) => self.link.set(made),
            (PromptEvent::OtherDraft, _) => self.set_notice(OTHER_DRAFT),
            (PromptEvent::HandedOn(Ok(name)), list) => {
                if list.is_some() {
                    self.close_overlay();
                }
                self.options.recipient = Some(name);
                self.set_notice("notice-handed-on");
            }
            (PromptEvent::HandedOn(Err(words)) | PromptEvent::Recipients(Err(words)), list) => {
                if let Some(list) = list {
                    list.fail(words);
                }
            }
            (PromptEvent::Recipients(Ok(mut people)), Some(list)) => {
                // If the configuration names nobody, there is one person without a name.
                let present = self.options.recipient.as_deref().unwrap_or_default();
                people.retain(|it| !it.name.is_empty() && it.name != present);
                if people.is_empty() {
                    let nobody = self.options.locale.text("hand-on-nobody", &[]);
                    list.fail(self.options.glyphs.to_supported(nobody));
                } else {
                    list.list(people);
                }
            }
            (PromptEvent::Recipients(Ok(_)), None) => {}
        }
    }

    /// Opens the list of people, and asks for it.
    pub(crate) fn open_hand_on(&mut self, origin: HandOnOrigin) -> Reaction {
        if self.options.persistence == Persistence::None {
            self.set_notice("notice-no-share");
            return Reaction::Redraw;
        }
        self.set_overlay(Overlay::HandOn(HandOn::new(origin)));
        Reaction::Request(PromptRequest::ListRecipients)
    }

    /// Whether the list of people is open.
    pub(crate) fn is_handing_on(&self) -> bool {
        matches!(self.overlay, Some(Overlay::HandOn(_)))
    }

    /// Shows something instead of the question. The guard closes until it was visible.
    fn set_overlay(&mut self, overlay: Overlay) -> Reaction {
        self.overlay = Some(overlay);
        self.guard.close();
        Reaction::Redraw
    }

    fn read(&mut self, text: LongText) -> Reaction {
        self.set_overlay(Overlay::Reader(Reader::new(text)))
    }

    /// Closes the overlay. Keys that were meant for it do not answer the question below.
    pub(crate) fn close_overlay(&mut self) {
        self.overlay = None;
        self.guard.close();
    }

    pub(crate) fn set_notice(&mut self, notice: &'static str) {
        self.notice = Some(notice);
    }

    /// Replaces the glyphs, once a response of the terminal shows which it can draw.
    pub fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.options.glyphs = glyphs;
    }

    /// The question was handed on to somebody else.
    pub fn set_recipient(&mut self, recipient: Option<&str>) {
        self.options.recipient = recipient.map(str::to_owned);
    }

    /// The agent has stopped waiting for the answer, or waits again.
    pub(crate) fn set_detached(&mut self, is_detached: bool) {
        self.options.is_detached = is_detached;
    }

    /// The deadline; `None` once a key has stopped it.
    pub fn deadline(&self) -> Option<&Deadline> {
        self.options.deadline.as_ref()
    }

    fn is_deadline_near(&self) -> bool {
        let deadline = self.options.deadline;
        deadline.is_some_and(|deadline| deadline.is_near(self.now))
    }

    /// The server moved the deadline, or removed it.
    pub fn set_deadline(&mut self, deadline: Option<Deadline>) {
        self.options.deadline = deadline;
    }

    /// The current draft, to be saved when it changes.
    pub fn draft(&self) -> &Draft {
        &self.draft.current
    }

    /// The inquiry that is answered.
    pub fn inquiry(&self) -> &Inquiry {
        &self.draft.inquiry
    }

    /// The window title.
    pub fn title(&self) -> String {
        let name = self.name(&self.inquiry().questions()[0]);
        match &self.options.asker {
            Some(asker) => format!("? {name} - {asker}"),
            None => format!("? {name}"),
        }
    }

    /// Decides what a key does.
    pub fn mode(&self) -> Mode {
        if self.is_folded {
            return Mode::Folded;
        }
        match &self.overlay {
            Some(Overlay::Leave(menu)) if menu.asks_whether => Mode::Confirm,
            Some(Overlay::Leave(_)) => Mode::Leave,
            // Its keys are those of a list with a text field, too.
            Some(Overlay::HandOn(_)) => Mode::Filter,
            Some(Overlay::Reader(_) | Overlay::Link) => Mode::Reader,
            None => self.draft.mode(),
        }
    }

    /// The key bindings of the visible question.
    fn keymap(&self) -> &Keymap {
        match self.yes_no_keymaps.get(self.draft.index()) {
            Some(Some(keymap)) if !self.draft.is_review() => keymap,
            Some(_) | None => &self.options.keymap,
        }
    }

    /// The name of the key of an action.
    fn key_name(&self, action: Action) -> Option<String> {
        let glyphs = &self.options.glyphs;
        self.keymap().name(self.mode(), action, glyphs)
    }

    fn name(&self, question: &Question) -> String {
        answer_summary::name(question, self.options.glyphs.more)
    }

    /// The text of the visible question on one line.
    fn question_line(&self) -> String {
        self.draft.question().text.as_str().replace('\n', " ")
    }

    fn problem_text(&self, error: &AnswerError) -> String {
        let (locale, draft) = (self.options.locale, &self.draft);
        let text = problem_text(locale, &draft.parser, &draft.inquiry, &draft.current, error);
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
            Some(Overlay::Leave(_)) | None => {}
            Some(Overlay::Reader(_) | Overlay::Link | Overlay::HandOn(_)) => return None,
        }
        self.letters.words(self).or_else(|| {
            let keys = self.key_name(Action::Skip).unwrap_or_default();
            Some(self.text(self.notice?, &[("keys", keys.into())]))
        })
    }

    /// `▲ 2 more`.
    fn more_row(&self, arrow: &str, count: usize) -> Row {
        let words = self.text("more-rows", &[("count", count.into())]);
        Row::new().with(format!("{arrow} {words}"), Style::Muted)
    }
}
