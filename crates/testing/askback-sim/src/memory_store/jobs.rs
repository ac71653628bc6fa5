//! Jobs and their claims.

use std::collections::BTreeSet;
use std::time::Duration;

use askback_store::{JobClaim, JobId, JobRow};
use jiff::{SignedDuration, Timestamp};

use super::tables::{Claim, Tables, Written};

impl Tables {
    pub(super) fn job_queues(&self) -> Vec<String> {
        let queues: BTreeSet<&String> = self.jobs.values().map(|job| &job.queue).collect();
        queues.into_iter().cloned().collect()
    }

    pub(super) fn claim_jobs(
        &mut self,
        process: usize,
        queue: &str,
        now: Timestamp,
        limit: usize,
    ) -> JobClaim {
        let mut free: Vec<(Timestamp, JobId)> = Vec::new();
        for (id, job) in self.jobs.iter().filter(|(_, job)| job.queue == queue) {
            if self.claims.get(id).is_none_or(|claim| claim.is_abandoned) {
                free.push((job.run_at, *id));
            }
        }
        free.sort_unstable();
        let mut claim = JobClaim {
            jobs: Vec::new(),
            next_at: None,
        };
        for (run_at, id) in free {
            if run_at > now || claim.jobs.len() >= limit {
                claim.next_at = Some(run_at);
                break;
            }
            claim.jobs.extend(self.claim_job(process, id));
        }
        claim
    }

    fn claim_job(&mut self, process: usize, id: JobId) -> Option<JobRow> {
        let job = self.jobs.get(&id)?;
        let before = self.claims.get(&id);
        let attempt = before.map_or(job.attempts, |claim| claim.attempt) + 1;
        let claim = Claim {
            process,
            attempt,
            is_abandoned: false,
        };
        self.claims.insert(id, claim);
        Some(JobRow {
            id,
            conversation: job.conversation.clone(),
            queue: job.queue.clone(),
            kind: job.kind.clone(),
            json: job.json.clone(),
            run_at: job.run_at,
            attempt,
        })
    }

    pub(super) fn holds_claim(&self, process: usize, id: JobId) -> bool {
        let claim = self.claims.get(&id);
        claim.is_some_and(|claim| claim.process == process && !claim.is_abandoned)
    }

    pub(super) fn abandon_job(&mut self, process: usize, id: JobId) {
        if let Some(claim) = self.claims.get_mut(&id)
            && claim.process == process
        {
            claim.is_abandoned = true;
        }
    }

    /// A job that another process has claimed is left alone.
    pub(super) fn list_jobs(&self, prefix: &str, after: JobId, limit: usize) -> Vec<JobRow> {
        let later = self.jobs.range(after + 1..);
        let queued = later.filter(|(_, job)| job.queue.starts_with(prefix));
        let jobs = queued.map(|(id, job)| JobRow {
            id: *id,
            conversation: job.conversation.clone(),
            queue: job.queue.clone(),
            kind: job.kind.clone(),
            json: job.json.clone(),
            run_at: job.run_at,
            attempt: job.attempts,
        });
        jobs.take(limit).collect()
    }

    pub(super) fn replace_job(&mut self, process: usize, id: JobId, json: &str) {
        if !self.is_taken(process, id)
            && let Some(job) = self.jobs.get_mut(&id)
        {
            json.clone_into(&mut job.json);
        }
    }

    pub(super) fn release_job(
        &mut self,
        process: usize,
        id: JobId,
        run_at: Timestamp,
    ) -> Written<()> {
        if self.is_taken(process, id) {
            return Written::from(());
        }
        let attempt = self.claims.get(&id).map_or(0, |claim| claim.attempt);
        if let Some(job) = self.jobs.get_mut(&id) {
            job.run_at = run_at;
            job.attempts = job.attempts.max(attempt);
        }
        Written {
            freed: vec![id],
            ..Written::from(())
        }
    }

    pub(super) fn finish_job(&mut self, process: usize, id: JobId) -> Written<()> {
        if self.is_taken(process, id) {
            return Written::from(());
        }
        self.jobs.remove(&id);
        Written {
            freed: vec![id],
            ..Written::from(())
        }
    }

    pub(super) fn bring_forward(&mut self, queue: &str, now: Timestamp, by: SignedDuration) {
        let jobs = self.jobs.values_mut();
        for job in jobs.filter(|job| job.queue == queue && job.run_at > now) {
            job.run_at = job.run_at.checked_sub(by).unwrap_or(now).max(now);
        }
    }

    /// Whether another process has claimed a job.
    pub(super) fn is_taken(&self, process: usize, id: JobId) -> bool {
        let claim = self.claims.get(&id);
        claim.is_some_and(|claim| claim.process != process)
    }

    pub(crate) fn has_lease(&self, node: usize) -> bool {
        self.leases.contains_key(&node)
    }

    pub(crate) fn set_lease(&mut self, node: usize, until: Duration) {
        self.leases.insert(node, until);
    }

    /// Ends a lease, and the claims that it stands for.
    pub(crate) fn end_lease(&mut self, node: usize) {
        self.leases.remove(&node);
        self.end_process(node);
    }

    /// Ends all leases that are over, except one.
    pub(crate) fn end_leases(&mut self, now: Duration, except: usize) -> Vec<usize> {
        let leases = self.leases.iter();
        let ended = leases.filter(|(node, until)| **until < now && **node != except);
        let ended: Vec<usize> = ended.map(|(node, _)| *node).collect();
        for node in &ended {
            self.end_lease(*node);
        }
        ended
    }

    /// Ends the claims of a process that is gone.
    pub(crate) fn end_process(&mut self, process: usize) {
        self.claims.retain(|_, claim| claim.process != process);
    }
}
