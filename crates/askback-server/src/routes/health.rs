//! Whether the server runs, whether it can serve, and its figures.

use askback_api::health::{CheckResponse, HealthResponse, ReadyResponse};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Shared;

pub(crate) async fn alive() -> Json<HealthResponse> {
    Json(HealthResponse {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

pub(crate) async fn ready(State(shared): State<Shared>) -> Response {
    let store = shared.engine.store().check().await;
    if let Err(error) = &store {
        tracing::warn!(%error, "not ready");
    }
    let ready = store.is_ok();
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
