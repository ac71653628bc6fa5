//! Finds the language that a name asks for, be it a BCP 47 tag or a POSIX locale.

use crate::language::{LANGUAGES, Language};

/// The language for `name` (`pt-BR`, `pt_BR.UTF-8`, `pt`), if there is one.
pub(crate) fn language(name: &str) -> Option<&'static Language> {
    let name = name.trim().split(['.', '@']).next().unwrap_or_default();
    let name = name.replace('_', "-");
    if matches!(name.as_str(), "C" | "POSIX") {
        return tagged("en");
    }
    if let Some(language) = tagged(&name) {
        return Some(language);
    }
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_ascii_lowercase();
    match first.as_str() {
        // Who reads traditional characters is served better by their next language.
        "zh" if parts.any(is_traditional) => None,
        "zh" => tagged("zh-CN"),
        "pt" => tagged("pt-BR"),
        "iw" => tagged("he"),
        other => tagged(other),
    }
}

fn tagged(tag: &str) -> Option<&'static Language> {
    LANGUAGES
        .iter()
        .find(|language| language.tag.eq_ignore_ascii_case(tag))
}

fn is_traditional(part: &str) -> bool {
    ["hant", "tw", "hk", "mo"]
        .iter()
        .any(|word| part.eq_ignore_ascii_case(word))
}
