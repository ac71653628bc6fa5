//! Asks the user for a tool that runs.

use askback_core::conversation::command::Command;
use askback_core::conversation::event::Event;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::ToolQuestion;
use askback_core::id::{CallId, ConversationId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, UndeliverableReason};
use tokio::sync::watch;

use super::{STORE_RETRY_DELAY, system};
use crate::engine::Engine;
use crate::ports::{AskUser, PortFuture};
use crate::submit::SubmitError;

/// How long one wait for the outcome takes; then the row is read again.
const WAIT: std::time::Duration = std::time::Duration::from_hours(1);

/// Asks for one call.
pub(super) struct ToolAsker {
    engine: Engine,
    conversation: ConversationId,
    call: CallId,
    /// How many questions wait for their outcome.
    waiting: watch::Sender<usize>,
}

impl ToolAsker {
    pub(super) fn new(engine: &Engine, conversation: &ConversationId, call: &CallId) -> ToolAsker {
        ToolAsker {
            engine: engine.clone(),
            conversation: conversation.clone(),
            call: call.clone(),
            waiting: watch::Sender::new(0),
        }
    }

    /// Returns when the engine shuts down while a question waits. A shutdown waits for tools, but not
    /// for people.
    pub(super) async fn waits_at_shutdown(&self) {
        self.engine.inner.shutdown.wait_until_closing().await;
        let mut waiting = self.waiting.subscribe();
        if waiting.wait_for(|waiting| *waiting > 0).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    async fn ask_and_wait(&self, inquiry: Inquiry) -> Outcome {
        let _waiting = CountWaiting::new(&self.waiting);
        let asked = Command::ToolAsked {
            call: self.call.clone(),
            inquiry,
            how: ToolQuestion::Running,
        };
        let submitted = self.engine.submit(&self.conversation, asked, system());
        let submitted = match submitted.await {
            Ok(submitted) => submitted,
            Err(SubmitError::Rejected(Rejection::Undeliverable(_))) => {
                let reason = UndeliverableReason::NobodyThere;
                return Outcome::Undeliverable { reason };
            }
            Err(error) => {
                tracing::warn!(%error, call = %self.call, "cannot ask the question of a tool");
                return Outcome::Withdrawn;
            }
        };
        let [(_, Event::InquiryAsked { pending })] = submitted.record.events.as_slice() else {
            return Outcome::Withdrawn;
        };
        let id = pending.id.clone();
        let mut open = OpenQuestion {
            asker: self,
            inquiry: Some(id.clone()),
        };
        let outcome = tokio::select! {
            biased;
            outcome = self.wait_for_outcome(&id) => outcome,
            // Nobody may hold the engine any longer. The next server withdraws the question.
            () = self.engine.inner.shutdown.wait_until_closing() => {
                self.waiting.send_modify(|waiting| *waiting += 1);
                Outcome::Withdrawn
            }
        };
        open.inquiry = None;
        outcome
    }

    async fn wait_for_outcome(&self, id: &InquiryId) -> Outcome {
        loop {
            match self.engine.wait_for(id, WAIT).await {
                Ok(Some(view)) => {
                    if let Some(stored) = view.resolution {
                        return stored.resolution.outcome;
                    }
                }
                Ok(None) => return Outcome::Withdrawn,
                Err(error) => {
                    tracing::warn!(%error, inquiry = %id, "cannot read the outcome; trying again");
                    if !self.engine.sleep_unless_stopping(STORE_RETRY_DELAY).await {
                        return std::future::pending().await;
                    }
                }
            }
        }
    }
}

impl AskUser for ToolAsker {
    fn ask(&self, inquiry: Inquiry) -> PortFuture<'_, Outcome> {
        Box::pin(self.ask_and_wait(inquiry))
    }
}

struct CountWaiting<'a>(&'a watch::Sender<usize>);

impl<'a> CountWaiting<'a> {
    fn new(waiting: &'a watch::Sender<usize>) -> CountWaiting<'a> {
        waiting.send_modify(|waiting| *waiting += 1);
        CountWaiting(waiting)
    }
}

impl Drop for CountWaiting<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|waiting| *waiting -= 1);
    }
}

/// A question that is withdrawn if nobody waits for its outcome any more.
struct OpenQuestion<'a> {
    asker: &'a ToolAsker,
    inquiry: Option<InquiryId>,
}

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        let Some(inquiry) = self.inquiry.take() else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.asker.engine.inner.shutdown.is_closing() {
            return;
        }
        let engine = self.asker.engine.clone();
        let conversation = self.asker.conversation.clone();
        runtime.spawn(async move {
            let withdraw = Command::Withdraw {
                target: Some(inquiry.into()),
            };
            if let Err(error) = engine.submit(&conversation, withdraw, system()).await {
                tracing::debug!(%error, "the question of a tool needs no withdrawal");
            }
        });
    }
}
