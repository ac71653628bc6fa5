//! How many connections there may be, and who gives way when there are too many.
//!
//! A connection is a stranger's until a request on it has shown the token or a session. Strangers get
//! a share of the connections; one more closes the oldest of the address that has most of them. So
//! unauthenticated only ever displace unauthenticated, even where all of them come from one address, as on
//! loopback, and whoever has the token is never kept waiting by them.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Connections at the same time, if the system allows for as many; more wait to be accepted.
pub const CONNECTIONS_MAX: usize = 20_000;
/// Connections on which nobody has shown who they are.
const UNAUTHENTICATED_MAX: usize = 256;
/// Open files that are kept free for the store, webhooks and providers.
const FILES_RESERVED: usize = 256;

/// The bounds of one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConnectionLimits {
    pub(crate) connections: usize,
    pub(crate) unauthenticated: usize,
}

impl ConnectionLimits {
    /// What fits into a number of open files.
    pub(crate) fn within(files: usize) -> ConnectionLimits {
        let reserved = FILES_RESERVED.min(files / 2);
        let connections = (files - reserved).clamp(8, CONNECTIONS_MAX);
        ConnectionLimits {
            connections,
            unauthenticated: UNAUTHENTICATED_MAX.min(connections / 4),
        }
    }

    /// What fits into the files that the system lets this process open, after asking for as many as
    /// it ever would.
    pub(crate) fn of_this_process() -> ConnectionLimits {
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
        ConnectionLimits::within(usize::try_from(files).unwrap_or(usize::MAX))
    }
}

/// The connections of unauthenticated, by their address, the oldest first.
#[derive(Debug)]
pub(crate) struct UnauthenticatedConnections {
    max: usize,
    waiting: Mutex<HashMap<IpAddr, VecDeque<Arc<Notify>>>>,
}

impl UnauthenticatedConnections {
    pub(crate) fn new(bounds: ConnectionLimits) -> Arc<UnauthenticatedConnections> {
        Arc::new(UnauthenticatedConnections {
            max: bounds.unauthenticated,
            waiting: Mutex::default(),
        })
    }

    /// A new connection from an address. Closes another stranger's if there are too many.
    pub(crate) fn add(self: &Arc<Self>, address: IpAddr) -> Peer {
        let close = Arc::new(Notify::new());
        let mut waiting = self.waiting();
        if waiting.values().map(VecDeque::len).sum::<usize>() >= self.max
            && let Some(most) = waiting
                .values_mut()
                .max_by_key(|same_address| same_address.len())
            && let Some(oldest) = most.pop_front()
        {
            oldest.notify_one();
        }
        let same_address = waiting.entry(address).or_default();
        same_address.push_back(Arc::clone(&close));
        Peer {
            unauthenticated: Arc::clone(self),
            address,
            close,
        }
    }

    fn remove(&self, peer: &Peer) {
        let mut waiting = self.waiting();
        if let Some(same_address) = waiting.get_mut(&peer.address) {
            same_address.retain(|close| !Arc::ptr_eq(close, &peer.close));
            if same_address.is_empty() {
                waiting.remove(&peer.address);
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<IpAddr, VecDeque<Arc<Notify>>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The other end of a connection. Requests carry it.
#[derive(Debug)]
pub(crate) struct Peer {
    unauthenticated: Arc<UnauthenticatedConnections>,
    address: IpAddr,
    close: Arc<Notify>,
}

impl Peer {
    /// It has shown who it is: it does not give way to unauthenticated any more.
    pub(crate) fn mark_authenticated(&self) {
        self.unauthenticated.remove(self);
    }

    /// Waits until it has to give way.
    pub(crate) async fn evicted(&self) {
        self.close.notified().await;
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.unauthenticated.remove(self);
    }
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
