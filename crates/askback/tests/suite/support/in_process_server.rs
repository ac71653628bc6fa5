//! An engine in the test process, for what cannot be seen or set from outside.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use askback_agent::apps::{AppCatalog, AppLanguage};
use askback_agent::mcp_tools::McpTools;
use askback_agent::scripted::{Script, ScriptedLlm};
use askback_core::outcome::{Actor, Surface};
use askback_engine::ports::{PortFuture, WebhookDelivery, Webhooks};
use askback_engine::{Engine, EngineParts, SystemClock};
use askback_store::{SqliteOptions, SqliteStore, Store};
use serde_json::json;

struct NoWebhooks;

impl Webhooks for NoWebhooks {
    fn deliver<'a>(&'a self, _: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

pub(crate) fn actor() -> Actor {
    Actor::new(None, Surface::Http)
}

/// An engine whose agent never stops asking, and its store.
pub(crate) async fn engine(path: &Path) -> (Engine, Arc<SqliteStore>) {
    engine_with(path, SqliteOptions::default()).await
}

/// The same with options for its store.
pub(crate) async fn engine_with(path: &Path, options: SqliteOptions) -> (Engine, Arc<SqliteStore>) {
    let store = Arc::new(SqliteStore::open(path, options).expect("it opens"));
    let calls = json!([{"tool": "ask_user_question", "input": {"questions": [
        {"question": "On?", "options": ["Yes", "No"]}]}}]);
    let script = json!({"steps": [{ "calls": calls }], "repeat_from": 1}).to_string();
    let parts = EngineParts {
        store: Arc::clone(&store) as Arc<dyn Store>,
        llm: Arc::new(ScriptedLlm::new(Script::parse(&script).expect("a script"))),
        tools: Arc::new(McpTools::start(BTreeMap::new())),
        apps: Arc::new(AppCatalog::embedded(&AppLanguage::new("en")).expect("apps")),
        webhooks: Arc::new(NoWebhooks),
        clock: Arc::new(SystemClock),
        node: None,
    };
    (Engine::start(parts).await.expect("it starts"), store)
}
