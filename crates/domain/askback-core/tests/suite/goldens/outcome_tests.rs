//! Every outcome in every dialect.

use super::*;

/// One example for each dialect, with labels that occur nowhere else.
fn samples() -> [(Dialect, Value); 4] {
    [
        (Dialect::AskUserQuestion, two_for_a_map()),
        (Dialect::AskUserQuestionClaude, authentication()),
        (Dialect::Question, next_step(true)),
        (Dialect::AskUser, language()),
    ]
}

fn outcomes() -> Vec<Value> {
    let undelivered = ["nobody_there", "disabled", "limit_reached", "sub_agent"];
    let plain = ["declined", "cancelled", "rejected", "expired", "withdrawn"];
    let mut outcomes: Vec<Value> = plain.iter().map(|name| json!({ "type": name })).collect();
    outcomes.push(json!({ "type": "superseded", "message": "Wait, I have a question." }));
    outcomes.extend(
        undelivered
            .iter()
            .map(|reason| json!({ "type": "undeliverable", "reason": reason })),
    );
    outcomes
}

/// The result of each dialect to one outcome.
fn results(outcome: &Value) -> Vec<(Dialect, AskResult)> {
    samples()
        .into_iter()
        .map(|(dialect, input)| (dialect, render(dialect, &input, outcome)))
        .collect()
}

/// Expects this of an outcome in every dialect, and that its text has these words.
fn check_outcome(outcome: &Value, is_error: bool, next: Next, words: &[&str]) {
    for (dialect, result) in results(outcome) {
        assert_eq!(
            (result.is_error, result.next),
            (is_error, next),
            "{outcome} in {dialect:?}"
        );
        for word in words {
            assert!(
                result.content.contains(word),
                "{outcome} in {dialect:?}: {}",
                result.content
            );
        }
    }
}

#[test]
fn cancelled_is_the_documented_error_and_stops_the_agent() {
    for (dialect, result) in results(&json!({ "type": "cancelled" })) {
        let expect = AskResult {
            content: "User cancelled the question".to_owned(),
            is_error: true,
            next: Next::Stop,
            user_message: None,
        };
        assert_eq!(result, expect, "{dialect:?}");
    }
}

#[test]
fn rejected_is_an_error_that_stops_the_agent_without_a_message() {
    check_outcome(
        &json!({ "type": "rejected" }),
        true,
        Next::Stop,
        &["rejected"],
    );
}

#[test]
fn declined_lets_the_agent_go_on_and_is_no_choice() {
    for (dialect, result) in results(&json!({ "type": "declined" })) {
        assert_eq!(
            (result.is_error, result.next),
            (false, Next::Resume),
            "{dialect:?}"
        );
        let word = "declined to answer";
        assert!(result.content.contains(word), "{}", result.content);
        assert!(
            result.content.contains("go on without"),
            "{}",
            result.content
        );
    }
}

#[test]
fn expired_says_that_nobody_answered() {
    let expired = json!({ "type": "expired" });
    check_outcome(
        &expired,
        false,
        Next::Resume,
        &["Nobody answered", "chosen nothing"],
    );
}

#[test]
fn withdrawn_is_an_error() {
    check_outcome(
        &json!({ "type": "withdrawn" }),
        true,
        Next::Stop,
        &["withdrawn", "no answer"],
    );
}

#[test]
fn undeliverable_says_that_the_user_never_saw_it_and_why() {
    let check = |reason: &str, words: &[&str]| {
        let outcome = json!({ "type": "undeliverable", "reason": reason });
        check_outcome(
            &outcome,
            true,
            Next::Resume,
            &["The user never saw this question"],
        );
        check_outcome(&outcome, true, Next::Resume, words);
    };
    check("nobody_there", &["nobody is there"]);
    check("disabled", &["switched off", "ask in your reply"]);
    check("limit_reached", &["proceed with the information you have"]);
    check(
        "sub_agent",
        &[
            "not available to sub-agents",
            "only parent conversations can ask",
        ],
    );
    let unsaid = json!({ "type": "undeliverable" });
    check_outcome(&unsaid, true, Next::Resume, &["nobody is there"]);
}

#[test]
fn superseded_refers_to_the_message_that_follows() {
    let outcome = json!({ "type": "superseded", "message": "Wait, I have a question." });
    check_outcome(
        &outcome,
        false,
        Next::Resume,
        &["message", "next user message"],
    );
    for (dialect, result) in results(&outcome) {
        assert_eq!(
            result.user_message.as_deref(),
            Some("Wait, I have a question."),
            "{dialect:?}"
        );
        assert!(!result.content.contains("Wait"), "{}", result.content);
    }
}

#[test]
fn only_answers_and_messages_become_user_messages() {
    for outcome in outcomes() {
        for (dialect, result) in results(&outcome) {
            let is_message = outcome["type"] == "superseded";
            assert_eq!(
                result.user_message.is_some(),
                is_message,
                "{outcome} in {dialect:?}"
            );
        }
    }
}

#[test]
fn no_outcome_without_an_answer_names_a_choice_or_leaves_it_to_the_agent() {
    for outcome in outcomes() {
        for (dialect, result) in results(&outcome) {
            let told = result.content.to_lowercase();
            for word in [
                "judgement",
                "judgment",
                "best guess",
                "as you see fit",
                "assume",
            ] {
                assert!(!told.contains(word), "{outcome} in {dialect:?}: {told}");
            }
            let (_, input) = samples()
                .into_iter()
                .find(|(of, _)| *of == dialect)
                .expect("a sample");
            for question in parse(dialect, &input).questions() {
                for choice in question.choices() {
                    let label = choice.label.as_str().to_lowercase();
                    assert!(!told.contains(&label), "{outcome} in {dialect:?}: {told}");
                }
            }
        }
    }
}

#[test]
fn status_of_ask_user_tells_outcomes_apart() {
    let statuses: Vec<Value> = ["declined", "superseded", "expired"]
        .iter()
        .map(|name| {
            let outcome = json!({ "type": name, "message": "Wait." });
            let result = render(Dialect::AskUser, &language(), &outcome);
            let content: Value = serde_json::from_str(&result.content).expect("a JSON status");
            assert_eq!(content["question"], "Which language?");
            content["status"].clone()
        })
        .collect();
    assert_eq!(
        statuses,
        ["user_declined", "user_wrote_message", "no_answer"]
    );
}

#[test]
fn result_is_written_for_machines() {
    let result = render(
        Dialect::Question,
        &next_step(false),
        &answered(&json!({ "q1": "Stop here" })),
    );
    let json = serde_json::to_value(&result).expect("a result serialises");
    assert_eq!(
        json,
        json!({
            "content": result.content, "is_error": false, "next": "resume",
            "user_message": "Stop here",
        })
    );
    let result = render(
        Dialect::Question,
        &next_step(false),
        &json!({ "type": "cancelled" }),
    );
    let json = serde_json::to_value(&result).expect("a result serialises");
    assert_eq!(
        json,
        json!({ "content": "User cancelled the question", "is_error": true, "next": "stop" })
    );
}

#[test]
fn outcome_that_cannot_be_read_says_what_one_is() {
    let inquiry = parse(Dialect::AskUserQuestion, &two_for_a_map());
    let refused = |outcome: Value, sentence: &str| {
        let error = Outcome::from_json(&inquiry, &outcome).expect_err("it does not fit");
        assert_eq!(error.to_string(), sentence, "{outcome}");
    };
    let kinds = "An outcome needs a `type`: answered, declined, cancelled, rejected, superseded, \
                 expired, withdrawn or undeliverable.";
    for outcome in [
        json!(null),
        json!("declined"),
        json!({}),
        json!({ "type": "done" }),
        json!({ "type": 7 }),
    ] {
        refused(outcome, kinds);
    }
    refused(
        json!({ "type": "superseded", "message": "  " }),
        "A superseded outcome needs the `message` that was written instead.",
    );
    refused(
        json!({ "type": "superseded", "message": "x".repeat(100_001) }),
        "The message must have 100000 characters or fewer.",
    );
    refused(
        json!({ "type": "undeliverable", "reason": "tired" }),
        "The `reason` must be nobody_there, disabled, limit_reached or sub_agent.",
    );
    refused(
        json!({ "type": "answered" }),
        "The answers must be a JSON object with one entry for each question id.",
    );
    refused(
        json!({ "type": "answered", "answers": { "q1": ["PostgreSQL", "SQLite"], "q2": true } }),
        "q2: The answer must be chosen: use `values`, and `own` for own text.\n\
         q1: Database takes one choice only.",
    );
}

#[test]
fn outcomes_come_back_from_the_store_as_they_went() {
    for (dialect, input) in samples() {
        let inquiry = parse(dialect, &input);
        for outcome in outcomes()
            .into_iter()
            .chain([answered(&json!({ "q1": "My own words" }))])
        {
            let outcome = Outcome::from_json(&inquiry, &outcome).expect("it fits");
            assert_eq!(stored::outcome(&outcome), Ok(outcome));
        }
        assert_eq!(stored::inquiry(&inquiry), Ok(inquiry));
    }
}
