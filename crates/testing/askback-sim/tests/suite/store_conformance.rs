//! Goal: the store in memory behaves like every other store, so that what the simulation finds is about
//! the engine.

use std::sync::Arc;

use askback_sim::memory_store::{Database, MemoryStore};
use askback_store::{Store, StoreFuture};
use askback_store_testing::TestDatabase;

struct Memory(Arc<Database>);

impl Memory {
    fn new() -> Memory {
        Memory(Arc::default())
    }
}

impl TestDatabase for Memory {
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::open(&self.0, 0));
        Box::pin(std::future::ready(Ok(store)))
    }
}

askback_store_testing::store_conformance!(super::Memory::new());
