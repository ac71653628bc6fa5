//! What the user is notified of.

use askback_wire::inquiry::InquiryResponse;

use super::lines;
use askback_terminal::app::{Notification, Reach};

/// What the desktop shows of a new question: its name, and who asks.
pub(crate) fn notification(inquiry: &InquiryResponse) -> Notification {
    let name = lines::name(inquiry);
    let text = match inquiry.asker_name() {
        Some(asker) => format!("? {name} - {asker}"),
        None => format!("? {name}"),
    };
    Notification {
        id: inquiry.id.to_string(),
        text,
        reach: Reach::Idle,
    }
}
