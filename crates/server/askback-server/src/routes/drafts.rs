//! Drafts: unfinished answers, stored so that a reload or a crash loses little.

use askback_core::conversation::rejection::Rejection;
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_core::outcome::Surface;
use askback_engine::SubmitError;
use askback_store::DraftRow;
use askback_wire::draft::{DraftParams, DraftResponse, SavedDraftResponse};
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::server_process::hex;
use axum::Json;
use sha2::{Digest as _, Sha256};

use super::AppState;
use super::inquiries::{find, find_pending};
use crate::authenticate::Caller;
use crate::extract::{Body, Id, RequestActor};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::scope::Scope;

/// Enough that two drafts of one question do not collide.
const VERSION_BYTES: usize = 16;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::put(path::INQUIRY_DRAFT, "keep_draft", put_draft)
            .summary("Stores an unfinished answer.")
            .returns::<SavedDraftResponse>(200, "The draft is stored.")
            .problems(&[
                ProblemCode::NotPending,
                ProblemCode::StaleInquiry,
                ProblemCode::DraftChanged,
            ])
            .writes_store(),
        Route::get(path::INQUIRY_DRAFT, "read_draft", read_draft)
            .summary("Returns the stored unfinished answer.")
            .returns::<DraftResponse>(200, "The draft, or null if none is stored.")
            .reads_store(),
    ]
}

async fn put_draft(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
    RequestActor(actor): RequestActor,
    Body(params): Body<DraftParams>,
) -> Result<Json<SavedDraftResponse>, Problem> {
    let view = find_pending(&state, &caller, &id).await?;
    if params
        .revision
        .is_some_and(|seen| seen != view.row.revision)
    {
        return Err(SubmitError::Rejected(Rejection::StaleInquiry).into());
    }
    let draft = Draft::restore(&view.inquiry, params.draft);
    let json = serde_json::to_string(&draft).map_err(|_| problem(ProblemCode::InvalidJson))?;
    let row = DraftRow {
        inquiry: id,
        json,
        at: state.engine.clock().now(),
    };
    let saved = SavedDraftResponse {
        version: version(Some(&row)),
    };
    let store = state.engine.store();
    if let Some(replaces) = params.replaces {
        let stored = store.draft(&row.inquiry).await?;
        // Another one may be stored between the two.
        let is_same = replaces == version(stored.as_ref());
        if !is_same || !store.replace_draft(row, stored).await? {
            // Or the inquiry has ended since it was read.
            find_pending(&state, &caller, &view.row.id).await?;
            return Err(problem(ProblemCode::DraftChanged));
        }
    } else {
        store.put_draft(row).await?;
    }
    let is_page_of_others = matches!(caller.scope, Scope::Inquiry { .. });
    if !is_page_of_others && matches!(actor.surface, Surface::Web | Surface::Terminal) {
        state.channels.presence.note(caller.scope.person()).await?;
    }
    Ok(Json(saved))
}

/// Identifies the content of a stored draft; empty without one. Two copies with the same content are not in conflict.
fn version(row: Option<&DraftRow>) -> String {
    row.map(|row| hex(&Sha256::digest(&row.json)[..VERSION_BYTES]))
        .unwrap_or_default()
}

async fn read_draft(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
) -> Result<Json<DraftResponse>, Problem> {
    let view = find(&state, &caller, &id).await?;
    let kept = state.engine.store().draft(&id).await?;
    let draft = kept
        .as_ref()
        .and_then(|row| serde_json::from_str(&row.json).ok());
    let version = version(kept.as_ref());
    Ok(Json(DraftResponse {
        inquiry_id: id,
        draft: draft.map(|draft| Draft::restore(&view.inquiry, draft)),
        saved_at: kept.map(|row| row.at),
        version,
    }))
}
