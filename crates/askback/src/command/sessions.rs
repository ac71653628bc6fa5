//! `askback sessions`: lists and ends browser sessions.

use std::io::Write as _;

use askback_client::{Client, ClientError};
use askback_core::text::{Lines, Text};
use askback_wire::session::SessionResponse;

use crate::args::{SessionsAction, SessionsArgs};
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::output;
use crate::runtime;

const TIME_FORMAT_UTC: &str = "%Y-%m-%d %H:%MZ";

pub(crate) fn run(args: &SessionsArgs) -> Result<(), Failure> {
    let refused = |words: &str| Err(Failure::Refused(words.to_owned()));
    match args.action {
        SessionsAction::List if args.all || !args.ids.is_empty() => {
            return refused(
                "To end sessions, use: askback sessions end ID, or askback sessions end --all",
            );
        }
        SessionsAction::End if !args.all && args.ids.is_empty() => {
            return refused(
                "Give the ids of the sessions to end, or --all. `askback sessions` lists them.",
            );
        }
        SessionsAction::List | SessionsAction::End => {}
    }
    let done = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let done = match args.action {
            SessionsAction::List => connection.client.sessions().await.map(|list| list.items),
            SessionsAction::End => end(&connection.client, args).await.map(|()| Vec::new()),
        };
        connection.close().await?;
        Ok(done)
    })?;
    match done {
        Ok(listed) if args.action == SessionsAction::List => print(&listed, args.json),
        Ok(_) => Ok(()),
        Err(error) => Err(error.into()),
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

fn print(sessions: &[SessionResponse], json: bool) -> Result<(), Failure> {
    if sessions.is_empty() && !json {
        writeln!(output::stderr(), "No browser is signed in.")?;
    }
    let mut out = output::stdout();
    for session in sessions {
        if json {
            let line = serde_json::to_string(session).map_err(anyhow::Error::from)?;
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}", line(session))?;
        }
    }
    Ok(())
}

/// A server at --url may be of another version, so that its texts are cleaned again.
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
