//! `askback inbox`: every question that waits, of all agents, at this terminal.

mod lines;

use std::os::unix::net::UnixStream;
use std::sync::mpsc::Receiver;

use anyhow::Context as _;
use askback_server::LocalAgents;
use askback_terminal::app::Screen as _;
use askback_terminal::clock;
use askback_terminal::display_mode::DisplayMode;
use askback_tui::inbox::{Inbox, InboxConfig, InboxEvent, InboxRequest};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::agent_settings::{AgentClient, Environment};
use crate::args::{InboxArgs, ListArgs};
use crate::backend::{
    DraftSaver, InboxBackend, LAST_REPLY_MAX, StoredDrafts, UiChannel, UndoWindow, terminal_client,
    whose_inbox,
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

/// What both ways of showing the inbox need.
struct OpenInbox {
    runtime: Runtime,
    connection: Connection,
    backend: InboxBackend,
    events: Receiver<InboxEvent>,
    feed: JoinHandle<()>,
    drafts: DraftSaver,
}

impl OpenInbox {
    /// Also returns what becomes readable when an event arrives.
    fn open(
        args: &InboxArgs,
        terminal: &TerminalOptions,
        undo: UndoWindow,
    ) -> Result<(OpenInbox, UnixStream), Failure> {
        let runtime = runtime::start()?;
        let connection = runtime.block_on(Connection::open(&args.connect, FallbackModel::None))?;
        let client = terminal_client(&connection);
        let (mine, shown) = runtime.block_on(whose_inbox(&client, args.shown()))?;
        let (channel, events, wake) = UiChannel::open()?;
        let drafts = StoredDrafts::new(client.clone());
        let backend = InboxBackend {
            client,
            drafts: drafts.clone(),
            channel,
            clock: terminal.clock,
            undo,
            mine,
            shown,
        };
        let on_conflict = backend.on_draft_conflict();
        let open = OpenInbox {
            feed: runtime.spawn(backend.clone().follow()),
            drafts: DraftSaver::new(drafts, runtime.handle().clone(), on_conflict),
            runtime,
            connection,
            backend,
            events,
        };
        Ok((open, wake))
    }

    /// Saves the last drafts, and waits until these requests were sent.
    fn close(self, requests: Vec<JoinHandle<()>>) -> Result<(), Failure> {
        let OpenInbox {
            runtime,
            connection,
            feed,
            mut drafts,
            ..
        } = self;
        runtime.block_on(async {
            drafts.finish().await;
            for task in requests {
                drop(tokio::time::timeout(LAST_REPLY_MAX, task).await);
            }
            feed.abort();
            // The only error is the cancellation.
            drop(feed.await);
            connection.close().await
        })?;
        Ok(())
    }
}

fn frames(args: &InboxArgs, terminal: &TerminalOptions) -> Result<(), Failure> {
    let config = args.connect.settings.config.as_deref();
    let undo = UndoWindow::choose(args.undo, config, terminal)?;
    let (mut open, wake) = OpenInbox::open(args, terminal, undo)?;
    let LocalAgents { ready, rest } = local_agents(args);
    let mut inbox = Inbox::new(InboxConfig {
        screen: terminal.screen_config(),
        local_time: clock::local_time,
        mine: open.backend.mine.clone(),
        server_flags: args.connect.server_flags(),
        agents_ready: ready,
        agents_rest: rest,
    });
    let stage = terminal.open_app(wake, open.backend.client.clone(), open.runtime.handle())?;
    let mut tasks = Vec::new();
    let exit = stage.run(&mut inbox, &mut |inbox, now| {
        // Undo windows of new events count from now.
        inbox.tick(now);
        for event in open.events.try_iter() {
            inbox.handle_event(event);
        }
        for request in inbox.take_inbox_requests() {
            if let InboxRequest::SaveDraft(id, revision, draft) = request {
                open.drafts.save(id, revision, draft);
            } else {
                let handling = open.backend.clone().handle(request);
                tasks.push(open.runtime.spawn(handling));
            }
        }
    });
    let exit = exit.context("the terminal failed");
    open.close(tasks)?;
    super::chat::screen_exit(exit?)
}
