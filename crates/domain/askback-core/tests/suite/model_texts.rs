//! What every text for a model must say, whatever its wording: the rules, the limits and the formats.
//! A text may be polished freely as long as these tests pass.

use askback_core::contract::Flavor;
use askback_core::conversation::spawn;
use askback_core::dialect::{AgentHost, Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::limits;
use askback_core::outcome::{Outcome, UndeliverableReason};
use serde_json::{Value, json};

/// Fails unless `text` has every one of `wanted`, compared without case.
#[track_caller]
fn must_say(text: &str, wanted: &[&str]) {
    let folded = text.to_lowercase();
    for wanted in wanted {
        let found = folded.contains(&wanted.to_lowercase());
        assert!(found, "the text must say {wanted:?}:\n{text}");
    }
}

fn inquiry(dialect: Dialect) -> Inquiry {
    let input = match dialect {
        Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude => json!({"questions": [{
            "question": "Which colour?", "header": "Colour", "multiSelect": false,
            "options": [{"label": "Red", "description": "Warm"}, {"label": "Blue", "description": "Cold"}],
        }]}),
        Dialect::Question | Dialect::AskUser => {
            json!({"question": "Which colour?", "options": ["Red", "Blue"]})
        }
        Dialect::Questions => {
            json!({"questions": [{"text": "Which colour?", "choices": ["Red", "Blue"]}]})
        }
    };
    let parsed = dialect.parse(&input, ParseOptions::default());
    parsed.unwrap().inquiry
}

fn content(dialect: Dialect, outcome: &Outcome) -> String {
    Dialect::render(&inquiry(dialect), outcome).content
}

/// What the description of each tool must say besides.
const DESCRIPTIONS: &[(Dialect, &[&str])] = &[
    (
        Dialect::AskUserQuestion,
        &[
            "one to four",
            "two to four",
            "\"Other\"",
            "decline",
            "one call",
        ],
    ),
    (
        Dialect::AskUserQuestionClaude,
        &[
            "one to four",
            "two to four",
            "at most 12 characters",
            "one to five words",
            "description",
            "multiSelect",
            "(Recommended)",
            "first",
            "\"Other\"",
            "plan",
        ],
    ),
    (
        Dialect::Question,
        &[
            "one question",
            "up to ten",
            "next user message",
            "only tool call",
            "multiple",
            "custom",
            "false",
            "\"Other\"",
        ],
    ),
    (
        Dialect::AskUser,
        &[
            "one",
            "input_type",
            "single_select",
            "multi_select",
            "options",
            "text",
            "number",
            "date",
            "date_range",
            "context",
            "allow_other",
            "allow_skip",
            "at most 10",
        ],
    ),
];

#[test]
fn descriptions_say_what_the_tool_does_and_its_rules() {
    for (dialect, rules) in DESCRIPTIONS {
        let description = dialect.contract().description.told_by(AgentHost::Askback);
        must_say(&description, rules);
        must_say(
            &description,
            &["asks the user", "Not available to sub-agents"],
        );
    }
    assert_eq!(
        (
            limits::QUESTIONS_MAX,
            limits::LIST_CHOICES_MIN,
            limits::LIST_CHOICES_MAX
        ),
        (4, 2, 4)
    );
    assert_eq!(
        (limits::LIST_HEADER_CHARS_MAX, limits::QUESTION_CHOICES_MAX),
        (12, 10)
    );
    assert_eq!(limits::ASK_USER_PER_CONVERSATION, 10);
}

#[test]
fn guidance_names_the_tool_and_says_when_to_ask() {
    for (dialect, rules) in [
        (
            Dialect::AskUserQuestion,
            &[
                "instead of guessing",
                "one call",
                "multiSelect",
                "not a choice",
                "agreement",
            ][..],
        ),
        (
            Dialect::AskUserQuestionClaude,
            &[
                "one call",
                "multiSelect",
                "(Recommended)",
                "first",
                "not a choice",
                "agreement",
            ],
        ),
        (
            Dialect::Question,
            &[
                "only tool call",
                "end your turn",
                "user message",
                "reject",
                "do not ask the same",
            ],
        ),
        (
            Dialect::AskUser,
            &[
                "instead of guessing",
                "single_select",
                "multi_select",
                "date_range",
                "number",
                "allow_other",
                "skipped",
                "not an answer",
                "10 questions",
            ],
        ),
    ] {
        let guidance = dialect.guidance(AgentHost::Askback);
        must_say(&guidance, rules);
        must_say(&guidance, &[dialect.name()]);
    }
}

/// What is true only where askback runs the agent is not told to the model of another client.
#[test]
fn other_clients_are_told_nothing_that_holds_only_in_askback() {
    for dialect in Dialect::TOOLS {
        let texts = [
            dialect.contract().description.told_by(AgentHost::Client),
            dialect.guidance(AgentHost::Client),
        ];
        for text in texts {
            for untrue in [
                "sub-agents",
                "user message",
                "end your turn",
                "ends your turn",
                "only tool call",
                "conversation.",
            ] {
                assert!(!text.contains(untrue), "{untrue:?} in: {text}");
            }
        }
    }
    let question = Dialect::Question.contract().description;
    must_say(
        &question.told_by(AgentHost::Client),
        &["result of the call", "lines of their own"],
    );
    let ask_user = Dialect::AskUser.contract().description;
    must_say(
        &ask_user.told_by(AgentHost::Client),
        &["at most 10 questions in one session"],
    );
}

/// Each field has a description, and each limit of the schema stands in it, because strict modes have
/// no keyword for it.
#[test]
fn schemas_describe_every_field_with_its_limit() {
    let dialects = Dialect::TOOLS.map(Dialect::contract);
    for contract in dialects.into_iter().chain([&spawn::CONTRACT]) {
        check_fields(&contract.schema(Flavor::Plain), contract.name);
    }
}

fn check_fields(schema: &Value, path: &str) {
    let properties = schema["properties"].as_object();
    for (name, field) in properties.into_iter().flatten() {
        let path = format!("{path}.{name}");
        let described = [&field["description"], &field["anyOf"][0]["description"]];
        let description = described.into_iter().find_map(Value::as_str);
        let description = description.unwrap_or_else(|| panic!("{path} has no description"));
        for limit in ["maxLength", "maxItems"] {
            let max = field[limit].as_u64().filter(|max| *max < 10_000);
            let said = max.is_none_or(|max| description.contains(&max.to_string()));
            assert!(said, "{path} must name its {limit}: {description}");
        }
        check_fields(field, &path);
        check_fields(&field["items"], &path);
    }
}

#[test]
fn optional_fields_say_what_leaving_them_out_means() {
    for (dialect, path, default) in [
        (
            Dialect::AskUserQuestion,
            "/properties/questions/items/properties/multiSelect",
            "false",
        ),
        (Dialect::Question, "/properties/multiple", "false"),
        (Dialect::Question, "/properties/custom", "true"),
        (Dialect::AskUser, "/properties/allow_other", "false"),
        (Dialect::AskUser, "/properties/allow_skip", "false"),
        (Dialect::AskUser, "/properties/input_type", "text"),
        (
            Dialect::AskUser,
            "/properties/options/items/properties/value",
            "label",
        ),
    ] {
        let schema = dialect.contract().schema(Flavor::Plain);
        let description = schema.pointer(path).unwrap()["description"]
            .as_str()
            .unwrap();
        must_say(description, &["if left out", default]);
    }
}

#[test]
fn validation_rules_name_their_formats() {
    let schema = Dialect::AskUser.contract().schema(Flavor::Plain);
    let rules = schema.pointer("/properties/validation/properties").unwrap();
    for (name, wanted) in [
        ("min", &["YYYY-MM-DD", "number"][..]),
        ("max", &["YYYY-MM-DD", "number"]),
        (
            "pattern",
            &["Rust", "look-around", "back-references", "^", "$"],
        ),
        ("step", &["greater than 0"]),
        ("integer", &["whole numbers"]),
        ("min_length", &["characters"]),
        ("max_length", &["characters"]),
        ("message", &["user"]),
    ] {
        let rule = &rules[name];
        let described = [&rule["description"], &rule["anyOf"][0]["description"]];
        must_say(
            described.into_iter().find_map(Value::as_str).unwrap(),
            wanted,
        );
    }
}

/// One retry must be enough: the refusal names the tool, every problem with its place, and the contract.
#[test]
fn refusals_restate_the_contract() {
    for dialect in Dialect::TOOLS {
        let refused = dialect.parse(&json!({"options": [7]}), ParseOptions::default());
        let error = refused.unwrap_err();
        let text = error.to_string();
        must_say(&text, &[dialect.name(), "user has", "again with: "]);
        must_say(&text, &[&dialect.contract().in_one_line()]);
        for problem in error.problems() {
            must_say(&text, &[&problem.path, &problem.hint]);
        }
    }
}

/// Silence is never consent: no result without an answer lets a model take one for given.
#[test]
fn results_without_an_answer_invent_none() {
    for dialect in Dialect::TOOLS {
        let declined = content(dialect, &Outcome::Declined);
        must_say(&declined, &["user", "without", "not a choice"]);
        let expired = content(dialect, &Outcome::Expired);
        must_say(&expired, &["nobody answered", "deadline", "chose"]);
        let withdrawn = content(dialect, &Outcome::Withdrawn);
        must_say(&withdrawn, &["withdrawn", "no answer"]);
        for text in [&declined, &expired, &withdrawn] {
            let folded = text.to_lowercase();
            assert!(
                !folded.contains("judgement") && !folded.contains("judgment"),
                "{text}"
            );
            assert!(
                !folded.contains("red") || folded.contains("answered"),
                "{text}"
            );
        }
        assert_eq!(
            content(dialect, &Outcome::Cancelled),
            "User cancelled the question"
        );
        assert_eq!(
            content(dialect, &Outcome::Rejected),
            "User rejected the question"
        );
    }
}

#[test]
fn undeliverable_results_say_that_nobody_saw_the_question() {
    for dialect in Dialect::TOOLS {
        for (reason, wanted) in [
            (
                UndeliverableReason::NobodyThere,
                &["nothing was chosen", "in your reply"][..],
            ),
            (
                UndeliverableReason::Disabled,
                &["nothing was chosen", "in your reply", dialect.name()],
            ),
            (
                UndeliverableReason::LimitReached,
                &["do not ask again", dialect.name()],
            ),
            (
                UndeliverableReason::SubAgent,
                &["only parent conversations", dialect.name(), "report"],
            ),
        ] {
            let text = content(dialect, &Outcome::Undeliverable { reason });
            must_say(&text, &["the user never saw this question"]);
            must_say(&text, wanted);
        }
    }
}

#[test]
fn superseded_results_refer_to_the_message() {
    let message = serde_json::from_value(json!("Use green.")).unwrap();
    let text = content(Dialect::Question, &Outcome::Superseded { message });
    must_say(
        &text,
        &[
            "message instead",
            "next user message",
            "reply to this question",
        ],
    );
}

#[test]
fn spawn_agents_says_what_sub_agents_cannot_do() {
    let wanted = [
        "side by side",
        "everything it needs",
        "cannot ask the user",
        "do not depend",
    ];
    must_say(
        &spawn::CONTRACT.description.told_by(AgentHost::Askback),
        &wanted,
    );
}
