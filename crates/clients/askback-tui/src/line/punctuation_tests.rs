//! Goal: a sentence ends once.

use super::{sentence, without_doubled_stops};

#[test]
fn sentence_ends_once() {
    assert_eq!(sentence("Database"), "Database.");
    for text in [
        "Which one?",
        "Done.",
        "And so on...",
        "続けますか？",
        "Pick one:",
    ] {
        assert_eq!(sentence(text), text);
    }
}

#[test]
fn doubled_stop_is_removed() {
    for (text, expected) in [
        ("1. Continue?.", "1. Continue?"),
        ("1. Yes.. Restarts it.", "1. Yes. Restarts it."),
        ("Chosen: a long name.....", "Chosen: a long name....."),
        ("Chosen: a long name....", "Chosen: a long name..."),
        ("続けますか？。次", "続けますか？次"),
        ("1. cd ../src.", "1. cd ../src."),
        ("1. cd .. first.", "1. cd .. first."),
        ("and so on...", "and so on..."),
    ] {
        assert_eq!(without_doubled_stops(text), expected);
    }
}
