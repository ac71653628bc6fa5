//! A pattern that takes long holds no thread of the runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askback_core::conversation::command::{Command, Target};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::limits;
use serde_json::{Value, json};

use crate::commit::Extras;
use crate::world::{Model, OneApp, Scratch, engine, somebody, within};

/// F-S9: on a runtime with one thread, others go on while the most costly answer is checked: the
/// longest text against as many positions as are allowed for it.
#[tokio::test]
async fn others_go_on_while_a_pattern_is_matched() {
    let scratch = Scratch::new();
    let model = Model("none", Value::Null);
    let engine = engine(scratch.store(), model, OneApp::default()).await;
    let positions = limits::PATTERN_STEPS_MAX / limits::OWN_TEXT_CHARS_MAX - 1;
    let pattern = format!("(?:x?){{{positions}}}y");
    let input =
        json!({"question": "Which?", "input_type": "text", "validation": {"pattern": pattern}});
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    let asked = engine.ask(parsed.unwrap().inquiry, None, somebody(), Extras::default());
    let id = asked.await.unwrap().conversation.settings.id.clone();
    let answer = Command::Answer {
        target: Target::Pending,
        answers: json!({"q1": "x".repeat(limits::OWN_TEXT_CHARS_MAX)}),
        notes: None,
    };
    let over = Arc::new(AtomicBool::new(false));
    let checking = tokio::spawn({
        let (engine, over) = (engine.clone(), Arc::clone(&over));
        async move {
            let answered = engine.submit(&id, answer, somebody()).await;
            over.store(true, Ordering::SeqCst);
            answered
        }
    });
    let turns = within("the answer is checked", async {
        let mut turns = 0_u32;
        while !over.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
            turns += 1;
        }
        turns
    });
    // The text does not match; that it was looked at is what matters. Submitting takes a handful of
    // turns, and checking on this thread would add none.
    let turns = turns.await;
    assert!(turns > 100, "the thread was held: {turns} turns");
    assert!(checking.await.unwrap().is_err());
}
