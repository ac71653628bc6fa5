//! Rounds in a row that failed in the same way: the same calls, with the same inputs, and the same
//! errors. A model that repeats them does not learn from what it is told, so its turn ends.

use super::event::{CallResult, ToolCall};
use crate::limits;

/// How often the same round has failed. It is part of the state, so that a restart does not begin
/// to count anew; of the calls and errors only a fingerprint is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RepeatedFailures {
    /// The open round: its calls and the errors so far. None if it has none, or if a call of it has
    /// succeeded.
    pub open: Option<u64>,
    /// The last round, if all of its calls have failed.
    pub last: Option<u64>,
    /// How many rounds in a row were like the last one.
    pub times: u32,
}

impl RepeatedFailures {
    /// A round begins.
    pub(super) fn start_round(&mut self, calls: &[ToolCall]) {
        let mut print = FNV_OFFSET;
        for call in calls {
            fold(&mut print, &call.name);
            fold(&mut print, &call.input.to_string());
        }
        self.open = Some(print);
    }

    /// A call of the round has its result.
    pub(super) fn record(&mut self, result: &CallResult) {
        if result.is_error {
            if let Some(print) = &mut self.open {
                fold(print, &result.content);
            }
        } else {
            self.open = None;
        }
    }

    /// The round is over.
    pub(super) fn finish_round(&mut self) {
        let Some(print) = self.open.take() else {
            *self = RepeatedFailures::default();
            return;
        };
        self.times = if self.last == Some(print) {
            self.times.saturating_add(1)
        } else {
            1
        };
        self.last = Some(print);
    }

    /// Somebody has said or answered something: what follows is a new attempt. An open round goes on.
    pub(super) fn reset(&mut self) {
        self.last = None;
        self.times = 0;
    }

    /// Whether it makes no sense to go on.
    pub(super) fn is_stuck(&self) -> bool {
        self.times >= limits::SAME_FAILURES_MAX
    }
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a, which is the same on every platform and in every version.
fn fold(print: &mut u64, text: &str) {
    // A byte that no text has keeps two texts apart.
    for byte in text.bytes().chain([0xff]) {
        *print = (*print ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    }
}
