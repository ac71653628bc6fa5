//! Questions that a call of this process is about to deliver.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use askback_core::id::InquiryId;

/// Questions that a call waits for, or whose outcome is being sent. No other call delivers them as
/// late answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct InFlightQuestions(Arc<Mutex<HashMap<InquiryId, usize>>>);

impl InFlightQuestions {
    /// Adds a question until the guard is dropped. Several calls may wait for the same one.
    pub(crate) fn track(&self, id: &InquiryId) -> InFlightGuard {
        *self.0.lock().entry(id.clone()).or_default() += 1;
        InFlightGuard {
            questions: self.clone(),
            id: id.clone(),
            is_claimed: false,
        }
    }

    pub(crate) fn contains(&self, id: &InquiryId) -> bool {
        self.0.lock().contains_key(id)
    }

    pub(crate) fn ids(&self) -> Vec<InquiryId> {
        self.0.lock().keys().cloned().collect()
    }
}

/// See [`InFlightQuestions::track`].
#[derive(Debug)]
pub(crate) struct InFlightGuard {
    questions: InFlightQuestions,
    id: InquiryId,
    is_claimed: bool,
}

impl InFlightGuard {
    /// The server knows that the outcome is about to be delivered.
    pub(crate) fn claimed(mut self) -> InFlightGuard {
        self.is_claimed = true;
        self
    }

    pub(crate) fn is_claimed(&self) -> bool {
        self.is_claimed
    }

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
        let mut counts = self.questions.0.lock();
        if let Some(count) = counts.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.id);
            }
        }
    }
}
