//! The lease of this node. The claims of a node are valid as long as its lease, which it renews; another
//! node removes it after its end, which frees the jobs. Times are those of the database, so the clocks
//! of the nodes do not matter. A node that cannot renew its lease stops acting before its end.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use crate::postgres::connection::Sql;
use crate::postgres::jobs;
use crate::postgres::pool::Pool;
use crate::postgres::remote::{CHANNEL, Message};
use crate::postgres::shared::{Lease, Shared};
use crate::postgres::sql_values::{Columns, Text};
use crate::remote_changes::RemoteChange;
use crate::store::StoreError;

const REGISTER: Sql = Sql {
    text: "INSERT INTO askback.nodes (id, name, lease_until)
           VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
           RETURNING (SELECT sequence FROM askback.counters)",
    types: &[Type::INT8, Type::TEXT, Type::INT8],
};

/// Returns the newest sequence number as well, for the case that a notification was lost.
const RENEW: Sql = Sql {
    text: "UPDATE askback.nodes
           SET lease_until = clock_timestamp() + $2 * interval '1 millisecond'
           WHERE id = $1
           RETURNING (SELECT sequence FROM askback.counters)",
    types: &[Type::INT8, Type::INT8],
};

const REMOVE: Sql = Sql {
    text: "DELETE FROM askback.nodes WHERE id = $1",
    types: &[Type::INT8],
};

const REMOVE_ENDED: Sql = Sql {
    text: "DELETE FROM askback.nodes WHERE lease_until < clock_timestamp()",
    types: &[],
};

const NOTIFY: Sql = Sql {
    text: "SELECT pg_notify($1, $2)",
    types: &[Type::TEXT, Type::TEXT],
};

pub(super) struct Node {
    pub(super) pool: Arc<Pool>,
    pub(super) shared: Arc<Shared>,
    pub(super) lease: Duration,
}

impl Node {
    /// Registers this node under a new id.
    pub(super) async fn register(&self) -> Result<(), StoreError> {
        let started = Instant::now();
        let id = random_id();
        let name = format!("{} process {}", host_name(), std::process::id());
        let lease = millis(self.lease);
        let name = Text(&name);
        let rows = self
            .pool
            .change_returning(&REGISTER, &[&id, &name, &lease])
            .await?;
        self.renewed(id, started);
        self.report_newest(&rows)
    }

    /// Renews the lease until the store is closed, then gives it up.
    pub(super) async fn run(self, mut closed: watch::Receiver<bool>) {
        while sleep_unless_closed(self.lease / 3, &mut closed).await {
            while !self.keep().await {
                if !sleep_unless_closed(self.lease / 12, &mut closed).await {
                    break;
                }
            }
        }
        if let Err(error) = self.leave().await {
            tracing::warn!(%error, "cannot hand over jobs; other nodes take them when the lease ends");
        }
    }

    /// Renews the lease, or gets a new one after it was lost. False if it has to be tried again soon.
    async fn keep(&self) -> bool {
        let kept = if let Some(lease) = self.shared.lease() {
            // A connection that hangs must not keep this node from noticing that its time is over.
            let renewing = self.renew(lease.node);
            match tokio::time::timeout_at(lease.act_until, renewing).await {
                Ok(Ok(true)) => Ok(()),
                Ok(Err(error)) if Instant::now() < lease.act_until => Err(error),
                Ok(Ok(false) | Err(_)) | Err(_) => {
                    self.lose();
                    return false;
                }
            }
        } else {
            let registered = self.register().await;
            if registered.is_ok() {
                self.shared.send(RemoteChange::Jobs);
            }
            registered
        };
        if let Err(error) = &kept {
            tracing::warn!(%error, "cannot renew the lease of this node; will retry");
        }
        kept.is_ok()
    }

    /// False if the lease was taken away.
    async fn renew(&self, id: i64) -> Result<bool, StoreError> {
        let started = Instant::now();
        let lease = millis(self.lease);
        let rows = self.pool.change_returning(&RENEW, &[&id, &lease]).await?;
        if rows.is_empty() {
            return Ok(false);
        }
        self.renewed(id, started);
        self.report_newest(&rows)?;
        jobs::write_abandoned(&self.pool, (&self.shared.claims, id)).await?;
        self.remove_ended(id).await?;
        Ok(true)
    }

    /// Removes nodes whose lease has ended, and tells everybody that their jobs are free.
    async fn remove_ended(&self, id: i64) -> Result<(), StoreError> {
        let removed = self.pool.change(&REMOVE_ENDED, &[]).await?;
        if removed > 0 {
            tracing::info!(removed, "took over the jobs of nodes whose lease has ended");
            self.shared.send(RemoteChange::Jobs);
            self.notify(&Message::JobsFreed { node: id }).await?;
        }
        Ok(())
    }

    async fn notify(&self, message: &Message) -> Result<(), StoreError> {
        let payload = message.to_string();
        self.pool
            .change_returning(&NOTIFY, &[&CHANNEL, &payload.as_str()])
            .await
            .map(drop)
    }

    /// Others may have the jobs by now: nothing here may act on them any more.
    fn lose(&self) {
        tracing::warn!("this node has lost its lease; other nodes may run its jobs");
        self.shared.set_lease(None);
        self.shared.claims.clear();
        self.shared.send(RemoteChange::ClaimsLost);
    }

    /// Frees all claims at once.
    async fn leave(&self) -> Result<(), StoreError> {
        let Some(id) = self.shared.node() else {
            return Ok(());
        };
        self.shared.set_lease(None);
        self.pool.change(&REMOVE, &[&id]).await?;
        self.notify(&Message::JobsFreed { node: id }).await
    }

    fn renewed(&self, node: i64, started: Instant) {
        self.shared.set_lease(Some(Lease {
            node,
            act_until: started + self.lease * 2 / 3,
        }));
    }

    fn report_newest(&self, rows: &[Row]) -> Result<(), StoreError> {
        if let Some(row) = rows.first() {
            let newest = Columns::of(row).unsigned()?;
            self.shared.send(RemoteChange::Records(newest));
        }
        Ok(())
    }
}

/// False as soon as the store is closed.
async fn sleep_unless_closed(pause: Duration, closed: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        biased;
        // An error means that the store is gone.
        _ = closed.wait_for(|is_closed| *is_closed) => false,
        () = tokio::time::sleep(pause) => true,
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Positive, and never the same twice: the random keys of a new hasher.
pub(super) fn random_id() -> i64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    (hasher.finish() >> 1).cast_signed()
}

fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
    name.map_or_else(|_| "node".to_owned(), |name| name.trim().to_owned())
}
