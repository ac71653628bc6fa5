//! Goal: two engines on one database act as one: who stops the agent on one node stops what runs on the other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use askback_core::conversation::command::{Command, RawCall, RawReply};
use askback_postgres::{PostgresOptions, PostgresStore};
use askback_store::Store;
use askback_store_testing::PostgresServer;

use super::*;
use crate::commit::CommitOptions;
use crate::engine::EngineParts;
use crate::fixtures::{first_message, http_actor, parts, wait_until};
use crate::ports::{
    Llm, LlmFailure, LlmRequest, PortFuture, TokenSink, ToolDefinition, ToolReturn, ToolRun, Tools,
};

/// Counts what runs: it goes up with the start of work, and down when its future is dropped.
#[derive(Debug, Default, Clone)]
struct Running(Arc<AtomicUsize>);

struct Started(Running);

impl Running {
    fn start(&self) -> Started {
        self.0.fetch_add(1, Ordering::SeqCst);
        Started(self.clone())
    }

    async fn reaches(&self, count: usize) {
        wait_until("the work starts or ends", || {
            self.0.load(Ordering::SeqCst) == count
        })
        .await;
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Says "a" again and again if the user says "talk"; otherwise calls a tool.
struct TalkingModel(Running);

impl Llm for TalkingModel {
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        tokens: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        let talks = format!("{:?}", request.history).contains("talk");
        Box::pin(async move {
            let _started = self.0.start();
            if talks {
                loop {
                    tokens.token("a");
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            Ok(RawReply {
                calls: vec![RawCall {
                    provider_id: "1".to_owned(),
                    name: "hang".to_owned(),
                    input: serde_json::json!({}),
                }],
                ..RawReply::default()
            })
        })
    }
}

/// A tool that never returns.
struct HangingTool(Running);

impl Tools for HangingTool {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    fn run(&self, _: ToolRun) -> PortFuture<'_, ToolReturn> {
        let started = self.0.start();
        Box::pin(async move {
            let _started = started;
            std::future::pending().await
        })
    }
}

struct TwoNodes {
    first: Engine,
    second: Engine,
    requests: Running,
    tools: Running,
    _server: PostgresServer,
}

/// Everything runs on the first node: the second one gets commands only.
async fn two_nodes() -> TwoNodes {
    let server = PostgresServer::start().expect("it starts");
    let url = server.create_database().expect("it is made");
    let (requests, tools) = (Running::default(), Running::default());
    let mut engines = Vec::new();
    for _ in 0..2 {
        let options = PostgresOptions::parse(&url).expect("it is valid");
        let store = PostgresStore::open(options).await.expect("it opens");
        let store = Arc::new(store) as Arc<dyn Store>;
        let parts = EngineParts {
            tools: Arc::new(HangingTool(tools.clone())),
            ..parts(store, TalkingModel(requests.clone()))
        };
        engines.push(Engine::start(parts).await.expect("it starts"));
    }
    let second = engines.pop().expect("there are two");
    let first = engines.pop().expect("there are two");
    TwoNodes {
        first,
        second,
        requests,
        tools,
        _server: server,
    }
}

impl TwoNodes {
    async fn begin(&self, message: &str) -> ConversationId {
        let started = self.first.create(
            first_message(message),
            http_actor(),
            CommitOptions::default(),
        );
        let started = started.await.expect("it starts");
        started.conversation.settings.id.clone()
    }

    async fn stop(&self, id: &ConversationId) {
        let stop = Command::Cancel { target: None };
        let stopped = self.second.submit(id, stop, http_actor()).await;
        stopped.expect("it is stopped");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn stopping_on_one_node_aborts_the_request_of_the_other() {
    let nodes = two_nodes().await;
    let id = nodes.begin("talk").await;
    nodes.requests.reaches(1).await;
    nodes.stop(&id).await;
    nodes.requests.reaches(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn stopping_on_one_node_aborts_the_tool_of_the_other() {
    let nodes = two_nodes().await;
    let id = nodes.begin("run").await;
    nodes.tools.reaches(1).await;
    nodes.stop(&id).await;
    nodes.tools.reaches(0).await;
}

/// Deleting a conversation leaves nothing that the node could load.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn deleting_on_one_node_aborts_the_tool_of_the_other() {
    let nodes = two_nodes().await;
    let id = nodes.begin("run").await;
    nodes.tools.reaches(1).await;
    let deleted = nodes.second.delete(&id, http_actor()).await;
    deleted.expect("it is deleted");
    nodes.tools.reaches(0).await;
}
