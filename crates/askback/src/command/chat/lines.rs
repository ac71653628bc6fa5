//! A chat without frames: each line is a message, and what the agent says is printed. A question is
//! asked line by line if somebody is there to answer, and left open with exit code 3 if not.

use std::collections::HashSet;
use std::io::{BufRead as _, Write as _};

use askback_client::{Client, EventStream, FeedItem};
use askback_core::id::{ConversationId, InquiryId, MessageId};
use askback_tui::clock::today;
use askback_tui::ended::{Whose, lines as end_lines};
use askback_tui::line::{Came, LinePrompt};
use askback_tui::prompt::{End, Kept};
use askback_tui::reply::{Reply, Target};
use askback_tui::session::Finish;
use askback_tui::surface::Surface;
use askback_wire::block::BlockType;
use askback_wire::conversation::{NewConversationParams, ReadConversationParams};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::message::{MessageParams, MessageResponse, Role};
use askback_wire::state::StateResponse;
use tokio::runtime::Runtime;

use super::{Begin, Plan};
use crate::command::ask::{DETACHED, STILL_OPEN, Waiting, ended, say_nobody, say_rows};
use crate::command::office::Office;
use crate::command::post::{deadline, key, terminal_client, words};
use crate::command::reply::{self, Undo};
use crate::connect::Connection;
use crate::failure::Failure;
use crate::runtime::stop_signal;

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
    while let Some(line) = talk.message()? {
        if !line.trim().is_empty() {
            talk.say(&line)?;
        }
    }
    talk.say_where()
}

impl Talk<'_> {
    /// The next message. Whoever sits there is asked for it; a program needs no words.
    fn message(&self) -> Result<Option<String>, Failure> {
        if self.surface == Surface::Nobody {
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line)?;
            return Ok((read > 0).then_some(line));
        }
        let words = self.plan.look.locale.text("chat-prompt", &[]);
        let mut lines = self.plan.look.lines(None)?;
        lines.write(&format!("{words}: "))?;
        let mut pasted = String::new();
        let came = loop {
            match lines.next(None)? {
                Came::Pasted(several) => {
                    pasted = several.join("\n");
                    let words = self.plan.look.locale.text("line-pasted-message", &[]);
                    lines.write(&format!("{words} "))?;
                }
                Came::Line(line) if line.trim().is_empty() && !pasted.is_empty() => {
                    break Came::Line(std::mem::take(&mut pasted));
                }
                came @ (Came::Line(_) | Came::Woken | Came::Signal(_) | Came::End | Came::Time) => {
                    break came;
                }
            }
        };
        match came {
            Came::Line(line) => Ok(Some(line)),
            Came::Pasted(_) | Came::End | Came::Time | Came::Woken => {
                lines.write("\n")?;
                Ok(None)
            }
            Came::Signal(number) => {
                lines.write("\n")?;
                self.say_where()?;
                ended(Finish::Signal(number)).map(|_| None)
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let message_id = Some(MessageId::new(format!("{}{}", MessageId::PREFIX, key())));
        match &self.conversation {
            None => {
                let params = NewConversationParams {
                    app: self.plan.app.clone(),
                    message: Some(text.to_owned()),
                    message_id,
                    idempotency_key: Some(key()),
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
            let next = self.runtime.block_on(async {
                tokio::select! {
                    next = events.next() => Some(next),
                    () = stop_signal() => None,
                }
            });
            let Some(next) = next else {
                self.conversation = Some((id, events));
                self.say_where()?;
                return Err(Failure::Ended(DETACHED));
            };
            match next.map_err(failure)? {
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
                            StateResponse::Idle | StateResponse::Closed => break Turn::Over,
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
                    | EventResponse::InquiryHeld(_)
                    | EventResponse::InquiryReopened(_)
                    | EventResponse::InquiryResolved(_)
                    | EventResponse::Token(_)
                    | EventResponse::Error(_)
                    | EventResponse::Reset(_)
                    | EventResponse::Unknown(_) => {}
                },
                FeedItem::Lost(error) => {
                    tracing::info!(%error, "the server is gone");
                }
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
        let draft = self.runtime.block_on(reply::draft(&self.client, id));
        let mut prompt = LinePrompt::new(inquiry, draft, look.locale, today())
            .kept(Kept::InStore)
            .asked_by(asked.source.clone())
            .until(deadline(look.clock, &asked));
        let handle = self.runtime.handle();
        let (mut office, wake) = Office::open(handle, &self.client, &asked)?;
        let mut lines = look.lines(Some(wake))?;
        let finish = look.ask_lines(&mut lines, &mut prompt, &mut office);
        let elsewhere = self.runtime.block_on(office.settle());
        let done = match (finish, elsewhere) {
            (Ok(Finish::Elsewhere), Some(found)) => {
                let mut rows = end_lines(look.locale, &look.glyphs, &found, Whose::Others);
                rows.extend(prompt.unsent());
                say_rows(&lines, &rows)
            }
            (finish, _) => finish
                .and_then(ended)
                .and_then(|end| self.send(&asked, end)),
        };
        self.runtime.block_on(office.close());
        done
    }

    fn send(&self, asked: &InquiryResponse, end: End) -> Result<(), Failure> {
        let code = match end {
            End::Kept => Some(STILL_OPEN),
            End::Detached => Some(DETACHED),
            End::Answered(_) | End::Declined | End::Rejected | End::Expired => None,
        };
        if let Some(code) = code {
            self.say_where()?;
            return Err(Failure::Ended(code));
        }
        if let Some(reply) = Reply::of(end) {
            let target = Target::from(asked);
            let sent = reply::send(&self.client, &target, &reply, Undo::NEVER);
            let first = self.runtime.block_on(sent).map_err(failure)?;
            tracing::debug!(?first, "replied");
        }
        Ok(())
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

fn failure(error: askback_client::ClientError) -> Failure {
    match &error {
        askback_client::ClientError::Problem(_) => Failure::Refused(words(&error)),
        askback_client::ClientError::Transport(_) | askback_client::ClientError::Decode(_) => {
            Failure::Broken(error.into())
        }
    }
}
