//! Which row of a list a typed text names.

use askback_core::answer::ShownChoices;
use askback_core::question::Kind;

use super::open_draft::OpenDraft;
use crate::keymap::Mode;

/// The choice that a text names by its label.
pub(super) fn labelled_row(draft: &OpenDraft, text: &str) -> Option<usize> {
    let Kind::Choice(kind) = &draft.question().kind else {
        return None;
    };
    let shown = ShownChoices::of(kind).marked(&draft.parser.recommended);
    shown.named_row(text)
}

/// The visible row that a whole word names: by its label, or as yes or no.
pub(super) fn named_row(draft: &OpenDraft, word: &str) -> Option<usize> {
    let row = labelled_row(draft, word).or_else(|| {
        let yes_no = draft.yes_no()?;
        yes_no.row(yes_no.meaning(word.trim())?)
    })?;
    draft.listed().contains(&row).then_some(row)
}

/// The row whose label was typed: in full, or so far that no other starts like it. On a yes/no
/// question, also the row that a word for yes or no means.
pub(super) fn typed_row(draft: &OpenDraft, text: &str) -> Option<usize> {
    match starting_rows(draft, text).as_slice() {
        [row] => Some(*row),
        _ => named_row(draft, text),
    }
}

/// The rows whose labels start with a text.
pub(super) fn starting_rows(draft: &OpenDraft, text: &str) -> Vec<usize> {
    let typed = text.trim().to_lowercase();
    if typed.is_empty() {
        return Vec::new();
    }
    let labels = listed_labels(draft).filter(|(_, label)| label.starts_with(&typed));
    labels.map(|(row, _)| row).collect()
}

/// The visible labels, in lower case; none on the review page.
pub(super) fn listed_labels(draft: &OpenDraft) -> impl Iterator<Item = (usize, String)> {
    let is_list = matches!(draft.mode(), Mode::List | Mode::Several);
    let rows = if is_list { draft.listed() } else { Vec::new() };
    let choices = draft.question().choices();
    rows.into_iter().filter_map(|row| {
        let choice = choices.get(row)?;
        Some((row, choice.label.as_str().to_lowercase()))
    })
}
