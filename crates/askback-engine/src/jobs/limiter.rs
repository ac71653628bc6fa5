//! How many jobs run side by side: a limit for each kind, and one for each webhook host. What uses up
//! one limit leaves the others alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::queue::Queue;

/// Timers whose commits are under way side by side. They wait for each other, never for work.
const TIMERS: usize = 256;
/// Provider requests that run side by side.
const LLM_REQUESTS: usize = 256;
/// Tools that run side by side.
const TOOLS: usize = 256;
/// Starts, stops and reports of sub-agents that run side by side. Each is a few commits.
const AGENTS: usize = 64;
/// Webhooks that are delivered side by side, to all hosts together.
const WEBHOOKS: usize = 256;
/// Webhooks that are delivered side by side to one host.
const WEBHOOKS_PER_HOST: usize = 4;

/// The limits, and what is in use of each.
#[derive(Debug)]
pub(crate) struct JobLimiter {
    timers: Arc<Semaphore>,
    llm_requests: Arc<Semaphore>,
    tools: Arc<Semaphore>,
    agents: Arc<Semaphore>,
    webhooks: Arc<Semaphore>,
    hosts: Arc<Hosts>,
}

/// How many webhooks are on their way to each host; hosts without any are not in here.
#[derive(Debug, Default)]
struct Hosts(Mutex<HashMap<String, usize>>);

/// Permission to run one job, until it is dropped.
#[derive(Debug)]
pub(crate) struct JobPermit {
    _kind: OwnedSemaphorePermit,
    _host: Option<HostPermit>,
}

#[derive(Debug)]
struct HostPermit {
    hosts: Arc<Hosts>,
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
            hosts: Arc::new(Hosts::default()),
        }
    }
}

impl JobLimiter {
    /// How many jobs of a queue can begin now.
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

    /// Permission to run a job of a queue, if its limits allow one more.
    pub(crate) fn take(&self, queue: &Queue) -> Option<JobPermit> {
        let kind = Arc::clone(self.kind(queue)?).try_acquire_owned().ok()?;
        let host = match queue {
            Queue::Webhook(host) => Some(Hosts::take(&self.hosts, host)?),
            Queue::Timer | Queue::HeldAnswers | Queue::Llm(_) | Queue::Tool | Queue::Agents => None,
        };
        Some(JobPermit {
            _kind: kind,
            _host: host,
        })
    }

    fn kind(&self, queue: &Queue) -> Option<&Arc<Semaphore>> {
        match queue {
            // They only wait, and a commit is all there is to do in the end.
            Queue::HeldAnswers => None,
            Queue::Timer => Some(&self.timers),
            Queue::Llm(_) => Some(&self.llm_requests),
            Queue::Tool => Some(&self.tools),
            Queue::Agents => Some(&self.agents),
            Queue::Webhook(_) => Some(&self.webhooks),
        }
    }
}

impl Hosts {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn used(&self, host: &str) -> usize {
        self.lock().get(host).copied().unwrap_or(0)
    }

    fn take(hosts: &Arc<Hosts>, host: &str) -> Option<HostPermit> {
        let mut used = hosts.lock();
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
        let mut used = self.hosts.lock();
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
