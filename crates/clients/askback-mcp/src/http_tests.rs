//! Goal: requests that rmcp would answer in a way that helps no client get an answer that does, and no
//! number of sessions keeps a new one out.

use http::Response;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use super::*;
use crate::test_client::{Messages, Suite};

async fn error_of(response: Response<McpBody>) -> (u16, Value) {
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap())
}

/// A call that stays open until the client replies.
async fn open_call(suite: &Suite) -> (Messages, Value) {
    let params = json!({"name": "test_elicitation", "arguments": {"message": "?"}});
    let mut call = Messages::of(suite.request("tools/call", params).await);
    let asked = call.next().await;
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    (call, asked["id"].clone())
}

async fn reply(suite: &Suite, id: &Value) {
    let reply = json!({"jsonrpc": "2.0", "id": id, "result": {"action": "decline"}});
    assert_eq!(suite.post(&reply, &[]).await.status(), 202);
}

async fn live(suite: &Suite) -> usize {
    suite.service.sessions.live_count().await
}

/// A busy server takes longer than the time after which the headers of a call are sent.
#[tokio::test]
async fn slow_response_to_initialize_has_the_id_of_the_session() {
    let mut suite = Suite::stateless();
    suite.service.headers_after = Duration::ZERO;
    let session = suite.begin_session().await;
    assert!(session.call("test_simple_text", json!({})).await.is_ok());
}

#[tokio::test]
async fn what_is_not_a_message_gets_a_json_rpc_error() {
    let suite = Suite::with_session().await;
    let list = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    for (body, code, id) in [
        ("{".to_owned(), -32700, json!(null)),
        (json!([list, list]).to_string(), -32600, json!(null)),
        (json!("text").to_string(), -32600, json!(null)),
        (
            json!({"id": 7, "method": "tools/list"}).to_string(),
            -32600,
            json!(7),
        ),
    ] {
        let response = suite.send(Method::POST, &body, &[]).await;
        let (status, error) = error_of(response).await;
        assert_eq!((status, &error["id"]), (400, &id), "{body}: {error}");
        assert_eq!(error["error"]["code"], code, "{body}: {error}");
    }
}

#[tokio::test]
async fn call_without_a_tool_has_invalid_params() {
    for suite in [Suite::with_session().await, Suite::stateless()] {
        let error = suite.ask("tools/call", json!({"arguments": {}})).await;
        // Without sessions, the header must name the tool.
        let code = if suite.session.is_some() {
            -32602
        } else {
            -32020
        };
        assert_eq!(error.unwrap_err()["code"], code);
    }
    let suite = Suite::with_session().await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"});
    let refused = Messages::of(suite.post(&call, &[]).await).next().await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn long_names_in_the_address_are_refused_by_name() {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (name, max) in [("project", 1000), ("session", 194)] {
        let mut suite = Suite::stateless();
        suite.query = format!("?{name}={}", "\u{e4}".repeat(max + 1));
        let (status, error) = error_of(suite.post(&list, &[]).await).await;
        assert_eq!(status, 400);
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{name}`")), "{message}");
        assert!(message.contains(&max.to_string()), "{message}");
        suite.query = format!("?{name}={}", "\u{e4}".repeat(max));
        let session = suite.begin_session().await;
        assert!(session.ask("tools/list", json!({})).await.is_ok());
    }
}

#[tokio::test]
async fn session_id_in_another_spelling_is_unknown() {
    let mut suite = Suite::with_session().await;
    let id = suite.session.clone().unwrap();
    for other in [id.to_uppercase(), id.replace('-', ""), format!("{{{id}}}")] {
        suite.session = Some(other);
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        assert_eq!(suite.post(&list, &[]).await.status(), 404);
    }
}

/// One session more than there is room for: the one that is idle for the longest time is dropped from
/// memory, and goes on with its next request.
#[tokio::test]
async fn new_session_replaces_the_one_that_was_idle_longest() {
    let mut first = Suite::stateless();
    first.service.sessions.set_live_max(2);
    first = first.begin_session().await;
    let second = first.begin_session().await;
    // The first is older, but a call of it is open.
    let (mut call, question) = open_call(&first).await;
    let third = first.begin_session().await;
    assert_eq!(live(&first).await, 2);
    reply(&first, &question).await;
    assert!(call.next().await["result"].is_object());
    assert!(third.ask("tools/list", json!({})).await.is_ok());
    assert!(second.ask("tools/list", json!({})).await.is_ok());
    assert_eq!(live(&first).await, 2);
}

#[tokio::test]
async fn sessions_with_open_calls_are_never_dropped() {
    let mut first = Suite::stateless();
    first.service.sessions.set_live_max(1);
    first = first.begin_session().await;
    let (mut call, question) = open_call(&first).await;
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "late", "version": "1"}});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let mut late = first.clone();
    late.session = None;
    assert_eq!(late.post(&initialize, &[]).await.status(), 503);
    reply(&first, &question).await;
    assert!(call.next().await["result"].is_object());
    drop(call);
    while late.post(&initialize, &[]).await.status() == 503 {
        tokio::task::yield_now().await;
    }
    assert_eq!(live(&first).await, 1);
}

#[tokio::test]
async fn event_that_cannot_be_resumed_is_refused() {
    let suite = Suite::with_session().await;
    let resume = async |id: &str| suite.send(Method::GET, "", &[("last-event-id", id)]).await;
    for id in ["7/unknown", "x", "1"] {
        let (status, error) = error_of(resume(id).await).await;
        assert_eq!(status, 400, "{error}");
        assert_eq!(error["error"]["code"], -32600);
    }
    // What the stream of the session begins with.
    assert_eq!(resume("0").await.status(), 200);
    let mut unknown = suite.clone();
    unknown.session = Some("7d015df2-05b7-4ffb-8236-8355115e62cc".to_owned());
    let refused = unknown
        .send(Method::GET, "", &[("last-event-id", "7/unknown")])
        .await;
    assert_eq!(refused.status(), 404);
}

/// Gemini CLI takes an event with empty data for a message and closes the session. The stream of the session
/// must begin without one unless the client says that it knows them.
#[tokio::test]
async fn older_clients_get_no_empty_data() {
    let suite = Suite::with_session().await;
    for (version, has_data) in [
        (None, false),
        (Some("2025-06-18"), false),
        (Some("2025-11-25"), true),
    ] {
        let version = version.map(|version| ("mcp-protocol-version", version));
        let version: Vec<(&str, &str)> = version.into_iter().collect();
        let stream = suite.send(Method::GET, "", &version).await;
        let first = stream.into_body().frame().await.unwrap().unwrap();
        let first = String::from_utf8(first.into_data().unwrap().to_vec()).unwrap();
        assert!(first.contains("id: 0\n"), "{first}");
        assert_eq!(first.contains("data:"), has_data, "{version:?}: {first}");
    }
}

/// The connection is lost. The client reads the rest of the response on another one, whether it comes
/// back before or after the result.
#[tokio::test]
async fn lost_response_is_resumed_before_and_after_its_result() {
    let suite = Suite::with_session().await;
    for is_late in [false, true] {
        let params = json!({"name": "test_elicitation", "arguments": {"message": "?"}});
        let response = suite.request("tools/call", params).await;
        let mut call = Messages::of(response);
        let asked = call.next().await;
        let last = call.last_event_id().to_owned();
        drop(call);
        if is_late {
            reply(&suite, &asked["id"]).await;
        }
        let resumed = suite
            .send(Method::GET, "", &[("last-event-id", &last)])
            .await;
        assert_eq!(resumed.status(), 200);
        if !is_late {
            reply(&suite, &asked["id"]).await;
        }
        let result = Messages::of(resumed).next().await;
        assert_eq!(result["id"], 1, "{result}");
        assert!(result["result"].is_object(), "{result}");
    }
}
