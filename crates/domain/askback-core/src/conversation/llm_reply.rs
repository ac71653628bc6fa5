//! The provider replies, or its request fails.

use std::collections::HashSet;

use jiff::SignedDuration;

use super::command::{RawCall, RawReply};
use super::decision_builder::DecisionBuilder;
use super::event::{
    AgentFailure, AssistantReply, CallResult, Event, FailureKind, ToolCall, TurnEnd,
};
use super::rejection::Rejection;
use super::round;
use crate::id::CallId;
use crate::limits;
use crate::text::{Lines, Text};
use crate::time::whole_millis;

/// Takes a reply: its calls are begun, or the turn ends with what it said.
pub(super) fn replied(
    decision: &mut DecisionBuilder<'_>,
    request: u64,
    attempt: u32,
    reply: &RawReply,
) -> Result<(), Rejection> {
    require_attempt(decision, request, attempt)?;
    let text = Text::clean(&reply.text, Lines::Many);
    if text.is_none() && reply.calls.is_empty() {
        // An empty reply is what a provider's malformed call looks like from here.
        return failed(decision, request, attempt, &empty_reply(), None);
    }
    let calls = own_calls(decision, &reply.calls);
    let said = text.as_ref().map_or_else(String::new, Text::to_string);
    let done = calls.is_empty();
    decision.emit(Event::AssistantReplied {
        reply: AssistantReply {
            text,
            reasoning: reply.reasoning.clone(),
            calls,
        },
    });
    if done {
        decision.end(TurnEnd::Replied, CallResult::ok(said));
    } else if decision.conversation.rounds > limits::ROUNDS_PER_TURN_MAX {
        let failure = too_many_rounds();
        round::close(decision, CallResult::error(failure.message.as_str()));
        fail(decision, failure);
    } else {
        round::advance(decision);
    }
    Ok(())
}

/// Takes a failure: tried again later if that can help, else the turn ends in an error.
pub(super) fn failed(
    decision: &mut DecisionBuilder<'_>,
    request: u64,
    attempt: u32,
    failure: &AgentFailure,
    retry_after: Option<SignedDuration>,
) -> Result<(), Rejection> {
    require_attempt(decision, request, attempt)?;
    decision.emit(Event::LlmAttemptFailed {
        request,
        attempt,
        failure: failure.clone(),
    });
    if !failure.kind.is_transient() || attempt >= limits::LLM_ATTEMPTS_MAX {
        fail(decision, failure.clone());
        return Ok(());
    }
    let pause = retry_after
        .unwrap_or_default()
        .max(backoff(attempt))
        .min(LONGEST_PAUSE);
    let due = decision
        .context
        .now
        .checked_add(pause)
        .map_or(decision.context.now, whole_millis);
    decision.request_attempt(request, attempt + 1, due);
    Ok(())
}

/// The longest `Retry-After` that is honoured. A provider that asks for more has failed.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(600);

pub(super) fn fail(decision: &mut DecisionBuilder<'_>, failure: AgentFailure) {
    let report = CallResult::error(format!("The sub-agent failed: {}", failure.message));
    decision.end(TurnEnd::Failed { failure }, report);
}

/// An attempt that was given up may still bring something: a later one counts instead.
fn require_attempt(
    decision: &DecisionBuilder<'_>,
    request: u64,
    attempt: u32,
) -> Result<(), Rejection> {
    if decision.state().is_attempt(request, attempt) {
        Ok(())
    } else {
        Err(Rejection::StaleReport)
    }
}

/// The pause before the attempt after `attempt`.
fn backoff(attempt: u32) -> SignedDuration {
    let doubled = limits::LLM_BACKOFF_MS_MIN.saturating_mul(1 << attempt.saturating_sub(1).min(16));
    SignedDuration::from_millis(doubled.min(limits::LLM_BACKOFF_MS_MAX))
}

/// The calls under ids of our own, the provider's made unique within the round. One more is kept than
/// may run: its result tells the model that the rest was left out.
fn own_calls(decision: &mut DecisionBuilder<'_>, raw: &[RawCall]) -> Vec<ToolCall> {
    let kept = &raw[..raw.len().min(limits::CALLS_PER_ROUND_MAX + 1)];
    let mut calls: Vec<ToolCall> = Vec::with_capacity(kept.len());
    let mut taken = HashSet::with_capacity(kept.len());
    for call in kept {
        let id: CallId = decision.new_id();
        let own = Some(&call.provider_id).filter(|own| !own.is_empty());
        let own = own.map_or_else(|| id.to_string(), Clone::clone);
        let copies = (2_u32..).map(|copy| format!("{own}-{copy}"));
        let names = std::iter::once(own.clone()).chain(copies);
        let mut free = names.skip_while(|name| taken.contains(name));
        let provider_id = free.next().unwrap_or(own);
        taken.insert(provider_id.clone());
        calls.push(ToolCall {
            id,
            provider_id,
            name: call.name.clone(),
            input: call.input.clone(),
        });
    }
    calls
}

fn empty_reply() -> AgentFailure {
    failure(FailureKind::Malformed, "The model sent an empty reply.")
}

fn too_many_rounds() -> AgentFailure {
    failure(
        FailureKind::TooManyRounds,
        "The agent took too many rounds without reporting. Send a message to let it go on.",
    )
}

/// The model does not learn from what it is told.
pub(super) fn same_failures() -> AgentFailure {
    let sentence = format!(
        "The agent repeated the same call {} times, and it failed in the same way each time. Send a \
         message to let it try something else.",
        limits::SAME_FAILURES_MAX
    );
    failure(FailureKind::SameFailures, &sentence)
}

fn failure(kind: FailureKind, sentence: &str) -> AgentFailure {
    AgentFailure {
        kind,
        message: Text::ours(sentence),
    }
}

#[cfg(test)]
#[path = "llm_reply_tests.rs"]
mod tests;
