//! `someone` stands where the name of a person would, so every sentence must take it as it is.

use askback_locale::Locale;

const SENTENCES: [&str; 5] = [
    "web-answered-by",
    "web-declined-by",
    "web-rejected-by",
    "web-conflict",
    "channel-held-by",
];

fn sentences(tag: &str) -> Vec<String> {
    let locale = Locale::choose(&[tag]);
    let someone = locale.text("someone", &[]);
    let sentence = |id: &&str| {
        let args = [
            ("person", someone.as_str().into()),
            ("surface", "web".into()),
            ("seconds", 5_i64.into()),
        ];
        locale.text(id, &args)
    };
    SENTENCES.iter().map(sentence).collect()
}

/// German declines it, so it is the subject of every sentence.
#[test]
fn german_sentences_take_it_as_their_subject() {
    for sentence in sentences("de") {
        assert!(sentence.starts_with("Jemand hat "), "{sentence}");
    }
}

/// Names have an honorific in Korean and Japanese; nobody in particular has none.
#[test]
fn nobody_in_particular_has_no_honorific() {
    for sentence in sentences("ko") {
        assert!(!sentence.contains("누군가 님"), "{sentence}");
    }
    for sentence in sentences("ja") {
        assert!(!sentence.contains("だれかさん"), "{sentence}");
    }
}

/// A sentence does not begin with a small letter.
#[test]
fn no_sentence_begins_with_it_in_small_letters() {
    for tag in ["en", "de", "es", "fr", "it", "pt-BR"] {
        for sentence in sentences(tag) {
            let first = sentence.chars().next();
            assert!(first.is_some_and(char::is_uppercase), "{tag}: {sentence}");
        }
    }
}
