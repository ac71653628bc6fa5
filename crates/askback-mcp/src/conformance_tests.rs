//! Goal: the fixtures of the conformance suite work over the HTTP endpoint, so that a run of the suite
//! tests the endpoint and not them.

use std::pin::pin;

use askback_client::Client;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tower_service::Service as _;

use crate::http::McpHttpService;
use crate::http_body::McpBody;

const META: &str = "io.modelcontextprotocol/";

struct Suite {
    service: McpHttpService,
    session: Option<String>,
}

impl Suite {
    /// A client without sessions.
    fn stateless(test: &str) -> Suite {
        let directory = std::env::temp_dir();
        let directory = directory.join(format!("askback-suite-{}-{test}", std::process::id()));
        let client = Client::new("http://127.0.0.1:1", None).unwrap();
        Suite {
            service: McpHttpService::conformance(client, &directory),
            session: None,
        }
    }

    /// A client of the `initialize` era that can be asked.
    async fn with_session(test: &str) -> Suite {
        let mut suite = Suite::stateless(test);
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

    async fn post(&self, message: &Value, headers: &[(&str, &str)]) -> Response<McpBody> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri("http://127.0.0.1/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("host", "127.0.0.1");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        let request = request.body(Full::new(Bytes::from(message.to_string())));
        self.service.clone().call(request.unwrap()).await.unwrap()
    }

    async fn request(&self, method: &str, mut params: Value) -> Response<McpBody> {
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
    async fn ask(&self, method: &str, params: Value) -> Result<Value, Value> {
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

    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, Value> {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
    }
}

/// The messages in a response.
struct Messages {
    body: McpBody,
    is_json: bool,
    rest: Vec<Value>,
}

impl Messages {
    fn of(response: Response<McpBody>) -> Messages {
        let is_json = content_type(response.headers()).starts_with("application/json");
        Messages {
            body: response.into_body(),
            is_json,
            rest: Vec::new(),
        }
    }

    async fn next(&mut self) -> Value {
        while self.rest.is_empty() {
            let frame = pin!(self.body.frame()).await.expect("a message").unwrap();
            let data = frame.into_data().unwrap();
            let text = std::str::from_utf8(&data).unwrap();
            if self.is_json {
                self.rest.push(serde_json::from_str(text).unwrap());
                continue;
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

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn every_listed_fixture_is_there() {
    let suite = Suite::stateless("listed");
    let tools = suite.ask("tools/list", json!({})).await.unwrap();
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 35, "{names:?}");
    let content = names.iter().filter(|name| {
        super::content_tools::tools()
            .iter()
            .any(|tool| tool.name == **name)
    });
    for name in content {
        if *name == "test_custom_header" {
            continue;
        }
        let result = suite.call(name, json!({})).await.unwrap();
        assert_eq!(result["isError"] == true, *name == "test_error_handling");
        assert!(!result["content"].as_array().unwrap().is_empty(), "{name}");
    }
    let prompts = suite.ask("prompts/list", json!({})).await.unwrap();
    for prompt in prompts["prompts"].as_array().unwrap() {
        let params = json!({"name": prompt["name"], "arguments": {"resourceUri": "test://x"}});
        let got = suite.ask("prompts/get", params).await.unwrap();
        let asks = got["resultType"] == "input_required";
        assert!(asks || got["messages"].is_array(), "{got}");
    }
    let resources = suite.ask("resources/list", json!({})).await.unwrap();
    for resource in resources["resources"].as_array().unwrap() {
        let read = suite.ask("resources/read", json!({"uri": resource["uri"]}));
        assert_eq!(read.await.unwrap()["contents"][0]["uri"], resource["uri"]);
    }
    let template = suite.ask("resources/read", json!({"uri": "test://template/7/data"}));
    let template = template.await.unwrap();
    assert!(template.to_string().contains("Data for ID: 7"));
    let missing = suite.ask("resources/read", json!({"uri": "test://missing"}));
    assert_eq!(missing.await.unwrap_err()["code"], -32602);
}

#[tokio::test]
async fn stateless_tool_asks_and_goes_on_with_the_answer() {
    let suite = Suite::stateless("input");
    let tool = "test_input_required_result_multi_round";
    let mut params = json!({"name": tool, "arguments": {}});
    for step in ["step1", "step2"] {
        let asked = suite.ask("tools/call", params.clone()).await.unwrap();
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        assert!(asked["inputRequests"][step].is_object(), "{asked}");
        params["requestState"] = asked["requestState"].clone();
        params["inputResponses"][step] = json!({"action": "accept", "content": {"name": "Ada"}});
    }
    let done = suite.ask("tools/call", params.clone()).await.unwrap();
    assert_eq!(done["resultType"], "complete", "{done}");
    params["requestState"] = json!("forged");
    let refused = suite.ask("tools/call", params).await.unwrap_err();
    assert_eq!(refused["code"], -32602, "{refused}");
}

#[tokio::test]
async fn task_asks_and_completes() {
    let suite = Suite::stateless("task");
    let created = suite
        .call("confirm_delete", json!({"filename": "a.txt"}))
        .await
        .unwrap();
    assert_eq!(created["resultType"], "task", "{created}");
    let id = json!({"taskId": created["taskId"]});
    let get = || suite.ask("tasks/get", id.clone());
    let mut task = get().await.unwrap();
    while task["status"] == "working" {
        task = get().await.unwrap();
    }
    assert_eq!(task["status"], "input_required", "{task}");
    let mut update = id.clone();
    update["inputResponses"]["confirm"] = json!({"action": "accept", "content": {"confirm": true}});
    suite.ask("tasks/update", update).await.unwrap();
    while task["status"] != "completed" {
        task = get().await.unwrap();
    }
    assert_eq!(text(&task["result"]), "confirmed: true");
}

/// In the `initialize` era a tool sends its requests while it runs.
#[tokio::test]
async fn tool_of_a_session_sends_requests_and_notifications() {
    let suite = Suite::with_session("session").await;
    for (tool, method, reply) in [
        (
            "test_elicitation_sep1330_enums",
            "elicitation/create",
            json!({"action": "accept", "content": {"untitledSingle": "option1"}}),
        ),
        (
            "test_sampling",
            "sampling/createMessage",
            json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "Yes"}}),
        ),
    ] {
        let params = json!({"name": tool, "arguments": {"prompt": "?"}});
        let mut messages = Messages::of(suite.request("tools/call", params).await);
        let asked = messages.next().await;
        assert_eq!(asked["method"], method, "{asked}");
        let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": reply});
        assert_eq!(suite.post(&reply, &[]).await.status(), 202);
        let result = messages.next().await;
        assert_ne!(text(&result["result"]), "", "{result}");
    }
    let params = json!({"name": "test_tool_with_progress", "_meta": {"progressToken": "p"}});
    let mut messages = Messages::of(suite.request("tools/call", params).await);
    for progress in [0.0, 50.0, 100.0] {
        assert_eq!(messages.next().await["params"]["progress"], progress);
    }
}
