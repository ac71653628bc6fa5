//! The jobs that run in this process, so that they can be aborted.

use parking_lot::Mutex;
use std::collections::{BTreeMap, HashSet};

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
    /// Registers work; `None` if it is already running.
    pub(crate) fn register(&self, work: AbortableWork) -> Option<WorkRegistration<'_>> {
        let mut map = self.work.lock();
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
        self.work.lock().len()
    }

    pub(crate) fn job_started(&self, job: JobId) {
        self.jobs.lock().insert(job);
    }

    /// The jobs were removed from the store or scheduled again.
    pub(crate) fn jobs_finished(&self, done: &[JobId]) {
        if !done.is_empty() {
            let mut jobs = self.jobs.lock();
            for job in done {
                jobs.remove(job);
            }
        }
    }

    /// The task of a job has ended. True if the job was not finished and must run again.
    pub(crate) fn job_stopped(&self, job: JobId) -> bool {
        self.jobs.lock().remove(&job)
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
        let work = self.work.lock();
        let work = work.keys().filter(|work| match work {
            AbortableWork::Request(id, _) | AbortableWork::Tool(id, _) => id == conversation,
        });
        work.cloned().collect()
    }

    pub(crate) fn abort(&self, work: &AbortableWork) {
        if let Some(sender) = self.work.lock().get(work) {
            sender.send_replace(true);
        }
    }

    /// Aborts all work, because another process may do it now. The jobs are left to that process.
    pub(crate) fn lose_claims(&self) {
        self.jobs.lock().clear();
        for sender in self.work.lock().values() {
            sender.send_replace(true);
        }
    }

    /// Whether a job was started here, and is neither finished nor lost to another process.
    pub(crate) fn is_ours(&self, job: JobId) -> bool {
        self.jobs.lock().contains(&job)
    }

    /// Aborts all provider requests. They are sent again after a restart.
    pub(crate) fn abort_requests(&self) {
        for (work, sender) in self.work.lock().iter() {
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
        self.running.work.lock().remove(&self.work);
    }
}
