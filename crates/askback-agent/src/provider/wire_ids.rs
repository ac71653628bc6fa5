//! The ids under which calls go back to a provider.

use std::collections::BTreeSet;

use askback_core::conversation::event::ToolCall;

/// Gives each call of a history its id on the wire: the provider's own, or ours where that one is
/// taken already. Providers use ids again, and some refuse a history that does.
#[derive(Default)]
pub(super) struct WireIds {
    used: BTreeSet<String>,
}

impl WireIds {
    /// The ids of a round, in the order of its calls.
    pub(super) fn of_round(&mut self, calls: &[ToolCall], fits: fn(&str) -> bool) -> Vec<String> {
        calls.iter().map(|call| self.of(call, fits)).collect()
    }

    fn of(&mut self, call: &ToolCall, fits: fn(&str) -> bool) -> String {
        let own = &call.provider_id;
        let id = if fits(own) && !self.used.contains(own) {
            own.clone()
        } else {
            call.id.as_str().to_owned()
        };
        self.used.insert(id.clone());
        id
    }
}
