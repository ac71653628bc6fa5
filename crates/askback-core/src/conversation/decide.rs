//! The one door: which events and jobs follow from a command.

use jiff::Timestamp;

use super::Conversation;
use super::command::Command;
use super::event::Event;
use super::job::Job;
use super::rejection::Rejection;
use super::turn::Turn;
use super::{deadline, hold, message, reply, resolve, stop, work};
use crate::id::IdSource;
use crate::outcome::Actor;

/// What a decision knows of the world: the time, fresh ids and who acts.
#[derive(Debug, Clone)]
pub struct Context {
    /// The time.
    pub now: Timestamp,
    /// Where new ids come from.
    pub ids: IdSource,
    /// Who acts, and from where.
    pub actor: Actor,
}

/// What follows from a command, to be committed as one.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What happened, in order; at least one event.
    pub events: Vec<Event>,
    /// What is to be done once that is committed.
    pub jobs: Vec<Job>,
    /// The conversation after these events.
    pub after: Conversation,
}

impl Conversation {
    /// Decides on a command. Pure: the same conversation, command and context give the same
    /// decision, and a refusal leaves everything as it was.
    pub fn decide(&self, command: &Command, context: &Context) -> Result<Decision, Rejection> {
        let mut turn = Turn::new(self, context);
        match command {
            Command::SendMessage { message, text } => {
                message::send(&mut turn, message.as_ref(), text)?;
            }
            Command::LlmReplied {
                request,
                attempt,
                reply,
            } => reply::replied(&mut turn, (*request, *attempt), reply)?,
            Command::LlmFailed {
                request,
                attempt,
                failure,
                retry_after,
            } => reply::failed(&mut turn, (*request, *attempt), failure, *retry_after)?,
            Command::ToolStarted { call } => work::started(&mut turn, call)?,
            Command::ToolFinished { call, result } => work::finished(&mut turn, call, result)?,
            Command::ToolInterrupted { call } => work::interrupted(&mut turn, call)?,
            Command::SubAgentFinished { child, result } => {
                work::child_finished(&mut turn, child, result)?;
            }
            Command::Ask {
                inquiry,
                expires_after,
            } => resolve::ask(&mut turn, inquiry, *expires_after)?,
            Command::Answer {
                target,
                answers,
                notes,
            } => resolve::answer(&mut turn, target, answers, notes.as_ref())?,
            Command::AnswerWithUndo {
                target,
                reply,
                until,
            } => hold::hold(&mut turn, target, reply, *until)?,
            Command::UndoAnswer { target } => hold::take_back(&mut turn, target)?,
            Command::CommitHeldAnswer { inquiry, until } => {
                hold::release(&mut turn, inquiry, *until)?;
            }
            Command::Decline { target } => resolve::decline(&mut turn, target)?,
            Command::Reject { target } => resolve::reject(&mut turn, target)?,
            Command::Cancel { target } => stop::cancel(&mut turn, target.as_ref())?,
            Command::Withdraw { target } => stop::withdraw(&mut turn, target.as_ref())?,
            Command::Close => stop::close(&mut turn)?,
            Command::Remind {
                inquiry,
                expires_at,
            } => deadline::remind(&mut turn, inquiry, *expires_at)?,
            Command::Expire { inquiry } => resolve::expire(&mut turn, inquiry)?,
            Command::MarkUndeliverable { inquiry, reason } => {
                resolve::mark_undeliverable(&mut turn, inquiry, *reason)?;
            }
            Command::MoveDeadline { target, expires_at } => {
                deadline::set(&mut turn, target, *expires_at)?;
            }
            Command::KeepOpen { target, at_least } => {
                deadline::keep_open(&mut turn, target, *at_least)?;
            }
        }
        Ok(turn.into_decision())
    }
}
