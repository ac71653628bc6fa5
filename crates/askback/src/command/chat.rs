//! `askback chat`: the built-in agent at this terminal.

mod lines;

use anyhow::Context as _;
use askback_core::id::ConversationId;
use askback_terminal::app::{Exit, Stage};
use askback_terminal::clock::today;
use askback_terminal::row::{Ink, Row};
use askback_terminal::surface::Surface;
use askback_tui::chat::{Chat, News, Setting, Wish};

use crate::args::ChatArgs;
use crate::backend::{ChatBackend, UiChannel, agent_name, terminal_client};
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;
use crate::terminal_options::TerminalOptions;

pub(super) enum ChatStart {
    /// A new conversation, created when the first message is sent.
    New,
    /// A list to choose an earlier conversation from.
    Choose,
    Resume(ConversationId),
    /// A new conversation with this message.
    Send(String),
}

pub(super) struct ChatOptions {
    pub(super) terminal: TerminalOptions,
    pub(super) app: Option<String>,
    pub(super) start: ChatStart,
    /// Lines shown first.
    pub(super) greeting: Vec<String>,
    /// The command that resumes a conversation; `{id}` stands for its id.
    pub(super) resume_command: String,
}

pub(crate) fn run(args: &ChatArgs) -> Result<(), Failure> {
    let start = match args.resume.as_deref() {
        None => ChatStart::New,
        Some("") => ChatStart::Choose,
        Some(id) => ChatStart::Resume(ConversationId::new(id)),
    };
    let options = ChatOptions {
        terminal: TerminalOptions::detect(&args.terminal, args.connect.settings.config.as_deref())?,
        app: args.app.clone(),
        start,
        greeting: Vec::new(),
        resume_command: "askback chat --resume {id}".to_owned(),
    };
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrScripted))?;
    run_chat(&runtime, connection, &options)
}

pub(super) fn run_chat(
    runtime: &tokio::runtime::Runtime,
    connection: Connection,
    options: &ChatOptions,
) -> Result<(), Failure> {
    match options.terminal.surface() {
        Surface::Frames => frames(runtime, connection, options),
        surface @ (Surface::Lines | Surface::Nobody) => {
            let done = lines::run(runtime, &connection, options, surface);
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
        .context("the server cannot be used")?;
    let mut chat = Chat::new(setting(options), &agent);
    chat.hear(News::Connected(Some(base(&connection))));
    let greeting = greeting(options, &connection);
    chat.hear(match &options.start {
        ChatStart::New | ChatStart::Send(_) => News::Words(greeting),
        ChatStart::Choose | ChatStart::Resume(_) => News::Welcome(greeting),
    });
    let mut backend = ChatBackend::new(
        runtime.handle().clone(),
        client,
        (channel, terminal.clock),
        options.app.clone(),
    );
    match &options.start {
        ChatStart::New => {}
        ChatStart::Choose => backend.dispatch(Wish::List),
        ChatStart::Resume(id) => backend.dispatch(Wish::Open(id.clone())),
        ChatStart::Send(text) => backend.dispatch(Wish::Say(text.clone())),
    }
    let stage = Stage::open(
        terminal.tty()?,
        terminal.setup(),
        Some(wake),
        terminal.clock,
    )
    .context("cannot use the terminal")?;
    let exit = stage.run(&mut chat, &mut |chat, _| {
        for event in events.try_iter() {
            chat.hear(event);
        }
        for request in chat.wishes() {
            backend.dispatch(request);
        }
    });
    let exit = exit.context("the terminal failed");
    runtime.block_on(backend.close());
    runtime.block_on(connection.close())?;
    screen_exit(exit?)
}

/// The exit code after a screen was closed.
pub(super) fn screen_exit(exit: Exit) -> Result<(), Failure> {
    match exit {
        Exit::Left(0) => Ok(()),
        Exit::Left(code) => Err(Failure::Ended(code)),
        Exit::Signal(number) => Err(Failure::Ended(128 + u8::try_from(number).unwrap_or(0))),
        Exit::HungUp => Err(Failure::Ended(super::ask::STILL_OPEN)),
    }
}

fn setting(options: &ChatOptions) -> Setting {
    let terminal = &options.terminal;
    Setting {
        locale: terminal.locale,
        glyphs: terminal.glyphs,
        today: today(),
        quiet: terminal.typeahead_window,
        keymap: terminal.keymap.clone(),
        border: terminal.settings.border,
        command: options.resume_command.clone(),
    }
}

fn base(connection: &Connection) -> String {
    let base = connection.client.base_url();
    base.trim_end_matches('/').to_owned()
}

fn greeting(options: &ChatOptions, connection: &Connection) -> Vec<Row> {
    let link = connection.page();
    let link = options
        .terminal
        .locale
        .text("chat-link", &[("link", link.into())]);
    let lines = options.greeting.iter().cloned().chain([link]);
    lines
        .map(|line| Row::new().with(line, Ink::Muted))
        .collect()
}
