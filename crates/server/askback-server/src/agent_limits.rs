//! Limits for each agent with a token of its own: how much it may have pending at once, and ask in an hour.
//!
//! Each server counts what is asked through it since it was started. That needs no index, which every question would pay for.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::Arc;

use askback_core::id::InquiryId;
use askback_engine::Engine;
use askback_wire::problem::{ProblemCode, ProblemResponse};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::OwnedMutexGuard;

use crate::problem::Problem;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// What an agent may do. `None` for as much as it likes.
#[derive(Debug, Clone, Copy, Default)]
pub struct AgentLimits {
    /// Questions without an outcome at once.
    pub pending: Option<NonZeroU32>,
    /// Questions asked in an hour.
    pub per_hour: Option<NonZeroU32>,
}

/// What each agent has asked.
#[derive(Default)]
pub(crate) struct AgentUsage(parking_lot::Mutex<HashMap<String, Arc<tokio::sync::Mutex<Usage>>>>);

/// What one agent has asked. Never more than the limits allow.
#[derive(Default)]
struct Usage {
    pending: Vec<InquiryId>,
    asked_at: VecDeque<Timestamp>,
}

/// An agent may ask. Others of its requests wait until this is dropped, so that two cannot take the last place.
pub(crate) struct AskTurn {
    limits: AgentLimits,
    usage: OwnedMutexGuard<Usage>,
}

impl AgentUsage {
    /// Refuses an agent that has reached a limit. `None` if there are no limits.
    pub(crate) async fn check(
        &self,
        engine: &Engine,
        limits: AgentLimits,
        agent: &str,
    ) -> Result<Option<AskTurn>, Problem> {
        if limits.pending.is_none() && limits.per_hour.is_none() {
            return Ok(None);
        }
        let usage = {
            let mut all = self.0.lock();
            Arc::clone(all.entry(agent.to_owned()).or_default())
        };
        let mut usage = usage.lock_owned().await;
        let now = engine.clock().now();
        if let Some(limit) = limits.per_hour {
            usage.check_hour(limit, now)?;
        }
        if let Some(limit) = limits.pending {
            usage.check_pending(engine, limit).await?;
        }
        Ok(Some(AskTurn { limits, usage }))
    }
}

impl AskTurn {
    /// The agent has asked.
    pub(crate) fn asked(mut self, inquiry: &InquiryId, now: Timestamp) {
        if self.limits.per_hour.is_some() {
            self.usage.asked_at.push_back(now);
        }
        if self.limits.pending.is_some() {
            self.usage.pending.push(inquiry.clone());
        }
    }
}

impl Usage {
    fn check_hour(&mut self, limit: NonZeroU32, now: Timestamp) -> Result<(), Problem> {
        while self.asked_at.front().is_some_and(|at| *at + HOUR <= now) {
            self.asked_at.pop_front();
        }
        let Some(oldest) = self
            .asked_at
            .front()
            .filter(|_| is_full(self.asked_at.len(), limit))
        else {
            return Ok(());
        };
        let detail = format!(
            "This agent may ask {limit} questions in an hour, and has. Ask several questions in one call, decide yourself what \
             you can, or wait. An administrator can raise the limit: --agent-asks-per-hour."
        );
        let wait = (*oldest + HOUR).duration_since(now).as_secs() + 1;
        Err(refused(detail, u32::try_from(wait).ok()))
    }

    /// Looks at the inquiries themselves only if there seem to be too many.
    async fn check_pending(&mut self, engine: &Engine, limit: NonZeroU32) -> Result<(), Problem> {
        if !is_full(self.pending.len(), limit) {
            return Ok(());
        }
        let mut left = Vec::new();
        for id in &self.pending {
            let view = engine.inquiry(id).await?;
            if view.is_some_and(|view| view.resolution.is_none()) {
                left.push(id.clone());
            }
        }
        self.pending = left;
        if !is_full(self.pending.len(), limit) {
            return Ok(());
        }
        let detail = format!(
            "This agent may have {limit} questions pending, and has. Wait for an answer, or withdraw a question. An administrator \
             can raise the limit: --agent-pending-max."
        );
        Err(refused(detail, None))
    }
}

fn is_full(count: usize, limit: NonZeroU32) -> bool {
    u32::try_from(count).is_ok_and(|count| count >= limit.get())
}

fn refused(detail: String, retry_after_seconds: Option<u32>) -> Problem {
    Problem::from(ProblemResponse {
        retry_after_seconds,
        ..ProblemResponse::new(ProblemCode::AgentLimit, detail)
    })
}
