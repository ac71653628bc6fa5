//! Questions over MCP on HTTP survive time-outs, lost connections and restarts, and answers reach only
//! the agent that asked.

use std::time::Duration;

use askback_wire::asker::AskerParams;
use askback_wire::inquiry::NewInquiryParams;
use serde_json::{Value, json};

use super::support::mcp_client::{Era, answer, only_open, open, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

const ERAS: [Era; 2] = [Era::Old, Era::New];

fn late(result: &Value) -> Vec<&str> {
    let late = result["structuredContent"]["late_answers"].as_array();
    let ids = late.into_iter().flatten();
    ids.filter_map(|one| one["question_id"].as_str()).collect()
}

fn status(result: &Value) -> &str {
    result["structuredContent"]["status"]
        .as_str()
        .unwrap_or_default()
}

/// A client's time-out is not the user's cancel: the question stays, and the same call finds it again.
#[tokio::test]
async fn repeated_call_attaches_to_the_pending_question() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        let first = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&server.client).await;
        agent.give_up(first);
        let second = agent.begin("ask_user_question", &question("Which database?"));
        assert_eq!(open(&server.client).await, std::slice::from_ref(&id));
        answer(&directory, &id, &["--choose", "SQLite"]);
        let result = second.result();
        assert_eq!(result["structuredContent"]["question_id"], id.as_str());
        assert_eq!(status(&result), "answered");
        // It was delivered: the same call asks anew.
        let third = agent.begin("ask_user_question", &question("Which database?"));
        let new = only_open(&server.client).await;
        assert_ne!(new, id);
        answer(&directory, &new, &["--decline"]);
        assert_eq!(status(&third.result()), "declined");
    }
}

/// The answer to a call whose connection was lost comes with the next call of the session. Without
/// sessions the agent fetches it.
#[tokio::test]
async fn answer_after_a_lost_connection_is_delivered_once() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let agent = HttpAgent::start(&server.address, era);
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&server.client).await;
        call.disconnect();
        // The server sees the end of the connection in its own time, and holds the answer back until
        // then: the call might still deliver it.
        tokio::time::sleep(Duration::from_millis(300)).await;
        answer(&directory, &id, &["--choose", "SQLite"]);
        let wait = json!({"question_id": id});
        if era == Era::Old {
            let next = within("the late answer", async {
                loop {
                    let next = agent.call("list_questions", &json!({}));
                    if !late(&next).is_empty() {
                        return next;
                    }
                }
            });
            assert_eq!(late(&next.await), [id.as_str()]);
        } else {
            let next = agent.call("list_questions", &json!({}));
            assert_eq!(late(&next), Vec::<&str>::new());
            let fields = &next["structuredContent"];
            assert_eq!(fields["answered_questions"][0]["question_id"], id.as_str());
            let fetched = agent.call("wait_for_answer", &wait);
            assert_eq!(status(&fetched), "answered");
        }
        let next = agent.call("list_questions", &json!({}));
        assert_eq!(late(&next), Vec::<&str>::new());
        let again = agent.call("wait_for_answer", &wait);
        assert_eq!(
            again["structuredContent"]["may_have_been_delivered_before"],
            true
        );
    }
}

/// The connection of a call is lost, and the user answers. The client reads the rest of the response on
/// another connection: it gets the answer there, and not a second time with its next call.
#[tokio::test]
async fn resumed_answer_is_delivered_once() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::start(&server.address, Era::Old);
    for is_late in [true, false] {
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&server.client).await;
        let mut lines = std::iter::from_fn(|| call.line());
        let last = lines.find_map(|line| line.strip_prefix("id:").map(|id| id.trim().to_owned()));
        let last = last.expect("events have ids");
        let request = call.id;
        call.disconnect();
        if is_late {
            answer(&directory, &id, &["--choose", "SQLite"]);
        }
        let mut resumed = agent.send(
            "GET",
            &[("Accept", "text/event-stream"), ("Last-Event-ID", &last)],
            "",
        );
        assert_eq!(resumed.status(), 200);
        resumed.id = request;
        if !is_late {
            answer(&directory, &id, &["--choose", "SQLite"]);
        }
        let result = resumed.result();
        assert_eq!(status(&result), "answered");
        assert_eq!(result["structuredContent"]["question_id"], id.as_str());
        while resumed.line().is_some() {}
        let next = agent.call("list_questions", &json!({}));
        assert_eq!(late(&next), Vec::<&str>::new());
    }
}

#[tokio::test]
async fn answers_never_reach_another_session() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::start(&server.address, Era::Old);
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server.client).await;
    agent.give_up(call);
    let other = HttpAgent::start(&server.address, Era::Old);
    answer(&directory, &id, &["--choose", "SQLite"]);
    let nothing = other.call("list_questions", &json!({}));
    assert_eq!(late(&nothing), Vec::<&str>::new());
    let refused = other.call("wait_for_answer", &json!({"question_id": id}));
    assert_eq!(status(&refused), "not_the_asker");
    // The client ends its session: the next one of the same client in the same project takes over.
    assert_eq!(agent.send("DELETE", &[], "").status(), 204);
    let next = HttpAgent::start(&server.address, Era::Old);
    let found = next.call("list_questions", &json!({}));
    assert_eq!(late(&found), [id.as_str()]);
}

#[tokio::test]
async fn answers_never_reach_another_agent_without_sessions() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::start(&server.address, Era::New);
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server.client).await;
    agent.give_up(call);
    let start = |name, query| HttpAgent::with(&server.address, Era::New, name, query);
    let strangers = [
        start("another-agent", "?project=/srv/webshop"),
        start("test-agent", "?project=/srv/other"),
        start("test-agent", ""),
        start("test-agent", "?project=/srv/webshop&session=window-2"),
    ];
    answer(&directory, &id, &["--choose", "SQLite"]);
    for stranger in &strangers {
        let refused = stranger.call("wait_for_answer", &json!({"question_id": id}));
        // The question of another program does not exist for it.
        let expected = match stranger.name {
            "test-agent" => "not_the_asker",
            _ => "not_found",
        };
        assert_eq!(status(&refused), expected, "{refused}");
        let listed = stranger.call("list_questions", &json!({}));
        assert_eq!(late(&listed), Vec::<&str>::new());
        assert!(!listed.to_string().contains(&id), "{listed}");
        // The same question of another agent is another question.
        let call = stranger.begin("ask_user_question", &question("Which database?"));
        let own = only_open(&server.client).await;
        assert_ne!(own, id);
        answer(&directory, &own, &["--decline"]);
        assert_eq!(status(&call.result()), "declined");
    }
    // Another window of the same agent cannot be told from it, and gets no answer unasked.
    let twin = start("test-agent", "?project=/srv/webshop");
    let listed = twin.call("list_questions", &json!({}));
    assert_eq!(late(&listed), Vec::<&str>::new());
    let ambiguous = twin.call("wait_for_answer", &json!({}));
    assert_eq!(status(&ambiguous), "ambiguous");
    let fetched = agent.call("wait_for_answer", &json!({"question_id": id}));
    assert_eq!(status(&fetched), "answered");
}

/// With neither session nor project, nothing but the id finds a question again.
#[tokio::test]
async fn unknown_agent_finds_its_question_by_id() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::with(&server.address, Era::New, "test-agent", "");
    let first = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server.client).await;
    agent.give_up(first);
    let second = agent.begin("ask_user_question", &question("Which database?"));
    within("the second question", async {
        while open(&server.client).await.len() < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    agent.give_up(second);
    answer(&directory, &id, &["--choose", "SQLite"]);
    let fetched = agent.call("wait_for_answer", &json!({"question_id": id}));
    assert_eq!(status(&fetched), "answered");
}

/// A client that names its session in the address gets late answers as with a session.
#[tokio::test]
async fn named_session_gets_late_answers() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let query = "?project=/srv/webshop&session=window-1";
    let agent = HttpAgent::with(&server.address, Era::New, "test-agent", query);
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server.client).await;
    agent.give_up(call);
    answer(&directory, &id, &["--choose", "SQLite"]);
    let next = within("the late answer", async {
        loop {
            let next = agent.call("list_questions", &json!({}));
            if !late(&next).is_empty() {
                return next;
            }
        }
    })
    .await;
    assert_eq!(late(&next), [id.as_str()]);
}

/// The server stops: open calls end at once with a handle. The next server knows question and session.
#[tokio::test]
async fn stopped_server_returns_pending_and_the_next_one_goes_on() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let mut agent = HttpAgent::start(&server.address, era);
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&server.client).await;
        server.terminate();
        let pending = call.result();
        assert_eq!(status(&pending), "pending");
        assert_eq!(pending["structuredContent"]["question_id"], id.as_str());

        let server = Server::start_with(&directory, &[]);
        agent.address.clone_from(&server.address);
        let wait = agent.begin("wait_for_answer", &json!({"question_id": id}));
        answer(&directory, &id, &["--choose", "SQLite"]);
        assert_eq!(status(&wait.result()), "answered");
    }
}

/// `kill -9` of the server: the same call finds the question again, in the same session.
#[tokio::test]
async fn killed_server_loses_neither_question_nor_session() {
    for era in ERAS {
        let directory = Directory::new();
        let server = Server::start_with(&directory, &[]);
        let mut agent = HttpAgent::start(&server.address, era);
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&server.client).await;
        server.kill();
        assert_eq!(call.message(), None);

        let server = Server::start_with(&directory, &[]);
        agent.address.clone_from(&server.address);
        let again = agent.begin("ask_user_question", &question("Which database?"));
        assert_eq!(only_open(&server.client).await, id);
        answer(&directory, &id, &["--choose", "SQLite"]);
        let result = again.result();
        assert_eq!(result["structuredContent"]["question_id"], id.as_str());
        assert_eq!(status(&result), "answered");
    }
}

/// More questions of another session than one page holds: those of this session are found all the same.
#[tokio::test]
async fn questions_of_other_sessions_hide_none_of_this_one() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let query = "?project=/srv/webshop&session=window-1";
    let agent = HttpAgent::with(&server.address, Era::New, "test-agent", query);
    let mut background = question("Which database?");
    background["background"] = json!(true);
    background["assumption"] = json!("SQLite");
    agent.call("ask_user_question", &background);
    let id = only_open(&server.client).await;
    for number in 0..205 {
        let params = NewInquiryParams {
            input: question(&format!("Which of {number}?")),
            asker: Some(AskerParams {
                client: "test-agent".to_owned(),
                project: Some("/srv/webshop".to_owned()),
                session: "another".to_owned(),
            }),
            ..NewInquiryParams::default()
        };
        server.client.ask(&params).await.expect("it is asked");
    }
    let listed = agent.call("list_questions", &json!({}));
    let open = listed["structuredContent"]["open_questions"].as_array();
    let open: Vec<_> = open.into_iter().flatten().collect();
    assert_eq!(open.len(), 1, "{listed}");
    assert_eq!(open[0]["question_id"], id.as_str());
    answer(&directory, &id, &["--choose", "SQLite"]);
    let next = agent.call("list_questions", &json!({}));
    assert_eq!(late(&next), [id.as_str()]);
}

/// Another session that knows the id of an event does not get the response, and after `DELETE` nobody
/// does. The empty first event has no data for this client, which is older than 2025-11-25.
#[tokio::test]
async fn response_is_resumed_by_its_own_session_only() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let agent = HttpAgent::start(&server.address, Era::Old);
    let other = HttpAgent::start(&server.address, Era::Old);
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server.client).await;
    let mut lines = std::iter::from_fn(|| call.line());
    let mut before = lines.by_ref().take_while(|line| !line.starts_with("id:"));
    assert!(before.all(|line| !line.starts_with("data:")), "empty data");
    call.disconnect();
    let call = agent.begin("wait_for_answer", &json!({"question_id": id}));
    let mut lines = std::iter::from_fn(|| call.line());
    let last = lines.find_map(|line| line.strip_prefix("id:").map(|id| id.trim().to_owned()));
    let last = last.expect("events have ids");
    call.disconnect();
    let resume = |agent: &HttpAgent| {
        let headers = [("Accept", "text/event-stream"), ("Last-Event-ID", &last)];
        agent.send("GET", &headers, "").status()
    };
    assert_eq!(resume(&other), 404);
    assert_eq!(resume(&agent), 200);
    assert_eq!(agent.send("DELETE", &[], "").status(), 204);
    assert_eq!(resume(&other), 400);
}
