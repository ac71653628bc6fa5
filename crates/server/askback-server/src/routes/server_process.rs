//! Requests between the processes that share a data directory. Not part of the documented API.

use askback_wire::problem::ProblemCode;
use askback_wire::server_process::{
    HAND_OVER_PATH, HandOverParams, HandOverResponse, PROOF_PATH, ProofParams, ProofResponse, proof,
};
use axum::http::HeaderMap;
use axum::routing::{get, post};
use axum::{Json, Router};

use super::AppState;
use crate::extract::{Body, Query};
use crate::problem::{Problem, problem};

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route(PROOF_PATH, get(prove))
        .route(HAND_OVER_PATH, post(hand_over))
}

/// Proves that this server knows the token, before the client sends it. Reveals nothing else, so it
/// needs no token.
async fn prove(
    state: AppState,
    Query(params): Query<ProofParams>,
) -> Result<Json<ProofResponse>, Problem> {
    if !params.is_valid() {
        let detail = "`nonce` must be 64 hexadecimal digits.";
        return Err(problem(ProblemCode::InvalidQuery).detail(detail));
    }
    let token = state.guard.token.reveal();
    Ok(Json(ProofResponse {
        proof: proof(token, state.control.address(), &params.nonce),
    }))
}

/// Stops this server if it is embedded in another command and the caller is about to run a dedicated
/// one. Requires the token in a header, so a browser cannot do it.
async fn hand_over(
    state: AppState,
    headers: HeaderMap,
    Body(params): Body<HandOverParams>,
) -> Result<Json<HandOverResponse>, Problem> {
    if !state.guard.token.is_in_authorization_header(&headers) {
        return Err(problem(ProblemCode::Unauthorized));
    }
    Ok(Json(HandOverResponse {
        handing_over: state.control.hand_over_to(params.role),
    }))
}
