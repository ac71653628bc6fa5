//! Conversations over HTTP: every way to answer, and what the agent gets.

use askback_client::{ClientError, EventStream, FeedItem};
use askback_wire::event::EventResponse;
use askback_wire::message::MessageParams;
use askback_wire::problem::ProblemResponse;
use askback_wire::respond::{
    CancelWorkParams, DeclinePendingParams, RejectPendingParams, RespondParams,
};
use askback_wire::state::StateResponse;
use serde_json::{Value, json};

use super::support::server_process::{Directory, Server, next_item, next_state};

/// A script that replies with these calls, and then repeats their results.
fn script(calls: &Value) -> Value {
    json!({"steps": [{"say": "Let me ask.", "calls": calls}, {"say": "Heard: {{result}}"}]})
}

fn database() -> Value {
    json!({"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which database?", "header": "Database", "options": ["PostgreSQL", "SQLite"]},
        {"question": "Which parts?", "options": ["Search", "Export", "Login"], "multiSelect": true}]}})
}

fn refused<T: std::fmt::Debug>(result: Result<T, ClientError>) -> ProblemResponse {
    match result {
        Err(ClientError::Problem(problem)) => *problem,
        other => panic!("a refusal was expected, not {other:?}"),
    }
}

fn say(text: &str) -> MessageParams {
    MessageParams {
        text: text.to_owned(),
        message_id: None,
    }
}

/// Several questions, single and several mixed: the answer comes back in the order of the questions.
#[tokio::test]
async fn answer_resumes_the_agent_with_its_result() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script(&json!([database()])));
    let id = server.begin("go").await;
    let waiting = server.reaches(&id, "awaiting_user_response").await;
    let mut feed = server.client.conversation_events(&id, Some(0));
    let told = loop {
        let change = next_state(&mut feed).await;
        if change.state.inquiry_id().is_some() {
            break change.state;
        }
    };
    assert_eq!(told, waiting.state);
    let StateResponse::AwaitingUserResponse {
        inquiry_id,
        questions,
        tool_use_id,
        ..
    } = told
    else {
        panic!("a question waits: {told:?}")
    };
    // In the words of the tool, with the id of its call.
    assert_eq!(
        json!(questions),
        json!([
            {
                "question": "Which database?", "header": "Database", "multiSelect": false,
                "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}],
            },
            {
                "question": "Which parts?", "multiSelect": true,
                "options": [{"label": "Search"}, {"label": "Export"}, {"label": "Login"}],
            },
        ])
    );
    let inquiry = server.client.inquiry(&inquiry_id).await;
    assert_eq!(tool_use_id, inquiry.expect("it is read").tool_use_id);
    assert!(tool_use_id.is_some());
    server
        .respond(
            &id,
            json!({"Which parts?": ["Search", "Login"], "Which database?": "SQLite"}),
        )
        .await;
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop();
    let result = r#"{"answers":{"Which database?":"SQLite","Which parts?":"Search, Login"}}"#;
    assert_eq!(last, Some(format!("assistant: Heard: {result}")));
}

/// After a decline the agent continues, and its result names no choice.
#[tokio::test]
async fn decline_resumes_the_agent_without_a_choice() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script(&json!([database()])));
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    server
        .client
        .decline(&id, &DeclinePendingParams::default())
        .await
        .unwrap();
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop().unwrap();
    assert!(last.contains("declined"), "{last}");
    assert!(
        !last.contains("SQLite") && !last.contains("PostgreSQL"),
        "{last}"
    );
}

/// Cancel resolves every call of the round; the agent is idle, and the next turn works.
#[tokio::test]
async fn cancel_closes_every_call_and_the_next_turn_works() {
    let directory = Directory::new();
    let calls = json!([database(), {"tool": "no_such_tool", "input": {}}]);
    let server = Server::start(&directory, &script(&calls));
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    let stopped = server
        .client
        .cancel(&id, &CancelWorkParams::default())
        .await
        .unwrap();
    assert_eq!(stopped.state.name(), "idle");
    server
        .client
        .send_message(&id, &say("and now?"))
        .await
        .unwrap();
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop().unwrap();
    assert!(
        last.contains("Not run"),
        "the remaining call was closed: {last}"
    );
}

/// The remaining calls of a round run after the answer, in order.
#[tokio::test]
async fn remaining_calls_run_after_the_answer() {
    let directory = Directory::new();
    let calls = json!([{"tool": "first", "input": {}}, database(), {"tool": "last", "input": {}}]);
    let steps = json!({"steps": [{"calls": calls},
        {"say": "1 {{result 1}} 2 {{result 2}} 3 {{result 3}}"}]});
    let server = Server::start(&directory, &steps);
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    server
        .respond(&id, json!({"q1": "SQLite", "q2": "Search"}))
        .await;
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop().unwrap();
    let place = |text: &str| {
        last.find(text)
            .unwrap_or_else(|| panic!("{text} in {last}"))
    };
    assert!(place("first") < place("Which database?") && place("Which database?") < place("last"));
}

/// A message while a question is pending is refused with the reason, if the dialect says so.
#[tokio::test]
async fn message_while_a_question_is_pending_is_refused() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script(&json!([database()])));
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    let problem = refused(server.client.send_message(&id, &say("hello?")).await);
    assert_eq!(
        (problem.status, problem.code.as_str()),
        (409, "awaiting_user_response")
    );
    let waiting = server.read(&id).await.conversation;
    assert_eq!(waiting.state.name(), "awaiting_user_response");
}

/// With `question`, an answer becomes the next user message, several labels on lines of their own.
#[tokio::test]
async fn answer_to_question_becomes_the_next_message() {
    let directory = Directory::new();
    let input = json!({"question": "What next?", "options": ["Tests", "Docs"], "multiple": true});
    let calls = json!([{"tool": "question", "input": input}]);
    let steps = json!({"steps": [{"calls": calls}, {"say": "You said: {{message}}"}]});
    let server = Server::start(&directory, &steps);
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    server
        .respond(
            &id,
            json!({"q1": {"values": ["Docs", "Tests"], "own": "and coffee"}}),
        )
        .await;
    server.reaches(&id, "idle").await;
    let transcript = server.transcript(&id).await;
    let tail: Vec<&str> = transcript
        .iter()
        .rev()
        .take(2)
        .map(String::as_str)
        .collect();
    let said = "Tests\nDocs\nand coffee";
    assert_eq!(
        tail,
        [
            format!("assistant: You said: {said}"),
            format!("user: {said}")
        ]
    );
}

/// With `question`, a message answers it and is not duplicated; reject leaves no message.
#[tokio::test]
async fn message_answers_question_and_reject_inserts_none() {
    let directory = Directory::new();
    let calls = json!([{"tool": "question", "input": {"question": "On?", "options": ["Yes"]}}]);
    let steps = json!({"steps": [{"calls": calls}, {"calls": calls}, {"say": "End"}]});
    let server = Server::start(&directory, &steps);
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    server
        .client
        .send_message(&id, &say("rather not"))
        .await
        .unwrap();
    server.reaches(&id, "awaiting_user_response").await;
    let said = |transcript: &[String]| {
        transcript
            .iter()
            .filter(|line| line.starts_with("user:"))
            .count()
    };
    assert_eq!(
        said(&server.transcript(&id).await),
        2,
        "the first message and the answer"
    );
    let idle = server
        .client
        .reject(&id, &RejectPendingParams::default())
        .await
        .unwrap();
    assert_eq!(idle.state.name(), "idle");
    let transcript = server.transcript(&id).await;
    assert_eq!(said(&transcript), 2);
    assert!(
        transcript.last().unwrap().ends_with("[denied]"),
        "{transcript:?}"
    );
}

/// `question` beside another call is refused with a visible error, and nothing pauses.
#[tokio::test]
async fn question_beside_other_calls_pauses_nothing() {
    let directory = Directory::new();
    let question = json!({"tool": "question", "input": {"question": "On?", "options": ["Yes"]}});
    let server = Server::start(
        &directory,
        &script(&json!([question, {"tool": "x", "input": {}}])),
    );
    let id = server.begin("go").await;
    server.reaches(&id, "idle").await;
    let transcript = server.transcript(&id).await;
    assert!(
        transcript.iter().any(|line| line.ends_with("[error]")),
        "{transcript:?}"
    );
}

/// The eleventh `ask_user` is refused with the instruction to continue, and the agent continues.
#[tokio::test]
async fn eleventh_ask_user_is_refused() {
    let directory = Directory::new();
    let calls = json!([{"tool": "ask_user", "input": {"question": "More?"}}]);
    let steps = json!({"steps": [{"calls": calls, "times": 11}, {"say": "Heard: {{result}}"}]});
    let server = Server::start(&directory, &steps);
    let id = server.begin("go").await;
    for round in 0..10 {
        server.reaches(&id, "awaiting_user_response").await;
        server
            .respond(&id, json!({"q1": format!("answer {round}")}))
            .await;
    }
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop().unwrap();
    assert!(
        last.contains("never saw") && last.contains("proceed"),
        "{last}"
    );
}

/// Every input type is checked on the server, and an invalid answer changes nothing.
#[tokio::test]
async fn invalid_answer_is_refused_and_the_question_stays_pending() {
    let directory = Directory::new();
    let input = json!({"question": "How many?", "input_type": "number",
        "validation": {"min": 1, "max": 9, "integer": true}});
    let server = Server::start(
        &directory,
        &script(&json!([{"tool": "ask_user", "input": input}])),
    );
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    for misfit in [json!(12), json!(0), json!(1.5), json!("many"), json!(true)] {
        let params = RespondParams {
            answers: json!({ "q1": misfit }),
            ..RespondParams::default()
        };
        let problem = refused(server.client.respond(&id, &params).await);
        assert_eq!(
            (problem.status, problem.code.as_str()),
            (422, "invalid_answer"),
            "{misfit}"
        );
        assert_eq!(problem.errors.len(), 1, "{misfit}");
    }
    server.respond(&id, json!({"q1": 7})).await;
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop().unwrap();
    assert!(last.contains(r#""answer":7"#), "{last}");
}

/// A sub-agent cannot ask: it gets an error, reports, and the parent continues.
#[tokio::test]
async fn sub_agent_cannot_ask_and_its_parent_continues() {
    let directory = Directory::new();
    let spawn =
        json!({"agents": [{"name": "scout", "task": "look around"}, {"task": "count things"}]});
    let steps = json!({
        "steps": [{"calls": [{"tool": "spawn_agents", "input": spawn}]}, {"say": "All: {{result}}"}],
        "scenes": [
            {"when": "look around", "steps": [{"calls": [database()]}, {"say": "told: {{result}}"}]},
            {"when": "count things", "steps": [{"say": "three"}]}]});
    let server = Server::start(&directory, &steps);
    let id = server.begin("go").await;
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop().unwrap();
    assert!(
        last.contains("parent conversations") && last.contains("three"),
        "{last}"
    );
}

/// The global feed sends changed messages in full, like the feed of one conversation: the question
/// appears in its message, and so does its outcome.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn feed_of_a_conversation_reports_the_outcome() {
    let directory = Directory::new();
    let calls = json!([{"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which?", "options": ["A", "B"]}]}}]);
    let script = json!({"steps": [{"say": "One thing.", "calls": calls}, {"say": "Done."}]});
    let server = Server::start(&directory, &script);
    let id = server.begin("go").await;
    let feed = || server.client.conversation_events(&id, Some(0));
    let live = tokio::spawn(statuses(feed()));
    server.reaches(&id, "awaiting_user_response").await;
    server.respond(&id, json!({"q1": "A"})).await;
    assert_eq!(live.await.unwrap(), ["pending", "success"], "while it runs");
    let replayed = statuses(feed()).await;
    assert_eq!(replayed, ["pending", "success"], "read back");
}

/// What became of blocks that have a status, until one succeeds.
async fn statuses(mut feed: EventStream) -> Vec<String> {
    let mut statuses: Vec<String> = Vec::new();
    while statuses.last().is_none_or(|status| status != "success") {
        if let FeedItem::Event(event) = next_item(&mut feed).await
            && let EventResponse::Message(told) = *event
        {
            let blocks = told.message.blocks.iter();
            statuses.extend(blocks.filter_map(|block| Some(block.status.as_ref()?.to_string())));
        }
    }
    statuses.dedup();
    statuses
}
