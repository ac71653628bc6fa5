//! `--default`: the answer that enter sends unless the user changes it.

use askback_core::answer::ShownChoices;
use askback_core::draft::{Draft, DraftField, Edit, FocusMove};
use askback_core::inquiry::Inquiry;
use askback_core::question::Kind;
use askback_locale::Locale;
use askback_terminal::clock::today;

use crate::failure::{Failure, refuse};

/// A draft with the defaults; `None` without any.
pub(super) fn draft(
    inquiry: &Inquiry,
    defaults: &[String],
    locale: Locale,
) -> Result<Option<Draft>, Failure> {
    let ([question, ..], [first, others @ ..]) = (inquiry.questions(), defaults) else {
        return Ok(None);
    };
    let typing = locale.typing(today());
    let mut edits = Vec::new();
    match &question.kind {
        Kind::Choice(kind) => {
            for text in defaults {
                let row = ShownChoices::of(kind).named_row(text).ok_or_else(|| {
                    Failure::Refused(format!("--default {text}: there is no such option."))
                })?;
                let to = FocusMove::Row(row);
                edits.extend([Edit::Move { to }, Edit::Mark { row: Some(row) }]);
            }
        }
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => {
            let text = first.clone();
            let field = DraftField::Answer;
            edits.push(Edit::Write { field, text });
        }
    }
    let takes_several = matches!(&question.kind, Kind::Choice(kind) if kind.several);
    if !others.is_empty() && !takes_several {
        return refuse("Give --default once: the question takes one answer.");
    }
    let start = Draft::new(inquiry);
    let draft = edits.iter().fold(start, |draft, edit| {
        draft.reduce(inquiry, edit, &typing).draft
    });
    Ok(Some(draft))
}
