//! Jobs.

use std::borrow::Cow;

use askback_core::conversation::job::{Job, ToolResume};
use askback_core::id::{CallId, ConversationId, InquiryId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::form::{forms, restore_variant, store_variant};
use crate::name::Named;
use crate::outcome::StoredResult;
use crate::reply::StoredChildStarted;
use crate::{Unreadable, is_default};

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
    #[serde(rename = "release_answer")]
    CommitHeldAnswer {
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
    /// Why the last attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Whether no further attempt is made, unless somebody wants one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub given_up: bool,
    /// The attempts before somebody wanted it to be tried again.
    #[serde(default, skip_serializing_if = "is_default")]
    pub attempts_before: u32,
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
            last_error: None,
            given_up: false,
            attempts_before: 0,
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
        Some(store_variant!(job, Job => StoredJob {
            RequestLlm { request, attempt, due },
            RunTool { call, name, input, resume },
            StartSubAgents { call, children },
            StopSubAgents { children },
            ReportToParent { parent, call, result },
            RemoveConversation {},
            RemindInquiry { inquiry, at, expires_at },
            CommitHeldAnswer { inquiry, held_at, at },
            ExpireInquiry { inquiry, at },
        } {
            Job::AbortRequest { .. } | Job::AbortTool { .. } => return None,
        }))
    }

    /// The job.
    pub fn restore(self) -> Result<Job, Unreadable> {
        Ok(restore_variant!(self, StoredJob => Job {
            RequestLlm { request, attempt, due },
            RunTool { call, name, input, resume },
            StartSubAgents { call, children },
            StopSubAgents { children },
            ReportToParent { parent, call, result },
            RemoveConversation {},
            RemindInquiry { inquiry, at, expires_at },
            CommitHeldAnswer { inquiry, held_at, at },
            ExpireInquiry { inquiry, at },
        } {}))
    }
}

forms! {
    struct StoredToolResume<'a> = ToolResume { inquiry, state }
}
