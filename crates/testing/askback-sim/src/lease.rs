//! The lease of a process on a database that several processes share, as the PostgreSQL store has it: its
//! claims are worth as much as its lease, which it renews, and it stops acting before the lease ends.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askback_store::RemoteChange;
use tokio::time::Instant;

use crate::memory_store::{Access, CallHooks as _, Fault};
use crate::process::Process;
use crate::simulate::PlantedBug;

const LEASE: Duration = Duration::from_secs(15);
const ACT_FOR: Duration = Duration::from_secs(10);
const RENEW_EVERY: Duration = Duration::from_secs(5);
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// How much a bug takes from the leases of others.
const TAKEN_EARLY_BY: Duration = Duration::from_secs(12);

/// The right of a process to act on its claims.
#[derive(Debug, Default)]
pub(crate) struct Lease(Mutex<Option<Held>>);

#[derive(Debug, Clone, Copy)]
struct Held {
    node: usize,
    act_until: Instant,
}

impl Lease {
    fn held(&self) -> Option<Held> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, held: Option<Held>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    /// Whose claims are ours, whether or not we may act on them.
    pub(crate) fn registered_node(&self) -> Option<usize> {
        self.held().map(|held| held.node)
    }

    /// Whose claims are ours, while we may act on them.
    pub(crate) fn node(&self) -> Option<usize> {
        let held = self.held().filter(|held| Instant::now() < held.act_until);
        held.map(|held| held.node)
    }
}

/// Gets a lease for a process that starts. False if the store fails.
pub(crate) async fn register(process: &Process) -> bool {
    let started = Instant::now();
    let is_written = process.before("register", Access::Write).await == Fault::None;
    let node = is_written.then(|| {
        let node = usize::try_from(process.world.next_id()).unwrap_or(0);
        let until = process.world.elapsed() + LEASE;
        process.world.database.tables().set_lease(node, until);
        node
    });
    process.after("register").await;
    // The process knows of it only when the store replies.
    process.lease.set(node.map(|node| Held {
        node,
        act_until: started + ACT_FOR,
    }));
    is_written
}

/// Renews the lease of a process until it dies.
pub(crate) async fn keep(process: Arc<Process>) {
    loop {
        tokio::time::sleep(RENEW_EVERY).await;
        while !keep_once(&process).await {
            tokio::time::sleep(RETRY_DELAY).await;
        }
        if process.is_dead() {
            return;
        }
    }
}

/// False if it has to be tried again soon.
async fn keep_once(process: &Process) -> bool {
    let Some(held) = process.lease.held() else {
        let is_registered = register(process).await;
        if is_registered {
            process.send(RemoteChange::Jobs);
        }
        return is_registered;
    };
    let renewed = tokio::time::timeout_at(held.act_until, renew(process, held)).await;
    match renewed {
        Ok(Renewal::Renewed) => true,
        Ok(Renewal::Failed) if Instant::now() < held.act_until => false,
        Ok(Renewal::Lost | Renewal::Failed) | Err(_) => {
            process.world.trace("lost leases", process.number);
            process.world.note_disturbance(Duration::ZERO);
            process.lease.set(None);
            if process.world.planted != Some(PlantedBug::KeepsActing) {
                process.send(RemoteChange::ClaimsLost);
            }
            false
        }
    }
}

enum Renewal {
    Renewed,
    Lost,
    Failed,
}

async fn renew(process: &Process, held: Held) -> Renewal {
    let started = Instant::now();
    let world = &process.world;
    let is_written = process.before("renew", Access::Write).await == Fault::None;
    let mut renewal = Renewal::Failed;
    if is_written {
        let mut tables = world.database.tables();
        let now = world.elapsed();
        renewal = Renewal::Lost;
        if tables.has_lease(held.node) {
            tables.set_lease(held.node, now + LEASE);
            renewal = Renewal::Renewed;
        }
        let grace = if world.planted == Some(PlantedBug::EarlyTakeover) {
            TAKEN_EARLY_BY
        } else {
            Duration::ZERO
        };
        let ended = tables.end_leases(now + grace, held.node);
        drop(tables);
        for node in ended {
            world.trace("ended leases", node);
            process.send(RemoteChange::Jobs);
            world.notify_others(process.number, &RemoteChange::Jobs);
        }
    }
    process.after("renew").await;
    if matches!(renewal, Renewal::Renewed) {
        process.lease.set(Some(Held {
            act_until: started + ACT_FOR,
            ..held
        }));
        if world.planted != Some(PlantedBug::NoCatchUp) {
            let newest = world.database.tables().newest();
            process.send(RemoteChange::Records(newest));
        }
    }
    renewal
}

/// Gives the lease up: others can claim the jobs at once.
pub(crate) fn leave(process: &Process) {
    if let Some(held) = process.lease.held() {
        process.lease.set(None);
        process.world.database.tables().end_lease(held.node);
        process
            .world
            .notify_others(process.number, &RemoteChange::Jobs);
    }
}
