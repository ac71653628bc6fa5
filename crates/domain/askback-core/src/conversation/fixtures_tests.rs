//! A stage for the command tests: a conversation brought somewhere by commands, one more command,
//! and the whole decision on it as readable lines.
//!
//! [`check`] also holds every decision to what must be true of all of them, so that each command
//! test is a test of replay, determinism and harmless refusals as well.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::command::{Command, NewDeadline, RawCall, RawReply, Target};
use super::event::{AgentFailure, CallResult, Event, FailureKind};
use super::event_log::{Names, gist, render};
use super::history::{HistoryEntry, history};
use super::job::Job;
use super::policy::{AskRules, Policy};
use super::rejection::Rejection;
use super::state::{Round, State};
use super::{Context, Conversation, ConversationSettings, Decision, Driver, Parent};
use crate::dialect::{Dialect, ParseOptions};
use crate::id::{CallId, ConversationId, IdSource, InquiryId, MessageId};
use crate::identity::NodeName;
use crate::inquiry::Inquiry;
use crate::outcome::{Actor, Surface};
use crate::text::{Lines, Text};

/// A conversation, everything that led to it, and the world around it.
#[derive(Clone)]
pub(super) struct Fixture {
    pub(super) conversation: Conversation,
    pub(super) events: Vec<Event>,
    pub(super) jobs: Vec<Job>,
    pub(super) now: Timestamp,
    surface: Surface,
    node: &'static str,
    steps: u128,
}

impl Fixture {
    /// A conversation of the built-in agent.
    pub(super) fn agent() -> Fixture {
        Fixture::with(Policy::default())
    }

    /// A conversation of the built-in agent under other rules.
    pub(super) fn with(policy: Policy) -> Fixture {
        Fixture::start(Driver::BuiltIn, None, policy)
    }

    /// A sub-agent's conversation.
    pub(super) fn sub_agent() -> Fixture {
        Fixture::sub_agent_with(Policy::default())
    }

    /// A sub-agent's conversation under other rules.
    pub(super) fn sub_agent_with(policy: Policy) -> Fixture {
        let parent = Parent {
            conversation: ConversationId::new("cnv_parent"),
            call: CallId::new("call_parent"),
        };
        Fixture::start(Driver::BuiltIn, Some(parent), policy)
    }

    /// The conversation of somebody else's agent.
    pub(super) fn external() -> Fixture {
        Fixture::external_with(Policy::default())
    }

    /// The conversation of somebody else's agent under other rules.
    pub(super) fn external_with(policy: Policy) -> Fixture {
        Fixture::start(Driver::External, None, policy)
    }

    fn start(driver: Driver, parent: Option<Parent>, policy: Policy) -> Fixture {
        let (conversation, started) = Conversation::start(ConversationSettings {
            id: ConversationId::new("cnv_own"),
            driver,
            parent,
            policy,
            provider: None,
        });
        Fixture {
            conversation,
            events: vec![started],
            jobs: Vec::new(),
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
            surface: Surface::Terminal,
            node: "node-1",
            steps: 0,
        }
    }

    /// The same a while later.
    pub(super) fn later(mut self, seconds: i64) -> Fixture {
        self.now += SignedDuration::from_secs(seconds);
        self
    }

    /// What comes next is decided on another node.
    pub(super) fn on(mut self, node: &'static str) -> Fixture {
        self.node = node;
        self
    }

    /// What comes next comes from another surface.
    pub(super) fn from(mut self, surface: Surface) -> Fixture {
        self.surface = surface;
        self
    }

    /// Decides on a command without anything coming of it.
    pub(super) fn decide(&self, command: &Command) -> Result<Decision, Rejection> {
        let context = Context {
            now: self.now,
            ids: IdSource::new((self.steps + 1) << 32),
            actor: Actor::new(None, self.surface),
            node: NodeName::clean(self.node),
        };
        self.conversation.decide(command, &context)
    }

    /// The fixture after a command that must be granted.
    pub(super) fn after(mut self, when: impl FnOnce(&Fixture) -> Command) -> Fixture {
        let command = when(&self);
        let decision = self.decide(&command);
        let decision = decision.unwrap_or_else(|no| panic!("{command:?} refused: {no:?}"));
        self.events.extend(decision.events);
        self.jobs.extend(decision.jobs);
        self.conversation = decision.after;
        self.steps += 1;
        self
    }

    /// The user says something.
    pub(super) fn says(self, text: &str) -> Fixture {
        self.after(|_| say(text))
    }

    /// The user says something and the model answers with these calls.
    pub(super) fn round(self, calls: &[RawCall]) -> Fixture {
        self.says("Do it.").calls(calls)
    }

    /// The model replies with these calls.
    pub(super) fn calls(self, calls: &[RawCall]) -> Fixture {
        self.after(|it| it.reply_with("", calls))
    }

    /// A worker starts the current call and finishes it.
    pub(super) fn runs(self, output: &str) -> Fixture {
        self.after(Fixture::start_tool)
            .after(|it| it.finish_tool(output))
    }

    pub(super) fn reply_with(&self, text: &str, calls: &[RawCall]) -> Command {
        Command::LlmReplied {
            request: self.conversation.requests,
            attempt: self.attempt(),
            reply: RawReply {
                text: text.to_owned(),
                reasoning: None,
                calls: calls.to_vec(),
            },
        }
    }

    /// The attempt under way; the first if none is.
    pub(super) fn attempt(&self) -> u32 {
        if let State::LlmRequesting { attempt, .. } = self.conversation.state {
            attempt
        } else {
            1
        }
    }

    pub(super) fn start_tool(&self) -> Command {
        Command::ToolStarted { call: self.call() }
    }

    pub(super) fn finish_tool(&self, output: &str) -> Command {
        Command::ToolFinished {
            call: self.call(),
            result: CallResult::ok(output),
        }
    }

    pub(super) fn fail_llm(&self, kind: FailureKind) -> Command {
        let State::LlmRequesting {
            request, attempt, ..
        } = self.conversation.state
        else {
            panic!("no request is under way");
        };
        Command::LlmFailed {
            request,
            attempt,
            failure: failure(kind),
            retry_after: None,
        }
    }

    /// The inquiry that waits longest.
    pub(super) fn inquiry(&self) -> InquiryId {
        self.conversation.state.pending()[0].id.clone()
    }

    /// The inquiry that was asked as the nth, counted from 0.
    pub(super) fn asked(&self, nth: usize) -> InquiryId {
        let mut asked = self.events.iter().filter_map(|event| {
            let Event::InquiryAsked { pending } = event else {
                return None;
            };
            Some(pending.id.clone())
        });
        asked.nth(nth).unwrap()
    }

    /// The current call of the open round.
    pub(super) fn call(&self) -> CallId {
        let round = self.conversation.state.round();
        round.and_then(Round::current).unwrap().id.clone()
    }

    /// The call that was made as the nth, counted from 0.
    pub(super) fn made(&self, nth: usize) -> CallId {
        let calls = self.events.iter().flat_map(|event| {
            let Event::AssistantReplied { reply } = event else {
                return &[][..];
            };
            &reply.calls
        });
        calls.map(|call| call.id.clone()).nth(nth).unwrap()
    }

    /// The sub-agent that was started as the nth, counted from 0.
    pub(super) fn child(&self, nth: usize) -> ConversationId {
        let children = self.events.iter().flat_map(|event| {
            let Event::SubAgentsStarted { children, .. } = event else {
                return &[][..];
            };
            children
        });
        let mut ids = children.map(|child| child.conversation.clone());
        ids.nth(nth).unwrap()
    }

    /// The results that calls have, in the order they got them.
    pub(super) fn results(&self) -> Vec<CallResult> {
        let results = self.events.iter().filter_map(|event| {
            let Event::CallFinished { result, .. } = event else {
                return None;
            };
            Some(result.clone())
        });
        results.collect()
    }

    /// What the model would be sent, a line for each entry.
    pub(super) fn history(&self) -> Vec<String> {
        let line = |entry: HistoryEntry| match entry {
            HistoryEntry::User(text) => format!("user: {text}"),
            HistoryEntry::Assistant { reply, results } => {
                let said = reply.text.map_or_else(String::new, String::from);
                let calls = reply.calls.iter().zip(results);
                let calls =
                    calls.map(|(call, result)| format!(" {} = {}", call.name, gist(&result)));
                format!("assistant: {said}{}", calls.collect::<String>())
            }
        };
        history(&self.events).into_iter().map(line).collect()
    }
}

/// Checks what follows from `when` in the fixture `given`: events, jobs (`>`) and state (`=`), line
/// by line, or the code of the refusal.
#[track_caller]
pub(super) fn check(given: &Fixture, when: impl FnOnce(&Fixture) -> Command, then: &str) {
    let command = when(given);
    let before = given.conversation.clone();
    let decided = given.decide(&command);
    assert_eq!(decided, given.decide(&command), "the same again");
    assert_eq!(given.conversation, before, "deciding changes nothing");
    let names = Names::of(&given.events);
    let found = match &decided {
        Ok(decision) => {
            check_decision(given, decision);
            render(&names, given.now, decision)
        }
        Err(rejection) => vec![format!("refused: {}", rejection.code())],
    };
    let wanted: Vec<&str> = then.lines().map(str::trim).collect();
    let wanted: Vec<&str> = wanted.into_iter().filter(|line| !line.is_empty()).collect();
    assert_eq!(
        found.join("\n"),
        wanted.join("\n"),
        "what follows from {command:?}"
    );
}

/// What must hold of every decision: its events give its state.
fn check_decision(given: &Fixture, decision: &Decision) {
    assert!(!decision.events.is_empty(), "a decision has events");
    let events: Vec<Event> = given
        .events
        .iter()
        .chain(&decision.events)
        .cloned()
        .collect();
    assert_eq!(Conversation::replay(&events).as_ref(), Ok(&decision.after));
}

// What the world sends.

pub(super) fn say(text: &str) -> Command {
    Command::SendMessage {
        message: None,
        text: text.to_owned(),
    }
}

pub(super) fn say_as(id: &str, text: &str) -> Command {
    Command::SendMessage {
        message: Some(MessageId::new(id)),
        text: text.to_owned(),
    }
}

pub(super) fn answer(inquiry: InquiryId, answers: Value) -> Command {
    Command::Answer {
        target: inquiry.into(),
        answers,
        notes: None,
    }
}

pub(super) fn decline(inquiry: InquiryId) -> Command {
    Command::Decline {
        target: inquiry.into(),
    }
}

pub(super) fn reject(inquiry: InquiryId) -> Command {
    Command::Reject {
        target: inquiry.into(),
    }
}

pub(super) fn cancel() -> Command {
    Command::Cancel { target: None }
}

pub(super) fn withdraw() -> Command {
    Command::Withdraw { target: None }
}

pub(super) fn expire(inquiry: InquiryId) -> Command {
    Command::Expire { inquiry }
}

pub(super) fn revision(id: InquiryId, revision: u32) -> Target {
    Target::Inquiry {
        id,
        revision: Some(revision),
    }
}

pub(super) fn external_ask(dialect: Dialect, expires_after: Option<SignedDuration>) -> Command {
    Command::Ask {
        inquiry: inquiry(dialect),
        deadline: expires_after.map(NewDeadline::After),
    }
}

pub(super) fn report(child: ConversationId, result: CallResult) -> Command {
    Command::SubAgentFinished { child, result }
}

pub(super) fn failure(kind: FailureKind) -> AgentFailure {
    AgentFailure {
        kind,
        message: Text::clean("The provider is not well.", Lines::Many).unwrap(),
    }
}

/// The rules of a dialect with one of them changed.
pub(super) fn rules(dialect: Dialect, change: impl FnOnce(&mut AskRules)) -> Policy {
    let mut rules = AskRules::of(dialect);
    change(&mut rules);
    Policy {
        asks: [(dialect, rules)].into(),
        ..Policy::default()
    }
}

/// A call of a tool that is not an ask tool.
pub(super) fn tool(name: &str) -> RawCall {
    raw_call(name, json!({ "path": "notes.txt" }))
}

/// A fitting call of an ask tool: one question with the choices `Red` and `Blue`.
pub(super) fn ask(dialect: Dialect) -> RawCall {
    raw_call(dialect.name(), input(dialect))
}

pub(super) fn raw_call(name: &str, input: Value) -> RawCall {
    RawCall {
        provider_id: format!("p_{name}"),
        name: name.to_owned(),
        input,
    }
}

/// A call that starts a sub-agent for each task.
pub(super) fn spawn(tasks: &[&str]) -> RawCall {
    let agents: Vec<Value> = tasks
        .iter()
        .map(|task| json!({ "name": task, "task": task }))
        .collect();
    raw_call("spawn_agents", json!({ "agents": agents }))
}

pub(super) fn inquiry(dialect: Dialect) -> Inquiry {
    let parsed = dialect.parse(&input(dialect), ParseOptions::default());
    parsed.unwrap().inquiry
}

fn input(dialect: Dialect) -> Value {
    let described = json!([
        { "label": "Red", "description": "Like a rose." },
        { "label": "Blue", "description": "Like the sky." },
    ]);
    match dialect {
        Dialect::AskUserQuestion => json!({
            "questions": [{ "question": "Which colour?", "options": described }],
        }),
        Dialect::AskUserQuestionClaude => json!({
            "questions": [{
                "question": "Which colour?",
                "header": "Colour",
                "options": described,
                "multiSelect": false,
            }],
        }),
        Dialect::Question => json!({ "question": "Which colour?", "options": described }),
        Dialect::AskUser => json!({
            "question": "Which colour?",
            "input_type": "single_select",
            "options": [
                { "label": "Red", "value": "red" },
                { "label": "Blue", "value": "blue" },
            ],
        }),
        Dialect::Questions => json!({
            "questions": [{ "text": "Which colour?", "choices": described }],
        }),
    }
}

/// A fitting answer to [`ask`].
pub(super) fn red() -> Value {
    json!({ "Which colour?": "Red" })
}
