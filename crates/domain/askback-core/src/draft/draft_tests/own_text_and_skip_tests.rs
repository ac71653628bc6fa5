//! Own text and skips leave nothing behind that would be sent although it does not look chosen. The
//! browser has the same rules, and replays them from generated vectors.

use serde_json::json;

use super::{chosen, given, inquiry, run, several, single, write};
use crate::answer::AnswerValue;
use crate::dialect::Dialect;
use crate::draft::{DraftField, Edit};

/// An open, empty field of own text replaces the single choice: it looks chosen and is no answer.
#[test]
fn empty_own_text_is_not_the_choice_made_before() {
    let open = Edit::Open {
        field: DraftField::Own,
    };
    let edits = [Edit::Mark { row: Some(0) }, open, Edit::Send];
    let refused = run(&single(), &edits);
    assert_eq!(refused.sent, None);
    assert_eq!(refused.draft.unanswered(&single()), [0]);
    let closed = [&edits[..2], &[Edit::Close, Edit::Send]].concat();
    assert_eq!(given(&run(&single(), &closed)), [chosen(&["A"], None)]);
}

/// Marking own text a second time closes its field, whether or not something was typed.
#[test]
fn own_text_is_closed_by_marking_it_again() {
    let row = Edit::Mark { row: Some(3) };
    let closed = run(&several(), &[row.clone(), row]).draft;
    assert_eq!(closed.entries[0].field, None);
    assert!(!closed.entries[0].own_ticked);
}

/// A skipped question has no ticks left; what was typed is kept.
#[test]
fn skipping_unticks_everything() {
    let input = json!({"question": "Which?", "input_type": "multi_select", "options": ["A", "B"],
        "allow_other": true, "allow_skip": true});
    let inquiry = inquiry(Dialect::AskUser, &input);
    let edits = [
        Edit::Mark { row: Some(0) },
        write(DraftField::Own, "mine"),
        Edit::Skip,
    ];
    let skipped = run(&inquiry, &edits);
    assert_eq!(given(&skipped), [AnswerValue::Skipped]);
    let entry = &skipped.draft.entries[0];
    assert_eq!((&entry.picked, entry.own_ticked), (&vec![], false));
    assert_eq!((entry.own.as_str(), entry.field), ("mine", None));
}
