//! Tools and sub-agents report what they did.

use super::decision_builder::DecisionBuilder;
use super::event::{CallResult, Event};
use super::rejection::Rejection;
use super::round;
use super::spawn;
use super::state::State;
use crate::id::{CallId, ConversationId};
use crate::limits;

/// A worker takes the call. From here on it is never begun again.
pub(super) fn started(decision: &mut DecisionBuilder<'_>, call: &CallId) -> Result<(), Rejection> {
    match decision.state() {
        State::ToolExecuting { started: false, .. } if decision.is_current(call) => {
            decision.emit(Event::CallStarted { call: call.clone() });
            Ok(())
        }
        State::Idle
        | State::LlmRequesting { .. }
        | State::ToolExecuting { .. }
        | State::AwaitingUserResponse(_)
        | State::AwaitingSubAgents { .. }
        | State::Error { .. }
        | State::Closed => Err(Rejection::StaleReport),
    }
}

/// A tool has run.
pub(super) fn finished(
    decision: &mut DecisionBuilder<'_>,
    call: &CallId,
    result: &CallResult,
) -> Result<(), Rejection> {
    require_running(decision, call)?;
    decision.finish_current(result.clone().bounded(limits::RESULT_CHARS_MAX));
    round::advance(decision);
    Ok(())
}

/// A tool was running when its process died. It may have done its work or half of it, so it is
/// never run a second time without the model knowing.
pub(super) fn interrupted(
    decision: &mut DecisionBuilder<'_>,
    call: &CallId,
) -> Result<(), Rejection> {
    require_running(decision, call)?;
    decision.finish_current(CallResult::error(
        "Interrupted: the process stopped while this tool was running. It may have taken effect in \
         part. Check before you call it again.",
    ));
    round::advance(decision);
    Ok(())
}

fn require_running(decision: &DecisionBuilder<'_>, call: &CallId) -> Result<(), Rejection> {
    let running = matches!(decision.state(), State::ToolExecuting { started: true, .. });
    if running && decision.is_current(call) {
        Ok(())
    } else {
        Err(Rejection::StaleReport)
    }
}

/// A sub-agent reports. Once all have, their results are the result of the call.
pub(super) fn child_finished(
    decision: &mut DecisionBuilder<'_>,
    child: &ConversationId,
    result: &CallResult,
) -> Result<(), Rejection> {
    let State::AwaitingSubAgents { children, .. } = decision.state() else {
        return Err(Rejection::StaleReport);
    };
    let waiting = |c: &&super::state::Child| c.started.conversation == *child && c.result.is_none();
    if children.iter().find(waiting).is_none() {
        return Err(Rejection::StaleReport);
    }
    decision.emit(Event::SubAgentFinished {
        child: child.clone(),
        result: result.clone().bounded(limits::RESULT_CHARS_MAX),
    });
    if let State::AwaitingSubAgents { children, .. } = decision.state()
        && let Some(collected) = spawn::collect(children)
    {
        decision.finish_current(collected);
        round::advance(decision);
    }
    Ok(())
}

#[cfg(test)]
#[path = "tool_reports_tests.rs"]
mod tests;
