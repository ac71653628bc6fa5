//! An inquiry as the server tells it, as the lines that stay when it is over.

use askback_core::answer::Answers;
use askback_locale::Locale;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::outcome::OutcomeResponse;

use crate::resolved::{self, Fate};
use askback_terminal::clock;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Ink, Row};

/// Who ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Whoever sits here.
    Ours,
    /// Somebody else, or somewhere else.
    Others,
}

/// The lines of an inquiry that is over.
pub fn lines(locale: Locale, glyphs: &Glyphs, found: &InquiryResponse, whose: Whose) -> Vec<Row> {
    if found.questions.is_empty() && found.status == InquiryStatus::Withdrawn {
        // Its conversation was deleted, and what was asked with it.
        return vec![Row::new().with(locale.text("web-deleted", &[]), Ink::Muted)];
    }
    let Ok(inquiry) = found.to_inquiry() else {
        return vec![Row::new().with(found.status.to_string(), Ink::Muted)];
    };
    let surface = found.surface.as_ref().map(ToString::to_string);
    let elsewhere = match (whose, &surface) {
        (Whose::Ours, _) | (_, None) => None,
        (Whose::Others, Some(surface)) => Some((found.answered_by.as_deref(), surface.as_str())),
    };
    let time = found.expires_at.map(clock::time_of_day).unwrap_or_default();
    let fate = match found.outcome.as_ref() {
        Some(OutcomeResponse::Answered { answers }) => {
            let answers = serde_json::to_value(answers).ok();
            match answers.and_then(|answers| serde_json::from_value::<Answers>(answers).ok()) {
                Some(answers) => {
                    return resolved::answered(locale, glyphs, &inquiry, &answers, elsewhere);
                }
                None => Fate::Superseded,
            }
        }
        Some(OutcomeResponse::Rejected) => Fate::Rejected,
        Some(OutcomeResponse::Cancelled) => Fate::Cancelled,
        Some(OutcomeResponse::Declined) => Fate::Declined,
        Some(OutcomeResponse::Superseded { .. }) => Fate::Superseded,
        Some(OutcomeResponse::Expired) => Fate::Expired(&time),
        Some(OutcomeResponse::Withdrawn | OutcomeResponse::Undeliverable { .. }) => Fate::Withdrawn,
        Some(OutcomeResponse::Unknown) | None => Fate::Pending,
    };
    resolved::unanswered(locale, glyphs, &inquiry, fate)
}
