//! Apps have the texts and rules of their files, and an invalid file says what to fix.

use super::*;
use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::dialect::Dialect;

fn read_one(text: &str) -> Result<Arc<App>, String> {
    parse_app("my.json", text, &AppLanguage::default())
        .map(|(_, entry)| entry.app)
        .map_err(|error| error.to_string())
}

#[test]
fn five_apps_are_embedded_and_the_assistant_is_the_default() {
    let catalog = AppCatalog::embedded(&AppLanguage::default()).unwrap();
    let listed: Vec<(&str, &str)> = catalog.list().map(|app| (app.id, app.name)).collect();
    assert_eq!(
        listed,
        [
            ("assistant", "General assistant"),
            ("meeting-planner", "Meeting planner"),
            ("product-spec-writer", "Product spec writer"),
            ("search-clarifier", "Search clarifier"),
            ("translator", "Translator"),
        ]
    );
    assert_eq!(catalog.app(None), catalog.app(Some("assistant")));
    assert_eq!(catalog.app(Some("nobody")), None);
}

#[test]
fn language_falls_back_from_region_to_language_to_english() {
    let name = |tag: &str| -> String {
        let catalog = AppCatalog::embedded(&AppLanguage::new(tag)).unwrap();
        let mut names = catalog.list().map(|app| (app.id, app.name.to_owned()));
        names.find(|(id, _)| *id == "translator").unwrap().1
    };
    assert_eq!(name("de_AT.UTF-8"), "Übersetzer");
    assert_eq!(name("fr"), "Traducteur");
    assert_eq!(name("ja-JP"), "Translator");
    assert_eq!(name("C"), "Translator");
}

#[test]
fn overrides_keep_the_other_rules_of_their_dialect() {
    let app = read_one(
        r#"{
            "id": "a", "name": {"en": "A"}, "system": {"en": "S"}, "model": "m-1",
            "limits": {"reply_tokens_max": 500, "inquiries_max": 3},
            "policy": {"clip_labels": true, "asks": {"question": {"expires_after_ms": 60000, "per_conversation_max": 5}}}
        }"#,
    )
    .unwrap();
    let limited = |dialect| AskRules {
        per_conversation_max: Some(3),
        ..AskRules::of(dialect)
    };
    let question = AskRules {
        per_conversation_max: Some(5),
        expires_after_ms: Some(60_000),
        ..AskRules::of(Dialect::Question)
    };
    let asks = Dialect::TOOLS
        .into_iter()
        .map(|dialect| (dialect, limited(dialect)));
    let mut asks: std::collections::BTreeMap<_, _> = asks.collect();
    asks.insert(Dialect::Question, question);
    let expected = App {
        id: "a".to_owned(),
        system: "S".to_owned(),
        model: Some("m-1".to_owned()),
        tools: Vec::new(),
        policy: Policy {
            asks,
            clip_labels: true,
            ..Policy::default()
        },
        tokens_max: Some(500),
    };
    assert_eq!(*app, expected);
}

#[test]
fn invalid_file_is_named_with_what_to_fix() {
    let cases = [
        (
            r#"{"id": "A b", "name": "A", "system": "S"}"#,
            "my.json: `id` must be 1 to 64 of a-z, 0-9, - and _",
        ),
        (
            r#"{"id": "a", "name": {"de": "A"}, "system": "S"}"#,
            "my.json: `name` has no \"en\" text, the fallback for all other languages",
        ),
        (
            r#"{"id": "a", "name": "A", "system": " "}"#,
            "my.json: `system` is empty",
        ),
        (
            r#"{"id": "a", "name": "A", "system": "S", "tools": ["askuser"]}"#,
            "my.json: `tools` lists \"askuser\"; write \"ask_user\"",
        ),
        (
            r#"{"id": "a", "name": "A", "system": "S", "tools": ["AskUserquestion"]}"#,
            "my.json: `tools` lists \"AskUserquestion\"; write \"ask_user_question\" or \"AskUserQuestion\"",
        ),
        (
            r#"{"id": "a", "name": "A", "system": "S", "tools": ["x", "x"]}"#,
            "my.json: `tools` lists \"x\" twice",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read_one(text).unwrap_err(), expected, "{text}");
    }
}

/// Files that were written for another program have more fields.
#[test]
fn unknown_fields_are_ignored_and_named() {
    let text = r#"{"id": "a", "name": "A", "system": "S", "tool": [], "color": {"hue": 3},
        "limits": {"replies": 3}, "policy": {"asks": {"ask_user": {"enable": false}}}}"#;
    assert_eq!(read_one(text).unwrap().policy, Policy::default());
    assert_eq!(
        AppFile::parse(text).unwrap().warnings(),
        [
            "`color` is unknown and ignored",
            "`tool` is unknown and ignored; did you mean `tools`?",
            "`limits.replies` is unknown and ignored",
            "`policy.asks.ask_user.enable` is unknown and ignored; did you mean \
             `policy.asks.ask_user.enabled`?",
        ]
    );
    for (file, text) in EMBEDDED {
        assert_eq!(AppFile::parse(text).unwrap().warnings(), [""; 0], "{file}");
    }
}

#[test]
fn directory_adds_and_replaces_apps_and_refuses_duplicate_ids() {
    let temporary = tempfile::tempdir().unwrap();
    let directory = temporary.path();
    let write = |file: &str, id: &str, name: &str| {
        let text = format!(r#"{{"id": "{id}", "name": "{name}", "system": "S"}}"#);
        std::fs::write(directory.join(file), text).unwrap();
    };
    write("one.json", "mine", "Mine");
    write("two.json", "translator", "My translator");
    std::fs::write(directory.join("notes.txt"), "not an app").unwrap();
    let catalog = AppCatalog::load(directory, &AppLanguage::default()).unwrap();
    let named = |id: &str| catalog.list().find(|app| app.id == id).map(|app| app.name);
    assert_eq!(
        (named("mine"), named("translator")),
        (Some("Mine"), Some("My translator"))
    );
    assert_eq!(catalog.list().count(), 6);

    write("zwei.json", "mine", "Mine again");
    let error = AppCatalog::load(directory, &AppLanguage::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("its id \"mine\" is already used by")
    );

    let missing =
        AppCatalog::load(&directory.join("missing"), &AppLanguage::default()).unwrap_err();
    assert!(matches!(missing, AppsError::Unreadable { .. }));
}

/// Rewording or translating a prompt must not drop the names that the model has to use.
#[test]
fn system_prompts_name_the_tools_and_input_types_they_rely_on() {
    let required: [(&str, &[&str]); 5] = [
        ("assistant", &["ask_user_question", "ask_user"]),
        (
            "meeting-planner",
            &[
                "single_select",
                "multi_select",
                "allow_other",
                "date",
                "date_range",
                "text",
            ],
        ),
        (
            "product-spec-writer",
            &["single_select", "multi_select", "text", "allow_other"],
        ),
        (
            "search-clarifier",
            &[
                "single_select",
                "allow_other",
                "text",
                "placeholder",
                "context",
            ],
        ),
        ("translator", &["single_select", "allow_other"]),
    ];
    for language in ["en", "de", "fr"] {
        let catalog = AppCatalog::embedded(&AppLanguage::new(language)).unwrap();
        for (id, names) in required {
            let system = &catalog.app(Some(id)).unwrap().system;
            for name in names {
                assert!(system.contains(name), "{name} in {id}, {language}");
            }
        }
    }
}
