//! Deletes conversations that ended long ago, if the settings ask for it.

use std::time::Duration;

use jiff::SignedDuration;

use crate::engine::Engine;

const INTERVAL: Duration = Duration::from_hours(1);
/// Conversations deleted in one transaction. Small, so that other writes do not wait long.
const BATCH: usize = 100;

impl Engine {
    /// Deletes conversations that ended longer than `keep` ago, now and every hour, until the engine
    /// stops. Conversations with pending inquiries or unfinished work are never deleted.
    pub fn start_retention(&self, keep: SignedDuration) {
        let engine = self.clone();
        tokio::spawn(async move {
            loop {
                engine.prune(keep).await;
                if !engine.sleep_unless_stopping(INTERVAL).await {
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
                        tracing::info!(pruned, "deleted old conversations");
                    }
                    if pruned < BATCH {
                        return;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot delete old conversations; will retry in an hour");
                    return;
                }
            }
        }
    }
}
