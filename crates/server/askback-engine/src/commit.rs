//! Turns a decision into the rows that the store writes.

use std::sync::Arc;

use askback_core::conversation::command::Command;
use askback_core::conversation::event::{ChangeKind, Event};
use askback_core::conversation::job::Job;
use askback_core::conversation::state::{PendingInquiry, State};
use askback_core::conversation::{Conversation, Decision, Driver};
use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_store::{
    AskerRow, Commit, InquiryChange, InquiryRow, JobId, NewAsker, NewConversation, NewJob,
    NewRecord, NewResolution, ObsoleteTimers, Snapshot, StoreError,
};
use askback_stored::{
    StoredHeld, StoredInquiry, StoredJob, StoredRecord, StoredResolution, StoredSnapshot,
    StoredWebhookJob, WebhookEvent,
};
use jiff::Timestamp;

use crate::jobs::queue::{Queue, timer_of};
use crate::loaded_conversation::LoadedConversation;
use crate::request_key::RequestKeys;
use crate::view::InquiryView;

/// The status of an inquiry without an outcome.
pub(crate) const PENDING: &str = "pending";

/// What is committed together with a command and is no business of the core.
#[derive(Debug, Clone, Default)]
pub struct CommitOptions {
    /// Idempotency keys of the request.
    pub keys: RequestKeys,
    /// The URL that is sent the outcome of the inquiry that the command asks.
    pub webhook: Option<String>,
    /// The name of the credential that the command is sent with.
    pub credential: Option<String>,
    /// The agent that asks, if it may come back for the outcome.
    pub asker: Option<NewAsker>,
    /// What the right of the caller follows from. The command is refused if it has changed.
    pub seen: Option<SeenInquiry>,
    /// Jobs that this commit completes.
    pub finished_jobs: Vec<JobId>,
}

/// An inquiry as the caller was permitted to change it.
#[derive(Debug, Clone)]
pub struct SeenInquiry {
    /// Other inquiries of the conversation do not matter.
    pub(crate) id: InquiryId,
    /// Whom it was for.
    pub(crate) recipient: Option<Text>,
    /// Until when its answer could be undone; none if it had no answer.
    pub(crate) held_until: Option<Timestamp>,
}

impl SeenInquiry {
    /// What follows from an inquiry that was read.
    pub fn of(view: &InquiryView) -> SeenInquiry {
        SeenInquiry {
            id: view.row.id.clone(),
            recipient: view.inquiry.recipient().cloned(),
            held_until: view.held.as_ref().map(|held| held.until),
        }
    }

    /// Whether it has still this recipient and, if the command undoes or commits an answer, this answer. One that has
    /// ended is judged by the command.
    pub(crate) fn holds(&self, command: &Command, conversation: &Conversation) -> bool {
        let is_about_answer = matches!(
            command,
            Command::UndoAnswer { .. } | Command::CommitHeldAnswer { .. }
        );
        let mut pending = conversation.state.pending().iter();
        pending.find(|it| it.id == self.id).is_none_or(|pending| {
            let held_until = pending.held.as_ref().map(|held| held.until);
            pending.inquiry.recipient() == self.recipient.as_ref()
                && (!is_about_answer || held_until == self.held_until)
        })
    }
}

/// The conversation in memory after a decision.
pub(crate) fn apply(
    before: &LoadedConversation,
    decision: &Decision,
    options: &CommitOptions,
) -> LoadedConversation {
    let mut after = LoadedConversation {
        conversation: Arc::new(decision.after.clone()),
        ..before.clone()
    };
    for event in &decision.events {
        if let Event::InquiryAsked { pending } = event {
            after
                .pending
                .push(asked_row(pending, &decision.after, options));
        } else if let Event::InquiryResolved { inquiry, .. } = event {
            after.pending.retain(|pending| pending.id != *inquiry);
        } else if let Event::MessageReceived { text, .. } = event {
            after.title.get_or_insert_with(|| title(text.as_str()));
        } else if let Some((id, change)) = event.inquiry_change()
            && change != ChangeKind::Reminded
            && let Some(row) = after.pending.iter_mut().find(|row| row.id == *id)
        {
            row.version = decision.after.version;
        }
    }
    after
}

/// The row of an inquiry that was just asked, without its questions: those are in the conversation.
fn asked_row(
    pending: &PendingInquiry,
    after: &Conversation,
    options: &CommitOptions,
) -> InquiryRow {
    InquiryRow {
        revision: pending.revision,
        source: pending.inquiry.source().cloned(),
        webhook: options.webhook.clone(),
        credential: options.credential.clone(),
        expires_at: pending.expires_at,
        asker: options.asker.as_ref().map(AskerRow::from),
        version: after.version,
        ..InquiryRow::new(
            pending.id.clone(),
            after.settings.id.clone(),
            pending.inquiry.dialect().name(),
            pending.asked_at,
        )
    }
}

/// The title of a conversation: the first line of its first message, shortened.
fn title(text: &str) -> String {
    const CHARS: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(CHARS) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line.to_owned(),
    }
}

/// The commit of a decision on a conversation that exists.
pub(crate) fn build(
    before: &LoadedConversation,
    after: &LoadedConversation,
    decision: &Decision,
    options: &CommitOptions,
    at: Timestamp,
) -> Result<Commit, StoreError> {
    let mut commit = Commit {
        conversation: after.conversation.settings.id.clone(),
        expected_version: Some(before.conversation.version),
        create: None,
        snapshot: snapshot(after)?,
        record: Some(NewRecord {
            positions: decision.events.len() as u64 + 1,
            body: json(&StoredRecord::from(decision.events.as_slice()))?,
        }),
        inquiries: Vec::new(),
        jobs: jobs(decision, at)?,
        obsolete_timers: obsolete_timers(decision),
        finished_jobs: options.finished_jobs.clone(),
        closes: decision.after.state == State::Closed,
        keys: options.keys.stored(&after.conversation.settings.id),
        at,
    };
    for event in &decision.events {
        commit
            .inquiries
            .extend(inquiry_change(event, after, options)?);
        commit.jobs.extend(webhook_job(before, event, at)?);
    }
    Ok(commit)
}

/// The commit that creates a conversation, together with its first decision.
pub(crate) fn build_first(
    after: &LoadedConversation,
    decision: &Decision,
    options: &CommitOptions,
    at: Timestamp,
) -> Result<Commit, StoreError> {
    let mut commit = build(after, after, decision, options, at)?;
    let settings = &after.conversation.settings;
    commit.expected_version = None;
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

/// The name of a driver in its row.
fn driver_name(driver: Driver) -> &'static str {
    match driver {
        Driver::BuiltIn => "built_in",
        Driver::External => "external",
    }
}

fn snapshot(after: &LoadedConversation) -> Result<Snapshot, StoreError> {
    let conversation: &Conversation = &after.conversation;
    Ok(Snapshot {
        version: conversation.version,
        state: conversation.state.name().to_owned(),
        title: after.title.clone(),
        json: json(&StoredSnapshot::from(conversation))?,
    })
}

fn inquiry_change(
    event: &Event,
    after: &LoadedConversation,
    options: &CommitOptions,
) -> Result<Option<InquiryChange>, StoreError> {
    Ok(match event {
        Event::InquiryAsked { pending } => Some(InquiryChange::Ask {
            inquiry: Box::new(InquiryRow {
                json: inquiry_json(pending)?,
                ..asked_row(pending, &after.conversation, options)
            }),
            asker: options.asker.clone(),
        }),
        Event::DeadlineMoved {
            inquiry,
            expires_at,
            ..
        } => Some(InquiryChange::MoveDeadline {
            id: inquiry.clone(),
            expires_at: *expires_at,
        }),
        Event::InquiryHandedOn { inquiry, .. } => hand_on_change(after, inquiry)?,
        Event::AnswerHeld {
            inquiry,
            until,
            resolution,
        } => {
            let held = resolution
                .as_ref()
                .map(|resolution| json(&StoredHeld::new(resolution, *until)));
            Some(InquiryChange::SetHeld {
                id: inquiry.clone(),
                json: held.transpose()?,
            })
        }
        Event::AnswerTakenBack { inquiry, .. } => Some(InquiryChange::SetHeld {
            id: inquiry.clone(),
            json: None,
        }),
        Event::InquiryResolved {
            inquiry,
            resolution,
            result,
        } => Some(InquiryChange::Resolve(NewResolution {
            id: inquiry.clone(),
            status: resolution.outcome.name().to_owned(),
            json: json(&StoredResolution::new(resolution, result))?,
        })),
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

/// The inquiry with its new recipient. One whose questions are not in memory must not be written over.
fn hand_on_change(
    after: &LoadedConversation,
    id: &InquiryId,
) -> Result<Option<InquiryChange>, StoreError> {
    let mut pending = after.conversation.state.pending().iter();
    let pending = pending.find(|pending| pending.id == *id);
    let Some(pending) = pending.filter(|pending| !pending.inquiry.questions().is_empty()) else {
        return Err(StoreError::Corrupt(format!("{id} has no questions")));
    };
    Ok(Some(InquiryChange::HandOn {
        id: id.clone(),
        json: inquiry_json(pending)?,
    }))
}

fn inquiry_json(pending: &PendingInquiry) -> Result<String, StoreError> {
    json(&StoredInquiry::of_call(
        &pending.inquiry,
        pending.call.as_ref(),
    ))
}

/// The text of a stored form.
pub(crate) fn json(form: &impl serde::Serialize) -> Result<String, StoreError> {
    askback_stored::to_json(form).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// The job kind of a [`StoredWebhookJob`].
pub(crate) const WEBHOOK: &str = "webhook";

fn webhook_job(
    before: &LoadedConversation,
    event: &Event,
    at: Timestamp,
) -> Result<Option<NewJob>, StoreError> {
    let Some((inquiry, change)) = event.inquiry_change() else {
        return Ok(None);
    };
    // What the asker did itself, or has to wait for, is no news for it.
    let webhook_event = match change {
        ChangeKind::Resolved => WebhookEvent::InquiryResolved,
        ChangeKind::Reminded => WebhookEvent::InquiryReminder,
        ChangeKind::Asked
        | ChangeKind::DeadlineMoved
        | ChangeKind::HandedOn
        | ChangeKind::Held
        | ChangeKind::Reopened => return Ok(None),
    };
    let row = before.pending.iter().find(|row| row.id == *inquiry);
    let Some(url) = row.and_then(|row| row.webhook.clone()) else {
        return Ok(None);
    };
    Ok(Some(NewJob {
        queue: Queue::for_webhook(&url).name(),
        kind: WEBHOOK.to_owned(),
        json: json(&StoredWebhookJob::new(url, inquiry.clone(), webhook_event))?,
        run_at: at,
        timer_of: None,
        claim_at_once: false,
    }))
}

fn jobs(decision: &Decision, at: Timestamp) -> Result<Vec<NewJob>, StoreError> {
    let mut rows = Vec::with_capacity(decision.jobs.len());
    for job in &decision.jobs {
        let Some(stored) = StoredJob::new(job) else {
            continue;
        };
        let timer = timer_of(job);
        let run_at = if let Job::RequestLlm { due, .. } = job {
            *due
        } else {
            timer.map_or(at, |(_, due)| due)
        };
        rows.push(NewJob {
            queue: Queue::for_job(job, &decision.after).name(),
            kind: job.name().to_owned(),
            json: json(&stored)?,
            run_at,
            timer_of: timer.map(|(inquiry, _)| inquiry.clone()),
            claim_at_once: false,
        });
    }
    Ok(rows)
}

/// The timers that a decision makes pointless. The store removes those of a resolved inquiry itself.
fn obsolete_timers(decision: &Decision) -> Vec<ObsoleteTimers> {
    let obsolete = decision.events.iter().filter_map(|event| {
        let (inquiry, kinds): (_, &[&str]) = if let Event::DeadlineMoved { inquiry, .. } = event {
            (inquiry, &["remind_inquiry", "expire_inquiry"])
        } else if let Event::AnswerTakenBack { inquiry, .. } = event {
            (inquiry, &["release_answer"])
        } else {
            return None;
        };
        Some(ObsoleteTimers {
            inquiry: inquiry.clone(),
            kinds: kinds.iter().copied().map(str::to_owned).collect(),
        })
    });
    obsolete.collect()
}
