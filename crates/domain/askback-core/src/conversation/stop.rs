//! The user stops the agent, or the asker goes away. Every open call is closed with a result.

use super::command::Target;
use super::decision_builder::DecisionBuilder;
use super::event::{CallResult, Event, TurnEnd};
use super::job::Job;
use super::rejection::Rejection;
use super::resolve;
use super::round;
use super::spawn;
use super::state::{Child, PendingInquiries, PendingInquiry, State, ToolQuestion};
use super::tool_reports;
use crate::outcome::Outcome;

/// The user stops what is going on, or one inquiry.
pub(super) fn cancel(
    decision: &mut DecisionBuilder<'_>,
    target: Option<&Target>,
) -> Result<(), Rejection> {
    stop(decision, target, &Outcome::Cancelled)
}

/// The asker went away, or the conversation ends.
pub(super) fn withdraw(
    decision: &mut DecisionBuilder<'_>,
    target: Option<&Target>,
) -> Result<(), Rejection> {
    stop(decision, target, &Outcome::Withdrawn)
}

/// The conversation ends for good. What waits in it gets its outcome and what works is stopped in the
/// same decision, so that there is no moment in which something new could slip in unnoticed.
pub(super) fn close(decision: &mut DecisionBuilder<'_>) -> Result<(), Rejection> {
    match stop(decision, None, &Outcome::Withdrawn) {
        Ok(()) | Err(Rejection::NothingToStop) => {}
        Err(rejection) => return Err(rejection),
    }
    decision.emit(Event::Closed {
        by: decision.context.actor.clone(),
    });
    decision.job(Job::RemoveConversation);
    Ok(())
}

fn stop(
    decision: &mut DecisionBuilder<'_>,
    target: Option<&Target>,
    outcome: &Outcome,
) -> Result<(), Rejection> {
    if let Some(target) = target {
        let pending = resolve::find_pending(decision, target)?;
        if pending.tool.is_some() && *outcome == Outcome::Withdrawn {
            // The tool goes on without an answer.
            tool_reports::withdraw_question(decision, &pending);
            tool_reports::resume(decision, &pending);
            return Ok(());
        }
        resolve::resolve_now(decision, &pending, outcome.clone(), None);
        return Ok(());
    }
    match decision.state().clone() {
        State::Idle | State::Error { .. } => return Err(Rejection::NothingToStop),
        State::Closed => return Err(Rejection::Closed),
        State::AwaitingUserResponse(PendingInquiries::Agent { pending, .. }) => {
            resolve::resolve_now(decision, &pending, outcome.clone(), None);
        }
        State::AwaitingUserResponse(PendingInquiries::External { pending }) => {
            for pending in &pending {
                resolve::resolve_now(decision, pending, outcome.clone(), None);
            }
        }
        State::LlmRequesting { request, .. } => {
            decision.job(Job::AbortRequest { request });
            end(decision, outcome);
        }
        State::ToolExecuting { round, started } => {
            if let Some(call) = round.current() {
                decision.job(Job::AbortTool {
                    call: call.id.clone(),
                });
            }
            let current = if started {
                stopped_call(outcome)
            } else {
                round::not_run()
            };
            round::close(decision, current);
            end(decision, outcome);
        }
        State::AwaitingSubAgents { children, .. } => {
            stop_children(decision, &children, outcome);
            end(decision, outcome);
        }
    }
    Ok(())
}

/// Stops a tool whose question has just got an outcome that stops the agent.
pub(super) fn stop_asking_tool(
    decision: &mut DecisionBuilder<'_>,
    pending: &PendingInquiry,
    outcome: &Outcome,
) {
    if let (Some(call), Some(ToolQuestion::Running)) = (&pending.call, &pending.tool) {
        decision.job(Job::AbortTool { call: call.clone() });
    }
    round::close(decision, stopped_call(outcome));
    end(decision, outcome);
}

/// Stops the sub-agents that still work. What the others have reported is kept.
fn stop_children(decision: &mut DecisionBuilder<'_>, children: &[Child], outcome: &Outcome) {
    let mut children = children.to_vec();
    let mut open = Vec::new();
    for child in children.iter_mut().filter(|child| child.result.is_none()) {
        let conversation = child.started.conversation.clone();
        let result = stopped("The sub-agent was", outcome);
        child.result = Some(result.clone());
        open.push(conversation.clone());
        decision.emit(Event::SubAgentFinished {
            child: conversation,
            result,
        });
    }
    decision.job(Job::StopSubAgents { children: open });
    let collected = spawn::collect(&children);
    let reports = collected.map(|collected| CallResult::error(collected.content));
    round::close(decision, reports.unwrap_or_else(|| stopped_call(outcome)));
}

fn stopped_call(outcome: &Outcome) -> CallResult {
    let stopped = stopped("This call was", outcome);
    CallResult::error(format!(
        "{} It may have taken effect in part.",
        stopped.content
    ))
}

/// What is said of work that an outcome ends. Only a person's own stop is called the user's.
pub(super) fn stopped(what: &str, outcome: &Outcome) -> CallResult {
    let by_user = matches!(outcome, Outcome::Cancelled | Outcome::Rejected);
    let by = if by_user { " by the user" } else { "" };
    CallResult::error(format!("{what} stopped{by} before it was done."))
}

fn end(decision: &mut DecisionBuilder<'_>, outcome: &Outcome) {
    decision.end(TurnEnd::Stopped, stopped("The sub-agent was", outcome));
}

#[cfg(test)]
#[path = "stop_tests.rs"]
mod tests;
