//! The lease of this node. The claims of a node are valid as long as its lease, which it renews; another
//! node removes it after its end, which frees the jobs. Times are those of the database, so the clocks
//! of the nodes do not matter. A node that cannot renew its lease stops acting before its end.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_postgres::Row;

use crate::connection::Parameters;
use crate::jobs;
use crate::options::NodeIdentity;
use crate::pool::Pool;
use crate::remote::{CHANNEL, Message};
use crate::shared::{Lease, Shared};
use crate::sql_values::{Columns, Text};
use askback_store::RemoteChange;
use askback_store::store::StoreError;

const REGISTER: &str = "INSERT INTO askback.nodes (id, name, lease_until, token_id)
     VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond', $4)
     RETURNING (SELECT sequence FROM askback.counters),
         (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

const WITH_OTHER_TOKENS: &str = "SELECT DISTINCT name FROM askback.nodes
     WHERE lease_until > clock_timestamp() AND token_id <> $1
     ORDER BY name";

/// Returns the newest sequence number as well, for the case that a notification was lost, and the time.
const RENEW: &str = "UPDATE askback.nodes
     SET lease_until = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE id = $1
     RETURNING (SELECT sequence FROM askback.counters),
         (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// Tells everybody in the same transaction: jobs that become free without a word would wait for the next
/// change.
const REMOVE: &str = "WITH removed AS (DELETE FROM askback.nodes WHERE id = $3 RETURNING id)
     SELECT pg_notify($1, $2) FROM removed";

const REMOVE_ENDED: &str = "WITH removed AS (
         DELETE FROM askback.nodes WHERE lease_until < clock_timestamp() RETURNING id
     )
     SELECT pg_notify($1, $2) FROM removed";

/// A request that takes longer says too little about the time.
const MEASUREMENT_MAX: Duration = Duration::from_millis(500);

/// How long a process that stops tries to hand over its jobs.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) struct Node {
    pub(super) pool: Arc<Pool>,
    pub(super) shared: Arc<Shared>,
    pub(super) lease: Duration,
    pub(super) identity: NodeIdentity,
}

/// The names of running nodes whose server has another token.
pub(super) async fn with_other_tokens(
    pool: &Pool,
    token_id: &[u8],
) -> Result<Vec<String>, StoreError> {
    let rows = pool.query(WITH_OTHER_TOKENS, &[&token_id]).await?;
    rows.iter().map(|row| Columns::of(row).get()).collect()
}

impl Node {
    /// Registers this node under a new id.
    pub(super) async fn register(&self) -> Result<(), StoreError> {
        let started = Instant::now();
        let id = random_id();
        let name = self.identity.name.clone().unwrap_or_else(host_name);
        let name = format!("{name} process {}", std::process::id());
        let token_id = self.identity.token_id.as_ref().map(|id| &id[..]);
        let lease = millis(self.lease);
        let name = Text(&name);
        let rows = self
            .pool
            .change_returning(REGISTER, &[&id, &name, &lease, &token_id])
            .await?;
        self.renewed(id, started);
        self.report(&rows, started)
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
        let leaving = tokio::time::timeout(LEAVE_TIMEOUT, self.leave());
        if let Err(error) = leaving.await.unwrap_or_else(|_| Err(no_response())) {
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
                Ok(Ok(false)) => {
                    self.lose();
                    return false;
                }
                Ok(Err(_)) | Err(_) => {
                    self.lose();
                    self.shared.connections.end_all();
                    return false;
                }
            }
        } else {
            let registering = tokio::time::timeout(self.lease, self.register());
            let registered = registering.await.unwrap_or_else(|_| Err(no_response()));
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
        let rows = self.pool.change_returning(RENEW, &[&id, &lease]).await?;
        if rows.is_empty() {
            return Ok(false);
        }
        self.renewed(id, started);
        self.report(&rows, started)?;
        let claims = (&self.shared.claims, id);
        if jobs::abandon_unknown(&self.pool, claims).await? > 0 {
            self.shared.send(RemoteChange::Jobs);
        }
        jobs::write_abandoned(&self.pool, claims).await?;
        self.remove_ended(id).await?;
        Ok(true)
    }

    /// Removes nodes whose lease has ended, and tells everybody that their jobs are free.
    async fn remove_ended(&self, id: i64) -> Result<(), StoreError> {
        let message = Message::JobsFreed { node: id }.to_string();
        let parameters: Parameters<'_> = &[&CHANNEL, &message];
        let removed = self.pool.change_returning(REMOVE_ENDED, parameters).await?;
        if !removed.is_empty() {
            let removed = removed.len();
            tracing::info!(removed, "took over the jobs of nodes whose lease has ended");
            self.shared.send(RemoteChange::Jobs);
        }
        Ok(())
    }

    /// Others may have the jobs by now: nothing here may act on them any more.
    fn lose(&self) {
        tracing::warn!("this node has lost its lease; other nodes may run its jobs");
        self.shared.set_lease(None);
        self.shared.claims.held.lock().clear();
        self.shared.send(RemoteChange::ClaimsLost);
    }

    /// Frees all claims at once.
    async fn leave(&self) -> Result<(), StoreError> {
        let Some(id) = self.shared.node() else {
            return Ok(());
        };
        self.shared.set_lease(None);
        let message = Message::JobsFreed { node: id }.to_string();
        let parameters: Parameters<'_> = &[&CHANNEL, &message, &id];
        self.pool
            .change_returning(REMOVE, parameters)
            .await
            .map(drop)
    }

    fn renewed(&self, node: i64, started: Instant) {
        self.shared.set_lease(Some(Lease {
            node,
            act_until: started + self.lease * 2 / 3,
        }));
    }

    /// Passes on the newest sequence number, and compares the clocks.
    fn report(&self, rows: &[Row], started: Instant) -> Result<(), StoreError> {
        if let Some(row) = rows.first() {
            let mut columns = Columns::of(row);
            let newest = columns.unsigned()?;
            self.shared.send(RemoteChange::Records(newest));
            let database: i64 = columns.get()?;
            let took = started.elapsed();
            if took < MEASUREMENT_MAX {
                let half = i64::try_from(took.as_micros() / 2).unwrap_or_default();
                let here = Timestamp::now().as_microsecond() - half;
                self.shared.clock_offset.measured(database - here);
            }
        }
        Ok(())
    }
}

/// False as soon as the store is closed.
pub(super) async fn sleep_unless_closed(
    pause: Duration,
    closed: &mut watch::Receiver<bool>,
) -> bool {
    tokio::select! {
        biased;
        // An error means that the store is gone.
        _ = closed.wait_for(|is_closed| *is_closed) => false,
        () = tokio::time::sleep(pause) => true,
    }
}

fn no_response() -> StoreError {
    StoreError::Unavailable("PostgreSQL does not respond".to_owned())
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
