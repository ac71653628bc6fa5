//! The routes of the API, one file for each resource. Each declares its routes once, for the router
//! and for the `OpenAPI` document.

mod ag_ui;
pub(crate) mod askers;
mod audit;
mod catalog;
mod channels;
mod conversations;
mod credentials;
mod drafts;
mod events;
mod health;
mod inquiries;
mod links;
mod presence;
mod push;
mod recipients;
mod server_process;
mod sessions;
mod snoozes;
mod typed_date;
mod webhooks;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use askback_channels::{Dispatcher, Recipients};
use askback_engine::{Engine, InquiryView};
use askback_store::StoreError;
use askback_wire::app::AppResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use axum::Router;
use axum::http::HeaderMap;
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::Semaphore;

use crate::agent_limits::AgentUsage;
use crate::authenticate::Caller;
use crate::control::ServerControl;
use crate::credentials::Credentials;
use crate::guard::{self, Guard};
use crate::mcp::{self, McpEndpoint};
use crate::observe::observe;
use crate::openapi::{self, Route};
use crate::problem::{Problem, problem};
use crate::recipient_names::{RecipientNames, shown_with_snoozes};
use crate::route_scopes::RouteScopes;
use crate::session::Sessions;
use crate::sign_in_codes::SignInCodes;
use crate::web;

/// Open feeds at the same time.
pub const STREAMS_MAX: usize = 16_384;

/// The state of every handler. Layers and handlers clone it several times for each request.
#[derive(Clone)]
pub(crate) struct AppState(Arc<AppParts>);

impl Deref for AppState {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl AppState {
    /// The recipients at this moment.
    pub(crate) fn recipients(&self) -> Arc<Recipients> {
        self.channels.people.recipients()
    }

    /// Whether an inquiry exists for a caller.
    pub(crate) fn sees(&self, caller: &Caller, view: &InquiryView) -> bool {
        caller.scope.sees(view, &self.recipients())
    }

    /// Reads the people and groups again if another node may just have added this one.
    pub(crate) async fn learn_recipient(&self, alias: &str) -> Result<(), StoreError> {
        if self.engine.store().is_shared() && !self.recipients().has(alias) {
            self.channels.people.refresh().await?;
        }
        Ok(())
    }

    /// Inquiries as a caller gets them: people have hidden others than administrators.
    pub(crate) async fn inquiries(
        &self,
        caller: &Caller,
        views: &[InquiryView],
    ) -> Result<Vec<InquiryResponse>, StoreError> {
        let own = match caller.scope.person() {
            Some(alias) if views.iter().any(|view| view.resolution.is_none()) => {
                Some(self.channels.snoozes.of(alias).await?)
            }
            Some(_) => Some(BTreeMap::new()),
            None => None,
        };
        let inquiry = |view| {
            let shown = self.recipient_names.inquiry(view);
            match &own {
                Some(own) => shown_with_snoozes(shown, view, own),
                None => shown,
            }
        };
        Ok(views.iter().map(inquiry).collect())
    }

    /// One of them.
    pub(crate) async fn inquiry(
        &self,
        caller: &Caller,
        view: &InquiryView,
    ) -> Result<InquiryResponse, StoreError> {
        let mut shown = self.inquiries(caller, std::slice::from_ref(view)).await?;
        Ok(shown
            .pop()
            .unwrap_or_else(|| self.recipient_names.inquiry(view)))
    }
}

/// What [`AppState`] shares.
pub(crate) struct AppParts {
    server: ServerParts,
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) ready: Arc<health::ReadyProbe>,
    pub(crate) backlog: Arc<health::BacklogReader>,
    pub(crate) frame_cache: events::FrameCache,
    pub(crate) sessions: Sessions,
    pub(crate) credentials: Credentials,
    pub(crate) agent_usage: AgentUsage,
    pub(crate) route_scopes: RouteScopes,
    pub(crate) sign_in_codes: SignInCodes,
}

impl Deref for AppParts {
    type Target = ServerParts;

    fn deref(&self) -> &ServerParts {
        &self.server
    }
}

/// The agents that `askback install` knows and found on this computer, by its names for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalAgents {
    /// Those that ask through askback.
    pub ready: Vec<String>,
    /// Those that do not.
    pub rest: Vec<String>,
}

/// What a server is made of.
pub struct ServerParts {
    /// Decides and stores.
    pub engine: Engine,
    /// The apps that are listed.
    pub apps: Vec<AppResponse>,
    /// Who may call.
    pub guard: Guard,
    /// Ends feeds and long polls when it stops the server.
    pub control: ServerControl,
    /// Without it, the path of MCP is not found.
    pub mcp: Option<McpEndpoint>,
    /// Delivers questions to people.
    pub channels: Dispatcher,
    /// The names of people, which others of the server know too.
    pub recipient_names: RecipientNames,
    /// Whether a model provider is configured. Without one, a script replies in conversations, and the pages say so.
    pub has_model: bool,
    /// Finds the agents of this machine, which the empty inbox names. It reads files.
    pub local_agents: fn() -> LocalAgents,
}

/// Serves the API and the web UI.
pub fn router(mut server: ServerParts) -> Router {
    let (store, clock) = (server.engine.store(), server.engine.clock());
    let token = server.guard.token.clone();
    let names = server.recipient_names.clone();
    names.follow(server.channels.people.follow_recipients());
    let mcp = server.mcp.take();
    let state = AppState(Arc::new(AppParts {
        sessions: Sessions::new(Arc::clone(store), Arc::clone(clock), token),
        credentials: Credentials::new(Arc::clone(store), Arc::clone(clock)),
        route_scopes: RouteScopes::new(),
        agent_usage: AgentUsage::default(),
        sign_in_codes: SignInCodes::default(),
        streams: Arc::new(Semaphore::new(STREAMS_MAX)),
        ready: Arc::default(),
        backlog: Arc::default(),
        frame_cache: events::FrameCache::new(names),
        server,
    }));
    recipients::follow_other_nodes(&state);
    all()
        .fold(Router::new(), |router, route| {
            router.route(route.path, route.into_handler())
        })
        .merge(web::routes())
        .merge(mcp::routes(mcp))
        .merge(server_process::routes())
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(middleware::from_fn_with_state(state.clone(), guard::check))
        .layer(middleware::from_fn_with_state(state.clone(), observe))
        .with_state(state)
}

async fn no_route(headers: HeaderMap) -> Response {
    if web::wants_page(&headers) {
        return web::not_found_page(&headers);
    }
    let detail = "Nothing is served at this path. See /openapi.json.";
    problem(ProblemCode::NotFound)
        .detail(detail)
        .into_response()
}

async fn no_method() -> Problem {
    problem(ProblemCode::MethodNotAllowed)
}

/// Problems of every route that acts on a pending question.
const TARGET_PROBLEMS: &[ProblemCode] = &[
    ProblemCode::NotPending,
    ProblemCode::StaleInquiry,
    ProblemCode::SeveralPending,
];

/// Problems of answering, declining and rejecting.
const REPLY_PROBLEMS: &[ProblemCode] = &[
    ProblemCode::Held,
    ProblemCode::InvalidUndoWindow,
    ProblemCode::AnswerUndone,
];

/// Problems of every route with an idempotency key.
const KEY_PROBLEMS: &[ProblemCode] = &[ProblemCode::InvalidKey, ProblemCode::IdempotencyMismatch];

/// Every documented route.
pub(crate) fn all() -> impl Iterator<Item = Route> {
    let groups = [
        conversations::routes(),
        feeds(),
        inquiries::routes(),
        askers::routes(),
        ag_ui::routes(),
        links::routes(),
        drafts::routes(),
        vec![snoozes::route()],
        audit::routes(),
        typed_date::routes(),
        sessions::routes(),
        credentials::routes(),
        webhooks::routes(),
        channels::routes(),
        recipients::routes(),
        push::routes(),
        presence::routes(),
        catalog::routes(),
        health::routes(),
        vec![
            Route::get(path::OPENAPI, "describe", openapi::serve)
                .summary("Returns this document.")
                .public()
                .returns_untyped("application/json", "This document."),
        ],
    ];
    groups.into_iter().flatten()
}

fn feeds() -> Vec<Route> {
    let feed = |route: Route| {
        route
            .description(
                "An endless stream. The data of each event is JSON: `inquiry` is an InquiryEvent, `state_change` a \
                 StateChangeEvent, `reset` a ResetEvent, `error` an ErrorEvent. The feed of one conversation also has `message`, a \
                 MessageEvent, and `token`, a TokenEvent. New events may be added.",
            )
            .returns_events("The feed.")
            .problems(&[ProblemCode::TooManyStreams])
            .reads_store()
    };
    vec![
        feed(Route::get(
            path::CONVERSATION_EVENTS,
            "follow_conversation",
            events::of_conversation,
        ))
        .summary("Streams the events of one conversation."),
        feed(Route::get(path::EVENTS, "follow", events::of_all))
            .summary("Streams the events of all conversations."),
    ]
}

#[cfg(test)]
#[path = "routes_tests.rs"]
mod tests;
