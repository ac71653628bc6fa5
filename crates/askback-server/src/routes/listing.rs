//! What there is to choose from: apps and dialects.

use askback_core::dialect::Dialect;
use askback_wire::app::{AppResponse, DialectResponse};
use askback_wire::limits;
use askback_wire::list::ListResponse;
use axum::Json;
use axum::extract::State;

use super::Shared;

/// Items on a page, within bounds.
pub(super) fn page_size(wanted: Option<usize>) -> usize {
    wanted
        .unwrap_or(limits::PAGE_ITEMS)
        .clamp(1, limits::PAGE_ITEMS_MAX)
}

pub(crate) async fn apps(State(shared): State<Shared>) -> Json<ListResponse<AppResponse>> {
    Json(ListResponse {
        items: shared.apps.to_vec(),
        next: None,
    })
}

pub(crate) async fn dialects() -> Json<ListResponse<DialectResponse>> {
    Json(ListResponse {
        items: Dialect::ALL
            .into_iter()
            .map(DialectResponse::from)
            .collect(),
        next: None,
    })
}
