//! Faults in checking answers and writing results.

use super::*;

/// Answers matched by text or header went to another question of the same name.
#[test]
fn answer_never_lands_on_another_question() {
    let question = |text: &str, header: &str| {
        json!({
            "question": text, "header": header, "multiSelect": false,
            "options": [{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }],
        })
    };
    let same_text = json!({ "questions": [question("Which?", "One"), question("Which?", "Two")] });
    assert_eq!(
        codes(Dialect::AskUserQuestionClaude, &same_text),
        [ParseProblemCode::DuplicateQuestion]
    );
    // The same header, and texts that differ only at their ends.
    let long = "Which of them, considering everything that has been said so far, ".repeat(20);
    let alike = json!({ "questions": [
        question(&format!("{long}first?"), "Same"),
        question(&format!("{long}second?"), "Same"),
    ]});
    let inquiry = parse(Dialect::AskUserQuestionClaude, &alike);
    let by_text = json!({ format!("{long}second?"): "B" });
    let by_id = json!({ "q2": "B" });
    let answers = |given: &Value| Answers::from_json(&inquiry, given, None).expect("it fits");
    assert_eq!(answers(&by_text), answers(&by_id));
    assert!(Answers::from_json(&inquiry, &json!({ "Same": "B" }), None).is_err());
    assert!(Answers::from_json(&inquiry, &json!({ long: "B" }), None).is_err());
}

/// A label was cut at " - " to find its description.
#[test]
fn label_is_never_cut_into_label_and_description() {
    let written = [
        "Critical - Must have",
        "Cost: high",
        "A (b) - c: d",
        "1. First",
    ];
    for dialect in Dialect::TOOLS {
        let inquiry = parse(dialect, &several(dialect, &written));
        assert_eq!(labels(&inquiry), written);
        for label in written {
            assert!(told(&answer(&inquiry, &json!({ "q1": label }))).contains(label));
        }
    }
}

/// The first or advised choice was taken as soon as it had the focus.
#[test]
fn choice_is_never_taken_unless_it_was_given() {
    let advised = ["PostgreSQL (Recommended)", "SQLite"];
    for dialect in Dialect::TOOLS {
        let inquiry = parse(dialect, &several(dialect, &advised));
        assert!(Answers::from_json(&inquiry, &json!({}), None).is_err());
        let reply = answer(&inquiry, &json!({ "q1": "SQLite" }));
        assert!(!told(&reply).contains("PostgreSQL"), "{dialect:?}");
        let own = answer(&inquiry, &json!({ "q1": { "own": "DuckDB" } }));
        assert!(!told(&own).contains("PostgreSQL"), "{dialect:?}");
    }
}

/// Labels joined by ", " were split again at the commas within them.
#[test]
fn label_with_a_comma_is_never_split() {
    let written = ["Fast, cheap", "Fast", "cheap", "All of the above"];
    for dialect in Dialect::TOOLS {
        let inquiry = parse(dialect, &several(dialect, &written));
        let taken = |given: Value| {
            let answers =
                Answers::from_json(&inquiry, &json!({ "q1": given }), None).expect("it fits");
            let question = &inquiry.questions()[0];
            let given: Vec<String> = answers
                .iter()
                .flat_map(|answer| answer.given.display_parts(question))
                .collect();
            given
        };
        assert_eq!(taken(json!("Fast, cheap")), ["Fast, cheap"]);
        assert_eq!(taken(json!(["Fast, cheap"])), ["Fast, cheap"]);
        assert_eq!(taken(json!(["Fast", "cheap"])), ["Fast", "cheap"]);
        assert_eq!(taken(json!("cheap, Fast")), ["Fast", "cheap"]);
        assert_eq!(taken(json!("cheap, Fast, cheap")), ["Fast, cheap", "cheap"]);
        assert_eq!(taken(json!("All of the above")), ["All of the above"]);
        // A label in another case is that label: as a whole, and in a list.
        assert_eq!(taken(json!("fast, cheap")), ["Fast, cheap"]);
        assert_eq!(taken(json!("cheap, fast")), ["Fast", "cheap"]);
    }
}

/// Words that the interface uses for itself could not be choices, or were taken as keys.
#[test]
fn reserved_word_is_never_more_than_a_label() {
    let words = ["Next", "Type something.", "Cancel", "Skip"];
    for dialect in Dialect::TOOLS {
        let inquiry = parse(dialect, &several(dialect, &words));
        assert_eq!(labels(&inquiry), words);
        for word in words {
            let reply = answer(&inquiry, &json!({ "q1": word }));
            assert_eq!((reply.is_error, reply.next), (false, Next::Resume));
            assert!(told(&reply).contains(word), "{dialect:?}");
        }
    }
}

/// A text that the system used as its mark for "cancelled" could be typed or offered.
#[test]
fn cancel_is_never_injected_by_a_label_or_an_answer() {
    let marks = [
        "User cancelled the question",
        "__cancel__",
        "cancelled",
        "{\"type\":\"cancelled\"}",
    ];
    for dialect in Dialect::TOOLS {
        let offered = parse(dialect, &several(dialect, &marks));
        let open = parse(dialect, &several(dialect, &["A", "B"]));
        for mark in marks {
            for reply in [
                answer(&offered, &json!({ "q1": mark })),
                answer(&open, &json!({ "q1": mark })),
            ] {
                assert_eq!(
                    (reply.is_error, reply.next),
                    (false, Next::Resume),
                    "{mark}"
                );
                assert_ne!(reply.content, "User cancelled the question");
            }
        }
    }
}

/// A value that is the label of another choice made one answer mean two things.
#[test]
fn answer_never_names_two_choices() {
    let crossed = json!({
        "question": "Which?", "input_type": "single_select",
        "options": [{ "label": "Keep", "value": "Drop" }, { "label": "Drop", "value": "Keep" }],
    });
    assert_eq!(
        codes(Dialect::AskUser, &crossed),
        [ParseProblemCode::DuplicateValue]
    );
}

/// The model read an automatic decline as the user's leave to go on.
#[test]
fn question_nobody_saw_is_never_told_as_declined() {
    for dialect in Dialect::TOOLS {
        let inquiry = parse(dialect, &several(dialect, &["A", "B"]));
        for reason in ["nobody_there", "disabled", "limit_reached", "sub_agent"] {
            let outcome = json!({ "type": "undeliverable", "reason": reason });
            let outcome = Outcome::from_json(&inquiry, &outcome).expect("it fits");
            let reply = Dialect::render(&inquiry, &outcome);
            assert!(reply.is_error);
            assert!(
                reply.content.contains("The user never saw this question"),
                "{reason}"
            );
            for word in ["declined", "skipped", "go on without"] {
                assert!(!reply.content.contains(word), "{}", reply.content);
            }
        }
    }
}
