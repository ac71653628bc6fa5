//! The code follows what would be sent, and nothing else.

use askback_core::draft::{Draft, DraftPage};
use askback_core::text::{Lines, Text};

use super::DraftCode;
use crate::fixtures::question;

#[test]
fn the_code_changes_with_what_would_be_sent() {
    let empty = Draft::new(&question());
    let with = |text: &str| {
        let mut draft = empty.clone();
        draft.entries[0].picked = Vec::from_iter(Text::clean(text, Lines::One));
        draft
    };
    let (first, second) = (with("a"), with("b"));
    assert_ne!(DraftCode::new(&first), DraftCode::new(&second));
    assert_ne!(DraftCode::new(&first), DraftCode::new(&empty));
    let mut elsewhere = first.clone();
    elsewhere.page = DraftPage::Question(1);
    elsewhere.entries[0].focus = 1;
    assert_eq!(DraftCode::new(&first), DraftCode::new(&elsewhere));
    elsewhere.page = DraftPage::Review;
    assert_ne!(
        DraftCode::new(&first),
        DraftCode::new(&elsewhere),
        "a message that did not say what is left open must not send it"
    );
    let mut typed = first.clone();
    typed.entries[0].own = "c".to_owned();
    assert_eq!(DraftCode::new(&first), DraftCode::new(&typed));
    typed.entries[0].own_ticked = true;
    assert_ne!(DraftCode::new(&first), DraftCode::new(&typed));
}
