//! Starts engines, keeps them running, kills them, and disturbs what they run on.

use std::sync::Arc;
use std::time::Duration;

use askback_engine::{Engine, EngineParts, FeedLimits, start_retention};
use jiff::SignedDuration;

use crate::lease;
use crate::memory_store::MemoryStore;
use crate::ports::SimPorts;
use crate::process::{Process, ProcessClock};
use crate::world::{Node, World};

/// The longest change of the wall clock, in either direction.
const CLOCK_CHANGE_MS_MAX: usize = 3_600_000;

/// Runs an engine, and another one whenever it dies. Run it several times for several engines on one
/// database.
pub(crate) async fn keep_running(world: Arc<World>) {
    loop {
        let number = usize::try_from(world.next_id()).unwrap_or(0);
        let process = Arc::new(Process::new(&world, number));
        if let Some(engine) = start(&process).await {
            let node = Node {
                process: Arc::clone(&process),
                engine,
            };
            world.add_node(node);
            process.died().await;
            world.remove_node(number);
        }
        world.pause_up_to(3_000).await;
    }
}

/// Starts an engine. `None` if the store fails or the process is killed meanwhile.
async fn start(process: &Arc<Process>) -> Option<Engine> {
    let world = &process.world;
    world.trace("engine starts", process.number);
    let ports = Arc::new(SimPorts(Arc::clone(process)));
    let hooks = Arc::clone(process) as Arc<_>;
    let store = MemoryStore::with_hooks(&world.database, process.number, hooks);
    let engine = EngineParts {
        store: Arc::new(store),
        llm: Arc::clone(&ports) as Arc<_>,
        tools: Arc::clone(&ports) as Arc<_>,
        apps: Arc::clone(&ports) as Arc<_>,
        webhooks: ports,
        clock: Arc::new(ProcessClock(Arc::clone(process))),
        node: None,
    };
    let limits = FeedLimits {
        records: world.profile.feed_records,
        ..FeedLimits::default()
    };
    let is_shared = world.is_shared();
    let starting = async {
        if is_shared && !lease::register(process).await {
            return None;
        }
        Engine::start_with_limits(engine, limits).await.ok()
    };
    let started = tokio::select! {
        biased;
        () = process.died() => None,
        started = starting => started,
    };
    if started.is_some() && is_shared {
        tokio::spawn(lease::keep(Arc::clone(process)));
    }
    if let (Some(engine), Some(seconds)) = (&started, world.profile.retention_s) {
        start_retention(engine, SignedDuration::from_secs(seconds as i64));
    }
    started
}

/// Kills engines now and then, most of the time without warning.
pub(crate) async fn crash(world: Arc<World>) {
    let Some(every_s) = world.profile.crash_every_s else {
        return;
    };
    loop {
        world.pause_up_to(2_000 * every_s).await;
        if world.is_calm() {
            return;
        }
        let Some(node) = world.pick_node() else {
            continue;
        };
        world.note_disturbance(Duration::ZERO);
        let is_graceful = world.rng().one_in(5);
        if is_graceful {
            world.trace("shutdowns", node.process.number);
            world.remove_node(node.process.number);
            let limit = Duration::from_secs(10);
            let is_in_time = tokio::time::timeout(limit, node.engine.shut_down()).await;
            world.trace("shutdown ends", is_in_time.is_ok());
            lease::leave(&node.process);
        } else {
            world.trace("crashes", node.process.number);
        }
        node.process.die();
    }
}

/// Sets the wall clock now and then.
pub(crate) async fn change_clock(world: Arc<World>) {
    let Some(every_s) = world.profile.clock_change_every_s else {
        return;
    };
    loop {
        world.pause_up_to(2_000 * every_s).await;
        if world.is_calm() {
            return;
        }
        let by = {
            let mut rng = world.rng();
            let max = rng.pick(&[2_000, 60_000, CLOCK_CHANGE_MS_MAX]);
            let by = rng.below(max) as i64;
            if rng.one_in(2) { -by } else { by }
        };
        world.set_clock(by);
        world.trace("clock changes", by);
    }
}

/// Takes the disk away now and then.
pub(crate) async fn interrupt_store(world: Arc<World>) {
    let Some(every_s) = world.profile.outage_every_s else {
        return;
    };
    loop {
        world.pause_up_to(2_000 * every_s).await;
        if world.is_calm() {
            return;
        }
        let ms = world.rng().within(10, 20_000);
        world.start_outage(Duration::from_millis(ms as u64));
        world.trace("outages", ms);
    }
}
