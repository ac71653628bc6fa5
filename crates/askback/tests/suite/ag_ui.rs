//! AG-UI: a run streams what the agent does, a question interrupts it, and the next run resumes it.

use askback_core::id::InquiryId;
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::raw_http::{bearer, body, get_json, raw};
use super::support::server_process::{Directory, Server};

fn script() -> Value {
    let ask = json!({"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which database?", "header": "Database", "options": ["SQLite", "PostgreSQL"]}]}});
    json!({"steps": [{"say": "Let me ask.", "calls": [ask]}, {"say": "Got {{result}}"}]})
}

/// Sends a run; returns the status and the events, or the problem.
fn run(server: &Server, input: &Value) -> (u16, Vec<Value>) {
    let input = input.to_string();
    let request = format!(
        "POST /ag-ui HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{input}",
        bearer(),
        input.len()
    );
    let (status, reply) = raw(server, request.as_bytes());
    let events = body(&reply).lines().filter_map(|line| {
        let data = line.strip_prefix("data: ").unwrap_or(line);
        serde_json::from_str(data).ok().filter(Value::is_object)
    });
    (status, events.collect())
}

fn message(thread: &str, id: &str) -> Value {
    json!({"threadId": thread, "runId": "run-1", "tools": [], "context": [], "messages": [
        {"id": "0", "role": "assistant", "content": "Earlier."},
        {"id": id, "role": "user", "content": [{"type": "text", "text": "Begin."}]}]})
}

fn resume(thread: &str, interrupt: &str, status: &str, payload: &Value) -> Value {
    json!({"threadId": thread, "runId": "run-2", "messages": [], "resume": [
        {"interruptId": interrupt, "status": status, "payload": payload}]})
}

fn types(events: &[Value]) -> Vec<&str> {
    let kinds = events.iter().map(|event| event["type"].as_str());
    kinds.map(Option::unwrap_or_default).collect()
}

fn texts(events: &[Value]) -> String {
    let deltas = events
        .iter()
        .filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT");
    deltas.filter_map(|event| event["delta"].as_str()).collect()
}

/// The id of the question that ended the run.
fn interrupt(events: &[Value]) -> Value {
    let last = events.last().expect("there are events");
    assert_eq!(last["outcome"]["type"], "interrupt", "{events:?}");
    last["outcome"]["interrupts"][0].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn question_interrupts_a_run_and_the_next_one_answers_it() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let (status, events) = run(&server, &message("my thread", "m1"));
    assert_eq!(status, 200, "{events:?}");
    let expected = [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "RUN_FINISHED",
    ];
    assert_eq!(types(&events), expected);
    assert_eq!(texts(&events), "Let me ask.");
    let asked = interrupt(&events);
    assert_eq!(asked["message"], "Which database?");
    assert_eq!(asked["toolCallId"], events[4]["toolCallId"]);
    let schema = &asked["responseSchema"]["properties"]["q1"]["anyOf"][0]["oneOf"];
    assert_eq!(schema[0]["const"], "SQLite", "{asked}");
    let id = asked["id"].as_str().expect("it has an id");
    let shown = get_json(&server, &format!("/inquiries/{id}"));
    assert_eq!(asked["metadata"]["askback"], shown);

    // The same run again sends no second message, and shows the same question.
    let (_, again) = run(&server, &message("my thread", "m1"));
    assert_eq!(types(&again), ["RUN_STARTED", "RUN_FINISHED"]);
    assert_eq!(interrupt(&again), asked);
    let (status, refused) = run(&server, &message("my thread", "m2"));
    assert_eq!(
        (status, &refused[0]["code"]),
        (409, &json!("awaiting_user_response"))
    );
    let (status, refused) = run(&server, &resume("my thread", id, "resolved", &json!({})));
    assert_eq!(status, 422, "{refused:?}");
    let (status, _) = run(
        &server,
        &resume("other", id, "resolved", &json!({"q1": "SQLite"})),
    );
    assert_eq!(status, 404);

    let (_, events) = run(
        &server,
        &resume("my thread", id, "resolved", &json!({"q1": "SQLite"})),
    );
    let expected = [
        "RUN_STARTED",
        "CUSTOM",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ];
    assert_eq!(types(&events), expected);
    assert!(texts(&events).contains("SQLite"), "{events:?}");
    let last = events.last().expect("there are events");
    assert_eq!(last["outcome"]["type"], "success");
    assert_eq!(
        (&last["threadId"], &last["runId"]),
        (&json!("my thread"), &json!("run-2"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resume_after_an_answer_from_elsewhere_returns_the_outcome_that_stands() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let (_, events) = run(&server, &message("thread", "m1"));
    let asked = interrupt(&events);
    let id = asked["id"].as_str().expect("it has an id");
    let answer = AnswerParams {
        answers: json!({"q1": "PostgreSQL"}),
        ..AnswerParams::default()
    };
    let answered = server.client.answer(&InquiryId::new(id), &answer).await;
    answered.expect("the answer is taken");

    let (status, events) = run(
        &server,
        &resume("thread", id, "resolved", &json!({"q1": "SQLite"})),
    );
    assert_eq!(status, 200, "{events:?}");
    let resolved = &events[1]["value"];
    assert_eq!(
        (&resolved["interruptId"], &resolved["status"]),
        (&json!(id), &json!("answered"))
    );
    assert!(
        resolved["outcome"].to_string().contains("PostgreSQL"),
        "{resolved}"
    );
    assert!(texts(&events).contains("PostgreSQL"), "{events:?}");
    assert!(!texts(&events).contains("SQLite\""), "{events:?}");
}

/// The question outlives the server, and an abandoned one is declined.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interrupt_survives_a_crash_and_can_be_cancelled() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let (_, events) = run(&server, &message("thread", "m1"));
    let asked = interrupt(&events);
    server.kill();
    let server = Server::start(&directory, &script());
    let (_, events) = run(&server, &json!({"threadId": "thread", "runId": "r"}));
    assert_eq!(interrupt(&events), asked);
    let id = asked["id"].as_str().expect("it has an id");
    let (_, events) = run(&server, &resume("thread", id, "cancelled", &Value::Null));
    assert_eq!(events[1]["value"]["status"], "declined", "{events:?}");
    let last = events.last().expect("there are events");
    assert_eq!(last["outcome"]["type"], "success");

    let (status, _) = run(&server, &json!({"threadId": "new", "runId": "r"}));
    assert_eq!(status, 422, "a new thread needs a message");
}
