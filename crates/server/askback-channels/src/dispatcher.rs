//! Runs all channels of a server: reads the feed, sends and edits messages, receives what people do.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askback_core::identity::Identity;
use askback_core::text::Text;
use askback_engine::Engine;
use askback_store::{DeliveryPlan, Sequence, StoreError};
use jiff::SignedDuration;
use tokio::sync::{Notify, watch};
use tokio::task::{JoinHandle, JoinSet};

use crate::answer::handle_incoming::{ChannelHandler, Proof};
use crate::config::{ChannelsConfig, ConfiguredChannel};
use crate::contract::channel::{Address, ReceiveError};
use crate::contract::feedback::Feedback;
use crate::contract::incoming::{HandlerError, Incoming, IncomingAction, IncomingHandler};
use crate::deliver::left_messages::report_left_messages;
use crate::deliver::planner::follow_feed;
use crate::deliver::send_due::send_due;
use crate::deliver::sender::Sender;
use crate::deliver::undelivered::retry_all;
use crate::links::press_link::SignedPress;
use crate::people::account::{self, LinkCode};
use crate::people::presence::Presence;
use crate::people::recipients::Recipients;
use crate::people::stored_address::{account_id, configured_accounts};
use crate::people::stored_people::read_stored_recipients;
use crate::provider::webpush::WEBPUSH;
use crate::state::{ChannelState, link_code};
use crate::status::{ChannelStatus, StatusBoard};

/// How long a node may act for the channels of a shared store without renewing its right.
const LEASE: Duration = Duration::from_secs(30);
/// How long a one-time code works.
const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(30);
/// How long ended deliveries are kept, so that a late press is told how the question ended.
const DELIVERIES_KEPT: SignedDuration = SignedDuration::from_hours(24 * 60);
const PRUNE_BATCH: usize = 500;

/// What the parts of a dispatcher share.
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    config: watch::Sender<Arc<ChannelsConfig>>,
    /// The recipients of the configuration, without those of the store.
    pub(crate) declared: Recipients,
    pub(crate) status: StatusBoard,
    /// Wakes the senders.
    pub(crate) planned: Notify,
    /// A browser has subscribed.
    pub(crate) subscribed: Notify,
    pub(crate) presence: Presence,
    /// Held while a new link is planned.
    pub(crate) new_links: tokio::sync::Mutex<()>,
    /// Held while people and groups are read from the store.
    pub(crate) reading_recipients: tokio::sync::Mutex<()>,
    /// Whether this node has begun to act, or would if it had the right to.
    is_sending: AtomicBool,
}

impl Shared {
    /// The present configuration. Its recipients change while the server runs.
    pub(crate) fn config(&self) -> Arc<ChannelsConfig> {
        Arc::clone(&self.config.borrow())
    }

    /// Replaces the recipients.
    pub(crate) fn set_recipients(&self, recipients: Recipients) {
        self.config.send_if_modified(|config| {
            let is_new = config.recipients != recipients;
            if is_new {
                *config = Arc::new(ChannelsConfig {
                    recipients,
                    ..ChannelsConfig::clone(config)
                });
            }
            is_new
        });
    }

    pub(crate) fn state(&self) -> ChannelState<'_> {
        ChannelState(self.engine.store().as_ref())
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
    pub(crate) shared: Arc<Shared>,
    task: Arc<std::sync::Mutex<Option<JoinHandle<()>>>>,
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
        let declared = config.recipients.clone();
        let shared = Arc::new(Shared {
            engine,
            config: watch::Sender::new(Arc::new(config)),
            declared,
            status: StatusBoard::default(),
            planned: Notify::new(),
            subscribed: Notify::new(),
            presence: Presence::default(),
            new_links: tokio::sync::Mutex::default(),
            reading_recipients: tokio::sync::Mutex::default(),
            is_sending: AtomicBool::new(false),
        });
        read_stored_recipients(&shared).await?;
        let task = {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move { run(&shared).await })
        };
        Ok(Dispatcher {
            shared,
            task: Arc::new(std::sync::Mutex::new(Some(task))),
        })
    }

    /// Stops sending and receiving. What is committed stays, and the rest continues at the next start.
    pub async fn stop(&self) {
        let task = self.task.lock().ok().and_then(|mut task| task.take());
        if let Some(task) = task {
            task.abort();
            // It is cancelled, so that the engine and the store can be closed.
            let _cancelled = task.await;
        }
    }

    /// Whether messages are sent at all: a channel is configured, or a browser has subscribed.
    pub(crate) fn is_sending(&self) -> bool {
        self.shared.is_sending.load(Ordering::Relaxed)
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

    /// The recipients that a question may name.
    pub fn recipients(&self) -> CurrentRecipients {
        CurrentRecipients(self.shared.config())
    }

    /// Completes when a person is no longer among the recipients.
    pub async fn person_removed(&self, alias: &str) {
        let mut config = self.shared.config.subscribe();
        let is_gone = |config: &Arc<ChannelsConfig>| !config.recipients.people.contains_key(alias);
        // The sender lives as long as `self`.
        drop(config.wait_for(is_gone).await);
    }

    /// The aliases of the recipients with an account in a channel.
    pub async fn linked(&self, channel: &str) -> Result<Vec<String>, StoreError> {
        let store = self.shared.engine.store();
        let accounts = account::linked_accounts(store.as_ref()).await?;
        let accounts = accounts
            .into_iter()
            .filter(|account| account.channel == channel);
        let mut aliases: Vec<String> = accounts.map(|account| account.recipient).collect();
        let config = self.shared.config();
        let service = config.channels.get(channel);
        for (alias, person) in &config.recipients.people {
            let mut identities = person.identities.iter();
            if identities.any(|identity| service.is_some_and(|it| it.service == identity.service()))
            {
                aliases.push(alias.clone());
            }
        }
        aliases.sort();
        aliases.dedup();
        Ok(aliases)
    }

    /// Stores a one-time code with which somebody links their account to a recipient.
    pub async fn add_link_code(
        &self,
        code: &str,
        channel: &str,
        recipient: &str,
    ) -> Result<jiff::Timestamp, StoreError> {
        let expires_at = self.shared.engine.clock().now() + CODE_LIFETIME;
        let meaning = LinkCode {
            channel: channel.to_owned(),
            recipient: recipient.to_owned(),
            expires_at,
        };
        self.shared.state().set(link_code(code), &meaning).await?;
        Ok(expires_at)
    }

    /// Whether the key of the URL of a button is ours, for this button, and not expired.
    pub fn verifies(&self, press: &SignedPress, key: &str) -> bool {
        let now = self.shared.engine.clock().now();
        let config = self.shared.config();
        let urls = config.press_urls.as_ref();
        urls.is_some_and(|urls| urls.key.verify(press, key, now))
    }

    /// The path that undoes what the URL of a button has done, for the same recipient.
    pub fn undo_path(&self, press: &SignedPress, key: &str) -> Option<String> {
        let now = self.shared.engine.clock().now();
        let config = self.shared.config();
        let urls = config.press_urls.as_ref()?;
        urls.key.undo_path(press, key, now)
    }

    /// Presses the button of a URL, as the recipient that its key was made for. `None` if the key is wrong, or
    /// if the channel or the account of the recipient is no longer configured.
    pub async fn press(
        &self,
        press: &SignedPress,
        key: &str,
    ) -> Option<Result<Feedback, HandlerError>> {
        if !self.verifies(press, key) {
            return None;
        }
        let config = self.shared.config();
        let channel = config.channels.get(&press.channel)?;
        let person = config.recipients.people.get(&press.recipient)?;
        let mut identities = person.identities.iter();
        let identity = identities.find(|identity| identity.service() == channel.service);
        let identity = match identity {
            Some(identity) => identity.clone(),
            None => match self.linked_identity(press).await {
                Ok(identity) => identity?,
                Err(error) => return Some(Err(HandlerError(error.to_string()))),
            },
        };
        let account = account_id(identity.as_str());
        let mut known = configured_accounts(channel, &press.recipient, person).into_iter();
        let known = known.find(|known| known.address.0 == account);
        let address = known.map_or_else(|| account.to_owned(), |known| known.stored);
        let incoming = Incoming {
            address: Address(address),
            identity,
            message: None,
            action: IncomingAction::Press {
                data: press.data.clone(),
            },
        };
        let shared = Arc::clone(&self.shared);
        let handler = ChannelHandler {
            proof: Proof::Url,
            ..ChannelHandler::new(shared, press.channel.clone(), channel.clone())
        };
        Some(handler.handle(incoming).await)
    }

    /// One of the accounts that the recipient of a button has linked.
    async fn linked_identity(&self, press: &SignedPress) -> Result<Option<Identity>, StoreError> {
        let store = self.shared.engine.store();
        let accounts = account::linked_accounts(store.as_ref()).await?;
        let mut theirs = accounts.iter().filter(|account| {
            account.channel == press.channel && account.recipient == press.recipient
        });
        Ok(theirs.find_map(|account| Identity::parse(&account.identity)))
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

/// The recipients at one moment.
pub struct CurrentRecipients(Arc<ChannelsConfig>);

impl Deref for CurrentRecipients {
    type Target = Recipients;

    fn deref(&self) -> &Recipients {
        &self.0.recipients
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
async fn run(shared: &Arc<Shared>) {
    if let Err(error) = report_left_messages(shared).await {
        tracing::warn!(%error, "cannot read which messages belong to channels that are no longer configured");
    }
    let config = shared.config();
    if config.channels.is_empty() {
        return;
    }
    if !config.has_configured_channels() {
        first_subscription(shared).await;
    }
    shared.is_sending.store(true, Ordering::Relaxed);
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

/// Completes when a browser is subscribed. Only another node of a shared store can do that unnoticed.
async fn first_subscription(shared: &Shared) {
    let (store, clock) = (shared.engine.store(), shared.engine.clock());
    loop {
        match account::linked_accounts(store.as_ref()).await {
            Ok(accounts) if accounts.iter().any(|it| it.channel == WEBPUSH) => return,
            Ok(_) if !store.is_shared() => return shared.subscribed.notified().await,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "cannot read the subscriptions; will retry"),
        }
        tokio::select! {
            () = shared.subscribed.notified() => return,
            () = clock.sleep(LEASE) => {}
        }
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
