//! Handles events from the backend.

use askback_core::id::InquiryId;
use askback_wire::conversation::ConversationDetailResponse;
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::state::StateResponse;

use super::menu::EarlierConversation;
use super::{Chat, Overlay, PendingStatus, ServerStatus};
use crate::composer::Composer;
use crate::inquiry_update::InquiryUpdate;
use crate::outcome_lines::{self, AnsweredFrom};
use crate::prompt::PromptEvent;
use crate::transcript::{Kind, Transcript};
use askback_terminal::row::{Row, Style};

/// What the network side reports to the chat.
#[derive(Debug)]
pub enum ChatEvent {
    /// A conversation was opened, with its state, its resolved inquiries and its agent's name.
    Opened(
        Box<ConversationDetailResponse>,
        Vec<InquiryResponse>,
        String,
    ),
    /// A question as it is now.
    Inquiry(Box<InquiryUpdate>),
    /// Any other event of the feed.
    Event(Box<EventResponse>),
    /// The server is reachable; the address also opens the web pages.
    Connected(Option<String>),
    /// The connection was lost; the backend is reconnecting.
    Disconnected,
    /// The agent was stopped.
    AgentStopped,
    /// The server refused a message. The first text is the message, which goes back to the field; the
    /// second is the reason.
    MessageRefused(String, String),
    /// The server refused this message because a question must be answered first.
    QuestionFirst(String),
    /// A reply could not be undone any more.
    UndoRefused,
    /// The server refused an answer, with the reason.
    AnswerRefused(InquiryId, String),
    /// What came of [`ChatRequest::Prompt`](super::ChatRequest::Prompt), or of saving a draft.
    Prompt(InquiryId, PromptEvent),
    /// Any other request failed, with the reason.
    Failed(String),
    /// Earlier conversations, the newest first.
    Conversations(Vec<EarlierConversation>),
    /// Lines to print as they are, without wrapping.
    Print(Vec<Row>),
    /// Lines to print below the history of the conversation that is opened next.
    Welcome(Vec<Row>),
    /// The line with the link for a browser, for the menu.
    BrowserLink(Row),
}

impl Chat {
    /// Handles an event from the backend.
    pub fn handle_event(&mut self, event: ChatEvent) {
        match event {
            ChatEvent::Opened(detail, ended, agent) => self.open(&detail, &ended, agent),
            ChatEvent::Inquiry(update) => self.apply(*update),
            ChatEvent::Event(event) => self.happened(*event),
            ChatEvent::Connected(link) => self.connected(link),
            ChatEvent::Disconnected => {
                self.server = ServerStatus::Lost;
                self.transcript.join_reply();
            }
            ChatEvent::AgentStopped => {
                self.saying = false;
                let row = Row::new().with(self.text("chat-stopped", &[]), Style::Muted);
                self.transcript.note(vec![row], Kind::Notice);
            }
            ChatEvent::MessageRefused(text, words) => {
                self.saying = false;
                self.notice = Some(words);
                self.composer.put_back(&text);
            }
            ChatEvent::QuestionFirst(text) => self.offer_as_answer(&text),
            ChatEvent::AnswerRefused(id, words) => {
                self.notice = Some(words);
                let refused = self.pending.iter_mut().find(|one| one.inquiry.id == id);
                if let Some(pending) = refused {
                    pending.status = PendingStatus::Open;
                }
            }
            ChatEvent::UndoRefused => {
                self.notice = Some(self.text("notice-too-late-to-undo", &[]));
            }
            ChatEvent::Prompt(id, event) => {
                if let Some(one) = self.pending.iter_mut().find(|one| one.inquiry.id == id) {
                    one.prompt.handle_event(event);
                }
            }
            ChatEvent::Failed(words) => {
                self.saying = false;
                self.notice = Some(words);
            }
            ChatEvent::Conversations(earlier) if earlier.is_empty() => {
                self.notice = Some(self.text("chat-no-earlier", &[]));
            }
            ChatEvent::Conversations(earlier) => self.set_overlay(Overlay::Earlier(earlier, 0)),
            ChatEvent::Welcome(rows) => self.welcome = rows,
            ChatEvent::BrowserLink(row) => self.browser_link = Some(row),
            ChatEvent::Print(rows) => self.transcript.note(rows, Kind::Address),
        }
    }

    /// Opens the pending question with a message as its answer, which enter sends. If the question does
    /// not accept it, the message stays in its field.
    fn offer_as_answer(&mut self, text: &str) {
        self.saying = false;
        let open = |at: &usize| self.pending[*at].status != PendingStatus::Sending;
        let first = (self.at..self.pending.len()).chain(0..self.at).find(open);
        let Some(at) = first else {
            self.composer.put_back(text);
            return self.notice = Some(self.text("chat-question-first", &[]));
        };
        self.at = at;
        self.overlay = None;
        self.opening = true;
        self.painted = None;
        let pending = &mut self.pending[at];
        pending.status = PendingStatus::Open;
        if pending.prompt.offer_text(text) {
            self.save_draft(at);
            return self.notice = Some(self.text("chat-offered", &[]));
        }
        self.composer.put_back(text);
        self.notice = Some(self.text("chat-question-first", &[]));
    }

    fn connected(&mut self, link: Option<String>) {
        match self.server {
            ServerStatus::Lost => self.notice = Some(self.text("chat-connected", &[])),
            // The feed was reset: nobody will tell what became of a message.
            ServerStatus::Connected => self.saying = false,
            ServerStatus::Connecting => {}
        }
        self.server = ServerStatus::Connected;
        self.link = link;
    }

    fn open(
        &mut self,
        detail: &ConversationDetailResponse,
        ended: &[InquiryResponse],
        agent: String,
    ) {
        let id = &detail.conversation.id;
        // The first conversation is opened by its first message, which may still be on its way.
        if self.conversation.is_some() || !detail.messages.is_empty() {
            self.saying = false;
        }
        if self.conversation.as_ref() != Some(id) {
            if self.conversation.is_some() {
                let title = detail.conversation.title.clone().unwrap_or_default();
                let row = Row::new().with(format!("── {title}"), Style::Muted);
                let rows = std::mem::take(&mut self.transcript);
                self.transcript = Transcript::after(rows);
                self.transcript.note(vec![row], Kind::Notice);
            }
            self.pending.clear();
            self.held.clear();
            self.at = 0;
            let typed = self.composer.text().to_owned();
            self.composer = Composer::default();
            self.composer.set(&typed);
        }
        self.conversation = Some(id.clone());
        self.agent = agent;
        self.overlay = None;
        let (locale, glyphs) = (self.config.locale, self.config.glyphs);
        let found = |id: &InquiryId| {
            let found = ended.iter().find(|found| found.id == *id)?;
            let whose = whose(found);
            Some((
                found.clone(),
                outcome_lines::lines(locale, &glyphs, found, whose),
            ))
        };
        for message in &detail.messages {
            self.transcript.advance(Some(message.sequence));
            if let Some(said) = self.transcript.take(message, &glyphs, &found) {
                self.composer.remember(&said);
            }
        }
        let welcome = std::mem::take(&mut self.welcome);
        if !welcome.is_empty() {
            self.transcript.note(welcome, Kind::Address);
        }
        self.transcript.advance(detail.sequence);
        self.change_state(detail.conversation.state.clone(), None);
        if self.is_busy() {
            self.transcript.join_reply();
        }
    }

    fn happened(&mut self, event: EventResponse) {
        if event.conversation_id() != self.conversation.as_ref() {
            return;
        }
        let sequence = event.sequence();
        match event {
            EventResponse::StateChange(event) => self.change_state(event.state, sequence),
            EventResponse::Message(event) => {
                // It has arrived. A feed that begins later may not have the state that followed.
                self.saying = false;
                let glyphs = self.config.glyphs;
                let said = self.transcript.take(&event.message, &glyphs, &|_| None);
                if let Some(said) = said {
                    self.composer.remember(&said);
                }
            }
            EventResponse::Token(event) => self.transcript.token(event.after, &event.text),
            EventResponse::Error(event) if event.sequence.is_none() => {
                self.notice = Some(event.message);
            }
            // The backend sends inquiries by themselves.
            EventResponse::Inquiry(_)
            | EventResponse::Error(_)
            | EventResponse::Reset(_)
            | EventResponse::Unknown(_) => {}
        }
        self.transcript.advance(sequence);
    }

    /// The sequence number is absent if the state was read, not received as an event.
    fn change_state(&mut self, state: StateResponse, sequence: Option<u64>) {
        // A message makes the agent work. An idle state is older than a message on its way: the feed
        // of a new conversation begins with one.
        if state != StateResponse::Idle {
            self.saying = false;
        }
        match &state {
            StateResponse::LlmRequesting { attempt, .. } => {
                self.transcript.begin_reply(sequence);
                if *attempt == 1 {
                    self.notice = None;
                }
            }
            StateResponse::Error { code, .. } => {
                let id = match code.as_str() {
                    "overloaded" => "chat-error-overloaded",
                    "network" => "chat-error-network",
                    "refused" => "chat-error-refused",
                    "too_many_rounds" => "chat-error-rounds",
                    _ => "chat-error-other",
                };
                let hint = Row::new()
                    .with("  ", Style::Plain)
                    .with(self.text(id, &[]), Style::Muted);
                self.transcript.note(vec![hint], Kind::Notice);
            }
            StateResponse::Idle
            | StateResponse::ToolExecuting { .. }
            | StateResponse::AwaitingUserResponse { .. }
            | StateResponse::AwaitingSubAgents { .. }
            | StateResponse::Closed
            | StateResponse::Unknown => {}
        }
        self.state = state;
    }

    pub(super) fn resolved(&mut self, found: &InquiryResponse) {
        self.held.remove(&found.id);
        let at = self.index_of(&found.id);
        let sent = at.is_some_and(|at| self.pending[at].status == PendingStatus::Sending);
        let whose = if sent {
            whose(found)
        } else {
            AnsweredFrom::Elsewhere
        };
        let mut rows = outcome_lines::lines(self.config.locale, &self.config.glyphs, found, whose);
        if let Some(at) = at {
            if !sent {
                rows.extend(self.pending[at].prompt.unsent());
                self.remove_ended(at);
            }
            self.pending.remove(at);
            if self.at > at {
                self.at -= 1;
            }
            if self.at >= self.pending.len() {
                self.at = 0;
            }
            self.fit();
        }
        self.transcript.end(found, rows);
    }

    /// Removes a question that was resolved elsewhere. If it was shown, no other question replaces
    /// it.
    fn remove_ended(&mut self, at: usize) {
        if self.shown().is_none() || self.at != at {
            return;
        }
        self.needs_pause = true;
        for pending in &mut self.pending {
            if pending.status == PendingStatus::Open {
                pending.status = PendingStatus::Postponed;
            }
        }
    }
}

fn whose(found: &InquiryResponse) -> AnsweredFrom {
    let here = found.surface.as_ref().map(ToString::to_string);
    if here.as_deref() == Some("terminal") {
        AnsweredFrom::Here
    } else {
        AnsweredFrom::Elsewhere
    }
}
