//! The MCP server on standard input and output, as agents start it.

pub(crate) mod lines;

use std::sync::Arc;

use askback_client::Client;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use tokio::io::BufReader;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::call::executor::ToolExecutor;
use crate::delivery::{DeliveryTracker, TrackedTransport};
use crate::handler::McpServer;
use crate::known_clients::TransportKind;
use crate::options::McpOptions;
use crate::session::Sessions;
use crate::session::lock::SessionLock;
use crate::stdio::lines::copy_valid_lines;

/// Capacity of the pipe between the line check and rmcp.
const PIPE_BYTES: usize = 64 << 10;

/// Serves the agent on standard input and output until it closes them.
pub async fn serve_stdio(
    client: Client,
    options: McpOptions,
    session_lock: SessionLock,
) -> std::io::Result<()> {
    let (delivery_tracker, worker) = DeliveryTracker::start(client.clone());
    let (reader, writer) = stdio_pipes();
    let (valid_lines, checked) = tokio::io::duplex(PIPE_BYTES);
    let (errors, invalid_lines) = mpsc::channel(1);
    let transport = AsyncRwTransport::new_server(checked, writer);
    let transport = TrackedTransport::new(transport, invalid_lines, Arc::clone(&delivery_tracker));
    let sessions = Sessions::Process(session_lock);
    let executor = Arc::new(ToolExecutor::new(client, options, sessions));
    let copying = copy_valid_lines(BufReader::new(reader), valid_lines, errors);
    let waiting = Arc::clone(&executor);
    let copying = tokio::spawn(async move {
        copying.await?;
        // The agent has gone. rmcp lets open calls run for some seconds.
        waiting.attachments.detach_all().await;
        std::io::Result::Ok(())
    });
    let server = McpServer {
        executor: Arc::clone(&executor),
        delivery_tracker: Arc::clone(&delivery_tracker),
        transport: TransportKind::Stdio,
        stop: CancellationToken::new(),
    };
    match Box::pin(server.serve(transport)).await {
        Ok(running) => {
            let ended = tokio::select! {
                ended = running.waiting() => ended,
                () = executor.sessions.note_that_it_runs() => return Ok(()),
            };
            let reason = ended.map_err(std::io::Error::other)?;
            tracing::debug!(?reason, "the agent disconnected");
        }
        // It disconnected without sending anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(error) => return Err(std::io::Error::other(error)),
    }
    copying.abort();
    delivery_tracker.stop();
    worker.finish().await;
    Ok(())
}
