//! The tool call ids that are sent back to a provider.

use std::collections::BTreeSet;

use askback_core::conversation::event::ToolCall;

/// Picks an id for each call of a history: the provider's own, or ours if the provider's is unusable
/// or already taken. Providers reuse ids, and some refuse a history in which an id occurs twice.
#[derive(Default)]
pub(super) struct CallIds {
    used: BTreeSet<String>,
}

impl CallIds {
    /// The ids of a round, in the order of its calls.
    pub(super) fn for_round(
        &mut self,
        calls: &[ToolCall],
        is_valid: fn(&str) -> bool,
    ) -> Vec<String> {
        let id = |call: &ToolCall| self.for_call(call, is_valid);
        calls.iter().map(id).collect()
    }

    fn for_call(&mut self, call: &ToolCall, is_valid: fn(&str) -> bool) -> String {
        let provider_id = &call.provider_id;
        let id = if is_valid(provider_id) && !self.used.contains(provider_id) {
            provider_id.clone()
        } else {
            call.id.as_str().to_owned()
        };
        self.used.insert(id.clone());
        id
    }
}
