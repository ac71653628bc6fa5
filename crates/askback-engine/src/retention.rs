//! Deletes what ended long ago, where that is wanted.

use std::time::Duration;

use jiff::SignedDuration;

use crate::engine::Engine;

/// How often to look; what ended a little earlier does not matter.
const PAUSE: Duration = Duration::from_hours(1);
/// Conversations deleted at once, so that nobody else waits long for the store.
const BATCH: usize = 100;

impl Engine {
    /// Deletes conversations that ended longer than `keep` ago, now and from time to time, until
    /// the engine stops. What waits or works is never deleted.
    pub fn keep_for(&self, keep: SignedDuration) {
        let engine = self.clone();
        tokio::spawn(async move {
            loop {
                engine.prune(keep).await;
                if !engine.pause(PAUSE).await {
                    return;
                }
            }
        });
    }

    async fn prune(&self, keep: SignedDuration) {
        let Ok(before) = self.clock().now().checked_sub(keep) else {
            return;
        };
        loop {
            match self.store().prune(before, BATCH).await {
                Ok(pruned) => {
                    if pruned > 0 {
                        tracing::info!(pruned, "deleted conversations that ended long ago");
                    }
                    if pruned < BATCH {
                        return;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot delete what ended long ago; trying again later");
                    return;
                }
            }
        }
    }
}
