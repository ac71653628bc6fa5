//! The history alone decides what a script replies, and an invalid script says what is wrong.

use std::sync::Mutex;

use askback_core::conversation::command::RawCall;
use askback_core::conversation::event::{AssistantReply, CallResult, ToolCall};
use askback_core::conversation::history::HistoryEntry;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{CallId, ConversationId};
use askback_core::text::{Lines, Text};
use serde_json::Value;

use super::*;

fn user(text: &str) -> HistoryEntry {
    HistoryEntry::User(Text::clean(text, Lines::Many).unwrap())
}

/// The entry that a reply becomes once its calls have these results.
fn settled(reply: &RawReply, results: &[&str]) -> HistoryEntry {
    let call = |call: &RawCall| ToolCall {
        id: CallId::new(format!("call_{}", call.provider_id)),
        provider_id: call.provider_id.clone(),
        name: call.name.clone(),
        input: call.input.clone(),
    };
    HistoryEntry::Assistant {
        reply: AssistantReply {
            text: Text::clean(&reply.text, Lines::Many),
            reasoning: reply.reasoning.clone(),
            calls: reply.calls.iter().map(call).collect(),
        },
        results: results
            .iter()
            .map(|result| CallResult::ok(*result))
            .collect(),
    }
}

#[derive(Default)]
struct CollectedTokens(Mutex<Vec<String>>);

impl TokenSink for CollectedTokens {
    fn token(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

async fn ask(
    llm: &ScriptedLlm,
    history: &[HistoryEntry],
    attempt: u32,
) -> Result<RawReply, LlmFailure> {
    let request = LlmRequest {
        conversation: ConversationId::new("cnv_1"),
        attempt,
        model: None,
        system: String::new(),
        history: history.to_vec().into(),
        tools: Vec::new(),
        tokens_max: None,
    };
    let tokens = CollectedTokens::default();
    let reply = llm.request(request, &tokens).await;
    if let Ok(reply) = &reply {
        assert_eq!(tokens.0.into_inner().unwrap().concat(), reply.text);
    }
    reply
}

fn script(json: &str) -> ScriptedLlm {
    ScriptedLlm::new(Script::parse(json).unwrap())
}

fn said(text: &str) -> RawReply {
    RawReply {
        text: text.to_owned(),
        ..RawReply::default()
    }
}

#[tokio::test]
async fn step_follows_from_the_number_of_replies() {
    let llm = script(
        r#"{"steps": [{"say": "one"}, {"say": "two", "times": 2}, {"say": "three"}], "repeat_from": 2}"#,
    );
    let mut history = Vec::new();
    let mut replies = Vec::new();
    for _ in 0..7 {
        history.push(user("go on"));
        let reply = ask(&llm, &history, 1).await.unwrap();
        history.push(settled(&reply, &[]));
        replies.push(reply.text);
    }
    assert_eq!(
        replies,
        ["one", "two", "two", "three", "two", "two", "three"]
    );
}

#[tokio::test]
async fn script_that_has_ended_says_so() {
    let llm = script(r#"{"steps": [{"say": "one"}]}"#);
    let history = [user("a"), settled(&said("one"), &[]), user("b")];
    let failure = ask(&llm, &history, 1).await.unwrap_err();
    assert_eq!(
        failure.failure,
        AgentFailure::new(
            FailureKind::Refused,
            "The script has ended: it has steps for 1 replies, and this is one more. Add a step, or \
             `repeat_from`."
        )
    );
}

#[tokio::test]
async fn calls_get_ids_that_differ_between_replies() {
    let llm = script(
        r#"{"steps": [{"think": "hm", "calls": [{"tool": "a", "input": {"x": "{{task}}"}}, {"tool": "b", "id": "mine", "input": "{broken"}]}]}"#,
    );
    let reply = ask(&llm, &[user("hello")], 1).await.unwrap();
    let expected = RawReply {
        text: String::new(),
        reasoning: Some(json!({ "scripted": "hm" })),
        calls: vec![
            RawCall {
                provider_id: "scripted_1_1".to_owned(),
                name: "a".to_owned(),
                input: json!({ "x": "hello" }),
            },
            RawCall {
                provider_id: "mine".to_owned(),
                name: "b".to_owned(),
                input: json!("{broken"),
            },
        ],
    };
    assert_eq!(reply, expected);
}

#[tokio::test]
async fn attempts_fail_in_order_and_then_succeed() {
    let llm = script(
        r#"{"steps": [{"say": "there", "fail": [{"kind": "overloaded", "message": "Busy.", "retry_after_ms": 5}, {"kind": "network"}]}]}"#,
    );
    let history = [user("hello")];
    let first = ask(&llm, &history, 1).await.unwrap_err();
    assert_eq!(
        first.failure,
        AgentFailure::new(FailureKind::Overloaded, "Busy.")
    );
    assert_eq!(first.retry_after, Some(SignedDuration::from_millis(5)));
    let second = ask(&llm, &history, 2).await.unwrap_err();
    assert_eq!(second.failure.kind, FailureKind::Network);
    assert_eq!(ask(&llm, &history, 3).await.unwrap(), said("there"));
}

#[tokio::test]
async fn alternatives_and_expectations_look_at_what_was_received() {
    let llm = script(
        r#"{"steps": [
            {"calls": [{"tool": "t"}]},
            {"either": [{"if": "POSTGRES", "say": "rows"}, {"say": "{{result}}"}]},
            {"say": "thanks", "expect": ["please"]}
        ]}"#,
    );
    let first = ask(&llm, &[user("go")], 1).await.unwrap();
    let mut history = vec![
        user("go"),
        settled(&first, &["{\"answers\":{\"Q\":\"PostgreSQL\"}}"]),
    ];
    assert_eq!(ask(&llm, &history, 1).await.unwrap(), said("rows"));
    history[1] = settled(&first, &["nothing"]);
    assert_eq!(ask(&llm, &history, 1).await.unwrap(), said("nothing"));

    history.extend([settled(&said("nothing"), &[]), user("now")]);
    let failure = ask(&llm, &history, 1).await.unwrap_err();
    assert_eq!(
        failure.failure.message.as_str(),
        "Step 3 of the script expects \"please\", which the agent did not receive."
    );
    history.push(user("Please"));
    assert_eq!(ask(&llm, &history, 1).await.unwrap(), said("thanks"));
}

#[tokio::test]
async fn scene_is_chosen_by_the_first_message() {
    let llm = script(
        r#"{"steps": [{"say": "main"}], "scenes": [{"when": "count the", "steps": [{"say": "three"}]}]}"#,
    );
    assert_eq!(ask(&llm, &[user("Hello")], 1).await.unwrap(), said("main"));
    assert_eq!(
        ask(&llm, &[user("Count the cats")], 1).await.unwrap(),
        said("three")
    );
}

#[tokio::test(start_paused = true)]
async fn delays_pass_on_the_clock_of_the_runtime() {
    let llm = script(r#"{"chunk_ms": 10, "steps": [{"say": "one two three", "delay_ms": 1000}]}"#);
    let start = tokio::time::Instant::now();
    ask(&llm, &[user("go")], 1).await.unwrap();
    assert_eq!(start.elapsed().as_millis(), 1020);
}

#[test]
fn wrong_script_says_where_and_what() {
    let cases = [
        (r"{}", "script: it has neither `steps` nor `scenes`"),
        (
            r#"{"steps": [{}]}"#,
            "step 1: it needs `say`, `calls`, `fail` or `either`",
        ),
        (
            r#"{"steps": [{"say": "a", "times": 0}]}"#,
            "step 1: `times` must be at least 1",
        ),
        (
            r#"{"steps": [{"say": "a"}], "repeat_from": 2}"#,
            "repeat_from: there is no step 2; steps count from 1 to 1",
        ),
        (
            r#"{"steps": [{"say": "a", "if": "b"}]}"#,
            "step 1: `if` belongs to a step within `either`",
        ),
        (
            r#"{"scenes": [{"when": "x", "steps": [{"say": "{{anser}}"}]}]}"#,
            "scene \"x\", step 1: `{{anser}}` is not a placeholder; there are {{answer}}, {{answer to \
             THE QUESTION}}, {{message}}, {{task}}, {{result}}, {{result N}} and {{reply}}",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(Script::parse(text).unwrap_err().to_string(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn demo_asks_well_formed_questions_and_repeats_the_answers() {
    let llm = ScriptedLlm::demo().unwrap();
    let mut history = vec![user("Plan something")];
    let mut asked = Vec::new();
    let last = loop {
        let reply = ask(&llm, &history, 1).await.unwrap();
        let Some(call) = reply.calls.first() else {
            break reply.text;
        };
        asked.push(call.name.clone());
        if let Some(dialect) = Dialect::of_tool(&call.name) {
            let parsed = dialect.parse(&call.input, ParseOptions::default()).unwrap();
            assert_eq!(parsed.repairs, []);
        }
        let result = answer(&call.name, &call.input);
        history.push(settled(&reply, &[&result]));
    };
    assert_eq!(
        asked,
        [
            "ask_user_question",
            "ask_user_question",
            "ask_user_question",
            "ask_user",
            "ask_user_question",
            "spawn_agents",
            "ask_user_question",
            "ask_user"
        ]
    );
    let plan = "## The plan\n\n- Name: SQLite\n- Database: SQLite\n- First version: Search, Export\n\
                - Ready by: 2030-01-31\n- Host: SQLite\n- Open to: SQLite\n- Languages: Search, Export\n\n\
                And you said: Mow the lawn\n\nThat was the demo.";
    assert!(last.starts_with(plan), "{last}");
}

/// The same answer to every question of a kind.
fn answer(tool: &str, input: &Value) -> String {
    let question = &input["question"];
    match (tool, input["input_type"].as_str()) {
        ("ask_user_question", _) => {
            let questions = input["questions"].as_array().unwrap().iter();
            let answers: serde_json::Map<String, Value> = questions
                .map(|one| {
                    let several = one["multiSelect"] == json!(true);
                    let given = if several { "Search, Export" } else { "SQLite" };
                    (one["question"].as_str().unwrap().to_owned(), json!(given))
                })
                .collect();
            json!({ "answers": answers }).to_string()
        }
        ("ask_user", Some("date")) => json!({"status": "user_responded", "question": question,
            "answer": "2030-01-31", "display_text": "2030-01-31"})
        .to_string(),
        ("ask_user", _) => json!({"status": "user_responded", "question": question,
            "answer": "Mow the lawn", "display_text": "Mow the lawn"})
        .to_string(),
        _ => "Both have reported.".to_owned(),
    }
}

/// The demo runs if no provider was chosen. A script file was chosen.
#[test]
fn demo_continues_only_scripted_conversations() {
    let demo = ScriptedLlm::demo().unwrap();
    assert!(demo.can_continue(None) && demo.can_continue(demo.name()));
    assert!(!demo.can_continue(Some("anthropic")));
    let own = ScriptedLlm::new(Script::demo().unwrap());
    assert!(own.can_continue(Some("anthropic")));
}
