//! What model and machine are compared by.

use askback_core::conversation::state::State;
use askback_core::id::ConversationId;

use super::{Model, Phase};
use crate::suite::machine::CheckedConversation;

impl Model {
    pub(crate) fn summary(&self) -> Summary {
        let open: Vec<usize> = self.open().collect();
        let state = match self.phase {
            Phase::Idle if open.is_empty() => "idle",
            Phase::Idle | Phase::Asking => "awaiting_user_response",
            Phase::Thinking { .. } => "llm_requesting",
            Phase::Tool { .. } => "tool_executing",
            Phase::Children { .. } => "awaiting_sub_agents",
            Phase::Failed => "error",
        };
        let in_round = matches!(
            self.phase,
            Phase::Tool { .. } | Phase::Asking | Phase::Children { .. }
        );
        Summary {
            state,
            requests: self.requests,
            attempt: match self.phase {
                Phase::Thinking { attempt } => Some(attempt),
                Phase::Idle
                | Phase::Tool { .. }
                | Phase::Asking
                | Phase::Children { .. }
                | Phase::Failed => None,
            },
            started: self.phase == Phase::Tool { started: true },
            call: in_round.then_some(self.calls_before + self.settled),
            calls: self.calls_before + self.round.len(),
            waiting: open
                .into_iter()
                .map(|nth| {
                    let inquiry = &self.inquiries[nth];
                    Waiting {
                        nth,
                        deadline: inquiry.deadline,
                        held_until: inquiry.held.map(|(_, until)| until),
                        recipient: inquiry.recipient.map(str::to_owned),
                        hand_ons: inquiry.hand_ons,
                    }
                })
                .collect(),
            inquiries: self.inquiries.len(),
        }
    }
}

/// What model and machine are compared by.
#[derive(Debug, PartialEq)]
pub(crate) struct Summary {
    state: &'static str,
    requests: u64,
    attempt: Option<u32>,
    started: bool,
    /// The number of the current call.
    call: Option<usize>,
    calls: usize,
    waiting: Vec<Waiting>,
    inquiries: usize,
}

/// An inquiry that waits.
#[derive(Debug, PartialEq)]
struct Waiting {
    nth: usize,
    deadline: Option<i64>,
    held_until: Option<i64>,
    recipient: Option<String>,
    hand_ons: u32,
}

pub(crate) fn summary_of(checked: &CheckedConversation) -> Summary {
    let state = &checked.conversation.state;
    let calls = checked.made_calls();
    let inquiries = checked.inquiries();
    let call = state.round().map(|_| checked.current_call());
    let start: jiff::Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let waiting = state.pending().iter().map(|pending| {
        let nth = inquiries.iter().position(|id| *id == pending.id);
        let since_start = |at: jiff::Timestamp| at.duration_since(start).as_secs();
        let held = pending.held.as_ref().map(|held| since_start(held.until));
        Waiting {
            nth: nth.unwrap(),
            deadline: pending.expires_at.map(since_start),
            held_until: held,
            recipient: pending.inquiry.recipient().map(ToString::to_string),
            hand_ons: pending.inquiry.hand_ons(),
        }
    });
    Summary {
        state: state.name(),
        requests: checked.conversation.requests,
        attempt: attempt_of(checked),
        started: matches!(state, State::ToolExecuting { started: true, .. }),
        call: call.and_then(|call| calls.iter().position(|id| *id == call)),
        calls: calls.len(),
        waiting: waiting.collect(),
        inquiries: inquiries.len(),
    }
}

/// The attempt under way, if a request is.
pub(crate) fn attempt_of(checked: &CheckedConversation) -> Option<u32> {
    let State::LlmRequesting { attempt, .. } = checked.conversation.state else {
        return None;
    };
    Some(attempt)
}

/// The first sub-agent that has not reported, if any is waited for.
pub(crate) fn waited_for(checked: &CheckedConversation) -> Option<ConversationId> {
    let State::AwaitingSubAgents { children, .. } = &checked.conversation.state else {
        return None;
    };
    let open = children.iter().find(|child| child.result.is_none());
    open.map(|child| child.started.conversation.clone())
}
