//! What line mode says about sending an answer. That it is sent is said only when it is: a stored
//! question has its answer once the server has accepted it.

use super::LinePrompt;
use crate::outcome_lines::AnsweredFrom;
use crate::prompt::{End, Persistence};

impl LinePrompt {
    /// What was chosen. For a stored question, [`LinePrompt::after_sending`] ends the line.
    pub(super) fn sending(&self, index: usize) -> String {
        let is_only = self.inquiry.questions().len() == 1;
        match (self.options.persistence, is_only) {
            (Persistence::Durable, true) => format!("{} ", self.chosen(index, "line-chosen")),
            (Persistence::Durable, false) => String::new(),
            (Persistence::None, true) => format!("{}\n", self.chosen(index, "line-chosen-sent")),
            (Persistence::None, false) => format!("{}\n", self.text("line-sent", &[])),
        }
    }

    /// The text to print when the reply to a stored question was sent, with the answer that the
    /// server accepted, or `None` if it could not be sent.
    pub fn after_sending(&self, end: &End, accepted: Option<AnsweredFrom>) -> String {
        match (end, accepted) {
            (End::Answered(_), Some(AnsweredFrom::Here)) => {
                format!("{}\n", self.text("line-sent", &[]))
            }
            (End::Answered(_), Some(AnsweredFrom::Elsewhere) | None) => "\n".to_owned(),
            (End::Postponed | End::Detached | End::Declined | End::Rejected | End::Expired, _) => {
                String::new()
            }
        }
    }
}
