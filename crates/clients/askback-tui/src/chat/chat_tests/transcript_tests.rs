//! What the agent says and what went wrong is printed once, whole.

use super::*;

/// What is whole is printed while the rest still comes, and nothing is printed twice.
#[test]
fn streamed_text_is_printed_once() {
    let mut chat = chat();
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    for piece in ["On", "e\n", "\nTwo **b", "old**"] {
        happens(&mut chat, "token", json!({ "text": piece }));
    }
    assert_eq!(printed(&mut chat), ["  One"]);
    assert!(shown(&chat).contains("  Two bold"), "{}", shown(&chat));
    assert!(shown(&chat).contains("planner is thinking"));
    says(&mut chat, "assistant", "evt_2", "One\n\nTwo **bold**");
    happens(&mut chat, "state_change", json!({"type": "idle"}));
    assert_eq!(printed(&mut chat), ["", "  Two bold"]);
    says(&mut chat, "assistant", "evt_2", "One\n\nTwo **bold**");
    assert_eq!(printed(&mut chat), Vec::<String>::new());
    assert!(!shown(&chat).contains("Two"));
}

/// A reply that was begun, lost and begun again shows the words that count.
#[test]
fn retried_reply_is_shown_whole() {
    let mut chat = chat();
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 1}),
    );
    happens(&mut chat, "token", json!({"text": "Lost"}));
    happens(
        &mut chat,
        "state_change",
        json!({"type": "llm_requesting", "attempt": 2}),
    );
    assert!(shown(&chat).contains("retry 2 of 6"), "{}", shown(&chat));
    happens(&mut chat, "token", json!({"text": "Found"}));
    says(&mut chat, "assistant", "evt_3", "Found it");
    assert_eq!(printed(&mut chat), ["  Found it"]);
}

/// The feed may bring a message before its last tokens, which are then no new text.
#[test]
fn tokens_after_their_message_are_dropped() {
    let mut chat = chat();
    let requesting = json!({"type": "llm_requesting", "attempt": 1, "sequence": 5});
    happens(&mut chat, "state_change", requesting);
    happens(&mut chat, "token", json!({"text": "One\n\nT", "after": 6}));
    says(&mut chat, "assistant", "evt_7", "One\n\nTwo");
    let idle = json!({"type": "idle", "sequence": 8});
    happens(&mut chat, "state_change", idle);
    happens(
        &mut chat,
        "token",
        json!({"text": "wo\n\nThree", "after": 6}),
    );
    assert_eq!(printed(&mut chat), ["  One", "", "  Two"]);
    assert!(!shown(&chat).contains("wo"), "{}", shown(&chat));
}

/// Tokens of an attempt that was given up may come late, and those of the next one early.
#[test]
fn tokens_of_two_attempts_are_kept_apart() {
    let mut chat = chat();
    let first = json!({"type": "llm_requesting", "attempt": 1, "sequence": 5});
    happens(&mut chat, "state_change", first);
    happens(&mut chat, "token", json!({"text": "Lost", "after": 6}));
    happens(&mut chat, "token", json!({"text": "Fo", "after": 9}));
    let second = json!({"type": "llm_requesting", "attempt": 2, "sequence": 9});
    happens(&mut chat, "state_change", second);
    happens(&mut chat, "token", json!({"text": "again", "after": 6}));
    happens(&mut chat, "token", json!({"text": "und", "after": 9}));
    assert!(shown(&chat).contains("  Found"), "{}", shown(&chat));
    assert!(!shown(&chat).contains("Lost"), "{}", shown(&chat));
}

/// After a lost connection, a part of the text is missing or comes again: what was printed stays, and
/// the message brings the rest.
#[test]
fn reply_cut_by_a_lost_connection_is_printed_once() {
    let mut chat = chat();
    let requesting = json!({"type": "llm_requesting", "attempt": 1, "sequence": 5});
    happens(&mut chat, "state_change", requesting);
    happens(&mut chat, "token", json!({"text": "One\n\nTw", "after": 6}));
    chat.handle_event(ChatEvent::Disconnected);
    chat.handle_event(ChatEvent::Connected(None));
    happens(
        &mut chat,
        "token",
        json!({"text": "One\n\nTwo\n\nThr", "after": 6}),
    );
    says(&mut chat, "assistant", "evt_7", "One\n\nTwo\n\nThree");
    let told = ["  One", "", "  Two", "", "  Three"];
    assert_eq!(printed(&mut chat), told);
}

/// An error is told with what to do about it.
#[test]
fn errors_say_what_to_do() {
    let mut chat = chat();
    let error = json!({"type": "error", "code": "overloaded", "message": "529"});
    happens(&mut chat, "state_change", error);
    let told = printed(&mut chat).concat();
    assert!(told.contains("Send any message to retry"), "{told}");
}

/// What was stopped says so, and how to go on.
#[test]
fn stop_is_told() {
    let mut chat = chat();
    chat.handle_event(ChatEvent::AgentStopped);
    assert_eq!(
        printed(&mut chat),
        ["Stopped. Write a message to continue."]
    );
}

/// Why the model is asked again is shown in full, also in a narrow window.
#[test]
fn retry_reason_is_not_cut() {
    let mut chat = chat();
    chat.resize(Size {
        columns: 40,
        rows: 12,
    });
    let reason = "Cannot reach api.example.com (connection refused)";
    let retry = json!({"type": "llm_requesting", "attempt": 3, "reason": reason,
        "attempts_max": 6});
    happens(&mut chat, "state_change", retry);
    let shown = shown(&chat);
    let words: Vec<&str> = shown
        .split_whitespace()
        .filter(|word| *word != "│")
        .collect();
    let text = words.join(" ");
    assert!(
        text.contains("Cannot reach api.example.com (connection refused), retry 3 of 6"),
        "{shown}"
    );
    assert!(
        shown.lines().all(|line| line.chars().count() <= 40),
        "{shown}"
    );
}
