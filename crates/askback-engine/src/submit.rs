//! Submit → commit → publish: the one way in which anything changes.

use std::sync::Arc;

use askback_core::conversation::command::Command;
use askback_core::conversation::event::Event;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::{Context, Conversation, Decision};
use askback_core::id::{ConversationId, IdSource, InquiryId};
use askback_core::outcome::Actor;
use askback_core::time::whole_millis;
use askback_store::{Commit, JobId, Sequence, StoreError};
use jiff::Timestamp;

use crate::abridged_state::StateChange;
use crate::commit::{self, Extras};
use crate::decide::decide;
use crate::engine::Engine;
use crate::feed::{Ended, Recorded};
use crate::history_cache::Added;
use crate::jobs::{ClaimedJobs, queue::Queue, system};
use crate::loaded_conversation::Active;
use crate::storage_format::{self, Record};

/// How often a decision is made again because the conversation moved on in the meantime.
const ATTEMPTS: usize = 8;

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// There is no such conversation.
    #[error("there is no such conversation")]
    NotFound,
    /// The core refused it.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The same request was sent before under the same key.
    #[error("this was done before")]
    Repeated {
        /// The inquiry it was about.
        inquiry: Option<InquiryId>,
        /// In which conversation.
        conversation: ConversationId,
    },
    /// The same agent asked the same before and has not been told the outcome.
    #[error("this was asked before")]
    AlreadyAsked {
        /// The inquiry that was asked then.
        inquiry: InquiryId,
    },
    /// The key was used before for another request.
    #[error("the key was used for another request")]
    KeyReused,
    /// The engine is stopping.
    #[error("the server is stopping")]
    Closing,
    /// The store failed.
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
            | StoreError::Corrupt(_)) => SubmitError::Store(error),
        }
    }
}

/// What a command has led to. It is on disk.
#[derive(Debug, Clone)]
pub struct Submitted {
    /// The conversation afterwards.
    pub conversation: Arc<Conversation>,
    /// What to call it.
    pub title: Option<String>,
    /// The app it runs.
    pub app: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// What happened.
    pub events: Vec<Event>,
    /// The sequence of the first of them.
    pub first: Sequence,
    /// When they happened.
    pub at: Timestamp,
}

impl Engine {
    /// Carries a command out, or says why not. When it returns, the outcome is on disk; whether it is
    /// after [`StoreError::CommitUnknown`] is told by repeating it with the same key.
    pub async fn submit(
        &self,
        conversation: &ConversationId,
        command: Command,
        by: Actor,
    ) -> Result<Submitted, SubmitError> {
        self.submit_with(conversation, command, by, Extras::default())
            .await
    }

    /// The same with what goes along with the command.
    pub async fn submit_with(
        &self,
        conversation: &ConversationId,
        command: Command,
        by: Actor,
        extras: Extras,
    ) -> Result<Submitted, SubmitError> {
        let engine = self.clone();
        let id = conversation.clone();
        // A caller who goes away must not leave a commit behind that nobody publishes.
        let task = tokio::spawn(async move { engine.carry_out(&id, &command, by, extras).await });
        task.await.unwrap_or(Err(SubmitError::Closing))
    }

    /// Carries a command out in the task of the caller, who must not go away meanwhile.
    pub(crate) async fn carry_out(
        &self,
        id: &ConversationId,
        command: &Command,
        by: Actor,
        extras: Extras,
    ) -> Result<Submitted, SubmitError> {
        let turn = self.lock(id).await;
        for _ in 0..ATTEMPTS {
            let active = self.load(id).await?;
            let context = self.context(by.clone());
            let decision = match decide(&active, command, &context).await? {
                Ok(decision) => decision,
                Err(rejection) => {
                    let work = self.expire_overdue(&active, &rejection).await;
                    drop(turn);
                    if let Some(work) = work {
                        self.start_claimed(work);
                    }
                    return Err(self.refused(id, rejection, &extras).await);
                }
            };
            match self.commit(&active, decision, &extras, context.now).await {
                Err(SubmitError::Store(StoreError::Conflict)) => self.forget(id),
                Err(error) => return Err(error),
                Ok((submitted, work)) => {
                    drop(turn);
                    self.start_claimed(work);
                    return Ok(submitted);
                }
            }
        }
        Err(SubmitError::Store(StoreError::Conflict))
    }

    /// A question that was refused an answer because its deadline has passed gets its outcome in the
    /// same turn, so that whoever was refused and whoever asked see it end at the same time. If that
    /// fails, its timer does it.
    async fn expire_overdue(&self, active: &Active, rejection: &Rejection) -> Option<ClaimedJobs> {
        let Rejection::Expired { inquiry, .. } = rejection else {
            return None;
        };
        let expire = Command::Expire {
            inquiry: inquiry.clone(),
        };
        let context = self.context(system());
        let decision = active.conversation.decide(&expire, &context).ok()?;
        let extras = Extras::default();
        let committed = self.commit(active, decision, &extras, context.now).await;
        match committed {
            Ok((_, work)) => Some(work),
            Err(error) => {
                self.forget(&active.conversation.settings.id);
                tracing::debug!(%error, %inquiry, "an overdue question waits for its timer");
                None
            }
        }
    }

    /// Why nothing was done. What a repeated request wants may be refused for no other reason than
    /// that the first one did it.
    pub(crate) async fn refused(
        &self,
        id: &ConversationId,
        rejection: Rejection,
        extras: &Extras,
    ) -> SubmitError {
        let keys = extras.keys.stored(id);
        if keys.is_empty() {
            return rejection.into();
        }
        match self.store().check_keys(&keys).await {
            Ok(()) => rejection.into(),
            // Whether it is a repetition is not known: a refusal could be taken for the answer.
            Err(error) => error.into(),
        }
    }

    /// A fresh context: the time, ids and who acts.
    pub(crate) fn context(&self, actor: Actor) -> Context {
        let clock = self.clock();
        Context {
            now: whole_millis(clock.now()),
            ids: IdSource::new(clock.seed()),
            actor,
        }
    }

    /// The conversation from memory, or from the store.
    pub(crate) async fn load(&self, id: &ConversationId) -> Result<Arc<Active>, SubmitError> {
        if let Some(active) = self.cached(id) {
            return Ok(active);
        }
        let loaded = self.store().load(id).await?.ok_or(SubmitError::NotFound)?;
        let active = Arc::new(Active::from_rows(loaded)?);
        self.remember(Arc::clone(&active));
        Ok(active)
    }

    /// The conversation as it stands for a worker who found a job.
    ///
    /// A job can be seen before the commit that made it has come back here, so the decision that is
    /// under way is waited for; and a conversation that does not know the job yet (`knows`) is read
    /// anew before the job is taken for stale, because another node may have moved it on.
    pub(crate) async fn load_for_job(
        &self,
        id: &ConversationId,
        knows: impl Fn(&Conversation) -> bool,
    ) -> Result<Arc<Active>, SubmitError> {
        let _turn = self.lock(id).await;
        let active = self.load(id).await?;
        if knows(&active.conversation) {
            return Ok(active);
        }
        self.forget(id);
        self.load(id).await
    }

    async fn commit(
        &self,
        before: &Active,
        decision: Decision,
        extras: &Extras,
        at: Timestamp,
    ) -> Result<(Submitted, ClaimedJobs), SubmitError> {
        let after = commit::after(before, &decision, extras);
        let commit = commit::plan(before, &after, &decision, extras, at)?;
        self.write(before, after, decision, commit).await
    }

    /// Writes a decision, and sees to what follows once it is on disk: memory, feed, work. The work
    /// that is due is the caller's to start, when the turn is over.
    pub(crate) async fn write(
        &self,
        before: &Active,
        after: Active,
        decision: Decision,
        mut commit: Commit,
    ) -> Result<(Submitted, ClaimedJobs), SubmitError> {
        let id = commit.conversation.clone();
        let (at, done) = (commit.at, commit.done.clone());
        let sizes: Vec<usize> = commit.events.iter().map(|event| event.json.len()).collect();
        let keys = commit.keys.clone();
        let permits = self.reserve(&mut commit);
        let later = commit.jobs.iter().filter(|job| !job.claim);
        let later: Vec<_> = later.map(|job| Queue::from_name(&job.queue)).collect();
        let committed = match self.store().commit(commit).await {
            Ok(committed) => committed,
            Err(error) => {
                // Jobs that came meanwhile may wait for the permits that were kept for these.
                drop(permits);
                self.inner.jobs_changed.notify_one();
                if matches!(error, StoreError::CommitUnknown(_)) {
                    self.read_anew(&id);
                }
                // A repeat of this request must find the same inquiry, also when it was delivered.
                if let StoreError::AlreadyAsked { inquiry } = &error
                    && !keys.is_empty()
                {
                    self.store().bind_keys(&keys, inquiry).await?;
                }
                return Err(error.into());
            }
        };
        let after = Arc::new(after);
        self.remember(Arc::clone(&after));
        let added = Added {
            events: &decision.events,
            before: before.conversation.version,
            first: committed.first,
            bytes: sizes.iter().sum(),
        };
        self.inner.histories.grow(&id, &added);
        let place = (committed.first, at);
        self.feed()
            .publish(records(before, &after, &decision, place, &sizes));
        self.inner.running.finished(&done);
        for job in &decision.jobs {
            self.inner.running.abort_for(&id, job);
        }
        for queue in &later {
            self.ring(queue.as_ref());
        }
        let submitted = Submitted {
            conversation: Arc::clone(&after.conversation),
            title: after.title.clone(),
            app: after.app.clone(),
            created_at: after.created_at,
            events: decision.events,
            first: committed.first,
            at,
        };
        Ok((submitted, ClaimedJobs::new(committed.claimed, permits)))
    }

    /// A commit may be on disk or not: whatever follows from it is read from the store.
    fn read_anew(&self, id: &ConversationId) {
        self.forget(id);
        self.inner.histories.forget(id);
        self.feed().catch_up();
        self.inner.timers_changed.notify_one();
    }

    /// Removes a job that needs no commit of its own.
    pub(crate) async fn finish_job(&self, job: JobId) {
        match self.store().finish_job(job).await {
            Ok(()) => self.inner.running.finished(&[job]),
            Err(error) => {
                tracing::warn!(%error, job, "cannot finish a job; it will be run again");
            }
        }
    }
}

/// What one commit has written, as listeners see it.
fn records(
    before: &Active,
    after: &Active,
    decision: &Decision,
    (first, at): (Sequence, Timestamp),
    sizes: &[usize],
) -> Vec<Arc<Recorded>> {
    let state = Record::State(StateChange::from(&after.conversation.state));
    let events = decision.events.iter().cloned().map(Record::Event);
    let numbered = events.chain([state]).zip(first..).zip(sizes);
    let recorded = numbered.map(|((record, sequence), size)| {
        Arc::new(Recorded {
            sequence,
            at,
            bytes: size + storage_format::question_bytes(&record),
            conversation: after.conversation.settings.id.clone(),
            ended: ended(before, &record),
            record,
        })
    });
    recorded.collect()
}

/// The inquiry that a record ends.
fn ended(before: &Active, record: &Record) -> Option<Ended> {
    let Record::Event(Event::InquiryResolved { inquiry, .. }) = record else {
        return None;
    };
    let waiting = before.conversation.state.pending().iter();
    let pending = waiting.clone().find(|pending| pending.id == *inquiry)?;
    Some(Ended {
        pending: pending.clone(),
        source: before.asked(inquiry)?.source.clone(),
    })
}

#[cfg(test)]
#[path = "commit_unknown_tests.rs"]
mod commit_unknown_tests;
