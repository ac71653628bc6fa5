//! The documented examples of every dialect, in and out: what each call asks, and what the model is
//! told for every way in which an inquiry can end.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a table reads better without a borrow in every line"
)]

use askback_core::dialect::{Dialect, Flavor, ParseOptions, ToolReply, recognise};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Next, Outcome};
use serde_json::{Value, json};

fn parse(dialect: Dialect, input: &Value) -> Inquiry {
    match dialect.parse(input, ParseOptions::default()) {
        Ok(parsed) => parsed.inquiry,
        Err(error) => panic!("{input} was refused: {error}"),
    }
}

/// Expects an example to follow its contract to the letter and to ask these questions.
fn check_in(dialect: Dialect, input: &Value, questions: &Value) {
    let parsed = dialect.parse(input, ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|error| panic!("{input} was refused: {error}"));
    assert_eq!(parsed.repairs, [], "{input}");
    let asked = json!(parsed.inquiry);
    let expect = json!({ "dialect": dialect.name(), "questions": questions });
    assert_eq!(asked, expect, "{input}");
    assert_eq!(recognise(input), dialect, "{input}");
}

fn render(dialect: Dialect, input: &Value, outcome: &Value) -> ToolReply {
    let inquiry = parse(dialect, input);
    match Outcome::from_json(&inquiry, outcome) {
        Ok(outcome) => Dialect::render(&inquiry, &outcome),
        Err(error) => panic!("{outcome} was refused: {error}"),
    }
}

/// Expects answers to be told to the model in these words, after which it goes on.
fn check_out(dialect: Dialect, input: &Value, answers: Value, content: &str) {
    let reply = render(dialect, input, &answered(&answers));
    let expect = ToolReply {
        content: content.to_owned(),
        is_error: false,
        next: Next::Resume,
        user_message: None,
    };
    assert_eq!(reply, expect, "{answers}");
}

fn answered(answers: &Value) -> Value {
    json!({ "type": "answered", "answers": answers })
}

fn choice(label: &str, description: &str) -> Value {
    json!({ "value": label, "label": label, "description": description })
}

// `ask_user_question`: the result is a JSON map.

fn two_for_a_map() -> Value {
    json!({ "questions": [
        {
            "question": "Which database should we use?",
            "header": "Database",
            "options": [
                { "label": "PostgreSQL", "description": "Relational" },
                { "label": "SQLite" },
            ],
        },
        {
            "question": "Add which features?",
            "options": [{ "label": "Auth" }, { "label": "Search" }, { "label": "Billing" }],
            "multiSelect": true,
        },
    ]})
}

#[test]
fn ask_user_question_asks_what_it_was_given() {
    let questions = json!([
        {
            "id": "q1", "header": "Database", "text": "Which database should we use?",
            "skippable": true, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                choice("PostgreSQL", "Relational"),
                { "value": "SQLite", "label": "SQLite" },
            ],
        },
        {
            "id": "q2", "text": "Add which features?",
            "skippable": true, "kind": "choice", "several": true, "own_text": true,
            "choices": [
                { "value": "Auth", "label": "Auth" },
                { "value": "Search", "label": "Search" },
                { "value": "Billing", "label": "Billing" },
            ],
        },
    ]);
    check_in(Dialect::AskUserQuestion, &two_for_a_map(), &questions);
}

#[test]
fn ask_user_question_answers_are_a_map_in_the_order_of_the_questions() {
    // By the alphabet, the second question would come first.
    let check = |answers: Value, content: &str| {
        check_out(Dialect::AskUserQuestion, &two_for_a_map(), answers, content);
    };
    check(
        json!({ "Add which features?": "Auth", "Which database should we use?": "SQLite" }),
        r#"{"answers":{"Which database should we use?":"SQLite","Add which features?":"Auth"}}"#,
    );
    check(
        json!({ "q2": ["Billing", "Auth"], "q1": "PostgreSQL" }),
        r#"{"answers":{"Which database should we use?":"PostgreSQL","Add which features?":"Auth, Billing"}}"#,
    );
    check(
        json!({ "q1": "DuckDB", "q2": { "values": ["Auth"], "other": "Dark mode" } }),
        r#"{"answers":{"Which database should we use?":"DuckDB","Add which features?":"Auth, Dark mode"}}"#,
    );
    check(
        json!({ "q1": { "values": ["SQLite"], "other": "whatever is there" }, "q2": "Dark mode" }),
        r#"{"answers":{"Which database should we use?":"whatever is there","Add which features?":"Dark mode"}}"#,
    );
}

#[test]
fn ask_user_question_names_what_was_skipped_or_left_open() {
    let check = |answers: Value, content: &str| {
        check_out(Dialect::AskUserQuestion, &two_for_a_map(), answers, content);
    };
    check(
        json!({ "q1": "SQLite" }),
        r#"{"answers":{"Which database should we use?":"SQLite"},"unanswered":["Add which features?"]}"#,
    );
    check(
        json!({ "q1": { "skipped": true }, "q2": "Search" }),
        r#"{"answers":{"Add which features?":"Search"},"skipped":["Which database should we use?"]}"#,
    );
    check(
        json!({ "q1": { "values": ["SQLite"], "note": "until we grow" }, "q2": "Search" }),
        r#"{"answers":{"Which database should we use?":"SQLite","Add which features?":"Search"},"notes":{"Which database should we use?":"until we grow"}}"#,
    );
}

#[test]
fn ask_user_question_result_is_json_whatever_was_written() {
    let hostile = "\"}, \"answers\": {\"x\": \"y\\";
    check_out(
        Dialect::AskUserQuestion,
        &two_for_a_map(),
        json!({ "q1": hostile, "q2": "Auth" }),
        r#"{"answers":{"Which database should we use?":"\"}, \"answers\": {\"x\": \"y\\","Add which features?":"Auth"}}"#,
    );
}

#[test]
fn ask_user_question_schema_has_the_published_limits() {
    let schema = Dialect::AskUserQuestion.contract().schema(Flavor::Plain);
    let questions = &schema["properties"]["questions"];
    let question = &questions["items"];
    let options = &question["properties"]["options"];
    let facts = json!([
        schema["required"],
        questions["type"],
        questions["minItems"],
        questions["maxItems"],
        question["required"],
        question["properties"]["header"]["maxLength"],
        options["minItems"],
        options["maxItems"],
        options["items"]["required"],
        question["properties"]["multiSelect"]["type"],
    ]);
    let expect = json!([
        ["questions"],
        "array",
        1,
        4,
        ["question", "options"],
        12,
        2,
        4,
        ["label"],
        "boolean",
    ]);
    assert_eq!(facts, expect);
}

// `AskUserQuestion`: the result is a block of prose.

fn technology_choice() -> Value {
    json!({ "questions": [{
        "question": "Which database should we use for this project?",
        "header": "Database",
        "options": [
            { "label": "PostgreSQL (Recommended)", "description": "Robust relational DB, great for complex queries" },
            { "label": "MongoDB", "description": "Document DB, flexible schema for rapid development" },
            { "label": "SQLite", "description": "Embedded DB, zero configuration, good for small apps" },
        ],
        "multiSelect": false,
    }]})
}

fn features() -> Value {
    json!({
        "question": "Which features should we enable?",
        "header": "Features",
        "options": [
            { "label": "TypeScript", "description": "Type safety and better IDE support" },
            { "label": "ESLint + Prettier", "description": "Code linting and formatting" },
            { "label": "Testing (Vitest)", "description": "Unit and component testing" },
            { "label": "Tailwind CSS", "description": "Utility-first CSS framework" },
        ],
        "multiSelect": true,
    })
}

fn authentication() -> Value {
    json!({ "questions": [
        {
            "question": "Which authentication method should we use?",
            "header": "Auth Method",
            "options": [
                { "label": "OAuth 2.0 (Recommended)", "description": "Industry standard, supports social login" },
                { "label": "JWT", "description": "Stateless tokens, good for APIs" },
                { "label": "Session-based", "description": "Traditional cookie sessions" },
            ],
            "multiSelect": false,
        },
        {
            "question": "Which OAuth providers should we support?",
            "header": "Providers",
            "options": [
                { "label": "Google", "description": "Most widely used" },
                { "label": "GitHub", "description": "Popular for developer tools" },
                { "label": "Microsoft", "description": "Enterprise integration" },
                { "label": "Apple", "description": "Required for iOS apps" },
            ],
            "multiSelect": true,
        },
    ]})
}

fn package_manager() -> Value {
    json!({ "questions": [{
        "question": "Which package manager do you prefer?",
        "header": "Package Mgr",
        "options": [
            { "label": "npm", "description": "Default Node.js package manager" },
            { "label": "pnpm (Recommended)", "description": "Fast, efficient disk space usage" },
            { "label": "yarn", "description": "Alternative with workspaces support" },
        ],
        "multiSelect": false,
    }]})
}

/// The two questions of the documented result.
fn database_and_features() -> Value {
    let database = technology_choice()["questions"][0].clone();
    json!({ "questions": [database, features()] })
}

fn advised(label: &str, description: &str) -> Value {
    json!({ "value": label, "label": label, "description": description, "recommended": true })
}

#[test]
fn claude_single_question_asks_what_it_was_given() {
    check_in(
        Dialect::AskUserQuestionClaude,
        &technology_choice(),
        &json!([{
            "id": "q1", "header": "Database",
            "text": "Which database should we use for this project?",
            "skippable": false, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                advised("PostgreSQL", "Robust relational DB, great for complex queries"),
                choice("MongoDB", "Document DB, flexible schema for rapid development"),
                choice("SQLite", "Embedded DB, zero configuration, good for small apps"),
            ],
        }]),
    );
}

#[test]
fn claude_several_choices_ask_what_they_were_given() {
    check_in(
        Dialect::AskUserQuestionClaude,
        &json!({ "questions": [features()] }),
        &json!([{
            "id": "q1", "header": "Features", "text": "Which features should we enable?",
            "skippable": false, "kind": "choice", "several": true, "own_text": true,
            "choices": [
                choice("TypeScript", "Type safety and better IDE support"),
                choice("ESLint + Prettier", "Code linting and formatting"),
                choice("Testing (Vitest)", "Unit and component testing"),
                choice("Tailwind CSS", "Utility-first CSS framework"),
            ],
        }]),
    );
}

#[test]
fn claude_several_questions_ask_what_they_were_given() {
    check_in(
        Dialect::AskUserQuestionClaude,
        &authentication(),
        &json!([
            {
                "id": "q1", "header": "Auth Method",
                "text": "Which authentication method should we use?",
                "skippable": true, "kind": "choice", "several": false, "own_text": true,
                "choices": [
                    advised("OAuth 2.0", "Industry standard, supports social login"),
                    choice("JWT", "Stateless tokens, good for APIs"),
                    choice("Session-based", "Traditional cookie sessions"),
                ],
            },
            {
                "id": "q2", "header": "Providers",
                "text": "Which OAuth providers should we support?",
                "skippable": true, "kind": "choice", "several": true, "own_text": true,
                "choices": [
                    choice("Google", "Most widely used"),
                    choice("GitHub", "Popular for developer tools"),
                    choice("Microsoft", "Enterprise integration"),
                    choice("Apple", "Required for iOS apps"),
                ],
            },
        ]),
    );
}

#[test]
fn claude_advice_is_a_badge_wherever_it_stands() {
    check_in(
        Dialect::AskUserQuestionClaude,
        &package_manager(),
        &json!([{
            "id": "q1", "header": "Package Mgr", "text": "Which package manager do you prefer?",
            "skippable": false, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                choice("npm", "Default Node.js package manager"),
                advised("pnpm", "Fast, efficient disk space usage"),
                choice("yarn", "Alternative with workspaces support"),
            ],
        }]),
    );
}

#[test]
fn claude_source_is_kept_and_prefilled_answers_are_not() {
    let mut input = technology_choice();
    input["metadata"] = json!({ "source": "remember" });
    input["answers"] = json!({ "Which database should we use for this project?": "MongoDB" });
    let inquiry = parse(Dialect::AskUserQuestionClaude, &input);
    assert_eq!(
        inquiry.source().map(ToString::to_string),
        Some("remember".to_owned())
    );
    assert_eq!(
        inquiry.questions(),
        parse(Dialect::AskUserQuestionClaude, &technology_choice()).questions()
    );
    assert_eq!(recognise(&input), Dialect::AskUserQuestionClaude);
}

#[test]
fn claude_answers_are_the_documented_block() {
    check_out(
        Dialect::AskUserQuestionClaude,
        &database_and_features(),
        json!({ "q1": "PostgreSQL (Recommended)", "q2": ["TypeScript", "ESLint + Prettier", "Tailwind CSS"] }),
        "\
User answered the following questions:

1. Database (Which database should we use for this project?)
   Selected: PostgreSQL

2. Features (Which features should we enable?)
   Selected: TypeScript, ESLint + Prettier, Tailwind CSS

Proceeding with user selections.",
    );
}

#[test]
fn claude_own_text_is_a_line_of_its_own() {
    check_out(
        Dialect::AskUserQuestionClaude,
        &package_manager(),
        json!({ "q1": { "other": "bun" } }),
        "\
User answered the following questions:

1. Package Mgr (Which package manager do you prefer?)
   Custom input: bun

Proceeding with user selections.",
    );
    check_out(
        Dialect::AskUserQuestionClaude,
        &authentication(),
        json!({ "q1": "OAuth 2.0", "q2": { "values": ["Google", "GitHub"], "other": "GitLab\nand our own" } }),
        "\
User answered the following questions:

1. Auth Method (Which authentication method should we use?)
   Selected: OAuth 2.0

2. Providers (Which OAuth providers should we support?)
   Selected: Google, GitHub
   Custom input: GitLab
   and our own

Proceeding with user selections.",
    );
}

#[test]
fn claude_open_questions_are_named_and_not_proceeded_with() {
    let reply = render(
        Dialect::AskUserQuestionClaude,
        &authentication(),
        &json!({
            "type": "answered",
            "answers": { "q1": { "values": ["JWT"], "note": "keep it simple" } },
        }),
    );
    let block = "\
User answered the following questions:

1. Auth Method (Which authentication method should we use?)
   Selected: JWT
   Note: keep it simple

2. Providers (Which OAuth providers should we support?)
   Not answered

Proceeding with user selections. ";
    let rest = reply.content.strip_prefix(block).expect(&reply.content);
    assert!(rest.contains("still open"), "{rest}");
    for provider in ["Google", "GitHub", "Microsoft", "Apple"] {
        assert!(!reply.content.contains(provider), "{}", reply.content);
    }
}

// `question`: the answer is the next user message.

fn next_step(multiple: bool) -> Value {
    json!({
        "header": "Next step",
        "question": "What should I do next?",
        "options": [
            { "label": "Run the tests", "description": "All of them" },
            { "label": "Open a pull request" },
            { "label": "Stop here" },
        ],
        "multiple": multiple,
    })
}

#[test]
fn question_asks_what_it_was_given() {
    let questions = |several: bool, own_text: bool| {
        json!([{
            "id": "q1", "header": "Next step", "text": "What should I do next?",
            "skippable": false, "kind": "choice", "several": several, "own_text": own_text,
            "choices": [
                choice("Run the tests", "All of them"),
                { "value": "Open a pull request", "label": "Open a pull request" },
                { "value": "Stop here", "label": "Stop here" },
            ],
        }])
    };
    check_in(
        Dialect::Question,
        &next_step(false),
        &questions(false, true),
    );
    check_in(Dialect::Question, &next_step(true), &questions(true, true));
    let mut closed = next_step(false);
    closed["custom"] = json!(false);
    check_in(Dialect::Question, &closed, &questions(false, false));
}

fn check_message(multiple: bool, answer: Value, message: &str) {
    let reply = render(
        Dialect::Question,
        &next_step(multiple),
        &answered(&json!({ "q1": answer })),
    );
    assert_eq!(reply.user_message.as_deref(), Some(message), "{answer}");
    assert_eq!((reply.is_error, reply.next), (false, Next::Resume));
    assert!(
        reply.content.contains("next user message"),
        "{}",
        reply.content
    );
    assert!(
        !reply.content.contains(message),
        "the answer is given once: {}",
        reply.content
    );
}

#[test]
fn question_answer_is_the_next_user_message() {
    check_message(false, json!("Run the tests"), "Run the tests");
    check_message(false, json!({ "values": ["Stop here"] }), "Stop here");
    check_message(false, json!("Explain it first"), "Explain it first");
    check_message(
        false,
        json!({ "values": ["Stop here"], "other": "Wait until Monday" }),
        "Wait until Monday",
    );
    check_message(true, json!("Stop here"), "Stop here");
    check_message(
        true,
        json!(["Open a pull request", "Run the tests"]),
        "Run the tests\nOpen a pull request",
    );
    check_message(
        true,
        json!({ "values": ["Run the tests", "Open a pull request"], "other": "and tell me" }),
        "Run the tests\nOpen a pull request\nand tell me",
    );
    check_message(
        true,
        json!({ "other": "Explain it first" }),
        "Explain it first",
    );
}

#[test]
fn question_message_holds_labels_and_typed_text_only() {
    let reply = render(
        Dialect::Question,
        &next_step(false),
        &answered(&json!({ "q1": "Run the tests" })),
    );
    assert!(
        !reply
            .user_message
            .expect("a message")
            .contains("All of them")
    );
}

// `ask_user`: the result is a JSON status.

fn language() -> Value {
    json!({
        "question": "Which language?",
        "input_type": "single_select",
        "options": [
            { "label": "English", "value": "en" },
            { "label": "French", "value": "fr" },
            { "label": "Spanish", "value": "es" },
            { "label": "Italian", "value": "it" },
            { "label": "Portuguese", "value": "pt" },
        ],
        "allow_other": true,
        "context": "Select target language for translation",
    })
}

fn audience() -> Value {
    json!({
        "question": "Who is the target audience?",
        "input_type": "multi_select",
        "options": [
            { "label": "Developers", "value": "developers" },
            { "label": "Product Managers", "value": "pm" },
            { "label": "End Users", "value": "end_users" },
            { "label": "Admins", "value": "admins" },
        ],
        "allow_other": true,
        "context": "Select all that apply",
    })
}

fn priority() -> Value {
    json!({
        "question": "What's the priority?",
        "input_type": "single_select",
        "options": [
            { "label": "Critical - Must have", "value": "p0" },
            { "label": "High - Should have", "value": "p1" },
            { "label": "Medium - Nice to have", "value": "p2" },
            { "label": "Low - Future consideration", "value": "p3" },
        ],
    })
}

fn meeting_date() -> Value {
    json!({
        "question": "When should we schedule it?",
        "input_type": "date",
        "context": "Select your preferred date",
    })
}

fn abbreviation() -> Value {
    json!({
        "question": "What does 'DM' refer to?",
        "input_type": "text",
        "placeholder": "e.g., Direct Message, Data Manager, Daniel Manzke...",
        "context": "The abbreviation 'DM' has multiple meanings",
    })
}

fn pair(label: &str, value: &str) -> Value {
    json!({ "value": value, "label": label })
}

#[test]
fn ask_user_choices_ask_what_they_were_given() {
    check_in(
        Dialect::AskUser,
        &language(),
        &json!([{
            "id": "q1", "text": "Which language?",
            "context": "Select target language for translation",
            "skippable": false, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                pair("English", "en"),
                pair("French", "fr"),
                pair("Spanish", "es"),
                pair("Italian", "it"),
                pair("Portuguese", "pt"),
            ],
        }]),
    );
    check_in(
        Dialect::AskUser,
        &audience(),
        &json!([{
            "id": "q1", "text": "Who is the target audience?", "context": "Select all that apply",
            "skippable": false, "kind": "choice", "several": true, "own_text": true,
            "choices": [
                pair("Developers", "developers"),
                pair("Product Managers", "pm"),
                pair("End Users", "end_users"),
                pair("Admins", "admins"),
            ],
        }]),
    );
    check_in(
        Dialect::AskUser,
        &priority(),
        &json!([{
            "id": "q1", "text": "What's the priority?",
            "skippable": false, "kind": "choice", "several": false, "own_text": false,
            "choices": [
                pair("Critical - Must have", "p0"),
                pair("High - Should have", "p1"),
                pair("Medium - Nice to have", "p2"),
                pair("Low - Future consideration", "p3"),
            ],
        }]),
    );
}

#[test]
fn ask_user_meeting_type_asks_what_it_was_given() {
    check_in(
        Dialect::AskUser,
        &json!({
            "question": "What type of meeting?",
            "input_type": "single_select",
            "options": [
                { "label": "Team Sync", "value": "sync" },
                { "label": "1:1", "value": "one_on_one" },
                { "label": "Project Review", "value": "review" },
                { "label": "Brainstorm", "value": "brainstorm" },
            ],
            "allow_other": true,
        }),
        &json!([{
            "id": "q1", "text": "What type of meeting?",
            "skippable": false, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                pair("Team Sync", "sync"),
                pair("1:1", "one_on_one"),
                pair("Project Review", "review"),
                pair("Brainstorm", "brainstorm"),
            ],
        }]),
    );
}

#[test]
fn ask_user_fields_ask_what_they_were_given() {
    check_in(
        Dialect::AskUser,
        &meeting_date(),
        &json!([{
            "id": "q1", "text": "When should we schedule it?",
            "context": "Select your preferred date", "skippable": false, "kind": "date",
        }]),
    );
    check_in(
        Dialect::AskUser,
        &abbreviation(),
        &json!([{
            "id": "q1", "text": "What does 'DM' refer to?",
            "context": "The abbreviation 'DM' has multiple meanings",
            "placeholder": "e.g., Direct Message, Data Manager, Daniel Manzke...",
            "skippable": false, "kind": "text",
        }]),
    );
    // The call that its documentation advises against is valid all the same.
    check_in(
        Dialect::AskUser,
        &json!({
            "question": "Into which language would you like me to translate 'Ich liebe dich!'?",
            "input_type": "text",
        }),
        &json!([{
            "id": "q1",
            "text": "Into which language would you like me to translate 'Ich liebe dich!'?",
            "skippable": false, "kind": "text",
        }]),
    );
}

#[test]
fn ask_user_examples_are_read_as_whole_calls_too() {
    for input in [
        language(),
        audience(),
        priority(),
        meeting_date(),
        abbreviation(),
    ] {
        let call = json!({ "name": "ask_user", "arguments": input });
        assert_eq!(recognise(&call), Dialect::AskUser);
        assert_eq!(
            parse(Dialect::AskUser, &call),
            parse(Dialect::AskUser, &input)
        );
    }
}

#[test]
fn ask_user_choice_is_answered_by_its_value_and_shown_by_its_label() {
    let check = |input: &Value, answer: Value, content: &str| {
        check_out(Dialect::AskUser, input, json!({ "q1": answer }), content);
    };
    check(
        &language(),
        json!("French"),
        r#"{"status":"user_responded","question":"Which language?","answer":"fr","display_text":"French"}"#,
    );
    check(
        &language(),
        json!({ "values": ["fr"] }),
        r#"{"status":"user_responded","question":"Which language?","answer":"fr","display_text":"French"}"#,
    );
    check(
        &language(),
        json!({ "other": "Basque" }),
        r#"{"status":"user_responded","question":"Which language?","answer":"Basque","display_text":"Basque"}"#,
    );
    check(
        &priority(),
        json!("Critical - Must have"),
        r#"{"status":"user_responded","question":"What's the priority?","answer":"p0","display_text":"Critical - Must have"}"#,
    );
    check(
        &audience(),
        json!(["Admins", "Product Managers"]),
        r#"{"status":"user_responded","question":"Who is the target audience?","answer":["pm","admins"],"display_text":"Product Managers, Admins"}"#,
    );
    check(
        &audience(),
        json!("Developers"),
        r#"{"status":"user_responded","question":"Who is the target audience?","answer":["developers"],"display_text":"Developers"}"#,
    );
    check(
        &audience(),
        json!({ "values": ["pm"], "other": "Our investors" }),
        r#"{"status":"user_responded","question":"Who is the target audience?","answer":["pm","Our investors"],"display_text":"Product Managers, Our investors"}"#,
    );
}

#[test]
fn ask_user_fields_are_answered_by_typed_values() {
    let typed = |input_type: &str| json!({ "question": "How many?", "input_type": input_type });
    let check = |input: &Value, answer: Value, content: &str| {
        check_out(Dialect::AskUser, input, json!({ "q1": answer }), content);
    };
    check(
        &abbreviation(),
        json!("Direct \"Message\""),
        r#"{"status":"user_responded","question":"What does 'DM' refer to?","answer":"Direct \"Message\"","display_text":"Direct \"Message\""}"#,
    );
    check(
        &meeting_date(),
        json!("2027-03-27"),
        r#"{"status":"user_responded","question":"When should we schedule it?","answer":"2027-03-27","display_text":"2027-03-27"}"#,
    );
    check(
        &typed("number"),
        json!("3"),
        r#"{"status":"user_responded","question":"How many?","answer":3,"display_text":"3"}"#,
    );
    check(
        &typed("number"),
        json!(-2.5),
        r#"{"status":"user_responded","question":"How many?","answer":-2.5,"display_text":"-2.5"}"#,
    );
    check(
        &typed("number"),
        json!(9_007_199_254_740_993_i64),
        r#"{"status":"user_responded","question":"How many?","answer":9007199254740993,"display_text":"9007199254740993"}"#,
    );
    check(
        &typed("date_range"),
        json!({ "start": "2027-03-01", "end": "2027-03-05" }),
        r#"{"status":"user_responded","question":"How many?","answer":{"start":"2027-03-01","end":"2027-03-05"},"display_text":"2027-03-01 to 2027-03-05"}"#,
    );
    check(
        &typed("confirm"),
        json!("Yes"),
        r#"{"status":"user_responded","question":"How many?","answer":"yes","display_text":"Yes"}"#,
    );
}

#[test]
fn ask_user_note_stands_apart_from_the_answer() {
    check_out(
        Dialect::AskUser,
        &language(),
        json!({ "q1": { "values": ["pt"], "note": "the Brazilian kind" } }),
        r#"{"status":"user_responded","question":"Which language?","answer":"pt","display_text":"Portuguese","note":"the Brazilian kind"}"#,
    );
}

#[test]
fn ask_user_skip_and_decline_are_user_skipped() {
    let mut input = language();
    input["allow_skip"] = json!(true);
    let skipped = render(
        Dialect::AskUser,
        &input,
        &answered(&json!({ "q1": { "skipped": true } })),
    );
    let declined = render(Dialect::AskUser, &input, &json!({ "type": "declined" }));
    for reply in [skipped, declined] {
        assert_eq!((reply.is_error, reply.next), (false, Next::Resume));
        let start = r#"{"status":"user_skipped","question":"Which language?","#;
        assert!(reply.content.starts_with(start), "{}", reply.content);
        let content: Value = serde_json::from_str(&reply.content).expect("a JSON status");
        assert_eq!(
            (content.get("answer"), content.get("display_text")),
            (None, None)
        );
    }
}

// Every outcome in every dialect.

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

/// The reply of each dialect to one outcome.
fn replies(outcome: &Value) -> Vec<(Dialect, ToolReply)> {
    samples()
        .into_iter()
        .map(|(dialect, input)| (dialect, render(dialect, &input, outcome)))
        .collect()
}

/// Expects this of an outcome in every dialect, and that its text has these words.
fn check_outcome(outcome: &Value, is_error: bool, next: Next, words: &[&str]) {
    for (dialect, reply) in replies(outcome) {
        assert_eq!(
            (reply.is_error, reply.next),
            (is_error, next),
            "{outcome} in {dialect:?}"
        );
        for word in words {
            assert!(
                reply.content.contains(word),
                "{outcome} in {dialect:?}: {}",
                reply.content
            );
        }
    }
}

#[test]
fn cancelled_is_the_documented_error_and_stops_the_agent() {
    for (dialect, reply) in replies(&json!({ "type": "cancelled" })) {
        let expect = ToolReply {
            content: "User cancelled the question".to_owned(),
            is_error: true,
            next: Next::Stop,
            user_message: None,
        };
        assert_eq!(reply, expect, "{dialect:?}");
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
    for (dialect, reply) in replies(&json!({ "type": "declined" })) {
        assert_eq!(
            (reply.is_error, reply.next),
            (false, Next::Resume),
            "{dialect:?}"
        );
        let word = if dialect == Dialect::AskUser {
            "skipped"
        } else {
            "declined to answer"
        };
        assert!(reply.content.contains(word), "{}", reply.content);
        assert!(reply.content.contains("go on without"), "{}", reply.content);
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
    for (dialect, reply) in replies(&outcome) {
        assert_eq!(
            reply.user_message.as_deref(),
            Some("Wait, I have a question."),
            "{dialect:?}"
        );
        assert!(!reply.content.contains("Wait"), "{}", reply.content);
    }
}

#[test]
fn only_answers_and_messages_become_user_messages() {
    for outcome in outcomes() {
        for (dialect, reply) in replies(&outcome) {
            let is_message = outcome["type"] == "superseded";
            assert_eq!(
                reply.user_message.is_some(),
                is_message,
                "{outcome} in {dialect:?}"
            );
        }
    }
}

#[test]
fn no_outcome_without_an_answer_names_a_choice_or_leaves_it_to_the_agent() {
    for outcome in outcomes() {
        for (dialect, reply) in replies(&outcome) {
            let told = reply.content.to_lowercase();
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
            let reply = render(Dialect::AskUser, &language(), &outcome);
            let content: Value = serde_json::from_str(&reply.content).expect("a JSON status");
            assert_eq!(content["question"], "Which language?");
            content["status"].clone()
        })
        .collect();
    assert_eq!(
        statuses,
        ["user_skipped", "user_wrote_message", "no_answer"]
    );
}

#[test]
fn reply_is_written_for_machines() {
    let reply = render(
        Dialect::Question,
        &next_step(false),
        &answered(&json!({ "q1": "Stop here" })),
    );
    let json = serde_json::to_value(&reply).expect("a reply serialises");
    assert_eq!(
        json,
        json!({
            "content": reply.content, "is_error": false, "next": "resume",
            "user_message": "Stop here",
        })
    );
    let reply = render(
        Dialect::Question,
        &next_step(false),
        &json!({ "type": "cancelled" }),
    );
    let json = serde_json::to_value(&reply).expect("a reply serialises");
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
        "q2: The answer must be chosen: use `values`, and `other` for own text.\n\
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
            let stored = serde_json::to_string(&outcome).expect("an outcome serialises");
            let read: Outcome = serde_json::from_str(&stored).expect(&stored);
            assert_eq!(read, outcome);
        }
        let stored = serde_json::to_string(&inquiry).expect("an inquiry serialises");
        let read: Inquiry = serde_json::from_str(&stored).expect(&stored);
        assert_eq!(read, inquiry);
    }
}
