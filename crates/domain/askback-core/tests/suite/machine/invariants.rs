//! The books of a conversation, kept apart from it: what was asked, called, run and promised. Each
//! decision is entered, and must agree with them.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::conversation::event::{CallResult, ChildStarted, Event, ToolCall, TurnEnd};
use askback_core::conversation::job::{Job, ToolResume};
use askback_core::conversation::spawn;
use askback_core::conversation::state::{HeldAnswer, PendingInquiries, State, ToolQuestion};
use askback_core::conversation::{Conversation, Decision};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId};
use askback_core::outcome::{Outcome, Resolution};
use jiff::Timestamp;

#[derive(Debug, Clone, Default)]
pub(super) struct InvariantChecker {
    /// Every id of our own ever given out.
    ids: BTreeSet<String>,
    /// Answers that can be taken back.
    held: BTreeMap<InquiryId, HeldAnswer>,
    /// Inquiries that wait, with their deadlines.
    waiting: Vec<(InquiryId, Option<Timestamp>)>,
    resolved: BTreeSet<InquiryId>,
    /// The calls of the open round and how many have their result.
    round: Option<(Vec<ToolCall>, usize)>,
    /// How often a tool was to be run, by call.
    runs: BTreeMap<CallId, u32>,
    started: BTreeSet<CallId>,
    /// The sub-agents of the current call that have not reported.
    children: BTreeSet<ConversationId>,
    timers: Vec<(InquiryId, Timestamp)>,
    /// Whose deadline was reminded of.
    reminded: BTreeSet<InquiryId>,
}

impl InvariantChecker {
    pub(super) fn enter(&mut self, now: Timestamp, before: &Conversation, decision: &Decision) {
        assert!(!decision.events.is_empty(), "a decision has events");
        let version = before.version + u64::try_from(decision.events.len()).unwrap();
        assert_eq!(decision.after.version, version, "versions count events");
        check_jobs(now, before, decision);
        for event in &decision.events {
            self.take(event);
        }
        for job in &decision.jobs {
            self.take_job(job);
        }
        self.agree(&decision.after);
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each event")]
    fn take(&mut self, event: &Event) {
        match event {
            Event::MessageReceived { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::Closed { .. } => {}
            Event::Started { .. } => panic!("a conversation begins once"),
            Event::AssistantReplied { reply } => {
                assert!(self.round.is_none(), "one round at a time");
                for call in &reply.calls {
                    self.new_id(call.id.as_str());
                }
                if !reply.calls.is_empty() {
                    self.round = Some((reply.calls.clone(), 0));
                }
            }
            Event::CallStarted { call } => {
                assert_eq!(self.current().map(|call| &call.id), Some(call));
                assert!(self.started.insert(call.clone()), "begun once");
            }
            Event::CallFinished { call, .. } => self.finish_call(call),
            Event::InquiryAsked { pending } => {
                self.new_id(pending.id.as_str());
                let call = self.current().map(|call| call.id.clone());
                assert_eq!(pending.call, call, "asked for the current call");
                self.waiting.push((pending.id.clone(), pending.expires_at));
                if let Some(ToolQuestion::Returned(_)) = pending.tool {
                    // The tool has returned, and runs once more with the outcome.
                    let call = pending.call.as_ref().unwrap();
                    assert!(self.started.remove(call), "it has run");
                    self.runs.remove(call);
                }
            }
            Event::DeadlineMoved {
                inquiry,
                expires_at,
                ..
            } => {
                self.reminded.remove(inquiry);
                let waiting = self.waiting.iter_mut().find(|(id, _)| id == inquiry);
                waiting.unwrap().1 = *expires_at;
            }
            Event::InquiryHandedOn { inquiry, .. } => {
                let mut waiting = self.waiting.iter();
                assert!(waiting.any(|(id, _)| id == inquiry), "it waits");
                assert!(!self.held.contains_key(inquiry), "it has no answer");
            }
            Event::InquiryReminded {
                inquiry,
                expires_at,
            } => {
                let named = (inquiry.clone(), Some(*expires_at));
                assert!(self.waiting.contains(&named), "of a deadline that stands");
                assert!(self.reminded.insert(inquiry.clone()), "reminded once");
            }
            Event::AnswerHeld { .. } => self.answer_held(event),
            Event::AnswerTakenBack { inquiry, .. } => {
                assert!(self.held.remove(inquiry).is_some(), "there is one");
            }
            Event::InquiryResolved {
                inquiry,
                resolution,
                ..
            } => self.resolve(inquiry, resolution),
            Event::SubAgentsStarted { call, children } => self.start_children(call, children),
            Event::SubAgentFinished { child, .. } => {
                assert!(self.children.remove(child), "reports once");
            }
            Event::RoundFinished => {
                let (calls, finished) = self.round.take().unwrap();
                assert_eq!(finished, calls.len(), "no call without its result");
            }
            Event::TurnEnded { .. } => {
                assert!(self.round.is_none(), "no turn ends with an open round");
                assert!(self.waiting.is_empty(), "no turn ends with a question open");
            }
        }
    }

    fn take_job(&mut self, job: &Job) {
        match job {
            Job::RunTool { call, .. } => *self.runs.entry(call.clone()).or_default() += 1,
            Job::ExpireInquiry { inquiry, at } | Job::CommitHeldAnswer { inquiry, at, .. } => {
                self.timers.push((inquiry.clone(), *at));
            }
            Job::RemindInquiry { at, expires_at, .. } => assert!(at < expires_at, "in time"),
            Job::RequestLlm { .. }
            | Job::AbortRequest { .. }
            | Job::AbortTool { .. }
            | Job::StartSubAgents { .. }
            | Job::StopSubAgents { .. }
            | Job::ReportToParent { .. }
            | Job::RemoveConversation => {}
        }
    }

    fn new_id(&mut self, id: &str) {
        assert!(self.ids.insert(id.to_owned()), "{id} is given out once");
    }

    fn current(&self) -> Option<&ToolCall> {
        let (calls, finished) = self.round.as_ref()?;
        calls.get(*finished)
    }

    fn finish_call(&mut self, call: &CallId) {
        let current = self.current().map(|call| call.id.clone());
        assert_eq!(
            current.as_ref(),
            Some(call),
            "results in the order of calls"
        );
        assert!(self.children.is_empty(), "no sub-agent is left behind");
        assert!(self.waiting.is_empty(), "no question is left behind");
        let (_, finished) = self.round.as_mut().unwrap();
        *finished += 1;
    }

    fn answer_held(&mut self, event: &Event) {
        let Event::AnswerHeld {
            inquiry,
            until,
            resolution: Some(resolution),
        } = event
        else {
            panic!("a decision has the answer that it holds");
        };
        let held = HeldAnswer {
            resolution: resolution.clone(),
            until: *until,
        };
        assert!(self.waiting.iter().any(|(id, _)| id == inquiry), "it waits");
        if let Some(before) = self.held.insert(inquiry.clone(), held.clone()) {
            assert_eq!(held.resolution, before.resolution, "one answer at a time");
            assert!(
                held.until < before.until,
                "its undo window only gets shorter"
            );
        }
    }

    fn resolve(&mut self, inquiry: &InquiryId, resolution: &Resolution) {
        if let Some(held) = self.held.remove(inquiry) {
            let stopped = matches!(resolution.outcome, Outcome::Cancelled | Outcome::Withdrawn);
            assert!(
                stopped || *resolution == held.resolution,
                "what is held takes effect as it was given"
            );
        }
        let place = self.waiting.iter().position(|(id, _)| id == inquiry);
        self.waiting.remove(place.unwrap());
        assert!(self.resolved.insert(inquiry.clone()), "one outcome");
    }

    fn start_children(&mut self, call: &CallId, children: &[ChildStarted]) {
        assert_eq!(self.current().map(|call| &call.id), Some(call));
        assert!(!children.is_empty(), "somebody to wait for");
        for child in children {
            self.new_id(child.conversation.as_str());
            self.children.insert(child.conversation.clone());
        }
    }

    /// The state says the same as the books.
    fn agree(&self, after: &Conversation) {
        let pending = after.state.pending().iter();
        let pending: Vec<_> = pending.map(|p| (p.id.clone(), p.expires_at)).collect();
        assert_eq!(
            pending, self.waiting,
            "what was asked and has no outcome waits"
        );
        for (inquiry, deadline) in &pending {
            let armed = |at: Timestamp| self.timers.contains(&(inquiry.clone(), at));
            assert!(deadline.is_none_or(armed), "a deadline has its timer");
        }
        for pending in after.state.pending() {
            let held = self.held.get(&pending.id);
            assert_eq!(
                pending.held.as_deref(),
                held,
                "what is held is in the state"
            );
            let armed = |at: Timestamp| self.timers.contains(&(pending.id.clone(), at));
            assert!(held.is_none_or(|held| armed(held.until)), "it takes effect");
            let deadline = pending.expires_at.unwrap_or(Timestamp::MAX);
            let in_time = held.is_none_or(|held| held.until <= deadline);
            assert!(in_time, "undo ends at the deadline");
        }
        let round = after.state.round();
        let round = round.map(|round| (round.calls().to_vec(), round.position()));
        assert_eq!(round, self.round, "the open round is in the state");
        let current = self.current();
        match &after.state {
            State::Idle | State::Error { .. } | State::Closed => {}
            State::LlmRequesting { request, .. } => assert_eq!(*request, after.requests),
            State::ToolExecuting { started, .. } => {
                let call = current.unwrap();
                assert!(is_plain(call), "{} is not a plain tool", call.name);
                assert_eq!(self.runs.get(&call.id), Some(&1), "one job for one call");
                assert_eq!(*started, self.started.contains(&call.id));
            }
            State::AwaitingUserResponse(PendingInquiries::Agent { pending, .. }) => {
                let call = current.unwrap();
                let by_model = Dialect::of_tool(&call.name).is_some();
                assert_eq!(pending.tool.is_none(), by_model);
                assert_eq!(pending.call.as_ref(), Some(&call.id));
            }
            State::AwaitingUserResponse(PendingInquiries::External { .. }) => {
                assert!(!pending.is_empty(), "somebody waits");
            }
            State::AwaitingSubAgents { children, .. } => {
                let open = children.iter().filter(|child| child.result.is_none());
                let open: BTreeSet<_> = open.map(|c| c.started.conversation.clone()).collect();
                assert!(!open.is_empty(), "somebody still works");
                assert_eq!(open, self.children);
                assert_eq!(current.unwrap().name, spawn::NAME);
            }
        }
    }
}

fn is_plain(call: &ToolCall) -> bool {
    Dialect::of_tool(&call.name).is_none() && call.name != spawn::NAME
}

/// A decision promises exactly the work that its events call for.
fn check_jobs(now: Timestamp, before: &Conversation, decision: &Decision) {
    let mut wanted: Vec<Job> = Vec::new();
    for event in &decision.events {
        wanted.extend(called_for(now, before, event));
    }
    if let State::ToolExecuting {
        round,
        started: false,
    } = &decision.after.state
    {
        let call = round.current().unwrap();
        let asked = before.state.pending().first();
        let resume = asked.and_then(|pending| match &pending.tool {
            Some(ToolQuestion::Returned(returned)) => Some(ToolResume {
                inquiry: pending.id.clone(),
                state: returned.state.clone(),
            }),
            Some(ToolQuestion::Running) | None => None,
        });
        wanted.push(Job::RunTool {
            call: call.id.clone(),
            name: call.name.clone(),
            input: call.input.clone(),
            resume,
        });
    }
    let sorted = |jobs: &[Job]| {
        let mut lines: Vec<String> = jobs.iter().map(without_report).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&decision.jobs), sorted(&wanted), "jobs match events");
}

/// A job as text; what is reported to a parent is not the books' affair.
fn without_report(job: &Job) -> String {
    if let Job::ReportToParent { parent, call, .. } = job {
        return format!("report to {parent} {call}");
    }
    if let Job::RemindInquiry {
        inquiry,
        expires_at,
        ..
    } = job
    {
        return format!("remind of {inquiry} before {expires_at}");
    }
    format!("{job:?}")
}

fn called_for(now: Timestamp, before: &Conversation, event: &Event) -> Vec<Job> {
    match event {
        Event::LlmRequested {
            request,
            attempt,
            due,
        } => vec![Job::RequestLlm {
            request: *request,
            attempt: *attempt,
            due: *due,
        }],
        Event::InquiryAsked { pending } => timer(&pending.id, pending.expires_at),
        Event::DeadlineMoved {
            inquiry,
            expires_at,
            ..
        } => timer(inquiry, *expires_at),
        Event::AnswerHeld { inquiry, until, .. } => vec![Job::CommitHeldAnswer {
            inquiry: inquiry.clone(),
            held_at: now,
            at: *until,
        }],
        Event::SubAgentsStarted { call, children } => vec![Job::StartSubAgents {
            call: call.clone(),
            children: children.clone(),
        }],
        Event::TurnEnded { end } => at_the_end(before, end),
        Event::Started { .. }
        | Event::MessageReceived { .. }
        | Event::LlmAttemptFailed { .. }
        | Event::AssistantReplied { .. }
        | Event::CallStarted { .. }
        | Event::CallFinished { .. }
        | Event::InquiryHandedOn { .. }
        | Event::InquiryReminded { .. }
        | Event::AnswerTakenBack { .. }
        | Event::InquiryResolved { .. }
        | Event::SubAgentFinished { .. }
        | Event::RoundFinished => Vec::new(),
        Event::Closed { .. } => vec![Job::RemoveConversation],
    }
}

/// A deadline is reminded of and enforced. When the reminder comes is not the books' affair.
fn timer(inquiry: &InquiryId, at: Option<Timestamp>) -> Vec<Job> {
    at.map_or_else(Vec::new, |at| {
        vec![
            Job::RemindInquiry {
                inquiry: inquiry.clone(),
                at,
                expires_at: at,
            },
            Job::ExpireInquiry {
                inquiry: inquiry.clone(),
                at,
            },
        ]
    })
}

/// A turn that is stopped gives up its work, and the end of a sub-agent's turn is reported.
fn at_the_end(before: &Conversation, end: &TurnEnd) -> Vec<Job> {
    let mut jobs = Vec::new();
    if *end == TurnEnd::Stopped {
        jobs.extend(given_up(&before.state));
    }
    if let Some(parent) = &before.settings.parent {
        jobs.push(Job::ReportToParent {
            parent: parent.conversation.clone(),
            call: parent.call.clone(),
            result: CallResult::ok(""),
        });
    }
    jobs
}

fn given_up(state: &State) -> Option<Job> {
    match state {
        State::LlmRequesting { request, .. } => Some(Job::AbortRequest { request: *request }),
        State::ToolExecuting { round, .. } => round.current().map(|call| Job::AbortTool {
            call: call.id.clone(),
        }),
        State::AwaitingSubAgents { children, .. } => {
            let open = children.iter().filter(|child| child.result.is_none());
            let children = open
                .map(|child| child.started.conversation.clone())
                .collect();
            Some(Job::StopSubAgents { children })
        }
        State::AwaitingUserResponse(PendingInquiries::Agent { pending, .. })
            if pending.tool == Some(ToolQuestion::Running) =>
        {
            let call = pending.call.clone();
            call.map(|call| Job::AbortTool { call })
        }
        State::Idle | State::AwaitingUserResponse(_) | State::Error { .. } | State::Closed => None,
    }
}
