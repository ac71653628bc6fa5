//! Formats a resolved inquiry as lines for the scrollback.

use askback_locale::Locale;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::outcome::{OutcomeResponse, to_answers};

use crate::answer_summary::{self, Ending};
use askback_terminal::clock;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Row, Style};

/// Where an inquiry was resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweredFrom {
    /// In this terminal.
    Here,
    /// On another surface, which the lines name.
    Elsewhere,
}

/// The lines for a resolved inquiry.
pub fn lines(
    locale: Locale,
    glyphs: &Glyphs,
    found: &InquiryResponse,
    whose: AnsweredFrom,
) -> Vec<Row> {
    if found.questions.is_empty() && found.status == InquiryStatus::Withdrawn {
        // The conversation was deleted, and the questions with it.
        return vec![Row::new().with(locale.text("web-deleted", &[]), Style::Muted)];
    }
    let Ok(inquiry) = found.to_inquiry() else {
        return vec![Row::new().with(found.status.to_string(), Style::Muted)];
    };
    let surface = found.surface.as_ref().map(ToString::to_string);
    let elsewhere = match (whose, &surface) {
        (AnsweredFrom::Here, _) | (_, None) => None,
        (AnsweredFrom::Elsewhere, Some(surface)) => {
            Some((found.answered_by.as_deref(), surface.as_str()))
        }
    };
    let time = found.expires_at.map(clock::time_of_day).unwrap_or_default();
    let fate = match found.outcome.as_ref() {
        Some(OutcomeResponse::Answered { answers }) => match to_answers(answers) {
            Some(answers) => {
                return answer_summary::answered(locale, glyphs, &inquiry, &answers, elsewhere);
            }
            None => Ending::Superseded,
        },
        Some(OutcomeResponse::Rejected) => Ending::Rejected,
        Some(OutcomeResponse::Cancelled) => Ending::Cancelled,
        Some(OutcomeResponse::Declined) => Ending::Declined,
        Some(OutcomeResponse::Superseded { .. }) => Ending::Superseded,
        Some(OutcomeResponse::Expired) => Ending::Expired(&time),
        Some(OutcomeResponse::Withdrawn | OutcomeResponse::Undeliverable { .. }) => {
            Ending::Withdrawn
        }
        Some(OutcomeResponse::Unknown) | None => Ending::Pending,
    };
    answer_summary::unanswered(locale, glyphs, &inquiry, fate)
}
