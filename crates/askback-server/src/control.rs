//! How a running server is told to stop: by its owner, or by a process that has more right to the
//! data directory.

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
    /// The handle on a server that announces itself at `address`.
    pub fn new(address: &str, role: ServerRole) -> ServerControl {
        ServerControl(Arc::new(Inner {
            address: address.to_owned(),
            role,
            stopping: watch::Sender::new(false),
        }))
    }

    /// Where the server says that it is.
    pub fn address(&self) -> &str {
        &self.0.address
    }

    /// Stops the server: feeds and long polls end at once, short requests are answered.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    /// Whether it was told to stop.
    pub fn is_stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }

    /// Comes true when the server is told to stop.
    pub async fn stopping(&self) {
        let mut stopping = self.0.stopping.subscribe();
        // The sender lives as long as this handle.
        drop(stopping.wait_for(|stopping| *stopping).await);
    }

    /// Stops the server if whoever asks has more right to the data directory. Gives whether it does.
    pub(crate) fn hand_over_to(&self, role: ServerRole) -> bool {
        let yields = self.0.role < role;
        if yields {
            tracing::info!(?role, "handing the data directory over");
            self.stop();
        }
        yields
    }
}
