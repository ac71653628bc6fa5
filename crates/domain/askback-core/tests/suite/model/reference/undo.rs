//! What must follow when an answer can be undone.

use askback_core::dialect::Dialect;

use super::{Model, Verdict, require};
use crate::suite::model::actions::{ModelAction, On, UndoableAction};

const UNDO_SECONDS_MAX: i64 = 60;

impl Model {
    pub(super) fn undo(&mut self, made: &ModelAction) -> Verdict {
        if let ModelAction::AnswerWithUndo { on, held, seconds } = made {
            require(
                (1..=UNDO_SECONDS_MAX).contains(seconds),
                "invalid_undo_window",
            )?;
            let inquiry = self.find_open(*on)?;
            require(
                *held != UndoableAction::Answer { fits: false },
                "invalid_answer",
            )?;
            let until = self.now + seconds;
            let end = self.inquiries[inquiry].deadline.unwrap_or(until);
            self.inquiries[inquiry].held = Some((*held, until.min(end).max(self.now)));
        } else if let ModelAction::UndoAnswer(on) = made {
            let inquiry = self.find(*on)?;
            let held = self.inquiries[inquiry].held.take();
            require(held.is_some(), "nothing_held")?;
        } else if let ModelAction::CommitHeldAnswer(which) = made {
            let inquiry = self.find(On::Id(*which))?;
            let held = self.inquiries[inquiry].held;
            let (held, _) = held.ok_or("stale_report")?;
            self.conclude(inquiry, held);
        }
        Ok(())
    }

    /// The inquiry that a respondent may do something about.
    pub(super) fn find_open(&self, on: On) -> Result<usize, &'static str> {
        let inquiry = self.find(on)?;
        require(self.inquiries[inquiry].held.is_none(), "held")?;
        self.require_in_time(inquiry)?;
        Ok(inquiry)
    }

    /// What comes at or behind the deadline comes too late.
    pub(super) fn require_in_time(&self, inquiry: usize) -> Verdict {
        let deadline = self.inquiries[inquiry].deadline;
        require(deadline.is_none_or(|at| at > self.now), "not_pending")
    }

    /// The inquiry whose deadline can be moved.
    pub(super) fn find_movable(&self, on: On) -> Result<usize, &'static str> {
        let inquiry = self.find(on)?;
        if self.inquiries[inquiry].held.is_none() {
            self.require_in_time(inquiry)?;
        }
        Ok(inquiry)
    }

    /// What a respondent did takes effect.
    pub(super) fn conclude(&mut self, inquiry: usize, done: UndoableAction) {
        self.resolve(inquiry);
        self.start_over();
        match done {
            UndoableAction::Answer { .. } => {
                if self.inquiries[inquiry].dialect == Dialect::Question && self.is_agent() {
                    self.remember(None);
                }
                self.resume();
            }
            UndoableAction::Decline => self.resume(),
            UndoableAction::Reject => self.stop(),
        }
    }
}
