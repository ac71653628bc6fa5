//! The channels of a server in virtual time: the real dispatcher and engine, a store in memory, and a provider that
//! does what a test tells it.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askback_channels::{
    ChannelsConfig, ConfiguredChannel, ContentLevel, Dispatcher, Recipient, Recipients,
};
use askback_core::conversation::command::{Command, NewDeadline, RawReply, Target};
use askback_core::conversation::event::CallResult;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::InquiryId;
use askback_core::identity::Identity;
use askback_core::outcome::{Actor, Surface};
use askback_engine::ports::{
    App, Apps, Llm, LlmFailure, LlmRequest, PortFuture, TokenSink, ToolDefinition, ToolReturn,
    ToolRun, Tools, WebhookDelivery, Webhooks,
};
use askback_engine::{Clock, CommitOptions, Engine, EngineParts};
use askback_locale::Locale;
use askback_sim::memory_store::{Database, MemoryStore};
use askback_store::{ChannelValue, Store};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::fake_channel::FakeChannel;

/// The name of the channel.
pub(crate) const CHANNEL: &str = "phone";

type Call = Box<dyn FnOnce() + Send>;

/// Time that passes only when nothing else is left to do.
pub(crate) struct VirtualClock {
    start: Instant,
    seeds: AtomicU64,
    /// What happens when the clock was read so many times more.
    at_reading: Mutex<Option<(usize, Call)>>,
}

impl VirtualClock {
    /// Calls a function in the moment in which the clock is read for the nth time from now, counted from 0. `None` calls none.
    /// Returns whether the one before was called.
    pub(crate) fn call_at(&self, reading: Option<(usize, Call)>) -> bool {
        let mut at_reading = self.at_reading.lock().expect("nobody panics");
        std::mem::replace(&mut *at_reading, reading).is_none()
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        let mut at_reading = self.at_reading.lock().expect("nobody panics");
        let due = at_reading.take_if(|(left, _)| *left == 0);
        if let Some((left, _)) = at_reading.as_mut() {
            *left -= 1;
        }
        drop(at_reading);
        if let Some((_, call)) = due {
            call();
        }
        let elapsed = SignedDuration::try_from(self.start.elapsed());
        Timestamp::UNIX_EPOCH + elapsed.expect("tests are short")
    }

    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let left = Duration::try_from(at.duration_since(self.now()));
        Box::pin(tokio::time::sleep(left.unwrap_or_default()))
    }

    fn seed(&self) -> u128 {
        u128::from(self.seeds.fetch_add(1, Ordering::Relaxed)) << 64
    }
}

/// No model, no tools, no apps, no webhooks.
struct NoPorts;

impl Llm for NoPorts {
    fn request<'a>(
        &'a self,
        _: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        Box::pin(std::future::pending())
    }
}

impl Tools for NoPorts {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    fn run(&self, _: ToolRun) -> PortFuture<'_, ToolReturn> {
        let result = CallResult::error("there is no tool");
        Box::pin(std::future::ready(result.into()))
    }
}

impl Apps for NoPorts {
    fn app(&self, _: Option<&str>) -> Option<Arc<App>> {
        None
    }
}

impl Webhooks for NoPorts {
    fn deliver<'a>(&'a self, _: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// An engine, and one channel to Zoë.
pub(crate) struct ChannelWorld {
    pub(crate) database: Arc<Database>,
    pub(crate) clock: Arc<VirtualClock>,
    pub(crate) engine: Engine,
    pub(crate) channel: Arc<FakeChannel>,
    identities: Vec<Identity>,
    dispatcher: Mutex<Option<Dispatcher>>,
}

impl ChannelWorld {
    /// An engine whose channels do not run yet. Zoë has these accounts.
    pub(crate) async fn stopped(channel: FakeChannel, identities: &[&str]) -> ChannelWorld {
        let database: Arc<Database> = Arc::default();
        let clock = Arc::new(VirtualClock {
            start: Instant::now(),
            seeds: AtomicU64::new(1),
            at_reading: Mutex::default(),
        });
        let parts = EngineParts {
            store: Arc::new(MemoryStore::open(&database, 0)),
            llm: Arc::new(NoPorts),
            tools: Arc::new(NoPorts),
            apps: Arc::new(NoPorts),
            webhooks: Arc::new(NoPorts),
            clock: Arc::clone(&clock) as Arc<_>,
            node: None,
        };
        let identities = identities.iter();
        let identities = identities.map(|it| Identity::parse(it).expect("it is an identity"));
        ChannelWorld {
            engine: Engine::start(parts).await.expect("it starts"),
            database,
            clock,
            channel: Arc::new(channel),
            identities: identities.collect(),
            dispatcher: Mutex::default(),
        }
    }

    /// Zoë has one account, and the channel runs.
    pub(crate) async fn start(channel: FakeChannel) -> ChannelWorld {
        let world = ChannelWorld::stopped(channel, &["telegram:42"]).await;
        world.run().await;
        world
    }

    /// Starts the channels, or stops and starts them.
    pub(crate) async fn run(&self) {
        self.run_as(CHANNEL, "zoe").await;
    }

    /// Starts the channels, and does not wait until they act.
    pub(crate) async fn begin(&self) {
        self.begin_as(CHANNEL, "zoe").await;
    }

    /// Starts them with other names of the channel and of Zoë.
    pub(crate) async fn run_as(&self, channel: &str, alias: &str) {
        self.begin_as(channel, alias).await;
        pass(1).await;
    }

    async fn begin_as(&self, name: &str, alias: &str) {
        let running = self.dispatcher.lock().expect("nobody panics").take();
        if let Some(running) = running {
            running.stop().await;
        }
        let zoe = Recipient {
            name: "Zoë".to_owned(),
            locale: Locale::choose(&["en"]),
            time_zone: TimeZone::UTC,
            quiet_hours: None,
            presence: false,
            channels: None,
            escalate_to: None,
            remind_after: None,
            identities: self.identities.clone(),
        };
        let service = self.identities[0].service().to_owned();
        let channel = ConfiguredChannel {
            channel: Arc::clone(&self.channel) as Arc<_>,
            service,
            content: ContentLevel::Full,
            undo_seconds: None,
        };
        let config = ChannelsConfig {
            channels: BTreeMap::from([(name.to_owned(), channel)]),
            recipients: Arc::new(Recipients {
                people: BTreeMap::from([(alias.to_owned(), zoe)]),
                ..Recipients::default()
            }),
            link: Arc::new(|_, _, since, reader| {
                Some(format!("link:{reader}:{}", since.as_second()))
            }),
            ..ChannelsConfig::default()
        };
        let started = Dispatcher::start(self.engine.clone(), config).await;
        let started = started.expect("the store works");
        *self
            .dispatcher
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(started);
    }

    /// The channels that run.
    pub(crate) fn dispatcher(&self) -> Dispatcher {
        let running = self.dispatcher.lock().expect("nobody panics");
        running.clone().expect("the channels run")
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        self.engine.store()
    }

    /// Asks a question with two choices.
    pub(crate) async fn ask(&self, text: &str) -> InquiryId {
        let input = json!({ "question": text, "options": ["Red", "Blue"] });
        self.ask_with(&input).await
    }

    pub(crate) async fn ask_with(&self, input: &Value) -> InquiryId {
        let parsed = Dialect::AskUser.parse(input, ParseOptions::default());
        let inquiry = parsed.expect("it is valid").inquiry;
        let by = Actor::new(None, Surface::Http);
        let asked = self.engine.ask(inquiry, None, by, CommitOptions::default());
        let asked = asked.await.expect("it is asked");
        let pending = asked.conversation.state.pending();
        pending.last().expect("it waits").id.clone()
    }

    /// Declines a question over HTTP.
    pub(crate) async fn decline(&self, inquiry: &InquiryId) {
        self.submit(inquiry, |target| Command::Decline { target })
            .await;
    }

    /// Gives a question a deadline in a day.
    pub(crate) async fn move_deadline(&self, inquiry: &InquiryId) {
        let day = SignedDuration::from_hours(24);
        self.submit(inquiry, |target| Command::MoveDeadline {
            target,
            to: Some(NewDeadline::After(day)),
        })
        .await;
    }

    pub(crate) async fn submit(
        &self,
        inquiry: &InquiryId,
        command: impl FnOnce(Target) -> Command,
    ) {
        let view = self.engine.inquiry(inquiry).await.expect("it is read");
        let view = view.expect("it is there");
        let target = Target::Inquiry {
            id: inquiry.clone(),
            revision: Some(view.row.revision),
        };
        let by = Actor::new(None, Surface::Http);
        let command = command(target);
        let done = self.engine.submit(&view.row.conversation, command, by);
        done.await.expect("it is accepted");
    }

    pub(crate) async fn is_pending(&self, inquiry: &InquiryId) -> bool {
        let view = self.engine.inquiry(inquiry).await.expect("it is read");
        view.expect("it is there").resolution.is_none()
    }

    /// What channels keep under keys that begin with `prefix`.
    pub(crate) async fn values(&self, prefix: &str) -> Vec<ChannelValue> {
        let values = self.store().channel_values(prefix).await;
        values.expect("they are read")
    }
}

/// Lets virtual time pass.
pub(crate) async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}
