//! A chat line by line: each input line is a message, and replies are printed. Questions are asked
//! line by line at a terminal. Without one, the first question ends the chat with exit code 3.

use std::collections::HashSet;
use std::io::{BufRead as _, Write as _};

use askback_client::{Client, EventStream, FeedItem};
use askback_core::id::{ConversationId, InquiryId};
use askback_terminal::display_mode::DisplayMode;
use askback_terminal::line_reader::LineEvent;
use askback_tui::prompt::AskerKind;
use askback_tui::session::SessionEnd;
use askback_wire::block::BlockType;
use askback_wire::conversation::{
    ConversationDetailResponse, NewConversationParams, ReadConversationParams,
};
use askback_wire::event::EventResponse;
use askback_wire::message::{MessageParams, MessageResponse, Role};
use askback_wire::state::StateResponse;
use tokio::runtime::Runtime;

use super::{ChatOptions, ChatStart};
use crate::backend::{new_key, new_message_id, terminal_client};
use crate::command::ask::{DETACHED, STILL_OPEN, UnaskedQuestion, prompt_end, report_no_terminal};
use crate::command::stored_prompt::StoredPrompt;
use crate::connect::Connection;
use crate::failure::{Failure, refuse};
use crate::output;
use crate::runtime::stop_signal;

/// The exit code of every command that failed.
const EXIT_FAILED: u8 = 1;

/// Why the agent paused.
enum PauseReason {
    Idle,
    Asked(InquiryId),
    Failed(String),
}

struct LineChat<'a> {
    runtime: &'a Runtime,
    client: Client,
    options: &'a ChatOptions,
    display_mode: DisplayMode,
    conversation: Option<(ConversationId, EventStream)>,
    printed: HashSet<String>,
}

pub(super) fn run(
    runtime: &Runtime,
    connection: &Connection,
    options: &ChatOptions,
    display_mode: DisplayMode,
) -> Result<(), Failure> {
    let mut chat = LineChat {
        runtime,
        client: terminal_client(connection),
        options,
        display_mode,
        conversation: None,
        printed: HashSet::new(),
    };
    for line in &options.greeting {
        writeln!(output::stderr(), "{line}")?;
    }
    match &options.start {
        ChatStart::New => {}
        ChatStart::Choose => {
            return refuse(
                "Without a terminal there is no list to choose from. Name the \
                           conversation: askback chat --resume ID",
            );
        }
        ChatStart::Resume(id) => {
            chat.follow(id.clone())?;
            chat.run_turn()?;
        }
        ChatStart::Send(id, text) => {
            chat.follow(id.clone())?;
            chat.send(text)?;
        }
    }
    while let Some(line) = chat.read_message()? {
        if !line.trim().is_empty() {
            chat.send(&line)?;
        }
    }
    chat.print_resume_command()
}

impl LineChat<'_> {
    /// The next message; none at the end of input. Only a person sees a prompt.
    fn read_message(&self) -> Result<Option<String>, Failure> {
        if self.display_mode == DisplayMode::NonInteractive {
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line)?;
            return Ok((read > 0).then_some(line));
        }
        let terminal = &self.options.terminal;
        let words = terminal.locale.text("chat-prompt", &[]);
        let mut lines = terminal.open_present_lines(None, &self.client, self.runtime.handle())?;
        lines.write(&format!("{words}: "))?;
        let mut pasted = String::new();
        loop {
            match lines.next(None)? {
                LineEvent::Pasted(several) => {
                    pasted = several.join("\n");
                    let words = terminal.locale.text("line-pasted-message", &[]);
                    lines.write(&format!("{words} "))?;
                }
                LineEvent::Line(line) => {
                    let confirms = line.trim().is_empty() && !pasted.is_empty();
                    return Ok(Some(if confirms { pasted } else { line }));
                }
                LineEvent::EndOfInput | LineEvent::Timeout | LineEvent::Wakeup => {
                    lines.write("\n")?;
                    return Ok(None);
                }
                LineEvent::Signal(number) => {
                    lines.write("\n")?;
                    self.print_resume_command()?;
                    return prompt_end(SessionEnd::Signal(number)).map(|_| None);
                }
            }
        }
    }

    fn send(&mut self, text: &str) -> Result<(), Failure> {
        let message_id = Some(new_message_id());
        match &self.conversation {
            None => {
                let params = NewConversationParams {
                    app: self.options.app.clone(),
                    message: Some(text.to_owned()),
                    message_id,
                    key: Some(new_key()),
                    ..NewConversationParams::default()
                };
                let created = self
                    .runtime
                    .block_on(self.client.create_conversation(&params));
                self.follow(created?.id)?;
            }
            Some((id, _)) => {
                let params = MessageParams {
                    text: text.to_owned(),
                    message_id,
                };
                self.runtime
                    .block_on(self.client.send_message(id, &params))?;
            }
        }
        self.run_turn()
    }

    fn follow(&mut self, id: ConversationId) -> Result<(), Failure> {
        // Fails early if there is no such conversation.
        self.read(&id)?;
        // From sequence number 0, so that no reply is missed.
        let events = self.client.conversation_events(&id, Some(0));
        self.conversation = Some((id, events));
        Ok(())
    }

    /// The conversation as it is now, without its messages.
    fn read(&self, id: &ConversationId) -> Result<ConversationDetailResponse, Failure> {
        let params = ReadConversationParams {
            limit: Some(0),
            ..ReadConversationParams::default()
        };
        let read = self.client.conversation(id, &params);
        Ok(self.runtime.block_on(read)?)
    }

    /// Follows the agent until it is idle, asking its questions on the way.
    fn run_turn(&mut self) -> Result<(), Failure> {
        loop {
            match self.print_until_agent_pauses()? {
                PauseReason::Idle => return Ok(()),
                PauseReason::Failed(message) => {
                    writeln!(output::stderr(), "askback: {message}")?;
                    // A person may try again; a script reads the exit code.
                    if self.display_mode == DisplayMode::NonInteractive {
                        self.print_resume_command()?;
                        return Err(Failure::Ended(EXIT_FAILED));
                    }
                    return Ok(());
                }
                PauseReason::Asked(id) => self.ask(&id)?,
            }
        }
    }

    /// Says why the model is asked again. To standard error, like everything that is not a reply.
    fn print_retry(&self, reason: &str, attempt: u32, max: u32) -> std::io::Result<()> {
        let args = [
            ("reason", reason.into()),
            ("count", (attempt as usize).into()),
            ("max", (max as usize).into()),
        ];
        let text = self.options.terminal.locale.text("chat-retry", &args);
        writeln!(output::stderr(), "{text}")
    }

    /// Prints replies until the agent pauses.
    fn print_until_agent_pauses(&mut self) -> Result<PauseReason, Failure> {
        let Some((id, mut events)) = self.conversation.take() else {
            return Ok(PauseReason::Idle);
        };
        let end = loop {
            let next = self.runtime.block_on(async {
                tokio::select! {
                    next = events.next() => Some(next),
                    () = stop_signal() => None,
                }
            });
            let Some(next) = next else {
                self.conversation = Some((id, events));
                self.print_resume_command()?;
                return Err(Failure::Ended(DETACHED));
            };
            match next? {
                FeedItem::Event(event) => match *event {
                    EventResponse::Message(event) => self.print(&event.message)?,
                    EventResponse::StateChange(event) => {
                        // The feed replays earlier states; only the current one pauses the agent.
                        let now = self.read(&id)?;
                        if now.sequence.is_some_and(|newest| newest > event.sequence) {
                            continue;
                        }
                        match event.state {
                            StateResponse::Idle | StateResponse::Closed => break PauseReason::Idle,
                            StateResponse::Error { message, .. } => {
                                break PauseReason::Failed(message);
                            }
                            StateResponse::AwaitingUserResponse { inquiry_id, .. } => {
                                break PauseReason::Asked(inquiry_id);
                            }
                            StateResponse::LlmRequesting {
                                attempt,
                                reason: Some(reason),
                                attempts_max: Some(max),
                            } => self.print_retry(&reason, attempt, max)?,
                            StateResponse::LlmRequesting { .. }
                            | StateResponse::ToolExecuting { .. }
                            | StateResponse::AwaitingSubAgents { .. }
                            | StateResponse::Unknown => {}
                        }
                    }
                    EventResponse::Inquiry(_)
                    | EventResponse::Token(_)
                    | EventResponse::Error(_)
                    | EventResponse::Reset(_)
                    | EventResponse::Unknown(_) => {}
                },
                FeedItem::Disconnected(error) => {
                    tracing::info!(%error, "lost the connection to the server");
                }
                FeedItem::Reconnected => {}
            }
        };
        self.conversation = Some((id, events));
        Ok(end)
    }

    /// Prints a reply unless it was printed before.
    fn print(&mut self, message: &MessageResponse) -> Result<(), Failure> {
        if message.role != Role::Assistant {
            return Ok(());
        }
        let mut out = output::stdout();
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
        let asked = self.runtime.block_on(self.client.inquiry(id))?;
        let terminal = &self.options.terminal;
        let Ok(inquiry) = asked.to_inquiry() else {
            let refusal =
                "This version of askback cannot show the question. Answer it in the browser.";
            return refuse(refusal);
        };
        let prompt = StoredPrompt {
            runtime: self.runtime,
            client: self.client.clone(),
            server_flags: self.options.server_flags.clone(),
            terminal,
            inquiry: &inquiry,
            asked,
            link: None,
            undo: self.options.undo,
            asker_kind: AskerKind::Agent,
        };
        let done = if self.display_mode == DisplayMode::NonInteractive {
            let stored = UnaskedQuestion {
                answer_command: prompt.answer_command(),
                asked: &prompt.asked,
                link: None,
                is_awaited: false,
            };
            report_no_terminal(terminal, Some(&stored))?;
            Err(Failure::Ended(STILL_OPEN))
        } else {
            prompt.run(self.display_mode).map(|_| ())
        };
        if let Err(Failure::Ended(_)) = done {
            self.print_resume_command()?;
        }
        done
    }

    fn print_resume_command(&self) -> Result<(), Failure> {
        if let Some((id, _)) = &self.conversation {
            let command = self.options.resume_command.replace("{id}", id.as_str());
            let args = [("command", command.into())];
            let words = self.options.terminal.locale.text("chat-left", &args);
            writeln!(output::stderr(), "askback: {words}")?;
        }
        Ok(())
    }
}
