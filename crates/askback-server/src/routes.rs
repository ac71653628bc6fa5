//! The routes: what the documentation promises, one file for each resource.

mod askers;
mod conversations;
mod drafts;
mod events;
mod health;
mod inquiries;
mod links;
mod listing;
mod server_process;
mod sessions;
mod state;

use std::sync::Arc;

use askback_engine::Engine;
use askback_wire::app::AppResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use axum::Router;
use axum::middleware;
use axum::routing::{delete, get, post, put};
use tokio::sync::Semaphore;

use crate::control::ServerControl;
use crate::guard::{self, Guard};
use crate::metrics::{self, Metrics};
use crate::openapi;
use crate::problem::{Problem, problem};
use crate::session::Sessions;
use crate::web;

pub(crate) use inquiries::response as inquiry_response;
pub(crate) use state::response as state_response;

/// Feeds that may be open at the same time.
pub const STREAMS_MAX: usize = 16_384;

/// What every handler shares.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) apps: Arc<[AppResponse]>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) ready: Arc<health::ReadyProbe>,
    pub(crate) frame_cache: Arc<events::FrameCache>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) control: ServerControl,
}

/// The whole API on an engine. Its feeds and long polls end when `control` stops the server.
pub fn router(
    engine: Engine,
    apps: Vec<AppResponse>,
    guard: Guard,
    control: ServerControl,
) -> Router {
    let guard = Arc::new(guard);
    let sessions = Sessions::new(
        Arc::clone(engine.store()),
        Arc::clone(engine.clock()),
        guard.token.clone(),
    );
    let shared = Shared {
        sessions: Arc::new(sessions),
        guard,
        control,
        metrics: Arc::new(Metrics::new()),
        streams: Arc::new(Semaphore::new(STREAMS_MAX)),
        ready: Arc::default(),
        frame_cache: Arc::default(),
        apps: apps.into(),
        engine,
    };
    Router::new()
        .route(
            path::CONVERSATIONS,
            post(conversations::create).get(conversations::list),
        )
        .route(
            path::CONVERSATION,
            get(conversations::read).delete(conversations::delete),
        )
        .route(path::MESSAGES, post(conversations::send))
        .route(path::RESPOND, post(conversations::respond))
        .route(path::DECLINE, post(conversations::decline))
        .route(path::REJECT, post(conversations::reject))
        .route(path::CANCEL, post(conversations::cancel))
        .route(path::CONVERSATION_EVENTS, get(events::of_conversation))
        .route(path::EVENTS, get(events::of_all))
        .route(path::INQUIRIES, post(inquiries::ask).get(inquiries::list))
        .route(path::INQUIRY, get(inquiries::read))
        .route(path::INQUIRY_ANSWER, post(inquiries::answer))
        .route(path::INQUIRY_DECLINE, post(inquiries::decline))
        .route(path::INQUIRY_CANCEL, post(inquiries::cancel))
        .route(path::INQUIRY_WITHDRAW, post(inquiries::withdraw))
        .route(path::INQUIRY_DEADLINE, put(inquiries::move_deadline))
        .route(path::INQUIRY_KEEP_OPEN, post(inquiries::keep_open))
        .route(path::INQUIRY_UNDO, post(inquiries::undo))
        .route(path::INQUIRY_DELIVERY, post(askers::note_delivery))
        .route(
            path::INQUIRY_DRAFT,
            put(drafts::put_draft).get(drafts::read_draft),
        )
        .route(path::INQUIRY_LINKS, post(links::make))
        .route(
            path::SESSIONS,
            get(sessions::list).delete(sessions::end_all),
        )
        .route(path::SESSION, delete(sessions::end))
        .route(path::SIGN_OUT, post(sessions::sign_out))
        .route(path::APPS, get(listing::apps))
        .route(path::DIALECTS, get(listing::dialects))
        .route(path::OPENAPI, get(openapi::serve))
        .route(path::HEALTHZ, get(health::alive))
        .route(path::READYZ, get(health::ready))
        .route(path::METRICS, get(health::metrics))
        .merge(web::routes())
        .merge(server_process::routes())
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&shared.metrics),
            metrics::count,
        ))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
        .with_state(shared)
}

async fn no_route() -> Problem {
    problem(ProblemCode::NotFound)
}

async fn no_method() -> Problem {
    problem(ProblemCode::MethodNotAllowed)
}
