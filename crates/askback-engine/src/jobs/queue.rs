//! The queues in which jobs wait. Each is claimed by itself and has a limit of its own, so that work
//! of one kind delays no other, and nothing delays a timer.

use askback_core::conversation::Conversation;
use askback_core::conversation::job::Job;
use askback_core::id::InquiryId;
use jiff::Timestamp;

/// A queue, under the name that the rows have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Queue {
    /// Deadlines and reminders. They wait for their time and for nothing else.
    Timer,
    /// Answers that can be taken back. Each is taken by its engine as soon as it is written, and
    /// waits there by elapsed time.
    HeldAnswers,
    /// Requests to the provider of this name. A server without it leaves the queue alone.
    Llm(Option<String>),
    /// Tools.
    Tool,
    /// Sub-agents: starts, stops and reports.
    Agents,
    /// Webhooks to this host. A host that hangs delays only its own.
    Webhook(String),
}

impl Queue {
    /// The queue of a job of the core.
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

    /// The queue of a webhook to this address.
    pub(crate) fn for_webhook(url: &str) -> Queue {
        Queue::Webhook(host(url))
    }

    /// Its name in the rows.
    pub(crate) fn name(&self) -> String {
        match self {
            Queue::Timer => "timer".to_owned(),
            Queue::HeldAnswers => "hold".to_owned(),
            Queue::Llm(None) => "llm".to_owned(),
            Queue::Llm(Some(provider)) => format!("llm {provider}"),
            Queue::Tool => "tool".to_owned(),
            Queue::Agents => "agents".to_owned(),
            Queue::Webhook(host) => format!("webhook {host}"),
        }
    }

    /// The queue of this name; none if a later version made it.
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

    /// Whether its jobs are timers, which no limit holds up.
    pub(crate) fn is_timer(&self) -> bool {
        match self {
            Queue::Timer | Queue::HeldAnswers => true,
            Queue::Llm(_) | Queue::Tool | Queue::Agents | Queue::Webhook(_) => false,
        }
    }
}

/// The inquiry whose timer a job is, and when it falls due; none if it is work.
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

/// The host and port of an address, as far as is needed to tell two of them apart.
fn host(url: &str) -> String {
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
