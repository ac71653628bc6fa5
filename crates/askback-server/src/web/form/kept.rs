//! A half-typed answer from another surface, put into the fields of the form.

use askback_core::draft::{Draft, DraftEntry};
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, Question};

use super::data::FormData;

/// The fields of a fresh form, filled in with what a draft holds of each question.
pub(super) fn fields(inquiry: &Inquiry, draft: &Draft, once: &str) -> FormData {
    let mut fields = FormData::fresh(once);
    for (question, entry) in inquiry.questions().iter().zip(&draft.entries) {
        fill(&mut fields, question, entry);
    }
    fields
}

fn fill(fields: &mut FormData, question: &Question, entry: &DraftEntry) {
    let id = question.id.as_str();
    match &question.kind {
        Kind::Choice(_) => {
            for value in &entry.picked {
                fields.add(id, value.as_str());
            }
            // Own text that was let go again is no answer, and the form would take it for one.
            if entry.own_ticked {
                fields.add(id, "");
                fields.add(&format!("{id}-own"), &entry.own);
            }
        }
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => fields.add(id, &entry.typed),
        Kind::DateRange(_) => {
            fields.add(&format!("{id}-start"), &entry.typed);
            fields.add(&format!("{id}-end"), &entry.typed_end);
        }
    }
    fields.add(&format!("{id}-note"), &entry.note);
    if entry.skipped {
        fields.add(&format!("{id}-skip"), "1");
    }
}
