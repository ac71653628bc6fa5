//! The inbox: the pending questions of all agents. Like the chat, it has no terminal and no
//! network: it is given keys and [`InboxEvent`]s, and returns frames and [`InboxRequest`]s.

mod apply;
mod config;
mod ended_elsewhere;
mod item_rows;
mod key_help;
mod keys;
mod lines;
mod notification;
mod open_prompt;
mod question_detail;
mod snoozed;
mod undo;
mod view;
mod waiting_letter;

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_locale::Arg;
use askback_wire::inquiry::InquiryResponse;

use crate::deadline::Deadline;
use crate::held_replies::HeldReplies;
use crate::inquiry_update::{InquiryUpdate, NewestVersions};
use crate::keymap::{Action, Mode};
use crate::prompt::{Prompt, PromptReply, PromptRequest};
use crate::reply::InquiryReply;
use crate::typeahead::TypeaheadGuard;
use askback_terminal::app::{Notification, Screen, ScreenRequest};
use askback_terminal::clock::MonotonicTime;
use askback_terminal::display_mode::FRAME_MIN;
use askback_terminal::editor::EditorResult;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::InputEvent;
use askback_terminal::row::{Frame, Row, Size};

pub use config::InboxConfig;
pub use lines::{LineInbox, LineInboxAction};
pub(crate) use notification::notification;

/// What the inbox asks the network side to do.
#[derive(Debug, Clone, PartialEq)]
pub enum InboxRequest {
    /// Answer, decline or reject a question.
    SendReply(Box<InquiryResponse>, InquiryReply),
    /// Save a draft of this revision of a question.
    SaveDraft(InquiryId, u32, Draft),
    /// Stop the deadline of a question, because a key was pressed.
    StopDeadline(InquiryId),
    /// Ask the server for this, and report what came of it as [`InboxEvent::Reply`].
    Prompt(InquiryId, PromptRequest),
    /// Undo the reply to a question.
    Undo(InquiryId),
    /// Fetch a question that is no longer listed; it arrives as [`InboxEvent::Inquiry`].
    FetchInquiry(InquiryId),
}

/// What the network side reports to the inbox.
#[derive(Debug)]
pub enum InboxEvent {
    /// A question as it is now.
    Inquiry(Box<InquiryUpdate>),
    /// Somebody else answered this question first, and the reply from here was not taken.
    AnsweredFirst(Box<InquiryUpdate>),
    /// The ids of all pending questions; any other was resolved.
    PendingIds(HashSet<InquiryId>),
    /// The server refused a reply, with the reason.
    ReplyRefused(InquiryId, String),
    /// What came of [`InboxRequest::Prompt`], or of saving a draft.
    Reply(InquiryId, PromptReply),
    /// The server is reachable.
    Connected,
    /// The connection was lost; the backend is reconnecting.
    Disconnected,
}

#[derive(Debug)]
struct Item {
    inquiry: InquiryResponse,
    draft: Option<Draft>,
    deadline: Option<Deadline>,
    /// Whether a reply was sent. It is hidden then.
    sent: bool,
    /// The batch that its reply was sent with.
    batch: usize,
    /// How it was answered elsewhere while it had the focus. It stays in the list until the focus
    /// moves.
    ended: Vec<String>,
    /// The reply that was sent from here.
    reply: Option<InquiryReply>,
    /// Whether the server did not take that reply, because it had another.
    reply_lost: bool,
    /// What was typed or chosen here, if somebody else answered first.
    unsent: Vec<Row>,
    /// When it ended elsewhere.
    ended_at: MonotonicTime,
}

impl Item {
    fn is_open(&self) -> bool {
        !self.sent && self.ended.is_empty()
    }
}

/// What is shown instead of the list.
#[derive(Debug)]
enum Overlay {
    Prompt(InquiryId, Box<Prompt>),
    /// Asks for confirmation before these questions are declined or rejected.
    Confirm(BulkAction, Vec<InquiryId>),
    /// The open question was answered elsewhere; shows how, and what was typed for it.
    Ended(InquiryId),
    Help,
}

/// An action that must be confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BulkAction {
    Reject,
    Decline,
}

/// See the module documentation.
#[derive(Debug)]
pub struct Inbox {
    config: InboxConfig,
    /// The size of the layout, at least [`FRAME_MIN`].
    size: Size,
    /// The real size. If it is smaller than `size`, only a part of the layout is visible.
    window: Size,
    items: Vec<Item>,
    versions: NewestVersions,
    focus: Option<InquiryId>,
    marked: HashSet<InquiryId>,
    /// When each hidden question is shown again.
    snoozes: HashMap<InquiryId, MonotonicTime>,
    overlay: Option<Overlay>,
    /// A letter for yes or no that may be the start of a word.
    waiting: Option<(InquiryId, Box<Prompt>)>,
    notice: Option<String>,
    held: HeldReplies,
    /// Counts the batches. All marked questions are sent as one batch.
    last_batch: usize,
    is_disconnected: bool,
    guard: TypeaheadGuard,
    newest: Option<InquiryId>,
    requests: Vec<InboxRequest>,
    screen_requests: Vec<ScreenRequest>,
    now: MonotonicTime,
}

const SIZE_BEFORE_FIRST_RESIZE: Size = Size {
    columns: 80,
    rows: 24,
};

/// Nearest deadline first, then oldest first.
pub fn by_urgency(a: &InquiryResponse, b: &InquiryResponse) -> Ordering {
    let key = |one: &InquiryResponse| (one.expires_at.is_none(), one.expires_at, one.asked_at);
    key(a).cmp(&key(b)).then_with(|| a.id.cmp(&b.id))
}

/// The person who answers, and their groups, by alias. Empty if nobody in particular does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mine(pub Vec<String>);

impl Mine {
    /// Whether a question names the person or a group of theirs.
    pub fn includes(&self, inquiry: &InquiryResponse) -> bool {
        let named = inquiry.recipient.as_deref().unwrap_or_default();
        let alias = named.split('@').next().unwrap_or_default();
        self.0.iter().any(|mine| mine == alias)
    }

    /// The order of the inbox: what is for the person, then the rest.
    pub fn order(&self, a: &InquiryResponse, b: &InquiryResponse) -> Ordering {
        let is_for_others = |one| !self.includes(one);
        is_for_others(a)
            .cmp(&is_for_others(b))
            .then_with(|| by_urgency(a, b))
    }
}

impl Inbox {
    /// An empty inbox.
    pub fn new(config: InboxConfig) -> Inbox {
        let guard = TypeaheadGuard::new(config.typeahead_window);
        Inbox {
            config,
            size: SIZE_BEFORE_FIRST_RESIZE,
            window: SIZE_BEFORE_FIRST_RESIZE,
            items: Vec::new(),
            versions: NewestVersions::default(),
            focus: None,
            marked: HashSet::new(),
            snoozes: HashMap::new(),
            overlay: None,
            waiting: None,
            notice: None,
            held: HeldReplies::default(),
            last_batch: 0,
            is_disconnected: false,
            guard,
            newest: None,
            requests: Vec::new(),
            screen_requests: Vec::new(),
            now: MonotonicTime::ZERO,
        }
    }

    /// Removes and returns the pending requests.
    pub fn take_inbox_requests(&mut self) -> Vec<InboxRequest> {
        std::mem::take(&mut self.requests)
    }

    /// Handles an event from the backend.
    pub fn handle_event(&mut self, event: InboxEvent) {
        match event {
            InboxEvent::Inquiry(update) => self.apply(*update),
            InboxEvent::AnsweredFirst(update) => {
                if let Some(at) = self.index_of(&update.inquiry.id) {
                    self.items[at].reply_lost = true;
                }
                self.apply(*update);
            }
            InboxEvent::PendingIds(ids) => self.reconcile(&ids),
            InboxEvent::ReplyRefused(id, words) => {
                self.notice = Some(words);
                if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == id) {
                    item.sent = false;
                }
                self.refocus();
            }
            InboxEvent::Reply(id, reply) => {
                if let Some(prompt) = self.open_prompt(&id) {
                    prompt.handle_reply(reply);
                }
            }
            InboxEvent::Connected => self.is_disconnected = false,
            InboxEvent::Disconnected => self.is_disconnected = true,
        }
    }

    /// Removes questions that were resolved while the feed was disconnected.
    fn reconcile(&mut self, waiting: &HashSet<InquiryId>) {
        self.versions.forget_others(waiting);
        let gone = |item: &&Item| !waiting.contains(&item.inquiry.id) && item.is_open();
        let gone: Vec<InquiryId> = self
            .items
            .iter()
            .filter(gone)
            .map(|item| item.inquiry.id.clone())
            .collect();
        for id in gone {
            if let Some(at) = self.index_of(&id) {
                self.end_elsewhere(at, vec![self.text("inbox-gone", &[])]);
                self.requests.push(InboxRequest::FetchInquiry(id));
            }
        }
    }

    fn remove(&mut self, at: usize) {
        let gone = self.items[at].inquiry.id.clone();
        self.focus_next_of(at);
        self.items.retain(|item| item.inquiry.id != gone);
        if matches!(&self.overlay, Some(Overlay::Prompt(id, _)) if *id == gone) {
            self.set_overlay(None);
        }
        self.confirm_without(&gone);
        self.marked.remove(&gone);
        self.refocus();
    }

    /// Moves the focus from a question that is about to be removed to the next one.
    fn focus_next_of(&mut self, at: usize) {
        if self.focus.as_ref() != Some(&self.items[at].inquiry.id) {
            return;
        }
        let behind = self.items[at + 1..].iter().find(|item| item.is_open());
        let before = self.items[..at].iter().rev().find(|item| item.is_open());
        let next = behind.or(before).map(|item| item.inquiry.id.clone());
        self.focus_on(next);
    }

    /// Moves the focus to a visible question. The guard closes if the user did not move it there.
    fn refocus(&mut self) {
        let focus = self.focus.clone();
        let there = focus.filter(|id| self.shown().any(|item| item.inquiry.id == *id));
        let first = || self.shown().next().map(|item| item.inquiry.id.clone());
        self.focus_on(there.or_else(first));
    }

    fn focus_on(&mut self, focus: Option<InquiryId>) {
        if focus != self.focus {
            self.focus = focus;
            self.guard.close();
            self.drop_ended();
        }
    }

    fn shown(&self) -> impl Iterator<Item = &Item> {
        self.items
            .iter()
            .filter(|item| !item.sent && !self.is_hidden(item))
    }

    fn index_of(&self, id: &InquiryId) -> Option<usize> {
        self.items.iter().position(|item| item.inquiry.id == *id)
    }

    fn focused(&self) -> Option<&Item> {
        let focus = self.focus.as_ref()?;
        self.shown().find(|item| item.inquiry.id == *focus)
    }

    fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.config
            .glyphs
            .to_supported(self.config.locale.text(id, args))
    }

    fn key_name(&self, action: Action) -> String {
        let keymap = &self.config.keymap;
        keymap
            .name(Mode::Inbox, action, &self.config.glyphs)
            .unwrap_or_default()
    }
}

impl Screen for Inbox {
    fn resize(&mut self, size: Size) {
        // A smaller window shows a part of the layout.
        self.window = size;
        self.size = size.at_least(FRAME_MIN);
        let (room, now) = (self.prompt_size(), self.now);
        if let Some(Overlay::Prompt(_, prompt)) = &mut self.overlay {
            prompt.handle(&InputEvent::Resize(room), now);
        }
    }

    fn handle(&mut self, event: &InputEvent, now: MonotonicTime) {
        self.now = now;
        self.handle_input(event);
    }

    fn early(&mut self, _: &InputEvent) {
        self.on_typed_discarded();
    }

    fn on_typed_discarded(&mut self) {
        self.notice = Some(self.text("notice-too-soon", &[]));
    }

    fn tick(&mut self, now: MonotonicTime) {
        self.now = now;
        self.wake_snoozed();
        self.leave_ended(now);
        self.tick_waiting_letter(now);
        if let Some(Overlay::Prompt(id, prompt)) = &mut self.overlay {
            let (id, reaction) = (id.clone(), prompt.tick(now));
            self.react(id, reaction);
        }
    }

    fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let next = match &self.overlay {
            Some(Overlay::Prompt(_, prompt)) => prompt.next_tick(now),
            Some(Overlay::Confirm(..) | Overlay::Ended(..) | Overlay::Help) | None => {
                let waiting = self.waiting.as_ref();
                let letter = waiting.and_then(|(_, prompt)| prompt.next_tick(now));
                letter.into_iter().chain(self.held.next_tick(now)).min()
            }
        };
        let ended = self.next_leave_ended(now);
        next.into_iter()
            .chain(self.next_wake(now))
            .chain(ended)
            .min()
    }

    fn take_lines(&mut self) -> Vec<Row> {
        Vec::new()
    }

    fn take_requests(&mut self) -> Vec<ScreenRequest> {
        std::mem::take(&mut self.screen_requests)
    }

    fn view(&self) -> Frame {
        view::frame(self)
    }

    fn on_painted(&mut self, now: MonotonicTime) {
        self.guard.painted(now);
        if let Some(Overlay::Prompt(_, prompt)) = &mut self.overlay {
            prompt.painted(now);
        }
    }

    fn on_resumed(&mut self) {
        self.guard.close();
        if let Some(Overlay::Prompt(_, prompt)) = &mut self.overlay {
            prompt.appear(None);
        }
    }

    fn title(&self) -> String {
        let count = self.open_count();
        format!("{} ({count})", self.text("inbox-title", &[]))
    }

    fn notification(&self) -> Option<Notification> {
        let newest = self.newest.as_ref()?;
        let item = self.items.iter().find(|item| item.inquiry.id == *newest)?;
        Some(notification(&item.inquiry))
    }

    fn on_editor_closed(&mut self, edited: &EditorResult) {
        let Some(Overlay::Prompt(_, prompt)) = &mut self.overlay else {
            return;
        };
        prompt.editor_closed(edited);
        self.save_draft();
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.config.glyphs = glyphs;
        if let Some(Overlay::Prompt(_, prompt)) = &mut self.overlay {
            prompt.set_glyphs(glyphs);
        }
    }
}

#[cfg(test)]
#[path = "inbox/inbox_tests.rs"]
mod tests;
