//! The server on standard input and output, as agents start it.

use std::sync::Arc;

use askback_client::Client;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;

use crate::agent::Place;
use crate::call::Session;
use crate::delivery::{Deliveries, Watched};
use crate::handler::Handler;
use crate::hold::Connection;
use crate::options::Options;
use crate::presence::Presence;

/// Serves the agent on standard input and output until it closes them.
pub async fn serve_stdio(
    client: Client,
    options: Options,
    place: Place,
    presence: Presence,
) -> std::io::Result<()> {
    let (deliveries, worker) = Deliveries::start(client.clone());
    let (reader, writer) = stdio_pipes();
    let transport = AsyncRwTransport::new_server(reader, writer);
    let transport = Watched::new(transport, Arc::clone(&deliveries));
    let handler = Handler {
        session: Arc::new(Session::new(client, options, presence)),
        deliveries: Arc::clone(&deliveries),
        connection: Connection::Stdio,
        place,
    };
    match handler.serve(transport).await {
        Ok(running) => {
            let reason = running.waiting().await.map_err(std::io::Error::other)?;
            tracing::debug!(?reason, "the agent has gone");
        }
        // It went away before it said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(error) => return Err(std::io::Error::other(error)),
    }
    deliveries.stop();
    worker.finish().await;
    Ok(())
}
