//! Which page of several questions a message showed last. It is stored behind the hash of the message, so that a typed reply
//! is never taken for a question that its sender did not see.

use askback_core::draft::{Draft, DraftPage};

use crate::card::Card;

const SEPARATOR: char = '.';

/// What is stored for a message that was sent.
pub(crate) fn stored_hash(hash: &str, card: &Card) -> String {
    match card.draft() {
        Some(draft) if draft.entries.len() > 1 => {
            format!("{hash}{SEPARATOR}{}", page_number(draft))
        }
        Some(_) | None => hash.to_owned(),
    }
}

/// Whether what is stored is of a message with this hash.
pub(crate) fn has_hash(stored: Option<&str>, hash: &str) -> bool {
    let of_message = stored.and_then(|stored| stored.split(SEPARATOR).next());
    of_message == Some(hash)
}

/// The page that a message shows, if that is stored.
pub(crate) fn shown_page(stored: Option<&str>) -> Option<usize> {
    stored?.split_once(SEPARATOR)?.1.parse().ok()
}

/// The page that a draft is at. The number of questions is the review.
pub(crate) fn page_number(draft: &Draft) -> usize {
    match draft.page {
        DraftPage::Question(page) => page,
        DraftPage::Review => draft.entries.len(),
    }
}
