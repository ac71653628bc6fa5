//! Decides on a command: every change of a conversation begins here.

use jiff::Timestamp;

use super::Conversation;
use super::command::Command;
use super::decision_builder::DecisionBuilder;
use super::event::Event;
use super::job::Job;
use super::rejection::Rejection;
use super::{deadline, hand_on, llm_reply, message, resolve, stop, tool_reports, undo};
use crate::id::IdSource;
use crate::identity::NodeName;
use crate::outcome::{Actor, Outcome, Resolution};

/// The context of a decision: the time, new ids and who acts.
#[derive(Debug, Clone)]
pub struct Context {
    pub now: Timestamp,
    /// Where new ids come from.
    pub ids: IdSource,
    /// Who acts, and from where.
    pub actor: Actor,
    /// The node that decides.
    pub node: Option<NodeName>,
}

impl Context {
    /// An outcome that whoever acts brings about now.
    pub(super) fn resolution(&self, outcome: Outcome) -> Resolution {
        Resolution {
            outcome,
            by: self.actor.clone(),
            node: self.node.clone(),
            at: self.now,
        }
    }
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
        let mut decision = DecisionBuilder::new(self, context);
        match command {
            Command::SendMessage { message, text } => {
                message::send(&mut decision, message.as_ref(), text)?;
            }
            Command::LlmReplied {
                request,
                attempt,
                reply,
            } => llm_reply::replied(&mut decision, *request, *attempt, reply)?,
            Command::LlmFailed {
                request,
                attempt,
                failure,
                retry_after,
            } => llm_reply::failed(&mut decision, *request, *attempt, failure, *retry_after)?,
            Command::ToolStarted { call } => tool_reports::started(&mut decision, call)?,
            Command::ToolFinished { call, result } => {
                tool_reports::finished(&mut decision, call, result)?;
            }
            Command::ToolAsked { call, inquiry, how } => {
                tool_reports::asked(&mut decision, call, inquiry, how)?;
            }
            Command::ToolInterrupted { call } => tool_reports::interrupted(&mut decision, call)?,
            Command::SubAgentFinished { child, result } => {
                tool_reports::child_finished(&mut decision, child, result)?;
            }
            Command::Ask { inquiry, deadline } => resolve::ask(&mut decision, inquiry, *deadline)?,
            Command::Answer {
                target,
                answers,
                notes,
            } => resolve::answer(&mut decision, target, answers, notes.as_ref())?,
            Command::AnswerWithUndo {
                target,
                reply,
                window,
            } => undo::answer_with_undo(&mut decision, target, reply, *window)?,
            Command::UndoAnswer { target } => undo::undo_answer(&mut decision, target)?,
            Command::CommitHeldAnswer { inquiry, until } => {
                undo::commit_held_answer(&mut decision, inquiry, *until)?;
            }
            Command::Decline { target } => resolve::decline(&mut decision, target)?,
            Command::Reject { target } => resolve::reject(&mut decision, target)?,
            Command::Cancel { target } => stop::cancel(&mut decision, target.as_ref())?,
            Command::Withdraw { target } => stop::withdraw(&mut decision, target.as_ref())?,
            Command::Close => stop::close(&mut decision)?,
            Command::Remind {
                inquiry,
                expires_at,
            } => deadline::remind(&mut decision, inquiry, *expires_at)?,
            Command::Expire { inquiry } => resolve::expire(&mut decision, inquiry)?,
            Command::HandOn { target, to, reason } => {
                hand_on::hand_on(&mut decision, target, to, reason.as_ref())?;
            }
            Command::MoveDeadline { target, to } => {
                deadline::set(&mut decision, target, *to)?;
            }
            Command::KeepOpen { target, at_least } => {
                deadline::keep_open(&mut decision, target, *at_least)?;
            }
        }
        Ok(decision.build())
    }
}
