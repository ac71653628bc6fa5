//! Which language is chosen for which wish.

use askback_locale::Locale;

/// Tags and POSIX names find their language, in the order of preference, and English otherwise.
#[test]
fn first_known_language_is_chosen() {
    let chosen = |names: &[&str]| Locale::choose(names).tag();
    assert_eq!(chosen(&[]), "en");
    assert_eq!(chosen(&["tlh", "en-XA"]), "en-XA");
    assert_eq!(chosen(&["en_GB.UTF-8"]), "en");
    assert_eq!(chosen(&["C.UTF-8", "en-XA"]), "en");
    assert_eq!(chosen(&["AR-xb"]), "ar-XB");
    assert_eq!(chosen(&["nonsense", ""]), "en");
    assert_eq!(chosen(&["de_AT.UTF-8@euro"]), "de");
    assert_eq!(chosen(&["pt-PT", "fr"]), "pt-BR");
    assert_eq!(chosen(&["zh-Hans-SG"]), "zh-CN");
    assert_eq!(chosen(&["zh-TW", "ja"]), "ja");
    assert_eq!(chosen(&["iw"]), "he");
}

/// The first variable that is set decides, as POSIX says; an empty one is not set.
#[test]
fn environment_is_asked_in_order() {
    let from = |pairs: &[(&str, &str)]| {
        let found = |name: &str| pairs.iter().find(|(key, _)| *key == name);
        Locale::from_env(|name| found(name).map(|(_, value)| (*value).to_owned())).tag()
    };
    assert_eq!(from(&[]), "en");
    assert_eq!(from(&[("LANG", "en_XA")]), "en-XA");
    assert_eq!(from(&[("LANG", "en_XA"), ("LC_ALL", "C")]), "en");
    assert_eq!(from(&[("LANG", "en_XA"), ("LC_ALL", "")]), "en-XA");
    assert_eq!(
        from(&[("LC_MESSAGES", "ar_XB"), ("LANG", "en_XA")]),
        "ar-XB"
    );
}

/// The direction follows the language.
#[test]
fn direction_follows_language() {
    assert!(!Locale::choose(&["en"]).is_rtl());
    let rtl: Vec<&str> = Locale::tags()
        .filter(|tag| Locale::choose(&[tag]).is_rtl())
        .collect();
    assert_eq!(rtl, ["ar", "he", "ar-XB"]);
}
