//! `askback inbox`: every question that waits, of all agents, at this terminal.

mod desk;
mod lines;

use std::time::Duration;

use anyhow::Context as _;
use askback_tui::clock::today;
use askback_tui::inbox::{Inbox, Setting, Wish};
use askback_tui::stage::{Scene as _, Stage};
use askback_tui::surface::Surface;

use super::drafts::Drafts;
use super::look::Look;
use super::post::{Post, terminal_client};
use super::reply::Undo;
use crate::args::{InboxArgs, ListArgs};
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;
use crate::settings;
use desk::Desk;

/// How long a reply can be taken back unless somebody says otherwise.
const UNDO_SECONDS: u32 = 5;
/// And at most.
const UNDO_SECONDS_MAX: u32 = 60;
/// How long an end waits for what was sent last.
const LAST: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &InboxArgs) -> Result<(), Failure> {
    let look = Look::find(&args.look, args.connect.settings.config.as_deref())?;
    match look.surface() {
        Surface::Frames => frames(args, &look),
        Surface::Lines => lines::run(args, &look),
        Surface::Nobody => super::list::run(&ListArgs {
            status: "pending".to_owned(),
            json: false,
            connect: args.connect.clone(),
        }),
    }
}

/// How long a reply can be taken back, as the caller or the configuration says.
fn undo(args: &InboxArgs) -> Result<Undo, Failure> {
    let configured = settings::undo(args.connect.settings.config.as_deref())?;
    let seconds = args.undo.or(configured).unwrap_or(UNDO_SECONDS);
    if seconds > UNDO_SECONDS_MAX {
        let refusal = format!("undo must be {UNDO_SECONDS_MAX} seconds or fewer; 0 is none.");
        return Err(Failure::Refused(refusal));
    }
    Ok(Undo((seconds > 0).then_some(seconds)))
}

fn frames(args: &InboxArgs, look: &Look) -> Result<(), Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrNone))?;
    let client = terminal_client(&connection);
    let (post, news, wake) = Post::open()?;
    let desk = Desk {
        client: client.clone(),
        post,
        clock: look.clock,
        undo: undo(args)?,
    };
    let mut inbox = Inbox::new(Setting {
        locale: look.locale,
        glyphs: look.glyphs,
        today: today(),
        quiet: look.quiet,
        keymap: look.keymap.clone(),
        border: look.terminal.border,
    });
    let feed = runtime.spawn(desk.clone().follow());
    let mut drafts = Drafts::new(client, runtime.handle().clone());
    let stage = Stage::open(look.tty()?, look.setup(), Some(wake), look.clock)
        .context("cannot use the terminal")?;
    let mut tasks = Vec::new();
    let exit = stage.run(&mut inbox, &mut |inbox, now| {
        // What is heard counts from now: the time in which it can be taken back, above all.
        inbox.tick(now);
        for item in news.try_iter() {
            inbox.hear(item);
        }
        for wish in inbox.wishes() {
            if let Wish::Draft(id, revision, draft) = wish {
                drafts.keep(id, revision, draft);
            } else {
                tasks.push(runtime.spawn(desk.clone().serve(wish)));
            }
        }
    });
    let exit = exit.context("the terminal failed");
    runtime.block_on(async {
        drafts.finish().await;
        // An answer that was given is sent before the end.
        for task in tasks {
            drop(tokio::time::timeout(LAST, task).await);
        }
        feed.abort();
        drop(feed.await);
    });
    runtime.block_on(connection.close())?;
    super::chat::ended(exit?)
}
