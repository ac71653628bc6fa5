//! The vectors cover what they promise, and their answers mean what the core makes of the draft.

use std::collections::BTreeSet;

use askback_core::answer::Answers;
use serde_json::Value;

use super::*;

const CASES: u64 = 2_000;

fn cases() -> impl Iterator<Item = Value> {
    (0..CASES).map(|index| serde_json::from_str(&draft_vector(1, index)).unwrap())
}

#[test]
fn same_seed_gives_the_same_line() {
    assert_eq!(draft_vector(7, 3), draft_vector(7, 3));
    assert_ne!(draft_vector(7, 3), draft_vector(7, 4));
}

/// What must occur among the cases.
const WANTED: &[(&str, &[&str])] = &[
    (
        "edit",
        &[
            "close", "go_to", "mark", "mark_all", "open", "reopen", "skip", "write",
        ],
    ),
    (
        "entry",
        &[
            "field",
            "focus",
            "note",
            "own",
            "own_ticked",
            "part",
            "picked",
            "skipped",
            "typed",
            "typed_end",
        ],
    ),
    ("kind", &["choice", "date", "date_range", "number", "text"]),
    ("page", &["from_review", "question", "review"]),
    (
        "end",
        &[
            "review_first",
            "sent",
            "empty",
            "end_before_start",
            "not_a_date",
            "not_a_number",
            "not_whole",
            "nothing_answered",
            "too_early",
            "too_large",
            "too_long",
            "too_short",
            "too_small",
        ],
    ),
];

/// Every kind, every edit of the browser, the review, and each way in which sending ends.
#[test]
fn vectors_cover_kinds_edits_pages_and_ends() {
    let seen: BTreeSet<String> = cases().flat_map(|case| seen_in(&case)).collect();
    for (what, names) in WANTED {
        for name in *names {
            let wanted = format!("{what} {name}");
            assert!(seen.contains(&wanted), "{wanted} is missing: {seen:?}");
        }
    }
}

fn seen_in(case: &Value) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    for question in case["questions"].as_array().unwrap() {
        seen.insert(format!("kind {}", question["kind"].as_str().unwrap()));
    }
    for step in case["steps"].as_array().unwrap() {
        seen.insert(format!("edit {}", step["edit"]["edit"].as_str().unwrap()));
        let draft = &step["draft"];
        let is_review = draft["page"] == "review";
        seen.insert(format!(
            "page {}",
            if is_review { "review" } else { "question" }
        ));
        if draft.get("from_review").is_some() {
            seen.insert("page from_review".to_owned());
        }
        for entry in draft["entries"].as_array().unwrap() {
            let fields = entry.as_object().unwrap().keys();
            seen.extend(fields.map(|field| format!("entry {field}")));
        }
    }
    let end = match (case["problem"]["code"].as_str(), &case["answers"]) {
        (Some(code), _) => code,
        (None, Value::Null) => "review_first",
        (None, _) => "sent",
    };
    seen.insert(format!("end {end}"));
    seen
}

/// What the browser sends and what the core makes of the same draft are the same answers.
#[test]
fn sent_answers_mean_what_the_draft_means() {
    let parser = InputParser::english(today());
    let mut sent = 0;
    for case in cases().filter(|case| !case["answers"].is_null()) {
        let questions: Vec<QuestionResponse> =
            serde_json::from_value(case["questions"].clone()).unwrap();
        let questions = questions.iter().map(|it| it.to_question().unwrap());
        let inquiry = Inquiry::restore(Dialect::AskUser, None, questions.collect()).unwrap();
        let Some(last) = case["steps"].as_array().unwrap().last() else {
            continue;
        };
        let draft: Draft = serde_json::from_value(last["draft"].clone()).unwrap();
        let answers = Answers::parse_typed(&inquiry, case["answers"].clone(), &parser);
        let read = Answers::from_json(&inquiry, &answers, None);
        assert_eq!(read, draft.answers(&inquiry, &parser), "{case}");
        sent += 1;
    }
    assert!(sent > 100, "{sent} cases are sent");
}
