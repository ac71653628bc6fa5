//! Clients that do not say when a person interrupts a call.
//!
//! Their call stays open, and the answer is written to it although nobody reads it. So an older call of the same
//! session is given up when the agent asks again, and an answer that was written is offered once more, as a late
//! answer, with the next call. If that asks the same, the person is asked again instead: most answers were read, and
//! one that was used must not be used for another decision.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use askback_core::dialect::ParseOptions;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::question::QuestionResponse;
use rmcp::model::JsonObject;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::call::executor::{Caller, Tool};
use crate::tools::{ASSUMPTION, BACKGROUND};

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
        let session = caller.asker.session_key();
        if !caller.client.cancels_calls {
            let mut calls = self.0.lock();
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
}

impl Drop for WaitingCall {
    fn drop(&mut self) {
        // The other calls keep their tokens.
        self.superseded.cancel();
        let mut calls = self.calls.0.lock();
        if let Some(open) = calls.get_mut(&self.session) {
            open.retain(|call| !call.is_cancelled());
            if open.is_empty() {
                calls.remove(&self.session);
            }
        }
    }
}

/// Drops what a call asks again from `unread`: the new answer will count.
pub(crate) fn drop_repeated(
    unread: &mut Vec<InquiryResponse>,
    tool: &Tool,
    arguments: &JsonObject,
) {
    let Tool::Ask(dialect) = tool else {
        return;
    };
    let mut arguments = arguments.clone();
    arguments.retain(|name, _| name != BACKGROUND && name != ASSUMPTION);
    let input = Value::Object(arguments);
    let Ok(parsed) = dialect.parse(&input, ParseOptions::default()) else {
        return;
    };
    let asked = parsed.inquiry.questions().iter();
    let asked: Vec<QuestionResponse> = asked.map(Into::into).collect();
    unread.retain(|inquiry| inquiry.dialect != dialect.name() || inquiry.questions != asked);
}

#[cfg(test)]
#[path = "unread_answers_tests.rs"]
mod tests;
