use super::clip_graphemes;

#[test]
fn a_text_is_cut_between_graphemes() {
    assert_eq!(clip_graphemes("abc", 3), "abc");
    assert_eq!(clip_graphemes("abcd", 3), "ab…");
    // A family is one grapheme of eleven code units, and a flag one of four.
    let family = "👨‍👩‍👧‍👦";
    assert_eq!(clip_graphemes(&format!("a{family}b"), 8), "a…");
    assert_eq!(clip_graphemes("🇩🇪🇫🇷🇮🇹", 9), "🇩🇪🇫🇷…");
    assert_eq!(
        clip_graphemes("e\u{301}e\u{301}e\u{301}", 5),
        "e\u{301}e\u{301}…"
    );
}

#[test]
fn no_space_stays_before_the_ellipsis() {
    assert_eq!(clip_graphemes("ab cdef", 4), "ab…");
}
