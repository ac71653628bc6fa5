//! The languages there are. A new one is a file of words, a file of conventions and a row here.

use std::sync::LazyLock;

use crate::conventions::LocaleConventions;
use crate::pseudo;

/// One language, or one of the two pseudo-languages that show what was not translated.
pub(crate) struct Language {
    /// Its BCP 47 name, and the name of its directory.
    pub(crate) tag: &'static str,
    /// Its words.
    pub(crate) source: &'static str,
    /// The language whose plural rules and decimal mark hold.
    pub(crate) rules: &'static str,
    /// Whether it is written from right to left.
    pub(crate) direction: Direction,
    /// How numbers and days are written.
    pub(crate) conventions: LazyLock<LocaleConventions>,
    /// What is done to the text between placeables.
    pub(crate) disguise: Option<pseudo::Disguise>,
}

/// Which way a language is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    LeftToRight,
    RightToLeft,
}

/// The languages with the one whose plural rules hold, and the direction. Words and conventions are in the directory of
/// the language; the pseudo-languages have those of English.
macro_rules! languages {
    ($($tag:literal in $directory:literal, $rules:literal, $direction:ident, $disguise:expr;)+) => {
        [$(Language {
            tag: $tag,
            source: include_str!(concat!("../locales/", $directory, "/askback.ftl")),
            rules: $rules,
            direction: Direction::$direction,
            conventions: LazyLock::new(|| {
                LocaleConventions::read(include_str!(concat!("../locales/", $directory, "/conventions.json")))
            }),
            disguise: $disguise,
        }),+]
    };
}

/// All of them, English first: it is what is spoken where nothing else fits.
pub(crate) static LANGUAGES: [Language; 13] = languages! {
    "en" in "en", "en", LeftToRight, None;
    "de" in "de", "de", LeftToRight, None;
    "fr" in "fr", "fr", LeftToRight, None;
    "es" in "es", "es", LeftToRight, None;
    "it" in "it", "it", LeftToRight, None;
    "pt-BR" in "pt-BR", "pt", LeftToRight, None;
    "zh-CN" in "zh-CN", "zh", LeftToRight, None;
    "ja" in "ja", "ja", LeftToRight, None;
    "ko" in "ko", "ko", LeftToRight, None;
    "ar" in "ar", "ar", RightToLeft, None;
    "he" in "he", "he", RightToLeft, None;
    "en-XA" in "en", "en", LeftToRight, Some(pseudo::accented);
    "ar-XB" in "en", "en", RightToLeft, Some(pseudo::right_to_left);
};
