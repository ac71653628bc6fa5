//! Webhooks that were not delivered yet: list them, and try one again.

use askback_engine::QueuedWebhook;
use askback_store::StoreError;
use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::webhook::{ListWebhooksParams, WebhookResponse};
use axum::Json;
use axum::http::StatusCode;

use super::AppState;
use crate::extract::{Id, NoBody, Query, page_limit};
use crate::openapi::Route;
use crate::problem::{Problem, problem};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::WEBHOOKS, "list_webhooks", list)
            .summary("Lists the webhooks that were not delivered yet, the oldest first.")
            .returns_list::<WebhookResponse>("A page of webhooks.")
            .reads_store(),
        Route::post(path::WEBHOOK_RETRY, "retry_webhook", retry)
            .summary("Tries a webhook again now, and then as often as the first time.")
            .returns_nothing("It is tried.")
            .writes_store(),
    ]
}

async fn list(
    state: AppState,
    Query(params): Query<ListWebhooksParams>,
) -> Result<Json<ListResponse<WebhookResponse>>, Problem> {
    let limit = page_limit(params.limit)?;
    let after = params.cursor.map(|cursor| cursor.parse());
    let after = after.transpose().map_err(|_| StoreError::BadCursor)?;
    let after = after.unwrap_or(0);
    let webhooks = state.engine.webhooks().list(after, limit).await?;
    let last = webhooks.last().filter(|_| webhooks.len() == limit);
    Ok(Json(ListResponse {
        next: last.map(|last| last.id.to_string()),
        items: webhooks.into_iter().map(response).collect(),
    }))
}

fn response(webhook: QueuedWebhook) -> WebhookResponse {
    WebhookResponse {
        id: webhook.id.to_string(),
        inquiry_id: webhook.inquiry,
        kind: webhook.event.name().to_owned(),
        host: webhook.host,
        attempts: webhook.attempts,
        last_error: webhook.last_error,
        next_attempt_at: webhook.next_attempt_at,
    }
}

async fn retry(state: AppState, Id(id): Id<String>, _: NoBody) -> Result<StatusCode, Problem> {
    let is_there = match id.parse() {
        Ok(number) => state.engine.webhooks().retry(number).await?,
        Err(_) => false,
    };
    if is_there {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = format!("No webhook {id:?} waits. It may have been delivered.");
    Err(problem(ProblemCode::NotFound).detail(detail))
}
