//! What a client does when its server is gone: it asks where to go on.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use askback_wire::discovery::Discovery;

/// Finds the server again. One is shared by all clones of a client, and may be asked by several of
/// them at the same time.
pub trait Reconnect: Debug + Send + Sync + 'static {
    /// Where to go on, after the server at `lost` could not be reached. None if that is not known:
    /// the same address is tried again. Waits for a server to come, but not for ever.
    fn reconnect<'a>(
        &'a self,
        lost: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Discovery>> + Send + 'a>>;
}
