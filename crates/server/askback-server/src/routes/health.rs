//! Liveness, readiness and metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askback_channels::Dispatcher;
use askback_engine::Engine;
use askback_store::{Store, StoreError};
use askback_wire::health::{CheckResponse, HealthResponse, ReadyResponse};
use askback_wire::path;
use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::watch;
use tokio::time::Instant;

use super::AppState;
use crate::openapi::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::HEALTHZ, "check_health", alive)
            .summary("Reports whether the process works.")
            .public()
            .returns::<HealthResponse>(200, "It works.")
            .returns::<HealthResponse>(503, "It runs, but can no longer write to its store."),
        Route::get(path::READYZ, "check_readiness", ready)
            .summary("Reports whether the server can handle requests.")
            .public()
            .returns::<ReadyResponse>(200, "It can.")
            .returns::<ReadyResponse>(503, "It cannot, or not all of them."),
        Route::get(path::METRICS, "read_metrics", metrics)
            .summary("Returns metrics for Prometheus.")
            .returns_untyped("application/openmetrics-text", "The metrics."),
    ]
}

async fn alive(state: AppState) -> Response {
    let (code, status) = if state.engine.store().is_healthy() {
        (StatusCode::OK, "ok")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "failed")
    };
    let body = HealthResponse {
        status: status.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    (code, Json(body)).into_response()
}

/// How long a probe result is reused. The route is public, so a probe must be cheap.
const PROBE_AGE_MAX: Duration = Duration::from_secs(2);
/// How long a caller waits for a probe. A database that hangs is not ready, however long it takes to fail.
const PROBE_WAIT_MAX: Duration = Duration::from_millis(1500);

/// Runs a task for all who wait for its result, one at a time. A task that takes longer than they wait runs on alone, so that
/// reads of a database that hangs do not pile up.
pub(crate) struct SharedTask<T> {
    results: watch::Sender<Option<T>>,
    is_running: AtomicBool,
}

pub(crate) type ReadyProbe = SharedTask<ProbeResult>;
/// Reads what waits in the store into the metrics.
pub(crate) type BacklogReader = SharedTask<()>;

impl<T> Default for SharedTask<T> {
    fn default() -> SharedTask<T> {
        SharedTask {
            results: watch::Sender::new(None),
            is_running: AtomicBool::new(false),
        }
    }
}

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    /// The last result, and what receives the next one.
    fn last(&self) -> (Option<T>, watch::Receiver<Option<T>>) {
        let mut results = self.results.subscribe();
        let last = results.borrow_and_update().clone();
        (last, results)
    }

    /// The result of the task that runs or is started now; `None` if it takes too long.
    async fn run(
        self: &Arc<Self>,
        mut results: watch::Receiver<Option<T>>,
        wait_max: Duration,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        if !self.is_running.swap(true, Ordering::AcqRel) {
            let shared = Arc::clone(self);
            tokio::spawn(async move {
                shared.results.send_replace(Some(task.await));
                shared.is_running.store(false, Ordering::Release);
            });
        }
        let changed = tokio::time::timeout(wait_max, results.changed()).await;
        changed.ok().and_then(|_| results.borrow().clone())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct ProbeResult {
    ended_at: Instant,
    /// Why the store is not ready. Public, so it names no files.
    failure: Option<&'static str>,
    /// Whether a node on the same database has another token.
    has_other_tokens: bool,
}

impl ReadyProbe {
    /// The result of a probe; `None` if it takes too long.
    async fn result(self: &Arc<Self>, engine: &Engine) -> Option<ProbeResult> {
        let (last, results) = self.last();
        let store = engine.store();
        let has_failed_since = last.is_some_and(|last| last.failure.is_none())
            && (store.has_failed_writes() || store.check_in_place().is_err());
        if !has_failed_since && last.is_some_and(|last| last.ended_at.elapsed() < PROBE_AGE_MAX) {
            return last;
        }
        let probing = probe(Arc::clone(store));
        self.run(results, PROBE_WAIT_MAX, probing).await
    }
}

async fn probe(store: Arc<dyn Store>) -> ProbeResult {
    let ready = store.check_ready().await;
    if let Err(error) = &ready {
        tracing::warn!(%error, "not ready");
    }
    let others = match &ready {
        Ok(()) => store.nodes_with_other_tokens().await.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    ProbeResult {
        ended_at: Instant::now(),
        failure: ready.err().map(|error| failure_text(&error)),
        has_other_tokens: !others.is_empty(),
    }
}

const UNAVAILABLE: &str = "The store cannot be read or written.";

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all others are about the store as a whole"
)]
fn failure_text(error: &StoreError) -> &'static str {
    match error {
        StoreError::Damaged(_) => {
            "The database is damaged, so nothing is written any more. The log says where and what to do."
        }
        StoreError::Replaced(_) => {
            "The files of the database were removed or replaced, so nothing is written any more. The log says which."
        }
        _ => UNAVAILABLE,
    }
}

/// Public, so it names no nodes.
const OTHER_TOKENS: &str = "Another node on this database has another token: links and sign-ins of one are not valid on \
     the other. Start all nodes with the same --token-file.";

async fn ready(state: AppState) -> Response {
    let result = state.ready.result(&state.engine).await;
    let failure = result.map_or(Some(UNAVAILABLE), |result| result.failure);
    let ready = failure.is_none();
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let mut checks = vec![CheckResponse {
        name: "store".to_owned(),
        ok: ready,
        detail: failure.map(str::to_owned),
    }];
    if result.is_some_and(|result| result.has_other_tokens) {
        checks.push(CheckResponse {
            name: "token".to_owned(),
            ok: false,
            detail: Some(OTHER_TOKENS.to_owned()),
        });
    }
    (status, Json(ReadyResponse { ready, checks })).into_response()
}

/// How long a caller waits for what waits in the store. With a million pending inquiries it gets what was read for the
/// caller before.
const BACKLOG_WAIT_MAX: Duration = Duration::from_millis(5);
/// The first caller waits longer, because nothing was read before.
const FIRST_WAIT_MAX: Duration = Duration::from_secs(2);

async fn read_backlog(engine: Engine, channels: Dispatcher) {
    match engine.read_backlog().await {
        Ok(backlog) => {
            for (channel, ..) in channels.statuses() {
                engine.metrics().set_messages_waiting(&channel, &backlog);
            }
        }
        Err(error) => tracing::warn!(%error, "cannot count what waits in the store"),
    }
}

async fn metrics(state: AppState) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let (engine, metrics) = (&state.engine, state.engine.metrics());
    let (last, results) = state.backlog.last();
    let wait_max = match last {
        None => FIRST_WAIT_MAX,
        Some(()) => BACKLOG_WAIT_MAX,
    };
    let reading = read_backlog(engine.clone(), state.channels.clone());
    state.backlog.run(results, wait_max, reading).await;
    if let Some(transactions) = engine.store().transactions() {
        metrics.set_transactions(transactions);
    }
    ([(header::CONTENT_TYPE, kind)], metrics.text()).into_response()
}

#[cfg(test)]
#[path = "health_tests.rs"]
mod tests;
