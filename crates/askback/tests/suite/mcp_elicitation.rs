//! Questions in the dialogs of the agent's own client, over standard input and output, in both protocol eras.

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

const ERAS: [Era; 2] = [Era::Old, Era::New];
const ASK: &str = "ask_user_question";

#[tokio::test]
async fn dialog_shows_the_question_and_its_reply_is_the_answer() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = agent_with_dialogs(&directory, era, &[]);
        let dialog = Dialog::open(&mut agent, era, ASK, &question("Which database?"));
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
}

/// Codex does nothing on enter in an empty text field, and the last field sends the form.
#[tokio::test]
async fn form_for_codex_ends_with_the_choices() {
    let directory = Directory::new();
    let client = ("codex-mcp-client", Era::Old);
    let mut agent = Agent::with_capabilities(&directory, client, &[], capabilities());
    let dialog = Dialog::open(&mut agent, Era::Old, ASK, &question("Which database?"));
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
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = agent_with_dialogs(&directory, era, &[]);
        let client = server_of(&directory).await;
        let dialog = Dialog::open(&mut agent, era, ASK, &question("One?"));
        let call = dialog.reply(&mut agent, &json!({"action": "decline"}));
        let declined = agent.result(call);
        assert_eq!(declined["structuredContent"]["status"], "declined");

        let dialog = Dialog::open(&mut agent, era, ASK, &question("Two?"));
        let call = dialog.reply(&mut agent, &json!({"action": "cancel"}));
        let id = only_open(&client).await;
        answer(&directory, &id, &["--choose", "SQLite"]);
        let answered = agent.result(call);
        assert_eq!(answered["structuredContent"]["answers"]["Two?"], "SQLite");
    }
}

/// Clients without a terminal refuse at once. The inbox keeps the question, and the next one opens no dialog.
#[tokio::test]
async fn instant_refusal_means_that_nobody_is_there() {
    for (era, action) in [
        (Era::Old, "decline"),
        (Era::New, "decline"),
        (Era::New, "cancel"),
    ] {
        let directory = Directory::new();
        let mut agent = agent_that_replies(&directory, era, Replies::ByAProgram, &[]);
        let client = server_of(&directory).await;
        let dialog = Dialog::open(&mut agent, era, ASK, &question("One?"));
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
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = agent_with_dialogs(&directory, era, &[]);
        let client = server_of(&directory).await;
        let dialog = Dialog::open(&mut agent, era, ASK, &question("Which database?"));
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
}

/// In the old era the client is told to close its dialog. In the new one nothing can be sent to it, and the
/// outcome stands when it comes back.
#[tokio::test]
async fn inbox_wins_while_the_dialog_is_open() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = agent_with_dialogs(&directory, era, &[]);
        let client = server_of(&directory).await;
        let dialog = Dialog::open(&mut agent, era, ASK, &question("Which database?"));
        let id = only_open(&client).await;
        answer(&directory, &id, &["--choose", "PostgreSQL"]);
        let late = accept(&json!({"question_0": "SQLite"}));
        let result = if era == Era::Old {
            let closed = agent.message();
            assert!(dialog.is_closed_by(&closed), "{closed}");
            let result = agent.result(dialog.call);
            dialog.reply(&mut agent, &late);
            result
        } else {
            let call = dialog.reply(&mut agent, &late);
            agent.result(call)
        };
        assert_eq!(
            result["structuredContent"]["answers"]["Which database?"],
            "PostgreSQL"
        );
        // A dialog that could not be closed took another choice: the agent is told.
        let remarks = result["structuredContent"]["remarks"].to_string();
        let is_told = remarks.contains("also chose \\\"SQLite\\\" in your client's window");
        assert_eq!(is_told, era == Era::New, "{result}");
        // The session goes on, and the late reply has changed nothing.
        agent.call("list_questions", &json!({}));
        let inquiry = client
            .inquiry(&InquiryId::new(id))
            .await
            .expect("it is there");
        assert_eq!(inquiry.status, InquiryStatus::Answered);
        assert_ne!(inquiry.surface, Some(SurfaceName::Mcp));
    }
}

/// Both at once: one outcome, and the agent gets the one that is recorded.
#[tokio::test]
async fn dialog_and_inbox_at_once_give_one_outcome() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = agent_with_dialogs(&directory, era, &[]);
        let client = server_of(&directory).await;
        let dialog = Dialog::open(&mut agent, era, ASK, &question("Which database?"));
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
}

/// The client's time-out is not the person's. Its dialog is closed, and the question stays open.
#[tokio::test]
async fn hold_window_or_a_cancelled_call_closes_the_dialog_and_not_the_question() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut agent = agent_with_dialogs(&directory, Era::Old, &["--hold", "100ms"]);
    let dialog = Dialog::open(&mut agent, Era::Old, ASK, &question("Which database?"));
    let closed = agent.message();
    assert!(dialog.is_closed_by(&closed), "{closed}");
    let pending = agent.result(dialog.call);
    assert_eq!(pending["structuredContent"]["status"], "pending");
    agent.leave();

    let mut agent = agent_with_dialogs(&directory, Era::Old, &[]);
    let dialog = Dialog::open(&mut agent, Era::Old, ASK, &question("Which port?"));
    agent.give_up(dialog.call);
    let closed = agent.message();
    assert!(dialog.is_closed_by(&closed), "{closed}");
    assert_eq!(open(&server.client).await.len(), 2);
}

#[tokio::test]
async fn client_that_fails_or_disconnects_answers_nothing() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut agent = agent_with_dialogs(&directory, Era::Old, &[]);
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
    for era in ERAS {
        let mut agent = agent_with_dialogs(&directory, era, &[]);
        Dialog::open(&mut agent, era, ASK, &question(&format!("{era:?}?")));
        agent.kill();
    }
    assert_eq!(open(&server.client).await.len(), 3);
}

/// The process ends while the dialog is open. The next one of the same client takes its reply.
#[tokio::test]
async fn reply_is_taken_by_the_next_process() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, Era::New, &[]);
    let dialog = Dialog::open(&mut agent, Era::New, ASK, &question("Which database?"));
    agent.kill();
    let mut agent = agent_with_dialogs(&directory, Era::New, &[]);
    let call = dialog.reply(&mut agent, &accept(&json!({"question_0": "SQLite"})));
    let result = agent.result(call);
    assert_eq!(
        result["structuredContent"]["answers"]["Which database?"],
        "SQLite"
    );
    let client = server_of(&directory).await;
    assert!(open(&client).await.is_empty());
}

#[tokio::test]
async fn state_that_was_changed_or_is_not_of_this_call_answers_nothing() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, Era::New, &[]);
    let client = server_of(&directory).await;
    let mut dialog = Dialog::open(&mut agent, Era::New, ASK, &question("Which database?"));
    let id = only_open(&client).await;
    let sealed = dialog.state.as_str().expect("a state").to_owned();
    let reply = accept(&json!({"question_0": "SQLite"}));
    let mut changed = sealed.clone();
    let last = if changed.pop() == Some('A') { 'B' } else { 'A' };
    changed.push(last);
    for state in [json!(changed), json!("rs1.AAAA.AAAA"), json!("")] {
        dialog.state = state;
        let call = dialog.reply(&mut agent, &reply);
        let refused = agent.response(call);
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        let message = refused["error"]["message"].as_str().expect("a message");
        assert!(message.contains("requestState"), "{message}");
    }
    // For another call of the same agent.
    let params = json!({"name": ASK, "arguments": question("Drop all tables?"),
                        "requestState": sealed, "inputResponses": {"question": reply}});
    let call = agent.request("tools/call", params);
    assert_eq!(agent.response(call)["error"]["code"], -32602);
    // From another client.
    let stranger = ("other-agent", Era::New);
    let mut stranger = Agent::with_capabilities(&directory, stranger, &[], capabilities());
    dialog.state = json!(sealed);
    let call = dialog.reply(&mut stranger, &reply);
    assert_eq!(stranger.response(call)["error"]["code"], -32602);
    assert_eq!(only_open(&client).await, id);
    // The state itself is as good as before.
    let call = dialog.reply(&mut agent, &reply);
    assert_eq!(
        agent.result(call)["structuredContent"]["status"],
        "answered"
    );
}

/// After a refused state, the same call without it finds the question, as its error says.
#[tokio::test]
async fn call_without_the_refused_state_finds_the_question() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, Era::New, &[]);
    let client = server_of(&directory).await;
    let mut dialog = Dialog::open(&mut agent, Era::New, ASK, &question("Which database?"));
    let id = only_open(&client).await;
    dialog.state = json!("rs1.AAAA.AAAA");
    let call = dialog.reply(&mut agent, &accept(&json!({"question_0": "SQLite"})));
    assert_eq!(agent.response(call)["error"]["code"], -32602);
    let call = agent.begin(ASK, &question("Which database?"));
    assert_eq!(only_open(&client).await, id);
    answer(&directory, &id, &["--choose", "PostgreSQL"]);
    let result = agent.result(call);
    assert_eq!(result["structuredContent"]["question_id"], id.as_str());
    assert_eq!(
        result["structuredContent"]["answers"]["Which database?"],
        "PostgreSQL"
    );
}

/// A state answers once. The same reply again gets the outcome that stands, whatever it says.
#[tokio::test]
async fn replayed_state_changes_nothing() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, Era::New, &[]);
    let client = server_of(&directory).await;
    let dialog = Dialog::open(&mut agent, Era::New, ASK, &question("Which database?"));
    let first = accept(&json!({"question_0": "SQLite"}));
    let call = dialog.reply(&mut agent, &first);
    agent.result(call);
    for reply in [
        first,
        accept(&json!({"question_0": "PostgreSQL"})),
        json!({"action": "decline"}),
    ] {
        let call = dialog.reply(&mut agent, &reply);
        let result = agent.result(call);
        assert_eq!(
            result["structuredContent"]["answers"]["Which database?"],
            "SQLite"
        );
    }
    assert!(
        open(&client).await.is_empty(),
        "no second question was asked"
    );
}

/// A client that never calls again loses nothing: the same call later gets the answer.
#[tokio::test]
async fn dialog_without_a_reply_leaves_the_question_to_the_inbox() {
    let directory = Directory::new();
    let mut agent = agent_with_dialogs(&directory, Era::New, &[]);
    let client = server_of(&directory).await;
    Dialog::open(&mut agent, Era::New, ASK, &question("Which database?"));
    answer(
        &directory,
        &only_open(&client).await,
        &["--choose", "SQLite"],
    );
    let listed = agent.call("list_questions", &json!({}));
    let late = &listed["structuredContent"]["late_answers"][0];
    assert_eq!(late["answers"]["Which database?"], "SQLite", "{listed}");
}

/// A preview does not fit a form, so the dialog offers the question's own page.
#[tokio::test]
async fn question_that_fits_no_form_has_its_page_as_dialog() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = agent_with_dialogs(&directory, era, &[]);
        let mut input = question("Which database?");
        input["questions"][0]["options"][0]["preview"] = json!("CREATE DATABASE shop;");
        let dialog = Dialog::open(&mut agent, era, ASK, &input);
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
}

/// A dialog of the new era cannot be closed from here. While it is open, an answer from a phone would not reach
/// the agent, so it opens only if somebody wants that.
#[tokio::test]
async fn dialogs_are_a_setting_and_by_default_can_be_closed() {
    let directory = Directory::new();
    let cases: [(&str, &[&str], bool); 4] = [
        ("goose-cli", &[], false),
        ("goose-cli", &["--elicitation", "always"], true),
        ("test-agent", &["--elicitation", "off"], false),
        ("test-agent", &["--elicitation", "always"], true),
    ];
    for era in ERAS {
        let by_default = [("test-agent", &[] as &[&str], era == Era::Old)];
        for (name, args, has_dialog) in cases.into_iter().chain(by_default) {
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
    let mut results: Vec<(String, Value)> = Vec::new();
    for era in ERAS {
        for surface in ["http", "terminal", "cli", "dialog"] {
            let mut agent = agent_with_dialogs(&directory, era, &[]);
            let client = server_of(&directory).await;
            let dialog = Dialog::open(&mut agent, era, ASK, &question("Which database?"));
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
            results.push((format!("{era:?} {surface}"), result));
            assert_eq!(agent.leave(), Some(0));
        }
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
