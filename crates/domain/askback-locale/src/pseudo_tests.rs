//! What the pseudo-languages do to a text.

use super::*;

/// Accents stay readable, and a text of ten letters becomes fourteen long.
#[test]
fn accented_text_grows_by_two_fifths() {
    // The 2nd, 4th, 7th and 9th letters stand twice.
    assert_eq!(accented("navigation"), "ñááṽííğáťťíóóñ");
    assert_eq!(accented("navigation").chars().count(), 14);
}

/// Every letter has a counterpart, and marks stay what they are.
#[test]
fn whole_alphabet_is_swapped() {
    for alphabet in [ACCENTED, ARABIC] {
        assert_eq!(alphabet.chars().count(), PLAIN.chars().count());
        assert!(alphabet.chars().all(|ch| !ch.is_ascii()));
    }
    assert_eq!(right_to_left("• 3, …"), "• 3, …");
    assert_eq!(right_to_left("Ab"), "اب");
}
