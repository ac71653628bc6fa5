//! Stops a running server: by its owner, or by another process that takes over the data directory.

use std::sync::Arc;

use askback_wire::server_process::ServerRole;
use tokio::sync::watch;

/// A handle on a running server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ServerControl(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    address: String,
    role: ServerRole,
    stopping: watch::Sender<bool>,
}

impl ServerControl {
    /// `address` is the URL in `server.json`.
    pub fn new(address: &str, role: ServerRole) -> ServerControl {
        ServerControl(Arc::new(Inner {
            address: address.to_owned(),
            role,
            stopping: watch::Sender::new(false),
        }))
    }

    /// The URL in `server.json`.
    pub fn address(&self) -> &str {
        &self.0.address
    }

    /// Stops the server. Feeds and long polls end at once; other requests are completed.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    /// Whether [`stop`](ServerControl::stop) was called.
    pub fn is_stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }

    /// Completes when [`stop`](ServerControl::stop) is called.
    pub async fn stopping(&self) {
        let mut stopping = self.0.stopping.subscribe();
        // The sender lives as long as this handle.
        drop(stopping.wait_for(|stopping| *stopping).await);
    }

    /// Stops the server if the caller's role takes precedence. Returns whether it does.
    pub(crate) fn hand_over_to(&self, role: ServerRole) -> bool {
        let yields = self.0.role < role;
        if yields {
            tracing::info!(?role, "handing the data directory over");
            self.stop();
        }
        yields
    }
}
