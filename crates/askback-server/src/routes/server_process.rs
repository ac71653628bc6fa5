//! What the processes of one data directory say to each other.

use askback_wire::problem::ProblemCode;
use askback_wire::server_process::{
    HAND_OVER_PATH, HandOverParams, HandOverResponse, PROOF_PATH, ProofParams, ProofResponse, proof,
};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::{get, post};
use axum::{Json, Router};

use super::Shared;
use crate::extract::{Body, Query};
use crate::problem::{Problem, problem};

/// The routes, which are no part of the documented API.
pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route(PROOF_PATH, get(prove))
        .route(HAND_OVER_PATH, post(hand_over))
}

/// Proves that this server knows the token, to somebody who must not show it before. Says nothing
/// else, and so needs no token.
async fn prove(
    State(shared): State<Shared>,
    Query(params): Query<ProofParams>,
) -> Result<Json<ProofResponse>, Problem> {
    if !params.is_valid() {
        return Err(problem(ProblemCode::InvalidQuery));
    }
    let token = shared.guard.token.reveal();
    Ok(Json(ProofResponse {
        proof: proof(token, shared.control.address(), &params.nonce),
    }))
}

/// Stops this server, if it runs beside another command and the caller will run a better one. A
/// browser cannot ask for it.
async fn hand_over(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Body(params): Body<HandOverParams>,
) -> Result<Json<HandOverResponse>, Problem> {
    if !shared.guard.token.opens_by_bearer(&headers) {
        return Err(problem(ProblemCode::Unauthorized));
    }
    Ok(Json(HandOverResponse {
        handing_over: shared.control.hand_over_to(params.role),
    }))
}
