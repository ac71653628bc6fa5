//! The chat: the transcript, what the agent is doing, its questions, and a message field. It has no
//! terminal and no network: it is given keys and [`ChatEvent`]s, and returns frames, lines and
//! [`ChatRequest`]s.

mod events;
mod keys;
mod menu;
mod undo;
mod view;

use askback_core::draft::Draft;
use askback_core::id::{ConversationId, InquiryId};
use askback_locale::Arg;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::state::StateResponse;

use crate::composer::Composer;
use crate::deadline::Deadline;
use crate::held_replies::HeldReplies;
use crate::inquiry_update::{InquiryUpdate, NewestVersions};
use crate::prompt::{Prompt, PromptRequest};
use crate::reply::InquiryReply;
use crate::screen_config::ScreenConfig;
use crate::transcript::Transcript;
use crate::typeahead::TypeaheadGuard;
use askback_terminal::app::{Notification, Screen, ScreenRequest};
use askback_terminal::clock::MonotonicTime;
use askback_terminal::display_mode::FRAME_MIN;
use askback_terminal::editor::EditorResult;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{InputEvent, Key};
use askback_terminal::row::{Frame, Row, Size};

pub use events::ChatEvent;
pub use menu::EarlierConversation;

/// The settings of a chat.
#[derive(Debug, Clone)]
pub struct ChatConfig {
    /// Language, glyphs and keys.
    pub screen: ScreenConfig,
    /// The command that resumes a conversation, which is printed at the end; `{id}` is replaced by
    /// its id.
    pub command: String,
}

/// What the chat asks the network side to do. The result arrives as a [`ChatEvent`].
#[derive(Debug, Clone, PartialEq)]
pub enum ChatRequest {
    /// Send a message; this creates the conversation if there is none.
    SendMessage(String),
    /// Answer, decline or reject a question.
    SendReply(Box<InquiryResponse>, InquiryReply),
    /// Stop the agent.
    StopAgent,
    /// Undo the reply to a question.
    Undo(InquiryId),
    /// Let the reply to a question take effect before its undo window ends.
    CommitAnswer(InquiryId),
    /// Save a draft of this revision of a question.
    SaveDraft(InquiryId, u32, Draft),
    /// Stop the deadline of a question, because a key was pressed.
    StopDeadline(InquiryId),
    /// Ask the server for this, and report what came of it as [`ChatEvent::Prompt`].
    Prompt(InquiryId, PromptRequest),
    /// List earlier conversations.
    ListConversations,
    /// Continue an earlier conversation.
    OpenConversation(ConversationId),
}

#[derive(Debug)]
struct Pending {
    inquiry: InquiryResponse,
    prompt: Prompt,
    status: PendingStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PendingStatus {
    Open,
    Postponed,
    /// Its reply was sent and is not confirmed yet, or can still be undone.
    Sending,
}

/// What is shown instead of the message field.
#[derive(Debug)]
enum Overlay {
    /// The choices as they were when the menu was opened, and the focused row.
    Menu(Vec<menu::Choice>, usize),
    ConfirmStop,
    /// The conversations and the focused row.
    Earlier(Vec<EarlierConversation>, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ServerStatus {
    Connecting,
    Connected,
    Lost,
}

/// See the module documentation.
#[derive(Debug)]
pub struct Chat {
    config: ScreenConfig,
    resume_command: String,
    size: Size,
    conversation: Option<ConversationId>,
    agent: String,
    state: StateResponse,
    server: ServerStatus,
    link: Option<String>,
    transcript: Transcript,
    composer: Composer,
    pending: Vec<Pending>,
    versions: NewestVersions,
    held: HeldReplies,
    at: usize,
    overlay: Option<Overlay>,
    notice: Option<String>,
    /// The line that the menu prints.
    browser_link: Option<Row>,
    /// Printed when a conversation is opened.
    welcome: Vec<Row>,
    saying: bool,
    requests: Vec<ChatRequest>,
    screen_requests: Vec<ScreenRequest>,
    now: MonotonicTime,
    /// For the menus; each question has its own guard.
    guard: TypeaheadGuard,
    last_key: Option<(Option<Key>, MonotonicTime)>,
    painted: Option<InquiryId>,
    /// Whether the user opened the question that is painted next.
    opening: bool,
    /// Whether a question ended while the user was typing. The keys may have been meant for it, so
    /// nothing is sent before a pause.
    needs_pause: bool,
    /// The last key that answered a question, and when. Repeated at once, it is not typed into the
    /// message field.
    answered: Option<(Key, MonotonicTime)>,
}

impl Chat {
    /// A chat without a conversation.
    pub fn new(config: ChatConfig, agent: &str) -> Chat {
        Chat {
            guard: TypeaheadGuard::new(config.screen.typeahead_window),
            last_key: None,
            painted: None,
            opening: false,
            needs_pause: false,
            answered: None,
            config: config.screen,
            resume_command: config.command,
            size: Size::USUAL,
            conversation: None,
            agent: agent.to_owned(),
            state: StateResponse::Idle,
            server: ServerStatus::Connecting,
            link: None,
            transcript: Transcript::default(),
            composer: Composer::default(),
            pending: Vec::new(),
            versions: NewestVersions::default(),
            held: HeldReplies::default(),
            at: 0,
            overlay: None,
            notice: None,
            browser_link: None,
            welcome: Vec::new(),
            saying: false,
            requests: Vec::new(),
            screen_requests: Vec::new(),
            now: MonotonicTime::ZERO,
        }
    }

    /// Removes and returns the pending requests.
    pub fn take_chat_requests(&mut self) -> Vec<ChatRequest> {
        std::mem::take(&mut self.requests)
    }

    /// The open conversation; `None` before the first message.
    pub fn conversation(&self) -> Option<&ConversationId> {
        self.conversation.as_ref()
    }

    fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.config.text(id, args)
    }

    fn shown(&self) -> Option<&Pending> {
        let pending = self.pending.get(self.at)?;
        (pending.status == PendingStatus::Open && self.overlay.is_none()).then_some(pending)
    }

    /// The questions without a reply from here.
    fn unsent(&self) -> impl Iterator<Item = &Pending> {
        let pending = self.pending.iter();
        pending.filter(|one| one.status != PendingStatus::Sending)
    }

    fn is_busy(&self) -> bool {
        match &self.state {
            StateResponse::LlmRequesting { .. }
            | StateResponse::ToolExecuting { .. }
            | StateResponse::AwaitingSubAgents { .. } => true,
            StateResponse::Idle
            | StateResponse::AwaitingUserResponse { .. }
            | StateResponse::Error { .. }
            | StateResponse::Closed
            | StateResponse::Unknown => self.saying,
        }
    }

    /// Applies the state of a question as the server has it, wherever it comes from. Applied twice, it changes nothing,
    /// nor does an older state that arrives late.
    fn apply(&mut self, update: InquiryUpdate) {
        let (id, held_until) = (update.inquiry.id.clone(), update.held_until);
        let before = self.pending.iter().find(|one| one.inquiry.id == id);
        let before = before.map(|one| &one.inquiry);
        let is_ours = Some(&update.inquiry.conversation_id) == self.conversation.as_ref();
        if !is_ours || !self.versions.accept(&update.inquiry, before) {
            return;
        }
        let was_held = before.is_some_and(|before| before.held.is_some());
        let is_known = before.is_some();
        if update.inquiry.status.is_resolved() {
            return self.resolved(&update.inquiry);
        }
        let after = update.inquiry.clone();
        if is_known {
            self.change(update);
        } else {
            self.add(update.inquiry, update.draft, update.deadline);
        }
        match held_until {
            Some(until) => self.offer_undo(&after, until),
            None if was_held => self.reopen(&id),
            None => {}
        }
    }

    fn change(&mut self, update: InquiryUpdate) {
        let Some(at) = self.index_of(&update.inquiry.id) else {
            return;
        };
        let pending = &mut self.pending[at];
        // A key has stopped the deadline of the prompt, so that only one that was moved is set there.
        if pending.inquiry.expires_at != update.inquiry.expires_at {
            pending.prompt.set_deadline(update.deadline);
        }
        pending
            .prompt
            .set_recipient(update.inquiry.shown_recipient());
        pending.inquiry = update.inquiry;
    }

    fn add(&mut self, inquiry: InquiryResponse, draft: Option<Draft>, deadline: Option<Deadline>) {
        let Ok(asked) = inquiry.to_inquiry() else {
            self.notice = Some(self.text("web-bad-question", &[]));
            return;
        };
        let mut options = self.config.prompt_options(&inquiry);
        options.asker.get_or_insert_with(|| self.agent.clone());
        options.link = self
            .link
            .as_ref()
            .map(|link| format!("{link}/q/{}", inquiry.id));
        options.draft = draft;
        options.deadline = deadline;
        let mut prompt = Prompt::new(asked, options);
        prompt.handle(&InputEvent::Resize(self.prompt_size()), self.now);
        // A user who is typing a message keeps typing it: the keys are not meant for the new
        // question.
        let status = if inquiry.held.is_some() {
            PendingStatus::Sending
        } else if self.composer.is_empty() {
            PendingStatus::Open
        } else {
            // A message may count as an answer, and the question was not visible yet.
            self.needs_pause = true;
            PendingStatus::Postponed
        };
        self.pending.push(Pending {
            inquiry,
            prompt,
            status,
        });
        if self.shown().is_none() {
            self.at = self.pending.len() - 1;
        }
        self.fit();
    }

    /// One row less for the line that counts the other pending questions, and one for the line that
    /// offers to undo.
    fn prompt_size(&self) -> Size {
        let others = self.unsent().count() > 1;
        let undo = self.held.can_undo(self.now);
        let rows = usize::from(others) + usize::from(undo);
        Size {
            columns: self.size.columns,
            rows: self.size.rows - if self.size.rows > 8 { rows } else { 0 },
        }
    }

    fn fit(&mut self) {
        let size = self.prompt_size();
        for pending in &mut self.pending {
            pending.prompt.handle(&InputEvent::Resize(size), self.now);
        }
    }
}

impl Screen for Chat {
    fn resize(&mut self, size: Size) {
        // A smaller window shows a part of the layout.
        self.size = size.at_least(FRAME_MIN);
        self.fit();
    }

    fn handle(&mut self, event: &InputEvent, now: MonotonicTime) {
        self.now = now;
        self.handle_input(event);
    }

    fn early(&mut self, event: &InputEvent) {
        self.handle_early_input(event);
    }

    fn tick(&mut self, now: MonotonicTime) {
        self.now = now;
        let mut reactions = Vec::new();
        for (at, pending) in self.pending.iter_mut().enumerate() {
            if pending.status == PendingStatus::Sending {
                continue;
            }
            reactions.push((at, pending.prompt.tick(now)));
        }
        // The end of a question removes it, so the last ones come first.
        for (at, reaction) in reactions.into_iter().rev() {
            self.react(at, reaction);
        }
    }

    fn next_tick(&self, now: MonotonicTime) -> Option<std::time::Duration> {
        let ticks = self.unsent().filter_map(|one| one.prompt.next_tick(now));
        ticks.chain(self.held.next_tick(now)).min()
    }

    fn take_lines(&mut self) -> Vec<Row> {
        let columns = self.columns();
        self.transcript.print(columns, &self.config.glyphs)
    }

    fn take_requests(&mut self) -> Vec<ScreenRequest> {
        std::mem::take(&mut self.screen_requests)
    }

    fn view(&self) -> Frame {
        view::frame(self)
    }

    fn on_painted(&mut self, now: MonotonicTime) {
        self.guard.painted(now);
        let shown = self.shown().map(|pending| pending.inquiry.id.clone());
        if shown.is_some()
            && let Some(pending) = self.pending.get_mut(self.at)
        {
            match (shown == self.painted, std::mem::take(&mut self.opening)) {
                (false, true) => pending.prompt.opened(self.last_key),
                (false, false) => pending.prompt.appear(self.last_key),
                (true, _) => {}
            }
            pending.prompt.painted(now);
        }
        self.painted = shown;
    }

    fn on_resumed(&mut self) {
        self.guard.close();
        self.painted = None;
    }

    fn title(&self) -> String {
        match self.unsent().next() {
            Some(pending) => pending.prompt.title(),
            None => self.text("chat-title", &[("agent", self.agent.as_str().into())]),
        }
    }

    fn notification(&self) -> Option<Notification> {
        let pending = self.pending.last()?;
        Some(Notification {
            text: pending.prompt.title(),
            ..crate::inbox::notification(&pending.inquiry)
        })
    }

    fn on_editor_closed(&mut self, edited: &EditorResult) {
        let text = match edited {
            EditorResult::Saved(text) => text,
            EditorResult::NoEditor => {
                return self.notice = Some(self.text("notice-editor-missing", &[]));
            }
            EditorResult::Failed => {
                return self.notice = Some(self.text("notice-editor-failed", &[]));
            }
        };
        if self.shown().is_some() {
            self.pending[self.at].prompt.edited(text);
            self.save_draft(self.at);
        } else {
            self.composer.set(text);
        }
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.config.glyphs = glyphs;
        for pending in &mut self.pending {
            pending.prompt.set_glyphs(glyphs);
        }
    }
}

#[cfg(test)]
#[path = "chat/chat_tests.rs"]
mod tests;
