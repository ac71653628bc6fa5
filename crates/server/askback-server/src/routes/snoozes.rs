//! Snoozes: pending inquiries that are hidden from the inbox until a time. A snooze changes neither the
//! questions nor their deadline; surfaces decide what they hide. A person hides them from themselves, an administrator from
//! administrators.

use askback_core::id::InquiryId;
use askback_core::time::whole_millis;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::snooze::SnoozeParams;
use axum::Json;

use super::AppState;
use super::inquiries::{find, find_pending};
use crate::authenticate::Caller;
use crate::extract::{Body, Id};
use crate::openapi::Route;
use crate::problem::{Problem, problem};

pub(super) fn route() -> Route {
    Route::put(path::INQUIRY_SNOOZE, "snooze_inquiry", put_snooze)
        .summary("Hides a pending inquiry from the inbox until a time, or shows it again.")
        .returns::<InquiryResponse>(200, "The inquiry after the request.")
        .problems(&[ProblemCode::NotPending, ProblemCode::DeadlinePassed])
        .writes_store()
}

async fn put_snooze(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
    Body(params): Body<SnoozeParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    find_pending(&state, &caller, &id).await?;
    if params
        .until
        .is_some_and(|until| until <= state.engine.clock().now())
    {
        let detail = "`until` is in the past. Send a time in the future, or leave it out to show the question now.";
        return Err(problem(ProblemCode::DeadlinePassed).detail(detail));
    }
    match caller.scope.person() {
        Some(alias) => {
            let until = params.until.map(whole_millis);
            state.channels.snoozes.set(alias, &id, until).await?;
            state.engine.publish_snooze_of(alias, &id).await?;
        }
        None => state.engine.snooze(&id, params.until).await?,
    }
    let view = find(&state, &caller, &id).await?;
    Ok(Json(state.inquiry(&caller, &view).await?))
}
