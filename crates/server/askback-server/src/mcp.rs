//! Where the MCP endpoint is mounted. The endpoint itself comes from another crate, as a tower service.

use std::convert::Infallible;

use askback_wire::credential::AGENT_HEADER;
use askback_wire::path::percent_encoded;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response as HttpResponse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, any};
use axum::{BoxError, Router};
use tower::{Service, ServiceExt as _};

use crate::authenticate::Caller;
use crate::extract::read_body;
use crate::routes::AppState;

/// The path of the MCP endpoint.
pub const MCP_PATH: &str = "/mcp";

/// A service that the server mounts at [`MCP_PATH`], behind the same guard as every other route.
#[derive(Debug, Clone)]
pub struct McpEndpoint(MethodRouter<AppState>);

impl McpEndpoint {
    /// The service gets requests whose body is already complete and within the server's limits.
    pub fn new<S, B>(service: S) -> McpEndpoint
    where
        S: Service<Request, Response = HttpResponse<B>, Error = Infallible>,
        S: Clone + Send + Sync + 'static,
        S::Future: Send,
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        McpEndpoint(any(move |request: Request| {
            handle(service.clone(), request)
        }))
    }
}

pub(crate) fn routes(endpoint: Option<McpEndpoint>) -> Router<AppState> {
    match endpoint {
        Some(endpoint) => Router::new().route(MCP_PATH, endpoint.0),
        None => Router::new(),
    }
}

/// The service learns from a header for which agent it acts. Only this server sets it.
fn name_agent(parts: &mut Parts) {
    parts.headers.remove(AGENT_HEADER);
    let caller = parts.extensions.get::<Caller>();
    let agent = caller.and_then(|caller| caller.scope.agent());
    if let Some(value) = agent.and_then(|name| HeaderValue::from_str(&percent_encoded(name)).ok()) {
        parts.headers.insert(AGENT_HEADER, value);
    }
}

async fn handle<S, B>(service: S, request: Request) -> Response
where
    S: Service<Request, Response = HttpResponse<B>, Error = Infallible>,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let (mut parts, body) = request.into_parts();
    name_agent(&mut parts);
    let body = match read_body(body).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    let request = Request::from_parts(parts, Body::from(body));
    match service.oneshot(request).await {
        Ok(response) => response.into_response(),
        Err(never) => match never {},
    }
}
