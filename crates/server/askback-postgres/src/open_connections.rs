//! The connections of a node that are open. A node that was cut off from the database ends all of them:
//! those that wait for a response would wait for as long as the network is silent.

use parking_lot::Mutex;

use tokio::task::{AbortHandle, JoinHandle};

#[derive(Default)]
pub(super) struct OpenConnections(Mutex<Vec<AbortHandle>>);

impl OpenConnections {
    /// Adds the task of a connection.
    pub(super) fn add<T>(&self, task: &JoinHandle<T>) {
        let mut open = self.0.lock();
        open.retain(|task| !task.is_finished());
        open.push(task.abort_handle());
    }

    /// Ends all connections. What waits for one of them fails.
    pub(super) fn end_all(&self) {
        let mut open = self.0.lock();
        for task in open.drain(..) {
            task.abort();
        }
    }
}
