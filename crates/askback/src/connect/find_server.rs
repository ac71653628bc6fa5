//! The one way in which a process finds the server of a data directory, proves that it is that, and
//! takes over from it.
//!
//! The lock is looked at first: if nobody holds it, no server runs, and an address that a dead one
//! left behind is not even tried. Who is found must prove that it knows the token
//! ([`Discovery::client`]). Whoever holds the lock and does not prove itself is about to start or to
//! stop, and is waited for.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail};
use askback_client::Client;
use askback_server::{DataDir, DataDirError};
use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use tokio::time::Instant;

/// The pause between two looks.
const POLL: Duration = Duration::from_millis(25);
/// How long a process may hold the directory without being a server that can be used.
const START_OR_STOP_MAX: Duration = Duration::from_secs(20);

/// What a process has after it has looked for a server.
pub(crate) enum Found {
    /// One runs, and has proved itself.
    Running(Discovery),
    /// None runs, and none can be started but by us.
    Directory(DataDir),
}

/// Finds the server of `data`, or takes the directory. A server with less right than `role` is asked
/// to hand over; nothing is taken before `patience` is over, so that a server that is restarted comes
/// first.
pub(crate) async fn find_server(
    data: &Path,
    role: ServerRole,
    patience: Duration,
) -> anyhow::Result<Found> {
    let begun = Instant::now();
    loop {
        let running = Discovery::of_running(data)
            .with_context(|| format!("cannot use {}", data.display()))?;
        if let Some(found) = &running {
            if is_usable(found, role).await {
                return Ok(Found::Running(found.clone()));
            }
        } else if begun.elapsed() >= patience {
            match DataDir::take(data) {
                Ok(directory) => return Ok(Found::Directory(directory)),
                // Somebody else was faster, or looks at the lock in this moment.
                Err(DataDirError::Taken(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if begun.elapsed() >= patience + START_OR_STOP_MAX {
            bail!(no_answer(data, running.as_ref()));
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Whether a server has proved itself and stays. One that has less right is asked to hand over, and
/// is gone soon.
async fn is_usable(found: &Discovery, role: ServerRole) -> bool {
    let Ok(client) = Client::discovered(found) else {
        return false;
    };
    if let Err(error) = client.check_connection().await {
        tracing::debug!(%error, address = found.address, "not a server to be used, or not yet");
        return false;
    }
    if found.role >= role {
        return true;
    }
    match client.ask_to_hand_over(role).await {
        Ok(reply) => !reply.handing_over,
        Err(error) => {
            tracing::debug!(%error, "it could not be asked to hand over");
            false
        }
    }
}

fn no_answer(data: &Path, running: Option<&Discovery>) -> String {
    let data = data.display();
    match running {
        Some(found) => format!(
            "{data} is in use by process {}, which does not answer at {}; stop it, or name another \
             data directory with --data",
            found.pid, found.address
        ),
        None => format!(
            "{data} is locked by another process that does not serve it; stop that one, or name \
             another data directory with --data"
        ),
    }
}
