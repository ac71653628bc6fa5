//! What all parts of a simulation share: the random numbers, the time, the disk, the processes, the trace
//! and what is known to be true.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askback_engine::Engine;
use askback_store::{RemoteChange, RemoteChanges};
use askback_testkit::rng::Rng;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use crate::invariant_checker::InvariantChecker;
use crate::memory_store::Database;
use crate::process::Process;
use crate::profile::Profile;
use crate::simulate::{PlantedBug, SimOptions};

/// Where the wall clock starts, in seconds: 2026-01-01.
const EPOCH: i64 = 1_767_225_600;

/// How much was simulated.
pub type Figures = BTreeMap<&'static str, u64>;

/// A running engine and the process that it runs in. There may be several on one database.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) process: Arc<Process>,
    pub(crate) engine: Engine,
}

/// One simulated world.
pub(crate) struct World {
    pub(crate) profile: Profile,
    pub(crate) database: Arc<Database>,
    rng: Mutex<Rng>,
    started: Instant,
    /// By how much the wall clock was set.
    clock_offset_ms: AtomicI64,
    ids: AtomicU64,
    /// Set when nothing fails any more.
    is_calm: AtomicBool,
    /// All calls of the store fail until then, in milliseconds since the start.
    outage_until_ms: AtomicU64,
    /// Something fails or stalls until then, in milliseconds since the start.
    disturbed_until_ms: AtomicU64,
    /// No client begins anything until then, in milliseconds since the start.
    quiet_until_ms: AtomicU64,
    nodes: Mutex<Vec<Node>>,
    /// Several processes use the database at the same time.
    is_shared: bool,
    /// Those that get hints of what others do, by the number of their process.
    subscribers: Mutex<BTreeMap<usize, mpsc::UnboundedSender<RemoteChange>>>,
    pub(crate) planted: Option<PlantedBug>,
    checker: Mutex<InvariantChecker>,
    trace: Mutex<Trace>,
    figures: Mutex<Figures>,
    violation: Mutex<Option<String>>,
    /// Wakes the main loop after a violation.
    pub(crate) failed: Notify,
}

struct Trace {
    hash: DefaultHasher,
    lines: Option<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    /// An empty world. Must be called inside the runtime, whose time it uses.
    pub(crate) fn new(options: &SimOptions) -> World {
        let seed = options.seed;
        let mut rng = Rng::for_case(seed, 0);
        let mut profile = Profile::draw(&mut rng);
        if options.nodes > 1 {
            profile.draw_sharing(&mut Rng::for_case(seed, 1));
        }
        let mut checker = InvariantChecker::default();
        checker.has_steady_clock =
            profile.clock_change_every_s.is_none() && profile.clock_skew.is_zero();
        World {
            profile,
            database: Arc::default(),
            rng: Mutex::new(rng),
            started: Instant::now(),
            clock_offset_ms: AtomicI64::new(0),
            ids: AtomicU64::new(0),
            is_calm: AtomicBool::new(false),
            outage_until_ms: AtomicU64::new(0),
            disturbed_until_ms: AtomicU64::new(0),
            quiet_until_ms: AtomicU64::new(0),
            nodes: Mutex::default(),
            is_shared: options.nodes > 1,
            subscribers: Mutex::default(),
            planted: options.planted,
            checker: Mutex::new(checker),
            trace: Mutex::new(Trace {
                hash: DefaultHasher::new(),
                lines: options.keep_trace.then(Vec::new),
            }),
            figures: Mutex::default(),
            violation: Mutex::default(),
            failed: Notify::new(),
        }
    }

    /// The one source of random numbers.
    pub(crate) fn rng(&self) -> MutexGuard<'_, Rng> {
        lock(&self.rng)
    }

    /// What is known to be true. Lock the tables before it, if both are needed.
    pub(crate) fn checker(&self) -> MutexGuard<'_, InvariantChecker> {
        lock(&self.checker)
    }

    /// Monotonic time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The wall clock, which may have been set.
    pub(crate) fn now(&self) -> Timestamp {
        let elapsed = i64::try_from(self.elapsed().as_millis()).unwrap_or(0);
        let offset = elapsed + self.clock_offset_ms.load(Ordering::Relaxed);
        Timestamp::from_second(EPOCH).unwrap_or(Timestamp::UNIX_EPOCH)
            + SignedDuration::from_millis(offset)
    }

    /// Sets the wall clock forward, or back if negative.
    pub(crate) fn set_clock(&self, by_ms: i64) {
        self.clock_offset_ms.fetch_add(by_ms, Ordering::Relaxed);
    }

    /// A number that nothing else in this world has.
    pub(crate) fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether faults have ended.
    pub(crate) fn is_calm(&self) -> bool {
        self.is_calm.load(Ordering::Relaxed)
    }

    /// Ends all faults.
    pub(crate) fn calm_down(&self) {
        self.is_calm.store(true, Ordering::Relaxed);
    }

    /// Whether the disk is away.
    pub(crate) fn is_outage(&self) -> bool {
        let until = self.outage_until_ms.load(Ordering::Relaxed);
        !self.is_calm() && self.elapsed() < Duration::from_millis(until)
    }

    /// Takes the disk away for a while.
    pub(crate) fn start_outage(&self, pause: Duration) {
        let until = self.millis_after(pause);
        self.outage_until_ms.store(until, Ordering::Relaxed);
        self.note_disturbance(pause);
    }

    fn millis_after(&self, pause: Duration) -> u64 {
        u64::try_from((self.elapsed() + pause).as_millis()).unwrap_or(u64::MAX)
    }

    /// Something has failed, or stalls for a while, so that everybody may be late.
    pub(crate) fn note_disturbance(&self, pause: Duration) {
        let until = self.millis_after(pause);
        self.disturbed_until_ms.fetch_max(until, Ordering::Relaxed);
    }

    /// When the last disturbance ends or has ended, since the start.
    pub(crate) fn disturbed_until(&self) -> Duration {
        Duration::from_millis(self.disturbed_until_ms.load(Ordering::Relaxed))
    }

    /// Lets no client begin anything for a while.
    pub(crate) fn start_quiet(&self, pause: Duration) {
        let until = self.millis_after(pause);
        self.quiet_until_ms.store(until, Ordering::Relaxed);
    }

    /// Waits until clients may begin something.
    pub(crate) async fn wait_while_quiet(&self) {
        while !self.is_calm() {
            let until = Duration::from_millis(self.quiet_until_ms.load(Ordering::Relaxed));
            let left = until.saturating_sub(self.elapsed());
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }

    /// A fault with this rate in thousandths; never once it is calm.
    pub(crate) fn draw_fault(&self, rate: usize) -> bool {
        let drawn = self.rng().below(1_000) < rate;
        drawn && !self.is_calm()
    }

    /// Adds a running engine.
    pub(crate) fn add_node(&self, node: Node) {
        lock(&self.nodes).push(node);
    }

    /// Takes a node out of service.
    pub(crate) fn remove_node(&self, process: usize) -> Option<Node> {
        let mut nodes = lock(&self.nodes);
        let at = nodes.iter().position(|node| node.process.number == process);
        at.map(|at| nodes.remove(at))
    }

    /// Whether several processes use the database at the same time.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The hints for a process. `None` if it has the database for itself.
    pub(crate) fn subscribe(&self, process: usize) -> Option<RemoteChanges> {
        if !self.is_shared {
            return None;
        }
        let (sender, receiver) = mpsc::unbounded_channel();
        lock(&self.subscribers).insert(process, sender);
        Some(receiver)
    }

    pub(crate) fn unsubscribe(&self, process: usize) {
        lock(&self.subscribers).remove(&process);
    }

    /// Tells a process of a change.
    pub(crate) fn send_to(&self, process: usize, change: RemoteChange) {
        if let Some(sender) = lock(&self.subscribers).get(&process) {
            // Its engine has stopped.
            sender.send(change).ok();
        }
    }

    /// Tells all other processes of a change, sooner or later. Some are not told.
    pub(crate) fn notify_others(&self, process: usize, change: &RemoteChange) {
        let others: Vec<_> = {
            let subscribers = lock(&self.subscribers);
            let others = subscribers.iter().filter(|(other, _)| **other != process);
            others
                .map(|(other, sender)| (*other, sender.clone()))
                .collect()
        };
        for (other, sender) in others {
            if self.draw_fault(self.profile.lost_hints) {
                self.trace("lost hints", format_args!("p{other} {change:?}"));
                self.reconnect(sender);
                continue;
            }
            let ms = self.rng().below(60) as u64;
            let change = change.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                sender.send(change).ok();
            });
        }
    }

    /// A hint is lost only with the connection of the listener, which connects again and then asks for
    /// what it may have missed.
    fn reconnect(&self, sender: mpsc::UnboundedSender<RemoteChange>) {
        if self.planted == Some(PlantedBug::NoCatchUp) {
            return;
        }
        let ms = self.rng().within(500, 3_000) as u64;
        let database = Arc::clone(&self.database);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            let newest = database.tables().newest();
            sender.send(RemoteChange::Records(newest)).ok();
            sender.send(RemoteChange::Jobs).ok();
        });
    }

    /// One of the running engines, if there is one.
    pub(crate) fn pick_node(&self) -> Option<Node> {
        let nodes = lock(&self.nodes);
        if nodes.is_empty() {
            return None;
        }
        let at = self.rng().below(nodes.len());
        nodes.get(at).cloned()
    }

    /// Waits until an engine runs.
    pub(crate) async fn node(&self) -> Node {
        loop {
            if let Some(node) = self.pick_node() {
                return node;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// A pause of a client.
    pub(crate) async fn pause_up_to(&self, ms_max: usize) {
        let ms = self.rng().below(ms_max + 1);
        tokio::time::sleep(Duration::from_millis(ms as u64)).await;
    }

    /// Adds a line to the trace, and counts it.
    pub(crate) fn trace(&self, figure: &'static str, line: impl Display) {
        self.count(figure);
        let mut trace = lock(&self.trace);
        let line = format!("{:>10.3} {figure} {line}", self.elapsed().as_secs_f64());
        trace.hash.write(line.as_bytes());
        if let Some(lines) = &mut trace.lines {
            lines.push(line);
        }
    }

    /// Counts something.
    pub(crate) fn count(&self, figure: &'static str) {
        *lock(&self.figures).entry(figure).or_default() += 1;
    }

    /// Something happened that must not happen. Only the first is kept.
    pub(crate) fn fail(&self, what: impl Display) {
        let what = what.to_string();
        self.trace("violations", &what);
        lock(&self.violation).get_or_insert(what);
        self.failed.notify_one();
    }

    /// Fails unless `holds`.
    pub(crate) fn check(&self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.fail(what());
        }
    }

    /// The first violation.
    pub(crate) fn violation(&self) -> Option<String> {
        lock(&self.violation).clone()
    }

    /// The hash of the trace, and its lines if they were kept.
    pub(crate) fn take_trace(&self) -> (u64, Vec<String>) {
        let mut trace = lock(&self.trace);
        let lines = trace.lines.take().unwrap_or_default();
        (trace.hash.finish(), lines)
    }

    /// What was counted.
    pub(crate) fn take_figures(&self) -> Figures {
        std::mem::take(&mut lock(&self.figures))
    }
}
