//! Limits the number of connections.
//!
//! A connection counts as unauthenticated until a request on it had the token or a session. Only a part of all
//! connections may be unauthenticated. One more closes the oldest one of the address that has most of them, so
//! unauthenticated connections only ever displace each other, and callers with the token never wait for them.

use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Connections at the same time, if the system allows that many open files. Further ones wait to be
/// accepted.
pub const CONNECTIONS_MAX: usize = 20_000;
const UNAUTHENTICATED_MAX: usize = 256;
/// Open files reserved for the store, webhooks and providers.
const FILES_RESERVED: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConnectionLimits {
    pub(crate) connections: usize,
    pub(crate) unauthenticated: usize,
}

impl ConnectionLimits {
    /// Limits for a number of open files.
    pub(crate) fn for_open_files(files: usize) -> ConnectionLimits {
        let reserved = FILES_RESERVED.min(files / 2);
        let connections = (files - reserved).clamp(8, CONNECTIONS_MAX);
        ConnectionLimits {
            connections,
            unauthenticated: UNAUTHENTICATED_MAX.min(connections / 4),
        }
    }

    /// Raises the limit on open files as far as the system allows, and derives the limits from it.
    pub(crate) fn raise_and_detect() -> ConnectionLimits {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        if limit.current != limit.maximum {
            let soft = limit.current;
            limit.current = limit.maximum;
            if let Err(error) = setrlimit(Resource::Nofile, limit) {
                tracing::debug!(%error, "cannot raise the limit of open files");
                limit.current = soft;
            }
        }
        let files = limit.current.unwrap_or(u64::MAX);
        ConnectionLimits::for_open_files(usize::try_from(files).unwrap_or(usize::MAX))
    }
}

/// Unauthenticated connections by address, the oldest first.
#[derive(Debug)]
pub(crate) struct UnauthenticatedConnections {
    max: usize,
    by_address: Mutex<HashMap<IpAddr, VecDeque<Arc<Notify>>>>,
}

impl UnauthenticatedConnections {
    pub(crate) fn new(limits: ConnectionLimits) -> Arc<UnauthenticatedConnections> {
        Arc::new(UnauthenticatedConnections {
            max: limits.unauthenticated,
            by_address: Mutex::default(),
        })
    }

    /// Adds a new connection. Closes another one if there are too many.
    pub(crate) fn add(self: &Arc<Self>, address: IpAddr) -> ConnectionHandle {
        let close = Arc::new(Notify::new());
        let mut by_address = self.by_address.lock();
        if by_address.values().map(VecDeque::len).sum::<usize>() >= self.max
            && let Some(most) = by_address
                .values_mut()
                .max_by_key(|same_address| same_address.len())
            && let Some(oldest) = most.pop_front()
        {
            oldest.notify_one();
        }
        let same_address = by_address.entry(address).or_default();
        same_address.push_back(Arc::clone(&close));
        ConnectionHandle {
            unauthenticated: Arc::clone(self),
            address,
            close,
            is_authenticated: AtomicBool::new(false),
        }
    }

    fn remove(&self, connection: &ConnectionHandle) {
        let mut by_address = self.by_address.lock();
        if let Some(same_address) = by_address.get_mut(&connection.address) {
            same_address.retain(|close| !Arc::ptr_eq(close, &connection.close));
            if same_address.is_empty() {
                by_address.remove(&connection.address);
            }
        }
    }
}

/// Closes or protects a connection. An extension of its requests.
#[derive(Debug)]
pub(crate) struct ConnectionHandle {
    unauthenticated: Arc<UnauthenticatedConnections>,
    address: IpAddr,
    close: Arc<Notify>,
    /// It was removed, so that later requests need not look.
    is_authenticated: AtomicBool,
}

impl ConnectionHandle {
    /// From now on the connection is not closed in favour of others.
    pub(crate) fn mark_authenticated(&self) {
        if !self.is_authenticated.swap(true, Ordering::Relaxed) {
            self.unauthenticated.remove(self);
        }
    }

    /// The address of the other side.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Waits until the connection must be closed in favour of another.
    pub(crate) async fn evicted(&self) {
        self.close.notified().await;
    }
}

impl Drop for ConnectionHandle {
    fn drop(&mut self) {
        self.unauthenticated.remove(self);
    }
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
