//! Pseudo-languages, made from English while the program runs. They show which text was never
//! translated, what does not fit when words grow, and what breaks when they run the other way.

use std::borrow::Cow;

/// Changes a text that stands between placeables.
pub(crate) type Disguise = fn(&str) -> Cow<'_, str>;

/// Accented letters that everybody can still read, two fifths longer (`en-XA`).
pub(crate) fn accented(text: &str) -> Cow<'_, str> {
    let mut letters = 0_usize;
    let mut grown = String::with_capacity(text.len() * 2);
    for ch in text.chars() {
        grown.push(accent(ch));
        if ch.is_ascii_alphabetic() {
            letters += 1;
            // Every second or third letter twice, so that each five become seven.
            if matches!(letters % 5, 2 | 4) {
                grown.push(accent(ch));
            }
        }
    }
    Cow::Owned(grown)
}

/// Letters of a script that runs from right to left, without any control characters (`ar-XB`).
pub(crate) fn right_to_left(text: &str) -> Cow<'_, str> {
    Cow::Owned(text.chars().map(arabic).collect())
}

const PLAIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTED: &str = "áƀçđéƒğĥíĵķłɱñóþɋŕšťúṽŵẋýžÁƁÇĐÉƑĞĤÍĴĶŁṀÑÓÞɊŔŠŤÚṼŴẊÝŽ";
const ARABIC: &str = "ابچدعفگهیژكلمنوپقرستثڤوخيزابچدعفگهیژكلمنوپقرستثڤوخيز";

fn accent(ch: char) -> char {
    swap(ch, ACCENTED)
}

fn arabic(ch: char) -> char {
    swap(ch, ARABIC)
}

/// The letter of `alphabet` at the place of `ch`, or `ch` itself.
fn swap(ch: char, alphabet: &str) -> char {
    let mut pairs = PLAIN.chars().zip(alphabet.chars());
    pairs
        .find(|(plain, _)| *plain == ch)
        .map_or(ch, |(_, other)| other)
}

#[cfg(test)]
#[path = "pseudo_tests.rs"]
mod tests;
