//! Questions in the dialogs of the agent's own client over HTTP, in both protocol eras.

use askback_core::id::InquiryId;
use askback_wire::actor::SurfaceName;
use serde_json::{Value, json};

use super::support::mcp_client::{Era, answer, only_open, open, question};
use super::support::mcp_dialog::{Replies, accept, capabilities, config};
use super::support::mcp_http_client::HttpAgent;
use super::support::server_process::{Directory, Server};

const ASK: &str = "ask_user_question";

fn server(directory: &Directory, replies: Replies) -> Server {
    Server::start_with(directory, &["--config", &config(directory, replies)])
}

fn agent(server: &Server, era: Era) -> HttpAgent {
    HttpAgent::with_capabilities(&server.address, ("test-agent", era), capabilities())
}

/// The arguments of a call with what the client sends when it calls again.
fn repeated(required: &Value, reply: &Value) -> Value {
    json!({
        "name": ASK,
        "arguments": question("Which database?"),
        "requestState": required["requestState"],
        "inputResponses": {"question": reply},
    })
}

/// The dialog comes on the stream of the call, and its reply with a request of its own.
#[tokio::test]
async fn pushed_dialog_is_on_the_stream_of_its_call() {
    let directory = Directory::new();
    let server = server(&directory, Replies::ByAPerson);
    let agent = agent(&server, Era::Old);
    let call = agent.begin(ASK, &question("Which database?"));
    let request = call.message().expect("the stream goes on");
    assert_eq!(request["method"], "elicitation/create", "{request}");
    let id = only_open(&server.client).await;
    let reply = json!({"jsonrpc": "2.0", "id": request["id"],
                       "result": accept(&json!({"question_0": "SQLite"}))});
    assert_eq!(agent.post(&reply, &[]).status(), 202);
    let result = call.result();
    assert_eq!(
        result["structuredContent"]["answers"]["Which database?"],
        "SQLite"
    );
    let inquiry = server.client.inquiry(&InquiryId::new(id)).await;
    let inquiry = inquiry.expect("it is there");
    assert_eq!(inquiry.surface, Some(SurfaceName::Mcp));
}

#[tokio::test]
async fn inbox_wins_over_a_pushed_dialog() {
    let directory = Directory::new();
    let server = server(&directory, Replies::ByAPerson);
    let agent = agent(&server, Era::Old);
    let call = agent.begin(ASK, &question("Which database?"));
    let request = call.message().expect("the stream goes on");
    assert_eq!(request["method"], "elicitation/create", "{request}");
    answer(
        &directory,
        &only_open(&server.client).await,
        &["--choose", "PostgreSQL"],
    );
    assert_eq!(
        call.result()["structuredContent"]["answers"]["Which database?"],
        "PostgreSQL"
    );
    // The reply comes too late and does no harm.
    let reply = json!({"jsonrpc": "2.0", "id": request["id"],
                       "result": accept(&json!({"question_0": "SQLite"}))});
    agent.post(&reply, &[]);
    let next = agent.call("list_questions", &json!({}));
    assert_eq!(next["structuredContent"]["status"], "listed");
}

#[tokio::test]
async fn lost_connection_is_no_reply_of_a_dialog() {
    let directory = Directory::new();
    let server = server(&directory, Replies::ByAPerson);
    for era in [Era::Old, Era::New] {
        let agent = agent(&server, era);
        let call = agent.begin(ASK, &question(&format!("{era:?}?")));
        call.message().expect("a dialog is opened");
        call.disconnect();
    }
    assert_eq!(open(&server.client).await.len(), 2);
}

/// Without sessions, the state names the question, also after a restart of the server.
#[tokio::test]
async fn reply_reaches_the_question_after_a_restart() {
    let directory = Directory::new();
    let first = server(&directory, Replies::ByAPerson);
    let required = agent(&first, Era::New).call(ASK, &question("Which database?"));
    assert_eq!(required["resultType"], "input_required", "{required}");
    let id = only_open(&first.client).await;
    first.kill();
    let second = server(&directory, Replies::ByAPerson);
    let params = repeated(&required, &accept(&json!({"question_0": "SQLite"})));
    let result = agent(&second, Era::New)
        .request("tools/call", params)
        .result();
    assert_eq!(result["structuredContent"]["question_id"], id.as_str());
    assert_eq!(
        result["structuredContent"]["answers"]["Which database?"],
        "SQLite"
    );
    assert!(open(&second.client).await.is_empty());
}

#[tokio::test]
async fn instant_refusal_leaves_the_question_to_the_inbox() {
    let directory = Directory::new();
    let server = server(&directory, Replies::ByAProgram);
    let agent = agent(&server, Era::New);
    let required = agent.call(ASK, &question("Which database?"));
    let params = repeated(&required, &json!({"action": "cancel"}));
    let waiting = agent.request("tools/call", params);
    answer(
        &directory,
        &only_open(&server.client).await,
        &["--choose", "SQLite"],
    );
    assert_eq!(waiting.result()["structuredContent"]["status"], "answered");
}

/// The state is bound to the project, which is all that is known of an agent without a session.
#[tokio::test]
async fn state_of_another_project_is_refused() {
    let directory = Directory::new();
    let server = server(&directory, Replies::ByAPerson);
    let required = agent(&server, Era::New).call(ASK, &question("Which database?"));
    let elsewhere = HttpAgent::with(&server.address, Era::New, "test-agent", "?project=/other");
    let params = repeated(&required, &accept(&json!({"question_0": "SQLite"})));
    let refused = elsewhere.request("tools/call", params).response();
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    only_open(&server.client).await;
}
