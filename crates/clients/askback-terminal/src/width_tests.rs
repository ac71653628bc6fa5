//! Widths are never smaller than what a terminal may use.

use super::{clip, text_width};

/// What unicode-width, vt100 and tmux measured differently counts as the widest of them.
#[test]
fn disputed_clusters_count_as_the_widest_reading() {
    assert_eq!(text_width("👨‍👩‍👧"), 6);
    assert_eq!(text_width("👍🏽"), 4);
    assert_eq!(text_width("🗄️"), 2);
    assert_eq!(text_width("e\u{301}"), 1);
    assert_eq!(text_width("ﾊﾟｿｺﾝ"), 5);
    assert_eq!(text_width("データ"), 6);
    assert_eq!(text_width("قاعدة"), 5);
}

#[test]
fn clipping_never_cuts_a_cluster_and_says_that_it_cut() {
    assert_eq!(clip("Database", 8, "…"), "Database");
    assert_eq!(clip("Database", 5, "…"), "Data…");
    assert_eq!(clip("データ", 4, "…"), "デ…");
    assert_eq!(clip("👨‍👩‍👧x", 5, "…"), "…");
    assert_eq!(clip("Database", 2, "..."), "");
}
