//! The choice that a typed word names.

use askback_core::question::Question;
use askback_locale::split_label;

use crate::yes_no::YesNoChoices;

/// The only choice with this label, in any case; of a yes/no question, also the choice that a word
/// for yes or no means.
pub(crate) fn named_row(
    question: &Question,
    yes_no: Option<&YesNoChoices>,
    word: &str,
) -> Option<usize> {
    labelled_row(question, word).or_else(|| {
        let yes_no = yes_no?;
        yes_no.row(yes_no.meaning(word.trim())?)
    })
}

/// The only choice with this label, in any case.
pub(crate) fn labelled_row(question: &Question, label: &str) -> Option<usize> {
    let wanted = label.trim().to_lowercase();
    let choices = question.choices().iter().enumerate();
    let mut rows = choices.filter(|(_, choice)| {
        let whole = choice.label.as_str().to_lowercase();
        whole == wanted || split_label(choice).0.to_lowercase() == wanted
    });
    match (rows.next(), rows.next()) {
        (Some((row, _)), None) => Some(row),
        (Some(_) | None, _) => None,
    }
}
