//! Questions in the dialogs of the agent's own client over HTTP.

use askback_core::id::InquiryId;
use askback_wire::actor::SurfaceName;
use serde_json::json;

use super::support::mcp_client::{Era, answer, only_open, question};
use super::support::mcp_dialog::{Replies, accept, capabilities, config};
use super::support::mcp_http_client::HttpAgent;
use super::support::server_process::{Directory, Server};

const ASK: &str = "ask_user_question";

fn server(directory: &Directory) -> Server {
    let config = config(directory, Replies::ByAPerson);
    Server::start_with(directory, &["--config", &config])
}

fn agent(server: &Server) -> HttpAgent {
    HttpAgent::with_capabilities(&server.address, ("test-agent", Era::Old), capabilities())
}

/// The dialog comes on the stream of the call, and its reply with a request of its own.
#[tokio::test]
async fn pushed_dialog_is_on_the_stream_of_its_call() {
    let directory = Directory::new();
    let server = server(&directory);
    let agent = agent(&server);
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
    let server = server(&directory);
    let agent = agent(&server);
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
    let server = server(&directory);
    let agent = agent(&server);
    let call = agent.begin(ASK, &question("Which database?"));
    call.message().expect("a dialog is opened");
    call.disconnect();
    only_open(&server.client).await;
}
