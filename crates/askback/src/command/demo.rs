//! `askback demo`: a chat with the scripted demo agent, on data of its own.

use askback_client::Client;
use askback_core::id::ConversationId;
use askback_wire::conversation::NewConversationParams;
use askback_wire::list::ListConversationsParams;
use askback_wire::state::StateResponse;

use super::chat::{ChatOptions, ChatStart, run_chat};
use crate::args::{ConnectArgs, DemoArgs, SettingsArgs};
use crate::backend::UndoWindow;
use crate::connect::{Connection, FallbackModel, ListenAt, TakeoverDelay};
use crate::failure::Failure;
use crate::runtime;
use crate::settings::Settings;
use crate::terminal_options::TerminalOptions;

pub(crate) fn run(args: &DemoArgs) -> Result<(), Failure> {
    let terminal = TerminalOptions::detect(&args.terminal, args.settings.config.as_deref())?;
    // The demo uses neither the data nor the configuration of real work.
    let data = match &args.settings.data {
        Some(data) => data.clone(),
        None => Settings::gather(&args.settings)?.data.join("demo"),
    };
    let connect = ConnectArgs {
        url: None,
        settings: SettingsArgs {
            data: Some(data),
            provider: Some("scripted".to_owned()),
            store: None,
            config: None,
            apps: None,
            ..args.settings.clone()
        },
    };
    let runtime = runtime::start()?;
    let listen_at = connect
        .settings
        .listen_flag()
        .map_or(ListenAt::LastPort, ListenAt::Address);
    let connection = runtime.block_on(Connection::open_local(
        Settings::gather(&connect.settings)?,
        FallbackModel::Scripted,
        TakeoverDelay::SHORT,
        listen_at,
    ))?;
    runtime.block_on(connection.warn_of_unused_flags(&args.settings));
    let earlier = if args.again {
        None
    } else {
        runtime.block_on(find_unfinished(&connection.client))?
    };
    let (start, greeting) = if let Some(id) = earlier {
        let resumed = terminal.locale.text("demo-resumed", &[]);
        (ChatStart::Resume(id), vec![resumed])
    } else {
        // Created before the chat begins, so that its link opens this conversation.
        let hello = terminal.locale.text("demo-hello", &[]);
        let params = NewConversationParams {
            title: Some(hello.clone()),
            ..NewConversationParams::default()
        };
        let created = runtime.block_on(connection.client.create_conversation(&params));
        (ChatStart::Send(created?.id, hello), Vec::new())
    };
    let options = ChatOptions {
        undo: UndoWindow::choose(args.undo, None, &terminal)?,
        resume_command: "askback demo".to_owned(),
        server_flags: connect.server_flags(),
        terminal,
        app: None,
        start,
        greeting,
    };
    run_chat(&runtime, connection, &options)
}

/// The newest conversation, if its script has not ended.
async fn find_unfinished(client: &Client) -> Result<Option<ConversationId>, Failure> {
    let params = ListConversationsParams {
        limit: Some(1),
        ..ListConversationsParams::default()
    };
    let page = client.conversations(&params).await?;
    let newest = page.items.into_iter().next();
    Ok(newest.and_then(|newest| match newest.state {
        StateResponse::Idle | StateResponse::Closed | StateResponse::Unknown => None,
        StateResponse::LlmRequesting { .. }
        | StateResponse::ToolExecuting { .. }
        | StateResponse::AwaitingUserResponse { .. }
        | StateResponse::AwaitingSubAgents { .. }
        | StateResponse::Error { .. } => Some(newest.id),
    }))
}
