//! How a client finds its server again.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use askback_wire::discovery::Discovery;

/// Finds the current server. Shared by all clones of a client, and called by several of them at the same
/// time.
pub trait Reconnect: Debug + Send + Sync + 'static {
    /// The current server, after the one at `lost` could not be reached. `None` to try the same address
    /// again. May wait for a server to start, but not forever.
    fn reconnect<'a>(
        &'a self,
        lost: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Discovery>> + Send + 'a>>;
}
