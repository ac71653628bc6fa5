//! `askback inbox`: every question that waits, of all agents, at this terminal.

mod lines;

use anyhow::Context as _;
use askback_terminal::app::{Screen as _, TerminalApp};
use askback_terminal::clock::today;
use askback_terminal::display_mode::DisplayMode;
use askback_tui::inbox::{Inbox, InboxConfig, InboxRequest};
use askback_wire::local_agents::LocalAgents;

use crate::agent_settings::{AgentClient, Environment};
use crate::args::{InboxArgs, ListArgs};
use crate::backend::{
    DraftSaver, InboxBackend, LAST_REPLY_MAX, PRESENCE_INTERVAL, StoredDrafts, UiChannel,
    UndoWindow, presence_notifier, terminal_client, whose_inbox,
};
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::runtime;
use crate::terminal_options::TerminalOptions;

pub(crate) fn run(args: &InboxArgs) -> Result<(), Failure> {
    let terminal =
        TerminalOptions::detect(&args.terminal, args.connect.settings.config.as_deref())?;
    match terminal.display_mode() {
        DisplayMode::Frames => frames(args, &terminal),
        DisplayMode::Lines => lines::run(args, &terminal),
        DisplayMode::NonInteractive => super::list::run(&ListArgs {
            status: "pending".to_owned(),
            search: None,
            since: None,
            json: false,
            connect: args.connect.clone(),
        }),
    }
}

/// The agents that may ask here. Those of this machine ask its own server unless they are told otherwise.
fn local_agents(args: &InboxArgs) -> LocalAgents {
    if args.connect.url.is_some() || !args.connect.server_flags().is_empty() {
        return LocalAgents::default();
    }
    AgentClient::local(&Environment::read())
}

fn frames(args: &InboxArgs, terminal: &TerminalOptions) -> Result<(), Failure> {
    let config = args.connect.settings.config.as_deref();
    let undo = UndoWindow::choose(args.undo, config, terminal)?;
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, FallbackModel::None))?;
    let client = terminal_client(&connection);
    let (mine, shown) = runtime.block_on(whose_inbox(&client, args.shown()))?;
    let (channel, events, wake) = UiChannel::open()?;
    let backend = InboxBackend {
        client: client.clone(),
        drafts: StoredDrafts::new(client.clone()),
        channel,
        clock: terminal.clock,
        undo,
        mine: mine.clone(),
        shown,
    };
    let mut inbox = Inbox::new(InboxConfig {
        locale: terminal.locale,
        glyphs: terminal.glyphs,
        today: today(),
        typeahead_window: terminal.typeahead_window,
        keymap: terminal.keymap.clone(),
        border: terminal.settings.border,
        mine,
        server_flags: args.connect.server_flags(),
        agents: local_agents(args),
    });
    let feed = runtime.spawn(backend.clone().follow());
    let notify_presence = presence_notifier(client, runtime.handle().clone());
    let (stored, on_conflict) = (backend.drafts.clone(), backend.on_draft_conflict());
    let mut drafts = DraftSaver::new(stored, runtime.handle().clone(), on_conflict);
    let mut stage = TerminalApp::open(
        terminal.tty()?,
        terminal.setup(),
        Some(wake),
        terminal.clock,
    )
    .context("cannot use the terminal")?;
    stage.on_activity(PRESENCE_INTERVAL, notify_presence);
    let mut tasks = Vec::new();
    let exit = stage.run(&mut inbox, &mut |inbox, now| {
        // Undo windows of new events count from now.
        inbox.tick(now);
        for event in events.try_iter() {
            inbox.handle_event(event);
        }
        for request in inbox.take_inbox_requests() {
            if let InboxRequest::SaveDraft(id, revision, draft) = request {
                drafts.save(id, revision, draft);
            } else {
                tasks.push(runtime.spawn(backend.clone().handle(request)));
            }
        }
    });
    let exit = exit.context("the terminal failed");
    runtime.block_on(async {
        drafts.finish().await;
        // A reply that was given is sent before the exit.
        for task in tasks {
            drop(tokio::time::timeout(LAST_REPLY_MAX, task).await);
        }
        feed.abort();
        drop(feed.await);
    });
    runtime.block_on(connection.close())?;
    super::chat::screen_exit(exit?)
}
