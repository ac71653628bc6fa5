//! Inquiries: ask as an external agent, list and read them, answer or end them.

mod actions;
mod ask;

use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_engine::{InquiryView, SubmitError};
use askback_store::{AskerFilter, InquiryFilter, Page, StoreError};
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus, ReadInquiryParams};
use askback_wire::list::{ListInquiriesParams, ListResponse};
use askback_wire::problem::ProblemCode;
use askback_wire::{limits, path};
use axum::extract::State;
use axum::{Extension, Json};

use super::AppState;
use super::askers;
use crate::authenticate::Caller;
use crate::extract::{Id, Query, page_limit};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::scope::Scope;

pub(super) use actions::{refuse_incomplete, refuse_undone, reply_command};

pub(super) fn routes() -> Vec<Route> {
    let mut routes = vec![
        ask::route(),
        Route::get(path::INQUIRIES, "list_inquiries", list)
            .summary("Lists inquiries: pending ones by deadline, then age; others newest first.")
            .returns_list::<InquiryResponse>("A page of inquiries.")
            .reads_store(),
        Route::get(path::INQUIRY, "read_inquiry", read)
            .summary("Returns an inquiry. With `wait`, waits for its outcome first.")
            .returns::<InquiryResponse>(200, "The inquiry.")
            .reads_store(),
    ];
    routes.extend(actions::routes());
    routes
}

async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Query(params): Query<ListInquiriesParams>,
) -> Result<Json<ListResponse<InquiryResponse>>, Problem> {
    if let Some(InquiryStatus::Unknown(status)) = &params.status {
        let known = InquiryStatus::VALUES.join(", ");
        let detail = format!("`status` must be one of {known}, not {status:?}.");
        return Err(problem(ProblemCode::InvalidQuery).detail(detail));
    }
    if let Some(key) = &params.key {
        let alone = ListInquiriesParams {
            key: params.key.clone(),
            limit: params.limit,
            ..ListInquiriesParams::default()
        };
        if params != alone {
            let detail = "`key` names one question: send it without other filters.";
            return Err(problem(ProblemCode::InvalidQuery).detail(detail));
        }
        let owner = caller.scope.key_owner();
        let view = state.engine.inquiry_with_key(owner.as_deref(), key);
        let view = view.await?;
        let view = view.filter(|view| state.sees(&caller, view));
        let items = view.iter().map(|view| state.recipient_names.inquiry(view));
        return Ok(Json(ListResponse {
            items: items.collect(),
            next: None,
        }));
    }
    let filter = InquiryFilter {
        status: params.status.map(|status| status.to_string()),
        conversation: params.conversation_id,
        asker: params.asker_client.map(|client| AskerFilter {
            client: askers::client_name(&caller.scope, client),
            project: params.asker_project.map(askers::stored_name),
            session: params.asker_session.map(askers::stored_name),
        }),
        cursor: params.cursor,
        limit: page_limit(params.limit)?,
    };
    let page = visible_page(&state, &caller, filter).await?;
    let items = page.items.iter();
    Ok(Json(ListResponse {
        items: items
            .map(|view| state.recipient_names.inquiry(view))
            .collect(),
        next: page.next,
    }))
}

/// How many pages are read for one that is shown to a caller who does not see everything. A page may therefore have fewer
/// inquiries than were asked for, and a next one.
const PAGES_READ_MAX: usize = 20;

/// A page of what the caller sees.
async fn visible_page(
    state: &AppState,
    caller: &Caller,
    mut filter: InquiryFilter,
) -> Result<Page<InquiryView>, StoreError> {
    if caller.scope == Scope::Admin {
        return state.engine.inquiries(filter).await;
    }
    let limit = filter.limit;
    let mut shown = Vec::new();
    for _ in 0..PAGES_READ_MAX {
        filter.limit = limit - shown.len();
        let page = state.engine.inquiries(filter.clone()).await?;
        let visible = page.items.into_iter();
        shown.extend(visible.filter(|view| state.sees(caller, view)));
        filter.cursor = page.next;
        if filter.cursor.is_none() || shown.len() >= limit {
            break;
        }
    }
    Ok(Page {
        items: shown,
        next: filter.cursor,
    })
}

async fn read(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Id(id): Id<InquiryId>,
    Query(params): Query<ReadInquiryParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let view = find(&state, &caller, &id).await?;
    let view = match params.wait {
        // It may be handed on while the caller waits.
        Some(wait) if view.resolution.is_none() => {
            visible(&state, &caller, &id, wait_for(&state, &id, wait).await?)?
        }
        Some(_) | None => view,
    };
    Ok(Json(state.recipient_names.inquiry(&view)))
}

/// The inquiry with its outcome, or as it is when the time is up.
async fn wait_for(
    state: &AppState,
    id: &InquiryId,
    wait: HumanDuration,
) -> Result<InquiryView, Problem> {
    let longest = std::time::Duration::from_secs(limits::WAIT_SECONDS_MAX.unsigned_abs());
    let waiting = state.engine.wait_for(id, wait.std_duration().min(longest));
    let view = tokio::select! {
        view = waiting => view?,
        // A server that shuts down returns the inquiry as it is. The client asks again elsewhere.
        () = state.control.stopping() => state.engine.inquiry(id).await?,
    };
    view.ok_or_else(|| no_inquiry(id))
}

/// An inquiry that the caller sees.
pub(super) async fn find(
    state: &AppState,
    caller: &Caller,
    id: &InquiryId,
) -> Result<InquiryView, Problem> {
    let view = state.engine.inquiry(id).await?;
    visible(state, caller, id, view.ok_or_else(|| no_inquiry(id))?)
}

/// Like [`find`], for a command on the inquiry.
async fn find_to_change(
    state: &AppState,
    caller: &Caller,
    id: &InquiryId,
) -> Result<InquiryView, Problem> {
    let view = state.engine.inquiry_to_change(id).await?;
    visible(state, caller, id, view.ok_or_else(|| no_inquiry(id))?)
}

/// What the caller does not see does not exist for them.
fn visible(
    state: &AppState,
    caller: &Caller,
    id: &InquiryId,
    view: InquiryView,
) -> Result<InquiryView, Problem> {
    if state.sees(caller, &view) {
        Ok(view)
    } else {
        Err(no_inquiry(id))
    }
}

fn no_inquiry(id: &InquiryId) -> Problem {
    problem(ProblemCode::NotFound).detail(format!("No question has the id {id}."))
}

/// An inquiry that existed a moment ago: if it is gone, its conversation was deleted.
async fn find_or_closed(state: &AppState, id: &InquiryId) -> Result<InquiryView, Problem> {
    let view = state.engine.inquiry(id).await?;
    view.ok_or_else(|| SubmitError::Rejected(Rejection::Closed).into())
}

#[cfg(test)]
#[path = "inquiries_tests.rs"]
mod tests;
