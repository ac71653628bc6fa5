//! Every sequence of moves in a small world: one or two questions, two respondents, a timer, a
//! tool, a provider that fails, stops, and workers that run any job late or again.
//!
//! Worlds that differ only in the names of ids are one. From each, every move is made and the
//! conversation is helped to rest, so that nothing reachable here is a dead end.

use std::collections::{BTreeMap, HashSet, VecDeque};

use askback_core::conversation::command::{Command, RawCall, Target};
use askback_core::conversation::event::{CallResult, ChildStarted, FailureKind};
use askback_core::conversation::job::Job;
use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_core::outcome::Surface;
use jiff::SignedDuration;
use serde_json::json;

use super::setting;
use crate::suite::machine::{CheckedConversation, Kind, samples};

/// Moves in a row, in an ordinary test run.
const DEPTH: usize = 5;
/// How often one request is tried here; more attempts are only more of the same.
const ATTEMPTS_MAX: u32 = 2;
const DEADLINE_SECONDS: i64 = 60;
const UNDO_SECONDS: i64 = 5;

/// What the provider replies, request by request; the last words after that.
struct Script {
    kind: Kind,
    dialect: Dialect,
    rounds: Vec<Vec<RawCall>>,
    /// Whether tools ask the user while they run, and return with a question.
    tools_ask: bool,
}

enum Step {
    /// The deadline passes.
    Wait,
    Submit(Surface, Command),
}

#[derive(Default)]
struct Tally {
    worlds: usize,
    granted: usize,
    refused: usize,
}

impl Script {
    fn new(kind: Kind, dialect: Dialect, rounds: Vec<Vec<RawCall>>) -> Script {
        Script {
            kind,
            dialect,
            rounds,
            tools_ask: false,
        }
    }

    fn begin(&self) -> CheckedConversation {
        let rules = AskRules {
            expires_after_ms: Some(DEADLINE_SECONDS * 1_000),
            ..AskRules::of(self.dialect)
        };
        let policy = Policy {
            asks: [(self.dialect, rules)].into(),
            sub_agents_may_ask: true,
            ..Policy::default()
        };
        CheckedConversation::new(self.kind, policy)
    }

    fn reply(&self, request: u64, attempt: u32) -> Command {
        let nth = usize::try_from(request).unwrap() - 1;
        let calls = self.rounds.get(nth);
        calls.map_or_else(
            || samples::reply_to(request, attempt, "Done.", &[]),
            |calls| samples::reply_to(request, attempt, "Well.", calls),
        )
    }

    /// Everything that anyone could do next.
    fn steps(&self, checked: &CheckedConversation) -> Vec<Step> {
        let mut steps = vec![Step::Wait];
        let mut add = |surface, command| steps.push(Step::Submit(surface, command));
        add(Surface::Terminal, samples::cancel());
        add(Surface::System, samples::withdraw());
        if self.kind == Kind::External {
            if checked.inquiries().len() < 2 {
                add(Surface::Mcp, samples::external_ask(self.dialect, None));
            }
        } else {
            add(Surface::Terminal, samples::say_as("msg_a", "Do it."));
            add(Surface::Web, samples::say_as("msg_b", "Something else."));
        }
        for inquiry in checked.inquiries() {
            for (surface, command) in respond(&inquiry) {
                add(surface, command);
            }
        }
        for job in &checked.jobs {
            for command in self.work(job) {
                add(Surface::System, command);
            }
        }
        steps
    }

    /// What a worker may report on a job, whenever it runs it.
    fn work(&self, job: &Job) -> Vec<Command> {
        match job {
            Job::RequestLlm {
                request, attempt, ..
            } if *attempt <= ATTEMPTS_MAX => vec![
                self.reply(*request, *attempt),
                samples::reply_to(*request, *attempt, "", &[]),
                samples::fail(*request, *attempt, FailureKind::Network),
                samples::fail(*request, *attempt, FailureKind::Refused),
            ],
            Job::RunTool { call, .. } => {
                let mut reports = vec![
                    Command::ToolStarted { call: call.clone() },
                    samples::finish(call.clone(), "done"),
                    Command::ToolInterrupted { call: call.clone() },
                ];
                if self.tools_ask {
                    reports.extend(samples::tool_asks(call, self.dialect));
                }
                reports
            }
            Job::StartSubAgents { children, .. } => {
                let report = |child: &ChildStarted| Command::SubAgentFinished {
                    child: child.conversation.clone(),
                    result: CallResult::ok("done"),
                };
                children.iter().map(report).collect()
            }
            Job::RemindInquiry {
                inquiry,
                expires_at,
                ..
            } => vec![samples::remind(inquiry.clone(), *expires_at)],
            Job::ExpireInquiry { inquiry, .. } => vec![samples::expire(inquiry.clone())],
            Job::CommitHeldAnswer { inquiry, at, .. } => {
                vec![samples::release(inquiry.clone(), *at)]
            }
            Job::RequestLlm { .. }
            | Job::AbortRequest { .. }
            | Job::AbortTool { .. }
            | Job::StopSubAgents { .. }
            | Job::ReportToParent { .. }
            | Job::RemoveConversation => Vec::new(),
        }
    }
}

/// What two respondents may do about an inquiry, whether or not it still waits.
fn respond(inquiry: &InquiryId) -> Vec<(Surface, Command)> {
    let window = SignedDuration::from_secs(UNDO_SECONDS);
    let wrong = Command::Answer {
        target: inquiry.clone().into(),
        answers: json!({}),
        notes: None,
    };
    let seen_otherwise = Target::Inquiry {
        id: inquiry.clone(),
        revision: Some(2),
    };
    let before_hand_on = Target::Delivered {
        id: inquiry.clone(),
        revision: 1,
        hand_ons: 0,
    };
    vec![
        (Surface::Terminal, samples::answer(inquiry.clone())),
        (Surface::Terminal, samples::decline(inquiry.clone())),
        (
            Surface::Terminal,
            Command::Cancel {
                target: Some(inquiry.clone().into()),
            },
        ),
        (Surface::Web, samples::answer(inquiry.clone())),
        (Surface::Web, wrong),
        (Surface::Web, samples::answer(seen_otherwise)),
        (Surface::Web, samples::answer(Target::Pending)),
        (Surface::Web, samples::reject(inquiry.clone())),
        (
            Surface::Web,
            samples::answer_with_undo(inquiry.clone(), samples::red_reply(), window),
        ),
        (Surface::Web, samples::take_back(inquiry.clone())),
        (Surface::Web, samples::hand_on(inquiry.clone(), "ben")),
        (Surface::Telegram, samples::answer(before_hand_on)),
        (
            Surface::Web,
            Command::KeepOpen {
                target: inquiry.clone().into(),
                at_least: None,
            },
        ),
    ]
}

/// Makes every sequence of moves up to `depth` and checks what it leads to.
fn explore(script: &Script, depth: usize) -> Tally {
    let mut tally = Tally::default();
    let begin = script.begin();
    let mut known = HashSet::from([key(&begin)]);
    let mut open = VecDeque::from([(begin, 0)]);
    while let Some((checked, moves)) = open.pop_front() {
        tally.worlds += 1;
        check_world(&checked);
        if moves == depth {
            continue;
        }
        for step in script.steps(&checked) {
            let Some(next) = take(&checked, step) else {
                tally.refused += 1;
                continue;
            };
            tally.granted += 1;
            if known.insert(key(&next)) {
                open.push_back((next, moves + 1));
            }
        }
    }
    tally
}

/// The world after a step, if it is granted.
fn take(checked: &CheckedConversation, step: Step) -> Option<CheckedConversation> {
    match step {
        Step::Wait => {
            let late = checked.now > begin_time();
            (!late).then(|| checked.clone().later(DEADLINE_SECONDS + 1))
        }
        Step::Submit(surface, command) => {
            checked.decide(&command).ok()?;
            let mut next = checked.clone();
            next.surface = surface;
            next.submit(&command).ok()?;
            Some(next)
        }
    }
}

fn begin_time() -> jiff::Timestamp {
    CheckedConversation::agent().now
}

/// A crash changes nothing here, and help leads to rest.
fn check_world(checked: &CheckedConversation) {
    let mut checked = checked.clone();
    checked.crash();
    checked.finish();
    checked.check_history();
}

/// What makes a world different from another: where it stands, what was asked and what may still
/// be reported, under names that do not depend on the way there.
fn key(checked: &CheckedConversation) -> String {
    let conversation = &checked.conversation;
    let jobs: Vec<&Job> = checked.jobs.iter().collect();
    let parts = (
        &conversation.state,
        conversation.requests,
        &conversation.asked,
        &conversation.recent_messages,
        checked.inquiries(),
        jobs,
        checked.now,
    );
    rename(&format!("{parts:?}"))
}

/// The text with ids numbered in the order in which they turn up.
fn rename(text: &str) -> String {
    const DIGITS: usize = 26;
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_0000") {
        let (before, id) = rest.split_at(at);
        let (id, after) = id.split_at(DIGITS + 1);
        let next = names.len();
        let number = *names.entry(id).or_insert(next);
        out.push_str(before);
        out.push('#');
        out.push_str(&number.to_string());
        rest = after;
    }
    out.push_str(rest);
    out
}

fn explore_all(name: &str, scripts: &[Script]) {
    let depth = setting("ASKBACK_DEPTH", DEPTH);
    let mut total = Tally::default();
    for script in scripts {
        let tally = explore(script, depth);
        total.worlds += tally.worlds;
        total.granted += tally.granted;
        total.refused += tally.refused;
    }
    eprintln!(
        "{name}: {} worlds, {} moves granted, {} refused, depth {depth}",
        total.worlds, total.granted, total.refused
    );
    assert!(total.worlds > 100, "there is something to explore");
}

#[test]
fn every_short_sequence_with_one_question_holds() {
    let scripts = Dialect::TOOLS.map(|dialect| {
        let rounds = vec![vec![samples::ask(dialect)]];
        Script::new(Kind::Parent, dialect, rounds)
    });
    explore_all("one question", &scripts);
}

#[test]
fn every_short_sequence_with_a_question_among_tools_holds() {
    let dialect = Dialect::AskUserQuestion;
    let rounds = vec![
        vec![
            samples::tool("first"),
            samples::ask(dialect),
            samples::tool("third"),
        ],
        vec![samples::ask(dialect)],
    ];
    explore_all(
        "a question among tools",
        &[Script::new(Kind::Parent, dialect, rounds)],
    );
}

#[test]
fn every_short_sequence_with_a_tool_that_asks_holds() {
    let rounds = vec![vec![samples::tool("first"), samples::tool("second")]];
    let script = Script {
        tools_ask: true,
        ..Script::new(Kind::Parent, Dialect::AskUser, rounds)
    };
    explore_all("a tool that asks", &[script]);
}

#[test]
fn every_short_sequence_of_a_sub_agent_that_asks_holds() {
    let dialect = Dialect::AskUser;
    let rounds = vec![vec![samples::ask(dialect)]];
    explore_all(
        "a sub-agent",
        &[Script::new(Kind::SubAgent, dialect, rounds)],
    );
}

#[test]
fn every_short_sequence_with_sub_agents_holds() {
    let dialect = Dialect::AskUser;
    let rounds = vec![vec![samples::spawn(2), samples::ask(dialect)]];
    explore_all("sub-agents", &[Script::new(Kind::Parent, dialect, rounds)]);
}

#[test]
fn every_short_sequence_of_an_external_agent_holds() {
    let scripts = Dialect::TOOLS.map(|dialect| Script::new(Kind::External, dialect, Vec::new()));
    explore_all("an external agent", &scripts);
}
