//! The files of words: complete, alike in their arguments, and right in their plural forms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use askback_locale::Locale;
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Message, Pattern, PatternElement, Resource, VariantKey,
};

/// What a file says: each message with its arguments.
type Arguments = BTreeMap<String, BTreeSet<String>>;

fn source(tag: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../locales");
    let path = root.join(tag).join("askback.ftl");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parse(source: &str) -> Resource<&str> {
    fluent_syntax::parser::parse(source).unwrap_or_else(|(_, errors)| panic!("{errors:?}"))
}

fn real_tags() -> impl Iterator<Item = &'static str> {
    Locale::tags().filter(|tag| !matches!(*tag, "en-XA" | "ar-XB"))
}

fn messages<'a>(resource: &'a Resource<&'a str>) -> Vec<&'a Message<&'a str>> {
    let found = resource.body.iter().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message),
        Entry::ResourceComment(_) => None,
        Entry::Term(_) | Entry::Comment(_) | Entry::GroupComment(_) | Entry::Junk { .. } => {
            panic!("a file holds messages and `###` headings only")
        }
    });
    found.collect()
}

/// The sections of a file with the ids in each.
fn sections<'a>(resource: &'a Resource<&'a str>) -> Vec<(String, Vec<&'a str>)> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for entry in &resource.body {
        match entry {
            Entry::ResourceComment(comment) => {
                sections.push((comment.content.concat(), Vec::new()));
            }
            Entry::Message(message) => {
                let (_, ids) = sections.last_mut().expect("a file begins with a heading");
                ids.push(message.id.name);
            }
            Entry::Term(_) | Entry::Comment(_) | Entry::GroupComment(_) | Entry::Junk { .. } => {}
        }
    }
    sections
}

/// Calls `variable` for each argument and `variant` for each key of a selector.
fn walk(
    pattern: &Pattern<&str>,
    variable: &mut dyn FnMut(&str),
    variant: &mut dyn FnMut(&VariantKey<&str>),
) {
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { .. } => {}
            PatternElement::Placeable { expression } => match expression {
                Expression::Inline(inline) => variable(name(inline)),
                Expression::Select { selector, variants } => {
                    variable(name(selector));
                    for one in variants {
                        variant(&one.key);
                        walk(&one.value, variable, variant);
                    }
                }
            },
        }
    }
}

fn name<'a>(inline: &InlineExpression<&'a str>) -> &'a str {
    match inline {
        InlineExpression::VariableReference { id } => id.name,
        InlineExpression::StringLiteral { .. }
        | InlineExpression::NumberLiteral { .. }
        | InlineExpression::FunctionReference { .. }
        | InlineExpression::MessageReference { .. }
        | InlineExpression::TermReference { .. }
        | InlineExpression::Placeable { .. } => {
            panic!("only variables may be put into a message, not {inline:?}")
        }
    }
}

fn arguments(source: &str) -> Arguments {
    let resource = parse(source);
    let mut all = Arguments::new();
    for message in messages(&resource) {
        assert!(message.attributes.is_empty(), "{}", message.id.name);
        let value = message.value.as_ref().expect("every message has a text");
        let mut found = BTreeSet::new();
        walk(
            value,
            &mut |variable| {
                found.insert(variable.to_owned());
            },
            &mut |_| {},
        );
        let twice = all.insert(message.id.name.to_owned(), found);
        assert_eq!(twice, None, "{} stands twice", message.id.name);
    }
    all
}

/// Each language has every message, in the same section and order, with the same arguments.
#[test]
fn every_language_has_every_message() {
    let english = source("en");
    let expected = arguments(&english);
    let order = sections(&parse(&english))
        .into_iter()
        .map(|(heading, ids)| (heading, ids.into_iter().map(str::to_owned).collect()))
        .collect::<Vec<(String, Vec<String>)>>();
    let headings: Vec<&str> = order.iter().map(|(heading, _)| heading.as_str()).collect();
    assert_eq!(
        headings,
        [
            "Shared",
            "Program",
            "Terminal",
            "Chat and inbox",
            "Web",
            "Channels"
        ]
    );
    for tag in real_tags() {
        let source = source(tag);
        let found = arguments(&source);
        for (id, names) in &expected {
            assert_eq!(found.get(id), Some(names), "{tag}: {id}");
        }
        let resource = parse(&source);
        for ((heading, ids), (expected, expected_ids)) in
            sections(&resource).into_iter().zip(&order)
        {
            assert_eq!(heading, *expected, "{tag}");
            assert_eq!(ids, *expected_ids, "{tag}");
        }
    }
}

/// The ids that the crate tells are those of the file.
#[test]
fn ids_are_those_of_the_file() {
    let expected = arguments(&source("en"));
    let told: BTreeSet<&str> = Locale::ids().into_iter().collect();
    assert_eq!(told, expected.keys().map(String::as_str).collect());
}

/// Plural categories are those that the language has, and exact numbers come before them.
#[test]
fn plural_categories_exist_in_their_language() {
    const ALL: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];
    for tag in real_tags() {
        let has: &[&str] = match tag {
            "zh-CN" | "ja" | "ko" => &["other"],
            "he" => &["one", "two", "other"],
            "ar" => &ALL,
            _ => &["one", "other"],
        };
        let source = source(tag);
        let resource = parse(&source);
        for message in messages(&resource) {
            let value = message.value.as_ref().expect("every message has a text");
            walk(value, &mut |_| {}, &mut |key| match key {
                VariantKey::Identifier { name } if ALL.contains(name) => {
                    assert!(has.contains(name), "{tag}: {}: {name}", message.id.name);
                }
                VariantKey::Identifier { .. } | VariantKey::NumberLiteral { .. } => {}
            });
        }
    }
}
