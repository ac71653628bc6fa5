//! Goal: a slow regular expression blocks no async thread.

use askback_core::conversation::command::{Command, Target};
use askback_core::dialect::{Dialect, ParseOptions};
use serde_json::{Value, json};

use crate::commit::CommitOptions;
use crate::fixtures::{OneApp, OneToolModel, TempStore, engine, http_actor, with_timeout};

/// An answer is matched against a pattern on a blocking thread. While the only one is busy, the
/// answer waits and the async thread continues.
#[test]
fn patterns_are_matched_on_a_blocking_thread() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let temp_store = TempStore::new();
        let model = OneToolModel("none", Value::Null);
        let engine = engine(temp_store.store(), model, OneApp::default()).await;
        let input =
            json!({"question": "Which?", "input_type": "text", "validation": {"pattern": "^a+$"}});
        let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
        let asked = engine.ask(
            parsed.unwrap().inquiry,
            None,
            http_actor(),
            CommitOptions::default(),
        );
        let id = asked.await.unwrap().conversation.settings.id.clone();
        let answer = Command::Answer {
            target: Target::Pending,
            answers: json!({"q1": "b"}),
            notes: None,
        };
        let (release, busy) = std::sync::mpsc::channel::<()>();
        let blocking = tokio::task::spawn_blocking(move || busy.recv());
        let submitted = engine.clone();
        let checking =
            tokio::spawn(async move { submitted.submit(&id, answer, http_actor()).await });
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        assert!(!checking.is_finished(), "it was checked on this thread");
        release.send(()).unwrap();
        blocking.await.unwrap().unwrap();
        let refused = with_timeout("the answer is checked", checking)
            .await
            .unwrap();
        assert!(refused.is_err(), "the text does not match");
    });
}
