//! Liveness, readiness and metrics.

use std::time::Duration;

use askback_engine::Engine;
use askback_wire::health::{CheckResponse, HealthResponse, ReadyResponse};
use askback_wire::path;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
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

/// The last probe of the store and its result.
#[derive(Default)]
pub(crate) struct ReadyProbe(tokio::sync::Mutex<Option<(Instant, bool)>>);

impl ReadyProbe {
    /// Whether the store can be read. Concurrent callers share one probe.
    async fn is_ready(&self, engine: &Engine) -> bool {
        let mut last = self.0.lock().await;
        if let Some((at, ready)) = *last
            && at.elapsed() < PROBE_AGE_MAX
        {
            return ready;
        }
        let store = engine.store().check_ready().await;
        if let Err(error) = &store {
            tracing::warn!(%error, "not ready");
        }
        *last = Some((Instant::now(), store.is_ok()));
        store.is_ok()
    }
}

async fn ready(State(state): State<AppState>) -> Response {
    let ready = state.ready.is_ready(&state.engine).await;
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = ReadyResponse {
        ready,
        checks: vec![CheckResponse {
            name: "store".to_owned(),
            ok: ready,
            detail: (!ready).then(|| "The store cannot be read or written.".to_owned()),
        }],
    };
    (status, Json(body)).into_response()
}

async fn metrics(State(state): State<AppState>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let store = state.engine.store();
    let pending = store.count_pending().await.ok();
    let text = state.metrics.text(store.transactions(), pending);
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

#[cfg(all(test, unix))]
#[path = "health_tests.rs"]
mod tests;
