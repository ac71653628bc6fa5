//! The user stops the agent, or the asker goes away. Every open call is closed with a result.

use super::command::Target;
use super::event::{CallResult, Event, TurnEnd};
use super::job::Job;
use super::rejection::Rejection;
use super::resolve;
use super::round;
use super::state::{State, Waiting};
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

fn stop(turn: &mut Turn<'_>, target: Option<&Target>, outcome: &Outcome) -> Result<(), Rejection> {
    if let Some(target) = target {
        let parked = resolve::find(turn, target)?;
        resolve::settle(turn, &parked, outcome.clone(), None);
        return Ok(());
    }
    match turn.state().clone() {
        State::Idle | State::Error { .. } => return Err(Rejection::NothingToStop),
        State::AwaitingUserResponse(Waiting::Agent { parked, .. }) => {
            resolve::settle(turn, &parked, outcome.clone(), None);
        }
        State::AwaitingUserResponse(Waiting::External { parked }) => {
            for parked in &parked {
                resolve::settle(turn, parked, outcome.clone(), None);
            }
        }
        State::LlmRequesting { request, .. } => {
            turn.job(Job::AbortRequest { request });
            end(turn);
        }
        State::ToolExecuting { round, .. } => {
            if let Some(call) = round.current() {
                turn.job(Job::AbortTool {
                    call: call.id.clone(),
                });
            }
            round::close(turn, stopped_call());
            end(turn);
        }
        State::AwaitingSubAgents { children, .. } => {
            let open = children.iter().filter(|child| child.result.is_none());
            let open: Vec<_> = open
                .map(|child| child.started.conversation.clone())
                .collect();
            for child in &open {
                turn.emit(Event::SubAgentFinished {
                    child: child.clone(),
                    result: stopped_call(),
                });
            }
            turn.job(Job::StopSubAgents { children: open });
            round::close(turn, stopped_call());
            end(turn);
        }
    }
    Ok(())
}

fn stopped_call() -> CallResult {
    CallResult::error("Stopped by the user before it was done. It may have taken effect in part.")
}

fn end(turn: &mut Turn<'_>) {
    let report = CallResult::error("The sub-agent was stopped by the user.");
    turn.end(TurnEnd::Stopped, report);
}
