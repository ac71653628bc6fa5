//! The user stops the agent, or the asker goes away. Every open call is closed with a result.

use super::command::Target;
use super::event::{CallResult, Event, TurnEnd};
use super::job::Job;
use super::rejection::Rejection;
use super::resolve;
use super::round;
use super::spawn;
use super::state::{Child, PendingInquiries, State};
use super::turn::Turn;
use crate::outcome::Outcome;

/// The user stops what is going on, or one inquiry.
pub(super) fn cancel(turn: &mut Turn<'_>, target: Option<&Target>) -> Result<(), Rejection> {
    stop(turn, target, &Outcome::Cancelled)
}

/// The asker went away, or the conversation ends.
pub(super) fn withdraw(turn: &mut Turn<'_>, target: Option<&Target>) -> Result<(), Rejection> {
    stop(turn, target, &Outcome::Withdrawn)
}

/// The conversation ends for good. What waits in it gets its outcome and what works is stopped in the
/// same decision, so that there is no moment in which something new could slip in unnoticed.
pub(super) fn close(turn: &mut Turn<'_>) -> Result<(), Rejection> {
    match stop(turn, None, &Outcome::Withdrawn) {
        Ok(()) | Err(Rejection::NothingToStop) => {}
        Err(rejection) => return Err(rejection),
    }
    turn.emit(Event::Closed {
        by: turn.context.actor.clone(),
    });
    turn.job(Job::RemoveConversation);
    Ok(())
}

fn stop(turn: &mut Turn<'_>, target: Option<&Target>, outcome: &Outcome) -> Result<(), Rejection> {
    if let Some(target) = target {
        let pending = resolve::find(turn, target)?;
        resolve::settle(turn, &pending, outcome.clone(), None);
        return Ok(());
    }
    match turn.state().clone() {
        State::Idle | State::Error { .. } => return Err(Rejection::NothingToStop),
        State::Closed => return Err(Rejection::Closed),
        State::AwaitingUserResponse(PendingInquiries::Agent { pending, .. }) => {
            resolve::settle(turn, &pending, outcome.clone(), None);
        }
        State::AwaitingUserResponse(PendingInquiries::External { pending }) => {
            for pending in &pending {
                resolve::settle(turn, pending, outcome.clone(), None);
            }
        }
        State::LlmRequesting { request, .. } => {
            turn.job(Job::AbortRequest { request });
            end(turn, outcome);
        }
        State::ToolExecuting { round, started } => {
            if let Some(call) = round.current() {
                turn.job(Job::AbortTool {
                    call: call.id.clone(),
                });
            }
            let current = if started {
                stopped_call(outcome)
            } else {
                round::not_run()
            };
            round::close(turn, current);
            end(turn, outcome);
        }
        State::AwaitingSubAgents { children, .. } => {
            stop_children(turn, &children, outcome);
            end(turn, outcome);
        }
    }
    Ok(())
}

/// Stops the sub-agents that still work. What the others have reported is kept.
fn stop_children(turn: &mut Turn<'_>, children: &[Child], outcome: &Outcome) {
    let mut children = children.to_vec();
    let mut open = Vec::new();
    for child in children.iter_mut().filter(|child| child.result.is_none()) {
        let conversation = child.started.conversation.clone();
        let result = stopped("The sub-agent was", outcome);
        child.result = Some(result.clone());
        open.push(conversation.clone());
        turn.emit(Event::SubAgentFinished {
            child: conversation,
            result,
        });
    }
    turn.job(Job::StopSubAgents { children: open });
    let collected = spawn::collect(&children);
    let reports = collected.map(|collected| CallResult::error(collected.content));
    round::close(turn, reports.unwrap_or_else(|| stopped_call(outcome)));
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
    let by = match outcome {
        Outcome::Cancelled | Outcome::Rejected => " by the user",
        Outcome::Withdrawn
        | Outcome::Answered { .. }
        | Outcome::Declined
        | Outcome::Superseded { .. }
        | Outcome::Expired
        | Outcome::Undeliverable { .. } => "",
    };
    CallResult::error(format!("{what} stopped{by} before it was done."))
}

fn end(turn: &mut Turn<'_>, outcome: &Outcome) {
    turn.end(TurnEnd::Stopped, stopped("The sub-agent was", outcome));
}

#[cfg(test)]
#[path = "stop_tests.rs"]
mod tests;
