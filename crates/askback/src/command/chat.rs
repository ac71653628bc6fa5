//! `askback chat`: the built-in agent at this terminal.

mod desk;
mod lines;

use anyhow::Context as _;
use askback_core::id::ConversationId;
use askback_tui::chat::{Chat, News, Setting, Wish};
use askback_tui::clock::today;
use askback_tui::row::{Ink, Row};
use askback_tui::stage::{Exit, Stage};
use askback_tui::surface::Surface;

use super::look::Look;
use super::post::{Post, terminal_client};
use crate::args::ChatArgs;
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;
use desk::Desk;

/// Which conversation a chat begins with.
pub(super) enum Begin {
    /// A new one, when the first message is sent.
    New,
    /// One that the user chooses from a list.
    Choose,
    /// This one.
    Resume(ConversationId),
    /// A new one with this message.
    Say(String),
}

/// A chat to be held.
pub(super) struct Plan {
    pub(super) look: Look,
    pub(super) app: Option<String>,
    pub(super) begin: Begin,
    /// What is said before anything else.
    pub(super) greeting: Vec<String>,
    /// The command that comes back to a conversation; `{id}` stands for its id.
    pub(super) command: String,
}

pub(crate) fn run(args: &ChatArgs) -> Result<(), Failure> {
    let begin = match args.resume.as_deref() {
        None => Begin::New,
        Some("") => Begin::Choose,
        Some(id) => Begin::Resume(ConversationId::new(id)),
    };
    let plan = Plan {
        look: Look::find(&args.look, args.connect.settings.config.as_deref())?,
        app: args.app.clone(),
        begin,
        greeting: Vec::new(),
        command: "askback chat --resume {id}".to_owned(),
    };
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrScripted))?;
    hold(&runtime, connection, &plan)
}

/// Holds a chat to its end.
pub(super) fn hold(
    runtime: &tokio::runtime::Runtime,
    connection: Connection,
    plan: &Plan,
) -> Result<(), Failure> {
    match plan.look.surface() {
        Surface::Frames => frames(runtime, connection, plan),
        surface @ (Surface::Lines | Surface::Nobody) => {
            let done = lines::run(runtime, &connection, plan, surface);
            runtime.block_on(connection.close())?;
            done
        }
    }
}

fn frames(
    runtime: &tokio::runtime::Runtime,
    connection: Connection,
    plan: &Plan,
) -> Result<(), Failure> {
    let look = &plan.look;
    let (post, news, wake) = Post::open()?;
    let client = terminal_client(&connection);
    let agent = runtime
        .block_on(desk::agent_name(&client, plan.app.as_deref()))
        .context("the server cannot be used")?;
    let mut chat = Chat::new(setting(plan), &agent);
    chat.hear(News::Connected(Some(base(&connection))));
    let greeting = greeting(plan, &connection);
    chat.hear(match &plan.begin {
        Begin::New | Begin::Say(_) => News::Words(greeting),
        Begin::Choose | Begin::Resume(_) => News::Welcome(greeting),
    });
    let mut desk = Desk::new(
        runtime.handle().clone(),
        client,
        (post, look.clock),
        plan.app.clone(),
    );
    match &plan.begin {
        Begin::New => {}
        Begin::Choose => desk.grant(Wish::List),
        Begin::Resume(id) => desk.grant(Wish::Open(id.clone())),
        Begin::Say(text) => desk.grant(Wish::Say(text.clone())),
    }
    let stage = Stage::open(look.tty()?, look.setup(), Some(wake), look.clock)
        .context("cannot use the terminal")?;
    let exit = stage.run(&mut chat, &mut |chat, _| {
        for item in news.try_iter() {
            chat.hear(item);
        }
        for wish in chat.wishes() {
            desk.grant(wish);
        }
    });
    let exit = exit.context("the terminal failed");
    runtime.block_on(desk.close());
    runtime.block_on(connection.close())?;
    ended(exit?)
}

/// How the process ends after a screen was left.
pub(super) fn ended(exit: Exit) -> Result<(), Failure> {
    match exit {
        Exit::Left(0) => Ok(()),
        Exit::Left(code) => Err(Failure::Ended(code)),
        Exit::Signal(number) => Err(Failure::Ended(128 + u8::try_from(number).unwrap_or(0))),
        Exit::HungUp => Err(Failure::Ended(super::ask::STILL_OPEN)),
    }
}

fn setting(plan: &Plan) -> Setting {
    let look = &plan.look;
    Setting {
        locale: look.locale,
        glyphs: look.glyphs,
        today: today(),
        quiet: look.quiet,
        keymap: look.keymap.clone(),
        border: look.terminal.border,
        command: plan.command.clone(),
    }
}

fn base(connection: &Connection) -> String {
    let base = connection.client.base_url();
    base.trim_end_matches('/').to_owned()
}

fn greeting(plan: &Plan, connection: &Connection) -> Vec<Row> {
    let link = connection.page();
    let link = plan.look.locale.text("chat-link", &[("link", link.into())]);
    let lines = plan.greeting.iter().cloned().chain([link]);
    lines
        .map(|line| Row::new().with(line, Ink::Muted))
        .collect()
}
