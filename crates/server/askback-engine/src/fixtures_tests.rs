//! Fixtures for the engine's tests: a store in a temporary directory, fake models, an app with a hook,
//! and a clock that tests can set.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use askback_core::conversation::Driver;
use askback_core::conversation::command::{RawCall, RawReply};
use askback_core::conversation::event::CallResult;
use askback_core::conversation::history::HistoryEntry;
use askback_core::conversation::policy::Policy;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Surface};
use askback_store::{SqliteOptions, SqliteStore, Store, StoreError};
use askback_store_testing::write_database;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clock::{Clock, SystemClock};
use crate::create::ConversationStart;
use crate::engine::{Engine, EngineParts};
use crate::ports::{
    App, Apps, Llm, LlmFailure, LlmRequest, PortFuture, TokenSink, ToolDefinition, ToolReturn,
    ToolRun, Tools, WebhookDelivery, Webhooks,
};
use crate::submit::Submitted;

/// How long a test waits for something that must happen: generous, for slow and busy machines.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_mins(2);

/// Fails the test instead of hanging.
pub(crate) async fn with_timeout<T>(what: &str, future: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(TEST_TIMEOUT, future).await;
    done.unwrap_or_else(|_| panic!("{what}"))
}

pub(crate) fn http_actor() -> Actor {
    Actor::new(None, Surface::Http)
}

/// A store in a directory that is deleted with it.
pub(crate) struct TempStore {
    directory: TempDir,
    opened: Mutex<Weak<SqliteStore>>,
}

impl TempStore {
    pub(crate) fn new() -> TempStore {
        TempStore {
            directory: tempfile::tempdir().expect("a directory"),
            opened: Mutex::default(),
        }
    }

    /// A store that another process wrote.
    pub(crate) fn from_sql(sql: &str) -> TempStore {
        let store = TempStore::new();
        let path = store.directory.path().join("askback.db");
        write_database(&path, sql).expect("it is valid SQL");
        store
    }

    /// The store, opened unless it is still open.
    pub(crate) fn store(&self) -> Arc<dyn Store> {
        let open = self.opened.lock().expect("nobody panics").upgrade();
        match open {
            Some(open) => open,
            None => self.try_open().expect("it opens"),
        }
    }

    /// The store, opened again after its last user dropped it.
    pub(crate) async fn reopened(&self) -> Arc<dyn Store> {
        with_timeout("the store is closed", async {
            loop {
                let is_closed = self
                    .opened
                    .lock()
                    .expect("nobody panics")
                    .upgrade()
                    .is_none();
                if is_closed && let Ok(store) = self.try_open() {
                    return store;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
    }

    pub(crate) fn store_with(&self, options: SqliteOptions) -> Arc<dyn Store> {
        self.open(options).expect("it opens")
    }

    fn try_open(&self) -> Result<Arc<dyn Store>, StoreError> {
        self.open(SqliteOptions::default())
    }

    fn open(&self, options: SqliteOptions) -> Result<Arc<dyn Store>, StoreError> {
        let path = self.directory.path().join("askback.db");
        let store = Arc::new(SqliteStore::open(&path, options)?);
        *self.opened.lock().expect("nobody panics") = Arc::downgrade(&store);
        Ok(store)
    }
}

/// A model that calls one tool if the user says "go", and otherwise never replies.
pub(crate) struct OneToolModel(pub(crate) &'static str, pub(crate) Value);

impl Llm for OneToolModel {
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        let parent = |entry: &HistoryEntry| matches!(entry, HistoryEntry::User(text) if text.as_str() == "go");
        let child = !request.history.iter().any(parent);
        let call = RawCall {
            provider_id: "1".to_owned(),
            name: self.0.to_owned(),
            input: self.1.clone(),
        };
        Box::pin(async move {
            if child {
                return std::future::pending().await;
            }
            Ok(RawReply {
                calls: vec![call],
                ..RawReply::default()
            })
        })
    }
}

struct NoopPorts;

impl Tools for NoopPorts {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    fn run(&self, _: ToolRun) -> PortFuture<'_, ToolReturn> {
        let result = CallResult::error("there is no tool");
        Box::pin(std::future::ready(result.into()))
    }
}

impl Webhooks for NoopPorts {
    fn deliver<'a>(&'a self, _: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

type Call = Box<dyn FnMut() + Send>;

/// One app, with a hook that runs when it is looked up for the nth time.
#[derive(Default, Clone)]
pub(crate) struct OneApp(pub(crate) Arc<Mutex<Option<(usize, Call)>>>);

impl Apps for OneApp {
    fn app(&self, _: Option<&str>) -> Option<Arc<App>> {
        let mut waiting = self.0.lock().expect("nobody panics");
        let due = waiting.take_if(|(lookups, _)| {
            *lookups -= 1;
            *lookups == 0
        });
        drop(waiting);
        if let Some((_, mut call)) = due {
            call();
        }
        Some(Arc::new(App {
            id: "a".to_owned(),
            system: String::new(),
            model: None,
            tools: vec!["spawn_agents".to_owned(), "ask_user".to_owned()],
            policy: Policy::default(),
            tokens_max: None,
        }))
    }
}

pub(crate) async fn engine(store: Arc<dyn Store>, model: OneToolModel, apps: OneApp) -> Engine {
    let parts = EngineParts {
        apps: Arc::new(apps),
        ..parts(store, model)
    };
    Engine::start(parts).await.expect("it starts")
}

/// Engine parts with a store and a model; everything else does nothing.
pub(crate) fn parts(store: Arc<dyn Store>, model: impl Llm) -> EngineParts {
    EngineParts {
        store,
        llm: Arc::new(model),
        tools: Arc::new(NoopPorts),
        apps: Arc::new(OneApp::default()),
        webhooks: Arc::new(NoopPorts),
        clock: Arc::new(SystemClock),
        node: None,
    }
}

/// A model that never replies, and counts the requests.
#[derive(Debug, Default, Clone)]
pub(crate) struct HangingModel(pub(crate) Arc<AtomicUsize>);

impl Llm for HangingModel {
    fn request<'a>(
        &'a self,
        _: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::pending())
    }
}

/// A new conversation with the built-in agent.
pub(crate) fn first_message(text: &str) -> ConversationStart {
    ConversationStart {
        id: None,
        driver: Driver::BuiltIn,
        app: None,
        parent: None,
        title: None,
        message: Some(text.to_owned()),
        message_id: None,
    }
}

/// A question with two choices.
pub(crate) fn question() -> Inquiry {
    let input = serde_json::json!({ "question": "Which?", "options": ["Red", "Blue"] });
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    parsed.expect("it is one").inquiry
}

/// The inquiry that a command asked.
pub(crate) fn asked_inquiry(submitted: &Submitted) -> InquiryId {
    let pending = submitted.conversation.state.pending();
    pending.last().expect("it waits").id.clone()
}

/// Polls a condition until it is true.
pub(crate) async fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    with_timeout(what, async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

/// A wall clock that tests can set. It runs at normal speed.
#[derive(Debug, Default)]
pub(crate) struct AdjustableClock {
    ahead_ms: AtomicI64,
}

impl AdjustableClock {
    /// Sets the clock forward, or back if negative.
    pub(crate) fn set(&self, by: SignedDuration) {
        let by = i64::try_from(by.as_millis()).expect("it is not that long");
        self.ahead_ms.fetch_add(by, Ordering::SeqCst);
    }
}

impl Clock for AdjustableClock {
    fn now(&self) -> Timestamp {
        SystemClock.now() + SignedDuration::from_millis(self.ahead_ms.load(Ordering::SeqCst))
    }

    fn sleep_until(&self, at: Timestamp) -> PortFuture<'_, ()> {
        Box::pin(async move {
            while self.now() < at {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
    }

    fn seed(&self) -> u128 {
        SystemClock.seed()
    }
}

/// A question of about 700 KB.
pub(crate) fn large_inquiry(number: usize) -> Inquiry {
    let preview = "x".repeat(87_500);
    let option = |label: &str| json!({"label": label, "description": "-", "preview": preview});
    let question = |at: usize| {
        json!({
            "question": format!("Which {number}, {at}?"),
            "header": format!("H{at}"),
            "options": [option("A"), option("B")],
        })
    };
    let questions: Vec<_> = (0..4).map(question).collect();
    let input = json!({"questions": questions});
    let parsed = Dialect::AskUserQuestion.parse(&input, ParseOptions::default());
    parsed.expect("it fits").inquiry
}
