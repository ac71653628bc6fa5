//! Goal: rewording a text for the model cannot drop a rule that it must state.

use super::*;

#[track_caller]
fn assert_contains(text: &str, required: &[&str]) {
    let lower = text.to_lowercase();
    for words in required {
        assert!(
            lower.contains(&words.to_lowercase()),
            "{words:?} in: {text}"
        );
    }
}

#[test]
fn instructions_name_the_tools_and_the_rules_of_waiting() {
    for dialects in [&[Dialect::AskUserQuestion][..], &Dialect::TOOLS] {
        let text = instructions(dialects, KnownClient::named("new-agent"));
        for dialect in dialects {
            let guidance = dialect.guidance(AgentHost::Client);
            assert_contains(&text, &[dialect.name(), &guidance]);
        }
        assert_contains(
            &text,
            &[
                "minutes or days",
                "\"pending\" is not an answer",
                "stays open",
                "wait_for_answer with its question_id",
                "never ask a pending question again",
                "never choose for the user",
                "end your turn",
                "next call of any askback tool",
                "list_questions when you continue after a pause",
                "withdraw_question",
            ],
        );
    }
}

/// Qwen Code has a tool `ask_user_question` of its own.
#[test]
fn instructions_name_the_tool_as_the_client_does() {
    for (client, expected) in [
        (
            "claude-code",
            "Use the tool mcp__askback__ask_user_question to ask",
        ),
        (
            "qwen-cli-mcp-client",
            "Use the tool mcp__askback__ask_user_question to ask",
        ),
        ("opencode", "Use the tool askback_ask_user_question to ask"),
        (
            "new-agent",
            "Use the tool ask_user_question of the MCP server askback to ask",
        ),
    ] {
        let text = instructions(&[Dialect::AskUserQuestion], KnownClient::named(client));
        assert!(text.starts_with(expected), "{text}");
    }
}

/// Some clients tell their model to ignore what the output of a tool says.
#[test]
fn ask_tools_say_that_the_answer_is_the_users_own() {
    for dialect in Dialect::TOOLS {
        assert_contains(
            &ask_description(dialect),
            &[
                "asks the user",
                "the user's own reply",
                "as you follow the user's messages",
                "marks tool output as untrusted",
            ],
        );
    }
}

#[test]
fn waiting_message_is_one_line_with_the_question_and_where_to_answer() {
    let questions = |text: &str| {
        let question = serde_json::json!({"id": "q1", "text": text, "kind": "text"});
        serde_json::from_value(serde_json::json!({
            "id": "inq_1", "conversation_id": "cnv_1", "status": "pending", "revision": 1,
            "dialect": "ask_user", "questions": [question.clone(), question],
            "asked_at": "2026-11-16T10:00:00Z",
        }))
        .unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(
        waiting_for_user(&questions("Which\ndatabase?")),
        "Waiting for you: Which database? (and 1 more) Answer in `askback inbox` or the browser"
    );
    let long = waiting_for_user(&questions(&"word ".repeat(100)));
    assert!(long.chars().count() < 170 && long.contains('…'), "{long}");
}

#[test]
fn tool_descriptions_say_what_to_pass_and_what_comes_back() {
    assert_contains(
        WAIT_FOR_ANSWER,
        &[
            "question_id",
            "\"pending\"",
            "without question_id",
            "only open question",
        ],
    );
    assert_contains(
        RECENTLY_DELIVERED,
        &[
            "were sent",
            "timed out",
            "wait_for_answer",
            "do not ask it again",
        ],
    );
    assert_contains(
        LIST_QUESTIONS,
        &["open questions", "answers that arrived", "after a pause"],
    );
    assert_contains(
        WITHDRAW_QUESTION,
        &[
            "no longer matters",
            "already answered",
            "the answer is returned instead",
        ],
    );
    assert_contains(
        BACKGROUND,
        &[
            "without waiting",
            "question_id at once",
            "later call of any askback tool",
            "change course",
            "requires assumption",
        ],
    );
    assert_contains(
        ASSUMPTION,
        &[
            "required with background",
            "one sentence",
            "to the user",
            "in their language",
            "example",
        ],
    );
}

#[test]
fn a_missing_assumption_says_that_nothing_was_asked_and_how_to_repair_the_call() {
    assert_contains(
        ASSUMPTION_MISSING,
        &[
            "was not asked",
            "requires assumption",
            "call again with assumption",
            "or without background",
        ],
    );
}

#[test]
fn hints_say_what_to_do_next_and_forbid_asking_twice_and_guessing() {
    for hint in [KEEP_WAITING, END_TURN] {
        assert_contains(
            hint,
            &[
                "has not answered yet",
                "stays open",
                "do not ask it again",
                "do not choose for the user",
            ],
        );
    }
    assert_contains(
        KEEP_WAITING,
        &["call wait_for_answer with this question_id"],
    );
    assert_contains(
        END_TURN,
        &[
            "stop waiting",
            "does not depend on the answer",
            "tell the user",
            "end your turn",
            "next call of any askback tool",
        ],
    );
    assert!(!END_TURN.contains("wait_for_answer"));
    assert_contains(
        CONTINUE_ON_ASSUMPTION,
        &[
            "user sees your assumption",
            "continue with it now",
            "next call of any askback tool",
            "change course",
            "wait_for_answer with this question_id",
        ],
    );
}

#[test]
fn outcomes_without_an_answer_say_that_nothing_was_chosen() {
    assert_contains(
        STOPPED,
        &[
            "nothing was chosen",
            "stop here",
            "do not ask again",
            "depends on the answer",
        ],
    );
    assert_contains(
        NOTHING_CHOSEN,
        &["none of the questions", "nothing was chosen"],
    );
    assert_contains(
        NO_OPEN_QUESTION,
        &["no open question", "part of this result"],
    );
    assert_contains(ALREADY_DELIVERED, &["delivered to you before"]);
}
