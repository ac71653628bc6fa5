//! Texts in several languages. English is required, and the fallback for all others.

use std::collections::BTreeMap;

use serde::Deserialize;

const FALLBACK: &str = "en";

/// The language of an app's texts, such as `de` or `pt-BR`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppLanguage(String);

impl AppLanguage {
    /// Takes a language tag, or a POSIX locale such as `de_AT.UTF-8`.
    pub fn new(tag: &str) -> AppLanguage {
        let tag = tag.split(['.', '@']).next().unwrap_or_default();
        AppLanguage(tag.replace('_', "-").to_lowercase())
    }
}

impl Default for AppLanguage {
    fn default() -> AppLanguage {
        AppLanguage(FALLBACK.to_owned())
    }
}

/// A text in several languages. A plain string is English.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Localised {
    English(String),
    ByLanguage(BTreeMap<String, String>),
}

impl Localised {
    /// What is wrong with the text, as the end of a sentence.
    pub(super) fn problem(&self) -> Option<String> {
        match self {
            Localised::English(text) if text.trim().is_empty() => Some("is empty".to_owned()),
            Localised::English(_) => None,
            Localised::ByLanguage(texts) => {
                if !texts.contains_key(FALLBACK) {
                    return Some(format!(
                        "has no \"{FALLBACK}\" text, the fallback for all other languages"
                    ));
                }
                let empty = texts.iter().find(|(_, text)| text.trim().is_empty());
                empty.map(|(language, _)| format!("is empty in \"{language}\""))
            }
        }
    }

    /// Falls back to the language without its region, then to English.
    pub(super) fn in_language(&self, language: &AppLanguage) -> &str {
        let texts = match self {
            Localised::English(text) => return text,
            Localised::ByLanguage(texts) => texts,
        };
        let named = |wanted: &str| {
            let found = texts
                .iter()
                .find(|(tag, _)| AppLanguage::new(tag).0 == wanted);
            found.map(|(_, text)| text.as_str())
        };
        let without_region = language.0.split('-').next().unwrap_or_default();
        named(&language.0)
            .or_else(|| named(without_region))
            .or_else(|| named(FALLBACK))
            .unwrap_or_default()
    }
}
