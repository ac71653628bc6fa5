//! Rows are never wider than asked for, words stay whole where they fit, and nothing is lost.

use super::{wrap, wrapped};
use crate::width::text_width;

#[test]
fn words_stay_whole_where_they_fit() {
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
    assert_eq!(wrapped("a bcdefghij k", 5), ["a", "bcdef", "ghij", "k"]);
    assert_eq!(wrapped("", 5), [""]);
    assert_eq!(wrapped("one\n\ntwo", 9), ["one", "", "two"]);
}

#[test]
fn scripts_without_spaces_break_between_characters_but_not_before_closing_marks() {
    assert_eq!(wrapped("日本語データ", 6), ["日本語", "データ"]);
    // The long-vowel mark does not begin a row either.
    assert_eq!(wrapped("日本語。データ", 6), ["日本", "語。", "データ"]);
}

/// The rows together are the text, over many widths and scripts.
#[test]
fn rows_together_are_the_text_and_never_too_wide() {
    let texts = [
        "Which database should we use for this project, given that   two spaces count?",
        "日本語データベース 🗄️ エンジン 👨‍👩‍👧 家庭 ﾊﾟｿｺﾝ",
        "قاعدة بيانات קצרה e\u{301}e\u{301}",
        "averyveryverylongwordwithoutanyspace and\tmore",
    ];
    for text in texts {
        for columns in 8..60 {
            let pieces = wrap(text, columns);
            let mut at = 0;
            for piece in &pieces {
                assert_eq!(piece.shown.start, at, "{text} at {columns}");
                let row = &text[piece.shown.clone()];
                assert!(text_width(row) <= columns, "{row:?} at {columns}");
                assert!(text[piece.shown.end..piece.end].trim().is_empty());
                at = piece.end;
            }
            assert_eq!(at, text.len());
        }
    }
}
