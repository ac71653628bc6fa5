//! Goes through the calls of a round in order until one has to wait, or all have their result.

use jiff::Timestamp;

use super::event::{CallResult, Event, ToolCall};
use super::job::Job;
use super::state::{PendingInquiry, Round};
use super::turn::Turn;
use super::{deadline, reply, spawn};
use crate::dialect::{Dialect, undeliverable};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::UndeliverableReason;

/// Settles calls in order: refuses what cannot be asked, parks a question, starts a tool or
/// sub-agents, and goes back to the model once every call has its result.
pub(super) fn advance(turn: &mut Turn<'_>) {
    while let Some(round) = turn.round() {
        let Some(call) = round.current().cloned() else {
            turn.emit(Event::RoundFinished);
            if turn.conversation.failing.is_stuck() {
                reply::fail(turn, reply::same_failures());
            } else {
                turn.request_llm();
            }
            return;
        };
        match step(turn, &call) {
            Step::Refuse(result) => turn.finish_current(result),
            Step::Wait => return,
        }
    }
}

enum Step {
    Refuse(CallResult),
    Wait,
}

fn step(turn: &mut Turn<'_>, call: &ToolCall) -> Step {
    if turn
        .round()
        .is_some_and(|round| round.position() >= limits::CALLS_PER_ROUND_MAX)
    {
        return Step::Refuse(CallResult::error(format!(
            "Not run: a message may hold {} tool calls, and any behind this one were left out. Call \
             what you still need again, in the next message.",
            limits::CALLS_PER_ROUND_MAX
        )));
    }
    if let Some(dialect) = Dialect::from_name(&call.name) {
        return ask(turn, call, dialect);
    }
    if call.name == spawn::NAME {
        return start_children(turn, call);
    }
    turn.job(Job::RunTool {
        call: call.id.clone(),
        name: call.name.clone(),
        input: call.input.clone(),
    });
    Step::Wait
}

fn ask(turn: &mut Turn<'_>, call: &ToolCall, dialect: Dialect) -> Step {
    if let Some(reason) = refusal(turn, dialect) {
        return Step::Refuse(CallResult::error(undeliverable(dialect, reason)));
    }
    let alone = turn.round().is_some_and(|round| round.calls().len() == 1);
    if turn.conversation.settings.policy.rules(dialect).standalone && !alone {
        return Step::Refuse(CallResult::error(format!(
            "{name} was not asked: it must be the only tool call of its message. Each other call \
             has a result of its own. Call {name} again, alone.",
            name = dialect.name()
        )));
    }
    let options = turn.conversation.settings.policy.parse_options();
    match dialect.parse(&call.input, options) {
        Ok(parsed) => {
            let rules = turn.conversation.settings.policy.rules(dialect);
            let expires_at = rules.expires_at(turn.context.now);
            add_pending(turn, Some(call), parsed.inquiry, expires_at);
            Step::Wait
        }
        Err(error) => Step::Refuse(CallResult::error(error.to_string())),
    }
}

/// Why a dialect cannot be used here and now, if it cannot.
pub(super) fn refusal(turn: &Turn<'_>, dialect: Dialect) -> Option<UndeliverableReason> {
    let conversation = &turn.conversation;
    let rules = conversation.settings.policy.rules(dialect);
    let asked = conversation.asked.get(&dialect).copied().unwrap_or(0);
    if conversation.settings.parent.is_some() && !conversation.settings.policy.sub_agents_may_ask {
        Some(UndeliverableReason::SubAgent)
    } else if !rules.enabled {
        Some(UndeliverableReason::Disabled)
    } else if conversation.settings.policy.unattended {
        Some(UndeliverableReason::NobodyThere)
    } else if rules.per_conversation_max.is_some_and(|max| asked >= max) {
        Some(UndeliverableReason::LimitReached)
    } else {
        None
    }
}

/// Makes a question wait for its outcome.
pub(super) fn add_pending(
    turn: &mut Turn<'_>,
    call: Option<&ToolCall>,
    inquiry: Inquiry,
    expires_at: Option<Timestamp>,
) {
    let pending = PendingInquiry {
        id: turn.new_id(),
        call: call.map(|call| call.id.clone()),
        revision: 1,
        inquiry,
        asked_at: turn.context.now,
        expires_at,
        reminded: false,
        held: None,
    };
    if let Some(at) = expires_at {
        deadline::arm(turn, &pending.id, at);
    }
    turn.emit(Event::InquiryAsked { pending });
}

fn start_children(turn: &mut Turn<'_>, call: &ToolCall) -> Step {
    if turn.conversation.settings.parent.is_some() {
        return Step::Refuse(CallResult::error(
            "spawn_agents is not available to sub-agents. Do the work yourself.",
        ));
    }
    match spawn::parse(&call.input, |_| turn.new_id()) {
        Ok(children) => {
            turn.emit(Event::SubAgentsStarted {
                call: call.id.clone(),
                children: children.clone(),
            });
            turn.job(Job::StartSubAgents {
                call: call.id.clone(),
                children,
            });
            Step::Wait
        }
        Err(error) => Step::Refuse(CallResult::error(error.to_string())),
    }
}

/// Closes the calls of a round that will not run any more, and the round with them.
pub(super) fn close(turn: &mut Turn<'_>, current: CallResult) {
    turn.finish_current(current);
    while turn.round().and_then(Round::current).is_some() {
        turn.finish_current(not_run());
    }
    if turn.round().is_some() {
        turn.emit(Event::RoundFinished);
    }
}

/// The result of a call that was never begun.
pub(super) fn not_run() -> CallResult {
    CallResult::error("Not run: the turn was stopped before this call's turn came.")
}

#[cfg(test)]
#[path = "round_tests.rs"]
mod tests;
