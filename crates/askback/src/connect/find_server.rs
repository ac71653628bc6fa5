//! Finds the server of a data directory, authenticates it, and takes over from it.
//!
//! The lock is checked first: if nobody holds it, no server runs, and the address that a dead one left
//! behind is not tried. A server must prove that it knows the token. A process that holds the lock
//! without proving itself is starting or stopping, and is waited for.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail};
use askback_client::Client;
use askback_server::{DataDir, DataDirError, data_dir};
use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use tokio::time::Instant;

const POLL: Duration = Duration::from_millis(25);
/// How long a process may hold the lock without answering as a server.
const START_OR_STOP_MAX: Duration = Duration::from_secs(20);

pub(crate) enum ServerSearch {
    /// An authenticated server.
    Running(Discovery),
    /// No server runs. Holding this lock, only this process can start one.
    Free(DataDir),
}

/// Finds the server of `data`, or locks the directory. A server with a lower role than `role` is asked
/// to hand over. The directory is not locked before `delay` is over, so that a restarting server comes
/// first.
pub(crate) async fn find_server(
    data: &Path,
    role: ServerRole,
    delay: Duration,
) -> anyhow::Result<ServerSearch> {
    // Before anything in it is believed.
    data_dir::check_trusted(data)?;
    let started = Instant::now();
    loop {
        let running = Discovery::of_running(data)
            .with_context(|| format!("cannot use {}", data.display()))?;
        if let Some(found) = &running {
            if is_usable(found, role).await {
                return Ok(ServerSearch::Running(found.clone()));
            }
        } else if started.elapsed() >= delay {
            match DataDir::acquire(data) {
                Ok(directory) => return Ok(ServerSearch::Free(directory)),
                // Another process was faster, or is checking the lock at this moment.
                Err(DataDirError::InUse(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if started.elapsed() >= delay + START_OR_STOP_MAX {
            bail!(no_answer(data, running.as_ref()));
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Whether a server has authenticated itself and keeps running. One with a lower role is asked to hand
/// over, and stops soon.
async fn is_usable(found: &Discovery, role: ServerRole) -> bool {
    let Ok(client) = Client::discovered(found) else {
        return false;
    };
    if let Err(error) = client.check_connection().await {
        tracing::debug!(%error, address = found.address, "not a usable server, or not yet");
        return false;
    }
    if found.role >= role {
        return true;
    }
    match client.ask_to_hand_over(role).await {
        Ok(response) => !response.handing_over,
        Err(error) => {
            tracing::debug!(%error, "the request to hand over failed");
            false
        }
    }
}

fn no_answer(data: &Path, running: Option<&Discovery>) -> String {
    let data = data.display();
    match running {
        Some(found) => format!(
            "{data} is in use by process {}, which does not answer at {}; stop it, or choose another \
             data directory with --data",
            found.pid, found.address
        ),
        None => format!(
            "{data} is locked by another process that is not a server; stop it, or choose \
             another data directory with --data"
        ),
    }
}
