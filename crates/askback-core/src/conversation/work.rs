//! Tools and sub-agents report.

use super::event::{CallResult, Event};
use super::rejection::Rejection;
use super::round;
use super::spawn;
use super::state::State;
use super::turn::Turn;
use crate::id::{CallId, ConversationId};
use crate::limits;

/// A worker takes the call. From here on it is never begun again.
pub(super) fn started(turn: &mut Turn<'_>, call: &CallId) -> Result<(), Rejection> {
    match turn.state() {
        State::ToolExecuting { started: false, .. } if turn.is_current(call) => {
            turn.emit(Event::CallStarted { call: call.clone() });
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
    turn: &mut Turn<'_>,
    call: &CallId,
    result: &CallResult,
) -> Result<(), Rejection> {
    require_running(turn, call)?;
    turn.finish_current(result.clone().bounded(limits::RESULT_CHARS_MAX));
    round::advance(turn);
    Ok(())
}

/// A tool was running when its process died. It may have done its work or half of it, so it is
/// never run a second time without the model knowing.
pub(super) fn interrupted(turn: &mut Turn<'_>, call: &CallId) -> Result<(), Rejection> {
    require_running(turn, call)?;
    turn.finish_current(CallResult::error(
        "Interrupted: the process stopped while this tool was running. It may have taken effect in \
         part. Check before you call it again.",
    ));
    round::advance(turn);
    Ok(())
}

fn require_running(turn: &Turn<'_>, call: &CallId) -> Result<(), Rejection> {
    let running = matches!(turn.state(), State::ToolExecuting { started: true, .. });
    if running && turn.is_current(call) {
        Ok(())
    } else {
        Err(Rejection::StaleReport)
    }
}

/// A sub-agent reports. Once all have, their results are the result of the call.
pub(super) fn child_finished(
    turn: &mut Turn<'_>,
    child: &ConversationId,
    result: &CallResult,
) -> Result<(), Rejection> {
    let State::AwaitingSubAgents { children, .. } = turn.state() else {
        return Err(Rejection::StaleReport);
    };
    let waiting = |c: &&super::state::Child| c.started.conversation == *child && c.result.is_none();
    if children.iter().find(waiting).is_none() {
        return Err(Rejection::StaleReport);
    }
    turn.emit(Event::SubAgentFinished {
        child: child.clone(),
        result: result.clone().bounded(limits::RESULT_CHARS_MAX),
    });
    if let State::AwaitingSubAgents { children, .. } = turn.state()
        && let Some(collected) = spawn::collect(children)
    {
        turn.finish_current(collected);
        round::advance(turn);
    }
    Ok(())
}

#[cfg(test)]
#[path = "work_tests.rs"]
mod tests;
