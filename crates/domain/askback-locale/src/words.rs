//! The words of one language. A message is read when it is first said: a prompt says few of them, and
//! must be there at once.

use std::sync::{OnceLock, PoisonError, RwLock};

use askback_core::number::DecimalMark;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::Entry;
use unic_langid::LanguageIdentifier;

use crate::arg::Arg;
use crate::language::{LANGUAGES, Language};

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: [OnceLock<RwLock<Bundle>>; LANGUAGES.len()] =
    [const { OnceLock::new() }; LANGUAGES.len()];

/// The message `id` of `language` with `args` put in, or `None` if it has no such message.
pub(crate) fn format(language: &Language, id: &str, args: &[(&str, Arg<'_>)]) -> Option<String> {
    let place = LANGUAGES.iter().position(|one| one.tag == language.tag)?;
    let bundle = BUNDLES.get(place)?;
    let bundle = bundle.get_or_init(|| RwLock::new(empty_bundle(language)));
    let read = bundle.read().unwrap_or_else(PoisonError::into_inner);
    if read.has_message(id) {
        return said(&read, id, args);
    }
    drop(read);
    let source = source_of(language.source, id)?;
    // What cannot be read is left out, and English stands in for it; tests let no such file in.
    let (Ok(message) | Err((message, _))) = FluentResource::try_new(source.to_owned());
    let mut write = bundle.write().unwrap_or_else(PoisonError::into_inner);
    write.add_resource_overriding(message);
    said(&write, id, args)
}

fn said(bundle: &Bundle, id: &str, args: &[(&str, Arg<'_>)]) -> Option<String> {
    let pattern = bundle.get_message(id)?.value()?;
    let mut named = FluentArgs::with_capacity(args.len());
    for (name, arg) in args {
        named.set(*name, FluentValue::from(arg.clone()));
    }
    // A placeable without its argument stays visible as `{$name}`; tests hold the arguments equal.
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&named), &mut errors);
    Some(text.into_owned())
}

/// The lines of one message: up to the next one, or the next heading. None of our messages refers to
/// another.
fn source_of<'a>(source: &'a str, id: &str) -> Option<&'a str> {
    let mut begin = None;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let outside = line.starts_with(|first: char| first.is_ascii_lowercase() || first == '#');
        if begin.is_some() && outside {
            break;
        }
        let named = line
            .strip_prefix(id)
            .is_some_and(|rest| rest.starts_with(" ="));
        if begin.is_none() && named {
            begin = Some(at);
        }
        at += line.len();
    }
    source.get(begin?..at)
}

/// The ids of all messages, in the order of the English file.
pub(crate) fn ids() -> Vec<&'static str> {
    let [english, ..] = &LANGUAGES;
    let (Ok(resource) | Err((resource, _))) = fluent_syntax::parser::parse(english.source);
    let mut ids = Vec::new();
    for entry in resource.body {
        if let Entry::Message(message) = entry {
            ids.push(message.id.name);
        }
    }
    ids
}

fn empty_bundle(language: &Language) -> Bundle {
    let rules: LanguageIdentifier = language.rules.parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![rules]);
    bundle.set_use_isolating(false);
    bundle.set_transform(language.disguise);
    bundle.set_formatter(Some(match language.conventions.decimal {
        DecimalMark::Point => |value, _| number(value, "."),
        DecimalMark::Comma => |value, _| number(value, ","),
    }));
    bundle
}

/// A number in plain digits with the decimal mark of the language; anything else is not ours.
fn number(value: &FluentValue<'_>, mark: &str) -> Option<String> {
    if let FluentValue::Number(number) = value {
        Some(number.value.to_string().replace('.', mark))
    } else {
        None
    }
}
