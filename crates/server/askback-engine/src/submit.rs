//! Submit → commit → publish: the only way in which anything changes.

use std::sync::Arc;

use askback_core::conversation::command::Command;
use askback_core::conversation::event::Event;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::{Context, Conversation, Decision};
use askback_core::id::{ConversationId, IdSource, InquiryId};
use askback_core::outcome::Actor;
use askback_core::time::whole_millis;
use askback_store::{Commit, Sequence, StoreError};
use jiff::Timestamp;

use crate::commit::{self, CommitOptions, SeenInquiry};
use crate::engine::Engine;
use crate::history_cache::Appended;
use crate::jobs::{ClaimedJobs, claim_due_jobs, queue::Queue, start_claimed, system};
use crate::loaded_conversation::LoadedConversation;
use crate::record::Record;
use crate::run_to_end::RunToEnd;
use crate::slow_decisions::decide_without_blocking;
use crate::view::InquiryView;

/// How often a command is decided again after a version conflict. Commands of one process take turns, so that only
/// other nodes are in the way; each conflict is a commit of one of them.
const ATTEMPTS: usize = 32;

/// Why a command was not executed.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// No conversation has this id.
    #[error("there is no such conversation")]
    NotFound,
    /// The core refused it. Nothing has changed.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The same request was committed before under the same key.
    #[error("this was done before")]
    Repeated {
        /// The inquiry that the first request was about.
        inquiry: Option<InquiryId>,
        /// The conversation that the first request was about.
        conversation: ConversationId,
    },
    /// The agent asked the same before, and the outcome was not delivered to it yet.
    #[error("this was asked before")]
    AlreadyAsked {
        /// The inquiry that was asked then.
        inquiry: InquiryId,
    },
    /// The key was used before for a different request.
    #[error("the key was used for another request")]
    KeyReused,
    /// The engine is shutting down.
    #[error("the server is stopping")]
    Closing,
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for SubmitError {
    fn from(error: StoreError) -> SubmitError {
        match error {
            StoreError::AlreadyAsked { inquiry } => SubmitError::AlreadyAsked { inquiry },
            StoreError::Repeated {
                inquiry,
                conversation,
            } => SubmitError::Repeated {
                inquiry,
                conversation,
            },
            StoreError::KeyReused => SubmitError::KeyReused,
            error @ (StoreError::Conflict
            | StoreError::Unavailable(_)
            | StoreError::CommitUnknown(_)
            | StoreError::BadCursor
            | StoreError::Replaced(_)
            | StoreError::Damaged(_)
            | StoreError::Corrupt(_)) => SubmitError::Store(error),
        }
    }
}

/// The effect of a command that was executed. It is on disk.
#[derive(Debug, Clone)]
pub struct Submitted {
    /// The conversation after the command.
    pub conversation: Arc<Conversation>,
    /// The title, which the first message may have set.
    pub title: Option<String>,
    /// The id of the app; absent for the default app.
    pub app: Option<String>,
    /// When the conversation was created.
    pub created_at: Timestamp,
    /// The commit as listeners get it.
    pub record: Arc<Record>,
}

impl Submitted {
    /// An inquiry after the command, without reading it again. `before` knows more of the agent that asked.
    pub fn inquiry_after(&self, before: InquiryView) -> InquiryView {
        let Some(after) = self.record.inquiry(&before.row.id) else {
            return before;
        };
        let mut after = after.clone();
        after.row.asker = before.row.asker;
        after
    }
}

impl Engine {
    /// Executes a command. When this returns `Ok`, the effect is on disk. After
    /// [`StoreError::CommitUnknown`] it may be or not: repeat the command with the same key.
    pub async fn submit(
        &self,
        conversation: &ConversationId,
        command: Command,
        by: Actor,
    ) -> Result<Submitted, SubmitError> {
        self.submit_with(conversation, command, by, CommitOptions::default())
            .await
    }

    /// Like [`Engine::submit`], with options that are committed together with the command.
    pub async fn submit_with(
        &self,
        conversation: &ConversationId,
        command: Command,
        by: Actor,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let engine = self.clone();
        let id = conversation.clone();
        // A caller that is cancelled must not leave a commit unpublished.
        RunToEnd::new(async move { engine.execute(&id, &command, by, options).await }).await
    }

    /// Executes a command in the task of the caller, which must not be cancelled before it returns.
    pub(crate) async fn execute(
        &self,
        id: &ConversationId,
        command: &Command,
        by: Actor,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let conversations = &self.inner.conversations;
        let guard = conversations.lock(id).await;
        let mut may_be_old = self.store().is_shared();
        for _ in 0..ATTEMPTS {
            may_be_old &= conversations.is_cached(id);
            let loaded = conversations.load(id).await?;
            let context = self.context(by.clone());
            let is_as_seen = |seen: &SeenInquiry| seen.holds(command, &loaded.conversation);
            let decided = if options.seen.as_ref().is_none_or(is_as_seen) {
                decide_without_blocking(&loaded, command, &context).await?
            } else {
                Err(Rejection::StaleInquiry)
            };
            let decision = match decided {
                Ok(decision) => decision,
                // Another process may have changed the conversation since it was read.
                Err(_) if may_be_old => {
                    conversations.evict(id);
                    continue;
                }
                Err(rejection) => {
                    let claimed = self.expire_overdue(&loaded, &rejection).await;
                    drop(guard);
                    if let Some(claimed) = claimed {
                        start_claimed(self, claimed);
                    }
                    return Err(self.explain_rejection(id, rejection, &options).await);
                }
            };
            if let Err(rejection) = self.require_room(Some(command)).await? {
                return Err(self.explain_rejection(id, rejection, &options).await);
            }
            match self.commit(&loaded, decision, &options, context.now).await {
                Err(SubmitError::Store(StoreError::Conflict)) => conversations.evict(id),
                Err(error) => return Err(error),
                Ok((submitted, claimed)) => {
                    drop(guard);
                    start_claimed(self, claimed);
                    return Ok(submitted);
                }
            }
        }
        Err(SubmitError::Store(StoreError::Conflict))
    }

    /// Expires an inquiry whose answer was just refused because the deadline has passed, so that the
    /// respondent and the asker see it end at the same time. If that fails, its timer does it.
    async fn expire_overdue(
        &self,
        loaded: &LoadedConversation,
        rejection: &Rejection,
    ) -> Option<ClaimedJobs> {
        let Rejection::Expired { inquiry, .. } = rejection else {
            return None;
        };
        let expire = Command::Expire {
            inquiry: inquiry.clone(),
        };
        let context = self.context(system());
        let decision = loaded.conversation.decide(&expire, &context).ok()?;
        let options = CommitOptions::default();
        let committed = self.commit(loaded, decision, &options, context.now).await;
        match committed {
            Ok((_, claimed)) => Some(claimed),
            Err(error) => {
                let id = &loaded.conversation.settings.id;
                self.inner.conversations.evict(id);
                tracing::debug!(%error, %inquiry, "cannot expire an overdue inquiry now; its timer will");
                None
            }
        }
    }

    /// The error for a rejected command. If the request was executed before, that is the reason: the
    /// core rejects it only because its first execution succeeded.
    pub(crate) async fn explain_rejection(
        &self,
        id: &ConversationId,
        rejection: Rejection,
        options: &CommitOptions,
    ) -> SubmitError {
        let keys = options.keys.stored(id);
        if keys.is_empty() {
            return rejection.into();
        }
        match self.store().check_keys(&keys).await {
            Ok(()) => rejection.into(),
            // Nobody knows whether this is a repeat, so the rejection must not be reported as final.
            Err(error) => error.into(),
        }
    }

    /// Refuses a question of an external agent if too much waits already.
    pub(crate) async fn require_room(
        &self,
        command: Option<&Command>,
    ) -> Result<Result<(), Rejection>, SubmitError> {
        let Some(Command::Ask { inquiry, .. }) = command else {
            return Ok(Ok(()));
        };
        let room =
            self.inner
                .pending_bytes
                .add(inquiry, self.store().as_ref(), self.clock().as_ref());
        let has_room = room.await?;
        Ok(has_room.then_some(()).ok_or(Rejection::TooMuchPending))
    }

    pub(crate) fn context(&self, actor: Actor) -> Context {
        let clock = self.clock();
        Context {
            now: whole_millis(clock.now()),
            ids: IdSource::new(clock.seed()),
            actor,
            node: self.inner.parts.node.clone(),
        }
    }

    pub(crate) async fn commit(
        &self,
        before: &LoadedConversation,
        decision: Decision,
        options: &CommitOptions,
        at: Timestamp,
    ) -> Result<(Submitted, ClaimedJobs), SubmitError> {
        let after = commit::apply(before, &decision, options);
        let commit = commit::build(before, &after, &decision, options, at)?;
        self.write(before, after, decision, commit).await
    }

    /// Commits a decision; then updates the caches, publishes the events and aborts what the decision
    /// no longer needs. The caller starts the claimed jobs after it has released the conversation.
    pub(crate) async fn write(
        &self,
        before: &LoadedConversation,
        after: LoadedConversation,
        decision: Decision,
        mut commit: Commit,
    ) -> Result<(Submitted, ClaimedJobs), SubmitError> {
        let id = commit.conversation.clone();
        let (at, finished_jobs) = (commit.at, commit.finished_jobs.clone());
        let stored = commit.record.as_ref().map_or(0, |record| record.body.len());
        let keys = commit.keys.clone();
        let permits = claim_due_jobs(self, &mut commit);
        let later = commit.jobs.iter().filter(|job| !job.claim_at_once);
        let later: Vec<_> = later.map(|job| Queue::from_name(&job.queue)).collect();
        let started = self.clock().elapsed();
        let committed = self.store().commit(commit).await;
        let taken = self.clock().elapsed().saturating_sub(started);
        self.metrics().count_commit(taken);
        let committed = match committed {
            Ok(committed) => committed,
            Err(error) => {
                // Other jobs may be waiting for these permits.
                drop(permits);
                self.inner.job_waker.wake(None);
                if matches!(error, StoreError::CommitUnknown(_)) {
                    self.reload_after_unknown_commit(&id);
                }
                // A repeat of this request must find the same inquiry, even after its delivery.
                if let StoreError::AlreadyAsked { inquiry } = &error
                    && !keys.is_empty()
                {
                    self.store().bind_keys(&keys, inquiry).await?;
                }
                return Err(error.into());
            }
        };
        let after = Arc::new(after);
        self.inner.conversations.insert(Arc::clone(&after));
        let first = committed.first_sequence;
        let mut record = record(before, &after, decision.events, first, at);
        record.count_bytes(stored);
        self.metrics().count_record(&record);
        let appended = Appended {
            record: &record,
            version_before: before.conversation.version,
            bytes: stored,
        };
        self.inner.history_cache.append(&appended);
        let record = Arc::new(record);
        self.feed().publish(Arc::clone(&record));
        self.inner.running.jobs_finished(&finished_jobs);
        for job in &decision.jobs {
            self.inner.running.abort_for(&id, job);
        }
        for queue in &later {
            self.inner.job_waker.wake(queue.as_ref());
        }
        let submitted = Submitted {
            conversation: Arc::clone(&after.conversation),
            title: after.title.clone(),
            app: after.app.clone(),
            created_at: after.created_at,
            record,
        };
        Ok((submitted, ClaimedJobs::new(committed.claimed, permits)))
    }

    /// Nobody knows whether the commit is on disk, so everything is read from the store again.
    fn reload_after_unknown_commit(&self, id: &ConversationId) {
        self.inner.conversations.evict(id);
        self.inner.history_cache.evict(id);
        self.feed().catch_up();
        self.inner.job_waker.wake(Some(&Queue::Timer));
    }
}

/// A commit as listeners get it. Nothing of it is read back from the store.
fn record(
    before: &LoadedConversation,
    after: &LoadedConversation,
    events: Vec<Event>,
    first: Sequence,
    at: Timestamp,
) -> Record {
    Record {
        first,
        last: first + events.len() as u64,
        at,
        conversation: after.conversation.settings.id.clone(),
        state: Some(after.conversation.state.abridged()),
        inquiries: inquiries(before, after, &events),
        events: (first..).zip(events).collect(),
        is_damaged: false,
        bytes: 0,
    }
}

/// The inquiries that the events of a decision change, as they are after it.
fn inquiries(
    before: &LoadedConversation,
    after: &LoadedConversation,
    events: &[Event],
) -> Vec<InquiryView> {
    let mut views: Vec<InquiryView> = Vec::new();
    for event in events {
        let Some((id, _)) = event.inquiry_change() else {
            continue;
        };
        if !views.iter().any(|view| view.row.id == *id) {
            views.extend(after.inquiry(id).or_else(|| before.inquiry(id)));
        }
        if let Event::InquiryResolved {
            resolution, result, ..
        } = event
            && let Some(view) = views.iter_mut().find(|view| view.row.id == *id)
        {
            view.resolve(resolution, result);
            view.row.version = after.conversation.version;
        }
    }
    views
}

#[cfg(test)]
#[path = "commit_unknown_tests.rs"]
mod commit_unknown_tests;
