//! Who gets the questions and answers of an agent that has ended: one session that started after that.

use std::fs::File;
use std::time::Duration;

use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era, answer, data, only_open, open, question, server_of};
use super::support::mcp_http_client::HttpAgent;
use super::support::server_process::{Directory, Server};

const SHORT: [&str; 2] = ["--hold", "100ms"];

fn late_ids(result: &Value) -> Vec<String> {
    let late = result["structuredContent"]["late_answers"].as_array();
    let ids = late.into_iter().flatten().map(|one| &one["question_id"]);
    ids.map(|id| id.as_str().expect("an id").to_owned())
        .collect()
}

/// Asks, and returns the id of the question, which is pending.
fn ask(agent: &mut Agent) -> String {
    let pending = agent.call("ask_user_question", &question("Which database?"));
    let id = &pending["structuredContent"]["question_id"];
    id.as_str().expect("an id").to_owned()
}

/// Of many new agents that call at the same moment, one gets the late answer of the ended one.
#[tokio::test]
async fn late_answer_of_an_ended_agent_reaches_one_agent() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let mut owner = Agent::start(&directory, Era::Old, &SHORT);
    let id = ask(&mut owner);
    owner.kill();
    answer(&directory, &id, &["--choose", "SQLite"]);
    let start = |_| Agent::start(&directory, Era::Old, &SHORT);
    let mut next: Vec<Agent> = (0..4).map(start).collect();
    let calls: Vec<i64> = next
        .iter_mut()
        .map(|agent| agent.begin("list_questions", &json!({})))
        .collect();
    let results = next.iter().zip(calls);
    let late: Vec<String> = results
        .flat_map(|(agent, call)| late_ids(&agent.result(call)))
        .collect();
    assert_eq!(late, [id]);
    for agent in &mut next {
        assert_eq!(late_ids(&agent.call("list_questions", &json!({}))), [""; 0]);
    }
}

/// An agent that ran already when another one ended gets none of its questions.
#[tokio::test]
async fn running_agent_takes_nothing_from_one_that_ends() {
    let directory = Directory::new();
    let mut running = Agent::start(&directory, Era::Old, &SHORT);
    let mut owner = Agent::start(&directory, Era::Old, &SHORT);
    let id = ask(&mut owner);
    owner.kill();
    let withdrawn = running.call("withdraw_question", &json!({}));
    assert_eq!(withdrawn["structuredContent"]["status"], "not_found");
    assert_eq!(only_open(&server_of(&directory).await).await, id);
    answer(&directory, &id, &["--choose", "SQLite"]);
    assert_eq!(
        late_ids(&running.call("list_questions", &json!({}))),
        [""; 0]
    );
    let mut next = Agent::start(&directory, Era::Old, &SHORT);
    assert_eq!(late_ids(&next.call("list_questions", &json!({}))), [id]);
}

/// A session that its client names gets its questions back after a restart, whoever calls before.
#[tokio::test]
async fn named_session_that_restarts_keeps_its_questions() {
    let directory = Directory::new();
    let mut owner = Agent::in_session(&directory, "alpha", &SHORT);
    let answered = ask(&mut owner);
    let pending = owner.call("ask_user_question", &question("Which port?"));
    let pending = pending["structuredContent"]["question_id"].clone();
    owner.kill();
    answer(&directory, &answered, &["--choose", "SQLite"]);
    let mut other = Agent::in_session(&directory, "beta", &SHORT);
    for tool in ["withdraw_question", "list_questions"] {
        assert_eq!(late_ids(&other.call(tool, &json!({}))), [""; 0]);
    }
    assert_eq!(open(&server_of(&directory).await).await.len(), 1);
    let mut owner = Agent::in_session(&directory, "alpha", &SHORT);
    let listed = owner.call("list_questions", &json!({}));
    assert_eq!(late_ids(&listed), [answered]);
    let open = &listed["structuredContent"]["open_questions"];
    assert_eq!(open[0]["question_id"], pending);
}

/// A named session that has not run for a while does not come back: another one takes its questions over.
#[tokio::test]
async fn named_session_that_stays_away_is_taken_over() {
    let directory = Directory::new();
    let mut owner = Agent::in_session(&directory, "alpha", &SHORT);
    let id = ask(&mut owner);
    owner.kill();
    let mut next = Agent::in_session(&directory, "beta", &SHORT);
    let listed = next.call("list_questions", &json!({}));
    assert_eq!(
        listed["structuredContent"]["open_questions"],
        json!([]),
        "{listed}"
    );
    let lock = data(&directory).join("agents").join("alpha.lock");
    let lock = File::options()
        .append(true)
        .open(lock)
        .expect("it has a file");
    let last_ran = lock.metadata().and_then(|metadata| metadata.modified());
    let hour_ago = last_ran.expect("it has a time") - Duration::from_hours(1);
    lock.set_modified(hour_ago).expect("it can be set");
    let listed = next.call("list_questions", &json!({}));
    let open = &listed["structuredContent"]["open_questions"];
    assert_eq!(open[0]["question_id"], id.as_str(), "{listed}");
    let mut owner = Agent::in_session(&directory, "alpha", &SHORT);
    let listed = owner.call("list_questions", &json!({}));
    assert_eq!(listed["structuredContent"]["open_questions"], json!([]));
}

/// Over HTTP, only a session that began after the other one was ended takes its questions over.
#[tokio::test]
async fn http_session_takes_over_only_from_sessions_that_ended_before() {
    let directory = Directory::new();
    let config = directory.path().join("askback.toml");
    std::fs::write(&config, "[mcp]\nhold = \"100ms\"\n").expect("it can be written");
    let config = config.to_str().expect("a path");
    let server = Server::start_with(&directory, &["--config", config]);
    let running = HttpAgent::start(&server.address, Era::Old);
    let owner = HttpAgent::start(&server.address, Era::Old);
    let pending = owner.call("ask_user_question", &question("Which database?"));
    let id = &pending["structuredContent"]["question_id"];
    assert_eq!(owner.send("DELETE", &[], "").status(), 204);
    let listed = running.call("list_questions", &json!({}));
    assert_eq!(listed["structuredContent"]["open_questions"], json!([]));
    let next = HttpAgent::start(&server.address, Era::Old);
    let listed = next.call("list_questions", &json!({}));
    let open = &listed["structuredContent"]["open_questions"];
    assert_eq!(&open[0]["question_id"], id, "{listed}");
}
