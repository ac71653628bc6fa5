//! Questions that a call of this process is about to deliver.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_core::id::InquiryId;

/// Questions that a call waits for, or whose outcome is being sent. No other call delivers them as
/// late answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct InFlightQuestions(Arc<Mutex<HashMap<InquiryId, usize>>>);

impl InFlightQuestions {
    /// Adds a question until the guard is dropped. Several calls may wait for the same one.
    pub(crate) fn track(&self, id: &InquiryId) -> InFlightGuard {
        *self.counts().entry(id.clone()).or_default() += 1;
        InFlightGuard {
            questions: self.clone(),
            id: id.clone(),
        }
    }

    pub(crate) fn contains(&self, id: &InquiryId) -> bool {
        self.counts().contains_key(id)
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<InquiryId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// See [`InFlightQuestions::track`].
#[derive(Debug)]
pub(crate) struct InFlightGuard {
    questions: InFlightQuestions,
    id: InquiryId,
}

impl InFlightGuard {
    pub(crate) fn id(&self) -> &InquiryId {
        &self.id
    }

    /// What is needed to track the question again.
    pub(crate) fn to_untracked(&self) -> (InFlightQuestions, InquiryId) {
        (self.questions.clone(), self.id.clone())
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut counts = self.questions.counts();
        if let Some(count) = counts.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.id);
            }
        }
    }
}
