//! Runs all channels of a server: reads the feed, sends and edits messages, receives what people do.

use std::sync::Arc;
use std::time::Duration;

use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_engine::Engine;
use askback_store::{DeliveryPlan, Sequence, StoreError};
use jiff::SignedDuration;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};

use crate::answer::handle_incoming::ChannelHandler;
use crate::config::{ChannelsConfig, ConfiguredChannel, CurrentConfig};
use crate::contract::channel::ReceiveError;
use crate::contract::incoming::IncomingHandler;
use crate::deliver::messages::{Messages, report_left_messages, retry_all};
use crate::deliver::planner::follow_feed;
use crate::deliver::send_due::send_due;
use crate::deliver::sender::Sender;
use crate::links::personal_links::PersonalLinks;
use crate::links::press_link::UrlPresses;
use crate::people::People;
use crate::people::account::Accounts;
use crate::people::presence::Presence;
use crate::people::push_subscriptions::PushSubscriptions;
use crate::people::snoozes::Snoozes;
use crate::state::ChannelState;
use crate::status::{ChannelStatus, StatusBoard};

/// How long a node may act for the channels of a shared store without renewing its right.
const LEASE: Duration = Duration::from_secs(30);
/// How long ended deliveries are kept, so that a late press is told how the question ended.
const DELIVERIES_KEPT: SignedDuration = SignedDuration::from_hours(24 * 60);
const PRUNE_BATCH: usize = 500;

/// What everything needs that sends, receives or tells of messages.
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    config: Arc<CurrentConfig>,
    pub(crate) accounts: Accounts,
    pub(crate) presence: Arc<Presence>,
    pub(crate) status: StatusBoard,
    /// Wakes the senders.
    pub(crate) planned: Notify,
}

impl Shared {
    pub(crate) fn config(&self) -> Arc<ChannelsConfig> {
        self.config.get()
    }

    pub(crate) fn state(&self) -> ChannelState<'_> {
        ChannelState(self.engine.store().as_ref())
    }

    /// Makes the messages of an inquiry due, so that they show its draft or its end.
    pub(crate) async fn redraw(&self, inquiry: &InquiryId) -> Result<(), StoreError> {
        let plan = DeliveryPlan {
            changed: vec![inquiry.clone()],
            ..DeliveryPlan::due(self.engine.clock().now())
        };
        self.write_plan(plan).await
    }

    pub(crate) async fn write_plan(&self, plan: DeliveryPlan) -> Result<(), StoreError> {
        self.engine.store().plan_deliveries(plan).await?;
        self.planned.notify_waiters();
        Ok(())
    }
}

/// The channels of a server. Cheap to clone; the channels run until [`Dispatcher::stop`].
#[derive(Clone)]
pub struct Dispatcher {
    /// Whom questions may name.
    pub people: Arc<People>,
    /// Where people can be reached.
    pub accounts: Accounts,
    /// Browsers that get notifications.
    pub push_subscriptions: PushSubscriptions,
    /// Who is at the terminal or in the browser.
    pub presence: Arc<Presence>,
    /// What people have hidden from their own inboxes.
    pub snoozes: Snoozes,
    /// What became of messages.
    pub messages: Messages,
    /// Links of messages to the pages of questions.
    pub personal_links: Arc<PersonalLinks>,
    /// Buttons of messages that are URLs.
    pub url_presses: UrlPresses,
    shared: Arc<Shared>,
    task: Arc<parking_lot::Mutex<Option<JoinHandle<()>>>>,
}

impl Dispatcher {
    /// Starts all channels. Without any, nothing runs; with Web Push alone, nothing runs until a browser
    /// subscribes. What is asked from now on is sent, also if the channels begin to act later.
    pub async fn start(engine: Engine, config: ChannelsConfig) -> Result<Dispatcher, StoreError> {
        if config.has_configured_channels() {
            let newest = engine.store().newest_sequence().await?;
            if engine.store().delivery_cursor().await?.is_none() {
                follow_from(&engine, newest).await?;
            }
        }
        let config = Arc::new(CurrentConfig::new(config));
        let accounts = Accounts::new(engine.clone(), Arc::clone(&config));
        let people = People::read(engine.clone(), Arc::clone(&config), accounts.clone());
        let people = Arc::new(people.await?);
        let presence = Arc::new(Presence::new(engine.clone(), Arc::clone(&config)));
        let push_subscriptions =
            PushSubscriptions::new(engine.clone(), Arc::clone(&config), accounts.clone());
        push_subscriptions.end_of_revoked().await?;
        let shared = Arc::new(Shared {
            engine: engine.clone(),
            config,
            accounts: accounts.clone(),
            presence: Arc::clone(&presence),
            status: StatusBoard::default(),
            planned: Notify::new(),
        });
        let task = {
            let (shared, subscriptions) = (Arc::clone(&shared), push_subscriptions.clone());
            tokio::spawn(async move { run(&shared, &subscriptions).await })
        };
        Ok(Dispatcher {
            people,
            accounts,
            push_subscriptions,
            presence,
            snoozes: Snoozes { engine },
            personal_links: Arc::new(PersonalLinks::new(Arc::clone(&shared))),
            messages: Messages {
                shared: Arc::clone(&shared),
            },
            url_presses: UrlPresses {
                shared: Arc::clone(&shared),
            },
            shared,
            task: Arc::new(parking_lot::Mutex::new(Some(task))),
        })
    }

    /// Stops sending and receiving. What is committed stays, and the rest continues at the next start.
    pub async fn stop(&self) {
        let task = self.task.lock().take();
        if let Some(task) = task {
            task.abort();
            // It is cancelled, so that the engine and the store can be closed.
            let _cancelled = task.await;
        }
    }

    /// The channels by name, each with its kind and whether it works.
    pub fn statuses(&self) -> Vec<(String, String, ChannelStatus)> {
        let config = self.shared.config();
        let channels = config.channels.iter();
        let status = |(name, channel): (&String, &ConfiguredChannel)| {
            (
                name.clone(),
                channel.service.clone(),
                self.shared.status.get(name),
            )
        };
        channels.map(status).collect()
    }

    /// Asks the provider of a channel whether the credentials work.
    pub async fn check(&self, channel: &str) -> Option<Result<Text, Text>> {
        let config = self.shared.config();
        let channel = config.channels.get(channel)?;
        let checked = channel.channel.check().await;
        let account = checked.map(|account| Text::name_or_mark(&account));
        Some(account.map_err(|error| Text::name_or_mark(&error.to_string())))
    }
}

/// Sends what is asked after a position in the feed, and nothing before it.
pub(crate) async fn follow_from(engine: &Engine, position: Sequence) -> Result<(), StoreError> {
    let plan = DeliveryPlan {
        cursor: Some(position),
        ..DeliveryPlan::due(engine.clock().now())
    };
    engine.store().plan_deliveries(plan).await
}

/// Acts for the channels while this node may.
async fn run(shared: &Arc<Shared>, subscriptions: &PushSubscriptions) {
    if let Err(error) = report_left_messages(shared).await {
        tracing::warn!(%error, "cannot read which messages belong to channels that are no longer configured");
    }
    let config = shared.config();
    if config.channels.is_empty() {
        return;
    }
    if !config.has_configured_channels() {
        subscriptions.first().await;
    }
    shared.presence.messages_are_sent();
    let holder = format!("{:032x}", shared.engine.clock().seed());
    let store = shared.engine.store();
    let clock = shared.engine.clock();
    loop {
        let leased = store.lease_channels(&holder, LEASE).await;
        let prepared = match leased {
            Ok(true) => retry_all(shared).await.map(|()| true),
            Ok(false) | Err(_) => leased,
        };
        match prepared {
            Ok(true) => {
                let mut tasks = start_tasks(shared);
                keep_lease(shared, &holder).await;
                // Dropping them ends all requests before another node acts.
                tasks.abort_all();
                while tasks.join_next().await.is_some() {}
            }
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "cannot start the channels; will retry"),
        }
        clock.sleep(LEASE / 3).await;
    }
}

/// Returns when the right to act is lost.
async fn keep_lease(shared: &Shared, holder: &str) {
    let clock = shared.engine.clock();
    let store = shared.engine.store();
    let mut renewed = clock.elapsed();
    while clock.elapsed() < renewed + LEASE * 2 / 3 {
        clock.sleep(LEASE / 6).await;
        if !store.is_shared() {
            renewed = clock.elapsed();
            continue;
        }
        let started = clock.elapsed();
        match store.lease_channels(holder, LEASE).await {
            Ok(true) => renewed = started,
            Ok(false) => return,
            Err(error) => tracing::warn!(%error, "cannot renew the lease of the channels"),
        }
    }
}

fn start_tasks(shared: &Arc<Shared>) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    let planning = Arc::clone(shared);
    tasks.spawn(async move {
        prune(&planning).await;
        loop {
            if let Err(error) = follow_feed(&planning).await {
                tracing::warn!(%error, "cannot plan deliveries; will retry");
            }
            planning.engine.clock().sleep(Duration::from_secs(1)).await;
        }
    });
    for (name, channel) in &shared.config().channels {
        let sender = Sender::new(Arc::clone(shared), name.clone(), channel.clone());
        tasks.spawn(async move { send_due(&sender).await });
        let handler = ChannelHandler::new(Arc::clone(shared), name.clone(), channel.clone());
        tasks.spawn(receive(
            Arc::clone(shared),
            name.clone(),
            channel.clone(),
            Arc::new(handler),
        ));
    }
    tasks
}

/// Receives until the server stops, with pauses after failures.
async fn receive(
    shared: Arc<Shared>,
    name: String,
    channel: ConfiguredChannel,
    handler: Arc<dyn IncomingHandler>,
) {
    loop {
        let error = channel.channel.receive(Arc::clone(&handler)).await;
        let now = shared.engine.clock().now();
        shared
            .status
            .receiving_failed(&name, now, Text::name_or_mark(&error.to_string()));
        let pause = match error {
            ReceiveError::Temporary(_) => Duration::from_secs(2),
            ReceiveError::Refused(_) => Duration::from_secs(30),
        };
        shared.engine.clock().sleep(pause).await;
    }
}

async fn prune(shared: &Shared) {
    let before = shared.engine.clock().now() - DELIVERIES_KEPT;
    if let Err(error) = shared
        .engine
        .store()
        .prune_deliveries(before, PRUNE_BATCH)
        .await
    {
        tracing::warn!(%error, "cannot remove old deliveries");
    }
}
