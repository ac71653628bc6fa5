//! The words of a language as JSON, for the small formatter of the browser (`web/lib/strings.js`).
//!
//! A message is a string, or an array of parts: a string is text, `["name"]` is an argument, and
//! `["name", {"one": …, "other": …}, "other"]` selects a message by an argument, with the key that
//! stands in where no other fits. `docs/locales.md` has the whole format.

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use serde_json::{Map, Value, json};

use crate::language::{Direction, LANGUAGES, Language};
use crate::requested;

/// Which sections of a file go into the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sections {
    /// What a browser shows: all but the sections of the terminal, and of what the program alone says.
    Browser,
    /// Everything.
    All,
}

/// The messages of the language `tag` for the browser, or those of English if there is no such
/// language.
pub fn web_json(tag: &str) -> String {
    compile(tag, Sections::Browser).to_string()
}

/// The messages of some sections of a language, with what their formatter must know besides.
pub fn compile(tag: &str, sections: Sections) -> Value {
    let [english, ..] = &LANGUAGES;
    let language = requested::language(tag).unwrap_or(english);
    let direction = match language.direction {
        Direction::LeftToRight => "ltr",
        Direction::RightToLeft => "rtl",
    };
    json!({
        "tag": language.tag,
        "rules": language.rules,
        "dir": direction,
        "messages": messages(language, sections),
    })
}

fn messages(language: &Language, sections: Sections) -> Map<String, Value> {
    let (Ok(resource) | Err((resource, _))) = fluent_syntax::parser::parse(language.source);
    let mut messages = Map::new();
    let mut wanted = true;
    for entry in &resource.body {
        match entry {
            Entry::ResourceComment(comment) => {
                let elsewhere =
                    ["Program", "Terminal", "Channels"].contains(&&*comment.content.concat());
                wanted = sections == Sections::All || !elsewhere;
            }
            Entry::Message(message) => {
                if let (true, Some(pattern)) = (wanted, &message.value) {
                    messages.insert(message.id.name.to_owned(), compiled(language, pattern));
                }
            }
            Entry::Term(_) | Entry::Comment(_) | Entry::GroupComment(_) | Entry::Junk { .. } => {}
        }
    }
    messages
}

fn compiled(language: &Language, pattern: &Pattern<&str>) -> Value {
    let mut parts: Vec<Value> = Vec::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => {
                let text = match language.disguise {
                    Some(disguise) => disguise(value),
                    None => (*value).into(),
                };
                if let Some(Value::String(before)) = parts.last_mut() {
                    before.push_str(&text);
                } else {
                    parts.push(Value::String(text.into_owned()));
                }
            }
            PatternElement::Placeable { expression } => parts.push(placeable(language, expression)),
        }
    }
    match parts.as_slice() {
        [Value::String(text)] => Value::String(text.clone()),
        _ => Value::Array(parts),
    }
}

fn placeable(language: &Language, expression: &Expression<&str>) -> Value {
    match expression {
        Expression::Inline(inline) => json!([argument(inline)]),
        Expression::Select { selector, variants } => {
            let mut messages = Map::new();
            let mut otherwise = "";
            for variant in variants {
                let (VariantKey::Identifier { name: key }
                | VariantKey::NumberLiteral { value: key }) = variant.key;
                if variant.default {
                    otherwise = key;
                }
                messages.insert(key.to_owned(), compiled(language, &variant.value));
            }
            json!([argument(selector), messages, otherwise])
        }
    }
}

/// The name of an argument. Nothing else is put into messages, which a test of the files holds.
fn argument<'a>(inline: &InlineExpression<&'a str>) -> &'a str {
    if let InlineExpression::VariableReference { id } = inline {
        id.name
    } else {
        ""
    }
}
