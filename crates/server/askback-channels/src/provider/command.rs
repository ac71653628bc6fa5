//! A command of the operator's: it is run for each question, and may print an answer.
//!
//! The command is run without a shell. Title, text and link are arguments or standard input, never code, so
//! a hostile question stays text. Its environment has only what it needs. See docs/channels.md.

mod process;

use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use askback_core::id::InquiryId;
use askback_core::identity::Identity;
use askback_core::outcome::Surface;
use askback_wire::question::QuestionResponse;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::answer::line_answer::{LineAnswer, read_line};
use crate::card::{Card, CardState, ContentLevel};
use crate::contract::button::{Button, Press};
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, ReceiveError, Rendered, SendError,
};
use crate::contract::feedback::Feedback;
use crate::contract::incoming::{HandlerError, Incoming, IncomingAction, IncomingHandler};
use crate::provider::placeholder::{fill, listed, unknown_placeholder};
use process::{NotUtf8, Process, first_line};

/// A command that runs longer is ended.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an answer may take to be stored.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);
/// The text among the arguments. All of it is on standard input.
const TEXT_UNITS_MAX: usize = 4000;

/// What the arguments may contain.
const PLACEHOLDERS: [&str; 6] = ["title", "text", "link", "id", "event", "to"];
/// For whoever wrote the command, so it is not translated.
const NOT_UTF8: &str = "The output of the command is not UTF-8. Print the answer in UTF-8.";

/// The settings of a channel of the kind `command`. The address of a recipient is a name, which the command
/// gets as `{to}`. Its `Debug` output has the program without its arguments, which may contain a secret.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CommandConfig {
    /// The program and its arguments, with the placeholders `{title}`, `{text}`, `{link}`, `{id}`, `{event}`
    /// and `{to}`.
    pub run: Vec<String>,
    /// Names of environment variables that the command gets besides `PATH`, `HOME` and `LANG`.
    pub pass_env: Vec<String>,
}

impl fmt::Debug for CommandConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandConfig")
            .field("run", &self.run.first())
            .field("pass_env", &self.pass_env)
            .finish()
    }
}

/// Why a channel of the kind `command` cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandConfigError {
    /// Nothing to run.
    #[error(
        "run must name a program, such as run = [\"notify-send\", \"{{title}}\", \"{{text}}\"]"
    )]
    Empty,
    /// A placeholder that does not exist.
    #[error("run has {{{0}}}, but the placeholders are {known}", known = listed(&PLACEHOLDERS))]
    UnknownPlaceholder(String),
    /// The question would choose the program.
    #[error("the program in run must not be a placeholder")]
    Placeholder,
}

/// A command of the operator's.
pub struct CommandChannel {
    config: CommandConfig,
    answers: mpsc::Sender<Printed>,
    printed: tokio::sync::Mutex<mpsc::Receiver<Printed>>,
    /// One command at a time for each address.
    running: Mutex<HashMap<Address, Arc<tokio::sync::Mutex<()>>>>,
}

/// An answer that a command printed, until the handler has handled it.
struct Printed {
    incoming: Incoming,
    handled: oneshot::Sender<Result<Feedback, HandlerError>>,
}

impl CommandChannel {
    /// Checks the settings. Whether the program exists is found out when it is run.
    pub fn new(config: CommandConfig) -> Result<CommandChannel, CommandConfigError> {
        match config.run.first() {
            None => return Err(CommandConfigError::Empty),
            Some(program) if program.trim().is_empty() => return Err(CommandConfigError::Empty),
            Some(program) if program.contains('{') => return Err(CommandConfigError::Placeholder),
            Some(_) => {}
        }
        let mut parts = config.run.iter();
        let unknown = parts.find_map(|part| unknown_placeholder(part, &PLACEHOLDERS));
        if let Some(unknown) = unknown {
            return Err(CommandConfigError::UnknownPlaceholder(unknown.to_owned()));
        }
        let (answers, printed) = mpsc::channel(1);
        Ok(CommandChannel {
            config,
            answers,
            printed: tokio::sync::Mutex::new(printed),
            running: Mutex::default(),
        })
    }

    /// Waits until no other command runs for this address.
    async fn turn(&self, to: &Address) -> tokio::sync::OwnedMutexGuard<()> {
        let of_address = {
            let mut running = self.running.lock();
            Arc::clone(running.entry(to.clone()).or_default())
        };
        of_address.lock_owned().await
    }

    /// Runs the command once and returns what it printed.
    async fn run(&self, to: &Address, message: &Value) -> Result<Vec<u8>, SendError> {
        let field = |name: &str| message[name].as_str().unwrap_or_default();
        let values = [
            ("title", field("title")),
            ("text", field("text")),
            ("link", field("link")),
            ("id", field("inquiry")),
            ("event", field("event")),
            ("to", to.0.as_str()),
        ];
        let environment = [
            ("ASKBACK_INQUIRY", field("inquiry")),
            ("ASKBACK_LINK", field("link")),
            ("ASKBACK_EVENT", field("event")),
        ];
        let process = Process {
            argv: self
                .config
                .run
                .iter()
                .map(|part| argument(part, &values))
                .collect(),
            environment: environment
                .map(|(name, value)| (name, value.to_owned()))
                .to_vec(),
            pass_env: self.config.pass_env.clone(),
            stdin: message.to_string(),
        };
        process.run(COMMAND_TIMEOUT).await
    }

    /// Hands the printed line in and waits until its effect is on disk: a delivery is only complete
    /// after that, so a crash runs the command again and loses no answer.
    async fn answer(&self, to: &Address, message: &Value, line: &str) -> Result<(), SendError> {
        let questions: Vec<QuestionResponse> =
            serde_json::from_value(message["questions"].clone()).unwrap_or_default();
        let press = |press: Press| {
            let button = Button {
                inquiry: InquiryId::new(message["inquiry"].as_str().unwrap_or_default()),
                revision: serde_json::from_value(message["revision"].clone()).unwrap_or_default(),
                press,
            };
            button.encode()
        };
        let action = match read_line(&questions, line) {
            LineAnswer::Nothing => return Ok(()),
            LineAnswer::Decline => IncomingAction::Press {
                data: press(Press::Decline),
            },
            LineAnswer::Fields(fields) => IncomingAction::Submit {
                data: press(Press::Send { shown: None }),
                fields,
            },
        };
        let identity = Identity::new("command", &to.0)
            .ok_or_else(|| SendError::permanent("the identity of the recipient is not a name"))?;
        let incoming = Incoming {
            identity,
            address: to.clone(),
            message: None,
            action,
        };
        let feedback = self.hand_in(incoming).await.map_err(SendError::temporary)?;
        if feedback.is_alert() {
            self.refuse(to, message, &feedback.text).await?;
        }
        Ok(())
    }

    /// Runs the command with the event `refused`, so that it can say why its answer was not taken.
    async fn refuse(&self, to: &Address, message: &Value, why: &str) -> Result<(), SendError> {
        let mut refused = message.clone();
        refused["event"] = Value::from("refused");
        refused["text"] = Value::from(why);
        self.run(to, &refused).await.map(drop)
    }

    /// Runs the command. What it prints for the event `asked` is an answer.
    async fn run_and_take(&self, to: &Address, message: &Rendered) -> Result<(), SendError> {
        let _turn = self.turn(to).await;
        let output = self.run(to, &message.body).await?;
        if message.body["event"] != "asked" {
            return Ok(());
        }
        match first_line(&output) {
            Ok(line) => self.answer(to, &message.body, &line).await,
            Err(NotUtf8) => self.refuse(to, &message.body, NOT_UTF8).await,
        }
    }

    async fn hand_in(&self, incoming: Incoming) -> Result<Feedback, String> {
        let (handled, result) = oneshot::channel();
        let stored = async {
            let sent = self.answers.send(Printed { incoming, handled }).await;
            sent.map_err(|_| "the server stops".to_owned())?;
            match result.await {
                Ok(Ok(feedback)) => Ok(feedback),
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err("the server stops".to_owned()),
            }
        };
        match tokio::time::timeout(STORE_TIMEOUT, stored).await {
            Ok(result) => result,
            Err(_) => Err("the answer of the command could not be stored in time".to_owned()),
        }
    }
}

impl Channel for CommandChannel {
    fn surface(&self) -> Surface {
        Surface::Command
    }

    fn render(&self, card: &Card) -> Rendered {
        let event = match card.state {
            CardState::Open { .. } => "asked",
            CardState::Held { .. } => "held",
            CardState::HandedOn { .. } => "handed_on",
            CardState::Ended { .. } => "resolved",
        };
        let questions: Vec<QuestionResponse> = match card.content {
            ContentLevel::Full => {
                let questions = card.questions.questions().iter();
                questions.map(QuestionResponse::from).collect()
            }
            ContentLevel::Title | ContentLevel::Link => Vec::new(),
        };
        let body = json!({
            "event": event,
            "inquiry": card.inquiry.as_str(),
            "revision": card.revision,
            "title": card.title(),
            "text": card.whole_text(TEXT_UNITS_MAX),
            "status": card.status(),
            "link": card.link,
            "questions": questions,
        });
        // All of it is on standard input.
        Rendered {
            body,
            is_answerable: card.is_answerable(),
        }
    }

    /// Runs the command with the event `asked`. What it prints is an answer.
    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(async move {
            self.run_and_take(to, message).await?;
            let inquiry = message.body["inquiry"].as_str().unwrap_or_default();
            Ok(MessageId(inquiry.to_owned()))
        })
    }

    /// Runs the command with what has become of the question. If it waits again, or still, what it prints is an answer.
    fn edit<'a>(
        &'a self,
        to: &'a Address,
        _id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(self.run_and_take(to, message))
    }

    /// Runs the command with the event `reminder`.
    fn send_thread_text<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let _turn = self.turn(to).await;
            let message = json!({
                "event": "reminder", "inquiry": id.0, "title": text, "text": text,
            });
            self.run(to, &message).await.map(drop)
        })
    }

    fn receive(&self, handler: Arc<dyn IncomingHandler>) -> ChannelFuture<'_, ReceiveError> {
        Box::pin(async move {
            let mut printed = self.printed.lock().await;
            while let Some(Printed { incoming, handled }) = printed.recv().await {
                let result = handler.handle(incoming).await;
                // Nobody waits for it any more if the delivery was given up.
                drop(handled.send(result));
            }
            std::future::pending().await
        })
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(async move {
            let program = self.config.run.first().map_or("", String::as_str);
            match process::find_program(program) {
                Some(path) => Ok(path.display().to_string()),
                None => Err(process::not_found(program)),
            }
        })
    }
}

/// One argument with its placeholders replaced. One that starts with a placeholder never becomes an option: a
/// space is put before a leading `-`. The system ends an argument at a zero byte, so none is left.
fn argument(template: &str, values: &[(&str, &str)]) -> String {
    let filled = fill(template, values).replace('\0', "");
    if filled.starts_with('-') && template.starts_with('{') {
        return format!(" {filled}");
    }
    filled
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
