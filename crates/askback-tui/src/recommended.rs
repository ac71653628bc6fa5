//! The label of a choice, apart from the advice that an agent may have written into it.

use askback_core::question::{Choice, RECOMMENDED_SUFFIX};

/// The label without a badge, and whether the choice is advised.
pub(crate) fn split_label(choice: &Choice) -> (&str, bool) {
    let label = choice.label.as_str();
    let cut = label.len().checked_sub(RECOMMENDED_SUFFIX.len());
    match cut.and_then(|at| label.split_at_checked(at)) {
        Some((bare, suffix)) if suffix.eq_ignore_ascii_case(RECOMMENDED_SUFFIX) => {
            (bare.trim_end(), true)
        }
        Some(_) | None => (label, choice.recommended),
    }
}
