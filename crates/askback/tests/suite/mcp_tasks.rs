//! Questions as tasks: the client polls, replies to a dialog, or cancels, and a restart loses nothing.

use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era, answer, only_open, open, question, server_of};
use super::support::mcp_dialog::{Replies, accept, config};
use super::support::mcp_http_client::HttpAgent;
use super::support::server_process::{Directory, Server};

const ASK: &str = "ask_user_question";
/// A client that gives the result of a task to the model as the result of the call.
const TRIED: &str = "inspector-cli";

/// What a client declares that polls tasks.
fn tasks() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/tasks": {}}})
}

fn tasks_and_dialogs() -> Value {
    json!({
        "extensions": {"io.modelcontextprotocol/tasks": {}},
        "elicitation": {"form": {}},
    })
}

fn agent(directory: &Directory, capabilities: Value) -> Agent {
    let config = config(directory, Replies::ByAPerson);
    let args = ["--config", config.as_str()];
    Agent::with_capabilities(directory, (TRIED, Era::New), &args, capabilities)
}

fn get(agent: &mut Agent, task: &Value) -> Value {
    let id = agent.request("tasks/get", json!({"taskId": task["taskId"]}));
    agent.result(id)
}

#[tokio::test]
async fn task_is_the_question_and_completes_with_its_result() {
    let directory = Directory::new();
    let mut agent = agent(&directory, tasks());
    let task = agent.call(ASK, &question("Which database?"));
    assert_eq!(task["resultType"], "task", "{task}");
    assert_eq!(task["status"], "working");
    // It is in the inbox before the client knows of the task.
    let client = server_of(&directory).await;
    let id = only_open(&client).await;
    assert_eq!(task["taskId"], id.as_str());
    assert_eq!(get(&mut agent, &task)["status"], "working");
    answer(&directory, &id, &["--choose", "SQLite"]);
    let done = get(&mut agent, &task);
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(
        done["result"]["structuredContent"],
        json!({
            "status": "answered",
            "question_id": id,
            "questions": ["Which database?"],
            "answers": {"Which database?": "SQLite"},
            "given_by": "the user, through askback",
        })
    );
    // It may be read again, and is not delivered once more with the next call.
    assert_eq!(get(&mut agent, &task)["result"], done["result"]);
    let listed = agent.call("list_questions", &json!({}));
    assert_eq!(listed["structuredContent"]["late_answers"], Value::Null);
}

#[tokio::test]
async fn task_asks_by_a_dialog_and_takes_its_reply() {
    let directory = Directory::new();
    let mut agent = agent(&directory, tasks_and_dialogs());
    let task = agent.call(ASK, &question("Which database?"));
    let required = get(&mut agent, &task);
    assert_eq!(required["status"], "input_required", "{required}");
    let dialog = &required["inputRequests"]["question_1"];
    assert_eq!(dialog["params"]["message"], "Which database?");
    // Content that is no answer opens another dialog, with another name.
    let update = |agent: &mut Agent, name: &str, reply: Value| {
        let params = json!({"taskId": task["taskId"], "inputResponses": {name: reply}});
        let id = agent.request("tasks/update", params);
        agent.result(id)
    };
    update(
        &mut agent,
        "question_1",
        accept(&json!({"question_0": "9"})),
    );
    let again = get(&mut agent, &task);
    let message = again["inputRequests"]["question_2"]["params"]["message"].as_str();
    assert!(
        message.is_some_and(|text| text.ends_with("\n\nWhich database?")),
        "{again}"
    );
    update(
        &mut agent,
        "question_1",
        accept(&json!({"question_0": "PostgreSQL"})),
    );
    assert_eq!(get(&mut agent, &task)["status"], "input_required");
    update(
        &mut agent,
        "question_2",
        accept(&json!({"question_0": "SQLite"})),
    );
    let done = get(&mut agent, &task);
    assert_eq!(
        done["result"]["structuredContent"]["answers"]["Which database?"],
        "SQLite"
    );
}

#[tokio::test]
async fn cancelled_task_withdraws_its_question() {
    let directory = Directory::new();
    let mut agent = agent(&directory, tasks());
    let client = server_of(&directory).await;
    let task = agent.call(ASK, &question("Which database?"));
    let cancel = json!({"taskId": task["taskId"]});
    let id = agent.request("tasks/cancel", cancel.clone());
    agent.result(id);
    assert!(open(&client).await.is_empty());
    assert_eq!(get(&mut agent, &task)["status"], "cancelled");

    // An answer that came first stands.
    let task = agent.call(ASK, &question("Which port?"));
    answer(
        &directory,
        &only_open(&client).await,
        &["--choose", "SQLite"],
    );
    let id = agent.request("tasks/cancel", json!({"taskId": task["taskId"]}));
    agent.result(id);
    assert_eq!(get(&mut agent, &task)["status"], "completed");
}

#[tokio::test]
async fn task_outlives_its_process_and_its_server() {
    let directory = Directory::new();
    let mut first = agent(&directory, tasks());
    let task = first.call(ASK, &question("Which database?"));
    first.kill();
    let mut second = agent(&directory, tasks());
    assert_eq!(get(&mut second, &task)["status"], "working");
    let client = server_of(&directory).await;
    answer(
        &directory,
        &only_open(&client).await,
        &["--choose", "SQLite"],
    );
    assert_eq!(get(&mut second, &task)["status"], "completed");
}

#[tokio::test]
async fn only_the_asker_sees_its_task() {
    let directory = Directory::new();
    let mut asker = agent(&directory, tasks());
    let task = asker.call(ASK, &question("Which database?"));
    let stranger = ("other-agent", Era::New);
    let mut stranger = Agent::with_capabilities(&directory, stranger, &[], tasks());
    for method in ["tasks/get", "tasks/cancel"] {
        let id = stranger.request(method, json!({"taskId": task["taskId"]}));
        assert_eq!(stranger.response(id)["error"]["code"], -32602);
    }
    let id = asker.request("tasks/get", json!({"taskId": "inq_nothing"}));
    assert_eq!(asker.response(id)["error"]["code"], -32602);
    let client = server_of(&directory).await;
    only_open(&client).await;
    // Without the extension there are no tasks.
    let mut plain = Agent::start(&directory, Era::New, &[]);
    let id = plain.request("tasks/get", json!({"taskId": task["taskId"]}));
    assert_eq!(plain.response(id)["error"]["code"], -32021);
}

#[tokio::test]
async fn tasks_work_over_http_and_a_restart() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::with_capabilities(&server.address, (TRIED, Era::New), tasks());
    let task = agent.call(ASK, &question("Which database?"));
    assert_eq!(task["resultType"], "task", "{task}");
    server.kill();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::with_capabilities(&server.address, (TRIED, Era::New), tasks());
    let read = || {
        let params = json!({"taskId": task["taskId"]});
        agent.request("tasks/get", params).result()
    };
    assert_eq!(read()["status"], "working");
    answer(
        &directory,
        &only_open(&server.client).await,
        &["--choose", "SQLite"],
    );
    assert_eq!(
        read()["result"]["structuredContent"]["answers"]["Which database?"],
        "SQLite"
    );
}

/// Claude Code declares tasks, but lets its model go on, and shows the result later as no answer of the user; and it
/// does not poll while a dialog is open. So its call is held, and nothing opens.
#[tokio::test]
async fn call_is_held_for_a_client_that_does_not_wait_for_its_tasks() {
    for name in ["claude-code", "new-agent"] {
        let directory = Directory::new();
        let client = (name, Era::New);
        let mut agent = Agent::with_capabilities(&directory, client, &[], tasks_and_dialogs());
        let call = agent.begin(ASK, &question("Which database?"));
        let id = only_open(&server_of(&directory).await).await;
        answer(&directory, &id, &["--choose", "SQLite"]);
        let first = agent.message();
        assert_eq!(first["id"], call, "{first}");
        let result = &first["result"];
        assert_eq!(result["resultType"], "complete", "{result}");
        let answers = &result["structuredContent"]["answers"];
        assert_eq!(answers["Which database?"], "SQLite");
    }
}
