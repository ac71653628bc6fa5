//! The queues of jobs. Each is claimed separately and has its own limit, so that jobs of one kind do
//! not delay jobs of another, and nothing delays a timer.

use askback_core::conversation::Conversation;
use askback_core::conversation::job::Job;
use askback_core::id::InquiryId;
use jiff::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Queue {
    /// Deadlines and reminders.
    Timer,
    /// Answers that can still be undone. The engine claims each with its commit and measures the
    /// undo window by elapsed time.
    HeldAnswers,
    /// Requests to the provider of this name. A server without that provider does not claim them.
    Llm(Option<String>),
    Tool,
    /// Starts, stops and results of sub-agents, and removals of conversations.
    Agents,
    /// Webhooks to this host and port.
    Webhook(String),
}

impl Queue {
    pub(crate) fn for_job(job: &Job, conversation: &Conversation) -> Queue {
        match job {
            Job::RequestLlm { .. } | Job::AbortRequest { .. } => {
                Queue::Llm(conversation.settings.provider.clone())
            }
            Job::RunTool { .. } | Job::AbortTool { .. } => Queue::Tool,
            Job::StartSubAgents { .. }
            | Job::StopSubAgents { .. }
            | Job::ReportToParent { .. }
            | Job::RemoveConversation => Queue::Agents,
            Job::RemindInquiry { .. } | Job::ExpireInquiry { .. } => Queue::Timer,
            Job::CommitHeldAnswer { .. } => Queue::HeldAnswers,
        }
    }

    pub(crate) fn for_webhook(url: &str) -> Queue {
        Queue::Webhook(host_and_port(url))
    }

    /// What the names of all queues begin with.
    pub(crate) const KINDS: [&str; 6] = ["timer", "hold", "llm", "tool", "agents", "webhook"];

    /// The first word of the name.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Queue::Timer => "timer",
            Queue::HeldAnswers => "hold",
            Queue::Llm(_) => "llm",
            Queue::Tool => "tool",
            Queue::Agents => "agents",
            Queue::Webhook(_) => "webhook",
        }
    }

    /// The name in the `queue` column of jobs. Changing one needs a migration.
    pub(crate) fn name(&self) -> String {
        let kind = self.kind();
        match self {
            Queue::Llm(Some(detail)) | Queue::Webhook(detail) => format!("{kind} {detail}"),
            Queue::Timer | Queue::HeldAnswers | Queue::Llm(None) | Queue::Tool | Queue::Agents => {
                kind.to_owned()
            }
        }
    }

    /// The queue with this name; `None` if a later version of askback created it.
    pub(crate) fn from_name(name: &str) -> Option<Queue> {
        let (kind, detail) = name.split_once(' ').unwrap_or((name, ""));
        let detail = detail.to_owned();
        Some(match kind {
            "timer" => Queue::Timer,
            "hold" => Queue::HeldAnswers,
            "llm" => Queue::Llm(Some(detail).filter(|provider| !provider.is_empty())),
            "tool" => Queue::Tool,
            "agents" => Queue::Agents,
            "webhook" => Queue::Webhook(detail),
            _ => return None,
        })
    }

    /// Whether the timer loop runs its jobs, and not the worker.
    pub(crate) fn is_timer(&self) -> bool {
        match self {
            Queue::Timer | Queue::HeldAnswers => true,
            Queue::Llm(_) | Queue::Tool | Queue::Agents | Queue::Webhook(_) => false,
        }
    }
}

/// The inquiry and the due time of a job that is a timer.
pub(crate) fn timer_of(job: &Job) -> Option<(&InquiryId, Timestamp)> {
    match job {
        Job::RemindInquiry { inquiry, at, .. }
        | Job::CommitHeldAnswer { inquiry, at, .. }
        | Job::ExpireInquiry { inquiry, at } => Some((inquiry, *at)),
        Job::RequestLlm { .. }
        | Job::AbortRequest { .. }
        | Job::RunTool { .. }
        | Job::AbortTool { .. }
        | Job::StartSubAgents { .. }
        | Job::StopSubAgents { .. }
        | Job::ReportToParent { .. }
        | Job::RemoveConversation => None,
    }
}

/// The host and port of a URL, parsed well enough to tell two hosts apart.
pub(super) fn host_and_port(url: &str) -> String {
    let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = behind_scheme.split(['/', '?', '#', '\\']).next();
    let authority = authority.unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    host.to_ascii_lowercase()
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
