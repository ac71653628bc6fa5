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
use axum::extract::State;
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

async fn alive(State(state): State<AppState>) -> Response {
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

/// Probes the store, one probe at a time.
#[derive(Default)]
pub(crate) struct ReadyProbe {
    results: watch::Sender<Option<ProbeResult>>,
    is_running: AtomicBool,
}

#[derive(Clone, Copy)]
struct ProbeResult {
    ended_at: Instant,
    /// Why the store is not ready. Public, so it names no files.
    failure: Option<&'static str>,
    /// Whether a node on the same database has another token.
    has_other_tokens: bool,
}

impl ReadyProbe {
    /// The result of a probe; `None` if it takes too long. Concurrent callers share one probe. A probe that takes
    /// longer than its callers wait runs on alone, so that probes of a database that hangs do not pile up.
    async fn result(self: &Arc<Self>, engine: &Engine) -> Option<ProbeResult> {
        let mut results = self.results.subscribe();
        let last = *results.borrow_and_update();
        let store = engine.store();
        let has_failed_since = last.is_some_and(|last| last.failure.is_none())
            && (store.has_failed_writes() || store.check_in_place().is_err());
        if !has_failed_since && last.is_some_and(|last| last.ended_at.elapsed() < PROBE_AGE_MAX) {
            return last;
        }
        if !self.is_running.swap(true, Ordering::AcqRel) {
            tokio::spawn(Arc::clone(self).probe(Arc::clone(store)));
        }
        match tokio::time::timeout(PROBE_WAIT_MAX, results.changed()).await {
            Ok(_) => *results.borrow(),
            Err(_) => None,
        }
    }

    async fn probe(self: Arc<Self>, store: Arc<dyn Store>) {
        let ready = store.check_ready().await;
        if let Err(error) = &ready {
            tracing::warn!(%error, "not ready");
        }
        let others = match &ready {
            Ok(()) => store.nodes_with_other_tokens().await.unwrap_or_default(),
            Err(_) => Vec::new(),
        };
        self.results.send_replace(Some(ProbeResult {
            ended_at: Instant::now(),
            failure: ready.err().map(|error| failure_text(&error)),
            has_other_tokens: !others.is_empty(),
        }));
        self.is_running.store(false, Ordering::Release);
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

async fn ready(State(state): State<AppState>) -> Response {
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

/// Reads what waits in the store into the metrics, one read at a time.
#[derive(Default)]
pub(crate) struct BacklogReader {
    /// How many reads have ended.
    ended: watch::Sender<u64>,
    is_running: AtomicBool,
}

impl BacklogReader {
    /// Returns when the metrics are up to date, or when that takes too long.
    async fn refresh(self: &Arc<Self>, engine: &Engine, channels: &Dispatcher) {
        let mut ended = self.ended.subscribe();
        let is_first = *ended.borrow_and_update() == 0;
        if !self.is_running.swap(true, Ordering::AcqRel) {
            let (reader, engine, channels) = (Arc::clone(self), engine.clone(), channels.clone());
            tokio::spawn(async move { reader.read(&engine, &channels).await });
        }
        let wait = if is_first {
            FIRST_WAIT_MAX
        } else {
            BACKLOG_WAIT_MAX
        };
        drop(tokio::time::timeout(wait, ended.changed()).await);
    }

    async fn read(&self, engine: &Engine, channels: &Dispatcher) {
        match engine.read_backlog().await {
            Ok(backlog) => {
                for (channel, ..) in channels.statuses() {
                    engine.metrics().set_messages_waiting(&channel, &backlog);
                }
            }
            Err(error) => tracing::warn!(%error, "cannot count what waits in the store"),
        }
        self.is_running.store(false, Ordering::Release);
        self.ended.send_modify(|ended| *ended += 1);
    }
}

async fn metrics(State(state): State<AppState>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let (engine, metrics) = (&state.engine, state.engine.metrics());
    state.backlog.refresh(engine, &state.channels).await;
    if let Some(transactions) = engine.store().transactions() {
        metrics.set_transactions(transactions);
    }
    ([(header::CONTENT_TYPE, kind)], metrics.text()).into_response()
}

#[cfg(test)]
#[path = "health_tests.rs"]
mod tests;
