//! What was said, as rows: in order, each thing once.

use askback_wire::message::MessageResponse;
use serde_json::{Value, json};

use super::Transcript;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::Row;

const AT: &str = "2027-03-01T00:00:00Z";

fn message(role: &str, id: &str, blocks: &Value) -> MessageResponse {
    let message = json!({"id": id, "role": role, "at": AT, "sequence": 1, "blocks": blocks});
    serde_json::from_value(message).expect("a message")
}

fn content(text: &str) -> Value {
    json!({"type": "content", "text": text, "timestamp": AT})
}

fn tool(status: &str) -> Value {
    json!({"type": "tool_call", "text": "look", "status": status, "timestamp": AT,
        "tool_call": {"id": "call_1", "name": "look", "result": "no such file\nat all"}})
}

fn printed(transcript: &mut Transcript) -> Vec<String> {
    let rows = transcript.print(40, &Glyphs::LINES);
    rows.iter().map(Row::text).collect()
}

fn take(transcript: &mut Transcript, message: &MessageResponse) -> Option<String> {
    transcript.take(message, &Glyphs::LINES, &|_| None)
}

#[test]
fn entries_stand_apart_and_hang() {
    let mut transcript = Transcript::default();
    let long = "please plan a service that is small and quick";
    let said = take(
        &mut transcript,
        &message("user", "msg_1", &json!([content(long)])),
    );
    assert_eq!(said.as_deref(), Some(long));
    take(
        &mut transcript,
        &message("assistant", "evt_1", &json!([content("Yes.")])),
    );
    let expected = [
        "› please plan a service that is small",
        "  and quick",
        "",
        "  Yes.",
    ];
    assert_eq!(printed(&mut transcript), expected);
}

/// A tool is told when it has run, with its error if it failed; a block that comes again is not.
#[test]
fn tools_are_told_when_they_have_run() {
    let mut transcript = Transcript::default();
    for status in ["pending", "loading", "error", "error"] {
        let blocks = json!([content("I look."), tool(status)]);
        take(&mut transcript, &message("assistant", "evt_1", &blocks));
    }
    let expected = ["  I look.", "", "✘ look: no such file"];
    assert_eq!(printed(&mut transcript), expected);
    assert_eq!(printed(&mut transcript), Vec::<String>::new());
}

/// A reply that was joined in its middle is shown from its beginning.
#[test]
fn reply_joined_late_is_whole() {
    let mut transcript = Transcript::default();
    transcript.join_reply();
    transcript.token(None, "of it.\n\nEnd");
    assert_eq!(printed(&mut transcript), Vec::<String>::new());
    let blocks = json!([content("The beginning of it.\n\nEnd")]);
    take(&mut transcript, &message("assistant", "evt_1", &blocks));
    let expected = ["  The beginning of it.", "", "  End"];
    assert_eq!(printed(&mut transcript), expected);
}

/// Nothing that a terminal would act on is left of what an agent wrote.
#[test]
fn control_characters_are_shown_as_text() {
    let mut transcript = Transcript::default();
    let blocks = json!([content(
        "a\u{1b}[31mred\u{7}\u{202e}\u{9b}31m `\u{1b}]8;;x`"
    )]);
    take(&mut transcript, &message("assistant", "evt_1", &blocks));
    let text = printed(&mut transcript).concat();
    assert!(
        !text.chars().any(|ch| ch.is_control() || ch == '\u{202e}'),
        "{text:?}"
    );
    assert!(text.contains("red"), "{text:?}");
}
