//! Questions in the dialogs of the agent's own client, over standard input and output.

use askback_core::id::InquiryId;
use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::InquiryStatus;
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era, answer, data, only_open, open, question, server_of};
use super::support::mcp_dialog::{
    Dialog, Replies, accept, agent_that_replies, agent_with_dialogs, capabilities,
};
use super::support::pty::Pty;
use super::support::server_process::{Directory, Server};

const ASK: &str = "ask_user_question";

#[tokio::test]
async fn dialog_shows_the_question_and_its_reply_is_the_answer() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, &[]);
    let dialog = Dialog::open(&mut agent, ASK, &question("Which database?"));
    assert_eq!(dialog.shown["message"], "Which database?");
    let fields = &dialog.shown["requestedSchema"]["properties"];
    assert_eq!(fields["question_0"]["title"], "Choice");
    assert_eq!(fields["question_0_custom"]["type"], "string");
    // The inbox has it before the dialog is shown.
    let client = server_of(&directory).await;
    let id = only_open(&client).await;
    let reply = accept(&json!({"question_0": "SQLite", "question_0_custom": ""}));
    let call = dialog.reply(&mut agent, &reply);
    let result = agent.result(call);
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
    let inquiry = client
        .inquiry(&InquiryId::new(id))
        .await
        .expect("it is there");
    assert_eq!(inquiry.surface, Some(SurfaceName::Mcp));
    assert_eq!(
        inquiry.answered_by.as_deref(),
        Some("MCP client test-agent")
    );
    assert_eq!(agent.leave(), Some(0));
}

/// Codex does nothing on enter in an empty text field, and the last field sends the form.
#[tokio::test]
async fn form_for_codex_ends_with_the_choices() {
    let directory = Directory::new();
    let client = ("codex-mcp-client", Era::Old);
    let mut agent = Agent::with_capabilities(&directory, client, &[], capabilities());
    let dialog = Dialog::open(&mut agent, ASK, &question("Which database?"));
    let fields = dialog.shown["requestedSchema"]["properties"].as_object();
    let fields: Vec<&String> = fields.expect("fields").keys().collect();
    assert_eq!(fields, ["question_0"]);
    let call = dialog.reply(&mut agent, &accept(&json!({"question_0": "SQLite"})));
    let result = agent.result(call);
    let answers = &result["structuredContent"]["answers"];
    assert_eq!(answers, &json!({"Which database?": "SQLite"}));
}

#[tokio::test]
async fn decline_is_an_outcome_and_a_closed_dialog_is_not() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, &[]);
    let client = server_of(&directory).await;
    let dialog = Dialog::open(&mut agent, ASK, &question("One?"));
    let call = dialog.reply(&mut agent, &json!({"action": "decline"}));
    let declined = agent.result(call);
    assert_eq!(declined["structuredContent"]["status"], "declined");

    let dialog = Dialog::open(&mut agent, ASK, &question("Two?"));
    let call = dialog.reply(&mut agent, &json!({"action": "cancel"}));
    let id = only_open(&client).await;
    answer(&directory, &id, &["--choose", "SQLite"]);
    let answered = agent.result(call);
    assert_eq!(answered["structuredContent"]["answers"]["Two?"], "SQLite");
}

/// Clients without a terminal refuse at once. The inbox keeps the question, and the next one opens no dialog.
#[tokio::test]
async fn instant_refusal_means_that_nobody_is_there() {
    for action in ["decline", "cancel"] {
        let directory = Directory::new();
        let mut agent = agent_that_replies(&directory, Replies::ByAProgram, &[]);
        let client = server_of(&directory).await;
        let dialog = Dialog::open(&mut agent, ASK, &question("One?"));
        let call = dialog.reply(&mut agent, &json!({"action": action}));
        answer(
            &directory,
            &only_open(&client).await,
            &["--choose", "SQLite"],
        );
        let answered = agent.result(call);
        assert_eq!(answered["structuredContent"]["answers"]["One?"], "SQLite");

        let call = agent.begin(ASK, &question("Two?"));
        answer(
            &directory,
            &only_open(&client).await,
            &["--choose", "SQLite"],
        );
        let first = agent.message();
        assert_eq!(first["id"], call, "no dialog comes first: {first}");
        assert_eq!(first["result"]["structuredContent"]["status"], "answered");
    }
}

#[tokio::test]
async fn invalid_content_is_no_answer_and_opens_the_dialog_once_more() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, &[]);
    let client = server_of(&directory).await;
    let dialog = Dialog::open(&mut agent, ASK, &question("Which database?"));
    let id = only_open(&client).await;
    let again = dialog.reply_and_reopen(&mut agent, &accept(&json!({"question_0": "9"})));
    let message = again.shown["message"].as_str().expect("there is a message");
    assert!(message.ends_with("\n\nWhich database?"), "{message}");
    assert_eq!(only_open(&client).await, id);
    // A second time the inbox has to do.
    let call = again.reply(&mut agent, &accept(&json!({})));
    answer(&directory, &id, &["--choose", "SQLite"]);
    let result = agent.response(call);
    assert_eq!(
        result["result"]["structuredContent"]["status"], "answered",
        "{result}"
    );
}

/// The client is told to close its dialog, and a reply that comes after that changes nothing.
#[tokio::test]
async fn inbox_wins_while_the_dialog_is_open() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, &[]);
    let client = server_of(&directory).await;
    let dialog = Dialog::open(&mut agent, ASK, &question("Which database?"));
    let id = only_open(&client).await;
    answer(&directory, &id, &["--choose", "PostgreSQL"]);
    let late = accept(&json!({"question_0": "SQLite"}));
    let closed = agent.message();
    assert!(dialog.is_closed_by(&closed), "{closed}");
    let result = agent.result(dialog.call);
    dialog.reply(&mut agent, &late);
    assert_eq!(
        result["structuredContent"]["answers"]["Which database?"],
        "PostgreSQL"
    );
    // The session goes on, and the late reply has changed nothing.
    agent.call("list_questions", &json!({}));
    let inquiry = client
        .inquiry(&InquiryId::new(id))
        .await
        .expect("it is there");
    assert_eq!(inquiry.status, InquiryStatus::Answered);
    assert_ne!(inquiry.surface, Some(SurfaceName::Mcp));
}

/// Both at once: one outcome, and the agent gets the one that is recorded.
#[tokio::test]
async fn dialog_and_inbox_at_once_give_one_outcome() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, &[]);
    let client = server_of(&directory).await;
    let dialog = Dialog::open(&mut agent, ASK, &question("Which database?"));
    let id = InquiryId::new(only_open(&client).await);
    let params = AnswerParams {
        answers: json!({"q1": "PostgreSQL"}),
        ..AnswerParams::default()
    };
    let (racer, target) = (client.clone(), id.clone());
    let inbox = tokio::spawn(async move { racer.answer(&target, &params).await.is_ok() });
    let call = dialog.reply(&mut agent, &accept(&json!({"question_0": "SQLite"})));
    let result = agent.result(call);
    let inbox_won = inbox.await.expect("it ends");
    let expected = if inbox_won { "PostgreSQL" } else { "SQLite" };
    assert_eq!(
        result["structuredContent"]["answers"]["Which database?"],
        expected
    );
    let inquiry = client.inquiry(&id).await.expect("it is there");
    assert_eq!(inquiry.surface == Some(SurfaceName::Mcp), !inbox_won);
}

/// The client's time-out is not the person's. Its dialog is closed, and the question stays open.
#[tokio::test]
async fn hold_window_or_a_cancelled_call_closes_the_dialog_and_not_the_question() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut agent = agent_with_dialogs(&directory, &["--hold", "100ms"]);
    let dialog = Dialog::open(&mut agent, ASK, &question("Which database?"));
    let closed = agent.message();
    assert!(dialog.is_closed_by(&closed), "{closed}");
    let pending = agent.result(dialog.call);
    assert_eq!(pending["structuredContent"]["status"], "pending");
    agent.leave();

    let mut agent = agent_with_dialogs(&directory, &[]);
    let dialog = Dialog::open(&mut agent, ASK, &question("Which port?"));
    agent.give_up(dialog.call);
    let closed = agent.message();
    assert!(dialog.is_closed_by(&closed), "{closed}");
    assert_eq!(open(&server.client).await.len(), 2);
}

#[tokio::test]
async fn client_that_fails_or_disconnects_answers_nothing() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut agent = agent_with_dialogs(&directory, &[]);
    agent.begin(ASK, &question("Which database?"));
    let request = agent.message();
    assert_eq!(request["method"], "elicitation/create");
    agent.write(&json!({"jsonrpc": "2.0", "id": request["id"],
                        "error": {"code": -32001, "message": "Request timed out"}}));
    let listed = agent.call("list_questions", &json!({}));
    assert_eq!(
        listed["structuredContent"]["open_questions"][0]["status"],
        "pending"
    );
    agent.kill();
    let mut agent = agent_with_dialogs(&directory, &[]);
    Dialog::open(&mut agent, ASK, &question("Which port?"));
    agent.kill();
    assert_eq!(open(&server.client).await.len(), 2);
}

/// A preview does not fit a form, so the dialog offers the question's own page.
#[tokio::test]
async fn question_that_fits_no_form_has_its_page_as_dialog() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, &[]);
    let mut input = question("Which database?");
    input["questions"][0]["options"][0]["preview"] = json!("CREATE DATABASE shop;");
    let dialog = Dialog::open(&mut agent, ASK, &input);
    let client = server_of(&directory).await;
    let id = only_open(&client).await;
    assert_eq!(dialog.shown["mode"], "url");
    let url = dialog.shown["url"].as_str().expect("a URL");
    assert!(url.contains(&id), "{url}");
    // To agree is not to answer.
    let call = dialog.reply(&mut agent, &json!({"action": "accept"}));
    answer(&directory, &id, &["--choose", "SQLite"]);
    let result = agent.result(call);
    assert_eq!(result["structuredContent"]["status"], "answered");
}

/// A dialog of the new era could not be closed from here. While it is open, an answer from a phone would not reach the
/// agent, so there are none.
#[tokio::test]
async fn dialogs_are_a_setting_and_can_be_closed() {
    let directory = Directory::new();
    let cases: [(&str, &[&str], bool); 4] = [
        ("goose-cli", &[], false),
        ("goose-cli", &["--elicitation", "always"], true),
        ("test-agent", &["--elicitation", "off"], false),
        ("test-agent", &["--elicitation", "always"], true),
    ];
    for era in [Era::Old, Era::New] {
        let by_default = [("test-agent", &[] as &[&str], true)];
        for (name, args, in_old_era) in cases.into_iter().chain(by_default) {
            let has_dialog = in_old_era && era == Era::Old;
            let mut args = args.to_vec();
            args.extend(["--hold", "100ms"]);
            let mut agent =
                Agent::with_capabilities(&directory, (name, era), &args, capabilities());
            agent.begin(ASK, &question(&format!("{name} {args:?} {era:?}?")));
            let message = agent.message();
            let is_dialog = message["method"] == "elicitation/create"
                || message["result"]["resultType"] == "input_required";
            assert_eq!(is_dialog, has_dialog, "{name} {args:?} {era:?}: {message}");
        }
    }
}

/// In the web page, in the terminal, from the command line and in a dialog: the same result for the caller.
#[tokio::test]
async fn result_is_the_same_wherever_the_question_is_answered() {
    let directory = Directory::new();
    let mut results: Vec<(&str, Value)> = Vec::new();
    for surface in ["http", "terminal", "cli", "dialog"] {
        let mut agent = agent_with_dialogs(&directory, &[]);
        let client = server_of(&directory).await;
        let dialog = Dialog::open(&mut agent, ASK, &question("Which database?"));
        let id = only_open(&client).await;
        let reply = match surface {
            "dialog" => accept(&json!({"question_0": "SQLite"})),
            _ => json!({"action": "cancel"}),
        };
        let call = dialog.reply(&mut agent, &reply);
        match surface {
            "cli" => answer(&directory, &id, &["--choose", "SQLite"]),
            "terminal" => choose_sqlite_in_the_inbox(&directory),
            "http" => {
                let params = AnswerParams {
                    answers: json!({"q1": {"values": ["SQLite"]}}),
                    ..AnswerParams::default()
                };
                let id = InquiryId::new(id);
                client.answer(&id, &params).await.expect("it is taken");
            }
            _ => {}
        }
        let mut result = agent.result(call);
        result["structuredContent"]["question_id"] = json!("-");
        result["resultType"] = Value::Null;
        results.push((surface, result));
        assert_eq!(agent.leave(), Some(0));
    }
    let (_, expected) = &results[0];
    for (how, result) in &results {
        assert_eq!(result, expected, "{how}");
    }
}

fn choose_sqlite_in_the_inbox(directory: &Directory) {
    let data = data(directory);
    let data = data.to_str().expect("a path");
    let args = ["inbox", "--undo", "0", "--data", data];
    let mut inbox = Pty::with(&args, &[("ASKBACK_ARM_MS", "0")], (80, 24));
    inbox.shows("Choice");
    inbox.send("2");
    inbox.shows("✔ Choice: SQLite");
    inbox.send("q");
    assert_eq!(inbox.ends(), 0);
}

/// Claude Code declares tasks, but lets its model go on, and shows the result later as no answer of the user. So a call is held
/// for every client.
#[tokio::test]
async fn call_is_held_for_a_client_with_tasks_and_dialogs_of_the_new_era() {
    for name in ["claude-code", "inspector-cli"] {
        let directory = Directory::new();
        let client = (name, Era::New);
        let declared = json!({
            "extensions": {"io.modelcontextprotocol/tasks": {}},
            "elicitation": {"form": {}},
        });
        let mut agent = Agent::with_capabilities(&directory, client, &[], declared);
        let call = agent.begin(ASK, &question("Which database?"));
        let id = only_open(&server_of(&directory).await).await;
        let task = agent.request("tasks/get", json!({"taskId": id}));
        let refused = agent.message();
        assert_eq!(refused["id"], task, "{refused}");
        assert!(refused["error"]["code"].is_i64(), "{refused}");
        answer(&directory, &id, &["--choose", "SQLite"]);
        let first = agent.message();
        assert_eq!(first["id"], call, "{first}");
        let result = &first["result"];
        assert_eq!(result["resultType"], "complete", "{result}");
        let answers = &result["structuredContent"]["answers"];
        assert_eq!(answers["Which database?"], "SQLite");
    }
}
