//! A chat without frames: each line is a message, and what the agent says is printed. A question is
//! asked line by line if somebody is there to answer, and left open with exit code 3 if not.

use std::collections::HashSet;
use std::io::{BufRead as _, Write as _};

use askback_api::block::BlockType;
use askback_api::client::{Client, EventStream, FeedItem};
use askback_api::conversation::{NewConversationParams, ReadConversationParams};
use askback_api::event::EventResponse;
use askback_api::inquiry::InquiryResponse;
use askback_api::message::{MessageParams, MessageResponse, Role};
use askback_api::respond::{AnswerParams, CancelParams, RejectParams};
use askback_api::state::StateResponse;
use askback_core::id::{ConversationId, InquiryId, MessageId};
use askback_tui::clock::today;
use askback_tui::line::LinePrompt;
use askback_tui::prompt::End;
use askback_tui::surface::Surface;
use tokio::runtime::Runtime;

use super::{Begin, Plan};
use crate::command::ask::{STILL_OPEN, Waiting, say_nobody};
use crate::command::post::{key, terminal_client, words};
use crate::connect::Connection;
use crate::failure::Failure;

/// What a turn of the agent led to.
enum Turn {
    Over,
    Asked(InquiryId),
    Failed(String),
}

struct Talk<'a> {
    runtime: &'a Runtime,
    client: Client,
    plan: &'a Plan,
    surface: Surface,
    conversation: Option<(ConversationId, EventStream)>,
    printed: HashSet<String>,
}

pub(super) fn run(
    runtime: &Runtime,
    connection: &Connection,
    plan: &Plan,
    surface: Surface,
) -> Result<(), Failure> {
    let mut talk = Talk {
        runtime,
        client: terminal_client(connection),
        plan,
        surface,
        conversation: None,
        printed: HashSet::new(),
    };
    match &plan.begin {
        Begin::New => {}
        Begin::Choose => {
            let refusal = "Name the conversation: askback chat --resume ID. Without a terminal \
                           there is no list to choose from.";
            return Err(Failure::Refused(refusal.to_owned()));
        }
        Begin::Resume(id) => {
            talk.follow(id.clone())?;
            talk.turn()?;
        }
        Begin::Say(text) => talk.say(text)?,
    }
    let mut lines = std::io::stdin().lock().lines();
    loop {
        talk.invite()?;
        let Some(line) = lines.next().transpose()? else {
            return talk.say_where();
        };
        if !line.trim().is_empty() {
            talk.say(&line)?;
        }
    }
}

impl Talk<'_> {
    /// Asks whoever sits there for a message; a program needs no words.
    fn invite(&self) -> Result<(), Failure> {
        if self.surface == Surface::Lines {
            let words = self.plan.look.locale.text("chat-prompt", &[]);
            let mut err = std::io::stderr().lock();
            write!(err, "{words}: ")?;
            err.flush()?;
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let message_id = Some(MessageId::new(format!("{}{}", MessageId::PREFIX, key())));
        match &self.conversation {
            None => {
                let params = NewConversationParams {
                    app: self.plan.app.clone(),
                    message: Some(text.to_owned()),
                    message_id,
                    ..NewConversationParams::default()
                };
                let begun = self
                    .runtime
                    .block_on(self.client.create_conversation(&params));
                self.follow(begun.map_err(failure)?.id)?;
            }
            Some((id, _)) => {
                let params = MessageParams {
                    text: text.to_owned(),
                    message_id,
                };
                self.runtime
                    .block_on(self.client.send_message(id, &params))
                    .map_err(failure)?;
            }
        }
        self.turn()
    }

    fn follow(&mut self, id: ConversationId) -> Result<(), Failure> {
        // From the beginning of the feed on, so that no reply is missed.
        let none = ReadConversationParams {
            limit: Some(0),
            ..ReadConversationParams::default()
        };
        self.runtime
            .block_on(self.client.conversation(&id, &none))
            .map_err(failure)?;
        let events = self.client.conversation_events(&id, Some(0));
        self.conversation = Some((id, events));
        Ok(())
    }

    /// Lets the agent work until it is done; its questions are asked.
    fn turn(&mut self) -> Result<(), Failure> {
        loop {
            match self.hear()? {
                Turn::Over => return Ok(()),
                Turn::Failed(message) => {
                    writeln!(std::io::stderr().lock(), "askback: {message}")?;
                    return Ok(());
                }
                Turn::Asked(id) => self.ask(&id)?,
            }
        }
    }

    /// Prints what is said until the agent waits for something.
    fn hear(&mut self) -> Result<Turn, Failure> {
        let Some((id, mut events)) = self.conversation.take() else {
            return Ok(Turn::Over);
        };
        let turn = loop {
            match self.runtime.block_on(events.next()).map_err(failure)? {
                FeedItem::Event(event) => match *event {
                    EventResponse::Message(event) => self.print(&event.message)?,
                    EventResponse::StateChange(event) => {
                        // The feed begins with what was; only what is now ends the wait.
                        let now = self.runtime.block_on(self.client.conversation(
                            &id,
                            &ReadConversationParams {
                                limit: Some(0),
                                ..ReadConversationParams::default()
                            },
                        ));
                        let now = now.map_err(failure)?;
                        if now.sequence.is_some_and(|newest| newest > event.sequence) {
                            continue;
                        }
                        match event.state {
                            StateResponse::Idle => break Turn::Over,
                            StateResponse::Error { message, .. } => break Turn::Failed(message),
                            StateResponse::AwaitingUserResponse { pending, .. } => {
                                break Turn::Asked(pending.inquiry_id);
                            }
                            StateResponse::LlmRequesting { .. }
                            | StateResponse::ToolExecuting { .. }
                            | StateResponse::AwaitingSubAgents { .. }
                            | StateResponse::Unknown => {}
                        }
                    }
                    EventResponse::InquiryAsked(_)
                    | EventResponse::InquiryReminder(_)
                    | EventResponse::InquiryResolved(_)
                    | EventResponse::Token(_)
                    | EventResponse::Error(_)
                    | EventResponse::Unknown(_) => {}
                },
                FeedItem::Lost(error) => tracing::info!(%error, "the server is gone"),
                FeedItem::Restored => {}
            }
        };
        self.conversation = Some((id, events));
        Ok(turn)
    }

    /// Prints what the agent says, once.
    fn print(&mut self, message: &MessageResponse) -> Result<(), Failure> {
        if message.role != Role::Assistant {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        for (at, block) in message.blocks.iter().enumerate() {
            let said = block.kind == BlockType::Content;
            if said && self.printed.insert(format!("{} {at}", message.id)) {
                writeln!(out, "{}", block.text)?;
            }
        }
        out.flush()?;
        Ok(())
    }

    fn ask(&mut self, id: &InquiryId) -> Result<(), Failure> {
        let asked = self
            .runtime
            .block_on(self.client.inquiry(id))
            .map_err(failure)?;
        let look = &self.plan.look;
        let Ok(inquiry) = asked.to_inquiry() else {
            let refusal = "The question is of a newer version; answer it in the browser.";
            return Err(Failure::Refused(refusal.to_owned()));
        };
        if self.surface == Surface::Nobody {
            let waiting = Waiting {
                id: asked.id.to_string(),
                link: None,
            };
            say_nobody(look, &inquiry, asked.source.as_deref(), Some(&waiting))?;
            self.say_where()?;
            return Err(Failure::Ended(STILL_OPEN));
        }
        let draft = self.runtime.block_on(self.client.draft(id)).ok();
        let draft = draft.and_then(|found| found.draft);
        let prompt = LinePrompt::new(inquiry, draft, look.locale, today());
        let (end, _) = look.run_lines(prompt.asked_by(asked.source.clone()))?;
        self.send(&asked, &end)
    }

    fn send(&self, asked: &InquiryResponse, end: &End) -> Result<(), Failure> {
        let id = &asked.id;
        let sent = self.runtime.block_on(async {
            match end {
                End::Answered(answers) => {
                    let params = AnswerParams {
                        answers: answers.to_json(),
                        revision: Some(asked.revision),
                        idempotency_key: Some(key()),
                        ..AnswerParams::default()
                    };
                    self.client.answer(id, &params).await.map(drop)
                }
                End::Rejected => {
                    let params = RejectParams {
                        inquiry_id: Some(id.clone()),
                        ..RejectParams::default()
                    };
                    let conversation = &asked.conversation_id;
                    self.client.reject(conversation, &params).await.map(drop)
                }
                End::Cancelled => {
                    let params = CancelParams::default();
                    self.client.cancel_inquiry(id, &params).await.map(drop)
                }
                End::Kept | End::Detached | End::Expired => Ok(()),
            }
        });
        sent.map_err(failure)?;
        match end {
            End::Kept | End::Detached => {
                self.say_where()?;
                Err(Failure::Ended(STILL_OPEN))
            }
            End::Answered(_) | End::Rejected | End::Cancelled | End::Expired => Ok(()),
        }
    }

    fn say_where(&self) -> Result<(), Failure> {
        if let Some((id, _)) = &self.conversation {
            let command = self.plan.command.replace("{id}", id.as_str());
            let args = [("command", command.into())];
            let words = self.plan.look.locale.text("chat-left", &args);
            writeln!(std::io::stderr().lock(), "askback: {words}")?;
        }
        Ok(())
    }
}

fn failure(error: askback_api::client::ClientError) -> Failure {
    match &error {
        askback_api::client::ClientError::Problem(_) => Failure::Refused(words(&error)),
        askback_api::client::ClientError::Transport(_)
        | askback_api::client::ClientError::Decode(_) => Failure::Broken(error.into()),
    }
}
