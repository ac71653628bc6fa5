//! Texts in several languages, of which English is the one that is always there.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The language that every text must have, since the others fall back to it.
const FALLBACK: &str = "en";

/// A language, as in `de` or `pt-BR`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale(String);

impl Locale {
    /// Takes a language tag, or a locale as the environment has it (`de_AT.UTF-8`).
    pub fn new(tag: &str) -> Locale {
        let tag = tag.split(['.', '@']).next().unwrap_or_default();
        Locale(tag.replace('_', "-").to_lowercase())
    }
}

impl Default for Locale {
    fn default() -> Locale {
        Locale(FALLBACK.to_owned())
    }
}

/// One text in several languages. A bare text is English.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Localised {
    One(String),
    Many(BTreeMap<String, String>),
}

impl Localised {
    /// What is wrong with the text, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        match self {
            Localised::One(text) if text.trim().is_empty() => Some("is empty".to_owned()),
            Localised::One(_) => None,
            Localised::Many(texts) => {
                if !texts.contains_key(FALLBACK) {
                    return Some(format!(
                        "has no \"{FALLBACK}\" text, which stands in for all missing languages"
                    ));
                }
                let empty = texts.iter().find(|(_, text)| text.trim().is_empty());
                empty.map(|(language, _)| format!("is empty in \"{language}\""))
            }
        }
    }

    /// The text in a language, in the language without its region, or in English.
    pub(super) fn in_language(&self, locale: &Locale) -> &str {
        let texts = match self {
            Localised::One(text) => return text,
            Localised::Many(texts) => texts,
        };
        let named = |wanted: &str| {
            let found = texts.iter().find(|(tag, _)| Locale::new(tag).0 == wanted);
            found.map(|(_, text)| text.as_str())
        };
        let language = locale.0.split('-').next().unwrap_or_default();
        named(&locale.0)
            .or_else(|| named(language))
            .or_else(|| named(FALLBACK))
            .unwrap_or_default()
    }
}
