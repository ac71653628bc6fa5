//! What is to be done in the world once a decision is committed.

use jiff::Timestamp;
use serde_json::Value;

use super::event::{CallResult, ChildStarted};
use crate::id::{CallId, ConversationId, InquiryId};

/// Work that follows from a decision. It is stored in the same transaction as the events and may
/// run late, or again after a crash; the command it ends in is refused if it comes too late.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Send the history to the provider and report the reply.
    RequestLlm {
        request: u64,
        attempt: u32,
        /// Not before.
        due: Timestamp,
    },
    /// Give up a provider request that nobody waits for any more.
    AbortRequest { request: u64 },
    /// Run a tool and report its result.
    RunTool {
        call: CallId,
        name: String,
        input: Value,
        /// Set if the tool has asked the user and returned, and goes on now.
        resume: Option<ToolResume>,
    },
    /// Give up a tool that nobody waits for any more.
    AbortTool { call: CallId },
    /// Start the conversations of sub-agents.
    StartSubAgents {
        call: CallId,
        children: Vec<ChildStarted>,
    },
    /// Stop the conversations of sub-agents.
    StopSubAgents { children: Vec<ConversationId> },
    /// Tell the parent conversation what a sub-agent has to report.
    ReportToParent {
        /// The conversation to tell.
        parent: ConversationId,
        /// The call it works for.
        call: CallId,
        result: CallResult,
    },
    /// Remove what a conversation held that was closed.
    RemoveConversation,
    /// Remind of a deadline at this time.
    RemindInquiry {
        inquiry: InquiryId,
        at: Timestamp,
        expires_at: Timestamp,
    },
    /// Let what is held of an inquiry take effect. It is held for as long as lies between the two
    /// times, however the clock is set meanwhile.
    CommitHeldAnswer {
        inquiry: InquiryId,
        /// When it was given.
        held_at: Timestamp,
        /// When it takes effect.
        at: Timestamp,
    },
    /// Let an inquiry expire at this time.
    ExpireInquiry { inquiry: InquiryId, at: Timestamp },
}

/// What a tool that has asked the user goes on with.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResume {
    /// The inquiry that has its outcome now.
    pub inquiry: InquiryId,
    /// What the tool wanted back.
    pub state: Value,
}

impl Job {
    /// The name of the job.
    pub fn name(&self) -> &'static str {
        match self {
            Job::RequestLlm { .. } => "request_llm",
            Job::AbortRequest { .. } => "abort_request",
            Job::RunTool { .. } => "run_tool",
            Job::AbortTool { .. } => "abort_tool",
            Job::StartSubAgents { .. } => "start_sub_agents",
            Job::StopSubAgents { .. } => "stop_sub_agents",
            Job::ReportToParent { .. } => "report_to_parent",
            Job::RemoveConversation => "remove_conversation",
            Job::RemindInquiry { .. } => "remind_inquiry",
            Job::CommitHeldAnswer { .. } => "release_answer",
            Job::ExpireInquiry { .. } => "expire_inquiry",
        }
    }
}
