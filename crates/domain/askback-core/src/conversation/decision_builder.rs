//! Builds a decision. Every event is applied as it is emitted, so that the next step
//! sees the state it leads to.

use super::Conversation;
use super::decide::{Context, Decision};
use super::event::{CallResult, Event, TurnEnd};
use super::job::Job;
use super::policy::AskRules;
use super::state::{Round, State};
use crate::dialect::Dialect;
use crate::id::CallId;
use crate::limits;

/// A decision while it is being made.
pub(super) struct DecisionBuilder<'a> {
    pub(super) conversation: Conversation,
    pub(super) context: &'a Context,
    ids: crate::id::IdSource,
    events: Vec<Event>,
    jobs: Vec<Job>,
}

impl<'a> DecisionBuilder<'a> {
    pub(super) fn new(conversation: &Conversation, context: &'a Context) -> DecisionBuilder<'a> {
        DecisionBuilder {
            conversation: conversation.clone(),
            context,
            ids: context.ids.clone(),
            events: Vec::new(),
            jobs: Vec::new(),
        }
    }

    pub(super) fn build(self) -> Decision {
        Decision {
            events: self.events,
            jobs: self.jobs,
            after: self.conversation,
        }
    }

    pub(super) fn state(&self) -> &State {
        &self.conversation.state
    }

    /// The rules in force for a dialect.
    pub(super) fn rules(&self, dialect: Dialect) -> AskRules {
        self.conversation.settings.policy.rules(dialect)
    }

    pub(super) fn emit(&mut self, event: Event) {
        self.conversation.apply(&event);
        self.events.push(event);
    }

    pub(super) fn job(&mut self, job: Job) {
        self.jobs.push(job);
    }

    pub(super) fn new_id<T: From<u128>>(&mut self) -> T {
        self.ids.draw()
    }

    /// The open round, if there is one.
    pub(super) fn round(&self) -> Option<&Round> {
        self.state().round()
    }

    /// Whether `call` is the one that the round waits for.
    pub(super) fn is_current(&self, call: &CallId) -> bool {
        self.round().is_some_and(|round| round.is_current(call))
    }

    /// Gives the current call its one result.
    pub(super) fn finish_current(&mut self, result: CallResult) {
        let Some(call) = self.round().and_then(Round::current) else {
            return;
        };
        let call = call.id.clone();
        self.emit(Event::CallFinished { call, result });
    }

    /// Decides on the next provider request.
    pub(super) fn request_llm(&mut self) {
        let request = self.conversation.requests + 1;
        self.request_attempt(request, 1, self.context.now);
    }

    pub(super) fn request_attempt(&mut self, request: u64, attempt: u32, due: jiff::Timestamp) {
        self.emit(Event::LlmRequested {
            request,
            attempt,
            due,
        });
        self.job(Job::RequestLlm {
            request,
            attempt,
            due,
        });
    }

    /// Ends the agent's turn. A sub-agent reports `report` to its parent, whatever the end was, so
    /// that the parent never waits for a child that is gone.
    pub(super) fn end(&mut self, end: TurnEnd, report: CallResult) {
        self.emit(Event::TurnEnded { end });
        if let Some(parent) = self.conversation.settings.parent.clone() {
            self.job(Job::ReportToParent {
                parent: parent.conversation,
                call: parent.call,
                result: report.bounded(limits::RESULT_CHARS_MAX),
            });
        }
    }
}

impl CallResult {
    /// A result that is an error.
    pub fn error(content: impl Into<String>) -> CallResult {
        CallResult {
            content: content.into(),
            is_error: true,
        }
    }

    /// A result that is not an error.
    pub fn ok(content: impl Into<String>) -> CallResult {
        CallResult {
            content: content.into(),
            is_error: false,
        }
    }

    /// What came in from outside with no more text than is kept, and never without any. Results
    /// of our own, the user's answers among them, are built from bounded parts and never cut.
    pub(super) fn bounded(mut self, chars_max: usize) -> CallResult {
        let cut = self.content.char_indices().nth(chars_max);
        if let Some((at, _)) = cut {
            self.content.truncate(at);
            self.content.push_str("\n[cut: the result was longer]");
        }
        if self.content.trim().is_empty() {
            // Providers refuse empty results, and an empty one says nothing to a model.
            "[no output]".clone_into(&mut self.content);
        }
        self
    }
}
