//! Questions over MCP survive time-outs, killed processes and restarts; late answers are delivered.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era, answer, only_open, open, question, server_of};
use super::support::server_process::{Directory, Server};

const ERAS: [Era; 2] = [Era::Old, Era::New];

fn late(result: &Value) -> Vec<(String, String)> {
    let late = result["structuredContent"]["late_answers"].as_array();
    let pairs = late.into_iter().flatten().map(|one| {
        let field = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
        (field("question_id"), field("status"))
    });
    pairs.collect()
}

/// A time-out of the client does not cancel the question; the same call attaches to it again.
#[tokio::test]
async fn repeated_call_attaches_to_the_pending_question() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        let client = server_of(&directory).await;
        let first = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&client).await;
        agent.give_up(first);
        // The same input, spelt otherwise.
        let again = json!({"questions": json!([{
            "question": "Which database? ", "header": "Choice", "multiSelect": false,
            "options": ["PostgreSQL", "SQLite"],
        }]).to_string()});
        let second = agent.begin("ask_user_question", &again);
        let listed = agent.call("list_questions", &json!({}));
        assert_eq!(
            listed["structuredContent"]["open_questions"][0]["question_id"],
            id.as_str()
        );
        assert_eq!(open(&client).await, std::slice::from_ref(&id));
        answer(&directory, &id, &["--choose", "SQLite"]);
        let result = agent.result(second);
        assert_eq!(result["structuredContent"]["question_id"], id.as_str());
        assert_eq!(result["structuredContent"]["status"], "answered");
        // It was delivered: the same call asks anew.
        let third = agent.begin("ask_user_question", &question("Which database?"));
        let new = only_open(&client).await;
        assert_ne!(new, id);
        answer(&directory, &new, &["--choose", "PostgreSQL"]);
        assert_eq!(
            agent.result(third)["structuredContent"]["answers"]["Which database?"],
            "PostgreSQL"
        );
    }
}

/// An answer to a cancelled call comes with the next call, once.
#[tokio::test]
async fn late_answer_comes_with_the_next_call() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &["--hold", "5s"]);
        let client = server_of(&directory).await;
        let call = agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&client).await;
        agent.give_up(call);
        // The request is seen to be given up before the answer comes.
        agent.call("list_questions", &json!({}));
        answer(&directory, &id, &["--choose", "SQLite"]);
        let next = agent.call("list_questions", &json!({}));
        assert_eq!(late(&next), [(id.clone(), "answered".to_owned())], "{next}");
        let said = next["content"][1]["text"].as_str().unwrap_or_default();
        assert!(
            said.contains("Which database?") && said.contains("SQLite"),
            "{said}"
        );
        assert_eq!(late(&agent.call("list_questions", &json!({}))), []);
        let again = agent.call("wait_for_answer", &json!({"question_id": id}));
        assert_eq!(
            again["structuredContent"]["may_have_been_delivered_before"],
            true
        );
    }
}

/// The same call returns an undelivered outcome at once.
#[tokio::test]
async fn repeated_call_gets_the_undelivered_outcome() {
    let directory = Directory::new();
    let mut agent = Agent::start(&directory, Era::New, &["--hold", "300ms"]);
    let pending = agent.call("ask_user_question", &question("Which database?"));
    let id = pending["structuredContent"]["question_id"]
        .as_str()
        .expect("an id")
        .to_owned();
    answer(&directory, &id, &["--choose", "SQLite"]);
    let result = agent.call("ask_user_question", &question("Which database?"));
    assert_eq!(result["structuredContent"]["question_id"], id.as_str());
    assert_eq!(
        result["structuredContent"]["answers"]["Which database?"],
        "SQLite"
    );
    assert_eq!(late(&result), []);
}

/// `kill -9` of the process that waits and runs the server: the next one finds the question open and can wait for
/// its answer, which says whose question it was.
#[tokio::test]
async fn killed_mcp_process_loses_no_answer() {
    for era in ERAS {
        let directory = Directory::new();
        let mut agent = Agent::start(&directory, era, &[]);
        agent.begin("ask_user_question", &question("Which database?"));
        let id = only_open(&server_of(&directory).await).await;
        agent.kill();

        let mut next = Agent::start(&directory, era, &["--hold", "5s"]);
        let listed = next.call("list_questions", &json!({}));
        assert_eq!(
            listed["structuredContent"]["open_questions"][0]["question_id"],
            id.as_str()
        );
        answer(&directory, &id, &["--choose", "SQLite"]);
        let waited = next.call("wait_for_answer", &json!({"question_id": id}));
        assert_eq!(waited["structuredContent"]["status"], "answered");
        let remarks = waited["structuredContent"]["remarks"].to_string();
        assert!(remarks.contains("An earlier session asked"), "{waited}");
    }
}

/// The same for an answer that comes while no agent runs.
#[tokio::test]
async fn new_session_gets_the_late_answer_of_an_ended_one() {
    let directory = Directory::new();
    let mut agent = Agent::start(&directory, Era::Old, &["--hold", "300ms"]);
    let pending = agent.call("ask_user_question", &question("Which database?"));
    let id = pending["structuredContent"]["question_id"]
        .as_str()
        .expect("an id")
        .to_owned();
    agent.kill();
    answer(&directory, &id, &["--choose", "SQLite"]);
    let mut other = Agent::named(&directory, "other-agent", Era::Old, &[]);
    assert_eq!(late(&other.call("list_questions", &json!({}))), []);
    let mut next = Agent::start(&directory, Era::New, &[]);
    let found = next.call("list_questions", &json!({}));
    assert_eq!(late(&found), [(id, "answered".to_owned())], "{found}");
}

/// Two agents of one name in one project, both alive: each gets its own answers.
#[tokio::test]
async fn sessions_share_a_server_but_not_their_answers() {
    let directory = Directory::new();
    let mut first = Agent::start(&directory, Era::Old, &["--hold", "300ms"]);
    let mut second = Agent::start(&directory, Era::New, &["--hold", "300ms"]);
    let mut ids = Vec::new();
    for agent in [&mut first, &mut second] {
        let pending = agent.call("ask_user_question", &question("Which database?"));
        let id = pending["structuredContent"]["question_id"]
            .as_str()
            .expect("an id");
        ids.push(id.to_owned());
    }
    assert_ne!(ids[0], ids[1]);
    answer(&directory, &ids[0], &["--choose", "SQLite"]);
    assert_eq!(late(&second.call("list_questions", &json!({}))), []);
    assert_eq!(late(&first.call("list_questions", &json!({})))[0].0, ids[0]);
}

/// The process that runs the server is killed while another one waits: that one takes over, and its
/// call returns the answer.
#[tokio::test]
async fn waiting_call_survives_the_end_of_the_embedded_server() {
    let directory = Directory::new();
    let first = Agent::start(&directory, Era::Old, &[]);
    server_of(&directory).await;
    let mut second = Agent::start(&directory, Era::New, &[]);
    let call = second.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server_of(&directory).await).await;
    first.kill();
    let client = server_of(&directory).await;
    assert_eq!(open(&client).await, std::slice::from_ref(&id));
    answer(&directory, &id, &["--choose", "SQLite"]);
    assert_eq!(
        second.result(call)["structuredContent"]["status"],
        "answered"
    );
}

/// A server that is killed and started again in the middle of a call.
#[tokio::test]
async fn waiting_call_survives_a_server_restart() {
    let directory = Directory::new();
    let script = json!({"steps": [{"say": "-"}]});
    let server = Server::start(&directory, &script);
    let mut agent = Agent::start(&directory, Era::New, &[]);
    let call = agent.begin("ask_user_question", &question("Which database?"));
    let id = only_open(&server.client).await;
    server.kill();
    let client = server_of(&directory).await;
    assert_eq!(open(&client).await, std::slice::from_ref(&id));
    answer(&directory, &id, &["--choose", "SQLite"]);
    assert_eq!(
        agent.result(call)["structuredContent"]["status"],
        "answered"
    );
}

/// Short commands with embedded servers start and stop; the agent does not wait for their servers.
#[tokio::test]
async fn short_commands_do_not_delay_an_agent() {
    let directory = Directory::new();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let data = super::support::mcp_client::data(&directory);
            let data = data.to_str().expect("a path");
            while !stop.load(Ordering::Relaxed) {
                super::support::run_binary::askback(&["list", "--data", data], "");
            }
        });
        // Also when the test fails.
        let _stop = Stop(&stop);
        for _ in 0..3 {
            let mut agent = Agent::start(&directory, Era::New, &["--hold", "100ms"]);
            let pending = agent.call("ask_user_question", &question("Which database?"));
            assert_eq!(
                pending["structuredContent"]["status"], "pending",
                "{pending}"
            );
            let withdrawn = agent.call("withdraw_question", &json!({}));
            assert_eq!(withdrawn["structuredContent"]["status"], "withdrawn");
            assert_eq!(agent.leave(), Some(0));
        }
    });
}

/// Ends a loop when it is dropped.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Ten agents that are started at once share one server, and each gets its answer.
#[tokio::test]
async fn ten_agents_at_once_share_one_server() {
    let directory = Directory::new();
    let mut agents: Vec<Agent> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..10)
            .map(|number| {
                let era = ERAS[number % 2];
                let directory = &directory;
                scope.spawn(move || Agent::start(directory, era, &[]))
            })
            .collect();
        started
            .into_iter()
            .map(|agent| agent.join().expect("it starts"))
            .collect()
    });
    let calls: Vec<i64> = agents
        .iter_mut()
        .enumerate()
        .map(|(number, agent)| agent.begin("ask_user_question", &question(&format!("{number}?"))))
        .collect();
    let client = server_of(&directory).await;
    let ids = super::support::timeout::within("all ask", async {
        loop {
            let ids = open(&client).await;
            if ids.len() == 10 {
                return ids;
            }
        }
    })
    .await;
    for id in &ids {
        answer(&directory, id, &["--choose", "SQLite"]);
    }
    for (number, (agent, call)) in agents.iter().zip(calls).enumerate() {
        let result = agent.result(call);
        let answers = &result["structuredContent"]["answers"];
        assert_eq!(answers[format!("{number}?")], "SQLite", "{result}");
    }
}

/// An agent that learned the id of another agent's question can neither take its answer nor withdraw it.
#[tokio::test]
async fn another_agents_question_cannot_be_taken_or_withdrawn() {
    let directory = Directory::new();
    let hold = ["--hold", "200ms"];
    let mut owner = Agent::start(&directory, Era::Old, &hold);
    let pending = owner.call("ask_user_question", &question("Which database?"));
    let id = json!({"question_id": pending["structuredContent"]["question_id"]});
    let elsewhere = ["--hold", "200ms", "--project", "/elsewhere"];
    let mut others = [
        Agent::named(&directory, "other-agent", Era::New, &hold),
        Agent::start(&directory, Era::New, &elsewhere),
        Agent::start(&directory, Era::Old, &hold),
    ];
    let refuse = |others: &mut [Agent]| {
        for other in others {
            for tool in ["wait_for_answer", "withdraw_question"] {
                let refused = other.call(tool, &id);
                assert_eq!(refused["isError"], true, "{refused}");
                let fields = &refused["structuredContent"];
                let status = fields["status"].as_str().unwrap_or_default();
                // The question of another program does not exist for it.
                let is_hidden = ["not_the_asker", "not_found"].contains(&status);
                assert!(is_hidden, "{refused}");
                assert_eq!(fields["answers"], Value::Null);
            }
        }
    };
    refuse(&mut others);
    let client = server_of(&directory).await;
    assert_eq!(open(&client).await.len(), 1, "it was not withdrawn");
    answer(
        &directory,
        &only_open(&client).await,
        &["--choose", "SQLite"],
    );
    refuse(&mut others);
    let answered = owner.call("wait_for_answer", &id);
    assert_eq!(answered["structuredContent"]["status"], "answered");
    let again = &answered["structuredContent"]["may_have_been_delivered_before"];
    assert_eq!(again, &Value::Null, "{answered}");

    // Once the session has ended, the next one of the same agent in the same project takes over, if there is
    // something left to deliver.
    drop(owner);
    refuse(&mut others);
}
