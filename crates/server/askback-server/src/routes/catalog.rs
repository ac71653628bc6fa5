//! Lists of what the server offers: apps and dialects.

use askback_core::dialect::Dialect;
use askback_wire::app::{AppResponse, DialectResponse};
use askback_wire::list::ListResponse;
use askback_wire::path;
use axum::Json;

use super::AppState;
use crate::openapi::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::APPS, "list_apps", apps)
            .summary("Lists the apps that conversations can be started with.")
            .returns_list::<AppResponse>("All apps."),
        Route::get(path::DIALECTS, "list_dialects", dialects)
            .summary("Lists the tool contracts, with description and JSON Schema.")
            .returns_list::<DialectResponse>("All dialects."),
    ]
}

async fn apps(state: AppState) -> Json<ListResponse<AppResponse>> {
    Json(ListResponse {
        items: state.apps.clone(),
        next: None,
    })
}

async fn dialects() -> Json<ListResponse<DialectResponse>> {
    Json(ListResponse {
        items: Dialect::TOOLS
            .into_iter()
            .map(DialectResponse::from)
            .collect(),
        next: None,
    })
}
