//! A conversation under test. Every step is decided twice, stored, restored and entered in the
//! invariants, so that whoever drives it checks the rules of the machine at the same time.

use askback_core::conversation::command::{Command, RawCall};
use askback_core::conversation::event::{CallResult, Event};
use askback_core::conversation::history::{HistoryEntry, history};
use askback_core::conversation::job::Job;
use askback_core::conversation::policy::Policy;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::{PendingInquiries, Round, State};
use askback_core::conversation::{
    Context, Conversation, ConversationSettings, Decision, Driver, Parent,
};
use askback_core::id::{CallId, ConversationId, IdSource, InquiryId};
use askback_core::identity::NodeName;
use askback_core::outcome::{Actor, Surface};
use jiff::{SignedDuration, Timestamp};

use super::invariants::InvariantChecker;
use super::samples;

/// Who drives a conversation, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Parent,
    SubAgent,
    External,
}

/// A conversation with everything that led to it.
#[derive(Debug, Clone)]
pub(crate) struct CheckedConversation {
    pub(crate) conversation: Conversation,
    pub(crate) events: Vec<Event>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) now: Timestamp,
    pub(crate) surface: Surface,
    steps: u128,
    invariants: InvariantChecker,
    /// What the stored events give.
    restored: Conversation,
}

impl CheckedConversation {
    pub(crate) fn agent() -> CheckedConversation {
        CheckedConversation::new(Kind::Parent, Policy::default())
    }

    pub(crate) fn sub_agent() -> CheckedConversation {
        CheckedConversation::new(Kind::SubAgent, Policy::default())
    }

    pub(crate) fn external() -> CheckedConversation {
        CheckedConversation::new(Kind::External, Policy::default())
    }

    pub(crate) fn new(kind: Kind, policy: Policy) -> CheckedConversation {
        let parent = Parent {
            conversation: ConversationId::new("cnv_parent"),
            call: CallId::new("call_parent"),
        };
        let settings = ConversationSettings {
            id: ConversationId::new("cnv_own"),
            driver: match kind {
                Kind::Parent | Kind::SubAgent => Driver::BuiltIn,
                Kind::External => Driver::External,
            },
            parent: (kind == Kind::SubAgent).then_some(parent),
            policy,
            provider: None,
        };
        CheckedConversation::of(settings)
    }

    pub(crate) fn of(settings: ConversationSettings) -> CheckedConversation {
        let (conversation, started) = Conversation::start(settings);
        let restored = Conversation::replay([&stored(&conversation, &started)]).unwrap();
        assert_eq!(restored, conversation);
        CheckedConversation {
            conversation,
            events: vec![started],
            jobs: Vec::new(),
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
            surface: Surface::Terminal,
            steps: 0,
            invariants: InvariantChecker::default(),
            restored,
        }
    }

    /// Decides on a command and lets what follows from it happen.
    pub(crate) fn submit(&mut self, command: &Command) -> Result<Decision, Rejection> {
        let decided = self.decide(command);
        self.steps += 1;
        let decision = decided?;
        self.commit(&decision);
        Ok(decision)
    }

    /// Decides on a command without anything coming of it.
    pub(crate) fn decide(&self, command: &Command) -> Result<Decision, Rejection> {
        let context = Context {
            now: self.now,
            ids: IdSource::new((self.steps + 1) << 32),
            actor: Actor::new(None, self.surface),
            node: NodeName::clean("node-1"),
        };
        let before = self.conversation.clone();
        let decided = self.conversation.decide(command, &context);
        assert_eq!(decided, before.decide(command, &context), "decided twice");
        assert_eq!(self.conversation, before, "deciding changes nothing");
        decided
    }

    fn commit(&mut self, decision: &Decision) {
        self.invariants
            .enter(self.now, &self.conversation, decision);
        for event in &decision.events {
            self.restored.apply(&stored(&decision.after, event));
        }
        assert_eq!(self.restored, decision.after, "replay gives the state");
        let snapshot = askback_testkit::stored::conversation(&decision.after).unwrap();
        assert_eq!(snapshot, without_settled_inputs(decision.after.clone()));
        for job in &decision.jobs {
            let read = askback_testkit::stored::job(job).unwrap();
            assert!(read.is_none_or(|read| read == *job), "{job:?}");
        }
        self.events.extend(decision.events.iter().cloned());
        self.jobs.extend(decision.jobs.iter().cloned());
        self.conversation = decision.after.clone();
        if decision.events.contains(&Event::RoundFinished) {
            self.check_history();
        }
    }

    /// The process dies and another one opens the store.
    pub(crate) fn crash(&mut self) {
        let events: Vec<Event> = self
            .events
            .iter()
            .map(|event| stored(&self.conversation, event))
            .collect();
        assert_eq!(events, self.events);
        let conversation = Conversation::replay(&events).unwrap();
        assert_eq!(conversation, self.conversation, "a restart changes nothing");
        self.conversation = conversation;
    }

    /// What a provider would be sent holds whole rounds only, and no id twice within one.
    pub(crate) fn check_history(&self) {
        for entry in history(&self.events) {
            let HistoryEntry::Assistant { reply, results } = entry else {
                continue;
            };
            assert_eq!(reply.calls.len(), results.len(), "every call is paired");
            let mut ids: Vec<&str> = reply.calls.iter().map(|c| c.provider_id.as_str()).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), reply.calls.len(), "provider ids are unique");
            let empty = results
                .iter()
                .any(|result| result.content.trim().is_empty());
            assert!(!empty, "every result says something");
        }
    }

    /// Helps the conversation to rest: the model says its last words, tools finish, sub-agents
    /// report, questions are declined or expire, or their answers take effect.
    pub(crate) fn finish(&mut self) {
        let calls = self
            .conversation
            .state
            .round()
            .map_or(0, |round| round.calls().len());
        let bound = 8 * calls + self.conversation.state.pending().len() + 8;
        for _ in 0..bound {
            let Some(help) = self.help() else {
                return;
            };
            self.submit(&help).unwrap();
        }
        panic!(
            "still {} after {bound} steps",
            self.conversation.state.name()
        );
    }

    fn help(&self) -> Option<Command> {
        match &self.conversation.state {
            State::Idle | State::Closed => None,
            State::LlmRequesting {
                request, attempt, ..
            } => Some(samples::reply_to(*request, *attempt, "Done.", &[])),
            State::ToolExecuting { started: false, .. } => Some(Command::ToolStarted {
                call: self.current_call(),
            }),
            State::ToolExecuting { started: true, .. } => {
                Some(samples::finish(self.current_call(), "done"))
            }
            State::AwaitingUserResponse(_) => {
                let pending = &self.conversation.state.pending()[0];
                let inquiry = pending.id.clone();
                Some(match &pending.held {
                    Some(held) => samples::release(inquiry, held.until),
                    None if pending.is_expired(self.now) => samples::expire(inquiry),
                    None => samples::decline(inquiry),
                })
            }
            State::AwaitingSubAgents { children, .. } => {
                let open = children.iter().find(|child| child.result.is_none());
                Some(Command::SubAgentFinished {
                    child: open.unwrap().started.conversation.clone(),
                    result: CallResult::ok("done"),
                })
            }
            State::Error { .. } => Some(samples::say("Again.")),
        }
    }

    // Steps that must be granted.

    #[track_caller]
    pub(crate) fn after(mut self, command: &Command) -> CheckedConversation {
        let decided = self.submit(command);
        assert!(decided.is_ok(), "{command:?} refused: {decided:?}");
        self
    }

    pub(crate) fn says(self, text: &str) -> CheckedConversation {
        self.after(&samples::say(text))
    }

    /// The model replies with these calls.
    pub(crate) fn calls(self, calls: &[RawCall]) -> CheckedConversation {
        let State::LlmRequesting {
            request, attempt, ..
        } = self.conversation.state
        else {
            panic!("{} does not wait for a reply", self.state());
        };
        self.after(&samples::reply_to(request, attempt, "", calls))
    }

    /// The user says something and the model answers with these calls.
    pub(crate) fn round(self, calls: &[RawCall]) -> CheckedConversation {
        self.says("Do it.").calls(calls)
    }

    pub(crate) fn starts(self) -> CheckedConversation {
        let call = self.current_call();
        self.after(&Command::ToolStarted { call })
    }

    pub(crate) fn runs(self, output: &str) -> CheckedConversation {
        let call = self.current_call();
        self.starts().after(&samples::finish(call, output))
    }

    pub(crate) fn answers(self) -> CheckedConversation {
        let inquiry = self.inquiry();
        self.after(&samples::answer(inquiry))
    }

    pub(crate) fn later(mut self, seconds: i64) -> CheckedConversation {
        self.now += SignedDuration::from_secs(seconds);
        self
    }

    /// The code with which a command is refused, or `granted`.
    pub(crate) fn verdict(&self, command: &Command) -> &'static str {
        self.decide(command)
            .map_or_else(|no| no.code(), |_| "granted")
    }

    // What there is.

    pub(crate) fn state(&self) -> &'static str {
        self.conversation.state.name()
    }

    /// The inquiry that waits longest.
    pub(crate) fn inquiry(&self) -> InquiryId {
        self.conversation.state.pending()[0].id.clone()
    }

    pub(crate) fn current_call(&self) -> CallId {
        let round = self.conversation.state.round();
        round.and_then(Round::current).unwrap().id.clone()
    }

    /// All inquiries, in the order in which they were asked.
    pub(crate) fn inquiries(&self) -> Vec<InquiryId> {
        let asked = self.events.iter().filter_map(|event| {
            let Event::InquiryAsked { pending } = event else {
                return None;
            };
            Some(pending.id.clone())
        });
        asked.collect()
    }

    /// All calls, in the order in which they were made.
    pub(crate) fn made_calls(&self) -> Vec<CallId> {
        let calls = self.events.iter().flat_map(|event| {
            let Event::AssistantReplied { reply } = event else {
                return &[][..];
            };
            &reply.calls
        });
        calls.map(|call| call.id.clone()).collect()
    }

    /// All sub-agents, in the order in which they were started.
    pub(crate) fn children(&self) -> Vec<ConversationId> {
        let children = self.events.iter().flat_map(|event| {
            let Event::SubAgentsStarted { children, .. } = event else {
                return &[][..];
            };
            children
        });
        children.map(|child| child.conversation.clone()).collect()
    }

    /// The results that calls have, in the order in which they got them.
    pub(crate) fn results(&self) -> Vec<CallResult> {
        let results = self.events.iter().filter_map(|event| {
            let Event::CallFinished { result, .. } = event else {
                return None;
            };
            Some(result.clone())
        });
        results.collect()
    }
}

/// An event as it comes back from a store.
pub(crate) fn stored(conversation: &Conversation, event: &Event) -> Event {
    let read = askback_testkit::stored::event(&conversation.settings.id, event);
    read.unwrap().expect("it was not removed")
}

/// Snapshots leave out the inputs of calls up to the current one.
fn without_settled_inputs(mut conversation: Conversation) -> Conversation {
    if let State::ToolExecuting { round, .. }
    | State::AwaitingUserResponse(PendingInquiries::Agent { round, .. })
    | State::AwaitingSubAgents { round, .. } = &mut conversation.state
    {
        let mut calls = round.calls().to_vec();
        for call in calls.iter_mut().take(round.position() + 1) {
            call.input = serde_json::Value::Null;
        }
        *round = Round::restore(calls, round.position()).unwrap();
    }
    conversation
}
