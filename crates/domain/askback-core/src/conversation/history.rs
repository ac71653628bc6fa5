//! What a provider is sent: the conversation with only whole rounds in it.

use std::sync::Arc;

use super::event::{AssistantReply, CallResult, Event};
use crate::id::CallId;
use crate::text::Text;

/// One step of the history.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryEntry {
    /// The user said something.
    User(Text),
    /// The model replied, and each of its calls has its result, in the order of the calls.
    Assistant {
        /// What it said and called.
        reply: AssistantReply,
        /// The results, one for each call.
        results: Vec<CallResult>,
    },
}

/// The history that the events give.
///
/// A round enters it when its last call has its result. A message that was written into an open
/// round, as an answer, follows the round. A round that is still open is left out.
pub fn history<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<HistoryEntry> {
    let mut history = History::default();
    for event in events {
        history.take(event);
    }
    Arc::unwrap_or_clone(history.entries)
}

/// A history that grows with the events, so that whoever keeps it reads each of them once.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// Shared with whoever reads it; copied only if it grows while somebody does.
    entries: Arc<Vec<HistoryEntry>>,
    open: Option<(AssistantReply, Vec<(CallId, CallResult)>)>,
    held: Vec<Text>,
}

impl History {
    /// What is whole of it so far.
    pub fn entries(&self) -> &Arc<Vec<HistoryEntry>> {
        &self.entries
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::MessageReceived { text, .. } if self.open.is_some() => {
                self.held.push(text.clone());
            }
            Event::MessageReceived { text, .. } => self.push(HistoryEntry::User(text.clone())),
            Event::AssistantReplied { reply } if reply.calls.is_empty() => {
                self.push(HistoryEntry::Assistant {
                    reply: reply.clone(),
                    results: Vec::new(),
                });
            }
            Event::AssistantReplied { reply } => self.open = Some((reply.clone(), Vec::new())),
            Event::CallFinished { call, result } => {
                if let Some((_, results)) = &mut self.open {
                    results.push((call.clone(), result.clone()));
                }
            }
            Event::RoundFinished => self.close(),
            Event::Started { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::CallStarted { .. }
            | Event::InquiryAsked { .. }
            | Event::DeadlineMoved { .. }
            | Event::InquiryHandedOn { .. }
            | Event::InquiryReminded { .. }
            | Event::AnswerHeld { .. }
            | Event::AnswerTakenBack { .. }
            | Event::InquiryResolved { .. }
            | Event::SubAgentsStarted { .. }
            | Event::SubAgentFinished { .. }
            | Event::TurnEnded { .. }
            | Event::Closed { .. } => {}
        }
    }

    fn close(&mut self) {
        let Some((reply, results)) = self.open.take() else {
            return;
        };
        // The machine settles calls in their order, and finishes a round only when every call has
        // its result.
        let ids = reply.calls.iter().map(|call| &call.id);
        if ids.eq(results.iter().map(|(id, _)| id)) {
            let results = results.into_iter().map(|(_, result)| result).collect();
            self.push(HistoryEntry::Assistant { reply, results });
        }
        let held = self.held.drain(..).map(HistoryEntry::User);
        Arc::make_mut(&mut self.entries).extend(held);
    }

    fn push(&mut self, entry: HistoryEntry) {
        Arc::make_mut(&mut self.entries).push(entry);
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
