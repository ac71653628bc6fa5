//! Limits how many jobs run at once: by kind, and by host and port of a webhook. Jobs that use up one limit do not
//! delay jobs of another.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::queue::Queue;
use super::start::JobWaker;

/// A timer takes one commit, so timers wait only for each other.
const TIMERS: usize = 256;
const LLM_REQUESTS: usize = 256;
const TOOLS: usize = 256;
/// Starts, stops and results of sub-agents. Each takes a few commits.
const AGENTS: usize = 64;
/// To all hosts together.
const WEBHOOKS: usize = 256;
const WEBHOOKS_PER_HOST: usize = 4;
/// Kept for hosts to which nothing is being sent: a second webhook to one host starts only while more are free.
const WEBHOOKS_KEPT: usize = 128;

/// One lock for all of it, so that a job that ends knows whether somebody waits.
#[derive(Debug)]
pub(crate) struct JobLimiter {
    used: Arc<Mutex<Used>>,
    waker: Arc<JobWaker>,
}

#[derive(Debug)]
struct Used {
    timers: Limit,
    llm_requests: Limit,
    tools: Limit,
    agents: Limit,
    webhooks: Limit,
    /// The hosts to which something is being sent.
    hosts: HashMap<String, Limit>,
}

#[derive(Debug)]
struct Limit {
    free: usize,
    /// Whether somebody looked and found too few free. The next job that ends wakes the loop.
    has_waiting: bool,
}

impl Limit {
    fn new(jobs: usize) -> Limit {
        Limit {
            free: jobs,
            has_waiting: false,
        }
    }

    /// Returns whether somebody waits.
    fn give_back(&mut self) -> bool {
        self.free += 1;
        std::mem::take(&mut self.has_waiting)
    }
}

/// Allows one job to run until it is dropped. Then jobs that wait for it are started.
#[derive(Debug)]
pub(crate) struct JobPermit {
    queue: Queue,
    used: Arc<Mutex<Used>>,
    waker: Arc<JobWaker>,
}

impl Drop for JobPermit {
    fn drop(&mut self) {
        if self.used.lock().give_back(&self.queue) {
            self.waker.wake(Some(&self.queue));
        }
    }
}

impl JobLimiter {
    pub(crate) fn new(waker: Arc<JobWaker>) -> JobLimiter {
        let used = Used {
            timers: Limit::new(TIMERS),
            llm_requests: Limit::new(LLM_REQUESTS),
            tools: Limit::new(TOOLS),
            agents: Limit::new(AGENTS),
            webhooks: Limit::new(WEBHOOKS),
            hosts: HashMap::new(),
        };
        JobLimiter {
            used: Arc::new(Mutex::new(used)),
            waker,
        }
    }

    /// How many jobs of a queue can start now. If none, the loop is woken when one may.
    pub(crate) fn free(&self, queue: &Queue) -> usize {
        self.used.lock().free(queue)
    }

    /// A permit for one job of a queue, if the limits allow it.
    pub(crate) fn try_acquire(&self, queue: &Queue) -> Option<JobPermit> {
        let mut used = self.used.lock();
        if used.free(queue) == 0 {
            return None;
        }
        used.take(queue);
        Some(JobPermit {
            queue: queue.clone(),
            used: Arc::clone(&self.used),
            waker: Arc::clone(&self.waker),
        })
    }

    /// The same for a job that was just created. It must not overtake webhooks that wait for their turn.
    pub(crate) fn try_acquire_with_commit(&self, queue: &Queue) -> Option<JobPermit> {
        let has_turns =
            matches!(queue, Queue::Webhook(_)) && self.used.lock().webhooks.free <= WEBHOOKS_KEPT;
        if has_turns {
            return None;
        }
        self.try_acquire(queue)
    }
}

impl Used {
    fn kind(&mut self, queue: &Queue) -> Option<&mut Limit> {
        match queue {
            // They sleep until their undo window ends, and then make one commit.
            Queue::HeldAnswers => None,
            Queue::Timer => Some(&mut self.timers),
            Queue::Llm(_) => Some(&mut self.llm_requests),
            Queue::Tool => Some(&mut self.tools),
            Queue::Agents => Some(&mut self.agents),
            Queue::Webhook(_) => Some(&mut self.webhooks),
        }
    }

    fn free(&mut self, queue: &Queue) -> usize {
        if let Queue::Webhook(host) = queue {
            return self.free_for_host(host);
        }
        let Some(kind) = self.kind(queue) else {
            return usize::MAX;
        };
        kind.has_waiting |= kind.free == 0;
        kind.free
    }

    fn free_for_host(&mut self, host: &str) -> usize {
        let all = &mut self.webhooks;
        let shared = all.free.saturating_sub(WEBHOOKS_KEPT);
        let free = match self.hosts.get_mut(host) {
            Some(host) if host.free == 0 => {
                host.has_waiting = true;
                return 0;
            }
            Some(host) => host.free.min(shared),
            None => WEBHOOKS_PER_HOST.min(shared.max(all.free.min(1))),
        };
        all.has_waiting |= free == 0;
        free
    }

    fn take(&mut self, queue: &Queue) {
        if let Some(kind) = self.kind(queue) {
            kind.free -= 1;
        }
        if let Queue::Webhook(host) = queue {
            let unused = || Limit::new(WEBHOOKS_PER_HOST);
            self.hosts.entry(host.clone()).or_insert_with(unused).free -= 1;
        }
    }

    /// Returns whether somebody waits.
    fn give_back(&mut self, queue: &Queue) -> bool {
        let mut has_waiting = self.kind(queue).is_some_and(Limit::give_back);
        if let Queue::Webhook(name) = queue
            && let Some(host) = self.hosts.get_mut(name)
        {
            has_waiting |= host.give_back();
            if host.free == WEBHOOKS_PER_HOST {
                self.hosts.remove(name);
            }
        }
        has_waiting
    }
}

#[cfg(test)]
#[path = "limiter_tests.rs"]
mod tests;
