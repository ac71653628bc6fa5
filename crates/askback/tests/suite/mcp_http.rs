//! What agents get over MCP on HTTP, in both protocol eras, however the user answers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era, answer, only_open, open, question, server_of};
use super::support::mcp_http_client::HttpAgent;
use super::support::server_process::{Directory, Server};

const ERAS: [Era; 2] = [Era::Old, Era::New];

/// A server whose calls wait for a moment only.
fn impatient(directory: &Directory) -> Server {
    let config = directory.path().join("askback.toml");
    fs::write(&config, "[mcp]\nhold = \"300ms\"\n").expect("it can be written");
    Server::start_with(directory, &["--config", config.to_str().expect("a path")])
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .expect("there is text")
}

#[tokio::test]
async fn answer_arrives_as_text_and_structured_content() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&server.client).await;
        answer(&directory, &id, &["--choose", "SQLite"]);
        let result = call.result();
        let answers: Value = serde_json::from_str(text(&result)).expect("the dialect's JSON");
        assert_eq!(answers, json!({"answers": {"Which database?": "SQLite"}}));
        assert_eq!(
            result["structuredContent"],
            json!({
                "status": "answered",
                "question_id": id,
                "questions": ["Which database?"],
                "answers": {"Which database?": "SQLite"},
                "given_by": "the user, through askback",
            })
        );
        assert_eq!(result["resultType"] == "complete", era == Era::New);
        let asked = server
            .client
            .inquiry(&askback_core::id::InquiryId::new(id))
            .await
            .expect("it is there");
        assert_eq!(asked.source.as_deref(), Some("test-agent in webshop"));
    }
}

#[tokio::test]
async fn decline_is_no_answer_and_cancel_stops_the_agent() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        for (how, status, is_error) in [
            ("--decline", "declined", false),
            ("--cancel", "cancelled", true),
        ] {
            let call = agent.begin("ask_user_question", &question("Which database?"));
            answer(&directory, &only_open(&server.client).await, &[how]);
            let result = call.result();
            assert_eq!(result["structuredContent"]["status"], status);
            assert_eq!(result["structuredContent"]["answers"], Value::Null);
            assert_eq!(result["isError"], is_error);
        }
    }
}

#[tokio::test]
async fn question_stays_open_after_the_hold_window() {
    for era in ERAS {
        let directory = Directory::new();
        let server = impatient(&directory);
        let agent = HttpAgent::start(&server.address, era);
        let pending = agent.call("ask_user_question", &question("Which database?"));
        assert_eq!(pending["structuredContent"]["status"], "pending");
        assert_eq!(pending["isError"], false);
        let id = only_open(&server.client).await;
        let wait = json!({"question_id": id});
        let hints: Vec<String> = (0..3)
            .map(|_| agent.call("wait_for_answer", &wait))
            .map(|again| again["structuredContent"]["hint"].to_string())
            .collect();
        let ends: Vec<bool> = hints
            .iter()
            .map(|hint| hint.contains("end your turn"))
            .collect();
        assert_eq!(ends, [false, false, true]);
        // Without a session the answer must be fetched.
        assert_eq!(
            hints[2].contains("next call of any askback tool"),
            era == Era::Old
        );
        answer(&directory, &id, &["--choose", "SQLite"]);
        let answered = agent.call("wait_for_answer", &wait);
        assert_eq!(answered["structuredContent"]["status"], "answered");
    }
}

#[tokio::test]
async fn background_question_returns_at_once() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        let mut ask = question("Which database?");
        ask["background"] = json!(true);
        ask["assumption"] = json!("I'm going ahead with SQLite.");
        let handle = agent.call("ask_user_question", &ask);
        assert_eq!(handle["structuredContent"]["status"], "pending");
        let id = only_open(&server.client).await;
        answer(&directory, &id, &["--choose", "PostgreSQL"]);
        let listed = agent.call("list_questions", &json!({}));
        let fields = &listed["structuredContent"];
        match era {
            Era::Old => assert_eq!(fields["late_answers"][0]["question_id"], id.as_str()),
            Era::New => {
                assert_eq!(fields["late_answers"], Value::Null, "{fields}");
                assert_eq!(fields["answered_questions"][0]["question_id"], id.as_str());
                let fetched = agent.call("wait_for_answer", &json!({"question_id": id}));
                assert_eq!(
                    fetched["structuredContent"]["answers"]["Which database?"],
                    "PostgreSQL"
                );
            }
        }
        let listed = agent.call("list_questions", &json!({}));
        let fields = &listed["structuredContent"];
        assert_eq!(fields["late_answers"], Value::Null, "{fields}");
        assert!(
            fields["answered_questions"]
                .as_array()
                .is_none_or(Vec::is_empty),
            "{fields}"
        );
    }
}

/// Clients count the time until the headers, and proxies cut silent connections.
#[tokio::test]
async fn headers_come_before_the_answer() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        // Returns once the head was read; nobody has answered.
        let call = agent.begin("ask_user_question", &question("Which database?"));
        assert_eq!(call.status(), 200);
        assert_eq!(call.header("content-type"), Some("text/event-stream"));
        assert_eq!(call.header("x-accel-buffering"), Some("no"));
        assert!(call.line().is_some());
        let id = only_open(&server.client).await;
        answer(&directory, &id, &["--choose", "SQLite"]);
        assert_eq!(call.result()["structuredContent"]["status"], "answered");
    }
}

#[tokio::test]
async fn progress_is_sent_where_it_is_asked_for() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        let call = agent.request(
            "tools/call",
            json!({
                "name": "ask_user_question",
                "arguments": question("Which database?"),
                "_meta": {"progressToken": "p"},
            }),
        );
        let progress = call.message().expect("it goes on");
        assert_eq!(progress["method"], "notifications/progress", "{progress}");
        assert_eq!(progress["params"]["progressToken"], "p");
        answer(
            &directory,
            &only_open(&server.client).await,
            &["--choose", "SQLite"],
        );
        assert_eq!(call.result()["structuredContent"]["status"], "answered");
    }
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut agent = HttpAgent::start(&server.address, Era::New);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test-agent", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let list =
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": meta}});
    // The headers must say the same as the body.
    for headers in [
        [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
        ],
        [
            ("MCP-Protocol-Version", "2025-06-18"),
            ("Mcp-Method", "tools/list"),
        ],
    ] {
        let reply = agent.post(&list, &headers);
        assert_eq!(reply.status(), 400);
        let refused = reply.message().expect("an error");
        assert_eq!(refused["error"]["code"], -32020, "{refused}");
    }
    let json = [
        ("Content-Type", "application/json"),
        ("Content-Length", "3"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let reply = agent.send("POST", &json, "{a}");
    assert_eq!(reply.status(), 400);
    assert_eq!(reply.message().expect("an error")["error"]["code"], -32700);
    let foreign = [("Origin", "https://evil.example")];
    assert_eq!(agent.post(&list, &foreign).status(), 403);
    agent.token = "not-the-token".to_owned();
    let reply = agent.post(&list, &[]);
    assert_eq!(reply.status(), 401);
    assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
}

/// rmcp answers some methods with an empty list. A server that declares only tools must not.
#[tokio::test]
async fn only_declared_methods_are_found() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        for method in ["prompts/list", "resources/list", "resources/templates/list"] {
            let refused = agent.request(method, json!({})).response();
            assert_eq!(refused["error"]["code"], -32601, "{method}: {refused}");
        }
        let listed = agent.request("tools/list", json!({})).response();
        assert!(listed["result"]["tools"].is_array(), "{listed}");
    }
}

#[tokio::test]
async fn session_has_a_stream_and_ends_with_delete() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::start(&server.address, Era::Old);
    let sessions = directory.path().join("data/agents/http");
    assert_eq!(files(&sessions), 1);
    let stream = agent.send("GET", &[("Accept", "text/event-stream")], "");
    assert_eq!(stream.status(), 200);
    let ended = agent.send("DELETE", &[], "");
    assert_eq!(ended.status(), 204);
    assert_eq!(files(&sessions), 0);
    let reply = agent.request("tools/list", json!({}));
    assert_eq!(reply.status(), 404);
    // The stream ends with the session.
    while stream.line().is_some() {}
}

/// A process that runs the server for itself serves others over HTTP, too.
#[tokio::test]
async fn embedded_server_has_the_endpoint() {
    let directory = Directory::new();
    let mut stdio = Agent::start(&directory, Era::New, &[]);
    let client = server_of(&directory).await;
    let data = super::support::mcp_client::data(&directory);
    let found = askback_wire::discovery::Discovery::read(&data)
        .expect("it can be read")
        .expect("there is a server");
    let token = found.token.reveal();
    let agent = HttpAgent::with_token(&found.address, Era::Old, ("test-agent", ""), token);
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&client).await;
    // The agent on standard input did not ask it.
    let listed = stdio.call("list_questions", &json!({}));
    assert_eq!(listed["structuredContent"]["open_questions"], json!([]));
    answer(&directory, &id, &["--choose", "SQLite"]);
    assert_eq!(call.result()["structuredContent"]["status"], "answered");
    assert_eq!(open(&client).await, Vec::<String>::new());
}

fn files(directory: &Path) -> usize {
    fs::read_dir(directory).map_or(0, Iterator::count)
}

/// Some models send the arguments as a string that contains the object.
#[tokio::test]
async fn arguments_in_a_string_are_read() {
    for era in [Era::Old, Era::New] {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        let arguments = json!(question("Which database?").to_string());
        let call = agent.begin("ask_user_question", &arguments);
        let id = only_open(&server.client).await;
        answer(&directory, &id, &["--choose", "SQLite"]);
        assert_eq!(call.result()["structuredContent"]["status"], "answered");
    }
}
