//! Turns a decision into what the store writes.

use std::sync::Arc;

use askback_core::conversation::event::Event;
use askback_core::conversation::job::Job;
use askback_core::conversation::state::State;
use askback_core::conversation::{Conversation, Decision, Driver};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Resolution;
use askback_store::{
    Commit, EndedTimers, InquiryChange, JobId, NewAsker, NewConversation, NewEvent, NewInquiry,
    NewJob, Resolved, Snapshot, StoreError,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::jobs::queue::{Queue, timer_of};
use crate::loaded_conversation::{Active, Asked};
use crate::request_key::RequestKeys;
use crate::storage_format;

/// What goes along with a command.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// What makes a repeated request harmless.
    pub keys: RequestKeys,
    /// Where to tell the outcome of what is asked.
    pub webhook: Option<String>,
    /// Who asks, in words.
    pub source: Option<String>,
    /// The agent that asks, if it may come back for the outcome.
    pub asker: Option<NewAsker>,
    /// Jobs that are done with this.
    pub done: Vec<JobId>,
}

/// How the result of an inquiry is kept in its row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredResolution {
    /// How it ended.
    pub resolution: Resolution,
    /// What its asker is told.
    pub result: askback_core::conversation::event::CallResult,
}

/// The conversation in memory after a decision.
pub(crate) fn after(before: &Active, decision: &Decision, extras: &Extras) -> Active {
    let mut after = Active {
        conversation: Arc::new(decision.after.clone()),
        ..before.clone()
    };
    for event in &decision.events {
        if let Event::InquiryAsked { pending } = event {
            after.asked.push(Asked {
                id: pending.id.clone(),
                source: source(&pending.inquiry, extras),
                webhook: extras.webhook.clone(),
            });
        } else if let Event::InquiryResolved { inquiry, .. } = event {
            after.asked.retain(|asked| asked.id != *inquiry);
        } else if let Event::MessageReceived { text, .. } = event {
            after.title.get_or_insert_with(|| title(text.as_str()));
        }
    }
    after
}

/// Who asks, in words.
fn source(inquiry: &Inquiry, extras: &Extras) -> Option<String> {
    let own = || inquiry.source().map(ToString::to_string);
    extras.source.clone().or_else(own)
}

/// A conversation is called by the first words that were said in it.
fn title(text: &str) -> String {
    const CHARS: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(CHARS) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line.to_owned(),
    }
}

/// Plans the commit of a decision on a conversation that exists.
pub(crate) fn plan(
    before: &Active,
    after: &Active,
    decision: &Decision,
    extras: &Extras,
    at: Timestamp,
) -> Result<Commit, StoreError> {
    let mut commit = Commit {
        conversation: after.conversation.settings.id.clone(),
        expected: Some(before.conversation.version),
        create: None,
        snapshot: snapshot(after)?,
        events: events(decision)?,
        inquiries: Vec::new(),
        jobs: jobs(decision, at)?,
        ended_timers: ended_timers(decision),
        done: extras.done.clone(),
        closes: decision.after.state == State::Closed,
        keys: extras.keys.stored(&after.conversation.settings.id),
        at,
    };
    for event in &decision.events {
        commit.inquiries.extend(inquiry_change(event, extras)?);
        if commit.closes {
            leave_tombstone(before, event, commit.inquiries.last_mut())?;
        }
        commit.jobs.extend(webhook_job(before, event, at)?);
    }
    Ok(commit)
}

/// Plans the commit of a conversation that begins with a decision.
pub(crate) fn plan_new(
    after: &Active,
    decision: &Decision,
    extras: &Extras,
    at: Timestamp,
) -> Result<Commit, StoreError> {
    let mut commit = plan(after, after, decision, extras, at)?;
    let settings = &after.conversation.settings;
    commit.expected = None;
    commit.create = Some(NewConversation {
        driver: driver_name(settings.driver).to_owned(),
        app: after.app.clone(),
        parent: settings
            .parent
            .as_ref()
            .map(|parent| parent.conversation.clone()),
    });
    Ok(commit)
}

/// The name of a driver, as rows and the wire have it.
pub fn driver_name(driver: Driver) -> &'static str {
    match driver {
        Driver::BuiltIn => "built_in",
        Driver::External => "external",
    }
}

fn snapshot(after: &Active) -> Result<Snapshot, StoreError> {
    let conversation: &Conversation = &after.conversation;
    Ok(Snapshot {
        version: conversation.version,
        state: conversation.state.name().to_owned(),
        title: after.title.clone(),
        json: storage_format::snapshot_json(conversation)?,
    })
}

/// The events, and behind them the state they lead to.
fn events(decision: &Decision) -> Result<Vec<NewEvent>, StoreError> {
    let mut events = Vec::with_capacity(decision.events.len() + 1);
    for event in &decision.events {
        events.push(NewEvent {
            kind: event.name().to_owned(),
            json: storage_format::event_json(event)?,
        });
    }
    events.push(NewEvent {
        kind: storage_format::STATE_CHANGE.to_owned(),
        json: storage_format::state_json(&decision.after.state)?,
    });
    Ok(events)
}

fn inquiry_change(event: &Event, extras: &Extras) -> Result<Option<InquiryChange>, StoreError> {
    Ok(match event {
        Event::InquiryAsked { pending } => Some(InquiryChange::Ask(NewInquiry {
            id: pending.id.clone(),
            dialect: pending.inquiry.dialect().name().to_owned(),
            json: serde_json::to_string(&pending.inquiry).map_err(storage_format::corrupt)?,
            revision: pending.revision,
            source: source(&pending.inquiry, extras),
            webhook: extras.webhook.clone(),
            expires_at: pending.expires_at,
            asker: extras.asker.clone(),
        })),
        Event::DeadlineMoved {
            inquiry,
            expires_at,
            ..
        } => Some(InquiryChange::MoveDeadline {
            id: inquiry.clone(),
            expires_at: *expires_at,
        }),
        Event::AnswerHeld { inquiry, held } => Some(InquiryChange::Hold {
            id: inquiry.clone(),
            json: Some(serde_json::to_string(held).map_err(storage_format::corrupt)?),
        }),
        Event::AnswerTakenBack { inquiry, .. } => Some(InquiryChange::Hold {
            id: inquiry.clone(),
            json: None,
        }),
        Event::InquiryResolved {
            inquiry,
            resolution,
            result,
        } => {
            let stored = StoredResolution {
                resolution: resolution.clone(),
                result: result.clone(),
            };
            Some(InquiryChange::Resolve(Resolved {
                id: inquiry.clone(),
                status: resolution.outcome.name().to_owned(),
                json: serde_json::to_string(&stored).map_err(storage_format::corrupt)?,
                tombstone: None,
            }))
        }
        Event::Started { .. }
        | Event::MessageReceived { .. }
        | Event::LlmRequested { .. }
        | Event::LlmAttemptFailed { .. }
        | Event::AssistantReplied { .. }
        | Event::CallStarted { .. }
        | Event::CallFinished { .. }
        | Event::InquiryReminded { .. }
        | Event::SubAgentsStarted { .. }
        | Event::SubAgentFinished { .. }
        | Event::RoundFinished
        | Event::TurnEnded { .. }
        | Event::Closed { .. } => None,
    })
}

/// What is kept of an inquiry that waited when its conversation was closed, so that its asker can
/// still read how it ended: nothing of what was asked.
fn leave_tombstone(
    before: &Active,
    event: &Event,
    change: Option<&mut InquiryChange>,
) -> Result<(), StoreError> {
    let (Event::InquiryResolved { inquiry, .. }, Some(InquiryChange::Resolve(resolved))) =
        (event, change)
    else {
        return Ok(());
    };
    let mut waiting = before.conversation.state.pending().iter();
    if let Some(pending) = waiting.find(|pending| pending.id == *inquiry) {
        let without_questions = pending.inquiry.without_questions();
        let json = serde_json::to_string(&without_questions).map_err(storage_format::corrupt)?;
        resolved.tombstone = Some(json);
    }
    Ok(())
}

/// A job of the engine's own: telling the outside about an inquiry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WebhookJob {
    /// Where.
    pub(crate) url: String,
    /// The inquiry.
    pub(crate) inquiry: askback_core::id::InquiryId,
    /// What to tell.
    pub(crate) news: News,
}

/// What a webhook tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum News {
    /// The inquiry has its outcome.
    InquiryResolved,
    /// Its deadline is near.
    InquiryReminder,
}

/// The kind of a [`WebhookJob`].
pub(crate) const WEBHOOK: &str = "webhook";

fn webhook_job(
    before: &Active,
    event: &Event,
    at: Timestamp,
) -> Result<Option<NewJob>, StoreError> {
    let (inquiry, news) = if let Event::InquiryResolved { inquiry, .. } = event {
        (inquiry, News::InquiryResolved)
    } else if let Event::InquiryReminded { inquiry, .. } = event {
        (inquiry, News::InquiryReminder)
    } else {
        return Ok(None);
    };
    let asked = before.asked(inquiry);
    let Some(url) = asked.and_then(|asked| asked.webhook.clone()) else {
        return Ok(None);
    };
    let job = WebhookJob {
        url,
        inquiry: inquiry.clone(),
        news,
    };
    Ok(Some(NewJob {
        queue: Queue::of_webhook(&job.url).name(),
        kind: WEBHOOK.to_owned(),
        json: serde_json::to_string(&job).map_err(storage_format::corrupt)?,
        run_at: at,
        timer_of: None,
        claim: false,
    }))
}

fn jobs(decision: &Decision, at: Timestamp) -> Result<Vec<NewJob>, StoreError> {
    let mut rows = Vec::with_capacity(decision.jobs.len());
    for job in &decision.jobs {
        let timer = timer_of(job);
        let run_at = match job {
            // What is to be given up runs in this process or not at all.
            Job::AbortRequest { .. } | Job::AbortTool { .. } => continue,
            Job::RequestLlm { due, .. } => *due,
            Job::RemindInquiry { .. }
            | Job::CommitHeldAnswer { .. }
            | Job::ExpireInquiry { .. }
            | Job::RunTool { .. }
            | Job::StartSubAgents { .. }
            | Job::StopSubAgents { .. }
            | Job::ReportToParent { .. }
            | Job::RemoveConversation => timer.map_or(at, |(_, due)| due),
        };
        rows.push(NewJob {
            queue: Queue::of(job, &decision.after).name(),
            kind: job.name().to_owned(),
            json: serde_json::to_string(job).map_err(storage_format::corrupt)?,
            run_at,
            timer_of: timer.map(|(inquiry, _)| inquiry.clone()),
            claim: false,
        });
    }
    Ok(rows)
}

/// The timers that a decision leaves without a purpose. Those of a question that got its outcome go
/// with it.
fn ended_timers(decision: &Decision) -> Vec<EndedTimers> {
    let ended = decision.events.iter().filter_map(|event| {
        let (inquiry, kinds): (_, &[&str]) = if let Event::DeadlineMoved { inquiry, .. } = event {
            (inquiry, &["remind_inquiry", "expire_inquiry"])
        } else if let Event::AnswerTakenBack { inquiry, .. } = event {
            (inquiry, &["release_answer"])
        } else {
            return None;
        };
        Some(EndedTimers {
            inquiry: inquiry.clone(),
            kinds: kinds.iter().copied().map(str::to_owned).collect(),
        })
    });
    ended.collect()
}
