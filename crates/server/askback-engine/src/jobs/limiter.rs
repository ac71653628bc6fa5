//! Limits how many jobs run at once: by kind, and by webhook host. Jobs that use up one limit do not
//! delay jobs of another.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::queue::Queue;

/// A timer takes one commit, so timers wait only for each other.
const TIMERS: usize = 256;
const LLM_REQUESTS: usize = 256;
const TOOLS: usize = 256;
/// Starts, stops and results of sub-agents. Each takes a few commits.
const AGENTS: usize = 64;
/// To all hosts together.
const WEBHOOKS: usize = 256;
const WEBHOOKS_PER_HOST: usize = 4;

#[derive(Debug)]
pub(crate) struct JobLimiter {
    timers: Arc<Semaphore>,
    llm_requests: Arc<Semaphore>,
    tools: Arc<Semaphore>,
    agents: Arc<Semaphore>,
    webhooks: Arc<Semaphore>,
    hosts: Arc<HostCounts>,
}

/// The number of running deliveries by host. Idle hosts are removed.
#[derive(Debug, Default)]
struct HostCounts(Mutex<HashMap<String, usize>>);

/// Allows one job to run until it is dropped.
#[derive(Debug)]
pub(crate) struct JobPermit {
    _kind: OwnedSemaphorePermit,
    _host: Option<HostPermit>,
}

#[derive(Debug)]
struct HostPermit {
    hosts: Arc<HostCounts>,
    host: String,
}

impl Default for JobLimiter {
    fn default() -> JobLimiter {
        let limit = |jobs| Arc::new(Semaphore::new(jobs));
        JobLimiter {
            timers: limit(TIMERS),
            llm_requests: limit(LLM_REQUESTS),
            tools: limit(TOOLS),
            agents: limit(AGENTS),
            webhooks: limit(WEBHOOKS),
            hosts: Arc::new(HostCounts::default()),
        }
    }
}

impl JobLimiter {
    /// How many jobs of a queue can start now.
    pub(crate) fn free(&self, queue: &Queue) -> usize {
        let Some(kind) = self.kind(queue) else {
            return usize::MAX;
        };
        let free = kind.available_permits();
        match queue {
            Queue::Webhook(host) => {
                free.min(WEBHOOKS_PER_HOST.saturating_sub(self.hosts.used(host)))
            }
            Queue::Timer | Queue::HeldAnswers | Queue::Llm(_) | Queue::Tool | Queue::Agents => free,
        }
    }

    /// A permit for one job of a queue, if the limits allow it.
    pub(crate) fn try_acquire(&self, queue: &Queue) -> Option<JobPermit> {
        let kind = Arc::clone(self.kind(queue)?).try_acquire_owned().ok()?;
        let host = match queue {
            Queue::Webhook(host) => Some(HostCounts::try_acquire(&self.hosts, host)?),
            Queue::Timer | Queue::HeldAnswers | Queue::Llm(_) | Queue::Tool | Queue::Agents => None,
        };
        Some(JobPermit {
            _kind: kind,
            _host: host,
        })
    }

    fn kind(&self, queue: &Queue) -> Option<&Arc<Semaphore>> {
        match queue {
            // They sleep until their undo window ends, and then make one commit.
            Queue::HeldAnswers => None,
            Queue::Timer => Some(&self.timers),
            Queue::Llm(_) => Some(&self.llm_requests),
            Queue::Tool => Some(&self.tools),
            Queue::Agents => Some(&self.agents),
            Queue::Webhook(_) => Some(&self.webhooks),
        }
    }
}

impl HostCounts {
    fn used(&self, host: &str) -> usize {
        self.0.lock().get(host).copied().unwrap_or(0)
    }

    fn try_acquire(hosts: &Arc<HostCounts>, host: &str) -> Option<HostPermit> {
        let mut used = hosts.0.lock();
        let count = used.entry(host.to_owned()).or_default();
        if *count >= WEBHOOKS_PER_HOST {
            return None;
        }
        *count += 1;
        Some(HostPermit {
            hosts: Arc::clone(hosts),
            host: host.to_owned(),
        })
    }
}

impl Drop for HostPermit {
    fn drop(&mut self) {
        let mut used = self.hosts.0.lock();
        if let Some(count) = used.get_mut(&self.host) {
            *count -= 1;
            if *count == 0 {
                used.remove(&self.host);
            }
        }
    }
}

#[cfg(test)]
#[path = "limiter_tests.rs"]
mod tests;
