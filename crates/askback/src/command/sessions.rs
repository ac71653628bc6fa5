//! `askback sessions`: lists and ends browser sessions.

use askback_client::{Client, ClientError};
use askback_core::text::{Lines, Text};
use askback_wire::session::SessionResponse;

use super::server_list::{TIME_FORMAT_UTC, print_list};
use crate::args::{SessionsAction, SessionsArgs};
use crate::connect::with_server;
use crate::failure::{Failure, refuse};

pub(crate) fn run(args: &SessionsArgs) -> Result<(), Failure> {
    match args.action {
        SessionsAction::List if args.all || !args.ids.is_empty() => {
            refuse("To end sessions, use: askback sessions end ID, or askback sessions end --all")
        }
        SessionsAction::End if !args.all && args.ids.is_empty() => {
            refuse("Give the ids of the sessions to end, or --all. `askback sessions` lists them.")
        }
        SessionsAction::End => with_server(&args.list.connect, async |server| {
            end(&server.client, args).await
        }),
        SessionsAction::List => {
            let sessions = async |client: &Client| Ok(client.sessions().await?.items);
            print_list(&args.list, "No browser is signed in.", sessions, line)
        }
    }
}

async fn end(client: &Client, args: &SessionsArgs) -> Result<(), ClientError> {
    if args.all {
        return client.end_sessions().await;
    }
    for id in &args.ids {
        client.end_session(id).await?;
    }
    Ok(())
}

fn line(session: &SessionResponse) -> String {
    let clean = |text: &str| Text::clean(text, Lines::One);
    let agent = session.user_agent.as_deref().and_then(clean);
    format!(
        "{}  signed in {}  last used {}  ends {}  {}",
        clean(&session.id).as_ref().map_or("", Text::as_str),
        session.created_at.strftime(TIME_FORMAT_UTC),
        session.last_used_at.strftime(TIME_FORMAT_UTC),
        session.expires_at.strftime(TIME_FORMAT_UTC),
        agent.as_ref().map_or("unknown browser", Text::as_str),
    )
}
