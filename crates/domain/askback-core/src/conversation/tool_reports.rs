//! Tools and sub-agents report what they did.

use super::decision_builder::DecisionBuilder;
use super::event::{CallResult, Event};
use super::job::{Job, ToolResume};
use super::rejection::Rejection;
use super::resolve;
use super::round;
use super::spawn;
use super::state::{PendingInquiry, Round, State, ToolQuestion};
use crate::dialect::undeliverable;
use crate::id::{CallId, ConversationId};
use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::Outcome;

/// A worker takes the call. From here on it is never begun again.
pub(super) fn started(decision: &mut DecisionBuilder<'_>, call: &CallId) -> Result<(), Rejection> {
    let is_open = matches!(
        decision.state(),
        State::ToolExecuting { started: false, .. }
    );
    if !is_open || !decision.is_current(call) {
        return Err(Rejection::StaleReport);
    }
    decision.emit(Event::CallStarted { call: call.clone() });
    Ok(())
}

/// A tool has run.
pub(super) fn finished(
    decision: &mut DecisionBuilder<'_>,
    call: &CallId,
    result: &CallResult,
) -> Result<(), Rejection> {
    withdraw_open_question(decision, call);
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
    let asked = withdraw_open_question(decision, call);
    require_running(decision, call)?;
    let during = if asked {
        "while this tool waited for an answer of the user. Its question was withdrawn, and no answer \
         reached it."
    } else {
        "while this tool was running."
    };
    decision.finish_current(CallResult::error(format!(
        "Interrupted: the process stopped {during} It may have taken effect in part. Check before you \
         call it again."
    )));
    round::advance(decision);
    Ok(())
}

/// A tool asks the user. The call has its result only when the tool has it.
pub(super) fn asked(
    decision: &mut DecisionBuilder<'_>,
    call: &CallId,
    inquiry: &Inquiry,
    how: &ToolQuestion,
) -> Result<(), Rejection> {
    require_running(decision, call)?;
    let dialect = inquiry.dialect();
    if let Some(reason) = round::unreachable_reason(decision) {
        return Err(Rejection::Undeliverable(undeliverable(dialect, reason)));
    }
    let rules = decision.conversation.settings.policy.rules(dialect);
    let expires_at = rules.expires_at(decision.context.now);
    let (call, how) = (Some(call.clone()), Some(how.clone()));
    round::add_pending(decision, call, how, inquiry.clone(), expires_at);
    Ok(())
}

/// Lets a tool go on whose question has got its outcome. One that runs is waiting for it.
pub(super) fn resume(decision: &mut DecisionBuilder<'_>, pending: &PendingInquiry) {
    let Some(ToolQuestion::Returned(returned)) = &pending.tool else {
        return;
    };
    let Some(call) = decision.round().and_then(Round::current).cloned() else {
        return;
    };
    decision.job(Job::RunTool {
        call: call.id,
        name: call.name,
        input: returned.input.clone(),
        resume: Some(ToolResume {
            inquiry: pending.id.clone(),
            state: returned.state.clone(),
        }),
    });
}

/// Withdraws the question of a tool. An answer that can still be undone is dropped: nobody would
/// get it.
pub(super) fn withdraw_question(decision: &mut DecisionBuilder<'_>, pending: &PendingInquiry) {
    let resolution = decision.context.resolution(Outcome::Withdrawn);
    resolve::record_outcome(decision, pending, resolution);
}

/// Withdraws the question for which a running tool waits, if there is one.
fn withdraw_open_question(decision: &mut DecisionBuilder<'_>, call: &CallId) -> bool {
    let pending = decision.state().pending().first().filter(|pending| {
        pending.call.as_ref() == Some(call) && pending.tool == Some(ToolQuestion::Running)
    });
    let Some(pending) = pending.cloned() else {
        return false;
    };
    withdraw_question(decision, &pending);
    true
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
#[path = "tool_questions_tests.rs"]
mod questions_tests;
#[cfg(test)]
#[path = "tool_reports_tests.rs"]
mod tests;
