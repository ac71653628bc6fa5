//! What each provider documents as its subset of JSON Schema, as rules on every node of a schema.

use askback_core::dialect::{Dialect, Flavor};
use serde_json::{Map, Value};

/// Checks every node of the schemas of one flavour.
fn check(flavor: Flavor, rules: fn(&Map<String, Value>) -> Result<(), String>) {
    for dialect in Dialect::TOOLS {
        let schema = dialect.contract().schema(flavor);
        visit(&schema, "", &|path, node| {
            let kept = rules(node).and_then(|()| for_all_providers(node));
            assert_eq!(kept, Ok(()), "{dialect:?} {flavor:?} at `{path}`");
        });
    }
}

/// Walks the schema nodes: the root, properties, items and alternatives.
fn visit(schema: &Value, path: &str, rule: &impl Fn(&str, &Map<String, Value>)) {
    let node = schema.as_object().expect("a schema node is an object");
    rule(path, node);
    let properties = node.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        visit(schema, &format!("{path}.{name}"), rule);
    }
    if let Some(items) = node.get("items") {
        visit(items, &format!("{path}[]"), rule);
    }
    let alternatives = node.get("anyOf").and_then(Value::as_array);
    for schema in alternatives.into_iter().flatten() {
        visit(schema, &format!("{path}|"), rule);
    }
}

/// What holds in every flavour. Schemas travel: an MCP client hands the plain one to whichever
/// model it talks to.
fn for_all_providers(node: &Map<String, Value>) -> Result<(), String> {
    without(
        node,
        &[
            "$ref",
            "$defs",
            "oneOf",
            "allOf",
            "not",
            "if",
            "then",
            "else",
            "const",
            "patternProperties",
            "default",
            "examples",
            "title",
        ],
    )?;
    // A description is a text, not one text for each language.
    ensure(
        node.get("description").is_none_or(Value::is_string),
        "a description that is no text",
    )?;
    // Every list says what its items are, every set of words has words.
    ensure(
        !is(node, "array") || node.contains_key("items"),
        "an array without items",
    )?;
    let words = node.get("enum").and_then(Value::as_array);
    ensure(
        words.is_none_or(|words| is(node, "string") && words.iter().any(Value::is_string)),
        "an enum that is not one of texts",
    )?;
    // Vertex AI refuses a node that has anything beside its `anyOf`.
    ensure(
        !node.contains_key("anyOf") || node.len() == 1,
        "something beside anyOf",
    )?;
    ensure(
        node.contains_key("type") != node.contains_key("anyOf"),
        "neither a type nor alternatives",
    )?;
    let properties = node.get("properties").and_then(Value::as_object);
    let required = node.get("required").and_then(Value::as_array);
    let known = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        properties.is_some_and(|properties| properties.contains_key(name))
    };
    ensure(
        required.is_none_or(|required| required.iter().all(known)),
        "a required field that is no property",
    )?;
    ensure(
        !is(node, "object") || properties.is_some_and(|properties| !properties.is_empty()),
        "an object without properties",
    )
}

/// Whether the node's type is, or may be, `name`.
fn is(node: &Map<String, Value>, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(single)) => single == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(otherwise.to_owned())
    }
}

fn without(node: &Map<String, Value>, keywords: &[&str]) -> Result<(), String> {
    keywords
        .iter()
        .try_for_each(|keyword| ensure(!node.contains_key(*keyword), keyword))
}

fn only(node: &Map<String, Value>, keywords: &[&str]) -> Result<(), String> {
    node.keys()
        .try_for_each(|keyword| ensure(keywords.contains(&keyword.as_str()), keyword))
}

fn closed(node: &Map<String, Value>) -> Result<(), String> {
    let closed = node.get("additionalProperties") == Some(&Value::Bool(false));
    ensure(closed == is(node, "object"), "an object that is not closed")
}

/// The plain schema keeps to the keywords that every provider and every MCP client reads.
#[test]
fn plain_schema_stays_within_common_keywords() {
    check(Flavor::Plain, |node| {
        closed(node)?;
        only(
            node,
            &[
                "type",
                "description",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "enum",
                "anyOf",
                "minItems",
                "maxItems",
                "minLength",
                "maxLength",
                "minimum",
                "maximum",
            ],
        )
    });
}

/// `OpenAI`'s strict mode refuses a tool whose schema has a keyword outside of its subset, an open
/// object, or a property that is not required.
#[test]
fn openai_schema_stays_within_strict_mode() {
    check(Flavor::OpenAiStrict, |node| {
        closed(node)?;
        only(
            node,
            &[
                "type",
                "description",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "enum",
                "anyOf",
                "minItems",
                "maxItems",
            ],
        )?;
        let properties = node.get("properties").and_then(Value::as_object);
        let required = node.get("required").and_then(Value::as_array);
        let count = properties.map(Map::len);
        ensure(
            required.map(Vec::len) == count,
            "a property that is not required",
        )
    });
    for dialect in Dialect::TOOLS {
        let schema = dialect.contract().schema(Flavor::OpenAiStrict);
        assert_eq!(schema["type"], "object", "the root is an object");
    }
}

/// Anthropic's strict mode refuses lengths, bounds, and list sizes other than "at least one".
#[test]
fn anthropic_schema_stays_within_strict_mode() {
    check(Flavor::AnthropicStrict, |node| {
        closed(node)?;
        without(
            node,
            &[
                "minLength",
                "maxLength",
                "minimum",
                "maximum",
                "multipleOf",
                "maxItems",
            ],
        )?;
        let min_items = node.get("minItems").and_then(Value::as_u64);
        ensure(min_items.is_none_or(|min| min <= 1), "minItems above one")
    });
}

/// Gemini's function declarations take one type for each node, closed or not is not said, and a set
/// of words only for texts.
#[test]
fn gemini_schema_stays_within_function_declarations() {
    check(Flavor::Gemini, |node| {
        without(node, &["additionalProperties"])?;
        ensure(
            node.get("type").is_none_or(Value::is_string),
            "several types",
        )?;
        let words = node.get("enum").and_then(Value::as_array);
        let texts = |words: &Vec<Value>| {
            let filled = |word: &Value| word.as_str().is_some_and(|word| !word.is_empty());
            !words.is_empty() && words.iter().all(filled)
        };
        ensure(words.is_none_or(texts), "an enum with an empty word")
    });
}

/// The checker itself must see a fault, or the tests above would pass on anything.
#[test]
fn planted_faults_are_found() {
    let faults = [
        serde_json::json!({ "type": "array" }),
        serde_json::json!({ "type": "integer", "enum": [1, 2] }),
        serde_json::json!({ "type": "string", "enum": [] }),
        serde_json::json!({ "type": "string", "description": { "en": "x" } }),
        serde_json::json!({ "description": "x", "anyOf": [{ "type": "string" }] }),
        serde_json::json!({ "type": "object", "properties": {}, "required": [] }),
        serde_json::json!({ "type": "string", "const": "x" }),
        serde_json::json!({ "description": "x" }),
    ];
    for fault in &faults {
        let node = fault.as_object().expect("an object");
        assert!(for_all_providers(node).is_err(), "{fault}");
    }
}
