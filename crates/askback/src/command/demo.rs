//! `askback demo`: everything in one, without a key or any configuration.

use askback_client::Client;
use askback_core::id::ConversationId;
use askback_wire::list::ListConversationsParams;
use askback_wire::state::StateResponse;

use super::chat::{ChatOptions, ChatStart, run_chat};
use crate::args::{ConnectArgs, DemoArgs};
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;
use crate::settings::Settings;
use crate::terminal_options::TerminalOptions;

pub(crate) fn run(args: &DemoArgs) -> Result<(), Failure> {
    let terminal = TerminalOptions::detect(&args.terminal, args.settings.config.as_deref())?;
    let mut settings = args.settings.clone();
    // What is set for real work has no part in it: the demonstration has data of its own.
    settings.data = Some(match &args.settings.data {
        Some(data) => data.clone(),
        None => Settings::gather(&settings)?.data.join("demo"),
    });
    settings.provider = Some("scripted".to_owned());
    settings.store = None;
    settings.config = None;
    settings.apps = None;
    let runtime = runtime::start()?;
    let connect = ConnectArgs {
        url: None,
        settings,
    };
    let connection = runtime.block_on(Connection::open(&connect, Model::OrScripted))?;
    let earlier = if args.again {
        None
    } else {
        runtime.block_on(unfinished(&connection.client))?
    };
    let (start, greeting) = match earlier {
        Some(id) => (
            ChatStart::Resume(id),
            vec![terminal.locale.text("demo-resumed", &[])],
        ),
        None => (
            ChatStart::Send(terminal.locale.text("demo-hello", &[])),
            Vec::new(),
        ),
    };
    let options = ChatOptions {
        resume_command: "askback demo".to_owned(),
        terminal,
        app: None,
        start,
        greeting,
    };
    run_chat(&runtime, connection, &options)
}

/// The newest conversation, if it has not come to its end.
async fn unfinished(client: &Client) -> Result<Option<ConversationId>, Failure> {
    let params = ListConversationsParams {
        limit: Some(1),
        ..ListConversationsParams::default()
    };
    let page = client.conversations(&params).await;
    let page = page.map_err(|error| Failure::Refused(error.to_string()))?;
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
