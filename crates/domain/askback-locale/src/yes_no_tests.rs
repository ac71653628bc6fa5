//! Words and letters for yes and no, in every language.

use super::YesNo;
use crate::locale::Locale;

#[test]
fn first_word_decides() {
    for yes in ["Yes", " yes, deploy", "JA", "Oui.", "sí", "はい", "نعم"] {
        assert_eq!(YesNo::of(yes), Some(YesNo::Yes), "{yes}");
    }
    for no in ["No", "no - later", "Nein!", "não", "아니요", "לא"] {
        assert_eq!(YesNo::of(no), Some(YesNo::No), "{no}");
    }
    for neither in ["", "Nothing", "Not now", "Yesterday", "Later", "1"] {
        assert_eq!(YesNo::of(neither), None, "{neither}");
    }
}

/// `y` and `n` mean yes and no everywhere, and no letter means both.
#[test]
fn letters_are_unambiguous_in_every_language() {
    for tag in Locale::tags() {
        let letters = Locale::choose(&[tag]).yes_no_letters();
        assert_eq!(letters[..2], [('y', YesNo::Yes), ('n', YesNo::No)], "{tag}");
        for (at, (letter, _)) in letters.iter().enumerate() {
            let again = letters[..at].iter().any(|(other, _)| other == letter);
            assert!(!again, "{letter} twice in {tag}");
        }
    }
    let own = |tag: &str| Locale::choose(&[tag]).yes_no_letters().split_off(2);
    assert_eq!(own("de"), [('j', YesNo::Yes)]);
    assert_eq!(own("es"), [('s', YesNo::Yes)]);
    assert_eq!(own("ja"), []);
    assert_eq!(own("he"), [('כ', YesNo::Yes), ('ל', YesNo::No)]);
}
