//! Accepts connections and serves them until the server stops.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router, middleware};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tower::Layer as _;

use crate::connections::{ConnectionLimits, UnauthenticatedConnections};
use crate::unread_body;
use crate::write_timeout::WriteTimeout;

/// For the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// For open requests when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Settings of connections.
#[derive(Debug, Clone, Copy)]
pub struct ServeOptions {
    /// How long a write may block before the connection is closed.
    pub write_timeout: Duration,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            write_timeout: Duration::from_secs(30),
        }
    }
}

/// Serves `router` until `stop` completes, then waits a moment for open requests.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    options: ServeOptions,
    stop: impl Future<Output = ()>,
) {
    let router = router.layer(middleware::from_fn(unread_body::discard));
    let graceful = GracefulShutdown::new();
    let limits = ConnectionLimits::raise_and_detect();
    let permits = Arc::new(Semaphore::new(limits.connections));
    let unauthenticated = UnauthenticatedConnections::new(limits);
    let mut connections = JoinSet::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        let Some((stream, address, permit)) = accepted else {
            continue;
        };
        let handle = Arc::new(unauthenticated.add(address));
        let stream = WriteTimeout::new(stream, options.write_timeout);
        let service =
            TowerToHyperService::new(Extension(Arc::clone(&handle)).layer(router.clone()));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIMEOUT)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        while connections.try_join_next().is_some() {}
        connections.spawn(async move {
            tokio::select! {
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                },
                () = handle.evicted() => tracing::debug!("closed an unauthenticated connection in favour of another"),
            }
            drop(permit);
        });
    }
    drop(listener);
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::info!("closing connections that did not end by themselves");
    }
    // When this returns, no task of the server is running.
    connections.shutdown().await;
}

type Accepted = (
    tokio::net::TcpStream,
    IpAddr,
    tokio::sync::OwnedSemaphorePermit,
);

/// The next connection, as soon as there is a permit. `None` if accepting failed: the client disconnected, or
/// the system is out of files.
async fn accept(listener: &TcpListener, permits: &Arc<Semaphore>) -> Option<Accepted> {
    let permit = Arc::clone(permits).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "cannot set TCP_NODELAY");
            }
            Some((stream, peer.ip(), permit))
        }
        Err(error) => {
            tracing::warn!(%error, "cannot accept a connection");
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}
