//! Jobs.

use std::borrow::Cow;

use askback_core::conversation::job::{Job, ToolResume};
use askback_core::id::{CallId, ConversationId, InquiryId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::name::Named;
use crate::outcome::StoredResult;
use crate::reply::StoredChildStarted;

/// A job of the core, named by `type`. A job that changes its form gets a new name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the variants are those of the jobs in the core"
)]
pub enum StoredJob<'a> {
    RequestLlm {
        request: u64,
        attempt: u32,
        due: Timestamp,
    },
    RunTool {
        call: CallId,
        name: Cow<'a, str>,
        input: Cow<'a, Value>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resume: Option<StoredToolResume<'a>>,
    },
    StartSubAgents {
        call: CallId,
        children: Vec<StoredChildStarted>,
    },
    StopSubAgents {
        children: Vec<ConversationId>,
    },
    ReportToParent {
        parent: ConversationId,
        call: CallId,
        result: StoredResult<'a>,
    },
    RemoveConversation,
    RemindInquiry {
        inquiry: InquiryId,
        at: Timestamp,
        expires_at: Timestamp,
    },
    ReleaseAnswer {
        inquiry: InquiryId,
        held_at: Timestamp,
        at: Timestamp,
    },
    ExpireInquiry {
        inquiry: InquiryId,
        at: Timestamp,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredToolResume<'a> {
    inquiry: InquiryId,
    state: Cow<'a, Value>,
}

/// A job that the core does not know: sending an inquiry to its webhook URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredWebhookJob {
    /// Where to send it.
    pub url: String,
    /// The inquiry to send.
    pub inquiry: InquiryId,
    news: Named<WebhookEvent>,
}

/// Why a webhook is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookEvent {
    /// The inquiry has its outcome.
    InquiryResolved,
    /// The deadline is near.
    InquiryReminder,
}

impl StoredWebhookJob {
    /// The job that sends an inquiry to a URL.
    pub fn new(url: String, inquiry: InquiryId, event: WebhookEvent) -> StoredWebhookJob {
        StoredWebhookJob {
            url,
            inquiry,
            news: Named(event),
        }
    }

    /// Why it is sent.
    pub fn event(&self) -> WebhookEvent {
        self.news.0
    }
}

impl WebhookEvent {
    /// The name in the body of the webhook.
    pub fn name(self) -> &'static str {
        crate::name::StoredName::name(self)
    }
}

impl<'a> StoredJob<'a> {
    /// The form of a job. `None` for one that is not stored: it aborts work of this process.
    pub fn new(job: &'a Job) -> Option<StoredJob<'a>> {
        Some(match job {
            Job::AbortRequest { .. } | Job::AbortTool { .. } => return None,
            Job::RequestLlm {
                request,
                attempt,
                due,
            } => StoredJob::RequestLlm {
                request: *request,
                attempt: *attempt,
                due: *due,
            },
            Job::RunTool {
                call,
                name,
                input,
                resume,
            } => StoredJob::RunTool {
                call: call.clone(),
                name: Cow::Borrowed(name),
                input: Cow::Borrowed(input),
                resume: resume.as_ref().map(|resume| StoredToolResume {
                    inquiry: resume.inquiry.clone(),
                    state: Cow::Borrowed(&resume.state),
                }),
            },
            Job::StartSubAgents { call, children } => StoredJob::StartSubAgents {
                call: call.clone(),
                children: children.iter().map(Into::into).collect(),
            },
            Job::StopSubAgents { children } => StoredJob::StopSubAgents {
                children: children.clone(),
            },
            Job::ReportToParent {
                parent,
                call,
                result,
            } => StoredJob::ReportToParent {
                parent: parent.clone(),
                call: call.clone(),
                result: result.into(),
            },
            Job::RemoveConversation => StoredJob::RemoveConversation,
            Job::RemindInquiry {
                inquiry,
                at,
                expires_at,
            } => StoredJob::RemindInquiry {
                inquiry: inquiry.clone(),
                at: *at,
                expires_at: *expires_at,
            },
            Job::CommitHeldAnswer {
                inquiry,
                held_at,
                at,
            } => StoredJob::ReleaseAnswer {
                inquiry: inquiry.clone(),
                held_at: *held_at,
                at: *at,
            },
            Job::ExpireInquiry { inquiry, at } => StoredJob::ExpireInquiry {
                inquiry: inquiry.clone(),
                at: *at,
            },
        })
    }
}

impl From<StoredJob<'_>> for Job {
    fn from(stored: StoredJob<'_>) -> Job {
        match stored {
            StoredJob::RequestLlm {
                request,
                attempt,
                due,
            } => Job::RequestLlm {
                request,
                attempt,
                due,
            },
            StoredJob::RunTool {
                call,
                name,
                input,
                resume,
            } => Job::RunTool {
                call,
                name: name.into_owned(),
                input: input.into_owned(),
                resume: resume.map(|resume| ToolResume {
                    inquiry: resume.inquiry,
                    state: resume.state.into_owned(),
                }),
            },
            StoredJob::StartSubAgents { call, children } => Job::StartSubAgents {
                call,
                children: children.into_iter().map(Into::into).collect(),
            },
            StoredJob::StopSubAgents { children } => Job::StopSubAgents { children },
            StoredJob::ReportToParent {
                parent,
                call,
                result,
            } => Job::ReportToParent {
                parent,
                call,
                result: result.into(),
            },
            StoredJob::RemoveConversation => Job::RemoveConversation,
            StoredJob::RemindInquiry {
                inquiry,
                at,
                expires_at,
            } => Job::RemindInquiry {
                inquiry,
                at,
                expires_at,
            },
            StoredJob::ReleaseAnswer {
                inquiry,
                held_at,
                at,
            } => Job::CommitHeldAnswer {
                inquiry,
                held_at,
                at,
            },
            StoredJob::ExpireInquiry { inquiry, at } => Job::ExpireInquiry { inquiry, at },
        }
    }
}
