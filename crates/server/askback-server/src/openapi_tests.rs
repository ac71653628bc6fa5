//! The document matches the router, and its references resolve.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use askback_core::conversation::command::RawReply;
use askback_engine::ports::{
    App, Apps, Llm, LlmFailure, LlmRequest, PortFuture, TokenSink, ToolDefinition, ToolReturn,
    ToolRun, Tools, WebhookDelivery, Webhooks,
};
use askback_engine::{Clock, Engine, EngineParts, SystemClock};
use askback_store::{SqliteOptions, SqliteStore};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use axum::response::Response;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt as _;

use askback_wire::path;

use super::openapi_json;
use crate::agent_limits::AgentLimits;
use crate::guard::{Guard, Unaddressed};
use crate::token::Token;

pub(crate) const TOKEN: &str = "0123456789abcdef";
const METHODS: [Method; 5] = [
    Method::GET,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
];

/// Others have defined the form of these bodies.
const FOREIGN: [&str; 2] = [path::AG_UI, path::PUSH_SUBSCRIPTIONS];

/// Ports that are never used: no request of these tests starts a job.
struct Nobody;

impl Llm for Nobody {
    fn request<'a>(
        &'a self,
        _: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        Box::pin(std::future::pending())
    }
}

impl Tools for Nobody {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    fn run(&self, _: ToolRun) -> PortFuture<'_, ToolReturn> {
        Box::pin(std::future::pending())
    }
}

impl Apps for Nobody {
    fn app(&self, _: Option<&str>) -> Option<Arc<App>> {
        None
    }
}

impl Webhooks for Nobody {
    fn deliver<'a>(&'a self, _: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        Box::pin(std::future::pending())
    }
}

/// An engine with a store of its own in a directory that is deleted with the test, and with ports that do nothing.
pub(crate) async fn idle_engine() -> (Engine, TempDir) {
    idle_engine_with(SqliteOptions::default()).await
}

/// The same with options for its store.
pub(crate) async fn idle_engine_with(options: SqliteOptions) -> (Engine, TempDir) {
    idle_engine_at(Arc::new(SystemClock), options).await
}

/// The same with another clock.
pub(crate) async fn idle_engine_at(
    clock: Arc<dyn Clock>,
    options: SqliteOptions,
) -> (Engine, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&directory.path().join("askback.db"), options).unwrap();
    let engine = Engine::start(EngineParts {
        store: Arc::new(store),
        llm: Arc::new(Nobody),
        tools: Arc::new(Nobody),
        apps: Arc::new(Nobody),
        webhooks: Arc::new(Nobody),
        clock,
        node: None,
    });
    (engine.await.unwrap(), directory)
}

async fn router() -> (Router, TempDir) {
    let (engine, directory) = idle_engine().await;
    (router_of(engine).await, directory)
}

pub(crate) async fn router_of(engine: Engine) -> Router {
    let guard = Guard {
        token: Token::chosen(TOKEN).unwrap(),
        hosts: Vec::new(),
        origins: Vec::new(),
        frame_origins: Vec::new(),
        unaddressed: Unaddressed::default(),
        agent_limits: AgentLimits::default(),
        identity: None,
        public_url: None,
        webhooks: Arc::default(),
    };
    let control =
        crate::ServerControl::new("", askback_wire::server_process::ServerRole::Dedicated);
    let channels = askback_channels::Dispatcher::start(
        engine.clone(),
        askback_channels::ChannelsConfig::default(),
    );
    let channels = channels.await.unwrap();
    crate::router(crate::ServerParts {
        engine,
        apps: Vec::new(),
        guard,
        control,
        mcp: None,
        channels,
        recipient_names: crate::RecipientNames::default(),
        has_model: true,
        local_agents: crate::LocalAgents::default,
    })
}

fn document() -> Value {
    serde_json::from_str(openapi_json()).unwrap()
}

/// The methods of each path that the document has.
fn described() -> BTreeMap<String, BTreeSet<String>> {
    let document = document();
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            (path.clone(), methods.map(|m| m.to_uppercase()).collect())
        })
        .collect()
}

/// The overview of the documentation has a row for each route.
#[test]
fn overview_of_the_documentation_names_every_route() {
    let page = include_str!("../../../../docs/http-api.md");
    let (_, overview) = page.split_once("## Overview").unwrap();
    let (overview, _) = overview.split_once("\n## ").unwrap();
    for (path, methods) in described() {
        for method in methods {
            let route = format!("`{method} {path}`");
            assert!(overview.contains(&route), "docs/http-api.md lacks {route}");
        }
    }
}

/// The values of the constants in the file that names the paths.
fn path_constants() -> BTreeSet<String> {
    let source = include_str!("../../../domain/askback-wire/src/path.rs");
    let constants = source.lines().filter(|line| line.starts_with("pub const"));
    constants
        .map(|line| line.split('"').nth(1).unwrap().to_owned())
        .collect()
}

pub(crate) async fn status(router: &Router, method: &Method, path: &str) -> StatusCode {
    respond(router, method, path).await.status()
}

pub(crate) async fn respond(router: &Router, method: &Method, path: &str) -> Response {
    let request = request(method, path).body(Body::empty()).unwrap();
    router.clone().oneshot(request).await.unwrap()
}

pub(crate) async fn post(router: &Router, path: &str, body: &Value) -> Response {
    send(router, &Method::POST, path, body).await
}

pub(crate) async fn send(router: &Router, method: &Method, path: &str, body: &Value) -> Response {
    let request = request(method, path)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    router.clone().oneshot(request).await.unwrap()
}

fn request(method: &Method, path: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost")
        .header(header::AUTHORIZATION, format!("Bearer {TOKEN}"))
}

#[test]
fn document_has_every_path_and_no_other() {
    let described: BTreeSet<String> = described().into_keys().collect();
    assert_eq!(described, path_constants());
}

/// A path constant without a route accepts no method, so it is found here as well.
#[tokio::test]
async fn router_accepts_the_methods_of_the_document() {
    let (router, _directory) = router().await;
    let mut taken = BTreeMap::new();
    for path in described().into_keys() {
        let mut methods = BTreeSet::new();
        for method in METHODS {
            let status = status(&router, &method, &path.replace("{id}", "x")).await;
            if status != StatusCode::METHOD_NOT_ALLOWED {
                methods.insert(method.to_string());
            }
        }
        taken.insert(path, methods);
    }
    assert_eq!(taken, described());
}

#[tokio::test]
async fn document_is_served_without_a_token() {
    let (router, _directory) = router().await;
    let request = Request::builder()
        .uri(askback_wire::path::OPENAPI)
        .header(header::HOST, "localhost")
        .body(Body::empty())
        .unwrap();
    let response = router.oneshot(request).await.unwrap();
    let kind = response.headers()[header::CONTENT_TYPE].clone();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    assert_eq!(kind, "application/json");
    assert_eq!(body.unwrap(), openapi_json().as_bytes());
}

/// Every `$ref` inside a value.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                found.insert(reference.clone());
            }
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    let lost: Vec<_> = found
        .iter()
        .filter(|reference| {
            let pointer = reference.strip_prefix('#');
            pointer.is_none_or(|pointer| document.pointer(pointer).is_none())
        })
        .collect();
    assert_eq!(lost, Vec::<&String>::new());
}

/// Client generators derive function names from these.
#[test]
fn every_operation_has_an_id_of_its_own() {
    let document = document();
    let items = document["paths"].as_object().unwrap().values();
    let operations: Vec<&Value> = items
        .flat_map(|item| item.as_object().unwrap().values())
        .collect();
    let ids = operations
        .iter()
        .map(|o| o["operationId"].as_str().unwrap());
    assert_eq!(ids.collect::<BTreeSet<_>>().len(), operations.len());
}

/// Every route refuses with a problem.
#[test]
fn every_refusal_is_a_problem() {
    let document = document();
    let items = document["paths"].as_object().unwrap().iter();
    let mut other = BTreeSet::new();
    for (path, item) in items {
        for operation in item.as_object().unwrap().values() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let response = match response["$ref"].as_str() {
                    Some(reference) => document.pointer(&reference[1..]).unwrap(),
                    None => response,
                };
                let problem = &response["content"]["application/problem+json"]["schema"]["$ref"];
                if status.as_str() >= "400" && problem != "#/components/schemas/ProblemResponse" {
                    other.insert((path.as_str(), status.as_str()));
                }
            }
        }
    }
    let healths = [("/healthz", "503"), ("/readyz", "503")];
    assert_eq!(other, BTreeSet::from(healths));
}

/// axum itself refuses with plain text and an undocumented status.
#[tokio::test]
async fn id_that_is_not_utf8_is_refused_as_documented() {
    let (router, _directory) = router().await;
    for path in ["/conversations/%ff", "/inquiries/%ff/draft"] {
        let status = status(&router, &Method::GET, path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
}

/// Bodies whose form others have defined may have fields of newer versions.
#[tokio::test]
async fn every_body_is_refused_for_a_field_that_the_document_lacks() {
    let (router, _directory) = router().await;
    let document = document();
    let mut sent = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let content = &operation["requestBody"]["content"]["application/json"];
            if content.is_null() || FOREIGN.contains(&path.as_str()) {
                continue;
            }
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let path = path.replace("{id}", "x");
            let body = serde_json::json!({"no_such_field": 1});
            let response = send(&router, &method, &path, &body).await;
            assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{path}");
            let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await;
            let problem: Value = serde_json::from_slice(&bytes.unwrap()).unwrap();
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.contains("`no_such_field`"), "{path}: {detail}");
            sent += 1;
        }
    }
    assert!(sent > 20, "{sent}");
}

/// The document has the header `Idempotency-Key` where it is not refused. Bodies whose form others have defined ignore it.
#[tokio::test]
async fn document_says_which_requests_take_a_key_as_a_header() {
    let (router, _directory) = router().await;
    let document = document();
    let (mut documented, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let content = &operation["requestBody"]["content"]["application/json"];
            if content.is_null() || FOREIGN.contains(&path.as_str()) {
                continue;
            }
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let mut names = parameters.filter_map(|it| it["name"].as_str());
            if names.any(|name| name == "idempotency-key") {
                documented.insert((method, path));
            }
            let verb = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let request = request(&verb, &path.replace("{id}", "x"))
                .header(header::CONTENT_TYPE, "application/json")
                .header("idempotency-key", "k1")
                .body(Body::from("{}"));
            let response = router.clone().oneshot(request.unwrap()).await.unwrap();
            let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await;
            let reply: Value = serde_json::from_slice(&bytes.unwrap()).unwrap_or_default();
            if reply["code"] != "invalid_key" {
                taken.insert((method, path));
            }
        }
    }
    assert_eq!(documented, taken);
}
