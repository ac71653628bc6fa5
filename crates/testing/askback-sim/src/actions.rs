//! What respondents did to inquiries, what they were told, and which outcomes follow from it.

use askback_core::id::InquiryId;
use askback_core::outcome::Resolution;

use crate::invariant_checker::InvariantChecker;

/// What the respondent was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing, or that nobody knows.
    Unknown,
    /// It has taken effect.
    Accepted,
    /// It has no effect and never will.
    Refused,
}

/// One attempt of a respondent to end an inquiry, under a name of its own.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    pub(crate) inquiry: InquiryId,
    /// The name of the outcome that it leads to.
    pub(crate) outcome: &'static str,
    pub(crate) verdict: Verdict,
    /// The respondent can undo it for a while.
    pub(crate) is_held: bool,
    /// How often the inquiry had been handed on when the respondent was found to be its recipient; none if it
    /// did not matter.
    pub(crate) hand_ons: Option<u32>,
    /// What the respondent was told after an undo; none without.
    pub(crate) undo: Option<Verdict>,
}

impl Action {
    /// Whether it must not be the outcome.
    fn is_void(&self) -> bool {
        self.verdict == Verdict::Refused || self.undo == Some(Verdict::Accepted)
    }
}

impl InvariantChecker {
    /// An outcome is the one that its respondent wanted, and was not undone or refused.
    pub(crate) fn check_resolution(
        &self,
        inquiry: &InquiryId,
        resolution: &Resolution,
    ) -> Result<(), String> {
        let outcome = resolution.outcome.name();
        let Some(name) = resolution.by.name.as_ref() else {
            let by_respondent = resolution.outcome.is_from_the_respondent();
            return if by_respondent {
                Err(format!("{inquiry} is {outcome} by nobody"))
            } else {
                Ok(())
            };
        };
        let Some(action) = self.actions.get(name.as_str()) else {
            // Stops and deletions have names, too, and end every inquiry of a conversation.
            return if matches!(outcome, "cancelled" | "withdrawn" | "superseded") {
                Ok(())
            } else {
                Err(format!("{inquiry} is {outcome} by {name}, who did nothing"))
            };
        };
        let is_own = action.inquiry == *inquiry && action.outcome == outcome;
        if !is_own || action.is_void() {
            return Err(format!("{inquiry} is {outcome} by {name}: {action:?}"));
        }
        Ok(())
    }

    /// At the end: an action that was accepted is the outcome, unless it was undone or the asker was
    /// stopped meanwhile.
    pub(crate) fn check_action(&self, name: &str, resolution: &Resolution) -> Result<(), String> {
        let Some(action) = self.actions.get(name) else {
            return Ok(());
        };
        let is_by = resolution
            .by
            .name
            .as_ref()
            .is_some_and(|by| by.as_str() == name);
        let is_stopped = matches!(resolution.outcome.name(), "cancelled" | "withdrawn");
        let is_undone = matches!(action.undo, Some(Verdict::Accepted | Verdict::Unknown));
        let may_differ = is_undone || (action.is_held && is_stopped);
        let is_lost = action.verdict == Verdict::Accepted && !is_by && !may_differ;
        if is_lost {
            let outcome = resolution.outcome.name();
            return Err(format!(
                "{name} was accepted, but the outcome is {outcome}: {action:?}"
            ));
        }
        if is_by && action.is_void() {
            return Err(format!("{name} is the outcome: {action:?}"));
        }
        Ok(())
    }
}
