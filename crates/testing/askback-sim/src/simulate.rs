//! One simulation: faults and clients for a while, then calm, in which everything must come to its end.

use std::cell::RefCell;
use std::sync::{Arc, Once};
use std::time::Duration;

use askback_core::conversation::Conversation;
use askback_core::conversation::event::Event;
use askback_core::id::{ConversationId, InquiryId};
use jiff::SignedDuration;
use tokio::task::JoinSet;

use crate::clients::{
    asker, chat_user, drafter, feed_reader, long_poller, request, respondent, successor,
};
use crate::freshness;
use crate::invariant_checker::WaitingPoll;
use crate::memory_store::Tables;
use crate::node;
use crate::ports::SIMULATED_PANIC;
use crate::world::{Figures, World};

/// How long clients act at most, in simulated time.
const FAULTS_MAX: Duration = Duration::from_mins(20);
/// How long it may take until nothing is left to do. A retry after a clock change may be an hour away.
const CALM_MAX: Duration = Duration::from_hours(8);
const STEP: Duration = Duration::from_secs(5);
/// Inquiries with a deadline that is nearer are left to expire.
const EXPIRES_SOON: SignedDuration = SignedDuration::from_mins(10);

/// The result of one seed.
#[derive(Debug)]
pub struct Report {
    /// The seed, which gives the same report again.
    pub seed: u64,
    /// The first thing that must not happen, if anything did.
    pub violation: Option<String>,
    /// The same for every run of a seed.
    pub trace_hash: u64,
    /// Empty unless it was asked for.
    pub trace: Vec<String>,
    /// How much was simulated.
    pub figures: Figures,
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Panics of the engine's tasks are violations; those of the simulated tools are not even printed.
fn catch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let text = info.to_string();
            if !text.contains(SIMULATED_PANIC) {
                PANIC.set(Some(text));
                print(info);
            }
        }));
    });
}

/// What to simulate.
#[derive(Debug, Clone, Copy, Default)]
pub struct SimOptions {
    /// Decides everything else.
    pub seed: u64,
    /// Whether the report has everything that happened.
    pub keep_trace: bool,
    /// How many engines share the store; one and none are the same.
    pub nodes: usize,
    /// A mistake that the simulation has to find.
    pub planted: Option<PlantedBug>,
}

/// A mistake in the rules of a shared store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedBug {
    /// A process whose lease has ended goes on with its jobs.
    KeepsActing,
    /// Others take the jobs of a process before it has stopped.
    EarlyTakeover,
    /// Hints are all that a process learns of others, although some are lost.
    NoCatchUp,
}

/// Simulates one seed with one engine.
pub fn run(seed: u64, keep_trace: bool) -> std::io::Result<Report> {
    run_with(SimOptions {
        seed,
        keep_trace,
        ..SimOptions::default()
    })
}

/// Simulates one seed.
pub fn run_with(options: SimOptions) -> std::io::Result<Report> {
    catch_panics();
    PANIC.take();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()?;
    let world = runtime.block_on(async {
        let world = Arc::new(World::new(&options));
        simulate(&world, options.nodes.max(1)).await;
        world
    });
    if let Some(panic) = PANIC.take() {
        world.fail(format!("a task has panicked: {panic}"));
    }
    let violation = world.violation();
    let (trace_hash, trace) = world.take_trace();
    let figures = world.take_figures();
    drop(runtime);
    Ok(Report {
        seed: options.seed,
        violation,
        trace_hash,
        trace,
        figures,
    })
}

async fn simulate(world: &Arc<World>, nodes: usize) {
    let phases = async {
        disturb(world, nodes).await;
        world.calm_down();
        world.trace("calm", "");
        come_to_an_end(world).await;
        check_end(world).await;
    };
    tokio::select! {
        biased;
        () = world.failed.notified() => {}
        () = phases => {}
    }
}

/// Lets clients act among faults.
async fn disturb(world: &Arc<World>, nodes: usize) {
    let profile = &world.profile;
    for _ in 0..nodes {
        tokio::spawn(node::keep_running(Arc::clone(world)));
    }
    tokio::spawn(node::crash(Arc::clone(world)));
    tokio::spawn(node::change_clock(Arc::clone(world)));
    tokio::spawn(node::interrupt_store(Arc::clone(world)));
    tokio::spawn(freshness::make_quiet(Arc::clone(world)));
    tokio::spawn(freshness::watch(Arc::clone(world)));
    let mut clients = JoinSet::new();
    for _ in 0..profile.askers {
        clients.spawn(asker::run(Arc::clone(world)));
    }
    for _ in 0..profile.respondents {
        clients.spawn(respondent::run(Arc::clone(world)));
    }
    for _ in 0..profile.chat_users {
        clients.spawn(chat_user::run(Arc::clone(world)));
    }
    for _ in 0..profile.deleters {
        clients.spawn(chat_user::run_deleter(Arc::clone(world)));
    }
    for _ in 0..profile.drafters {
        clients.spawn(drafter::run(Arc::clone(world)));
    }
    for _ in 0..profile.successors {
        clients.spawn(successor::run(Arc::clone(world)));
    }
    for _ in 0..profile.long_pollers {
        tokio::spawn(long_poller::run(Arc::clone(world)));
    }
    for _ in 0..profile.feed_readers {
        tokio::spawn(feed_reader::run(Arc::clone(world)));
    }
    let all = async { while clients.join_next().await.is_some() {} };
    let is_timed_out = tokio::time::timeout(FAULTS_MAX, all).await.is_err();
    world.trace("timed out", is_timed_out);
}

/// Answers what has no deadline, and waits until nothing is left to do.
async fn come_to_an_end(world: &Arc<World>) {
    let until = world.elapsed() + CALM_MAX;
    loop {
        for (conversation, inquiry) in unanswered(world) {
            let about = respondent::About {
                conversation: &conversation,
                inquiry: &inquiry,
            };
            respondent::end(world, about, "declined").await;
        }
        tokio::time::sleep(STEP).await;
        let left = left_to_do(&world.database.tables());
        let Some(left) = left else {
            break;
        };
        if world.elapsed() > until {
            world.fail(format!("stuck: {left}"));
            return;
        }
    }
    // Listeners and long polls have time to notice.
    tokio::time::sleep(Duration::from_mins(2)).await;
}

fn unanswered(world: &World) -> Vec<(ConversationId, InquiryId)> {
    let soon = world.now() + EXPIRES_SOON;
    let tables = world.database.tables();
    let rows = tables.inquiry_rows().filter(|row| {
        let is_far = row.expires_at.is_none_or(|at| at > soon);
        row.status == "pending" && row.held.is_none() && is_far
    });
    rows.map(|row| (row.conversation.clone(), row.id.clone()))
        .collect()
}

fn left_to_do(tables: &Tables) -> Option<String> {
    let mut jobs = tables.jobs();
    if let Some((id, job)) = jobs.next() {
        return Some(format!("job {id}: {job:?}"));
    }
    let mut pending = tables.inquiry_rows().filter(|row| row.status == "pending");
    if let Some(row) = pending.next() {
        return Some(format!("{} is pending", row.id));
    }
    let mut busy = tables.conversation_rows().filter(|row| {
        let state = row.snapshot.state.as_str();
        !matches!(state, "idle" | "error")
    });
    busy.next()
        .map(|row| format!("{} is {}", row.id, row.snapshot.state))
}

/// What must hold when nothing is left to do.
async fn check_end(world: &Arc<World>) {
    check_listeners(world);
    check_webhooks(world);
    // A new process reads everything from the store.
    if let Some(node) = world.pick_node() {
        node.process.die();
    }
    tokio::time::sleep(STEP).await;
    check_outcomes(world).await;
    let ids: Vec<ConversationId> = {
        let tables = world.database.tables();
        tables
            .conversation_rows()
            .map(|row| row.id.clone())
            .collect()
    };
    for id in ids {
        check_replay(world, &id).await;
    }
}

fn check_listeners(world: &World) {
    let tables = world.database.tables();
    let checker = world.checker();
    let mut found = Vec::new();
    for (reader, state) in &checker.readers {
        let after = state.last.unwrap_or(0);
        let between = after + 1..tables.newest() + 1;
        let missed = feed_reader::missed(&checker.log, &tables, state, between);
        if state.last.is_some() && !missed.is_empty() {
            found.push(format!("reader {reader} is at {after}, missed {missed:?}"));
        }
    }
    for WaitingPoll { inquiry, .. } in checker.polls.values() {
        if checker.outcomes.contains_key(inquiry) {
            found.push(format!("a long poll still waits for {inquiry}"));
        }
    }
    drop((tables, checker));
    for what in found {
        world.fail(what);
    }
}

fn check_webhooks(world: &World) {
    let tables = world.database.tables();
    let checker = world.checker();
    let lost = checker.asked.iter().find(|(id, asked)| {
        let told = checker.webhooks.get(id.as_str());
        let outcome = checker.outcomes.get(*id).map(|outcome| &outcome.status);
        asked.webhook.is_some() && tables.is_open(&asked.conversation) && told != outcome
    });
    let lost = lost.map(|(id, _)| id.clone());
    drop((tables, checker));
    if let Some(id) = lost {
        world.fail(format!("the receiver was never told the outcome of {id}"));
    }
}

/// Every outcome is the one that its respondent was told.
async fn check_outcomes(world: &Arc<World>) {
    let actions: Vec<(String, InquiryId)> = {
        let checker = world.checker();
        let actions = checker.actions.iter();
        actions
            .map(|(name, action)| (name.clone(), action.inquiry.clone()))
            .collect()
    };
    for (name, inquiry) in actions {
        let view = request(world, async |engine| engine.inquiry(&inquiry).await).await;
        let Some(Ok(Some(view))) = view else {
            // Deleted. Nobody asks for it any more.
            continue;
        };
        let Some(ended) = view.resolution else {
            world.fail(format!("{inquiry} has no outcome in the end"));
            return;
        };
        let checked = world.checker().check_action(&name, &ended.resolution);
        if let Err(what) = checked {
            world.fail(what);
        }
    }
}

/// The events of a conversation give its state.
async fn check_replay(world: &Arc<World>, id: &ConversationId) {
    let newest = world.database.tables().newest_of(id);
    let read = request(world, async |engine| {
        let mut events: Vec<Event> = Vec::new();
        let mut listener = engine.listen(Some(id.clone()), Some(0)).await.ok()?;
        while listener.last() < newest {
            let record = listener.next().await.ok()?;
            events.extend(record.events.iter().map(|(_, event)| event.clone()));
        }
        let stored = engine.current_conversation(id).await.ok()?;
        Some((events, stored))
    })
    .await;
    let Some(Some((events, stored))) = read else {
        world.fail(format!("{id} cannot be read"));
        return;
    };
    if let Err(what) = world.checker().check_hand_ons(&events) {
        world.fail(format!("{id}: {what}"));
    }
    let replayed = Conversation::replay(&events);
    world.check(replayed.as_ref() == Ok(&*stored), || {
        format!("{id} is {stored:?}, but its events give {replayed:?}")
    });
    world.count("replayed conversations");
}
