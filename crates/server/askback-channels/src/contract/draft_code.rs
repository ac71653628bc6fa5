//! What a draft would send, as a short code in the button that sends it.

use askback_core::draft::{Draft, DraftPage};
use serde_json::{Value, json};

use crate::contract::short_hash::ShortHash;

/// Stands for what a draft would send. A draft is shared by all people who have the question, so a button that sends it
/// says what its message shows: if somebody else has changed it meanwhile, nothing is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftCode(pub(crate) ShortHash);

impl DraftCode {
    /// The code of a draft. Whether it is at the review counts, because that shows what is left open. Other pages and the
    /// focus do not: they are not sent.
    pub fn new(draft: &Draft) -> DraftCode {
        let is_review = draft.page == DraftPage::Review;
        let given = draft.entries.iter().map(|entry| {
            let own = entry.own_ticked.then_some(&entry.own);
            let texts = (own, &entry.typed, &entry.typed_end, &entry.note);
            json!([entry.picked, texts, entry.skipped])
        });
        let given: Value = given.collect();
        DraftCode(ShortHash::new(
            json!([is_review, given]).to_string().as_bytes(),
        ))
    }
}

#[cfg(test)]
#[path = "draft_code_tests.rs"]
mod tests;
