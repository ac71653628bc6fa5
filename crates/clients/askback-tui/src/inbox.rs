//! The inbox: the pending questions of all agents. Like the chat, it has no terminal and no
//! network: it is given keys and [`InboxEvent`]s, and returns frames and [`InboxRequest`]s.

mod config;
mod ended_screen;
mod item;
mod item_list;
mod item_rows;
mod key_help;
mod keys;
mod lines;
mod notification;
mod overlay;
mod question_detail;
mod snooze;
mod updates;
mod view;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::time::Duration;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_locale::Arg;
use askback_wire::inquiry::InquiryResponse;
use jiff::{Timestamp, Zoned};

use crate::held_replies::HeldReplies;
use crate::inquiry_update::{InquiryUpdate, NewestVersions};
use crate::keymap::{Action, Mode};
use crate::prompt::{EscAtTop, Prompt, PromptEvent, PromptRequest, Room};
use crate::reply::InquiryReply;
use crate::screen_config::ScreenConfig;
use crate::typeahead::TypeaheadGuard;
use askback_terminal::app::{Notification, Screen, ScreenRequest};
use askback_terminal::clock::MonotonicTime;
use askback_terminal::display_mode::FRAME_MIN;
use askback_terminal::editor::EditorResult;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::InputEvent;
use askback_terminal::row::{Frame, Size};
use item::Item;
use item_list::ItemList;
use overlay::{OpenPrompt, Overlay};

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
    /// Ask the server for this, and report what came of it as [`InboxEvent::Prompt`].
    Prompt(InquiryId, PromptRequest),
    /// Undo the reply to a question.
    Undo(InquiryId),
    /// Hide a question until this time, or show it again.
    Snooze(InquiryId, Option<Timestamp>),
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
    Prompt(InquiryId, PromptEvent),
    /// The server is reachable.
    Connected,
    /// The connection was lost; the backend is reconnecting.
    Disconnected,
}

/// See the module documentation.
#[derive(Debug)]
pub struct Inbox {
    config: ScreenConfig,
    /// The flags with which another command reaches the same server.
    server_flags: String,
    agents_ready: Vec<String>,
    agents_rest: Vec<String>,
    /// The size of the layout, at least [`FRAME_MIN`].
    size: Size,
    /// The real size. If it is smaller than `size`, only a part of the layout is visible.
    window: Size,
    list: ItemList,
    versions: NewestVersions,
    overlay: Option<Overlay>,
    /// The prompt with a letter for yes or no, typed in the list, that may be the start of a word. It is not shown.
    waiting: Option<OpenPrompt>,
    notice: Option<String>,
    held: HeldReplies,
    /// The questions that were snoozed here last, until one is answered.
    snoozed: Vec<InquiryId>,
    local_time: fn() -> Zoned,
    is_disconnected: bool,
    guard: TypeaheadGuard,
    newest: Option<InquiryId>,
    requests: Vec<InboxRequest>,
    screen_requests: Vec<ScreenRequest>,
}

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
        Inbox {
            guard: TypeaheadGuard::new(config.screen.typeahead_window),
            config: config.screen,
            server_flags: config.server_flags,
            agents_ready: config.agents_ready,
            agents_rest: config.agents_rest,
            size: Size::USUAL,
            window: Size::USUAL,
            list: ItemList::new(config.mine),
            versions: NewestVersions::default(),
            overlay: None,
            waiting: None,
            notice: None,
            held: HeldReplies::default(),
            snoozed: Vec::new(),
            local_time: config.local_time,
            is_disconnected: false,
            newest: None,
            requests: Vec::new(),
            screen_requests: Vec::new(),
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
                if let Some(item) = self.list.get_mut(&update.inquiry.id) {
                    item.reply_lost = true;
                }
                self.apply(*update);
            }
            InboxEvent::PendingIds(ids) => self.reconcile(&ids),
            InboxEvent::ReplyRefused(id, words) => {
                self.notice = Some(words);
                if let Some(item) = self.list.get_mut(&id) {
                    item.sent = false;
                }
                self.list.refocus();
            }
            InboxEvent::Prompt(id, event) => {
                let told = match &event {
                    PromptEvent::HandedOn(Ok(_)) => Some(self.text("notice-handed-on", &[])),
                    PromptEvent::HandedOn(Err(words)) => Some(words.clone()),
                    PromptEvent::Link(_) | PromptEvent::OtherDraft | PromptEvent::Recipients(_) => {
                        None
                    }
                };
                if let Some(prompt) = self.prompt_of(&id) {
                    prompt.handle_event(event);
                }
                self.leave_people();
                if self.overlay.is_none() {
                    self.notice = told.or(self.notice.take());
                }
            }
            InboxEvent::Connected => self.is_disconnected = false,
            InboxEvent::Disconnected => self.is_disconnected = true,
        }
        self.settle();
    }

    /// The guard closes if the user did not move the focus.
    fn settle(&mut self) {
        self.leave_people();
        if std::mem::take(&mut self.list.has_moved_focus) {
            self.guard.close();
        }
    }

    /// The prompt that is open.
    fn open_prompt(&mut self) -> Option<&mut OpenPrompt> {
        match &mut self.overlay {
            Some(Overlay::Prompt(open)) => Some(open),
            Some(
                Overlay::Confirm(..) | Overlay::Snooze(..) | Overlay::Ended(..) | Overlay::Help,
            )
            | None => None,
        }
    }

    /// The prompt of this question, if it is open.
    fn prompt_of(&mut self, id: &InquiryId) -> Option<&mut Prompt> {
        let open = self.open_prompt()?;
        (open.id == *id).then_some(&mut *open.prompt)
    }

    /// Makes a prompt for a question of the list.
    fn new_prompt(&self, item: &Item) -> Option<Prompt> {
        let inquiry = item.inquiry.to_inquiry().ok()?;
        let mut options = self.config.prompt_options(&item.inquiry);
        options.is_detached = item.inquiry.is_detached();
        options.size = self.prompt_size();
        options.room = Room::All;
        options.esc_at_top = EscAtTop::GoesBack;
        options.deadline = item.deadline;
        options.draft.clone_from(&item.draft);
        Some(Prompt::new(inquiry, options))
    }

    fn prompt_size(&self) -> Size {
        Size {
            columns: self.size.columns,
            rows: self.size.rows.saturating_sub(view::HEAD).max(1),
        }
    }

    /// Shows something instead of the list, or the list. The guard stays as it is.
    fn show(&mut self, overlay: Option<Overlay>) {
        let inquiries = overlay.as_ref().map(Overlay::inquiries);
        self.list.on_screen = inquiries.unwrap_or_default();
        self.overlay = overlay;
    }

    /// Replaces the overlay. The guard closes until the new content was visible.
    fn set_overlay(&mut self, overlay: Option<Overlay>) {
        self.show(overlay);
        self.guard.close();
    }

    fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.config.text(id, args)
    }

    /// A text that names the key of an action of the list.
    fn key_text(&self, id: &str, action: Action) -> String {
        let keys = self.config.key_name(Mode::Inbox, action);
        self.text(id, &[("keys", keys.into())])
    }
}

impl Screen for Inbox {
    fn resize(&mut self, size: Size) {
        // A smaller window shows a part of the layout.
        self.window = size;
        self.size = size.at_least(FRAME_MIN);
        let (room, now) = (self.prompt_size(), self.list.now);
        if let Some(open) = self.open_prompt() {
            open.prompt.handle(&InputEvent::Resize(room), now);
        }
    }

    fn handle(&mut self, event: &InputEvent, now: MonotonicTime) {
        self.list.now = now;
        self.handle_input(event);
        self.settle();
    }

    fn early(&mut self, _: &InputEvent) {
        self.on_typed_discarded();
    }

    fn on_typed_discarded(&mut self) {
        self.notice = Some(self.text("notice-too-soon", &[]));
    }

    fn tick(&mut self, now: MonotonicTime) {
        self.list.now = now;
        self.list.wake();
        self.leave_ended(now);
        self.settle();
        self.tick_waiting_letter(now);
        if let Some(open) = self.open_prompt() {
            let (id, reaction) = (open.id.clone(), open.prompt.tick(now));
            self.react(id, reaction);
        }
        self.settle();
    }

    fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let next = match &self.overlay {
            Some(Overlay::Prompt(open)) => open.prompt.next_tick(now),
            Some(
                Overlay::Confirm(..) | Overlay::Snooze(..) | Overlay::Ended(..) | Overlay::Help,
            )
            | None => {
                let waiting = self.waiting.as_ref();
                let letter = waiting.and_then(|open| open.prompt.next_tick(now));
                letter.into_iter().chain(self.held.next_tick(now)).min()
            }
        };
        let ended = self.next_leave_ended(now);
        next.into_iter()
            .chain(self.list.next_wake(now))
            .chain(ended)
            .min()
    }

    fn take_requests(&mut self) -> Vec<ScreenRequest> {
        std::mem::take(&mut self.screen_requests)
    }

    fn view(&self) -> Frame {
        view::frame(self)
    }

    fn on_painted(&mut self, now: MonotonicTime) {
        self.guard.painted(now);
        if let Some(open) = self.open_prompt() {
            open.prompt.painted(now);
        }
    }

    fn on_resumed(&mut self) {
        self.guard.close();
        if let Some(open) = self.open_prompt() {
            open.prompt.appear(None);
        }
    }

    fn title(&self) -> String {
        let count = self.list.open_count();
        format!("{} ({count})", self.text("inbox-title", &[]))
    }

    fn notification(&self) -> Option<Notification> {
        let newest = self.list.get(self.newest.as_ref()?)?;
        Some(notification(&newest.inquiry))
    }

    fn on_editor_closed(&mut self, edited: &EditorResult) {
        if let Some(open) = self.open_prompt() {
            open.prompt.editor_closed(edited);
            self.save_draft();
        }
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.config.glyphs = glyphs;
        if let Some(open) = self.open_prompt() {
            open.prompt.set_glyphs(glyphs);
        }
    }
}

#[cfg(test)]
#[path = "inbox/inbox_tests.rs"]
mod tests;
