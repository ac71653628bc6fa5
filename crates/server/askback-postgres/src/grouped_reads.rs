//! Reads single rows for many callers: those who ask while statements run share the next one.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use askback_store::store::StoreError;

/// Statements that run at the same time. More would leave fewer callers to share one.
const STATEMENTS_MAX: usize = 2;
/// Keys of one statement.
const KEYS_MAX: usize = 16;

/// Rows by their keys. A damaged row fails alone.
pub(super) type Found<K, V> = Vec<(K, Result<V, StoreError>)>;

/// Reads the rows of some keys, each of them once, with one statement.
type ReadMany<K, V> = dyn Fn(Vec<K>) -> ReadFuture<K, V> + Send + Sync;
type ReadFuture<K, V> = Pin<Box<dyn Future<Output = Result<Found<K, V>, StoreError>> + Send>>;

/// Reads rows by key.
pub(super) struct GroupedReads<K: Key, V: Value>(Arc<Inner<K, V>>);

/// What a row is found by.
pub(super) trait Key: Eq + Hash + Clone + Send + Sync + 'static {}
impl<K: Eq + Hash + Clone + Send + Sync + 'static> Key for K {}

/// A row that several callers may get.
pub(super) trait Value: Clone + Send + Sync + 'static {}
impl<V: Clone + Send + Sync + 'static> Value for V {}

struct Inner<K, V> {
    read: Box<ReadMany<K, V>>,
    queue: Mutex<Queue<K, V>>,
}

struct Queue<K, V> {
    running: usize,
    callers: Vec<Caller<K, V>>,
}

struct Caller<K, V> {
    key: K,
    sender: RowSender<V>,
}

type RowSender<V> = oneshot::Sender<Result<Option<V>, StoreError>>;

impl<K: Key, V: Value> GroupedReads<K, V> {
    pub(super) fn new<F>(read: impl Fn(Vec<K>) -> F + Send + Sync + 'static) -> GroupedReads<K, V>
    where
        F: Future<Output = Result<Found<K, V>, StoreError>> + Send + 'static,
    {
        let read = Box::new(move |keys| Box::pin(read(keys)) as ReadFuture<K, V>);
        let queue = Mutex::new(Queue {
            running: 0,
            callers: Vec::new(),
        });
        GroupedReads(Arc::new(Inner { read, queue }))
    }

    /// The row of a key, as it is at the time of the call or later.
    pub(super) async fn get(&self, key: K) -> Result<Option<V>, StoreError> {
        match self.join(&key) {
            Role::Reader(reader) => {
                let found = (reader.0.read)(vec![key]).await?;
                let row = found.into_iter().next().map(|(_, row)| row);
                row.transpose()
            }
            Role::Waiting(receiver) => {
                // A reader that panics or is shut down sends nothing.
                let gone = |_| Err(StoreError::Unavailable("a read has ended early".to_owned()));
                receiver.await.unwrap_or_else(gone)
            }
        }
    }

    /// Reads at once if a statement is free, and otherwise waits for one.
    fn join(&self, key: &K) -> Role<K, V> {
        let mut queue = self.0.queue.lock();
        if queue.running < STATEMENTS_MAX {
            queue.running += 1;
            return Role::Reader(Reader(Arc::clone(&self.0)));
        }
        let (sender, receiver) = oneshot::channel();
        let key = key.clone();
        queue.callers.push(Caller { key, sender });
        Role::Waiting(receiver)
    }
}

enum Role<K: Key, V: Value> {
    Reader(Reader<K, V>),
    Waiting(oneshot::Receiver<Result<Option<V>, StoreError>>),
}

/// The right to run a statement. When it ends, also because its caller is gone, it passes to those who
/// wait by then.
struct Reader<K: Key, V: Value>(Arc<Inner<K, V>>);

impl<K: Key, V: Value> Reader<K, V> {
    async fn read_for(self, callers: Vec<Caller<K, V>>) {
        let mut senders: HashMap<K, Vec<RowSender<V>>> = HashMap::new();
        for Caller { key, sender } in callers {
            senders.entry(key).or_default().push(sender);
        }
        let found = (self.0.read)(senders.keys().cloned().collect()).await;
        let missing = match found {
            Ok(found) => {
                for (key, row) in found {
                    send_all(senders.remove(&key).unwrap_or_default(), row.map(Some));
                }
                Ok(None)
            }
            Err(error) => Err(error),
        };
        send_all(senders.into_values().flatten().collect(), missing);
    }
}

fn send_all<V: Value>(mut senders: Vec<RowSender<V>>, row: Result<Option<V>, StoreError>) {
    let last = senders.pop();
    // A caller may be gone.
    for sender in senders {
        sender.send(row.clone()).ok();
    }
    if let Some(last) = last {
        last.send(row).ok();
    }
}

impl<K: Key, V: Value> Drop for Reader<K, V> {
    fn drop(&mut self) {
        let mut queue = self.0.queue.lock();
        let count = queue.callers.len().min(KEYS_MAX);
        let callers: Vec<_> = queue.callers.drain(..count).collect();
        if callers.is_empty() {
            queue.running -= 1;
            return;
        }
        drop(queue);
        let reading = Reader(Arc::clone(&self.0)).read_for(callers);
        // Without a runtime, or in one that shuts down, it is dropped: its callers are told, and so on until none is left.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(reading);
        }
    }
}

#[cfg(test)]
#[path = "grouped_reads_tests.rs"]
mod tests;
