//! Clients that do not say when a person interrupts a call.
//!
//! Their call stays open, and the answer is written to it although nobody reads it. So an older call of the same
//! session is given up when the agent asks again, and an answer that was written is offered once more with the next
//! call: as its result if that asks the same, otherwise as a late answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askback_core::dialect::ParseOptions;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::question::QuestionResponse;
use jiff::Timestamp;
use rmcp::model::JsonObject;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::executor::{Caller, Tool, ToolExecutor};
use crate::tools::{ASSUMPTION, BACKGROUND};

/// An older answer is not taken for that of a call that was interrupted. The user is asked again.
const INTERRUPTED_WITHIN: Duration = Duration::from_mins(10);

/// The waiting calls of clients that do not cancel them, by session.
#[derive(Clone, Default)]
pub(crate) struct WaitingCalls(Arc<Mutex<HashMap<String, Vec<CancellationToken>>>>);

/// A call that may wait. It must end when `superseded` is cancelled.
pub(crate) struct WaitingCall {
    calls: WaitingCalls,
    session: String,
    pub(crate) superseded: CancellationToken,
}

impl WaitingCalls {
    /// Notes a call until the value is dropped.
    pub(crate) fn begin(&self, tool: &Tool, caller: &Caller) -> WaitingCall {
        let superseded = CancellationToken::new();
        let session = caller.asker.session.clone();
        if !caller.client.cancels_calls {
            let mut calls = self.lock();
            let older = calls.entry(session.clone()).or_default();
            // These clients make one such call at a time.
            if matches!(tool, Tool::Ask(_)) {
                older.drain(..).for_each(|call| call.cancel());
            }
            older.push(superseded.clone());
        }
        WaitingCall {
            calls: self.clone(),
            session,
            superseded,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<CancellationToken>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WaitingCall {
    fn drop(&mut self) {
        // The other calls keep their tokens.
        self.superseded.cancel();
        let mut calls = self.calls.lock();
        if let Some(open) = calls.get_mut(&self.session) {
            open.retain(|call| !call.is_cancelled());
            if open.is_empty() {
                calls.remove(&self.session);
            }
        }
    }
}

impl ToolExecutor {
    /// The questions whose outcomes were written since the last call and perhaps not read.
    pub(crate) async fn unread_outcomes(&self, caller: &Caller) -> Vec<InquiryResponse> {
        let mut unread = Vec::new();
        for id in &caller.unread {
            match self.read(id).await {
                Ok(inquiry) if caller.asker.owns(&inquiry) => unread.push(inquiry),
                Ok(_) => {}
                Err(error) => tracing::debug!(%id, %error, "cannot read a delivered question"),
            }
        }
        unread
    }
}

/// Takes the question out of `unread` that a call asks again.
pub(crate) fn take_repeated(
    unread: &mut Vec<InquiryResponse>,
    tool: &Tool,
    arguments: &JsonObject,
    now: Timestamp,
) -> Option<InquiryResponse> {
    let Tool::Ask(dialect) = tool else {
        return None;
    };
    let mut arguments = arguments.clone();
    arguments.retain(|name, _| name != BACKGROUND && name != ASSUMPTION);
    let input = Value::Object(arguments);
    let asked = dialect.parse(&input, ParseOptions::default()).ok()?.inquiry;
    let asked: Vec<QuestionResponse> = asked.questions().iter().map(Into::into).collect();
    let position = unread.iter().position(|inquiry| {
        let age = inquiry.resolved_at.map(|at| now.duration_since(at));
        let is_recent = age.is_some_and(|age| age.unsigned_abs() < INTERRUPTED_WITHIN);
        is_recent && inquiry.dialect == dialect.name() && inquiry.questions == asked
    })?;
    Some(unread.remove(position))
}

#[cfg(test)]
#[path = "unread_answers_tests.rs"]
mod tests;
