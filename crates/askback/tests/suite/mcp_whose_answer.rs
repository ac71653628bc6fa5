//! An answer is used once, by the session that asked. Every other identical call puts the question to the person anew.

use askback_client::Client;
use askback_core::id::InquiryId;
use serde_json::{Value, json};

use super::support::mcp_client::{Agent, Era, answer, data, only_open, open, question, server_of};
use super::support::mcp_http_client::HttpAgent;
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

const ASK: &str = "ask_user_question";

/// A client that does not cancel a call when the person interrupts it.
const SILENT: &str = "gemini-cli-mcp-client";

fn late(result: &Value) -> Vec<Value> {
    let late = result["structuredContent"]["late_answers"].as_array();
    late.cloned().unwrap_or_default()
}

fn late_ids(result: &Value) -> Vec<String> {
    let ids = late(result).into_iter();
    ids.map(|one| one["question_id"].as_str().expect("an id").to_owned())
        .collect()
}

fn chosen(result: &Value) -> &Value {
    &result["structuredContent"]["answers"]["Deploy now?"]
}

/// All texts of a result, as a client joins them that passes on nothing else.
fn texts(result: &Value) -> String {
    let blocks = result["content"].as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str()).collect()
}

/// Asks, has the person answer, and returns the question and the result.
async fn ask_and_answer(
    directory: &Directory,
    client: &Client,
    agent: &mut Agent,
    choice: &str,
) -> (String, i64, Value) {
    let call = agent.begin(ASK, &question("Deploy now?"));
    let id = only_open(client).await;
    answer(directory, &id, &["--choose", choice]);
    (id, call, agent.result(call))
}

/// Some clients cancel every call after they have read its result. The answer counts as delivered all the same.
#[tokio::test]
async fn every_identical_ask_after_an_answer_is_put_to_the_person() {
    for era in [Era::Old, Era::New] {
        let directory = Directory::new();
        let _server = Server::start_with(&directory, &[]);
        let client = server_of(&directory).await;
        let mut agent = Agent::named(&directory, "opencode", era, &[]);
        let mut asked = Vec::new();
        for choice in ["SQLite", "PostgreSQL", "SQLite"] {
            let (id, call, result) = ask_and_answer(&directory, &client, &mut agent, choice).await;
            assert_eq!(chosen(&result), choice, "{result}");
            assert_eq!(late(&result), Vec::<Value>::new(), "{result}");
            assert!(!texts(&result).contains("not new"), "{result}");
            agent.give_up(call);
            asked.push(id);
        }
        assert_eq!(agent.leave(), Some(0));
        let mut next = Agent::named(&directory, "opencode", era, &[]);
        let (id, _, result) = ask_and_answer(&directory, &client, &mut next, "PostgreSQL").await;
        assert_eq!(chosen(&result), "PostgreSQL");
        assert_eq!(late(&result), Vec::<Value>::new(), "{result}");
        asked.push(id);
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), 4, "the person was asked each time");
    }
}

/// The answer for a session that was killed is told to the next one, apart from its own answer, with whose question it
/// was, from whom it is and how old.
#[tokio::test]
async fn answer_for_a_killed_session_is_told_to_the_next_and_is_not_its_answer() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let mut killed = Agent::start(&directory, Era::Old, &[]);
    killed.begin(ASK, &question("Deploy now?"));
    let old = only_open(&client).await;
    killed.kill();
    answer(&directory, &old, &["--choose", "SQLite"]);
    let mut next = Agent::start(&directory, Era::New, &[]);
    let (id, _, result) = ask_and_answer(&directory, &client, &mut next, "PostgreSQL").await;
    assert_ne!(id, old);
    assert_eq!(result["structuredContent"]["question_id"], id.as_str());
    assert_eq!(chosen(&result), "PostgreSQL", "{result}");
    assert_eq!(late_ids(&result), [old]);
    let told = texts(&result);
    for words in [
        "Not an answer to a question of yours",
        "an earlier session of test-agent asked",
        "Given",
        "ago.",
    ] {
        assert!(told.contains(words), "{words:?} in: {told}");
    }
    let after = next.call("list_questions", &json!({}));
    assert_eq!(late_ids(&after), [""; 0], "it is told once");
}

/// A question that a killed session left open stays open for its own answer; the same ask of another session is
/// another question.
#[tokio::test]
async fn new_session_does_not_attach_to_the_question_of_a_killed_one() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let mut killed = Agent::start(&directory, Era::Old, &[]);
    killed.begin(ASK, &question("Deploy now?"));
    let old = only_open(&client).await;
    killed.kill();
    let mut next = Agent::start(&directory, Era::Old, &[]);
    let call = next.begin(ASK, &question("Deploy now?"));
    let mut ids = within("both are open", async {
        loop {
            let ids = open(&client).await;
            if ids.len() == 2 {
                return ids;
            }
        }
    })
    .await;
    ids.retain(|id| *id != old);
    let old_one = client.inquiry(&InquiryId::new(old.as_str())).await;
    assert!(old_one.expect("it is there").is_detached());
    answer(&directory, &old, &["--choose", "SQLite"]);
    answer(&directory, &ids[0], &["--choose", "PostgreSQL"]);
    let result = next.result(call);
    assert_eq!(chosen(&result), "PostgreSQL");
    assert_eq!(late_ids(&result), [old]);
}

/// A session that its client names is the same after a restart: the same ask attaches, and gets the answer that came
/// meanwhile, once, with its age.
#[tokio::test]
async fn session_that_is_resumed_by_name_attaches() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let start = || Agent::in_session(&directory, "alpha", &[]);
    let mut agent = start();
    agent.begin(ASK, &question("Deploy now?"));
    let id = only_open(&client).await;
    agent.kill();
    let mut agent = start();
    agent.begin(ASK, &question("Deploy now?"));
    let listed = agent.call("list_questions", &json!({}));
    let listed = &listed["structuredContent"]["open_questions"];
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(open(&client).await, std::slice::from_ref(&id));
    agent.kill();
    answer(&directory, &id, &["--choose", "SQLite"]);
    let mut agent = start();
    let result = agent.call(ASK, &question("Deploy now?"));
    assert_eq!(result["structuredContent"]["question_id"], id.as_str());
    assert_eq!(chosen(&result), "SQLite");
    let told = texts(&result);
    assert!(
        told.contains("This is not new. Given") && told.contains("ago."),
        "{told}"
    );
    let (again, _, _) = ask_and_answer(&directory, &client, &mut agent, "PostgreSQL").await;
    assert_ne!(again, id, "an answer is used once");
}

/// Whether such a client has read an answer is not known. The same ask is put to the person in any case, and the new
/// answer counts alone.
#[tokio::test]
async fn same_ask_of_a_silent_client_is_put_to_the_person() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let mut agent = Agent::named(&directory, SILENT, Era::Old, &[]);
    let (id, _, _) = ask_and_answer(&directory, &client, &mut agent, "SQLite").await;
    let (new, _, result) = ask_and_answer(&directory, &client, &mut agent, "PostgreSQL").await;
    assert_ne!(new, id);
    assert_eq!(chosen(&result), "PostgreSQL");
    assert_eq!(late_ids(&result), [""; 0]);
    assert!(!texts(&result).contains("not new"), "{result}");
    // Any other call gets it as a late answer, once.
    let listed = agent.call("list_questions", &json!({}));
    assert_eq!(late_ids(&listed), [new]);
    assert!(texts(&listed).contains("may have been delivered to you before"));
    let listed = agent.call("list_questions", &json!({}));
    assert_eq!(late_ids(&listed), [""; 0]);
}

/// Such a client asks again while an older call is open: nobody waits for that one any more.
#[tokio::test]
async fn new_ask_of_a_silent_client_ends_its_older_call() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let mut agent = Agent::named(&directory, SILENT, Era::Old, &[]);
    let older = agent.begin(ASK, &question("Deploy now?"));
    let id = only_open(&client).await;
    let newer = agent.begin(ASK, &question("Which port?"));
    let given_up = agent.result(older);
    assert_eq!(given_up["structuredContent"]["status"], "pending");
    assert_eq!(given_up["structuredContent"]["question_id"], id.as_str());
    let mut ids = within("both are open", async {
        loop {
            let ids = open(&client).await;
            if ids.len() == 2 {
                return ids;
            }
        }
    })
    .await;
    answer(&directory, &id, &["--choose", "SQLite"]);
    ids.retain(|other| *other != id);
    answer(&directory, &ids[0], &["--choose", "PostgreSQL"]);
    assert_eq!(late_ids(&agent.result(newer)), [id]);
}

/// Where sessions are not known, an answer that nobody has read may be another agent's. The same ask is put to the
/// person, and the other answer stands beside.
#[tokio::test]
async fn without_sessions_an_answer_is_never_that_of_another_call() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let first = HttpAgent::start(&server.address, Era::New);
    let mut background = question("Deploy now?");
    background["background"] = json!(true);
    background["assumption"] = json!("I wait with it.");
    first.call(ASK, &background);
    let old = only_open(&server.client).await;
    answer(&directory, &old, &["--choose", "SQLite"]);
    let twin = HttpAgent::start(&server.address, Era::New);
    let call = twin.begin(ASK, &question("Deploy now?"));
    let id = only_open(&server.client).await;
    assert_ne!(id, old);
    answer(&directory, &id, &["--choose", "PostgreSQL"]);
    let result = call.result();
    assert_eq!(chosen(&result), "PostgreSQL");
    assert_eq!(late_ids(&result), [old.as_str()]);
    assert!(texts(&result).contains("Not an answer to a question of yours"));
    // Whoever asked it still finds it by its id.
    let fetched = first.call("wait_for_answer", &json!({"question_id": old}));
    assert_eq!(chosen(&fetched), "SQLite");
}

async fn detached(client: &Client, id: &str, expected: bool) {
    let id = InquiryId::new(id);
    within("the server is told whether the agent waits", async {
        while client
            .inquiry(&id)
            .await
            .expect("it is there")
            .is_detached()
            != expected
        {}
    })
    .await;
}

/// After esc in the agent people see that nobody waits for the answer at the moment, until the agent asks again.
#[tokio::test]
async fn question_says_whether_its_agent_waits() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let listed = || {
        let data = data(&directory);
        let data = data.to_str().expect("a path");
        askback(&["list", "--data", data], "").out
    };
    let mut agent = Agent::start(&directory, Era::Old, &[]);
    let call = agent.begin(ASK, &question("Deploy now?"));
    let id = only_open(&client).await;
    assert!(!listed().contains("not waiting"), "{}", listed());
    agent.give_up(call);
    detached(&client, &id, true).await;
    assert!(
        listed().contains("pending, agent not waiting"),
        "{}",
        listed()
    );
    agent.begin(ASK, &question("Deploy now?"));
    detached(&client, &id, false).await;
    assert_eq!(agent.leave(), Some(0));
    detached(&client, &id, true).await;
}
