//! Texts that a person cannot tell apart although they differ.
//!
//! Compared by the skeletons of Unicode Technical Standard 39: characters that look alike in common
//! fonts have one skeleton, and those that cannot be seen have none. Letters that differ by case or
//! accent look different. `docs/decisions/0013-bounds.md` says what is refused and why.

use unicode_security::confusable_detection::skeleton;

use crate::text::{Text, is_invisible};

/// Whether two different texts look the same.
pub(crate) fn look_alike(one: &Text, other: &Text) -> bool {
    let (one, other) = (one.as_str(), other.as_str());
    one != other && look(one) == look(other) && !differ_as_words(one, other)
}

/// What a text looks like.
fn look(text: &str) -> String {
    let visible: String = text.chars().filter(|ch| !is_invisible(*ch)).collect();
    skeleton(&visible).collect()
}

/// Plain words such as “modern” and “modem” are told apart by reading, although `rn` can look like
/// an `m` in a dense font.
fn differ_as_words(one: &str, other: &str) -> bool {
    let joined = |text: &str| text.replace("rn", "m");
    one.is_ascii() && other.is_ascii() && joined(one) == joined(other)
}

#[cfg(test)]
#[path = "lookalike_tests.rs"]
mod tests;
