//! Work that runs in this process, so that it can be given up.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use askback_core::conversation::job::Job;
use askback_core::id::{CallId, ConversationId};
use askback_store::JobId;
use tokio::sync::watch;

/// What runs here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum AbortableWork {
    /// A provider request.
    Request(ConversationId, u64),
    /// A tool.
    Tool(CallId),
}

/// Everything that runs here.
#[derive(Debug, Default)]
pub(crate) struct RunningJobs {
    work: Mutex<HashMap<AbortableWork, watch::Sender<bool>>>,
    /// Jobs that were begun here and are not finished.
    jobs: Mutex<HashSet<JobId>>,
}

/// A piece of work that is registered until this is dropped.
pub(crate) struct WorkRegistration<'a> {
    running: &'a RunningJobs,
    work: AbortableWork,
    aborted: watch::Receiver<bool>,
}

impl RunningJobs {
    fn map(&self) -> MutexGuard<'_, HashMap<AbortableWork, watch::Sender<bool>>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a piece of work; `None` if it runs here already.
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

    /// How many pieces of work run here.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.map().len()
    }

    fn jobs(&self) -> MutexGuard<'_, HashSet<JobId>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job was begun.
    pub(crate) fn job_started(&self, job: JobId) {
        self.jobs().insert(job);
    }

    /// Jobs are gone from the store.
    pub(crate) fn jobs_finished(&self, done: &[JobId]) {
        if !done.is_empty() {
            let mut jobs = self.jobs();
            for job in done {
                jobs.remove(job);
            }
        }
    }

    /// A job has ended. True if it was not finished, so that it must be run again.
    pub(crate) fn job_stopped(&self, job: JobId) -> bool {
        self.jobs().remove(&job)
    }

    /// Gives up what a decision no longer wants.
    pub(crate) fn abort_for(&self, conversation: &ConversationId, job: &Job) {
        let work = match job {
            Job::AbortRequest { request } => AbortableWork::Request(conversation.clone(), *request),
            Job::AbortTool { call } => AbortableWork::Tool(call.clone()),
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
        if let Some(sender) = self.map().get(&work) {
            sender.send_replace(true);
        }
    }

    /// Gives up all provider requests; they are made again after a restart.
    pub(crate) fn abort_requests(&self) {
        for (work, sender) in self.map().iter() {
            if matches!(work, AbortableWork::Request(..)) {
                sender.send_replace(true);
            }
        }
    }
}

impl WorkRegistration<'_> {
    /// Runs `future` unless the work is given up first.
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
