//! `askback hook claude-code`: Claude Code's own questions are answered from askback, and a question is
//! neither lost nor asked twice when the hook ends early.

use std::io::Write as _;
use std::process::{Child, Stdio};

use askback_core::id::InquiryId;
use serde_json::{Value, json};

use super::support::mcp_client::{Agent, answer, data, only_open, open, server_of};
use super::support::run_binary::{command, fails};
use super::support::server_process::{Directory, Server};
use super::support::timeout::{Pending, read_all};

/// A hook that runs, and what it prints. Killed with the test.
struct Hook {
    child: Child,
    out: Option<Pending<Vec<u8>>>,
}

fn call(directory: &Directory, tool_use_id: &str, questions: &Value) -> Value {
    json!({
        "session_id": "s1",
        "transcript_path": "/dev/null",
        "cwd": directory.path(),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": questions},
        "tool_use_id": tool_use_id,
    })
}

fn database() -> Value {
    json!([{
        "question": "Which database?",
        "header": "Database and storage",
        "multiSelect": false,
        "options": [{"label": "PostgreSQL", "description": "Grows"}, {"label": "SQLite", "description": "One file"}],
    }])
}

impl Hook {
    fn start(directory: &Directory, call: &Value) -> Hook {
        let mut child = command(&["hook", "claude-code", "--data"])
            .arg(data(directory))
            .env_remove("CLAUDE_PROJECT_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        stdin
            .write_all(call.to_string().as_bytes())
            .expect("it is read");
        let out = child.stdout.take().expect("standard output is a pipe");
        Hook {
            child,
            out: Some(read_all(out)),
        }
    }

    /// What it decided, once it has ended.
    fn decision(mut self) -> Value {
        let out = self.out.take().and_then(Pending::get).expect("it ends");
        assert!(self.child.wait().expect("it ends").success());
        serde_json::from_slice(&out).expect("the decision is JSON")
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The decision keeps the input and adds the answers: a label, labels joined by commas, or own text.
#[tokio::test]
async fn answers_become_the_decision() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let questions = json!([database()[0], {
        "question": "Which features?", "header": "Features", "multiSelect": true,
        "options": [{"label": "Auth", "description": "a"}, {"label": "Cache", "description": "b"}],
    }]);
    let call = call(&directory, "toolu_1", &questions);
    let hook = Hook::start(&directory, &call);
    let id = only_open(&client).await;
    let known = client
        .inquiry(&InquiryId::new(id.as_str()))
        .await
        .expect("it is there");
    let source = known.source.expect("it says who asks");
    assert!(source.starts_with("Claude Code in "), "{source}");
    let given = directory.path().join("given.json");
    let answers = json!({"q1": {"own": "DuckDB, in memory"}, "q2": ["Auth", "Cache"]});
    std::fs::write(&given, answers.to_string()).expect("written");
    answer(
        &directory,
        &id,
        &["--json", given.to_str().expect("a path")],
    );
    let decision = hook.decision();
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "PreToolUse");
    assert_eq!(output["permissionDecision"], "allow");
    assert_eq!(output["updatedInput"]["questions"], questions);
    assert_eq!(
        output["updatedInput"]["answers"],
        json!({"Which database?": "DuckDB, in memory", "Which features?": "Auth, Cache"})
    );
    let known = client
        .inquiry(&InquiryId::new(id.as_str()))
        .await
        .expect("it is there");
    assert!(
        known
            .asker
            .is_some_and(|asker| asker.delivered_at.is_some())
    );
}

/// No answer is never an answer: the call is denied, and the model learns why.
#[tokio::test]
async fn question_without_an_answer_is_denied() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    for (how, says, stops) in [
        ("--decline", "declined", false),
        ("--cancel", "cancelled", true),
    ] {
        let hook = Hook::start(&directory, &call(&directory, how, &database()));
        let id = only_open(&client).await;
        answer(&directory, &id, &[how]);
        let decision = hook.decision();
        let output = &decision["hookSpecificOutput"];
        assert_eq!(output["permissionDecision"], "deny");
        let reason = output["permissionDecisionReason"]
            .as_str()
            .unwrap_or_default();
        assert!(reason.contains(says), "{reason}");
        assert_eq!(decision["continue"] == json!(false), stops, "{decision}");
        assert!(output["updatedInput"].is_null(), "{decision}");
    }
}

/// After `kill -9`, the same call attaches to the open question, and so does the same question under
/// another id, as after `claude --resume`. It needs no other server.
#[tokio::test]
async fn killed_hook_is_resumed_by_the_same_call() {
    let directory = Directory::new();
    let first = Hook::start(&directory, &call(&directory, "toolu_1", &database()));
    let client = server_of(&directory).await;
    let id = only_open(&client).await;
    drop(first);
    let second = Hook::start(&directory, &call(&directory, "toolu_1", &database()));
    let client = server_of(&directory).await;
    assert_eq!(only_open(&client).await, id);
    drop(second);
    let third = Hook::start(&directory, &call(&directory, "toolu_2", &database()));
    let client = server_of(&directory).await;
    assert_eq!(only_open(&client).await, id);
    answer(&directory, &id, &["--choose", "SQLite"]);
    let decision = third.decision();
    let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
    assert_eq!(answers, &json!({"Which database?": "SQLite"}));
}

/// An answer that comes after the hook has ended is delivered to the same call, or over MCP.
#[tokio::test]
async fn late_answer_is_delivered() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let hook = Hook::start(&directory, &call(&directory, "toolu_1", &database()));
    let id = only_open(&client).await;
    drop(hook);
    answer(&directory, &id, &["--choose", "SQLite"]);
    let hook = Hook::start(&directory, &call(&directory, "toolu_1", &database()));
    let decision = hook.decision();
    let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
    assert_eq!(answers["Which database?"], "SQLite");

    let hook = Hook::start(&directory, &call(&directory, "toolu_2", &database()));
    let id = only_open(&client).await;
    drop(hook);
    answer(&directory, &id, &["--choose", "PostgreSQL"]);
    let mut agent = Agent::named_in_session(&directory, "claude-code", "s1", &[]);
    let listed = agent.call("list_questions", &json!({}));
    let late = &listed["structuredContent"]["late_answers"][0];
    assert_eq!(late["answers"]["Which database?"], "PostgreSQL", "{listed}");
}

/// The MCP server of the same Claude Code delivers it, although it ran before the hook ended; the one of
/// another Claude Code does not.
#[tokio::test]
async fn late_answer_comes_over_mcp_to_the_same_claude_code() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let start = |session| Agent::named_in_session(&directory, "claude-code", session, &[]);
    let (mut same, mut other) = (start("s1"), start("s2"));
    let hook = Hook::start(&directory, &call(&directory, "toolu_1", &database()));
    let id = only_open(&client).await;
    drop(hook);
    answer(&directory, &id, &["--choose", "PostgreSQL"]);
    let listed = other.call("list_questions", &json!({}));
    assert!(listed["structuredContent"]["late_answers"].is_null());
    let listed = same.call("list_questions", &json!({}));
    let late = &listed["structuredContent"]["late_answers"][0];
    assert_eq!(late["question_id"], id.as_str(), "{listed}");
}

/// A hook whose Claude Code was killed ends by itself, so that it does not keep the question for itself.
#[tokio::test]
async fn hook_ends_when_nobody_reads_its_output() {
    let directory = Directory::new();
    let _server = Server::start_with(&directory, &[]);
    let client = server_of(&directory).await;
    let mut child = command(&["hook", "claude-code", "--data"])
        .arg(data(&directory))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let call = call(&directory, "toolu_1", &database());
    stdin
        .write_all(call.to_string().as_bytes())
        .expect("it is read");
    drop(stdin);
    let id = only_open(&client).await;
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert_eq!(open(&client).await, [id], "the question stays open");
}

/// What the hook cannot use leaves the question to Claude Code's own dialog: exit code 1, because 2 would
/// block the call.
#[test]
fn unusable_input_leaves_the_question_to_claude_code() {
    let directory = Directory::new();
    let data = data(&directory).display().to_string();
    let other = json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t", "tool_input": {},
    });
    let nothing = call(&directory, "toolu_1", &json!([]));
    // An entry that is ignored would shift the answers to other questions.
    let with_gap = call(&directory, "toolu_2", &json!([null, database()[0]]));
    let mut text = call(&directory, "toolu_3", &json!([]));
    text["tool_input"] = json!("{\"questions\":[]}");
    let unusable = [other, nothing, with_gap, text].map(|input| input.to_string());
    for input in ["", "not JSON"]
        .into_iter()
        .chain(unusable.iter().map(String::as_str))
    {
        let said = fails(&["hook", "claude-code", "--data", &data], input, 1);
        assert!(said.starts_with("askback: "), "{input}: {said}");
    }
    fails(&["hook", "claude-code", "--no-such-flag"], "", 1);
}
