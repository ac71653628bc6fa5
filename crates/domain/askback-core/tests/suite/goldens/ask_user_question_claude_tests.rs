//! `AskUserQuestion`: the result is a block of prose.

use super::*;

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
fn claude_source_is_kept_but_names_no_asker_and_prefilled_answers_are_not_kept() {
    let mut input = technology_choice();
    input["metadata"] = json!({ "source": "remember" });
    input["answers"] = json!({ "Which database should we use for this project?": "MongoDB" });
    let inquiry = parse(Dialect::AskUserQuestionClaude, &input);
    let kept = inquiry.input_source().map(ToString::to_string);
    assert_eq!(kept.as_deref(), Some("remember"));
    assert_eq!(inquiry.source(), None);
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
        json!({ "q1": { "own": "bun" } }),
        "\
User answered the following questions:

1. Package Mgr (Which package manager do you prefer?)
   Custom input: bun

Proceeding with user selections.",
    );
    check_out(
        Dialect::AskUserQuestionClaude,
        &authentication(),
        json!({ "q1": "OAuth 2.0", "q2": { "values": ["Google", "GitHub"], "own": "GitLab\nand our own" } }),
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
