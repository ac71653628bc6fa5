//! Goes through the calls of a round in order until one has to wait, or all have their result.

use jiff::Timestamp;

use super::decision_builder::DecisionBuilder;
use super::event::{CallResult, Event, ToolCall};
use super::job::Job;
use super::state::{PendingInquiry, Round, ToolQuestion};
use super::{Driver, deadline, llm_reply, spawn};
use crate::dialect::{Dialect, undeliverable};
use crate::id::CallId;
use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::UndeliverableReason;

/// Settles calls in order: refuses what cannot be asked, parks a question, starts a tool or
/// sub-agents, and goes back to the model once every call has its result.
pub(super) fn advance(decision: &mut DecisionBuilder<'_>) {
    while let Some(round) = decision.round() {
        let Some(call) = round.current().cloned() else {
            decision.emit(Event::RoundFinished);
            if decision.conversation.failing.is_stuck() {
                llm_reply::fail(decision, llm_reply::same_failures());
            } else {
                decision.request_llm();
            }
            return;
        };
        match start_call(decision, &call) {
            Err(refusal) => decision.finish_current(refusal),
            Ok(()) => return,
        }
    }
}

/// Starts a call, or says to the model why it is not run.
fn start_call(decision: &mut DecisionBuilder<'_>, call: &ToolCall) -> Result<(), CallResult> {
    if decision
        .round()
        .is_some_and(|round| round.position() >= limits::CALLS_PER_ROUND_MAX)
    {
        return Err(CallResult::error(format!(
            "Not run: a message may contain at most {} tool calls, and any after this one were \
             dropped. Call what you still need in your next message.",
            limits::CALLS_PER_ROUND_MAX
        )));
    }
    if let Some(dialect) = Dialect::of_tool(&call.name) {
        return ask(decision, call, dialect);
    }
    if call.name == spawn::NAME {
        return start_children(decision, call);
    }
    decision.job(Job::RunTool {
        call: call.id.clone(),
        name: call.name.clone(),
        input: call.input.clone(),
        resume: None,
    });
    Ok(())
}

fn ask(
    decision: &mut DecisionBuilder<'_>,
    call: &ToolCall,
    dialect: Dialect,
) -> Result<(), CallResult> {
    if let Some(reason) = undeliverable_reason(decision, dialect) {
        return Err(CallResult::error(undeliverable(dialect, reason)));
    }
    let alone = decision
        .round()
        .is_some_and(|round| round.calls().len() == 1);
    let rules = decision.rules(dialect);
    if rules.standalone && !alone {
        return Err(CallResult::error(format!(
            "{name} was not asked: it must be the only tool call of its message. The other calls \
             have their own results. Call {name} again, alone.",
            name = dialect.name()
        )));
    }
    let options = decision.conversation.settings.policy.parse_options();
    let parsed = dialect.parse(&call.input, options);
    let parsed = parsed.map_err(|error| CallResult::error(error.to_string()))?;
    let expires_at = rules.expires_at(decision.context.now);
    let call = Some(call.id.clone());
    add_pending(decision, call, None, parsed.inquiry, expires_at);
    Ok(())
}

/// Why a dialect cannot be used here and now, if it cannot. How often the built-in agent may ask says nothing about
/// others.
pub(super) fn undeliverable_reason(
    decision: &DecisionBuilder<'_>,
    dialect: Dialect,
) -> Option<UndeliverableReason> {
    let conversation = &decision.conversation;
    let rules = conversation.settings.policy.rules(dialect);
    let asked = conversation.asked.get(&dialect).copied().unwrap_or(0);
    let unreachable = unreachable_reason(decision);
    if unreachable == Some(UndeliverableReason::SubAgent) {
        unreachable
    } else if !rules.enabled {
        Some(UndeliverableReason::Disabled)
    } else if unreachable.is_some() {
        unreachable
    } else if conversation.settings.driver == Driver::BuiltIn
        && rules.per_conversation_max.is_some_and(|max| asked >= max)
    {
        Some(UndeliverableReason::LimitReached)
    } else {
        None
    }
}

/// Why nobody can be asked anything here, if nobody can.
pub(super) fn unreachable_reason(decision: &DecisionBuilder<'_>) -> Option<UndeliverableReason> {
    let settings = &decision.conversation.settings;
    if settings.parent.is_some() && !settings.policy.sub_agents_may_ask {
        Some(UndeliverableReason::SubAgent)
    } else if settings.policy.unattended {
        Some(UndeliverableReason::NobodyThere)
    } else {
        None
    }
}

/// Asks a question: it is pending from here on. It is asked for a call, by the model or by the tool
/// of the call, or by an external agent.
pub(super) fn add_pending(
    decision: &mut DecisionBuilder<'_>,
    call: Option<CallId>,
    tool: Option<ToolQuestion>,
    inquiry: Inquiry,
    expires_at: Option<Timestamp>,
) {
    let pending = PendingInquiry {
        id: decision.new_id(),
        call,
        tool,
        revision: 1,
        inquiry,
        asked_at: decision.context.now,
        expires_at,
        reminded: false,
        held: None,
    };
    if let Some(at) = expires_at {
        deadline::arm(decision, &pending.id, at);
    }
    decision.emit(Event::InquiryAsked { pending });
}

fn start_children(decision: &mut DecisionBuilder<'_>, call: &ToolCall) -> Result<(), CallResult> {
    if decision.conversation.settings.parent.is_some() {
        return Err(CallResult::error(
            "spawn_agents is not available to sub-agents. Do the work yourself.",
        ));
    }
    let children = spawn::parse(&call.input, |_| decision.new_id());
    let children = children.map_err(|error| CallResult::error(error.to_string()))?;
    decision.emit(Event::SubAgentsStarted {
        call: call.id.clone(),
        children: children.clone(),
    });
    decision.job(Job::StartSubAgents {
        call: call.id.clone(),
        children,
    });
    Ok(())
}

/// Closes the calls of a round that will not run any more, and the round with them.
pub(super) fn close(decision: &mut DecisionBuilder<'_>, current: CallResult) {
    decision.finish_current(current);
    while decision.round().and_then(Round::current).is_some() {
        decision.finish_current(not_run());
    }
    if decision.round().is_some() {
        decision.emit(Event::RoundFinished);
    }
}

/// The result of a call that was never begun.
pub(super) fn not_run() -> CallResult {
    CallResult::error("Not run: the turn was stopped before this call started.")
}

#[cfg(test)]
#[path = "round_tests.rs"]
mod tests;
