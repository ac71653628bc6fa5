//! What comes from the server.

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_wire::conversation::ConversationDetailResponse;
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::link::LinkResponse;
use askback_wire::state::StateResponse;

use super::menu::Earlier;
use super::{Chat, Line, Over, Stage, Wish};
use crate::composer::Composer;
use crate::deadline::Deadline;
use crate::ended::{self, Whose};
use crate::transcript::{Kind, Transcript};
use askback_terminal::row::{Ink, Row};

/// Something a chat is told.
#[derive(Debug)]
pub enum News {
    /// A conversation, as it stands, with its questions that ended and the name of its agent.
    Opened(
        Box<ConversationDetailResponse>,
        Vec<InquiryResponse>,
        String,
    ),
    /// A question, with what was typed to answer it, and its deadline.
    Asked(Box<InquiryResponse>, Option<Draft>, Option<Deadline>),
    /// Something happened.
    Event(Box<EventResponse>),
    /// The server is there, at this address, which opens the pages, too.
    Connected(Option<String>),
    /// The server is gone; somebody is trying to bring it back.
    Lost,
    /// A message was taken.
    Said,
    /// The agent was stopped.
    Stopped,
    /// A message was refused, in words; it is not lost.
    SayRefused(String, String),
    /// An answer was refused, in words.
    AnswerRefused(InquiryId, String),
    /// A link to a question for another device, or in words why there is none.
    Shared(InquiryId, Result<LinkResponse, String>),
    /// Something else went wrong, in words.
    Refused(String),
    /// Earlier conversations, the newest first.
    Listed(Vec<Earlier>),
    /// Words to be printed as they are, none of them broken.
    Words(Vec<Row>),
    /// The same, but below what was said before in the conversation that is opened next.
    Welcome(Vec<Row>),
}

impl Chat {
    /// Takes news.
    pub fn hear(&mut self, news: News) {
        match news {
            News::Opened(detail, ended, agent) => self.open(&detail, &ended, agent),
            News::Asked(inquiry, draft, deadline) => self.add(*inquiry, draft, deadline),
            News::Event(event) => self.happened(*event),
            News::Connected(link) => self.connected(link),
            News::Lost => self.line = Line::Lost,
            News::Said => {}
            News::Stopped => {
                let row = Row::new().with(self.say("chat-stopped", &[]), Ink::Muted);
                self.transcript.note(vec![row], Kind::Notice);
            }
            News::SayRefused(text, words) => {
                self.saying = false;
                self.notice = Some(words);
                if self.composer.is_empty() {
                    self.composer.set(&text);
                }
            }
            News::AnswerRefused(id, words) => {
                self.notice = Some(words);
                let refused = self.pending.iter_mut().find(|one| one.inquiry.id == id);
                if let Some(pending) = refused {
                    pending.stage = Stage::Open;
                }
            }
            News::Shared(id, made) => {
                if let Some(one) = self.pending.iter_mut().find(|one| one.inquiry.id == id) {
                    one.prompt.shared(made);
                }
            }
            News::Refused(words) => {
                self.saying = false;
                self.notice = Some(words);
            }
            News::Listed(earlier) if earlier.is_empty() => {
                self.notice = Some(self.say("chat-no-earlier", &[]));
            }
            News::Listed(earlier) => self.lay_over(Over::Earlier(earlier, 0)),
            News::Welcome(rows) => self.welcome = rows,
            News::Words(rows) => self.transcript.note(rows, Kind::Address),
        }
    }

    fn connected(&mut self, link: Option<String>) {
        if self.line == Line::Lost {
            self.notice = Some(self.say("chat-connected", &[]));
        }
        self.line = Line::Connected;
        self.link = link;
    }

    fn open(
        &mut self,
        detail: &ConversationDetailResponse,
        ended: &[InquiryResponse],
        agent: String,
    ) {
        let id = &detail.conversation.id;
        if self.conversation.as_ref() != Some(id) {
            if self.conversation.is_some() {
                let title = detail.conversation.title.clone().unwrap_or_default();
                let row = Row::new().with(format!("── {title}"), Ink::Muted);
                let rows = std::mem::take(&mut self.transcript);
                self.transcript = Transcript::after(rows);
                self.transcript.note(vec![row], Kind::Notice);
            }
            self.pending.clear();
            self.at = 0;
            let typed = self.composer.text().to_owned();
            self.composer = Composer::default();
            self.composer.set(&typed);
        }
        self.conversation = Some(id.clone());
        self.agent = agent;
        self.over = None;
        let (locale, glyphs) = (self.setting.locale, self.setting.glyphs);
        let found = |id: &InquiryId| {
            let found = ended.iter().find(|found| found.id == *id)?;
            let whose = whose(found);
            Some((found.clone(), ended::lines(locale, &glyphs, found, whose)))
        };
        for message in &detail.messages {
            if let Some(said) = self.transcript.take(message, &glyphs, &found) {
                self.composer.remember(&said);
            }
        }
        let welcome = std::mem::take(&mut self.welcome);
        if !welcome.is_empty() {
            self.transcript.note(welcome, Kind::Address);
        }
        self.change(detail.conversation.state.clone());
        if self.is_busy() {
            self.transcript.join_reply();
        }
    }

    fn happened(&mut self, event: EventResponse) {
        if event.conversation_id() != self.conversation.as_ref() {
            return;
        }
        match event {
            EventResponse::StateChange(event) => self.change(event.state),
            EventResponse::Message(event) => {
                let glyphs = self.setting.glyphs;
                let said = self.transcript.take(&event.message, &glyphs, &|_| None);
                if let Some(said) = said {
                    self.composer.remember(&said);
                }
            }
            EventResponse::InquiryAsked(event) => {
                self.wishes.push(Wish::Prepare(Box::new(event.inquiry)));
            }
            EventResponse::InquiryResolved(event) => self.resolved(&event.inquiry),
            EventResponse::Token(event) => self.transcript.token(&event.text),
            EventResponse::Error(event) if event.sequence.is_none() => {
                self.notice = Some(event.message);
            }
            EventResponse::Error(_)
            | EventResponse::InquiryReminder(_)
            | EventResponse::InquiryHeld(_)
            | EventResponse::InquiryReopened(_)
            | EventResponse::Reset(_)
            | EventResponse::Unknown(_) => {}
        }
    }

    fn change(&mut self, state: StateResponse) {
        self.saying = false;
        match &state {
            StateResponse::LlmRequesting { attempt } => {
                self.transcript.begin_reply();
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
                    .with("  ", Ink::Plain)
                    .with(self.say(id, &[]), Ink::Muted);
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

    fn resolved(&mut self, found: &InquiryResponse) {
        let at = self
            .pending
            .iter()
            .position(|one| one.inquiry.id == found.id);
        let sent = at.is_some_and(|at| self.pending[at].stage == Stage::Sending);
        let whose = if sent { whose(found) } else { Whose::Others };
        let mut rows = ended::lines(self.setting.locale, &self.setting.glyphs, found, whose);
        if let Some(at) = at {
            if !sent {
                rows.extend(self.pending[at].prompt.unsent());
                self.taken_away(at);
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

    /// A question ends that nothing was sent for. If it is shown, no other one takes its place.
    fn taken_away(&mut self, at: usize) {
        if self.shown().is_none() || self.at != at {
            return;
        }
        self.needs_pause = true;
        for pending in &mut self.pending {
            if pending.stage == Stage::Open {
                pending.stage = Stage::Left;
            }
        }
    }
}

fn whose(found: &InquiryResponse) -> Whose {
    let here = found.surface.as_ref().map(ToString::to_string);
    if here.as_deref() == Some("terminal") {
        Whose::Ours
    } else {
        Whose::Others
    }
}
