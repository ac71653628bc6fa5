//! What an MCP server asks during a call becomes a question of the conversation, in both protocols.

use std::fs;
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;
use askback_wire::respond::{AnswerParams, CancelWorkParams, DeclinePendingParams};
use serde_json::{Value, json};

use super::support::eliciting_server::{ElicitingServer, Era};
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

const BOTH: [Era; 2] = [Era::Old, Era::New];

/// A form with a choice and a number.
fn form() -> Value {
    json!({"message": "Where to deploy?", "requestedSchema": {
        "type": "object",
        "properties": {
            "zone": {"type": "string", "title": "Zone", "oneOf": [
                {"const": "eu-1", "title": "Europe"}, {"const": "us-1", "title": "America"}]},
            "count": {"type": "integer", "title": "Machines", "minimum": 1, "maximum": 9},
        },
        "required": ["zone", "count"],
    }})
}

fn url() -> Value {
    json!({"mode": "url", "message": "Sign in.", "url": "https://login.example/start"})
}

/// A server whose agent calls the tool with this input and then repeats the result.
fn start(directory: &Directory, tools: &ElicitingServer, input: &Value) -> Server {
    let path = |name: &str| directory.path().join(name).display().to_string();
    let script = json!({"steps": [
        {"calls": [{"tool": "cloud__deploy", "input": input}]}, {"say": "{{result}}"}]});
    fs::write(path("script.json"), script.to_string()).expect("written");
    let config = format!(
        "[mcp_servers.cloud]\nurl = \"http://{}/mcp\"\n",
        tools.address
    );
    fs::write(path("askback.toml"), config).expect("written");
    let provider = format!("scripted:{}", path("script.json"));
    let config = path("askback.toml");
    Server::start_with(directory, &["--provider", &provider, "--config", &config])
}

/// Waits for a question other than `earlier`.
async fn pending_after(
    server: &Server,
    id: &ConversationId,
    earlier: Option<&InquiryResponse>,
) -> InquiryResponse {
    let pending = ListInquiriesParams {
        status: Some("pending".into()),
        ..ListInquiriesParams::default()
    };
    let is_next = |found: &InquiryResponse| {
        found.conversation_id == *id && earlier.is_none_or(|earlier| earlier.id != found.id)
    };
    within("a question waits", async {
        loop {
            let page = server.client.inquiries(&pending).await;
            let mut found = page.expect("they are listed").items.into_iter();
            if let Some(found) = found.find(is_next) {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
}

async fn pending(server: &Server, id: &ConversationId) -> InquiryResponse {
    pending_after(server, id, None).await
}

async fn answer(server: &Server, inquiry: &InquiryResponse, answers: Value) {
    let params = AnswerParams {
        answers,
        ..AnswerParams::default()
    };
    let answered = server.client.answer(&inquiry.id, &params).await;
    answered.expect("the answer is taken");
}

async fn last_reply(server: &Server, id: &ConversationId) -> String {
    server.reaches(id, "idle").await;
    server.transcript(id).await.pop().expect("there is a reply")
}

async fn status(server: &Server, inquiry: &InquiryResponse) -> InquiryStatus {
    let found = server.client.inquiry(&inquiry.id).await;
    found.expect("it is kept").status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn form_is_asked_in_the_conversation_and_its_typed_content_is_returned() {
    for era in BOTH {
        let (directory, tools) = (Directory::new(), ElicitingServer::start(era).await);
        let server = start(&directory, &tools, &json!({"ask": [form()]}));
        let id = server.begin("go").await;
        let asked = pending(&server, &id).await;
        assert_eq!(asked.conversation_id, id, "{era:?}");
        assert_eq!(asked.source.as_deref(), Some("MCP server cloud"));
        assert_eq!(asked.questions.len(), 2);
        let wrong = AnswerParams {
            answers: json!({"Zone": "Europe", "Machines": 10}),
            ..AnswerParams::default()
        };
        assert!(server.client.answer(&asked.id, &wrong).await.is_err());
        answer(&server, &asked, json!({"Zone": "Europe", "Machines": 3})).await;
        let reply = last_reply(&server, &id).await;
        let expected = json!([{"action": "accept", "content": {"zone": "eu-1", "count": 3}}]);
        assert!(reply.contains(&expected.to_string()), "{era:?}: {reply}");
        let transcript = server.transcript(&id).await.join("\n");
        assert!(
            transcript.contains("deploy"),
            "the call is shown: {transcript}"
        );
        assert!(
            transcript.contains("Zone"),
            "and its question: {transcript}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn declined_question_is_declined_to_the_server_and_the_agent_goes_on() {
    for era in BOTH {
        let (directory, tools) = (Directory::new(), ElicitingServer::start(era).await);
        let server = start(&directory, &tools, &json!({"ask": [form(), url(), url()]}));
        let id = server.begin("go").await;
        let decline = DeclinePendingParams::default();
        let first = pending(&server, &id).await;
        server
            .client
            .decline(&id, &decline)
            .await
            .expect("declined");
        let second = pending_after(&server, &id, Some(&first)).await;
        assert_eq!(second.questions[0].text, "Sign in.");
        let context = second.questions[0].context.clone().unwrap_or_default();
        assert!(context.contains("login.example"), "{context}");
        answer(&server, &second, json!({"q1": "I have done it"})).await;
        let third = pending_after(&server, &id, Some(&second)).await;
        server
            .client
            .decline(&id, &decline)
            .await
            .expect("declined");
        let reply = last_reply(&server, &id).await;
        let actions = ["decline", "accept", "decline"];
        assert_eq!(tools.actions(), actions, "{era:?}: {reply}");
        assert_eq!(status(&server, &third).await, InquiryStatus::Declined);
    }
}

/// Rejecting stops the agent. A server that waits is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejected_question_stops_the_agent_and_is_cancelled_to_the_server() {
    for era in BOTH {
        let (directory, tools) = (Directory::new(), ElicitingServer::start(era).await);
        let server = start(&directory, &tools, &json!({"ask": [form()]}));
        let id = server.begin("go").await;
        let asked = pending(&server, &id).await;
        let params = DeclinePendingParams::default();
        server.client.reject(&id, &params).await.expect("rejected");
        server.reaches(&id, "idle").await;
        assert_eq!(status(&server, &asked).await, InquiryStatus::Rejected);
        if era == Era::Old {
            within("the server is told", async {
                while tools.actions().is_empty() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            })
            .await;
            assert_eq!(tools.actions(), ["cancel"]);
        }
    }
}

/// The question of a process that died must not be answered into nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crash_withdraws_the_question_of_an_old_server_and_the_model_learns_it() {
    for graceful in [false, true] {
        let (directory, tools) = (Directory::new(), ElicitingServer::start(Era::Old).await);
        let input = json!({"ask": [form()]});
        let server = start(&directory, &tools, &input);
        let id = server.begin("go").await;
        let asked = pending(&server, &id).await;
        if graceful {
            server.terminate();
        } else {
            server.kill();
        }
        let server = start(&directory, &tools, &input);
        let reply = last_reply(&server, &id).await;
        assert!(reply.contains("Its question was withdrawn"), "{reply}");
        assert_eq!(status(&server, &asked).await, InquiryStatus::Withdrawn);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn question_of_a_new_server_survives_a_crash_and_the_call_goes_on() {
    let (directory, tools) = (Directory::new(), ElicitingServer::start(Era::New).await);
    let input = json!({"ask": [form(), url()]});
    let server = start(&directory, &tools, &input);
    let id = server.begin("go").await;
    let first = pending(&server, &id).await;
    server.kill();
    let server = start(&directory, &tools, &input);
    let again = pending(&server, &id).await;
    assert_eq!(again.id, first.id, "it is the same question");
    answer(&server, &again, json!({"Zone": "America", "Machines": 1})).await;
    let second = pending_after(&server, &id, Some(&first)).await;
    server.kill();
    let server = start(&directory, &tools, &input);
    answer(&server, &second, json!({"q1": "done"})).await;
    let reply = last_reply(&server, &id).await;
    let expected = json!([
        {"action": "accept", "content": {"zone": "us-1", "count": 1}}, {"action": "accept"}]);
    assert!(reply.contains(&expected.to_string()), "{reply}");
}

/// A tool that ends by itself leaves no question behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_that_ends_withdraws_its_question() {
    let (directory, tools) = (Directory::new(), ElicitingServer::start(Era::Old).await);
    let input = json!({"ask": [form()], "impatient": true});
    let server = start(&directory, &tools, &input);
    let id = server.begin("go").await;
    let asked = pending(&server, &id).await;
    tools.finish();
    let reply = last_reply(&server, &id).await;
    assert!(reply.contains("[]"), "{reply}");
    assert_eq!(status(&server, &asked).await, InquiryStatus::Withdrawn);
}

/// Which call a question of an old server belongs to is not known if there are two.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn question_that_could_belong_to_two_calls_is_not_asked() {
    let (directory, tools) = (Directory::new(), ElicitingServer::start(Era::Old).await);
    let server = start(&directory, &tools, &json!({"ask": [form()]}));
    let first = server.begin("go").await;
    let asked = pending(&server, &first).await;
    let second = server.begin("go").await;
    let reply = last_reply(&server, &second).await;
    assert!(reply.contains("cannot tell which tool call"), "{reply}");
    answer(&server, &asked, json!({"Zone": "Europe", "Machines": 3})).await;
    let reply = last_reply(&server, &first).await;
    assert!(reply.contains("eu-1"), "{reply}");
}

/// Stopping the agent ends the question, and a message does not answer it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_agent_has_no_open_question() {
    for era in BOTH {
        let (directory, tools) = (Directory::new(), ElicitingServer::start(era).await);
        let server = start(&directory, &tools, &json!({"ask": [form()]}));
        let id = server.begin("go").await;
        let asked = pending(&server, &id).await;
        let params = CancelWorkParams::default();
        server.client.cancel(&id, &params).await.expect("it stops");
        server.reaches(&id, "idle").await;
        assert_eq!(status(&server, &asked).await, InquiryStatus::Cancelled);
    }
}
