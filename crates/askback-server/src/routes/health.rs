//! Whether the server runs, whether it can serve, and its figures.

use std::time::Duration;

use askback_engine::Engine;
use askback_wire::health::{CheckResponse, HealthResponse, ReadyResponse};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::Shared;

pub(crate) async fn alive(State(shared): State<Shared>) -> Response {
    let (code, status) = if shared.engine.store().is_healthy() {
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

/// How long what was found out about the store is told again. Anybody may ask.
const PROBE_AGE_MAX: Duration = Duration::from_secs(2);

/// What the store said when it was last tried.
#[derive(Default)]
pub(crate) struct ReadyProbe(tokio::sync::Mutex<Option<(Instant, bool)>>);

impl ReadyProbe {
    /// Whether the store can be read. However many ask, it is tried once in a while; those who come
    /// meanwhile wait for the same reply.
    async fn is_ready(&self, engine: &Engine) -> bool {
        let mut known = self.0.lock().await;
        if let Some((at, ready)) = *known
            && at.elapsed() < PROBE_AGE_MAX
        {
            return ready;
        }
        let store = engine.store().check_readable().await;
        if let Err(error) = &store {
            tracing::warn!(%error, "not ready");
        }
        *known = Some((Instant::now(), store.is_ok()));
        store.is_ok()
    }
}

pub(crate) async fn ready(State(shared): State<Shared>) -> Response {
    let ready = shared.ready.is_ready(&shared.engine).await;
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

pub(crate) async fn metrics(State(shared): State<Shared>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let figures = shared.metrics.text(shared.engine.store().transactions());
    ([(header::CONTENT_TYPE, kind)], figures).into_response()
}

#[cfg(all(test, unix))]
#[path = "health_tests.rs"]
mod tests;
