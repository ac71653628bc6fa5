//! Goal: the job of a tool stays until the conversation has the result of the tool, whatever another process
//! has done meanwhile.

use askback_store::Store;
use serde_json::json;

use super::*;
use crate::engine::EngineParts;
use crate::fixtures::{OneToolModel, TempStore, first_message, http_actor, parts, with_timeout};
use crate::ports::{PortFuture, ToolDefinition, Tools};

/// Tools that another process runs.
struct ToolsElsewhere;

impl Tools for ToolsElsewhere {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    fn runs_here(&self) -> bool {
        false
    }

    fn run(&self, _: ToolRun) -> PortFuture<'_, ToolReturn> {
        Box::pin(std::future::pending())
    }
}

async fn start(store: &Arc<dyn Store>, tools: Option<ToolsElsewhere>) -> Engine {
    let mut parts = parts(Arc::clone(store), OneToolModel("work", json!({})));
    if let Some(tools) = tools {
        parts = EngineParts {
            tools: Arc::new(tools),
            ..parts
        };
    }
    Engine::start(parts).await.expect("it starts")
}

/// One process has the conversation in memory as it was before another one started the tool and lost the job. It
/// takes the job over and must not remove it: the conversation would wait for ever. Found by seed 2973 of the
/// simulation with two nodes.
#[tokio::test]
async fn a_tool_that_another_process_has_started_is_reported() {
    let temp_store = TempStore::new();
    let store = temp_store.store();
    let first = start(&store, Some(ToolsElsewhere)).await;
    let begun = first.create(first_message("go"), http_actor(), CommitOptions::default());
    let id = begun
        .await
        .expect("it starts")
        .conversation
        .settings
        .id
        .clone();
    let mut state = None;
    with_timeout("the tool is called", async {
        loop {
            let loaded = first
                .inner
                .conversations
                .load(&id)
                .await
                .expect("it is there");
            if let State::ToolExecuting { round, .. } = &loaded.conversation.state {
                state = round.current().map(|call| call.id.clone());
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let call = state.expect("there is a call");
    let second = start(&store, None).await;
    let before = second
        .inner
        .conversations
        .load(&id)
        .await
        .expect("it is there");
    assert_eq!(is_current(&before.conversation, &call), Some(false));
    let started = Command::ToolStarted { call: call.clone() };
    first
        .submit(&id, started, system())
        .await
        .expect("it is started");

    let later = jiff::Timestamp::now() + SignedDuration::from_hours(1);
    let mut row = None;
    with_timeout("the job is free", async {
        while row.is_none() {
            let claim = store
                .claim_jobs("tool", later, 1)
                .await
                .expect("it is read");
            row = claim.jobs.into_iter().next();
            tokio::task::yield_now().await;
        }
    })
    .await;
    let row = row.expect("it was claimed");
    let job = askback_stored::from_json::<askback_stored::StoredJob<'_>>(&row.json);
    let job = job.and_then(askback_stored::StoredJob::restore);
    let job = job.expect("it is valid");
    second.inner.running.job_started(row.id);
    run(&second, &row, job).await.expect("it is reported");
    let after = store.load(&id).await.expect("it is read");
    let after = after.expect("it is there");
    assert_ne!(
        after.row.snapshot.state, "tool_executing",
        "nobody would go on"
    );
}
