//! The languages there are. A new one is a file of words, a file of conventions and a row here.

use crate::conventions::{LocaleConventions, ar, de, en, es, fr, he, it, ja, ko, pt_br, zh_cn};
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
    pub(crate) conventions: &'static LocaleConventions,
    /// What is done to the text between placeables.
    pub(crate) disguise: Option<pseudo::Disguise>,
}

/// Which way a language is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    LeftToRight,
    RightToLeft,
}

const EN: &str = include_str!("../locales/en/askback.ftl");

/// All of them, English first: it is what is spoken where nothing else fits.
pub(crate) static LANGUAGES: [Language; 13] = [
    Language {
        tag: "en",
        source: EN,
        rules: "en",
        direction: Direction::LeftToRight,
        conventions: &en::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "de",
        source: include_str!("../locales/de/askback.ftl"),
        rules: "de",
        direction: Direction::LeftToRight,
        conventions: &de::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "fr",
        source: include_str!("../locales/fr/askback.ftl"),
        rules: "fr",
        direction: Direction::LeftToRight,
        conventions: &fr::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "es",
        source: include_str!("../locales/es/askback.ftl"),
        rules: "es",
        direction: Direction::LeftToRight,
        conventions: &es::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "it",
        source: include_str!("../locales/it/askback.ftl"),
        rules: "it",
        direction: Direction::LeftToRight,
        conventions: &it::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "pt-BR",
        source: include_str!("../locales/pt-BR/askback.ftl"),
        rules: "pt",
        direction: Direction::LeftToRight,
        conventions: &pt_br::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "zh-CN",
        source: include_str!("../locales/zh-CN/askback.ftl"),
        rules: "zh",
        direction: Direction::LeftToRight,
        conventions: &zh_cn::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "ja",
        source: include_str!("../locales/ja/askback.ftl"),
        rules: "ja",
        direction: Direction::LeftToRight,
        conventions: &ja::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "ko",
        source: include_str!("../locales/ko/askback.ftl"),
        rules: "ko",
        direction: Direction::LeftToRight,
        conventions: &ko::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "ar",
        source: include_str!("../locales/ar/askback.ftl"),
        rules: "ar",
        direction: Direction::RightToLeft,
        conventions: &ar::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "he",
        source: include_str!("../locales/he/askback.ftl"),
        rules: "he",
        direction: Direction::RightToLeft,
        conventions: &he::CONVENTIONS,
        disguise: None,
    },
    Language {
        tag: "en-XA",
        source: EN,
        rules: "en",
        direction: Direction::LeftToRight,
        conventions: &en::CONVENTIONS,
        disguise: Some(pseudo::accented),
    },
    Language {
        tag: "ar-XB",
        source: EN,
        rules: "en",
        direction: Direction::RightToLeft,
        conventions: &en::CONVENTIONS,
        disguise: Some(pseudo::right_to_left),
    },
];
