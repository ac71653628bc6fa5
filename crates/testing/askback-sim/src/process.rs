//! A simulated process: while it is alive, its clock ticks and its store replies. When it dies, every call
//! that it has under way never returns, so nothing it does is seen any more.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use askback_engine::Clock;
use askback_engine::ports::PortFuture;
use askback_store::{Commit, CommitReceipt, NewJob, RemoteChange, RemoteChanges};
use jiff::Timestamp;
use tokio::sync::Notify;

use crate::lease::Lease;
use crate::memory_store::{Access, CallHooks, Fault, Tables};
use crate::world::World;

/// Long waits are cut into pieces, as by the real clock: a change of the wall clock is noticed this late.
const SLEEP_MAX: Duration = Duration::from_secs(2);

/// One life of a server.
pub(crate) struct Process {
    pub(crate) number: usize,
    pub(crate) world: Arc<World>,
    pub(crate) lease: Lease,
    changes: Mutex<Option<RemoteChanges>>,
    is_dead: AtomicBool,
    died: Notify,
}

impl Process {
    /// A process that lives until [`Process::die`].
    pub(crate) fn new(world: &Arc<World>, number: usize) -> Process {
        Process {
            lease: Lease::default(),
            changes: Mutex::new(world.subscribe(number)),
            number,
            world: Arc::clone(world),
            is_dead: AtomicBool::new(false),
            died: Notify::new(),
        }
    }

    /// Kills it. Its claims on jobs end; those of a shared database end with its lease.
    pub(crate) fn die(&self) {
        self.is_dead.store(true, Ordering::Relaxed);
        self.world.note_disturbance(Duration::ZERO);
        self.world.database.tables().end_process(self.number);
        self.world.unsubscribe(self.number);
        self.died.notify_waiters();
    }

    /// Tells its engine that something has changed.
    pub(crate) fn send(&self, change: RemoteChange) {
        self.world.send_to(self.number, change);
    }

    /// Whether it was killed.
    pub(crate) fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::Relaxed)
    }

    /// Completes when it dies.
    pub(crate) async fn died(&self) {
        let died = self.died.notified();
        tokio::pin!(died);
        died.as_mut().enable();
        if !self.is_dead() {
            died.await;
        }
    }

    /// Runs work of this process. It never completes after the process has died.
    pub(crate) async fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let done = work.await;
        if self.is_dead() {
            return std::future::pending().await;
        }
        done
    }

    /// A random delay: none, a few turns of other tasks, or some time.
    async fn delay(&self) {
        let profile = &self.world.profile;
        let (turns, ms) = {
            let mut rng = self.world.rng();
            let ms = rng.below(profile.store_delay_ms_max + 1);
            match rng.below(4) {
                0 => (0, 0),
                1 | 2 => (rng.within(1, 6), 0),
                _ => (rng.below(3), ms),
            }
        };
        let stall_ms = if self.world.draw_fault(profile.stalls) {
            let ms = self.world.rng().within(1_000, 40_000);
            self.world
                .trace("stalls", format_args!("p{} {ms} ms", self.number));
            self.world
                .note_disturbance(Duration::from_millis(ms as u64));
            ms
        } else {
            0
        };
        for _ in 0..turns {
            Turn(false).await;
        }
        if ms + stall_ms > 0 {
            tokio::time::sleep(Duration::from_millis((ms + stall_ms) as u64)).await;
        }
    }

    /// Dies in the middle of a commit, now and then.
    async fn crash_in(&self, call: &'static str) {
        if call == "commit" && self.world.draw_fault(self.world.profile.commit_crashes) {
            self.world
                .trace("crashes", format_args!("{} in a commit", self.number));
            self.die();
            std::future::pending::<()>().await;
        }
    }

    fn draw_store_fault(&self, access: Access) -> Fault {
        let (world, profile) = (&self.world, &self.world.profile);
        if world.is_outage() {
            return Fault::Unavailable;
        }
        match access {
            Access::Read if world.draw_fault(profile.read_faults) => Fault::Unavailable,
            Access::Write if world.draw_fault(profile.write_faults) => Fault::Unavailable,
            Access::Write if world.draw_fault(profile.unknown_writes) => {
                if world.rng().one_in(2) {
                    Fault::UnknownWritten
                } else {
                    Fault::UnknownNotWritten
                }
            }
            Access::Read | Access::Write => Fault::None,
        }
    }
}

impl CallHooks for Process {
    fn before(&self, call: &'static str, access: Access) -> PortFuture<'_, Fault> {
        Box::pin(async move {
            self.run(self.delay()).await;
            self.crash_in(call).await;
            let fault = self.draw_store_fault(access);
            self.world.count("store calls");
            if fault != Fault::None {
                self.world.note_disturbance(Duration::ZERO);
                let number = self.number;
                let line = format_args!("p{number} {call} {fault:?}").to_string();
                self.world.trace("store faults", line);
            }
            fault
        })
    }

    fn after(&self, call: &'static str) -> PortFuture<'_, ()> {
        Box::pin(async move {
            self.crash_in(call).await;
            self.run(self.delay()).await;
        })
    }

    fn committed(&self, tables: &Tables, commit: &Commit, receipt: &CommitReceipt) {
        let world = &self.world;
        let (number, id) = (self.number, &commit.conversation);
        let state = &commit.snapshot.state;
        let first = receipt.first_sequence;
        let line = format!(
            "p{number} {id} v{} {state} at {first}",
            commit.snapshot.version
        );
        world.trace("commits", line);
        let noted = world
            .checker()
            .note_commit(tables, commit, receipt, world.elapsed());
        if let Err(what) = noted.and_then(|()| world.checker().check_tables(tables)) {
            world.fail(what);
        }
        world.notify_others(number, &RemoteChange::Records(tables.newest()));
        let is_free = |job: &NewJob| !job.claim_at_once && job.timer_of.is_none();
        if commit.jobs.iter().any(is_free) {
            world.notify_others(number, &RemoteChange::Jobs);
        }
    }

    fn lease(&self) -> Option<&Lease> {
        self.world.is_shared().then_some(&self.lease)
    }

    fn remote_changes(&self) -> Option<RemoteChanges> {
        self.changes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn written(&self, tables: &Tables, call: &'static str) {
        let world = &self.world;
        let jobs = tables.jobs().count();
        let line = format!("p{} {call}, {jobs} jobs", self.number);
        world.trace("other writes", line);
        if let Err(what) = world.checker().check_tables(tables) {
            world.fail(what);
        }
    }
}

/// Lets the other tasks that are ready run once.
struct Turn(bool);

impl Future for Turn {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// The clock of a process.
pub(crate) struct ProcessClock(pub Arc<Process>);

impl Clock for ProcessClock {
    fn now(&self) -> Timestamp {
        // The clocks of two processes may differ by a minute.
        self.0.world.now() + self.0.world.profile.clock_skew * i32::from(self.0.number % 2 == 1)
    }

    fn sleep_until(&self, at: Timestamp) -> PortFuture<'_, ()> {
        Box::pin(self.0.run(async move {
            while !self.0.is_dead()
                && let Ok(left) = Duration::try_from(at.duration_since(self.now()))
                && !left.is_zero()
            {
                tokio::time::sleep(left.min(SLEEP_MAX)).await;
            }
        }))
    }

    fn sleep(&self, pause: Duration) -> PortFuture<'_, ()> {
        Box::pin(self.0.run(tokio::time::sleep(pause)))
    }

    fn elapsed(&self) -> Duration {
        self.0.world.elapsed()
    }

    fn seed(&self) -> u128 {
        // One decision draws a few ids, which count up from its seed.
        u128::from(self.0.world.next_id()) << 64
    }
}
