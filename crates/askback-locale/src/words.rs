//! The words of one language, read once and formatted many times.

use std::sync::OnceLock;

use askback_core::number::DecimalMark;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::Entry;
use unic_langid::LanguageIdentifier;

use crate::arg::Arg;
use crate::language::{LANGUAGES, Language};

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: [OnceLock<Bundle>; LANGUAGES.len()] = [const { OnceLock::new() }; LANGUAGES.len()];

/// The message `id` of `language` with `args` put in, or `None` if it has no such message.
pub(crate) fn format(language: &Language, id: &str, args: &[(&str, Arg<'_>)]) -> Option<String> {
    let bundle = bundle(language)?;
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

/// The ids of all messages, in the order of the English file.
pub(crate) fn ids() -> Vec<&'static str> {
    let [english, ..] = &LANGUAGES;
    let (Ok(resource) | Err((resource, _))) = fluent_syntax::parser::parse(english.source);
    let ids = resource.body.into_iter().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message.id.name),
        Entry::Term(_)
        | Entry::Comment(_)
        | Entry::GroupComment(_)
        | Entry::ResourceComment(_)
        | Entry::Junk { .. } => None,
    });
    ids.collect()
}

fn bundle(language: &Language) -> Option<&'static Bundle> {
    let place = LANGUAGES.iter().position(|one| one.tag == language.tag)?;
    let read = BUNDLES.get(place)?;
    Some(read.get_or_init(|| read_bundle(language)))
}

/// What cannot be read is left out, and English stands in for it; tests let no such file in.
fn read_bundle(language: &Language) -> Bundle {
    let rules: LanguageIdentifier = language.rules.parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![rules]);
    bundle.set_use_isolating(false);
    bundle.set_transform(language.disguise);
    bundle.set_formatter(Some(match language.habits.decimal {
        DecimalMark::Point => |value, _| number(value, "."),
        DecimalMark::Comma => |value, _| number(value, ","),
    }));
    let (Ok(resource) | Err((resource, _))) = FluentResource::try_new(language.source.to_owned());
    bundle.add_resource_overriding(resource);
    bundle
}

/// A number in plain digits with the decimal mark of the language; anything else is not ours.
fn number(value: &FluentValue<'_>, mark: &str) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(number.value.to_string().replace('.', mark)),
        FluentValue::String(_)
        | FluentValue::Custom(_)
        | FluentValue::None
        | FluentValue::Error => None,
    }
}
