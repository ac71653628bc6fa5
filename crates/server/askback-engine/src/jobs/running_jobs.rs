//! The jobs that run in this process, so that they can be aborted.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use askback_core::conversation::job::Job;
use askback_core::id::{CallId, ConversationId};
use askback_store::JobId;
use tokio::sync::watch;

/// Work that a decision can abort.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AbortableWork {
    Request(ConversationId, u64),
    Tool(ConversationId, CallId),
}

#[derive(Debug, Default)]
pub(crate) struct RunningJobs {
    work: Mutex<BTreeMap<AbortableWork, watch::Sender<bool>>>,
    /// Jobs that were started here and are not finished.
    jobs: Mutex<HashSet<JobId>>,
}

/// Keeps work registered until it is dropped.
pub(crate) struct WorkRegistration<'a> {
    running: &'a RunningJobs,
    work: AbortableWork,
    aborted: watch::Receiver<bool>,
}

impl RunningJobs {
    fn map(&self) -> MutexGuard<'_, BTreeMap<AbortableWork, watch::Sender<bool>>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers work; `None` if it is already running.
    pub(crate) fn register(&self, work: AbortableWork) -> Option<WorkRegistration<'_>> {
        let mut map = self.map();
        if map.contains_key(&work) {
            return None;
        }
        let (sender, aborted) = watch::channel(false);
        map.insert(work.clone(), sender);
        Some(WorkRegistration {
            running: self,
            work,
            aborted,
        })
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.map().len()
    }

    fn jobs(&self) -> MutexGuard<'_, HashSet<JobId>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn job_started(&self, job: JobId) {
        self.jobs().insert(job);
    }

    /// The jobs were removed from the store or scheduled again.
    pub(crate) fn jobs_finished(&self, done: &[JobId]) {
        if !done.is_empty() {
            let mut jobs = self.jobs();
            for job in done {
                jobs.remove(job);
            }
        }
    }

    /// The task of a job has ended. True if the job was not finished and must run again.
    pub(crate) fn job_stopped(&self, job: JobId) -> bool {
        self.jobs().remove(&job)
    }

    /// Aborts the work that an abort job names; does nothing for other jobs.
    pub(crate) fn abort_for(&self, conversation: &ConversationId, job: &Job) {
        let work = match job {
            Job::AbortRequest { request } => AbortableWork::Request(conversation.clone(), *request),
            Job::AbortTool { call } => AbortableWork::Tool(conversation.clone(), call.clone()),
            Job::RequestLlm { .. }
            | Job::RunTool { .. }
            | Job::StartSubAgents { .. }
            | Job::StopSubAgents { .. }
            | Job::ReportToParent { .. }
            | Job::RemoveConversation
            | Job::RemindInquiry { .. }
            | Job::CommitHeldAnswer { .. }
            | Job::ExpireInquiry { .. } => return,
        };
        self.abort(&work);
    }

    /// What runs for a conversation.
    pub(crate) fn work_of(&self, conversation: &ConversationId) -> Vec<AbortableWork> {
        let work = self.map();
        let work = work.keys().filter(|work| match work {
            AbortableWork::Request(id, _) | AbortableWork::Tool(id, _) => id == conversation,
        });
        work.cloned().collect()
    }

    pub(crate) fn abort(&self, work: &AbortableWork) {
        if let Some(sender) = self.map().get(work) {
            sender.send_replace(true);
        }
    }

    /// Aborts all work, because another process may do it now. The jobs are left to that process.
    pub(crate) fn lose_claims(&self) {
        self.jobs().clear();
        for sender in self.map().values() {
            sender.send_replace(true);
        }
    }

    /// Whether a job was started here, and is neither finished nor lost to another process.
    pub(crate) fn is_ours(&self, job: JobId) -> bool {
        self.jobs().contains(&job)
    }

    /// Aborts all provider requests. They are sent again after a restart.
    pub(crate) fn abort_requests(&self) {
        for (work, sender) in self.map().iter() {
            if matches!(work, AbortableWork::Request(..)) {
                sender.send_replace(true);
            }
        }
    }
}

impl WorkRegistration<'_> {
    /// Runs `future`. Returns `None` if the work is aborted first.
    pub(crate) async fn run_until_aborted<T>(
        &mut self,
        future: impl Future<Output = T>,
    ) -> Option<T> {
        let aborted = async {
            // The sender lives in the map for as long as this does.
            if self.aborted.wait_for(|aborted| *aborted).await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            () = aborted => None,
            done = future => Some(done),
        }
    }
}

impl Drop for WorkRegistration<'_> {
    fn drop(&mut self) {
        self.running.map().remove(&self.work);
    }
}
