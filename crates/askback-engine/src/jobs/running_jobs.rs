//! Work that runs in this process, so that it can be given up.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use askback_core::conversation::job::Job;
use askback_core::id::{CallId, ConversationId};
use askback_store::JobId;
use tokio::sync::watch;

/// What runs here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// A provider request.
    Request(ConversationId, u64),
    /// A tool.
    Tool(CallId),
}

/// Everything that runs here.
#[derive(Debug, Default)]
pub(crate) struct Running {
    work: Mutex<HashMap<Work, watch::Sender<bool>>>,
    /// Jobs that were begun here and are not finished.
    jobs: Mutex<HashSet<JobId>>,
}

/// A piece of work that is registered until this is dropped.
pub(crate) struct Registered<'a> {
    running: &'a Running,
    work: Work,
    given_up: watch::Receiver<bool>,
}

impl Running {
    fn map(&self) -> MutexGuard<'_, HashMap<Work, watch::Sender<bool>>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a piece of work; `None` if it runs here already.
    pub(crate) fn register(&self, work: Work) -> Option<Registered<'_>> {
        let mut map = self.map();
        if map.contains_key(&work) {
            return None;
        }
        let (sender, given_up) = watch::channel(false);
        map.insert(work.clone(), sender);
        Some(Registered {
            running: self,
            work,
            given_up,
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
    pub(crate) fn begun(&self, job: JobId) {
        self.jobs().insert(job);
    }

    /// Jobs are gone from the store.
    pub(crate) fn finished(&self, done: &[JobId]) {
        if !done.is_empty() {
            let mut jobs = self.jobs();
            for job in done {
                jobs.remove(job);
            }
        }
    }

    /// A job has ended. True if it was not finished, so that it must be run again.
    pub(crate) fn ended(&self, job: JobId) -> bool {
        self.jobs().remove(&job)
    }

    /// Gives up what a decision no longer wants.
    pub(crate) fn abort_for(&self, conversation: &ConversationId, job: &Job) {
        let work = match job {
            Job::AbortRequest { request } => Work::Request(conversation.clone(), *request),
            Job::AbortTool { call } => Work::Tool(call.clone()),
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
            if matches!(work, Work::Request(..)) {
                sender.send_replace(true);
            }
        }
    }
}

impl Registered<'_> {
    /// Runs `future` unless the work is given up first.
    pub(crate) async fn unless_given_up<T>(
        &mut self,
        future: impl Future<Output = T>,
    ) -> Option<T> {
        let given_up = async {
            // The sender lives in the map for as long as this does.
            if self.given_up.wait_for(|given_up| *given_up).await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            () = given_up => None,
            done = future => Some(done),
        }
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        self.running.map().remove(&self.work);
    }
}
