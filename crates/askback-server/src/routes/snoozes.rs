//! Snoozes: pending inquiries that are hidden from the inbox until a time. A snooze changes neither the
//! inquiry nor its deadline; surfaces decide what they hide.

use askback_core::conversation::deadline::reminder_at;
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_engine::SubmitError;
use askback_store::SnoozeRow;
use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::snooze::{SnoozeParams, SnoozeResponse};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::AppState;
use super::inquiries::find;
use crate::extract::{Body, Id};
use crate::openapi::Route;
use crate::problem::{Problem, conflict};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::put(path::INQUIRY_SNOOZE, "snooze_inquiry", put_snooze)
            .summary("Hides a pending inquiry from the inbox until a time, or shows it again.")
            .returns_nothing("The snooze is stored.")
            .problems(&[ProblemCode::NotPending])
            .writes_store(),
        Route::get(path::SNOOZES, "list_snoozes", list)
            .summary("Lists the inquiries that are hidden from the inbox, soonest first.")
            .returns_list::<SnoozeResponse>("All snoozes.")
            .reads_store(),
    ]
}

async fn put_snooze(
    State(state): State<AppState>,
    Id(id): Id<InquiryId>,
    Body(params): Body<SnoozeParams>,
) -> Result<StatusCode, Problem> {
    if find(&state, &id).await?.resolution.is_some() {
        let ended = SubmitError::Rejected(Rejection::NotPending);
        return Err(conflict(&state.engine, ended, Some(&id)).await);
    }
    state.engine.snooze(&id, params.until).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn list(
    State(state): State<AppState>,
) -> Result<Json<ListResponse<SnoozeResponse>>, Problem> {
    let now = state.engine.clock().now();
    let rows = state.engine.store().snoozes(now).await?;
    let mut items: Vec<SnoozeResponse> = rows.into_iter().map(response).collect();
    items.retain(|snooze| snooze.until > now);
    items.sort_by_key(|snooze| snooze.until);
    Ok(Json(ListResponse { items, next: None }))
}

/// A question whose deadline is near is shown, however long it was to be hidden.
fn response(row: SnoozeRow) -> SnoozeResponse {
    let reminder = row.expires_at.map(|at| reminder_at(row.asked_at, at));
    SnoozeResponse {
        inquiry_id: row.inquiry,
        until: reminder.map_or(row.until, |at| at.min(row.until)),
    }
}
