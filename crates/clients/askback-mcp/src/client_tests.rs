//! A scripted MCP client that calls the HTTP endpoint in this process, in both eras. The endpoint has the
//! fixtures of the conformance suite.

use std::pin::pin;
use std::sync::Arc;

use askback_client::Client;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower_service::Service as _;

use crate::http::McpHttpService;
use crate::http::body::McpBody;

const META: &str = "io.modelcontextprotocol/";

/// A client.
#[derive(Clone)]
pub(crate) struct Suite {
    pub(crate) service: McpHttpService,
    pub(crate) session: Option<String>,
    /// With the question mark.
    pub(crate) query: String,
    _directory: Arc<TempDir>,
}

impl Suite {
    /// A client without sessions.
    pub(crate) fn stateless() -> Suite {
        let directory = tempfile::tempdir().unwrap();
        let client = Client::new("http://127.0.0.1:1", None).unwrap();
        Suite {
            service: McpHttpService::conformance(client, directory.path()),
            session: None,
            query: String::new(),
            _directory: Arc::new(directory),
        }
    }

    /// A client of the `initialize` era that can be asked.
    pub(crate) async fn with_session() -> Suite {
        Suite::stateless().begin_session().await
    }

    /// Another client of the same endpoint, with a session of its own.
    pub(crate) async fn begin_session(&self) -> Suite {
        let mut suite = self.clone();
        suite.session = None;
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": {}, "sampling": {}},
            "clientInfo": {"name": "suite", "version": "1"},
        });
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let response = suite.post(&message, &[]).await;
        let session = response.headers()["mcp-session-id"].to_str().unwrap();
        suite.session = Some(session.to_owned());
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(suite.post(&done, &[]).await.status(), 202);
        suite
    }

    pub(crate) async fn post(
        &self,
        message: &Value,
        headers: &[(&str, &str)],
    ) -> Response<McpBody> {
        self.send(Method::POST, &message.to_string(), headers).await
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        body: &str,
        headers: &[(&str, &str)],
    ) -> Response<McpBody> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("http://127.0.0.1/mcp{}", self.query))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("host", "127.0.0.1");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        let request = request.body(Full::new(Bytes::from(body.to_owned())));
        self.service.clone().call(request.unwrap()).await.unwrap()
    }

    pub(crate) async fn request(&self, method: &str, mut params: Value) -> Response<McpBody> {
        if self.session.is_some() {
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            return self.post(&message, &[]).await;
        }
        let capabilities = json!({
            "elicitation": {},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        });
        params["_meta"] = json!({
            format!("{META}protocolVersion"): "2026-07-28",
            format!("{META}clientInfo"): {"name": "suite", "version": "1"},
            format!("{META}clientCapabilities"): capabilities,
        });
        let name = params["name"].as_str().or(params["uri"].as_str());
        let name = name.or(params["taskId"].as_str()).map(str::to_owned);
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut headers = vec![
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ];
        headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
        self.post(&message, &headers).await
    }

    /// The result of a request, or its error.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Result<Value, Value> {
        let mut messages = Messages::of(self.request(method, params).await);
        loop {
            let message = messages.next().await;
            if message["id"] == 1 {
                return match message.get("result") {
                    Some(result) => Ok(result.clone()),
                    None => Err(message["error"].clone()),
                };
            }
        }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, Value> {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
    }
}

/// The messages in a response.
pub(crate) struct Messages {
    body: McpBody,
    is_json: bool,
    rest: Vec<Value>,
    last_event_id: String,
}

impl Messages {
    pub(crate) fn of(response: Response<McpBody>) -> Messages {
        let is_json = content_type(response.headers()).starts_with("application/json");
        Messages {
            body: response.into_body(),
            is_json,
            rest: Vec::new(),
            last_event_id: String::new(),
        }
    }

    /// Of the last event that was read.
    pub(crate) fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    pub(crate) async fn next(&mut self) -> Value {
        while self.rest.is_empty() {
            let frame = pin!(self.body.frame()).await.expect("a message").unwrap();
            let data = frame.into_data().unwrap();
            let text = std::str::from_utf8(&data).unwrap();
            if self.is_json {
                self.rest.push(serde_json::from_str(text).unwrap());
                continue;
            }
            if let Some(id) = text.lines().find_map(|line| line.strip_prefix("id:")) {
                self.last_event_id = id.trim().to_owned();
            }
            let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
            let messages = data.filter_map(|json| serde_json::from_str(json).ok());
            self.rest.extend(messages);
        }
        self.rest.remove(0)
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    let kind = headers.get("content-type");
    kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default()
}
