//! `askback chat`: the built-in agent at this terminal.

mod line_chat;

use anyhow::{Context as _, bail};
use askback_core::id::ConversationId;
use askback_terminal::app::{AppExit, Screen as _};
use askback_terminal::display_mode::DisplayMode;
use askback_terminal::row::{Row, Style};
use askback_tui::chat::{Chat, ChatConfig, ChatEvent, ChatRequest};
use askback_wire::path::percent_encoded;

use crate::args::ChatArgs;
use crate::backend::{ChatBackend, UiChannel, UndoWindow, agent_name, terminal_client};
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::runtime;
use crate::terminal_options::TerminalOptions;

pub(super) enum ChatStart {
    /// A new conversation, created when the first message is sent.
    New,
    /// A list to choose an earlier conversation from.
    Choose,
    Resume(ConversationId),
    /// A conversation that has just been created, with its first message.
    Send(ConversationId, String),
}

impl ChatStart {
    /// The page of the web app that shows the same.
    fn page(&self) -> String {
        match self {
            ChatStart::New | ChatStart::Choose => "/".to_owned(),
            ChatStart::Resume(id) | ChatStart::Send(id, _) => {
                format!("/c/{}", percent_encoded(id.as_str()))
            }
        }
    }
}

pub(super) struct ChatOptions {
    pub(super) terminal: TerminalOptions,
    pub(super) app: Option<String>,
    pub(super) start: ChatStart,
    /// Lines shown first.
    pub(super) greeting: Vec<String>,
    /// The command that resumes a conversation; `{id}` stands for its id.
    pub(super) resume_command: String,
    pub(super) undo: UndoWindow,
    /// The flags with which another command reaches the same server.
    pub(super) server_flags: String,
}

pub(crate) fn run(args: &ChatArgs) -> Result<(), Failure> {
    let start = match args.resume.as_deref() {
        None => ChatStart::New,
        Some("") => ChatStart::Choose,
        Some(id) => ChatStart::Resume(ConversationId::new(id)),
    };
    let server_flags = args.connect.server_flags();
    let config = args.connect.settings.config.as_deref();
    let terminal = TerminalOptions::detect(&args.terminal, config)?;
    let mut options = ChatOptions {
        undo: UndoWindow::choose(args.undo, config, &terminal)?,
        terminal,
        app: args.app.clone(),
        start,
        greeting: Vec::new(),
        resume_command: format!(
            "askback chat --resume {{id}}{server_flags}{}",
            args.connect.model_flags()
        ),
        server_flags,
    };
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, FallbackModel::Scripted))?;
    if connection.has_demo_script() {
        let command = "askback chat --provider anthropic";
        let locale = options.terminal.locale;
        let no_model = locale.text("web-no-model", &[("command", command.into())]);
        options.greeting.push(no_model);
    }
    run_chat(&runtime, connection, &options)
}

pub(super) fn run_chat(
    runtime: &tokio::runtime::Runtime,
    connection: Connection,
    options: &ChatOptions,
) -> Result<(), Failure> {
    match options.terminal.display_mode() {
        DisplayMode::Frames => frames(runtime, connection, options),
        display_mode @ (DisplayMode::Lines | DisplayMode::NonInteractive) => {
            let done = line_chat::run(runtime, &connection, options, display_mode);
            runtime.block_on(connection.close())?;
            done
        }
    }
}

fn frames(
    runtime: &tokio::runtime::Runtime,
    connection: Connection,
    options: &ChatOptions,
) -> Result<(), Failure> {
    let terminal = &options.terminal;
    let (channel, events, wake) = UiChannel::open()?;
    let client = terminal_client(&connection);
    let agent = runtime
        .block_on(agent_name(&client, options.app.as_deref()))
        .context("cannot read the apps of the server")?;
    let config = ChatConfig {
        screen: terminal.screen_config(),
        command: options.resume_command.clone(),
    };
    let mut chat = Chat::new(config, &agent);
    chat.handle_event(ChatEvent::Connected(Some(base(&connection))));
    let page = options.start.page();
    let link = link_row(options, runtime.block_on(connection.browser_url(&page)));
    chat.handle_event(ChatEvent::BrowserLink(link.clone()));
    let greeting = greeting(options, link);
    chat.handle_event(match &options.start {
        ChatStart::New => ChatEvent::Print(greeting),
        ChatStart::Choose | ChatStart::Resume(_) | ChatStart::Send(..) => {
            ChatEvent::Welcome(greeting)
        }
    });
    let mut backend = ChatBackend::new(
        runtime.handle().clone(),
        client.clone(),
        channel,
        terminal.clock,
        options.app.clone(),
        options.undo,
    );
    match &options.start {
        ChatStart::New => {}
        ChatStart::Choose => backend.dispatch(ChatRequest::ListConversations),
        ChatStart::Resume(id) => backend.dispatch(ChatRequest::OpenConversation(id.clone())),
        ChatStart::Send(id, text) => {
            backend.dispatch(ChatRequest::OpenConversation(id.clone()));
            backend.dispatch(ChatRequest::SendMessage(text.clone()));
        }
    }
    let stage = terminal.open_app(wake, client, runtime.handle())?;
    let exit = stage.run(&mut chat, &mut |chat, now| {
        // Undo windows of new events count from now.
        chat.tick(now);
        for event in events.try_iter() {
            chat.handle_event(event);
        }
        for request in chat.take_chat_requests() {
            backend.dispatch(request);
        }
    });
    let exit = exit.context("the terminal failed");
    runtime.block_on(backend.close());
    let confirmed = report_unconfirmed(events.try_iter());
    runtime.block_on(connection.close())?;
    confirmed?;
    screen_exit(exit?)
}

/// Fails if the server did not confirm a message or an answer: the screen that would show it is closed.
fn report_unconfirmed(events: impl Iterator<Item = ChatEvent>) -> anyhow::Result<()> {
    for event in events {
        if let ChatEvent::MessageRefused(text, reason) = event {
            let reason = reason.trim_end_matches('.');
            bail!("your message was not confirmed ({reason}): {text}");
        }
        if let ChatEvent::AnswerRefused(_, reason) = event {
            bail!("your answer was not confirmed: {reason}");
        }
    }
    Ok(())
}

/// The exit code after a screen was closed.
pub(super) fn screen_exit(exit: AppExit) -> Result<(), Failure> {
    match exit {
        AppExit::Code(0) => Ok(()),
        AppExit::Code(code) => Err(Failure::Ended(code)),
        AppExit::Signal(number) => Err(Failure::Ended(128 + u8::try_from(number).unwrap_or(0))),
        AppExit::HungUp => Err(Failure::Ended(super::ask::STILL_OPEN)),
    }
}

fn base(connection: &Connection) -> String {
    let base = connection.client.base_url();
    base.trim_end_matches('/').to_owned()
}

fn link_row(options: &ChatOptions, link: String) -> Row {
    let locale = options.terminal.locale;
    let link = locale.text("chat-link", &[("link", link.into())]);
    Row::new().with(link, Style::Muted)
}

fn greeting(options: &ChatOptions, link: Row) -> Vec<Row> {
    let lines = options.greeting.iter().cloned();
    let lines = lines.map(|line| Row::new().with(line, Style::Muted));
    lines.chain([link]).collect()
}
